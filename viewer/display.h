// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace limber::viewer {

/// A place to draw on. Where there is a display (DISPLAY is set) that; else a
/// virtual one of its own, which lives as long as this object.
class Display {
 public:
  Display();
  ~Display();
  Display(const Display&) = delete;
  Display& operator=(const Display&) = delete;

  bool ok() const { return problem_.empty(); }
  /// Why there is none and what to install, in one sentence; else empty.
  const std::string& problem() const { return problem_; }
  /// Whether pictures go to a screen that somebody may look at.
  bool visible() const { return server_ < 0 && ok(); }

 private:
  void StartServer();
  std::string problem_;
  int server_ = -1;  ///< Process id of the virtual display.
};

/// What to say when a display gives no OpenGL: which one, and what to install.
std::string NoOpenGl();

}  // namespace limber::viewer
