// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/math.h"
#include "figure/dynamic/edit_event.h"
#include "figure/motion.h"

namespace limber::jobs {

// What can happen to a figure while it plays a clip, one small type a kind.
// A segment is named by its role ("left-forearm", "forearm_l"), or as the
// figure or the clip names it; where several are meant, words with commas, such
// as "arms,head", or "all". Times are after the clip's first frame [s]; where
// there is no `until`, it lasts to the end. Places and directions are those of
// the world, +Y up.

/// An impulse at a segment's mass centre, at once or spread over `duration`.
struct Push {
  std::string segment;
  double at = 0.0;
  Vector3 impulse = Vector3::Zero();  ///< [N s]
  double duration = 0.0;              ///< [s]
  bool in_body = false;               ///< `impulse` is in the segment's axes.
};
/// A ball of `mass` [kg] with `velocity` [m/s] that meets the segment.
struct Throw {
  std::string segment;
  double at = 0.0;
  Vector3 velocity = Vector3::Zero();
  double mass = 1.0;
};
/// A wall across the way, where the root has gone so far [m].
struct Wall {
  double distance = 1.0;
};
/// A box, fixed unless it has a mass [kg].
struct Obstacle {
  Vector3 place = Vector3::Zero();  ///< Of its centre [m].
  Vector3 size = Vector3::Ones();   ///< Whole extent [m].
  double at = 0.0;
  std::optional<double> until = {};
  double mass = 0.0;
  double heading = 0.0;  ///< About +Y [rad].
};
/// A basket on a hand.
struct Carry {
  std::string segment;
  double at = 0.0;
  std::optional<double> until = {};
  double mass = 5.0;      ///< [kg]
  double friction = 0.3;  ///< Of its handle [N m].
};
/// An umbrella, upright, held before the head.
struct Umbrella {
  std::string segment;
  double at = 0.0;
  std::optional<double> until = {};
  double mass = 0.5;  ///< [kg]
};
/// Leads a hand to a target that may move; out of reach the arm is stretched.
struct Reach {
  std::string segment;
  double at = 0.0;
  std::optional<double> until = {};
  Vector3 target = Vector3::Zero();           ///< At `at` [m].
  Vector3 target_velocity = Vector3::Zero();  ///< [m/s]
};
/// Turns the head towards a target.
struct Look {
  std::string segment = "head";
  double at = 0.0;
  std::optional<double> until = {};
  Vector3 target = Vector3::Zero();           ///< At `at` [m].
  Vector3 target_velocity = Vector3::Zero();  ///< [m/s]
};
/// Keeps a hand where it is, or on a rail along a direction.
struct Pin {
  std::string segment;
  double at = 0.0;
  std::optional<double> until = {};
  Vector3 rail = Vector3::Zero();  ///< Zero: none.
};
/// Keeps a segment upright.
struct Upright {
  std::string segment;
  double at = 0.0;
  std::optional<double> until = {};
};
/// Joints follow weakly and late; or with three times their strength.
struct Loosen {
  std::string segments = "all";
  double at = 0.0;
  std::optional<double> until = {};
};
struct Stiffen {
  std::string segments = "all";
  double at = 0.0;
  std::optional<double> until = {};
};
/// The figure lets go, and recovers at `until`.
struct RagDoll {
  double at = 0.0;
  std::optional<double> until = {};
};
/// The figure gets up.
struct Recover {
  double at = 0.0;
};
/// Another gravity [m/s^2].
struct Gravity {
  double at = 0.0;
  std::optional<double> until = {};
  Vector3 gravity = Vector3(0.0, -kGravity, 0.0);
};
/// The floor rises by so much [m], or sinks.
struct Floor {
  double at = 0.0;
  std::optional<double> until = {};
  double rise = 0.0;
};
/// The floor tilts where the figure stands.
struct Slope {
  double at = 0.0;
  std::optional<double> until = {};
  double angle = 0.0;  ///< Within 45 degrees [rad].
  Vector3 uphill = Vector3::UnitZ();
};

/// Any of these; the last is an event whose names are resolved.
using Event = std::variant<Push, Throw, Wall, Obstacle, Carry, Umbrella, Reach,
                           Look, Pin, Upright, Loosen, Stiffen, RagDoll,
                           Recover, Gravity, Floor, Slope, figure::EditEvent>;

/// What the words of an event are about.
struct EditContext {
  const figure::FigureModel* model = nullptr;
  const figure::Motion* clip = nullptr;  ///< Needed by `Wall` alone.
};

/// What a figure is to live through: one or two events, the second one being
/// the end of the first.
/// @throws BadCall if a segment is not the figure's, or a wall is not reached.
std::vector<figure::EditEvent> Resolve(const Event& event,
                                       const EditContext& context);
std::vector<figure::EditEvent> Resolve(std::span<const Event> events,
                                       const EditContext& context);

/// The segments of several words with commas (figure/segment_words.h).
/// @throws BadCall if one names none.
std::vector<int> SegmentsOfList(const std::string& words,
                                const figure::FigureModel& model);

/// The normal of a floor that rises by `angle` [rad] towards `uphill`.
Vector3 SlopeNormal(double angle, const Vector3& uphill);

/// Time in which strengths change, and in which a rag doll lets go and gets up
/// [s].
inline constexpr double kStrengthChange = 0.2;
inline constexpr double kLetGo = 0.15;
inline constexpr double kGetUp = 0.5;

}  // namespace limber::jobs
