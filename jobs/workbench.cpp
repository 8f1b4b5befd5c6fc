// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/workbench.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "core/file.h"
#include "jobs/bad_call.h"
#include "jobs/save.h"
#include "jobs/shell_word.h"
#include "jobs/words.h"

namespace limber::jobs {

namespace {

namespace fs = std::filesystem;

bool HappensAny(const std::vector<ListedEvent>& events) {
  return std::ranges::any_of(events, &ListedEvent::is_on);
}

}  // namespace

/// Computes results on a thread of its own, the newest list only: what is
/// being computed for an older one is stopped.
class Workbench::Worker {
 public:
  /// What became of a list.
  struct Outcome {
    std::string text;
    std::shared_ptr<const EditedClip> result;
    std::string problem;
  };

  explicit Worker(const WorkbenchClip& clip)
      : clip_(clip), thread_([this] { Run(); }) {}
  ~Worker() {
    {
      const std::lock_guard lock(mutex_);
      is_ending_ = true;
      is_stopping_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  void Ask(std::string text) {
    {
      const std::lock_guard lock(mutex_);
      asked_ = std::move(text);
      is_stopping_ = true;
    }
    changed_.notify_all();
  }
  /// Nothing is wanted any more.
  void Forget() {
    const std::lock_guard lock(mutex_);
    asked_.reset();
    outcome_.reset();
    is_stopping_ = true;
  }
  std::optional<Outcome> TakeOutcome() {
    const std::lock_guard lock(mutex_);
    return std::exchange(outcome_, std::nullopt);
  }
  double share() const { return share_; }

 private:
  void Run() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return asked_ || is_ending_; });
      if (is_ending_) return;
      const std::string text = *std::exchange(asked_, std::nullopt);
      is_stopping_ = false;
      share_ = 0.0;
      lock.unlock();
      std::optional<Outcome> outcome = Compute(text);
      lock.lock();
      // What was stopped, or overtaken at its end, is of no use.
      if (outcome && !is_stopping_) outcome_ = std::move(outcome);
    }
  }

  /// Nothing if it was stopped.
  std::optional<Outcome> Compute(const std::string& text) {
    Outcome outcome{text, nullptr, {}};
    try {
      // The numbers are those that a file would have, to the last digit, so
      // that `limber edit` makes the same of the file.
      const Result<std::vector<ListedEvent>> listed = ParseEventsFile(
          text, "events", {clip_.figure.get(), clip_.motion.get()});
      if (!listed) throw std::runtime_error(listed.diagnostics().ToString());
      std::vector<Event> events;
      for (const ListedEvent& one : *listed) {
        if (one.is_on) events.emplace_back(one.event);
      }
      EditOptions options;
      options.file = PathText(clip_.file);
      options.figure = clip_.figure;
      options.settings.strength = ParseStrength("normal");
      options.progress = [this](double share) {
        share_ = share;
        return !is_stopping_;
      };
      Result<EditedClip> made = Edit(*clip_.motion, events, options);
      if (is_stopping_) return std::nullopt;
      if (!made) throw std::runtime_error(made.diagnostics().ToString());
      outcome.result =
          std::make_shared<const EditedClip>(std::move(made).value());
    } catch (const std::exception& error) {
      if (is_stopping_) return std::nullopt;
      outcome.problem = error.what();
    }
    return outcome;
  }

  const WorkbenchClip& clip_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<std::string> asked_;
  std::optional<Outcome> outcome_;
  bool is_ending_ = false;
  /// What is being computed is not wanted; set together with `asked_`.
  std::atomic<bool> is_stopping_ = false;
  std::atomic<double> share_ = 0.0;
  std::thread thread_;  // The last one: it uses the others.
};

Workbench::Workbench(WorkbenchClip clip, WorkbenchFolders folders)
    : clip_(std::move(clip)), folders_(std::move(folders)) {
  text_ = FormatEvents(events(), *clip_.figure);
  shown_text_ = text_;
  saved_text_ = text_;
  if (!folders_.journals.empty()) {
    offered_ = FindJournals(folders_.journals, Subject(), Context());
  }
}

Workbench::~Workbench() {
  worker_.reset();
  // What lies in a file needs no journal; what does not is offered again.
  if (journal_ && is_saved()) journal_->Remove();
}

JournalSubject Workbench::Subject() const {
  return {clip_.file, clip_.figure_file, clip_.motion->num_frames()};
}

