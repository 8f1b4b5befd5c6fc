// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/mocap/solve/synthetic_take.h"

#include <cmath>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>

namespace limber::test {

namespace {

using mocap::BodyPose;

BodyPose WalkPose(double t) {
  using namespace mocap;
  const double w = 2 * kPi * 0.9;
  const auto wave = [&](double phase, double times = 1) {
    return std::sin(times * w * t + phase);
  };
  BodyPose pose = BodyPose::Rest();
  pose.p_WR = {0.03 * wave(0), 0.95 + 0.02 * wave(0, 2), 1.2 * t};
  pose.R_PJ[kPelvis] = ExpRotation({0.05 * wave(1), 0.12 * wave(0), 0.05});
  pose.R_PJ[kSpine] = ExpRotation({0.08, -0.06 * wave(0), 0.04 * wave(2)});
  pose.R_PJ[kChest] = ExpRotation({0.05, -0.10 * wave(0), 0.03 * wave(2)});
  pose.R_PJ[kNeck] = ExpRotation({0.06 * wave(0.5), 0.1 * wave(1), 0.0});
  pose.R_PJ[kHead] = ExpRotation({0.06 * wave(0.5), 0.1 * wave(1), 0.0});
  for (const bool left : {true, false}) {
    const double side = left ? 1.0 : -1.0;
    const double phase = left ? 0.0 : kPi;
    const int clavicle = left ? kLeftClavicle : kRightClavicle;
    const int leg = left ? kLeftUpperLeg : kRightUpperLeg;
    pose.R_PJ[clavicle] = ExpRotation({0.0, 0.08 * wave(phase), side * 0.06});
    // Arms hang and swing.
    pose.R_PJ[clavicle + 1] =
        ExpRotation({0.45 * wave(phase), 0, 0}) *
        ExpRotation({0, 0, -side * (1.35 + 0.1 * wave(phase, 2))});
    pose.R_PJ[clavicle + 2] =
        ExpRotation({0, -side * (0.6 + 0.4 * wave(phase + 1)), 0}) *
        ExpRotation({0.3 * wave(phase + 2), 0, 0});
    pose.R_PJ[clavicle + 3] = ExpRotation({0, 0.1, 0.3 * wave(phase)});
    pose.R_PJ[leg] = ExpRotation({-0.15 + 0.45 * wave(phase), 0.06 * wave(1),
                                  side * (0.03 + 0.06 * wave(phase + 2))});
    pose.R_PJ[leg + 1] = ExpRotation({0.55 + 0.5 * wave(phase + 1.2), 0, 0});
    pose.R_PJ[leg + 2] =
        ExpRotation({0.1 + 0.25 * wave(phase + 2), 0.05, 0.04 * wave(phase)});
  }
  return pose;
}

}  // namespace

const mocap::MarkerSet& BuiltInSet(std::string_view name) {
  for (const mocap::MarkerSet& set : mocap::BuiltInMarkerSets()) {
    if (set.name == name) return set;
  }
  throw std::invalid_argument("no built-in set " + std::string(name));
}

SyntheticTake MakeSyntheticTake(const SyntheticOptions& options) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> misplaced(-options.misplacement,
                                                   options.misplacement);
  std::normal_distribution<double> noise(0.0, 1.0);
  SyntheticTake made;
  mocap::Actor& actor = made.actor;
  actor.scale = options.scale;
  for (int j = 0; j < mocap::kNumSegments; ++j) {
    actor.p_PJ[j] = options.scale * mocap::Body()[j].offset;
  }
  // Other proportions than the reference body's.
  for (const int side : {0, 1}) {
    actor.p_PJ[side == 0 ? mocap::kLeftLowerLeg : mocap::kRightLowerLeg] *=
        1.05;
    actor.p_PJ[side == 0 ? mocap::kLeftForearm : mocap::kRightForearm] *= 0.95;
  }
  std::vector<std::string> labels;
  for (const mocap::SetMarker& marker : BuiltInSet("cmu-41").markers) {
    const Vector3 off(misplaced(random), misplaced(random), misplaced(random));
    actor.markers.push_back({marker.label, marker.segment,
                             options.scale * marker.at + off, 1.0, 0.0});
    labels.push_back("Syn:" + marker.label);
  }
  actor.moves = mocap::MovingSegments(actor.markers);
  made.take = mocap::MarkerTake(labels, options.num_frames, options.rate_hz);
  made.take.origin.axes_decision = mocap::Decision::kFile;
  mocap::BodyKinematics kinematics;
  for (std::int64_t t = 0; t < options.num_frames; ++t) {
    made.poses.push_back(WalkPose(double(t) / options.rate_hz));
    kinematics.Update(actor.p_PJ, made.poses.back());
    for (int m = 0; m < made.take.num_markers(); ++m) {
      const mocap::ActorMarker& marker = actor.markers[m];
      const Vector3 jitter =
          options.noise * Vector3(noise(random), noise(random), noise(random));
      made.take.SetPosition(t, m,
                            kinematics.p_WJ[marker.segment] +
                                kinematics.R_WJ[marker.segment] * marker.p_JM +
                                jitter);
    }
  }
  return made;
}

mocap::PreparedTake Prepare(const mocap::MarkerTake& take) {
  const Result<mocap::RecognisedSet> set = mocap::RecogniseMarkerSet(
      mocap::BuiltInMarkerSets(), take, "test", std::nullopt);
  return mocap::PrepareTake(take, *set->set, set->match, "test").value();
}

double PoseRmsDeg(const std::vector<BodyPose>& a,
                  const std::vector<BodyPose>& b, int segment) {
  double sum = 0.0;
  for (std::size_t t = 0; t < a.size(); ++t) {
    const double angle = AngleBetween(a[t].R_PJ[segment], b[t].R_PJ[segment]);
    sum += angle * angle;
  }
  return std::sqrt(sum / double(a.size())) * 180 / kPi;
}

}  // namespace limber::test
