// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "viewer/window.h"

#include <osgGA/EventQueue>
#include <osgGA/GUIEventHandler>
#include <osgViewer/GraphicsWindow>
#include <osgViewer/Viewer>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <thread>

#include "core/angle.h"
#include "core/file.h"
#include "viewer/display.h"
#include "viewer/internal/overlay.h"
#include "viewer/osg_convert.h"
#include "viewer/stage.h"

namespace limber::viewer {

namespace {

using Clock = std::chrono::steady_clock;
using osgGA::GUIEventAdapter;

int KeyOf(int osg_key) {
  switch (osg_key) {
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
  void Draw();
  std::vector<std::string> Notes() const;
  std::vector<std::string> HelpLines() const;

  Controls& controls;
  WindowSettings settings;
  int width;
  int height;
  Stage stage;
  internal::Overlay overlay;
  osgViewer::Viewer viewer;
  Picture picture;
  double frames_per_second = 0.0;
  int frames_counted = 0;
  double seconds_counted = 0.0;
  int num_screenshots = 0;
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
  traits->x = 60;
  traits->y = 60;
  traits->width = settings.width;
  traits->height = settings.height;
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
  camera.setViewport(0, 0, settings.width, settings.height);
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
  own.overlay.Resize(settings.width, settings.height);
  own.viewer.setSceneData(root);
  own.viewer.addEventHandler(new ForwardEvents(
      [&own](const GUIEventAdapter& event) { own.Handle(event); }));
  own.viewer.realize();
  SetInputRange();
}

Window::~Window() = default;

void Window::Implementation::Handle(const GUIEventAdapter& event) {
  const double x = event.getXnormalized();
  const double y = event.getYnormalized();
  switch (event.getEventType()) {
    case GUIEventAdapter::KEYDOWN:
      controls.Key(KeyOf(event.getKey()));
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
      controls.SetAspect(static_cast<double>(width) / height);
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
  std::string first =
      Fixed(player.time(), "%.2f s of ") + Fixed(player.duration(), "%.2f s");
  if (player.speed() != 1.0) first += Fixed(player.speed(), "   x %g");
  if (!player.playing()) first += "   paused";
  if (controls.waiting_for()) {
    first += Fixed(*controls.waiting_for(), "   computing up to %.2f s");
  }
  std::vector<std::string> notes = {first};
  if (!controls.mode().empty()) notes.push_back("mode: " + controls.mode());
  notes.push_back(Fixed(frames_per_second, "%.0f pictures/s") +
                  (player.dropped() > 0.0
                       ? Fixed(player.dropped(), ", %.1f s dropped")
                       : "") +
                  "   h: help");
  notes.insert(notes.end(), picture.notes.begin(), picture.notes.end());
  if (controls.picked() >= 0) {
    for (const std::string& line :
         controls.show().Describe(controls.picked())) {
      notes.push_back(line);
    }
  }
  return notes;
}

std::vector<std::string> Window::Implementation::HelpLines() const {
  std::vector<std::string> lines;
  if (!controls.help()) return lines;
  for (const auto& [key, what] : Controls::Help()) {
    lines.push_back(key + ":  " + what);
  }
  return lines;
}

void Window::Implementation::Draw() {
  picture.Clear();
  controls.show().Draw(controls.player().time(), picture);
  if (controls.pulling()) picture.lines.push_back(controls.rubber_band());
  stage.Set(picture);
  stage.SetShadows(controls.shadows());
  const Player& player = controls.player();
  overlay.Set(
      Notes(), HelpLines(),
      player.duration() > 0.0 ? player.time() / player.duration() : 0.0);
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
  own.Draw();
  own.seconds_counted += seconds;
  ++own.frames_counted;
  if (own.seconds_counted > 0.5) {
    own.frames_per_second = own.frames_counted / own.seconds_counted;
    own.frames_counted = 0;
    own.seconds_counted = 0.0;
  }
  if (own.controls.wants_screenshot()) {
    own.controls.ScreenshotTaken();
    const std::filesystem::path folder = own.settings.screenshot_folder;
    const Diagnostics written = WritePng(
        folder / ("limber-" + std::to_string(++own.num_screenshots) + ".png"),
        Grab());
    static_cast<void>(written);
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
