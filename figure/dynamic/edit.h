// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "figure/dynamic/recorder.h"
#include "figure/dynamic/strength.h"
#include "figure/figure_model.h"
#include "figure/motion.h"

namespace limber::figure {

/// Something that happens to a figure while it plays a clip.
struct EditEvent {
  enum class Kind {
    kPush,     ///< An impulse, or a force over `duration`, at `point_B`.
    kLoosen,   ///< `segments` go over to `strength`, in `duration`.
    kRagDoll,  ///< The whole figure lets go, root included.
    kRecover,  ///< Back to the strengths of the start, in `duration`.
    kThrow,    ///< A ball of `mass` is thrown at `point_B` of the segment.
    kCarry,    ///< A weight of `mass` hangs from `point_B` until `duration`.
    kGravity,  ///< Gravity becomes `vector`.
  };
  Kind kind = Kind::kPush;
  double time = 0.0;                  ///< After the clip's first frame [s].
  double duration = 0.0;              ///< [s], zero or positive.
  int segment = 0;                    ///< Of the model; kPush, kThrow, kCarry.
  Vector3 point_B = Vector3::Zero();  ///< In the segment's frame [m].
  /// kPush: whole impulse, world axes [N s]. kThrow: velocity of the ball
  /// [m/s]. kGravity: [m/s^2].
  Vector3 vector = Vector3::Zero();
  double mass = 1.0;          ///< kThrow, kCarry [kg].
  std::vector<int> segments;  ///< kLoosen; empty = all.
  Strength strength;          ///< kLoosen.
};

struct EditSettings {
  double rate_hz = 240.0;  ///< Steps per second.
  Strength strength;       ///< To begin with, of every joint.
  bool floor = true;       ///< At the height on which the clip stands.
  /// Errors of a joint beyond which the figure lets go; never by default
  /// [rad].
  double let_go_angle = std::numeric_limits<double>::infinity();
};

/// What happened in one frame of the result.
struct EditFrame {
  double time = 0.0;
  double difference = 0.0;  ///< Largest angle of a joint to the clip [rad].
  double root_shift = 0.0;  ///< Of the root from its path [m].
  double root_help = 0.0;   ///< Share of the body weight.
  double saturation = 0.0;  ///< Share of the motors at their bound.
};

struct EditResult {
  Motion motion;  ///< As many frames as the clip, at its rate.
  std::vector<EditFrame> frames;
  PerformanceSummary summary;      ///< Of the figure with the events.
  std::vector<double> deflection;  ///< Largest, per segment [rad].
  /// Time from the last event to the last moment at which a joint is more than
  /// 2 degrees from the clip; 0 without events, infinite if it never returns.
  double return_time = 0.0;
  double deepest_contact = 0.0;  ///< Into the floor, the clip's taken off [m].
};

/// Plays `clip` on the physical figure `model`, lets `events` happen to it, and
/// returns what becomes of the clip.
///
/// The clip is played twice by the same figure, without and with the events:
/// B(t) and E(t). Of each joint rotation the result is
///
///     R(t) = R_clip(t) B(t)^-1 E(t)
///
/// so that before the first event, after the last one has died away, and where
/// there is none, it is the clip itself, bit for bit; the error with which
/// bounded motors follow a clip does not show. As the figure gets far from the
/// clip (a fall) R goes over to E(t), the pose of the bodies as they lie. The
/// root's servo leads the figure back to its path.
/// Deterministic: the same call gives the same numbers.
///
/// @throws std::invalid_argument naming the field and its value if the clip has
///         no frames or another skeleton, or an event names no segment or is
///         not finite; std::runtime_error if an event is so strong that the
///         motion does not stay finite.
EditResult EditMotion(const Motion& clip,
                      std::shared_ptr<const FigureModel> model,
                      std::span<const EditEvent> events,
                      const EditSettings& settings = {});

}  // namespace limber::figure
