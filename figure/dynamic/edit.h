// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "figure/dynamic/edit_event.h"
#include "figure/dynamic/recorder.h"
#include "figure/motion.h"

namespace limber::figure {

struct EditSettings {
  /// What comes back after the events.
  enum class Return {
    kNone,  ///< What physics brings back: the pose roughly, not the path.
    kPose,  ///< The pose; the clip goes on from where the figure has got to.
    kPath,  ///< The pose and the root's path: from then on it is the clip.
  };
  /// Steps per second, at least: so many more that frames fall on steps.
  double rate_hz = 240.0;
  Strength strength;  ///< To begin with, of every joint.
  bool floor = true;  ///< At the height on which the clip stands.
  Return return_to = Return::kPath;
  /// Segments that stay where they are without the events.
  std::vector<int> keep;
  /// How far an event may turn a joint before the figure lets go; without end
  /// by default [rad].
  double let_go_angle = std::numeric_limits<double>::infinity();
  /// Called with the share that is done, 0 to 1; what it throws ends the edit.
  std::function<void(double share)> progress;
};

/// What touched a segment in one frame.
struct EditContact {
  int segment = 0;
  /// The middle of the contacts, weighted by their impulses, in the segment's
  /// frame: so it lies on the result's segment too [m].
  Vector3 p_B = Vector3::Zero();
  Vector3 force = Vector3::Zero();  ///< On it, mean over the frame [N].
};

/// What happened in one frame of the result.
struct EditFrame {
  double time = 0.0;
  double difference = 0.0;     ///< Largest angle of a joint to the clip [rad].
  double root_shift = 0.0;     ///< Of the root from its path [m].
  double root_help = 0.0;      ///< Share of the body weight.
  double saturation = 0.0;     ///< Share of the motors at their bound.
  double contact = 0.0;        ///< Contact force / body weight.
  std::vector<double> torque;  ///< Of each segment's motors [N m].
  std::vector<EditContact> contacts;  ///< By segment.
  Transform X_WF;                     ///< The floor: the plane y = 0 of F.
};

/// One segment over the whole clip.
struct EditedSegment {
  double deflection = 0.0;   ///< Largest angle of its joint to the clip [rad].
  double turn = 0.0;         ///< The same of the segment in the world [rad].
  double mean_torque = 0.0;  ///< Of its motors [N m].
  double max_torque = 0.0;   ///< [N m]
  double saturation = 0.0;   ///< Share of the time with a motor at its bound.
};

/// How well a goal was met, while it was to be met and could be.
struct EditedGoal {
  int segment = 0;
  double distance = 0.0;  ///< Largest, of the result's point to its target [m].
  double reachable = 0.0;  ///< Share of the time in which it could be met.
};

struct EditedProp {
  std::string name;
  double gap = 0.0;   ///< Largest, of the joint that holds it [m].
  double tilt = 0.0;  ///< Largest, half a second after the start and on [rad].
};

/// A thing that an event brings: a ball, a box, what a hand carries.
struct EditedThing {
  enum class Shape { kBall, kBox, kRod };
  std::string name;
  Shape shape = Shape::kBox;
  Vector3 size = Vector3::Zero();  ///< Whole extents; a rod lies along Y [m].
  std::int64_t first_frame = 0;
  std::vector<Transform> X_WB;  ///< From then on, while it is there.
};

struct EditResult {
  Motion motion;  ///< As many frames as the clip, at its rate.
  std::vector<EditFrame> frames;
  PerformanceSummary summary;  ///< Of the figure with the events.
  std::vector<EditedSegment> segments;
  std::vector<EditedGoal> goals;  ///< Of reaches and pins, in their order.
  std::vector<EditedProp> props;
  std::vector<EditedThing> things;
  /// Time from the last event to the last moment at which a joint is more than
  /// 2 degrees from the clip; 0 without events, infinite if it never returns.
  double return_time = 0.0;
  double deepest_contact = 0.0;  ///< Of the bodies, with ground or wall [m].
  /// How much deeper the result's lowest point is below the floor than the
  /// clip's, at the worst frame [m].
  double penetration = 0.0;
  double limit_violation = 0.0;  ///< Of the result, beyond the clip's [rad].
  std::optional<double> let_go_time;  ///< [s]
};

/// Plays `clip` on the physical figure `model`, lets `events` happen to it, and
/// returns what becomes of the clip.
///
/// The clip is played twice by the same figure, without and with the events,
/// and the difference is put on the clip (`internal/edit_return.h`): where no
/// event has an influence the result is the clip itself, bit for bit; the error
/// with which bounded motors follow a clip does not show. Far from the clip, in
/// a fall, the result is the pose of the bodies as they lie. No joint of the
/// result is farther beyond its limits than the clip's, and no point deeper in
/// the floor (`internal/edit_obey.h`).
/// Deterministic: the same call gives the same numbers.
///
/// @throws std::invalid_argument naming the field and its value if the clip has
///         no frames or another skeleton, or as `CheckEvent`;
///         std::runtime_error if an event is so strong that the motion does not
///         stay finite, or a segment gets faster than 10 km/s.
EditResult EditMotion(const Motion& clip,
                      std::shared_ptr<const FigureModel> model,
                      std::span<const EditEvent> events,
                      const EditSettings& settings = {});

}  // namespace limber::figure
