// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/file.h"
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

void GuessUnit(double size, int num_joints, BvhUnitsGuess& guess) {
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
    guess.unit_reason = "the rest pose measures " + Text(size) +
                        " units, which in " + unit.name + " is a person of " +
                        Text(size * unit.metres * 100.0) + " cm";
    return;
  }
  guess.unit_reason = "the rest pose measures " + Text(size) +
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

void GuessUp(const figure::Motion& motion, double size, BvhUnitsGuess& guess) {
  const figure::Skeleton& skeleton = motion.skeleton();
  std::array<int, 3> fitting = {0, 0, 0};
  for (std::int64_t frame = 0; frame < motion.num_frames(); ++frame) {
    const std::vector<Transform> X_WJ =
        figure::WorldTransforms(skeleton, motion.pose(frame));
    Vector3 lowest = X_WJ[0].p;
    for (const Transform& X : X_WJ) lowest = lowest.cwiseMin(X.p);
    for (const Vector3& p : figure::SitePositions(skeleton, X_WJ)) {
      lowest = lowest.cwiseMin(p);
    }
    for (int axis = 0; axis < 3; ++axis) {
      const double root = X_WJ[0].p[axis] - lowest[axis];
      if (std::abs(lowest[axis]) <= kFloorBand * size &&
          root >= kRootLow * size && root <= kRootHigh * size) {
        ++fitting[static_cast<std::size_t>(axis)];
      }
    }
  }
  // Y first: it wins where others are as good.
  int best = 1;
  for (const int axis : {2, 0}) {
    if (fitting[static_cast<std::size_t>(axis)] >
        fitting[static_cast<std::size_t>(best)]) {
      best = axis;
    }
  }
  const int count = fitting[static_cast<std::size_t>(best)];
  const std::int64_t frames = motion.num_frames();
  guess.up_sure =
      frames > 0 && count >= kSureShare * static_cast<double>(frames);
  if (!guess.up_sure) {
    guess.units.up = UpAxis::kY;
    guess.up_reason =
        frames == 0 ? "there are no frames to judge by; taking Y, as most files"
                    : "no axis has the lowest joint near 0 and the root above "
                      "it in most frames; taking Y, as most files";
    return;
  }
  guess.units.up = static_cast<UpAxis>(best);
  guess.up_reason = "along " + std::string(ToString(guess.units.up)) +
                    " the lowest joint is near 0 and the root half a body "
                    "above it in " +
                    std::to_string(count) + " of " + std::to_string(frames) +
                    " frames looked at";
}

}  // namespace

BvhUnitsGuess GuessBvhUnits(const BvhDocument& document) {
  const figure::Motion motion = SampledMotion(document);
  const double size = figure::RestExtent(motion.skeleton()).maxCoeff();
  BvhUnitsGuess guess = {};
  GuessUnit(size, motion.skeleton().num_joints(), guess);
  GuessUp(motion, size, guess);
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
