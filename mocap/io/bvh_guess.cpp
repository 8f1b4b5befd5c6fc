// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/file.h"
#include "figure/body_plan.h"
#include "figure/joint_names.h"
#include "figure/working_rig.h"
#include "mocap/io/bvh.h"
#include "mocap/io/internal/text.h"

namespace limber::mocap {

namespace {

using figure::UpAxis;

// A length unit that BVH files use, and the sizes in it that are taken for a
// person (at 1 unit = that many metres: about 0.9 m to 2.5 m, cut where the
// next unit is more likely).
struct UnitCandidate {
  const char* name;
  double metres;
  double smallest;
  double largest;
};

constexpr std::array<UnitCandidate, 5> kUnits = {{
    {"m", 1.0, 0.9, 2.5},
    {"inch/0.45 (CMU)", 0.0254 / 0.45, 18.0, 43.0},
    {"inch", 0.0254, 43.0, 90.0},
    {"cm", 0.01, 90.0, 250.0},
    {"mm", 0.001, 900.0, 2500.0},
}};

// A skeleton with fewer joints is no person, and its size says nothing.
constexpr int kFewestJoints = 10;

// Frames looked at, spread over the motion.
constexpr std::int64_t kSamples = 64;

// Of a standing or moving person's size, along the true up axis: the lowest
// joint is this near to 0, and the root this far above it.
constexpr double kFloorBand = 0.15;
constexpr double kRootLow = 0.35;
constexpr double kRootHigh = 0.75;
// Share of the frames for which that must hold.
constexpr double kSureShare = 0.5;

std::string Text(double value) {
  std::string text;
  internal::AppendFixed(text, value, 1);
  return text;
}

/// A length that says how tall the body is, and how it was measured.
struct BodySize {
  double units = 0.0;  ///< [file units]
  std::string what = "the rest pose measures ";
};

void GuessUnit(const BodySize& body, int num_joints, BvhUnitsGuess& guess) {
  const double size = body.units;
  guess.units.metres_per_unit = 0.01;
  guess.unit_name = "cm";
  if (num_joints < kFewestJoints) {
    guess.unit_reason = "a skeleton of " + std::to_string(num_joints) +
                        " joints has no known size; taking the most common "
                        "unit, cm";
    return;
  }
  for (const UnitCandidate& unit : kUnits) {
    if (size < unit.smallest || size >= unit.largest) continue;
    guess.units.metres_per_unit = unit.metres;
    guess.unit_name = unit.name;
    guess.unit_sure = true;
    guess.unit_reason = body.what + Text(size) + " units, which in " +
                        unit.name + " is a person of " +
                        Text(size * unit.metres * 100.0) + " cm";
    return;
  }
  guess.unit_reason = body.what + Text(size) +
                      " units, which is the size of a person in no unit that "
                      "BVH files use; taking the most common one, cm";
}

// Copies some frames into a motion in file units and axes.
figure::Motion SampledMotion(const BvhDocument& document) {
  BvhDocument some;
  some.joints = document.joints;
  some.sites = document.sites;
  some.channels = document.channels;
  some.rate_hz = document.rate_hz;
  const std::size_t width = document.channels.size();
  some.num_frames = std::min(kSamples, document.num_frames);
  for (std::int64_t i = 0; i < some.num_frames; ++i) {
    const std::int64_t frame = i * document.num_frames / some.num_frames;
    const auto row =
        document.values.begin() +
        static_cast<std::ptrdiff_t>(static_cast<std::size_t>(frame) * width);
    some.values.insert(some.values.end(), row,
                       row + static_cast<std::ptrdiff_t>(width));
  }
  return MakeMotion(std::move(some), {1.0, UpAxis::kY});
}

/// What the frames say about each axis: in how many of them it can be up.
struct UpEvidence {
  /// The lowest joint is near 0 along it and the pelvis half a body above.
  std::array<int, 3> stands = {0, 0, 0};
  /// The head is above the hips and the hips above the feet along it.
  std::array<int, 3> upright = {0, 0, 0};
  int lies_on_floor = 0;  ///< The whole body is near y = 0.
  std::int64_t num_frames = 0;
};

UpEvidence CollectUpEvidence(const figure::Motion& motion,
                             const std::vector<figure::Role>& roles,
                             double size) {
  using figure::Role;
  const figure::Skeleton& skeleton = motion.skeleton();
  const int pelvis = std::max(0, figure::FindRole(roles, Role::kPelvis));
  int top = figure::FindRole(roles, Role::kHead);
  if (top < 0) top = figure::FindRole(roles, Role::kNeck);
  const int left = figure::FindRole(roles, Role::kLeftFoot);
  const int right = figure::FindRole(roles, Role::kRightFoot);
  UpEvidence evidence;
  evidence.num_frames = motion.num_frames();
  for (std::int64_t frame = 0; frame < motion.num_frames(); ++frame) {
    const std::vector<Transform> X_WJ =
        figure::WorldTransforms(skeleton, motion.pose(frame));
    Vector3 lowest = X_WJ[pelvis].p;
    Vector3 highest = lowest;
    const auto include = [&](const Vector3& p) {
      lowest = lowest.cwiseMin(p);
      highest = highest.cwiseMax(p);
    };
    // Joints above the pelvis are no part of the body.
    for (int joint = pelvis; joint < skeleton.num_joints(); ++joint) {
      include(X_WJ[joint].p);
    }
    for (const Vector3& p : figure::SitePositions(skeleton, X_WJ)) include(p);
    const bool has_body = top >= 0 && left >= 0 && right >= 0;
    const Vector3 hips = X_WJ[pelvis].p;
    const Vector3 trunk =
        has_body ? (X_WJ[top].p - hips).normalized() : Vector3::Zero();
    const Vector3 legs =
        has_body ? (hips - 0.5 * (X_WJ[left].p + X_WJ[right].p)).normalized()
                 : Vector3::Zero();
    for (int axis = 0; axis < 3; ++axis) {
      const double root = hips[axis] - lowest[axis];
      const auto i = static_cast<std::size_t>(axis);
      if (std::abs(lowest[axis]) <= kFloorBand * size &&
          root >= kRootLow * size && root <= kRootHigh * size) {
        ++evidence.stands[i];
      }
      // Within 45 degrees, trunk and legs both.
      if (std::min(trunk[axis], legs[axis]) > std::sqrt(0.5)) {
        ++evidence.upright[i];
      }
    }
    if (std::abs(lowest.y()) <= kFloorBand * size &&
        highest.y() <= kRootLow * size) {
      ++evidence.lies_on_floor;
    }
  }
  return evidence;
}

/// The axis with the largest count; Y wins where others are as good.
int BestAxis(const std::array<int, 3>& counts) {
  int best = 1;
  for (const int axis : {2, 0}) {
    if (counts[static_cast<std::size_t>(axis)] >
        counts[static_cast<std::size_t>(best)]) {
      best = axis;
    }
  }
  return best;
}

void GuessUp(const UpEvidence& evidence, BvhUnitsGuess& guess) {
  const std::int64_t frames = evidence.num_frames;
  const auto most = static_cast<double>(frames);
  guess.units.up = UpAxis::kY;
  if (frames == 0) {
    guess.up_reason =
        "there are no frames to judge by; taking Y, as most files";
    return;
  }
  const int stands = BestAxis(evidence.stands);
  const int upright = BestAxis(evidence.upright);
  const auto count_of = [](const std::array<int, 3>& counts, int axis) {
    return counts[static_cast<std::size_t>(axis)];
  };
  const auto of_frames = [frames](int count) {
    return std::to_string(count) + " of " + std::to_string(frames) +
           " frames looked at";
  };
  if (count_of(evidence.stands, stands) >= kSureShare * most) {
    guess.up_sure = true;
    guess.units.up = static_cast<UpAxis>(stands);
    guess.up_reason = "along " + std::string(ToString(guess.units.up)) +
                      " the lowest joint is near 0 and the root half a body "
                      "above it in " +
                      of_frames(count_of(evidence.stands, stands));
    return;
  }
  // A body that lies on the floor y = 0 all the time really lies.
  if (count_of(evidence.upright, upright) >= kSureShare * most &&
      evidence.lies_on_floor < kSureShare * most) {
    guess.up_sure = true;
    guess.units.up = static_cast<UpAxis>(upright);
    guess.up_reason = "along " + std::string(ToString(guess.units.up)) +
                      " the head is above the hips and the hips above the "
                      "feet in " +
                      of_frames(count_of(evidence.upright, upright));
    return;
  }
  guess.up_reason =
      "no axis has the lowest joint near 0 and the root above it in most "
      "frames; taking Y, as most files";
}

/// How tall the body is [file units]: the extent of the rest pose; where that
/// is no pose of a body or the bones are said by channels alone, twice the
/// length of the legs, which is a body's height within a tenth.
BodySize MeasureBody(const figure::Motion& motion,
                     const std::vector<figure::Role>& roles) {
  const figure::WorkingRig rig = figure::MakeWorkingRig(motion, roles);
  const double extent = figure::RestExtent(motion.skeleton()).maxCoeff();
  if (rig.skeleton == rig.own) return {extent};
  const auto plan = figure::MakeBodyPlan(*rig.skeleton, roles);
  if (!plan) return {extent};
  return {2.0 * plan->leg_length, "twice the legs measure "};
}

}  // namespace

BvhUnitsGuess GuessBvhUnits(const BvhDocument& document) {
  const figure::Motion motion = SampledMotion(document);
  const std::vector<figure::Role> roles =
      figure::RecogniseRoles(motion.skeleton());
  const BodySize size = MeasureBody(motion, roles);
  BvhUnitsGuess guess = {};
  GuessUnit(size, motion.skeleton().num_joints(), guess);
  GuessUp(CollectUpEvidence(motion, roles, size.units), guess);
  return guess;
}

Result<figure::Motion> ReadBvhFileGuessed(const std::filesystem::path& path,
                                          const BvhReadOptions& options) {
  const Result<std::string> text = ReadWholeFile(path);
  if (!text) return Result<figure::Motion>(text.diagnostics());
  BvhReadOptions named = options;
  if (named.file.empty()) named.file = PathText(path);
  Result<BvhDocument> document = ParseBvh(*text, named);
  if (!document) return Result<figure::Motion>(document.diagnostics());
  Diagnostics diagnostics = document.diagnostics();
  const BvhUnits units = GuessBvhUnits(*document).units;
  return {MakeMotion(std::move(document).value(), units),
          std::move(diagnostics)};
}

}  // namespace limber::mocap
