// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "figure/dynamic/articulated_figure.h"
#include "figure/dynamic/edit.h"

namespace limber::figure::internal {

/// Puts the difference of two playings, B without and E with the events, onto
/// the clip, and takes it away again when the events have died away. In the
/// axes of each joint, with R_clip the clip's rotation:
///
///     k(t) = log(B(t)^-1 E(t))
///     R(t) = R_clip(t) exp(-u r) exp(w k(t))
///
/// w goes from 1 to 0 once no event acts and |k| < 2 deg, r is what k was when
/// the next event began, u goes from 1 to 0 from there: an edit has an end, and
/// the next one begins at the clip. Of the root k is in world axes and goes
/// with p_E - p_B. Far from the clip (a fall) the result goes over to E.
class EditReturn {
 public:
  EditReturn(const ArticulatedFigure& figure, EditSettings::Return mode);

  /// One step of `h` seconds on.
  /// @param X_T     what the reference of E has been moved by over the ground.
  /// @param busy    an event acts.
  /// @param begins  one begins with this step.
  void Advance(const SegmentPose& clip, const SegmentPose& B,
               const SegmentPose& E, const Transform& X_T, bool busy,
               bool begins, double h);

  /// The result by segments, after `Advance`.
  const SegmentPose& result() const { return result_; }
  /// `pose`, the clip's, becomes that of `result`.
  static void Apply(const ArticulatedFigure& figure, const SegmentPose& clip,
                    const SegmentPose& result, Pose& pose);
  /// Nothing of any event is left: the result is the clip.
  bool at_clip() const { return at_clip_; }
  /// Whether the pose is back and the difference is being taken away.
  bool settled() const { return going_; }
  /// Nothing of the difference shows any more: E may be put where B is.
  bool faded() const { return weight_ == 0.0 && shift_weight_ == 0.0; }
  /// Largest angle of a joint, and distance of the root, between E and B.
  double angle() const { return angle_; }
  double distance() const { return distance_; }

 private:
  struct Change {
    Vector3 turn = Vector3::Zero();   ///< k.
    Vector3 shift = Vector3::Zero();  ///< Roots.
  };
  void FindChanges(const SegmentPose& B, const SegmentPose& E,
                   const Transform& X_T);
  void Weigh(bool busy, bool begins, double h);
  /// What of change `s` shows now.
  Change Shown(std::size_t s) const;

  const ArticulatedFigure& figure_;
  EditSettings::Return mode_;
  std::vector<Change> changes_;
  std::vector<Change> residuals_;
  double weight_ = 1.0;        ///< Before smoothing; of turns.
  double shift_weight_ = 1.0;  ///< Of the root's shift.
  double fade_ = 0.0;          ///< Of the residuals, before smoothing.
  double shift_time_ = 0.0;    ///< In which the shift goes [s].
  double quiet_ = 0.0;         ///< Time for which nothing has happened [s].
  bool going_ = false;
  bool begun_ = false;  ///< The first event.
  double angle_ = 0.0;
  double distance_ = 0.0;
  double fallen_ = 0.0;              ///< 0 near the clip, 1 in a fall.
  Vector3 drift_ = Vector3::Zero();  ///< Clip minus B, held in a fall [m].
  bool has_drift_ = false;
  bool at_clip_ = true;
  SegmentPose result_;
};

}  // namespace limber::figure::internal
