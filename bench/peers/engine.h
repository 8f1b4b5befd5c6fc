// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tests/scenes/peer_scenes.h"

namespace limber::bench {

/// Where a joint should be at the end of a step, in all the forms that engines
/// ask for. Angles are intrinsic x-y-z, child relative to parent.
struct JointTarget {
  Vector3 angles = Vector3::Zero();
  Vector3 rates = Vector3::Zero();
  Vector3 accelerations = Vector3::Zero();
  Quaternion R = Quaternion::Identity();
  Vector3 w_P = Vector3::Zero();  ///< Angular velocity in parent axes.
};

/// What the scene asks for at the end of a step.
struct StepTargets {
  std::span<const JointTarget> joints;  ///< Per segment; empty without servos.
  std::span<const Vector3> markers;  ///< In the world; empty without markers.
};

/// Pose of a segment's mass centre and, at the same instant, its velocities.
struct SegmentState {
  Vector3 p = Vector3::Zero();
  Vector3 v = Vector3::Zero();
  Vector3 w = Vector3::Zero();
  Matrix3 R = Matrix3::Identity();
};

/// One engine playing one scene.
class Engine {
 public:
  virtual ~Engine() = default;

  /// Takes one step of the scene. Timed.
  virtual void Step(const StepTargets& targets) = 0;

  /// The pose now; not timed.
  virtual void Read(std::vector<SegmentState>& states) = 0;

  /// States of one instant for the energy; the same as `Read` for engines
  /// whose velocities belong to their poses.
  virtual void ReadForEnergy(std::vector<SegmentState>& states) {
    Read(states);
  }
};

/// A way to play scenes: an engine with its settings.
struct Contender {
  std::string name;
  /// What is not like for like, in a few words; may be empty.
  std::string remark;
  std::function<bool(const scenes::PeerScene&)> plays;
  std::function<std::unique_ptr<Engine>(const scenes::PeerScene&)> make;
};

/// For `Contender::plays` of those that do not follow markers.
inline bool HasNoMarkers(const scenes::PeerScene& scene) {
  return scene.markers.empty();
}

/// What the command line of a peer's program asks for.
struct Options {
  int repeats = 5;
  double budget = 2.0;  ///< Seconds a run may take before it is cut short.
  std::string filter;   ///< Part of the scene's name.
};
Options ParseOptions(int argc, char** argv);

/// Main function of a peer's program: plays every scene whose name contains
/// the filter with every contender and prints a JSON object per run.
///
///     PROGRAM [--repeats N] [--budget SECONDS] [FILTER]
int RunContenders(int argc, char** argv,
                  const std::vector<Contender>& contenders);

}  // namespace limber::bench
