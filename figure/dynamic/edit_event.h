// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "figure/dynamic/strength.h"
#include "figure/figure_model.h"

namespace limber::figure {

/// Something that happens to a figure while it plays a clip. Which fields count
/// stands beside each kind; `time` always does.
struct EditEvent {
  enum class Kind {
    /// An impulse `vector` [N s] at `point_B` of `segment`, or the same spread
    /// over `duration` as a force; in world axes, or `in_body`.
    kPush,
    /// A ball of `mass` with velocity `vector` [m/s] meets `point_B` of
    /// `segment` a fifth of a second later.
    kThrow,
    /// A box of `size` at `target`, turned by `heading`; of `mass` if that is
    /// not zero, else it never moves.
    kObstacle,
    /// A basket of `mass` hangs `length` below `point_B` of `segment`, on a
    /// handle with `friction` [N m].
    kCarry,
    /// A rod of `mass` and twice `length`, held upright by `point_B` of
    /// `segment`, which is led before the head.
    kUmbrella,
    /// `point_B` of `segment` is led to `target`, by at most `max_force`; out
    /// of reach the limb is stretched at it.
    kReach,
    /// `point_B` stays where it is, or at `target`; with a `vector` that is not
    /// zero it may slide along it, as a hand on a rail.
    kPin,
    kLook,      ///< `segment` (the head) turns towards `target`.
    kUpright,   ///< `segment` is kept upright.
    kStrength,  ///< `segments` go over to `strength` in `duration`.
    kRagDoll,   ///< The whole figure lets go in `duration`, root included.
    /// `segments` go back to the strengths of the start in `duration`; if that
    /// is all of them, the root helps the figure up.
    kRecover,
    kGravity,  ///< Gravity becomes `vector` [m/s^2].
    /// The floor is raised by `rise` and tilted about the place where the
    /// figure stands until its normal is `vector`, in `duration`.
    kFloor,
  };
  struct Waypoint {
    double time = 0.0;  ///< As the event's [s].
    Vector3 p_WT = Vector3::Zero();
  };

  Kind kind = Kind::kPush;
  double time = 0.0;  ///< After the clip's first frame [s].
  /// [s], zero or positive. Goals, props and obstacles last so long; zero means
  /// to the end of the clip.
  double duration = 0.0;
  int segment = 0;                            ///< Of the model.
  Vector3 point_B = Vector3::Zero();          ///< In the segment's frame [m].
  Vector3 vector = Vector3::Zero();           ///< See the kinds.
  bool in_body = false;                       ///< kPush: `vector` in axes of B.
  std::optional<Vector3> target;              ///< p_WT at `time` [m].
  Vector3 target_velocity = Vector3::Zero();  ///< [m/s]
  /// Where the target is when, by rising times; instead of the two above.
  std::vector<Waypoint> path;
  Vector3 size = Vector3::Zero();  ///< kObstacle, whole extent [m].
  double heading = 0.0;            ///< kObstacle, about +Y [rad].
  double mass = 1.0;               ///< [kg]
  double length = 0.25;            ///< Of a prop [m].
  double friction = 0.3;           ///< Of its joint [N m].
  double max_force = 200.0;        ///< kReach, kPin, kUmbrella [N].
  double rise = 0.0;               ///< kFloor [m].
  std::vector<int> segments;       ///< kStrength, kRecover; empty = all.
  Strength strength;               ///< kStrength.
};

/// When the event has ended; `clip_end` for one that lasts to the end [s].
double EndOf(const EditEvent& event, double clip_end);

/// Where the target of `event` is at `time`: on the smooth curve through its
/// `path`, or on the line from `target` [m].
Vector3 TargetAt(const EditEvent& event, double time);

/// @throws std::invalid_argument naming the field and its value if the event
///         names no segment of the model, lacks a field its kind needs, or has
///         one that is out of range or not finite.
void CheckEvent(const EditEvent& event, const FigureModel& model);

}  // namespace limber::figure
