// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/mocap/solve/other_laboratories.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <random>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "mocap/virtual_markers.h"

namespace limber::test {

namespace {

using namespace mocap;

/// Where landmarks are on a body of 1.75 m in the T-pose, left side [m].
struct Place {
  const char* name;
  int segment;
  Vector3 at;
};

const std::vector<Place>& Places() {
  static const std::vector<Place> places = {
      {"asis", kPelvis, {0.125, 0.075, 0.07}},
      {"psis", kPelvis, {0.045, 0.10, -0.115}},
      {"sacrum", kPelvis, {0, 0.085, -0.125}},
      {"crest", kPelvis, {0.145, 0.125, 0.0}},
      {"pubis", kPelvis, {0, -0.03, 0.08}},
      {"pelvis1", kPelvis, {0.05, 0.12, -0.12}},
      {"pelvis2", kPelvis, {-0.05, 0.12, -0.12}},
      {"pelvis3", kPelvis, {0.05, 0.05, -0.125}},
      {"pelvis4", kPelvis, {-0.05, 0.05, -0.125}},
      {"midhip", kPelvis, {0, 0, 0}},
      {"hipcentre", kPelvis, {0.088, 0, 0}},
      {"l5", kPelvis, {0, 0.115, -0.125}},
      {"l3", kSpine, {0, 0.06, -0.085}},
      {"l1", kSpine, {0, 0.11, -0.08}},
      {"navel", kSpine, {0, 0.01, 0.15}},
      {"c7", kChest, {0, 0.325, -0.04}},
      {"t2", kChest, {0, 0.285, -0.06}},
      {"t4", kChest, {0, 0.25, -0.075}},
      {"t8", kChest, {0, 0.17, -0.08}},
      {"t10", kChest, {0, 0.11, -0.075}},
      {"t12", kChest, {0, 0.03, -0.07}},
      {"jugular", kChest, {0, 0.265, 0.10}},
      {"sternum", kChest, {0, 0.20, 0.14}},
      {"xiphoid", kChest, {0, 0.115, 0.16}},
      {"shoulderblade", kChest, {0.085, 0.17, -0.10}},
      {"trunk1", kChest, {0.04, 0.22, 0.14}},
      {"trunk2", kChest, {-0.04, 0.22, 0.14}},
      {"trunk3", kChest, {0.0, 0.15, 0.155}},
      {"trunk4", kChest, {0.0, 0.24, 0.125}},
      {"neck", kChest, {0, 0.30, 0.0}},
      {"headcentre", kHead, {0, 0.10, 0.0}},
      {"headfront", kHead, {0.065, 0.115, 0.095}},
      {"headback", kHead, {0.06, 0.105, -0.08}},
      {"headtop", kHead, {0, 0.21, 0.0}},
      {"forehead", kHead, {0, 0.12, 0.105}},
      {"occiput", kHead, {0, 0.10, -0.095}},
      {"ear", kHead, {0.08, 0.05, 0.01}},
      {"nose", kHead, {0, 0.045, 0.125}},
      {"acromion", kLeftClavicle, {0.15, 0.05, -0.07}},
      {"shoulderfront", kLeftClavicle, {0.155, 0.005, -0.005}},
      {"shoulderback", kLeftClavicle, {0.15, 0.0, -0.125}},
      {"acromion1", kLeftClavicle, {0.13, 0.06, -0.06}},
      {"acromion2", kLeftClavicle, {0.15, 0.06, -0.09}},
      {"acromion3", kLeftClavicle, {0.12, 0.06, -0.10}},
      {"clavicle", kLeftClavicle, {0.06, 0.02, 0.005}},
      {"shouldercentre", kLeftUpperArm, {0, 0, 0}},
      {"deltoid", kLeftUpperArm, {0.08, 0.055, 0.0}},
      {"upperarm", kLeftUpperArm, {0.15, 0.045, -0.01}},
      {"upperarm1", kLeftUpperArm, {0.12, 0.05, 0.01}},
      {"upperarm2", kLeftUpperArm, {0.18, 0.05, 0.02}},
      {"upperarm3", kLeftUpperArm, {0.15, 0.05, -0.03}},
      {"upperarm4", kLeftUpperArm, {0.19, 0.045, -0.03}},
      {"elbowlat", kLeftUpperArm, {0.285, 0.04, 0.0}},
      {"elbowmed", kLeftUpperArm, {0.285, -0.04, 0.0}},
      {"olecranon", kLeftForearm, {0.005, 0.0, -0.045}},
      {"elbowcentre", kLeftForearm, {0, 0, 0}},
      {"forearm", kLeftForearm, {0.13, 0.03, 0.0}},
      {"forearm1", kLeftForearm, {0.11, 0.035, 0.01}},
      {"forearm2", kLeftForearm, {0.17, 0.03, 0.015}},
      {"forearm3", kLeftForearm, {0.14, 0.03, -0.03}},
      {"forearm4", kLeftForearm, {0.18, 0.03, -0.025}},
      {"radius", kLeftForearm, {0.25, 0.01, 0.035}},
      {"ulna", kLeftForearm, {0.245, 0.01, -0.035}},
      {"wrist", kLeftForearm, {0.245, 0.03, 0.0}},
      {"wristcentre", kLeftHand, {0, 0, 0}},
      {"knuckle2", kLeftHand, {0.085, 0.015, 0.03}},
      {"knuckle3", kLeftHand, {0.085, 0.02, 0.005}},
      {"knuckle5", kLeftHand, {0.075, 0.015, -0.04}},
      {"hand", kLeftHand, {0.06, 0.025, 0.0}},
      {"trochanter", kLeftUpperLeg, {0.09, 0.0, 0.0}},
      {"thigh", kLeftUpperLeg, {0.085, -0.24, 0.01}},
      {"thighfront", kLeftUpperLeg, {0.02, -0.22, 0.09}},
      {"thighback", kLeftUpperLeg, {0.02, -0.25, -0.075}},
      {"thigh1", kLeftUpperLeg, {0.085, -0.20, 0.03}},
      {"thigh2", kLeftUpperLeg, {0.085, -0.20, -0.03}},
      {"thigh3", kLeftUpperLeg, {0.075, -0.28, 0.03}},
      {"thigh4", kLeftUpperLeg, {0.075, -0.28, -0.03}},
      {"thighlow", kLeftUpperLeg, {0.03, -0.34, 0.07}},
      {"kneelat", kLeftUpperLeg, {0.055, -0.425, 0.0}},
      {"kneemed", kLeftUpperLeg, {-0.055, -0.425, 0.0}},
      {"patella", kLeftUpperLeg, {0.0, -0.41, 0.055}},
      {"kneecentre", kLeftLowerLeg, {0, 0, 0}},
      {"fibula", kLeftLowerLeg, {0.055, -0.04, -0.02}},
      {"tuberosity", kLeftLowerLeg, {0.005, -0.065, 0.05}},
      {"shank", kLeftLowerLeg, {0.05, -0.22, 0.01}},
      {"shankfront", kLeftLowerLeg, {0.0, -0.18, 0.05}},
      {"shankback", kLeftLowerLeg, {0.02, -0.16, -0.06}},
      {"shank1", kLeftLowerLeg, {0.05, -0.17, 0.025}},
      {"shank2", kLeftLowerLeg, {0.05, -0.17, -0.025}},
      {"shank3", kLeftLowerLeg, {0.045, -0.25, 0.025}},
      {"shank4", kLeftLowerLeg, {0.045, -0.25, -0.025}},
      {"anklelat", kLeftLowerLeg, {0.042, -0.42, -0.005}},
      {"anklemed", kLeftLowerLeg, {-0.038, -0.41, 0.005}},
      {"anklecentre", kLeftFoot, {0, 0, 0}},
      {"heel", kLeftFoot, {0.0, -0.045, -0.06}},
      {"heellat", kLeftFoot, {0.03, -0.045, -0.035}},
      {"heelmed", kLeftFoot, {-0.03, -0.04, -0.035}},
      {"heellow", kLeftFoot, {0.0, -0.065, -0.058}},
      {"mt1", kLeftFoot, {-0.035, -0.045, 0.13}},
      {"mt2", kLeftFoot, {0.0, -0.035, 0.135}},
      {"mt5", kLeftFoot, {0.055, -0.055, 0.105}},
      {"mt1base", kLeftFoot, {-0.03, -0.015, 0.06}},
      {"mt5base", kLeftFoot, {0.05, -0.05, 0.04}},
      {"instep", kLeftFoot, {0.0, -0.01, 0.07}},
      {"foot1", kLeftFoot, {0.02, -0.015, 0.05}},
      {"foot2", kLeftFoot, {-0.02, -0.015, 0.06}},
      {"foot3", kLeftFoot, {0.01, -0.03, 0.10}},
      {"toe", kLeftToes, {-0.005, 0.005, 0.04}},
      {"smalltoe", kLeftToes, {0.04, -0.005, 0.01}},
  };
  return places;
}

const Place& FindPlace(const std::string& name) {
  const auto found = std::ranges::find_if(
      Places(), [&](const Place& place) { return place.name == name; });
  if (found == Places().end()) throw std::invalid_argument("place " + name);
  return *found;
}

std::string Replaced(std::string text, const std::string& what,
                     const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
  return text;
}

std::string Spelled(std::string label, int spelling) {
  const auto each = [&](int (*change)(int)) {
    for (char& c : label) {
      c = static_cast<char>(change(static_cast<unsigned char>(c)));
    }
    return label;
  };
  switch (spelling) {
    case 1:
      return each(std::toupper);
    case 2:
      return each(std::tolower);
    case 3:
      return Replaced(Replaced(label, "_", "."), "~", "_");
    case 4:
      return "Subject 01:" + label;
    case 5:
      return "P03_" + label;
    case 6:
      return label + "_pos";
    default:
      return label;
  }
}

/// One marker of a laboratory on one side.
struct Marker {
  std::string label;
  int segment;
  Vector3 at;
};

std::vector<Marker> MarkersOf(const Laboratory& laboratory) {
  std::vector<Marker> markers;
  std::istringstream words(laboratory.markers);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    const std::string label = Replaced(word.substr(0, equals), "~", " ");
    std::string landmark = word.substr(equals + 1);
    const bool has_sides = label.find('%') != std::string::npos;
    // "ear.r" is one marker of the right side under a label without a side.
    bool is_right = landmark.ends_with(".r");
    if (is_right) landmark.resize(landmark.size() - 2);
    if (landmark.ends_with(".l")) landmark.resize(landmark.size() - 2);
    const Place& place = FindPlace(landmark);
    for (int side = 0; side < (has_sides ? 2 : 1); ++side) {
      const bool right = has_sides ? side == 1 : is_right;
      Vector3 at = place.at;
      if (right) at.x() = -at.x();
      markers.push_back(
          {Replaced(label, "%", right ? laboratory.right : laboratory.left),
           right ? Body()[place.segment].mirror : place.segment, at});
    }
  }
  return markers;
}

/// A body of that height; small ones have the proportions of children.
Actor MakeActor(const LaboratoryOptions& options, std::mt19937& random) {
  std::normal_distribution<double> normal(0, options.odd_bones);
  Actor actor;
  const double scale = options.height / kReferenceHeight;
  actor.scale = scale;
  const double child = std::clamp((1.6 - options.height) / 0.5, 0.0, 1.0);
  for (int j = 0; j < kNumSegments; ++j) {
    const SegmentModel& segment = Body()[j];
    if (segment.mirror < j) continue;
    double factor = scale * (1 + normal(random));
    const bool is_leg = j == kLeftLowerLeg || j == kLeftFoot;
    if (is_leg) factor *= 1 - 0.06 * child;
    if (j == kHead || j == kNeck) factor *= 1 + 0.15 * child;
    actor.p_PJ[j] = factor * segment.offset;
    actor.p_PJ[segment.mirror] = factor * Body()[segment.mirror].offset;
  }
  actor.height = EstimateHeight(actor.p_PJ, scale);
  actor.mass = EstimateMass(actor.height);
  return actor;
}

/// How skin goes with the bend of the joints at both ends of a segment: the
/// same for the same pose, of another direction for every marker.
Vector3 SkinOf(const BodyPose& pose, int segment, const Vector3& direction) {
  double bend = AngleBetween(pose.R_PJ[segment], Quaternion::Identity());
  for (int j = segment + 1; j < kNumSegments; ++j) {
    if (Body()[j].parent == segment) {
      bend = std::max(bend, AngleBetween(pose.R_PJ[j], Quaternion::Identity()));
    }
  }
  return std::min(bend, 2.0) * direction;
}

}  // namespace

