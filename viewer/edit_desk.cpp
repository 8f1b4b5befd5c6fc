// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "viewer/edit_desk.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <exception>
#include <stdexcept>

#include "core/file.h"
#include "figure/pose.h"
#include "jobs/event_text.h"
#include "jobs/words.h"
#include "viewer/controls.h"

namespace limber::viewer {

namespace {

using figure::EditEvent;
using jobs::ListedEvent;
using Kind = EditEvent::Kind;

/// The handle of a push of one newton second, and of a ball of one metre per
/// second, is so long [m].
constexpr double kPushLength = 0.02;
constexpr double kThrowLength = 0.05;
/// The pointer takes a mark or a handle from so far away [px].
constexpr double kReachOfPointer = 8.0;
/// What the cannon of the window fires.
constexpr double kBallSpeed = 15.0;  // [m/s]
constexpr double kBallMass = 1.5;    // [kg]
/// Places of a pull are kept so far apart [s]; a shorter one is a click.
constexpr double kBetweenPlaces = 0.05;
constexpr double kShortestPull = 0.15;
/// A key makes an event larger by so much.
constexpr double kLarger = 1.25;
constexpr std::size_t kMostLines = 12;

std::string Seconds(double time) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f s", time);
  return text;
}

std::string Date(std::time_t time) {
  char text[64] = "";
  std::tm local{};
  if (localtime_r(&time, &local) != nullptr) {
    std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", &local);
  }
  return text;
}

/// The first line of what a job says.
std::string FirstLine(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

EditedFigure& FigureOf(Show& show) {
  auto* figure = dynamic_cast<EditedFigure*>(&show);
  if (figure == nullptr) {
    throw std::invalid_argument("EditDesk: the show has no figure to edit");
  }
  return *figure;
}

bool HasVector(Kind kind) {
  return kind == Kind::kPush || kind == Kind::kThrow;
}

bool HasTarget(const EditEvent& event) {
  return (event.kind == Kind::kReach || event.kind == Kind::kLook ||
          event.kind == Kind::kPin) &&
         event.target && event.path.empty();
}

double LengthOf(Kind kind) {
  return kind == Kind::kPush ? kPushLength : kThrowLength;
}

}  // namespace

EditDesk::EditDesk(jobs::Workbench& bench, Show& show)
    : bench_(bench), figure_(FigureOf(show)) {
  figure_.SetEdited(nullptr);
}

std::vector<std::pair<std::string, std::string>> EditDesk::Help() {
  return {{"p", "push the picked body away from the camera"},
          {"c", "throw a ball at the picked body"},
          {": (colon)", "any event in words: push chest@1.2s:40Ns:+x"},
          {"tab", "select the next event"},
          {"+ -", "larger, smaller: the event, or the next push"},
          {"= @", "type its size, its time"},
          {"< >", "a frame earlier, later"},
          {"o", "switch the event off or on"},
          {"d, delete", "remove the event"},
          {"z y", "undo, redo"},
          {"/", "before, after"},
          {"w", "save the events"},
          {"W", "save the result and its events"},
          {"j", "take up what was not saved"}};
}

template <typename Action>
bool EditDesk::Try(Action&& action) {
  try {
    std::forward<Action>(action)();
    return true;
  } catch (const std::exception& error) {
    message_ = FirstLine(error.what());
    return false;
  }
}

void EditDesk::Select(std::optional<std::size_t> index) {
  selected_ = index && *index < bench_.events().size() ? index : std::nullopt;
}

int EditDesk::SegmentFor(int part) const {
  const int segment = figure_.SegmentOf(part);
  return segment >= 0 ? segment
                      : std::max(0, model().SegmentOf(figure::Role::kChest));
}

bool EditDesk::AddAndSelect(const ListedEvent& event) {
  if (!Try([&] { bench_.Add(event); })) return false;
  Select(bench_.events().size() - 1);
  if (!figure_.is_live()) wanted_mode_ = "edited";
  return true;
}

void EditDesk::AddPush(int part, const Vector3& direction, double time) {
  EditEvent push;
  push.time = ClipTime(time);
  push.segment = SegmentFor(part);
  push.point_B = model().segments[std::size_t(push.segment)].p_JC;
  push.vector = push_size_ * direction;
  AddAndSelect({push, true});
}

void EditDesk::AddThrow(int part, const Vector3& direction, double time) {
  EditEvent ball;
  ball.kind = Kind::kThrow;
  ball.time = ClipTime(time);
  ball.segment = SegmentFor(part);
  ball.point_B = model().segments[std::size_t(ball.segment)].p_JC;
  ball.vector = kBallSpeed * direction;
  ball.mass = kBallMass;
  AddAndSelect({ball, true});
}

void EditDesk::BeginPull(int part, double time, const Vector3& p_W) {
  const std::optional<Vector3> point = figure_.grabbed_point_B();
  const int segment = figure_.SegmentOf(part);
  if (!point || segment < 0) return;
  pull_.emplace();
  pull_->kind = Kind::kReach;
  pull_->time = ClipTime(time);
  pull_->segment = segment;
  pull_->point_B = *point;
  pull_->path = {{pull_->time, p_W}};
}

void EditDesk::PullTo(double time, const Vector3& p_W) {
  if (!pull_) return;
  const double last = pull_->path.back().time;
  if (ClipTime(time) < last) return EndPull();  // The clip began anew.
  if (ClipTime(time) < last + kBetweenPlaces) return;
  pull_->path.push_back({ClipTime(time), p_W});
}

void EditDesk::EndPull() {
  if (!pull_) return;
  EditEvent pull = *std::exchange(pull_, std::nullopt);
  pull.duration = pull.path.back().time - pull.time;
  if (pull.duration < kShortestPull) return;
  if (AddAndSelect({pull, true})) message_ = "the pull is an event";
}

bool EditDesk::TakeMark(const TimeLine& line, double x) {
  std::optional<std::size_t> nearest;
  double distance = kReachOfPointer;
  const std::vector<EventMark> all = marks();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double off = std::abs(line.XOf(all[i].from) - x);
    // Of several in one place the selected one, so that it can be drawn out.
    if (off > distance || (off == distance && !all[i].is_selected)) continue;
    nearest = i;
    distance = off;
  }
  if (!nearest) return false;
  Select(nearest);
  is_dragging_ = true;
  is_same_gesture_ = false;
  return true;
}

