// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "viewer/window.h"

#include <osgGA/EventQueue>
#include <osgGA/GUIEventHandler>
#include <osgViewer/GraphicsWindow>
#include <osgViewer/Viewer>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <thread>

#include "core/angle.h"
#include "core/file.h"
#include "viewer/display.h"
#include "viewer/internal/glyphs.h"
#include "viewer/internal/overlay.h"
#include "viewer/internal/panel.h"
#include "viewer/internal/panel_drawing.h"
#include "viewer/osg_convert.h"
#include "viewer/stage.h"

namespace limber::viewer {

namespace {

using Clock = std::chrono::steady_clock;
using osgGA::GUIEventAdapter;

int KeyOf(const GUIEventAdapter& event) {
  const int osg_key = event.getKey();
  const bool has_control =
      (event.getModKeyMask() & GUIEventAdapter::MODKEY_CTRL) != 0;
  if (has_control && (osg_key == 's' || osg_key == 'S')) {
    return osg_key == 's' ? 'w' : 'W';
  }
  switch (osg_key) {
    case GUIEventAdapter::KEY_Tab:
      return EditDesk::kTab;
    case GUIEventAdapter::KEY_Return:
    case GUIEventAdapter::KEY_KP_Enter:
      return EditDesk::kEnter;
    case GUIEventAdapter::KEY_BackSpace:
      return EditDesk::kBackspace;
    case GUIEventAdapter::KEY_Delete:
      return EditDesk::kDelete;
    case GUIEventAdapter::KEY_Left:
      return Controls::kLeft;
    case GUIEventAdapter::KEY_Right:
      return Controls::kRight;
    case GUIEventAdapter::KEY_Home:
      return Controls::kHome;
    case GUIEventAdapter::KEY_Escape:
      return Controls::kEscape;
    default:
      return osg_key;
  }
}

Controls::Button ButtonOf(const GUIEventAdapter& event) {
  switch (event.getButton()) {
    case GUIEventAdapter::MIDDLE_MOUSE_BUTTON:
      return Controls::Button::kMiddle;
    case GUIEventAdapter::RIGHT_MOUSE_BUTTON:
      return Controls::Button::kRight;
    default:
      return Controls::Button::kLeft;
  }
}

/// What a window frame takes beside the window [px]: generously.
constexpr int kBorder = 8;
constexpr int kTitleBar = 40;

/// Where the window lies, and as large as it may be.
void FitToScreen(osg::GraphicsContext::Traits& traits) {
  traits.x = 60;
  traits.y = 60;
  osg::GraphicsContext::WindowingSystemInterface* system =
      osg::GraphicsContext::getWindowingSystemInterface();
  if (system == nullptr) return;
  unsigned screen_width = 0;
  unsigned screen_height = 0;
  system->getScreenResolution(traits, screen_width, screen_height);
  if (screen_width == 0 || screen_height == 0) return;
  const auto fit = [](int screen, int before, int after, int& at, int& size) {
    size = std::max(16, std::min(size, screen - before - after));
    at = std::clamp(at, before, std::max(before, screen - after - size));
  };
  fit(int(screen_width), kBorder, kBorder, traits.x, traits.width);
  fit(int(screen_height), kTitleBar, kBorder, traits.y, traits.height);
}

/// What moves the figure, in words.
std::string InWords(const std::string& mode) {
  if (mode == "kinematic") return "the clip itself";
  if (mode == "dynamic") return "a body with muscles follows the clip";
  if (mode == "compare") return "a body with muscles, and the clip";
  if (mode == "loose-arms") return "arms hang loose";
  if (mode == "rag-doll") return "rag doll";
  if (mode == "edited") return "the clip with its events";
  return mode;
}

std::string Fixed(double value, const char* format) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

}  // namespace

struct Window::Implementation {
  Implementation(Controls& the_controls, const WindowSettings& the_settings)
      : controls(the_controls),
        settings(the_settings),
        width(the_settings.width),
        height(the_settings.height),
        stage(the_controls.show().parts()) {}