EditContext Workbench::Context() const {
  return {clip_.figure.get(), clip_.motion.get()};
}

void Workbench::Check(const ListedEvent& event) const {
  figure::CheckEvent(event.event, *clip_.figure);
  const double end = clip_.motion->duration();
  if (!(event.event.time >= 0.0 && event.event.time <= end)) {
    throw std::invalid_argument("an event at " + Rounded(event.event.time, 3) +
                                " s lies outside the clip, which ends at " +
                                Rounded(end, 3) + " s");
  }
  static_cast<void>(FormatEvents({&event, 1}, *clip_.figure));
}

void Workbench::Take(const JournalStep& step) {
  for (const ListedEvent& event : step.splice.added) Check(event);
  TakeStep(step, history_);
  NoteInJournal(step);
  ListChanged();
}

void Workbench::NoteInJournal(const JournalStep& step) {
  if (folders_.journals.empty()) return;
  if (!journal_) {
    Result<std::unique_ptr<Journal>> made =
        Journal::Create(folders_.journals, Subject());
    if (!made) {
      journal_problem_ = made.diagnostics().ToString();
      return;
    }
    journal_ = std::move(made).value();
  }
  const Diagnostics written = journal_->Append(step, *clip_.figure);
  journal_problem_ = written.has_errors() ? written.ToString() : "";
}

void Workbench::ListChanged() { text_ = FormatEvents(events(), *clip_.figure); }

void Workbench::Add(const ListedEvent& event) {
  Add(std::vector<ListedEvent>{event});
}

void Workbench::Add(const std::vector<ListedEvent>& added) {
  Take({JournalStep::Kind::kApply, {events().size(), 0, added}});
}

void Workbench::Change(std::size_t index, const ListedEvent& event,
                       bool is_same_gesture) {
  if (index >= events().size()) {
    throw std::invalid_argument("there is no such event");
  }
  Take({is_same_gesture ? JournalStep::Kind::kAmend : JournalStep::Kind::kApply,
        {index, 1, {event}}});
}

void Workbench::Switch(std::size_t index, bool is_on) {
  ListedEvent switched = events().at(index);
  if (switched.is_on == is_on) return;
  switched.is_on = is_on;
  Change(index, switched);
}

void Workbench::Remove(std::size_t index) {
  Take({JournalStep::Kind::kApply, {index, 1, {}}});
}

bool Workbench::Undo() {
  if (!can_undo()) return false;
  Take({JournalStep::Kind::kUndo, {}});
  return true;
}

bool Workbench::Redo() {
  if (!can_redo()) return false;
  Take({JournalStep::Kind::kRedo, {}});
  return true;
}

bool Workbench::Update() {
  if (text_ != shown_text_ && text_ != asked_text_) {
    problem_.clear();
    if (!HappensAny(events())) {
      // The clip itself, at once.
      if (worker_) worker_->Forget();
      asked_text_.clear();
      shown_text_ = text_;
      return std::exchange(result_, nullptr) != nullptr;
    }
    if (!worker_) worker_ = std::make_unique<Worker>(clip_);
    asked_text_ = text_;
    worker_->Ask(text_);
  } else if (text_ == shown_text_ && !asked_text_.empty()) {
    // Undone while it was being computed.
    worker_->Forget();
    asked_text_.clear();
  }
  if (!worker_) return false;
  std::optional<Worker::Outcome> outcome = worker_->TakeOutcome();
  if (!outcome || outcome->text != asked_text_) return false;
  asked_text_.clear();
  shown_text_ = outcome->text;
  problem_ = outcome->problem;
  // Where the new list has no result the old one would be a lie.
  result_ = std::move(outcome->result);
  return true;
}

std::optional<double> Workbench::progress() const {
  if (asked_text_.empty() || !worker_) return std::nullopt;
  return worker_->share();
}

std::string Workbench::problem() const {
  return problem_.empty() ? journal_problem_ : problem_;
}

/// Names that are taken already, by empty files.
struct Workbench::Names {
  fs::path events;
  fs::path result;
};

