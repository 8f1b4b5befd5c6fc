// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "viewer/controls.h"
#include "viewer/renderer.h"

namespace osgGA {
class EventQueue;
}

namespace limber::viewer {

struct WindowSettings {
  std::string title = "limber";
  /// What is shown, in the corner; empty: nothing is said.
  std::string name = {};
  /// Where the screen is smaller the window is, too, so that its time line is
  /// on it.
  int width = 1280;
  int height = 720;
  int samples = 0;  ///< Per pixel; software rendering is slow with more.
  /// Folder for the pictures of the screenshot key: limber-1.png and so on, the
  /// first number that is free. The window says where a picture went.
  std::string screenshot_folder = ".";
  /// Gets what the window says of things that it did, beside its corner: a
  /// program may print it. May be empty.
  std::function<void(const std::string& message)> tell = {};
};

/// A window on a show. Needs a Display that is ok; on a virtual one it can be
/// driven by scripted events.
class Window {
 public:
  /// @throws std::runtime_error, saying what to install, if there is no OpenGL.
  Window(Controls& controls, const WindowSettings& settings);
  ~Window();

  /// Handles what keys and pointer did, moves the clock on by `seconds` and
  /// draws. Returns false when the window wants to close, or another file is
  /// wanted.
  bool Frame(double seconds);
  /// `Frame` by the wall clock, 60 times a second at most, until it closes.
  void Run();

  /// Pictures drawn per second, over the last half second.
  double frames_per_second() const;
  /// Who draws: "llvmpipe (LLVM 15.0.6, 256 bits)".
  std::string renderer_name() const;
  /// What the window shows now.
  Image Grab();
  /// The lines in its corner.
  std::vector<std::string> notes() const;
  /// For scripted events: places in pixels, y up.
  osgGA::EventQueue& events();
  /// Asks the screen for another size and waits until it is there.
  void Resize(int width, int height);

 private:
  /// Scripted events give places in pixels of the window.
  void SetInputRange();

  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace limber::viewer