LaboratoryTake MakeLaboratoryTake(const Laboratory& laboratory,
                                  const RecordedPoses& recorded,
                                  const LaboratoryOptions& options) {
  std::mt19937 random(options.seed);
  std::normal_distribution<double> normal(0, 1);
  const auto any = [&] {
    return Vector3(normal(random), normal(random), normal(random));
  };
  LaboratoryTake made;
  made.actor = MakeActor(options, random);
  std::vector<std::string> labels;
  std::vector<Vector3> skin;
  for (const Marker& marker : MarkersOf(laboratory)) {
    const bool says_nothing =
        std::uniform_real_distribution<double>(0, 1)(random) < options.nonsense;
    labels.push_back(says_nothing ? std::to_string(10 + labels.size()) + "qzz"
                                  : Spelled(marker.label, options.spelling));
    made.actor.markers.push_back(
        {labels.back(), marker.segment,
         made.actor.scale * (marker.at + options.misplaced * any())});
    made.segments.push_back(marker.segment);
    skin.push_back(options.skin * any());
  }
  made.actor.moves = MovingSegments(made.actor.markers);
  const int worn = static_cast<int>(labels.size());
  if (options.has_prop) {
    for (int k = 0; k < 4; ++k) {
      labels.push_back(Spelled("Box" + std::to_string(k + 1),
                               options.spelling == 4 ? 4 : 0));
      made.segments.push_back(-1);
    }
  }
  const auto frames = static_cast<std::int64_t>(recorded.poses.size());
  made.take = MarkerTake(labels, frames, recorded.rate_hz);
  made.take.origin.axes_decision = Decision::kFile;
  BodyKinematics kinematics;
  const double stride = made.actor.scale / recorded.scale;
  for (std::int64_t t = 0; t < frames; ++t) {
    made.poses.push_back(recorded.poses[std::size_t(t)]);
    BodyPose& pose = made.poses.back();
    pose.p_WR *= stride;
    kinematics.Update(made.actor.p_PJ, pose);
    for (int m = 0; m < worn; ++m) {
      const ActorMarker& marker = made.actor.markers[std::size_t(m)];
      const int j = marker.segment;
      made.take.SetPosition(
          t, m,
          kinematics.p_WJ[j] +
              kinematics.R_WJ[j] *
                  (marker.p_JM + SkinOf(pose, j, skin[std::size_t(m)])) +
              options.noise * any());
    }
    for (int k = worn; k < static_cast<int>(labels.size()); ++k) {
      const double s = 0.02 * double(t);
      const Quaternion R = ExpRotation({0, s, 0.2 * std::sin(s)});
      const Vector3 corner(0.1 * (k % 2), 0.15 * (k / 2 % 2), 0.05 * (k % 3));
      made.take.SetPosition(t, k,
                            Vector3(0.9, 0.8, 0.4 * std::sin(s)) + R * corner);
    }
  }
  TakeFaults faults;
  faults.gap_share = options.gaps;
  faults.gap_seconds = 0.3;
  faults.swaps = options.swaps;
  faults.ghosts = options.ghosts;
  faults.seed = options.seed;
  AddFaults(faults, made.take);
  made.segments.resize(std::size_t(made.take.num_markers()), -1);
  return made;
}

}  // namespace limber::test