void EditDesk::ChangeSelected(const ListedEvent& event, bool is_same_gesture) {
  if (!selected_) return;
  Try([&] { bench_.Change(*selected_, event, is_same_gesture); });
}

void EditDesk::MoveMark(const TimeLine& line, double x) {
  if (!is_dragging_ || !selected_) return;
  ListedEvent event = bench_.events()[*selected_];
  const double time = ClipTime(line.TimeAt(x));
  if (time == event.event.time) return;
  event.event = jobs::MovedTo(event.event, time);
  ChangeSelected(event, is_same_gesture_);
  is_same_gesture_ = true;
}

Transform EditDesk::PoseOf(int segment, double clip_time) const {
  const figure::Motion& motion =
      bench_.result() ? bench_.result()->result.motion : *bench_.clip().motion;
  const auto frame = std::clamp<std::int64_t>(
      std::llround(clip_time * motion.rate_hz()), 0, motion.num_frames() - 1);
  const std::vector<Transform> X_WJ =
      figure::WorldTransforms(motion.skeleton(), motion.pose(frame));
  const int joint = model().segments[std::size_t(segment)].joint;
  return X_WJ[std::size_t(joint)];
}

std::optional<EditDesk::Handle> EditDesk::handle() const {
  if (!selected_ || *selected_ >= bench_.events().size()) return std::nullopt;
  const EditEvent& event = bench_.events()[*selected_].event;
  const bool has_vector = HasVector(event.kind);
  if (!has_vector && !HasTarget(event)) return std::nullopt;
  const Transform X_WB = PoseOf(event.segment, event.time);
  const Vector3 begin = X_WB * event.point_B;
  if (!has_vector) return Handle{begin, *event.target};
  const Vector3 vector_W =
      event.in_body ? Vector3(X_WB.R * event.vector) : event.vector;
  return Handle{begin, begin + LengthOf(event.kind) * vector_W};
}

bool EditDesk::TakeHandle(const Camera& camera, double x, double y,
                          double aspect, double height) {
  const std::optional<Handle> seen = handle();
  if (!seen) return false;
  const std::optional<Vector2> place = camera.PlaceOf(seen->tip, aspect);
  if (!place) return false;
  const Vector2 off((place->x() - x) * aspect, place->y() - y);
  if (0.5 * height * off.norm() > kReachOfPointer) return false;
  tip_depth_ = (seen->tip - camera.Eye()).dot(camera.Forward());
  is_dragging_ = true;
  is_same_gesture_ = false;
  return true;
}

void EditDesk::MoveHandle(const Camera& camera, double x, double y,
                          double aspect) {
  const std::optional<Handle> seen = handle();
  if (!is_dragging_ || !seen) return;
  // The tip moves in the plane of the picture, where it was taken.
  const Vector3 ray = camera.RayThrough(x, y, aspect);
  const Vector3 tip =
      camera.Eye() + tip_depth_ / ray.dot(camera.Forward()) * ray;
  ListedEvent event = bench_.events()[*selected_];
  EditEvent& changed = event.event;
  if (HasVector(changed.kind)) {
    const Vector3 vector_W = (tip - seen->begin) / LengthOf(changed.kind);
    changed.vector =
        changed.in_body
            ? Vector3(PoseOf(changed.segment, changed.time).R.conjugate() *
                      vector_W)
            : vector_W;
  } else {
    changed.target = tip;
  }
  ChangeSelected(event, is_same_gesture_);
  is_same_gesture_ = true;
}

