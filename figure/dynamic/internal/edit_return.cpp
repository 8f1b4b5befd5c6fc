// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/dynamic/internal/edit_return.h"

#include <algorithm>
#include <cmath>

#include "core/angle.h"
#include "figure/dynamic/strength.h"

namespace limber::figure::internal {

namespace {

/// A joint counts as back when it is nearer to the clip than this [rad].
constexpr double kBack = Radians(2.0);
/// It must have been for so long [s].
constexpr double kQuiet = 0.1;
/// Then what is left goes in this time [s]; the root's shift in at least that,
/// and not faster than this on average [m/s].
constexpr double kGoing = 0.4;
constexpr double kShiftSpeed = 0.15;
constexpr double kLongestShift = 2.0;

/// From here on the pose goes over to that of the bodies; there it has [rad].
constexpr double kNearClip = 0.35;
constexpr double kFarFromClip = 1.05;

/// Angles of a ball mean something while the cosine of the second is above
/// this.
constexpr double kNoGimbal = 0.3;

/// What is smaller than this is no difference [rad, m].
constexpr double kNothing = 1e-9;

/// `R` turned back to the limits of the joint, where it passes them farther
/// than the clip's own `R_clip`: a joint may overshoot for a step when a limb
/// is flung.
Quaternion WithinLimits(const Anchor& anchor, const Quaternion& R,
                        const Quaternion& R_clip) {
  if (!anchor.has_limits()) return R;
  AnchorAngles angles = MeasureAnchor(anchor, R);
  if (anchor.kind == AnchorKind::kBall && std::cos(angles.q[1]) < kNoGimbal) {
    return R;
  }
  const AnchorAngles of_clip = MeasureAnchor(anchor, R_clip);
  bool beyond = false;
  for (std::size_t k = 0; k < static_cast<std::size_t>(anchor.num_axes());
       ++k) {
    const double lower = std::min(anchor.axes[k].lower, of_clip.q[k]);
    const double upper = std::max(anchor.axes[k].upper, of_clip.q[k]);
    const double q = std::clamp(angles.q[k], lower, upper);
    beyond = beyond || q != angles.q[k];
    angles.q[k] = q;
  }
  return beyond ? RotationOfAnchor(anchor, angles.q) : R;
}

}  // namespace

EditReturn::EditReturn(const ArticulatedFigure& figure,
                       EditSettings::Return mode)
    : figure_(figure),
      mode_(mode),
      changes_(static_cast<std::size_t>(figure.num_segments())),
      residuals_(changes_.size()),
      result_(changes_.size()) {}

void EditReturn::FindChanges(const SegmentPose& B, const SegmentPose& E,
                             const Transform& X_T) {
  angle_ = 0.0;
  distance_ = 0.0;
  const Transform X_back = X_T.Inverse();
  for (std::size_t s = 0; s < changes_.size(); ++s) {
    if (figure_.is_root(static_cast<int>(s))) {
      const Transform E_here = X_back * E[s];
      changes_[s].turn = LogRotation(E_here.R * B[s].R.conjugate());
      changes_[s].shift = E_here.p - B[s].p;
      distance_ = std::max(distance_, changes_[s].shift.norm());
    } else {
      changes_[s].turn = LogRotation(B[s].R.conjugate() * E[s].R);
      angle_ = std::max(angle_, changes_[s].turn.norm());
    }
  }
}

EditReturn::Change EditReturn::Shown(std::size_t s) const {
  const double w = SmoothStep(weight_);
  const double w_shift = SmoothStep(shift_weight_);
  const double u = SmoothStep(fade_);
  const Quaternion turn =
      ExpRotation(-u * residuals_[s].turn) * ExpRotation(w * changes_[s].turn);
  return {LogRotation(turn),
          w_shift * changes_[s].shift - u * residuals_[s].shift};
}

void EditReturn::Weigh(bool busy, bool begins, double h) {
  if (mode_ == EditSettings::Return::kNone) return;
  if (begins) {
    begun_ = true;
    going_ = false;
    quiet_ = 0.0;
  }
  if (!begun_) return;
  if (begins && (weight_ < 1.0 || shift_weight_ < 1.0)) {
    // What does not show now shall not show at once: it becomes the residual.
    for (std::size_t s = 0; s < changes_.size(); ++s) {
      const Change shown = Shown(s);
      residuals_[s].turn =
          LogRotation(ExpRotation(changes_[s].turn) * ExpRotation(-shown.turn));
      residuals_[s].shift = changes_[s].shift - shown.shift;
    }
    weight_ = shift_weight_ = fade_ = 1.0;
  }
  fade_ = std::max(0.0, fade_ - h / std::max(kGoing, shift_time_));
  quiet_ = busy || angle_ > kBack ? 0.0 : quiet_ + h;
  if (busy) going_ = false;
  if (quiet_ > kQuiet && !going_) {
    going_ = true;
    shift_time_ = std::clamp(distance_ / kShiftSpeed, kGoing, kLongestShift);
  }
  // Whoever falls while the difference goes has not come back.
  if (going_ && !faded() && angle_ > kNearClip) going_ = false;
  if (going_) {
    weight_ = std::max(0.0, weight_ - h / kGoing);
    shift_weight_ = std::max(0.0, shift_weight_ - h / shift_time_);
  } else if (!faded()) {
    weight_ = std::min(1.0, weight_ + h / kGoing);
    shift_weight_ = std::min(1.0, shift_weight_ + h / kGoing);
  }
}

void EditReturn::Advance(const SegmentPose& clip, const SegmentPose& B,
                         const SegmentPose& E, const Transform& X_T, bool busy,
                         bool begins, double h) {
  // An event that begins is measured by what was shown a step ago.
  if (begins) Weigh(busy, true, 0.0);
  FindChanges(B, E, X_T);
  Weigh(busy, false, h);

  fallen_ = SmoothStep((angle_ - kNearClip) / (kFarFromClip - kNearClip)) *
            SmoothStep(weight_);
  at_clip_ = true;
  for (std::size_t s = 0; s < changes_.size(); ++s) {
    const Change shown = Shown(s);
    result_[s] = clip[s];
    if (figure_.is_root(static_cast<int>(s))) {
      // In a fall the ground does not move with B's own error.
      Vector3 drift = clip[s].p - B[s].p;
      if (has_drift_) {
        drift_ +=
            (1.0 - fallen_) * std::min(1.0, h / kGoing) * (drift - drift_);
      }
      if (!has_drift_ || fallen_ == 0.0) drift_ = drift;
      has_drift_ = true;
      drift = Vector3(drift_.x(), (1.0 - fallen_) * drift_.y(), drift_.z());
      result_[s].R = ExpRotation(shown.turn) * clip[s].R;
      result_[s].p = clip[s].p + shown.shift;
      if (fallen_ > 0.0) {
        const Transform E_here = X_T.Inverse() * E[s];
        result_[s].R = result_[s].R.slerp(fallen_, E_here.R).normalized();
        result_[s].p += fallen_ * (E_here.p + drift - result_[s].p);
      }
      result_[s] = X_T * result_[s];
      const bool moved = shown.shift.norm() > kNothing ||
                         X_T.p.norm() > kNothing ||
                         LogRotation(X_T.R).norm() > kNothing;
      at_clip_ = at_clip_ && !moved;
    } else {
      result_[s].R = clip[s].R * ExpRotation(shown.turn);
      if (fallen_ > 0.0) {
        result_[s].R = result_[s].R.slerp(fallen_, E[s].R).normalized();
      }
      if (shown.turn.norm() > kNothing) {
        result_[s].R = WithinLimits(figure_.segment(static_cast<int>(s)).anchor,
                                    result_[s].R, clip[s].R);
      }
    }
    at_clip_ = at_clip_ && shown.turn.norm() < kNothing;
  }
}

void EditReturn::Apply(const ArticulatedFigure& figure, const SegmentPose& clip,
                       const SegmentPose& result, Pose& pose) {
  const Skeleton& skeleton = *figure.model().skeleton;
  for (std::size_t s = 0; s < result.size(); ++s) {
    const int joint = figure.segment(static_cast<int>(s)).joint;
    Transform& X = pose.X_PJ[static_cast<std::size_t>(joint)];
    X.R = (X.R * clip[s].R.conjugate() * result[s].R).normalized();
    if (!figure.is_root(static_cast<int>(s))) continue;
    // What carries the root (a "Reference" joint) stays where it is.
    Transform X_WP;
    for (int j = skeleton.joint(joint).parent; j >= 0;
         j = skeleton.joint(j).parent) {
      X_WP = pose.X_PJ[static_cast<std::size_t>(j)] * X_WP;
    }
    X.p += X_WP.R.conjugate() * (result[s].p - clip[s].p);
  }
}

}  // namespace limber::figure::internal
