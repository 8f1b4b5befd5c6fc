// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "figure/dynamic/edit.h"

namespace limber::viewer {

/// What a show of a figure offers beside those of everything: somebody may work
/// on its clip. `ShowPerformance` makes one.
class EditedFigure {
 public:
  virtual ~EditedFigure() = default;

  /// What an edit made of the clip, for the mode "edited", which is there from
  /// the first call on; null: the clip itself.
  virtual void SetEdited(std::shared_ptr<const figure::EditResult> result) = 0;
  /// The segment of the figure that a part shows; -1 for none.
  virtual int SegmentOf(int part) const = 0;
  /// Whether pointer and keys act on a body that is simulated now.
  virtual bool is_live() const = 0;
  /// The point that is being pulled, in the frame of its segment [m].
  virtual std::optional<Vector3> grabbed_point_B() const = 0;
  /// How much of the clip is left out before what is shown [s]; times of events
  /// count from the clip's first frame.
  virtual double lead_in() const = 0;
};

}  // namespace limber::viewer
