// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "viewer/controls.h"

#include <cmath>
#include <tuple>
#include <utility>

namespace limber::viewer {

namespace {

constexpr double kFrame = 1.0 / 60.0;
constexpr double kPushImpulse = 10.0;  // [N s]

}  // namespace

Controls::Controls(Show& show)
    : show_(show),
      player_(show.duration(), kFrame),
      time_line_(show.duration(), show.rate_hz()) {
  SetSize(width_, height_);
  camera_.target = show.Centre(0.0);
  camera_.Fit(show.Radius());
  const std::vector<std::string> modes = show.modes();
  if (!modes.empty()) mode_ = modes.front();
}

std::vector<std::pair<std::string, std::string>> Controls::Help() const {
  std::vector<std::pair<std::string, std::string>> lines = {
      {"space", "play or pause"},
      {", .", "one frame back, on"},
      {"left right", "one second back, on"},
      {"home", "to the start"},
      {"[ ]", "half, double speed"},
      {"l", "loop on or off"},
      {"1 to 5", "clip, dynamic, compare, loose arms, rag doll"},
      {"r", "restart the simulation"},
      {"left drag", "turn the camera; on a body: pull it"},
      {"middle drag", "move the camera"},
      {"right drag, wheel", "nearer, farther"},
      {"v", "front, side, top"},
      {"f", "follow the figure or stay"},
      {"a", "forces; again: reactions too; again: none"},
      {"k", "contacts"},
      {"e", "colours of effort; red is at its bound"},
      {"t", "trails of hands and feet"},
      {"m", "centre of mass"},
      {"b", "bones or bodies"},
      {"i", "how fast it is computed and drawn"},
      {"g", "ghost over the figure or beside it"},
      {"s", "shadows on or off"},
      {"n N", "next, previous file"},
      {"x", "screenshot"},
      {"h", "this help"},
      {"q, escape", "close"}};
  using Lines = std::vector<std::pair<std::string, std::string>>;
  const Lines acting =
      desk_ != nullptr
          ? EditDesk::Help()
          : Lines{{"c", "fire a ball from the camera"},
                  {"p", "push the picked body away from the camera"}};
  lines.insert(lines.end(), acting.begin(), acting.end());
  if (desk_ != nullptr) lines.push_back({"6", "what the events made of it"});
  return lines;
}

void Controls::SetSize(int width, int height) {
  width_ = width;
  height_ = height;
  aspect_ = static_cast<double>(width) / height;
  time_line_.SetWidth(width);
}

void Controls::Scrub(double x) {
  Seek(time_line_.TimeAt(0.5 * (x + 1.0) * width_));
}

void Controls::SetMode(const std::string& mode) {
  show_.SetMode(mode);
  mode_ = mode;
}

void Controls::Seek(double time) {
  player_.Seek(time);
  waiting_for_ = player_.time();
}

void Controls::GoLive() {
  if (show_.live_time() < 0.0) return;
  player_.Seek(show_.live_time());
  waiting_for_.reset();
}

bool Controls::LayerKey(int key) {
  Layers layers = show_.layers();
  switch (key) {
    case 'a':
      // None, forces, both, none.
      std::tie(layers.forces, layers.reactions) =
          std::pair(!layers.reactions, layers.forces && !layers.reactions);
      break;
    case 'k':
      layers.contacts = !layers.contacts;
      break;
    case 'e':
      layers.effort = !layers.effort;
      break;
    case 't':
      layers.trails = !layers.trails;
      break;
    case 'm':
      layers.mass_centre = !layers.mass_centre;
      break;
    case 'b':
      layers.bones = !layers.bones;
      break;
    case 'g':
      layers.beside = !layers.beside;
      break;
    case 'i':
      layers.details = !layers.details;
      break;
    default:
      return false;
  }
  show_.SetLayers(layers);
  return true;
}

void Controls::SetDesk(EditDesk* desk) { desk_ = desk; }

void Controls::FollowDesk() {
  const std::string mode = desk_->TakeWantedMode();
  if (!mode.empty() && mode != mode_) SetMode(mode);
}

bool Controls::DeskKey(int key) {
  if (desk_->Key(key)) {
    FollowDesk();
    return true;
  }
  switch (key) {
    case '/':
      SetMode(mode_ == "edited" ? show_.modes().front() : "edited");
      return true;
    case 'p':
    case 'c':
      break;
    default:
      return false;
  }
  // A live body feels it at once, at the end of what has been computed; the
  // event is for everybody else.
  const Vector3 forward = camera_.Forward();
  const bool is_live = desk_->is_live();
  if (is_live) GoLive();
  if (key == 'p') {
    if (is_live) show_.Push(picked_, desk_->push_size() * forward);
    desk_->AddPush(picked_, forward, player_.time());
  } else {
    if (is_live) show_.Fire(camera_.Eye(), forward);
    desk_->AddThrow(picked_, forward, player_.time());
  }
  FollowDesk();
  return true;
}

bool Controls::Key(int key) {
  if (desk_ != nullptr && DeskKey(key)) return true;
  switch (key) {
    case ' ':
      player_.SetPlaying(!player_.playing());
      return true;
    case ',':
      player_.StepFrames(-1);
      return true;
    case '.':
      player_.StepFrames(1);
      waiting_for_ = player_.time();
      return true;
    case kLeft:
      Seek(player_.time() - 1.0);
      return true;
    case kRight:
      Seek(player_.time() + 1.0);
      return true;
    case kHome:
      player_.Restart();
      return true;
    case '[':
      player_.Slower();
      return true;
    case ']':
      player_.Faster();
      return true;
    case 'l':
      player_.SetLooping(!player_.looping());
      return true;
    case 'r':
      show_.Restart();
      player_.Restart();
      return true;
    case 'h':
      help_ = !help_;
      return true;
    case 's':
      shadows_ = !shadows_;
      return true;
    case 'f':
      follow_ = !follow_;
      return true;
    case 'v': {
      // Front, side, top, in turn.
      const bool front =
          std::abs(camera_.turn) < 0.01 && std::abs(camera_.height) < 0.5;
      const bool side = std::abs(camera_.turn - kPi / 2) < 0.01;
      camera_.turn = front ? kPi / 2 : 0.0;
      camera_.height = side ? 1.5 : 0.1;
      return true;
    }
    case 'c':
      GoLive();
      show_.Fire(camera_.Eye(), camera_.Forward());
      return true;
    case 'p':
      if (picked_ < 0) return true;
      GoLive();
      show_.Push(picked_, kPushImpulse * camera_.Forward());
      return true;
    case 'n':
    case 'N':
      if (num_files_ > 1) wanted_file_ = key == 'n' ? 1 : -1;
      return true;
    case 'x':
      wants_screenshot_ = true;
      return true;
    case 'q':
    case kEscape:
      closing_ = true;
      return true;
    default:
      break;
  }
  if (LayerKey(key)) return true;
  const std::vector<std::string> modes = show_.modes();
  const int number = key - '1';
  if (number < 0 || number >= static_cast<int>(modes.size())) return false;
  GoLive();
  SetMode(modes[static_cast<std::size_t>(number)]);
  return true;
}

void Controls::Press(Button button, double x, double y, int part,
                     const Vector3& p_W) {
  last_x_ = x;
  last_y_ = y;
  switch (button) {
    case Button::kLeft:
      PressOnPicture(x, y, part, p_W);
      break;
    case Button::kMiddle:
      hold_ = Hold::kPan;
      break;
    case Button::kRight:
      hold_ = Hold::kZoom;
      break;
  }
}

void Controls::PressOnPicture(double x, double y, int part,
                              const Vector3& p_W) {
  const double pixels_up = 0.5 * (y + 1.0) * height_;
  if (pixels_up < TimeLine::kHeight) {
    const bool on_mark = desk_ != nullptr && pixels_up < TimeLine::kBar &&
                         desk_->TakeMark(time_line_, 0.5 * (x + 1.0) * width_);
    hold_ = on_mark ? Hold::kMark : Hold::kTimeLine;
    if (!on_mark) Scrub(x);
    return;
  }
  if (desk_ != nullptr && desk_->TakeHandle(camera_, x, y, aspect_, height_)) {
    hold_ = Hold::kHandle;
    return;
  }
  hold_ = Hold::kOrbit;
  if (part < 0) return;
  picked_ = part;
  if (!show_.Grab(part, p_W)) return;
  hold_ = Hold::kBody;
  pulling_ = true;
  grab_distance_ = (p_W - camera_.Eye()).dot(camera_.Forward());
  pointer_W_ = p_W;
  GoLive();
  if (desk_ != nullptr) desk_->BeginPull(part, player_.time(), p_W);
}

void Controls::PointTo(double x, double y) {
  // The pointer moves in the plane of the picture through the grabbed point.
  const Vector3 ray = camera_.RayThrough(x, y, aspect_);
  const double along = grab_distance_ / ray.dot(camera_.Forward());
  pointer_W_ = camera_.Eye() + along * ray;
  show_.Pull(pointer_W_);
}

Line Controls::rubber_band() const {
  return {show_.grabbed_point().value_or(pointer_W_), pointer_W_,
          palette::kForce, true};
}

void Controls::Drag(double x, double y) {
  const double dx = x - last_x_;
  const double dy = y - last_y_;
  last_x_ = x;
  last_y_ = y;
  switch (hold_) {
    case Hold::kNothing:
      break;
    case Hold::kOrbit:
      camera_.Orbit(-2.0 * dx, -1.2 * dy);
      break;
    case Hold::kPan:
      follow_ = false;
      camera_.Pan(-0.5 * dx * aspect_, -0.5 * dy);
      break;
    case Hold::kZoom:
      camera_.Zoom(std::exp(-dy));
      break;
    case Hold::kTimeLine:
      Scrub(x);
      break;
    case Hold::kBody:
      PointTo(x, y);
      break;
    case Hold::kMark:
      desk_->MoveMark(time_line_, 0.5 * (x + 1.0) * width_);
      break;
    case Hold::kHandle:
      desk_->MoveHandle(camera_, x, y, aspect_);
      break;
  }
}

void Controls::Lift() {
  if (hold_ == Hold::kBody) show_.Release();
  if (desk_ != nullptr) {
    desk_->EndPull();
    desk_->LetGo();
    FollowDesk();
  }
  pulling_ = false;
  hold_ = Hold::kNothing;
}

void Controls::Scroll(double notches) { camera_.Zoom(std::pow(0.9, notches)); }

void Controls::Advance(double seconds) {
  if (desk_ != nullptr) desk_->Update();
  if (waiting_for_) {
    const double reached = show_.Prepare(*waiting_for_, kBudget);
    player_.Seek(reached);
    if (reached >= *waiting_for_) waiting_for_.reset();
  } else {
    const double before = player_.time();
    player_.Advance(seconds);
    // Every pass through a loop is simulated anew, so that it can be acted on;
    // where something was done to the clip, the next pass shows that.
    if (player_.speed() > 0.0 && player_.time() < before) {
      if (desk_ != nullptr && desk_->is_live() && desk_->HasEdits()) {
        SetMode("edited");
      }
      show_.Rewind();
    }
    player_.HoldAt(show_.Prepare(player_.time(), kBudget));
  }
  // The pointer stays where it is in the picture while the camera moves.
  if (hold_ == Hold::kBody) {
    PointTo(last_x_, last_y_);
    if (desk_ != nullptr) desk_->PullTo(player_.time(), pointer_W_);
  }
  if (!follow_) return;
  // Follows softly, and without jumping when the clip begins anew.
  const Vector3 wanted = show_.Centre(player_.time());
  const double share = 1.0 - std::exp(-4.0 * seconds);
  const bool far = (wanted - camera_.target).norm() > camera_.distance;
  camera_.target += (far ? 1.0 : share) * (wanted - camera_.target);
}

}  // namespace limber::viewer