Result<Workbench::Names> Workbench::TakeFreeNames(
    const std::string& ending) const {
  const std::string stem = clip_.file.stem().string() + "-edit-";
  const auto take = [](const fs::path& file) {
    const int descriptor =
        ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0) ::close(descriptor);
    return descriptor >= 0;
  };
  for (int number = 1;; ++number) {
    const std::string name = stem + std::to_string(number);
    const auto in_folder = [&](const std::string& suffix) {
      return (folders_.results / (name + suffix)).lexically_normal();
    };
    Names names{in_folder(".json"), {}};
    if (take(names.events)) {
      if (ending.empty()) return {names, Diagnostics()};
      names.result = in_folder(ending);
      if (take(names.result)) return {names, Diagnostics()};
      const int error = errno;
      std::error_code ignored;
      fs::remove(names.events, ignored);
      errno = error;
    }
    if (errno == EEXIST) continue;
    Diagnostics findings(PathText(folders_.results));
    findings.Error("cannot-write", {}, std::generic_category().message(errno));
    return Result<Names>(std::move(findings));
  }
}

std::string Workbench::CommandLine(const fs::path& events,
                                   const fs::path& result) const {
  std::vector<std::string> words = {"limber", "edit", PathText(clip_.file)};
  const auto add = [&words](const std::string& option, std::string value) {
    words.push_back(option);
    words.push_back(std::move(value));
  };
  add("--events", PathText(events));
  if (!clip_.figure_file.empty()) {
    add("--figure", PathText(clip_.figure_file));
  }
  const LoadOptions& load = clip_.load;
  if (load.unit) add("--unit", load.unit->name);
  if (load.up) add("--up", std::string(mocap::ToString(*load.up)));
  if (load.rate_hz) add("--rate", Rounded(*load.rate_hz, 9));
  if (!load.asf.empty()) add("--asf", PathText(load.asf));
  if (!load.offsets.empty()) add("--offsets", PathText(load.offsets));
  if (!load.animation.empty()) add("--animation", load.animation);
  if (load.strict) words.emplace_back("--strict");
  add("-o", PathText(result));
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    line += ShellWord(word);
  }
  return line;
}

Result<Workbench::Saved> Workbench::SaveEvents() {
  const Result<Names> names = TakeFreeNames("");
  if (!names) return Result<Saved>(names.diagnostics());
  Diagnostics written = WriteWholeFile(names->events, text_);
  if (written.has_errors()) return Result<Saved>(std::move(written));
  saved_text_ = text_;
  fs::path would_be = names->events;
  return {Saved{names->events,
                {},
                CommandLine(names->events, would_be.replace_extension(".bvh"))},
          Diagnostics()};
}

Result<Workbench::Saved> Workbench::SaveResult(const std::string& ending) {
  CheckClipPath("clip" + ending);
  Diagnostics findings(PathText(clip_.file));
  if (!is_current()) {
    findings.Error("not-ready", {}, "the result is still being computed");
  } else if (!problem_.empty()) {
    findings.Error("no-result", {}, problem_);
  } else if (!result_) {
    findings.Error("no-events", {}, "nothing happens to the clip");
  }
  if (findings.has_errors()) return Result<Saved>(std::move(findings));
  const Result<Names> names = TakeFreeNames(ending);
  if (!names) return Result<Saved>(names.diagnostics());
  Diagnostics written = WriteWholeFile(names->events, text_);
  if (!written.has_errors()) {
    written.Append(WriteClip({names->result, clip_.file, clip_.load},
                             result_->result.motion));
  }
  if (written.has_errors()) {
    // Nothing half remains under the names.
    std::error_code ignored;
    fs::remove(names->events, ignored);
    fs::remove(names->result, ignored);
    return Result<Saved>(std::move(written));
  }
  saved_text_ = text_;
  return {Saved{names->events, names->result,
                CommandLine(names->events, names->result)},
          std::move(written)};
}

void Workbench::TakeOffered() {
  if (offered_.empty()) return;
  const FoundJournal found = std::move(offered_.front());
  offered_.erase(offered_.begin());
  // What this session did so far is not lost: its journal stays.
  journal_.reset();
  history_ = found.history;
  Result<std::unique_ptr<Journal>> going_on = Journal::Continue(found);
  if (going_on) {
    journal_ = std::move(going_on).value();
    journal_problem_.clear();
  } else {
    // Into a journal of its own; the old one stays as it is.
    NoteInJournal({JournalStep::Kind::kApply, {0, 0, events()}});
  }
  ListChanged();
}

fs::path Workbench::journal_file() const {
  return journal_ ? journal_->file() : fs::path();
}

}  // namespace limber::jobs
