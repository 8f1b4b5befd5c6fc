// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "viewer/controls.h"

struct ImDrawData;
struct ImGuiContext;

namespace limber::viewer::internal {

/// The panel at the right edge of a window: mode, clock, events with their
/// numbers, what is drawn. Whatever is in it has a key or a word as well. By
/// Dear ImGui, without a screen (`PanelDrawing` draws it). Pixels count from
/// the upper left corner.
class Panel {
 public:
  Panel();
  ~Panel();
  Panel(const Panel&) = delete;
  Panel& operator=(const Panel&) = delete;

  bool is_shown() const { return is_shown_; }
  void Show(bool is_shown);
  /// The pointer was pressed on it and not lifted yet.
  bool is_held() const { return is_held_; }

  /// What the pointer does. True if it is the panel's: it lies over it, or was
  /// pressed there.
  bool Move(double x, double y);
  bool Press(double x, double y, int button);
  bool Lift();
  bool Scroll(double notches);
  /// A key with its character; true if something is being typed in the panel.
  /// Names are those of `Controls` and `EditDesk`.
  bool Key(int key);

  /// Lays out the panel for the next picture and does what was clicked.
  void Build(Controls& controls, int width, int height, double seconds);
  /// The triangles of the last one; null where nothing is to be seen.
  const ImDrawData* drawing() const;
  /// The picture of all letters, four bytes a pixel.
  struct Letters {
    const unsigned char* pixels = nullptr;
    int width = 0;
    int height = 0;
  };
  Letters letters() const;

 private:
  bool Contains(double x, double y) const;
  void ShowModes(Controls& controls);
  void ShowClock(Controls& controls);
  void ShowEvents(Controls& controls, EditDesk& desk);
  void ShowSelected(EditDesk& desk, std::size_t index);
  void ShowLayers(Controls& controls);
  /// Changes the selected event; what one drag changes is one step.
  void Change(EditDesk& desk, const jobs::ListedEvent& event);

  ImGuiContext* context_ = nullptr;
  bool is_shown_ = false;
  bool is_built_ = false;
  bool is_held_ = false;          ///< The pointer was pressed on it.
  bool is_same_gesture_ = false;  ///< The item under way has changed something.
  int key_up_ = -1;               ///< To be lifted before the next picture.
  double left_ = 0.0, top_ = 0.0, right_ = 0.0, bottom_ = 0.0;
  char words_[200] = "";
};

}  // namespace limber::viewer::internal