void EditDesk::SelectNext() {
  if (bench_.events().empty()) return;
  Select(selected_ ? (*selected_ + 1) % bench_.events().size() : 0);
}

void EditDesk::Resize(double factor) {
  if (!selected_) {
    push_size_ *= factor;
    message_ = "the next push: " + jobs::Rounded(push_size_, 2) + " N s";
    return;
  }
  ListedEvent event = bench_.events()[*selected_];
  const std::optional<jobs::EventSize> size = jobs::SizeOf(event.event);
  if (!size) {
    message_ = std::string(jobs::WordOf(event.event.kind)) + " has no size";
    return;
  }
  Try([&] {
    event.event = jobs::WithSize(event.event, size->value * factor);
    bench_.Change(*selected_, event);
  });
}

bool EditDesk::BeginPrompt(char kind) {
  if (kind == '@' && !selected_) {
    message_ = "select an event first: tab, or a click on its mark";
  } else {
    prompt_ = Prompt{kind, {}};
  }
  return true;
}

bool EditDesk::PromptKey(int key) {
  std::string& text = prompt_->text;
  if (key == Controls::kEscape) {
    prompt_.reset();
  } else if (key == kEnter) {
    EndPrompt();
  } else if (key == kBackspace) {
    if (!text.empty()) text.pop_back();
  } else if (key >= ' ' && key <= '~') {
    constexpr std::size_t kLongest = 200;
    if (text.size() < kLongest) text += static_cast<char>(key);
  }
  return true;
}

void EditDesk::EndPrompt() {
  const Prompt prompt = *std::exchange(prompt_, std::nullopt);
  if (prompt.text.empty()) return;
  if (prompt.kind == ':') return AddInWords(prompt.text);
  TypedNumber(prompt);
}

void EditDesk::TypedNumber(const Prompt& prompt) {
  const std::optional<double> number = jobs::NumberWithUnit(prompt.text, "");
  if (!number) {
    message_ = "\"" + prompt.text + "\" is no number";
    return;
  }
  if (!selected_) {
    if (*number > 0.0) push_size_ = *number;
    message_ = "the next push: " + jobs::Rounded(push_size_, 2) + " N s";
    return;
  }
  Try([&] {
    ListedEvent event = bench_.events()[*selected_];
    event.event = prompt.kind == '='
                      ? jobs::WithSize(event.event, *number)
                      : jobs::MovedTo(event.event, ClipTime(*number));
    bench_.Change(*selected_, event);
  });
}

void EditDesk::AddInWords(const std::string& words) {
  const std::size_t space = words.find(' ');
  const std::string flag = "--" + words.substr(0, space);
  const std::string rest =
      space == std::string::npos ? "" : words.substr(space + 1);
  Try([&] {
    std::vector<ListedEvent> added;
    for (const EditEvent& event : jobs::ParseEvents(
             flag, rest, {&model(), bench_.clip().motion.get()})) {
      added.push_back({event, true});
    }
    bench_.Add(added);
    Select(bench_.events().size() - added.size());
    if (!figure_.is_live()) wanted_mode_ = "edited";
  });
}

void EditDesk::Save(bool with_result) {
  if (with_result && !bench_.is_current()) {
    saves_when_ready_ = true;
    message_ = "it is saved when it is computed";
    return;
  }
  Try([&] {
    const auto saved = with_result ? bench_.SaveResult() : bench_.SaveEvents();
    if (!saved) {
      message_ = FirstLine(saved.diagnostics().ToString());
      return;
    }
    const auto& file = with_result ? saved->result : saved->events;
    message_ = "saved: " + PathText(file) + "\n" + saved->command;
  });
}

void EditDesk::SayStep(bool done, const char* step) {
  if (!done) message_ = std::string("nothing to ") + step;
  Select(selected_);
}

void EditDesk::TakeOffered() {
  if (bench_.offered().empty()) {
    message_ = "there is nothing that was not saved";
    return;
  }
  bench_.TakeOffered();
  Select(std::nullopt);
  if (!figure_.is_live()) wanted_mode_ = "edited";
}