  void Handle(const GUIEventAdapter& event);
  bool IsForPanel(const GUIEventAdapter& event);
  void Draw();
  std::vector<std::string> Notes() const;
  void TakeScreenshot(const Image& image);
  void Say(const std::string& text);
  void DrawDesk(const EditDesk& desk, internal::TimeLineView& line);
  std::vector<std::string> HelpLines() const;

  Controls& controls;
  WindowSettings settings;
  int width;
  int height;
  Stage stage;
  internal::Overlay overlay;
  internal::Panel panel;
  internal::PanelDrawing panel_drawing;
  osgViewer::Viewer viewer;
  Picture picture;
  double frames_per_second = 0.0;
  int frames_counted = 0;
  double seconds_counted = 0.0;
  std::string message;           ///< What just happened.
  double message_seconds = 0.0;  ///< For so long it is still said.
  std::string renderer_name;
  bool grab = false;
  osg::ref_ptr<osg::Image> grabbed = new osg::Image;
};

namespace {

class ForwardEvents : public osgGA::GUIEventHandler {
 public:
  explicit ForwardEvents(std::function<void(const GUIEventAdapter&)> handle)
      : handle_(std::move(handle)) {}
  bool handle(const GUIEventAdapter& event, osgGA::GUIActionAdapter&) override {
    handle_(event);
    return false;
  }

 private:
  std::function<void(const GUIEventAdapter&)> handle_;
};

class GrabCallback : public osg::Camera::DrawCallback {
 public:
  explicit GrabCallback(std::function<void()> grab) : grab_(std::move(grab)) {}
  void operator()(osg::RenderInfo&) const override { grab_(); }

