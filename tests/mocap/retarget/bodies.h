// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/angle.h"
#include "core/file.h"
#include "figure/figure_file.h"
#include "figure/motion.h"
#include "mocap/io/bvh.h"
#include "mocap/retarget/proportions.h"
#include "mocap/retarget/retarget.h"
#include "tests/support/test_data.h"

namespace limber::test {

inline constexpr double kDegree = kRadiansPerDegree;

/// Reads a BVH with the guessed unit and axis, as the program does.
inline figure::Motion ReadClip(const std::filesystem::path& path) {
  auto document =
      mocap::ParseBvh(ReadWholeFile(path).value(), {.file = path.string()});
  const mocap::BvhUnits units = mocap::GuessBvhUnits(document.value()).units;
  return mocap::MakeMotion(std::move(document).value(), units);
}

inline figure::Motion BundledClip(const std::string& name) {
  return ReadClip(SourceDir() / "data/clips" / name);
}

inline mocap::HumanBody BundledBody(const std::string& name) {
  auto figure =
      figure::ReadFigureFile(SourceDir() / "data/figures" / (name + ".json"));
  return *mocap::MakeBody(
      std::make_shared<const figure::FigureModel>(std::move(figure).value()));
}

inline mocap::HumanBody Scaled(const mocap::HumanBody& body,
                               const std::string& text) {
  std::string error;
  return mocap::WithProportions(body,
                                mocap::ParseProportions(text, error).value());
}

/// Frames [begin, end) of a clip.
inline figure::Motion Cut(const figure::Motion& motion, std::int64_t begin,
                          std::int64_t end) {
  figure::Motion part(motion.shared_skeleton(), motion.rate_hz());
  for (std::int64_t i = begin; i < end; ++i) part.Append(motion.pose(i));
  return part;
}

/// Farthest two clips of one skeleton are apart.
struct Difference {
  double angle = 0.0;  ///< Of R_PJ [rad].
  double place = 0.0;  ///< Of p_WJ [m].
};
inline Difference Compare(const figure::Motion& a, const figure::Motion& b,
                          std::int64_t from = 0, double scale = 1.0) {
  Difference worst;
  for (std::int64_t i = from; i < a.num_frames(); ++i) {
    const figure::Pose pose_a = a.pose(i);
    const figure::Pose pose_b = b.pose(i);
    const auto X_a = figure::WorldTransforms(a.skeleton(), pose_a);
    const auto X_b = figure::WorldTransforms(b.skeleton(), pose_b);
    for (std::size_t j = 0; j < X_a.size(); ++j) {
      worst.angle = std::max(worst.angle,
                             AngleBetween(pose_a.X_PJ[j].R, pose_b.X_PJ[j].R));
      worst.place = std::max(worst.place, (scale * X_a[j].p - X_b[j].p).norm());
    }
  }
  return worst;
}

/// Names of the 22 joints of a body in the order of `MakePerson`.
using PersonNames = std::array<std::string, 22>;

/// A person of 1.7 m in a T-pose who faces +Z: hips; spine, chest; neck, head;
/// left clavicle, upper arm, forearm, hand; the same right; left thigh, shank,
/// foot, toes; the same right.
inline std::shared_ptr<const figure::Skeleton> MakePerson(
    const PersonNames& names) {
  std::vector<figure::Joint> joints = {
      {names[0], -1, {0, 0.95, 0}},      {names[1], 0, {0, 0.12, 0}},
      {names[2], 1, {0, 0.2, 0}},        {names[3], 2, {0, 0.2, 0}},
      {names[4], 3, {0, 0.1, 0}},        {names[5], 2, {0.04, 0.15, 0}},
      {names[6], 5, {0.13, 0, 0}},       {names[7], 6, {0.28, 0, 0}},
      {names[8], 7, {0.25, 0, 0}},       {names[9], 2, {-0.04, 0.15, 0}},
      {names[10], 9, {-0.13, 0, 0}},     {names[11], 10, {-0.28, 0, 0}},
      {names[12], 11, {-0.25, 0, 0}},    {names[13], 0, {0.09, -0.02, 0}},
      {names[14], 13, {0, -0.42, 0}},    {names[15], 14, {0, -0.43, 0}},
      {names[16], 15, {0, -0.06, 0.13}}, {names[17], 0, {-0.09, -0.02, 0}},
      {names[18], 17, {0, -0.42, 0}},    {names[19], 18, {0, -0.43, 0}},
      {names[20], 19, {0, -0.06, 0.13}}, {names[21], 4, {0, 0.1, 0}}};
  std::vector<figure::Site> sites = {{"", 8, {0.15, 0, 0}},
                                     {"", 12, {-0.15, 0, 0}},
                                     {"", 16, {0, 0, 0.07}},
                                     {"", 20, {0, 0, 0.07}}};
  return figure::Skeleton::Make(std::move(joints), std::move(sites));
}

}  // namespace limber::test