bool EditDesk::SelectedKey(int key) {
  const double frame = 1.0 / bench_.clip().motion->rate_hz();
  ListedEvent event = bench_.events()[*selected_];
  switch (key) {
    case '<':
    case '>': {
      const double by = key == '<' ? -frame : frame;
      event.event = jobs::MovedTo(event.event,
                                  std::clamp(event.event.time + by, 0.0,
                                             bench_.clip().motion->duration()));
      ChangeSelected(event, false);
      return true;
    }
    case 'o':
      Try([&] { bench_.Switch(*selected_, !event.is_on); });
      return true;
    case 'd':
    case kDelete:
      Try([&] { bench_.Remove(*selected_); });
      Select(selected_);
      return true;
    default:
      return false;
  }
}

bool EditDesk::ListKey(int key) {
  switch (key) {
    case kTab:
      SelectNext();
      return true;
    case '+':
      Resize(kLarger);
      return true;
    case '-':
      Resize(1.0 / kLarger);
      return true;
    case '=':
    case '@':
    case ':':
      return BeginPrompt(static_cast<char>(key));
    case 'z':
      SayStep(bench_.Undo(), "undo");
      return true;
    case 'y':
    case 'Z':
      SayStep(bench_.Redo(), "redo");
      return true;
    case 'w':
    case 'W':
      Save(key == 'W');
      return true;
    case 'j':
      TakeOffered();
      return true;
    default:
      return false;
  }
}

bool EditDesk::Key(int key) {
  if (prompt_) return PromptKey(key);
  if (ListKey(key)) return true;
  return selected_ && SelectedKey(key);
}

void EditDesk::Update() {
  if (bench_.Update()) {
    const auto& edited = bench_.result();
    figure_.SetEdited(edited ? std::shared_ptr<const figure::EditResult>(
                                   edited, &edited->result)
                             : nullptr);
  }
  if (saves_when_ready_ && bench_.is_current()) {
    saves_when_ready_ = false;
    Save(true);
  }
}

bool EditDesk::HasEdits() const {
  return std::ranges::any_of(bench_.events(), &ListedEvent::is_on);
}

std::vector<EventMark> EditDesk::marks() const {
  std::vector<EventMark> all;
  const double end = bench_.clip().motion->duration();
  for (const ListedEvent& listed : bench_.events()) {
    EventMark& mark = all.emplace_back();
    mark.from = listed.event.time - figure_.lead_in();
    mark.to = std::max(mark.from,
                       figure::EndOf(listed.event, end) - figure_.lead_in());
    mark.is_on = listed.is_on;
    mark.is_selected = selected_ == all.size() - 1;
  }
  return all;
}

std::string EditDesk::InWords(std::size_t index) const {
  const EditEvent& event = bench_.events().at(index).event;
  const std::string details = jobs::DetailsOf(event, model());
  std::string words = Seconds(event.time - figure_.lead_in()) + "  ";
  words += jobs::WordOf(event.kind);
  // "rag_doll" is a word of files.
  std::ranges::replace(words, '_', ' ');
  if (!details.empty()) words.append(" ").append(details);
  return words;
}

std::vector<std::string> EditDesk::list() const {
  const std::vector<ListedEvent>& events = bench_.events();
  std::vector<std::string> lines;
  const std::size_t middle = selected_.value_or(events.size());
  const std::size_t first =
      events.size() <= kMostLines
          ? 0
          : std::min(middle - std::min(middle, kMostLines / 2),
                     events.size() - kMostLines);
  const std::size_t last = std::min(events.size(), first + kMostLines);
  if (first > 0) lines.push_back(std::to_string(first) + " earlier");
  for (std::size_t i = first; i < last; ++i) {
    std::string& line = lines.emplace_back(selected_ == i ? "> " : "");
    line += InWords(i);
    if (!events[i].is_on) line += " (off)";
  }
  if (last < events.size()) {
    lines.push_back(std::to_string(events.size() - last) + " more");
  }
  return lines;
}

std::vector<std::string> EditDesk::notes() const {
  std::vector<std::string> lines;
  if (prompt_) {
    std::string what = "event: ";
    if (prompt_->kind == '@') what = "time [s]: ";
    if (prompt_->kind == '=') {
      const auto size = selected_
                            ? jobs::SizeOf(bench_.events()[*selected_].event)
                            : jobs::EventSize{push_size_, "N s"};
      what = "size [" + std::string(size ? size->unit : "none") + "]: ";
    }
    lines.push_back(what + prompt_->text + "_");
  }
  if (const std::string problem = bench_.problem(); !problem.empty()) {
    lines.push_back(FirstLine(problem));
  }
  if (!bench_.offered().empty() && bench_.events().empty()) {
    const jobs::FoundJournal& left = bench_.offered().front();
    lines.push_back("not saved on " + Date(left.last_change) + ": " +
                    jobs::Count(std::ssize(left.history.events()), "event") +
                    "; j takes it up");
  }
  return lines;
}

}  // namespace limber::viewer