 private:
  std::function<void()> grab_;
};

}  // namespace

Window::Window(Controls& controls, const WindowSettings& settings)
    : implementation_(std::make_unique<Implementation>(controls, settings)) {
  Implementation& own = *implementation_;
  osg::ref_ptr<osg::GraphicsContext::Traits> traits =
      new osg::GraphicsContext::Traits;
  traits->readDISPLAY();
  traits->setUndefinedScreenDetailsToDefaultScreen();
  traits->width = settings.width;
  traits->height = settings.height;
  FitToScreen(*traits);
  own.width = traits->width;
  own.height = traits->height;
  traits->windowName = settings.title;
  traits->windowDecoration = true;
  traits->stencil = 8;
  traits->doubleBuffer = true;
  traits->vsync = false;
  traits->samples = settings.samples > 1 ? unsigned(settings.samples) : 0U;
  traits->sampleBuffers = settings.samples > 1 ? 1 : 0;
  const osg::ref_ptr<osg::GraphicsContext> context =
      osg::GraphicsContext::createGraphicsContext(traits);
  if (!context.valid()) {
    throw std::runtime_error(NoOpenGl());
  }
  own.viewer.setThreadingModel(osgViewer::ViewerBase::SingleThreaded);
  own.viewer.setKeyEventSetsDone(0);
  osg::Camera& camera = *own.viewer.getCamera();
  camera.setGraphicsContext(context);
  camera.setViewport(0, 0, own.width, own.height);
  camera.setClearColor(ToOsgColour(kBackground));
  camera.setClearMask(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT |
                      GL_STENCIL_BUFFER_BIT);
  camera.setComputeNearFarMode(osg::Camera::DO_NOT_COMPUTE_NEAR_FAR);
  camera.setProjectionResizePolicy(osg::Camera::FIXED);
  camera.setFinalDrawCallback(new GrabCallback([&own] {
    if (own.renderer_name.empty()) {
      const auto* name = glGetString(GL_RENDERER);
      own.renderer_name =
          name == nullptr ? "?" : reinterpret_cast<const char*>(name);
    }
    if (!own.grab) return;
    own.grabbed->readPixels(0, 0, own.width, own.height, GL_RGB,
                            GL_UNSIGNED_BYTE);
    own.grab = false;
  }));
  osg::ref_ptr<osg::Group> root = new osg::Group;
  root->addChild(own.stage.root());
  root->addChild(own.overlay.camera());
  root->addChild(own.panel_drawing.camera());
  own.overlay.Resize(own.width, own.height);
  own.panel_drawing.Resize(own.width, own.height);
  controls.SetSize(own.width, own.height);
  own.viewer.setSceneData(root);
  own.viewer.addEventHandler(new ForwardEvents(
      [&own](const GUIEventAdapter& event) { own.Handle(event); }));
  own.viewer.realize();
  SetInputRange();
}

Window::~Window() = default;

bool Window::Implementation::IsForPanel(const GUIEventAdapter& event) {
  const double x = 0.5 * (event.getXnormalized() + 1.0) * width;
  const double y = 0.5 * (1.0 - event.getYnormalized()) * height;
  switch (event.getEventType()) {
    case GUIEventAdapter::KEYDOWN:
      return panel.Key(KeyOf(event));
    case GUIEventAdapter::PUSH:
      return panel.Press(x, y,
                         ButtonOf(event) == Controls::Button::kLeft ? 0 : 1);
    case GUIEventAdapter::MOVE:
    case GUIEventAdapter::DRAG:
      // What was begun in the picture ends there.
      return panel.Move(x, y) && panel.is_held();
    case GUIEventAdapter::RELEASE:
      return panel.Lift();
    case GUIEventAdapter::SCROLL:
      return panel.Scroll(
          event.getScrollingMotion() == GUIEventAdapter::SCROLL_UP ? 1 : -1);
    default:
      return false;
  }
}

void Window::Implementation::Handle(const GUIEventAdapter& event) {
  const double x = event.getXnormalized();
  const double y = event.getYnormalized();
  if (IsForPanel(event)) return;
  switch (event.getEventType()) {
    case GUIEventAdapter::KEYDOWN:
      if (!controls.Key(KeyOf(event)) && event.getKey() == 'u') {
        panel.Show(!panel.is_shown());
      }
      break;
    case GUIEventAdapter::PUSH: {
      const Vector3 eye = controls.camera().Eye();
      const Vector3 ray = controls.camera().RayThrough(
          x, y, static_cast<double>(width) / height);
      Vector3 p_W = Vector3::Zero();
      const int part = stage.Pick(eye, ray, &p_W);
      controls.Press(ButtonOf(event), x, y, part, p_W);
      break;
    }
    case GUIEventAdapter::DRAG:
      controls.Drag(x, y);
      break;
    case GUIEventAdapter::RELEASE:
      controls.Lift();
      break;
    case GUIEventAdapter::SCROLL:
      controls.Scroll(
          event.getScrollingMotion() == GUIEventAdapter::SCROLL_UP ? 1 : -1);
      break;
    case GUIEventAdapter::RESIZE:
      width = std::max(1, event.getWindowWidth());
      height = std::max(1, event.getWindowHeight());
      viewer.getCamera()->setViewport(0, 0, width, height);
      overlay.Resize(width, height);
      panel_drawing.Resize(width, height);
      controls.SetSize(width, height);
      break;
    case GUIEventAdapter::CLOSE_WINDOW:
    case GUIEventAdapter::QUIT_APPLICATION:
      controls.Key(Controls::kEscape);
      break;
    default:
      break;
  }
}

std::vector<std::string> Window::Implementation::Notes() const {
  const Player& player = controls.player();
  std::vector<std::string> notes;
  if (!settings.name.empty()) notes.push_back(settings.name);
  if (!controls.mode().empty()) notes.push_back(InWords(controls.mode()));
  notes.insert(notes.end(), picture.notes.begin(), picture.notes.end());
  if (controls.show().layers().details) {
    notes.push_back(Fixed(frames_per_second, "%.0f pictures/s") +
                    Fixed(player.dropped(), ", %.1f s dropped"));
  }
  if (controls.picked() >= 0) {
    for (const std::string& line :
         controls.show().Describe(controls.picked())) {
      notes.push_back(line);
    }
  }
  if (const EditDesk* desk = controls.desk()) {
    const std::vector<std::string> own = desk->notes();
    notes.insert(notes.end(), own.begin(), own.end());
  }
  if (message_seconds > 0.0) notes.push_back(message);
  notes.emplace_back("h: help, u: panel");
  return notes;
}

void Window::Implementation::Say(const std::string& text) {
  constexpr double kRead = 5.0;  // Long enough to read a path [s].
  message = text;
  message_seconds = kRead;
  if (settings.tell) settings.tell(text);
}

void Window::Implementation::DrawDesk(const EditDesk& desk,
                                      internal::TimeLineView& line) {
  line.marks = desk.marks();
  if (!panel.is_shown()) line.list = desk.list();
  line.progress = desk.progress();
  if (line.progress) {
    line.reading += Fixed(100.0 * *line.progress, ", computing %.0f %%");
  }
  const std::optional<EditDesk::Handle> handle = desk.handle();
  if (!handle) return;
  picture.signs.push_back({Sign::Kind::kArrow, handle->begin,
                           handle->tip - handle->begin, palette::kEvent,
                           false});
  // As large as it is easy to take, wherever the camera is.
  const double size = 0.012 * controls.camera().distance;
  internal::AddCross(handle->tip, size, palette::kEvent, picture.lines);
}

void Window::Implementation::TakeScreenshot(const Image& image) {
  namespace fs = std::filesystem;
  const fs::path folder = settings.screenshot_folder;
  fs::path file;
  // The name is taken before it is written to, so that two windows in one
  // folder do not write over one another.
  std::FILE* taken = nullptr;
  for (int number = 1; taken == nullptr; ++number) {
    file = folder / ("limber-" + std::to_string(number) + ".png");
    taken = std::fopen(file.c_str(), "wx");
    if (taken == nullptr && errno != EEXIST) {
      Say("no picture: " + folder.string() + ": " + std::strerror(errno));
      return;
    }
  }
  std::fclose(taken);
  const Diagnostics written = WritePng(file, image);
  std::error_code failed;
  if (written.has_errors()) {
    fs::remove(file, failed);
    Say("no picture: " + written.ToString());
    return;
  }
  const fs::path whole = fs::absolute(file, failed).lexically_normal();
  Say("picture: " + (failed ? file : whole).string());
}

std::vector<std::string> Window::Implementation::HelpLines() const {
  std::vector<std::string> lines;
  if (!controls.help()) return lines;
  for (const auto& [key, what] : controls.Help()) {
    lines.push_back(key + ":  " + what);
  }
  lines.emplace_back("u:  panel");
  return lines;
}

void Window::Implementation::Draw() {
  picture.Clear();
  controls.show().Draw(controls.player().time(), picture);
  if (controls.pulling()) picture.lines.push_back(controls.rubber_band());
  const Player& player = controls.player();
  internal::TimeLineView line;
  line.time = player.time();
  line.reading = controls.time_line().Reading(player.time());
  for (const ShownEvent& event : controls.show().events()) {
    line.marks.push_back({event.from, event.to, true, false});
  }
  if (const EditDesk* desk = controls.desk()) DrawDesk(*desk, line);
  stage.Set(picture);
  stage.SetShadows(controls.shadows());
  if (player.speed() != 1.0) line.reading += Fixed(player.speed(), ", x %g");
  if (!player.playing()) line.reading += ", paused";
  if (controls.waiting_for()) {
    line.reading += Fixed(*controls.waiting_for(), ", computing up to %.2f s");
  }
  overlay.Set(Notes(), HelpLines(), controls.time_line(), line);
  panel_drawing.Set(panel);
  const Camera& camera = controls.camera();
  osg::Camera& view = *viewer.getCamera();
  view.setProjectionMatrixAsPerspective(
      Degrees(camera.field_of_view), static_cast<double>(width) / height,
      0.01 * camera.distance, 100.0 + 2.0 * camera.distance);
  view.setViewMatrixAsLookAt(ToOsg(camera.Eye()), ToOsg(camera.target),
                             osg::Vec3d(0, 1, 0));
  viewer.renderingTraversals();
}

bool Window::Frame(double seconds) {
  Implementation& own = *implementation_;
  own.viewer.advance();
  own.viewer.eventTraversal();
  own.controls.Advance(seconds);
  own.panel.Build(own.controls, own.width, own.height, seconds);
  if (EditDesk* desk = own.controls.desk()) {
    if (const std::string text = desk->TakeMessage(); !text.empty()) {
      own.Say(text);
    }
  }
  own.Draw();
  own.seconds_counted += seconds;
  ++own.frames_counted;
  if (own.seconds_counted > 0.5) {
    own.frames_per_second = own.frames_counted / own.seconds_counted;
    own.frames_counted = 0;
    own.seconds_counted = 0.0;
  }
  own.message_seconds = std::max(0.0, own.message_seconds - seconds);
  if (own.controls.wants_screenshot()) {
    own.controls.ScreenshotTaken();
    own.TakeScreenshot(Grab());
  }
  return !own.controls.closing() && own.controls.wanted_file() == 0 &&
         !own.viewer.done();
}

void Window::Run() {
  constexpr std::chrono::duration<double> kShortest(1.0 / 60.0);
  Clock::time_point last = Clock::now();
  double seconds = 0.0;
  while (Frame(seconds)) {
    const Clock::time_point due =
        last + std::chrono::duration_cast<Clock::duration>(kShortest);
    std::this_thread::sleep_until(due);
    const Clock::time_point now = Clock::now();
    seconds = std::chrono::duration<double>(now - last).count();
    last = now;
  }
}

std::vector<std::string> Window::notes() const {
  return implementation_->Notes();
}

double Window::frames_per_second() const {
  return implementation_->frames_per_second;
}

std::string Window::renderer_name() const {
  return implementation_->renderer_name;
}

Image Window::Grab() {
  Implementation& own = *implementation_;
  own.grab = true;
  own.Draw();
  Image image;
  image.width = own.width;
  image.height = own.height;
  const std::size_t row_bytes = 3 * std::size_t(own.width);
  image.pixels.resize(row_bytes * std::size_t(own.height));
  for (int y = 0; y < own.height; ++y) {
    const unsigned char* row =
        own.grabbed->data(0, unsigned(own.height - 1 - y));
    std::copy(row, row + row_bytes, &image.pixels[std::size_t(y) * row_bytes]);
  }
  return image;
}

osgGA::EventQueue& Window::events() {
  return *implementation_->viewer.getEventQueue();
}

void Window::Resize(int width, int height) {
  Implementation& own = *implementation_;
  auto* window = dynamic_cast<osgViewer::GraphicsWindow*>(
      own.viewer.getCamera()->getGraphicsContext());
  if (window != nullptr) window->setWindowRectangle(60, 60, width, height);
  // The server answers when it has done so.
  constexpr int kPatience = 200;
  for (int i = 0; i < kPatience; ++i) {
    Frame(0.0);
    if (own.width == width && own.height == height) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  SetInputRange();
}

void Window::SetInputRange() {
  events().setMouseInputRange(0.0F, 0.0F, float(implementation_->width),
                              float(implementation_->height));
  events().getCurrentEventState()->setMouseYOrientation(
      GUIEventAdapter::Y_INCREASING_UPWARDS);
}

}  // namespace limber::viewer
