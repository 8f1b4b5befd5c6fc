// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// The anatomical limits against what real people do.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "core/angle.h"
#include "figure/make_figure.h"
#include "mocap/io/bvh.h"
#include "tests/support/test_data.h"

namespace limber::mocap {
namespace {

std::size_t At(std::int64_t index) { return static_cast<std::size_t>(index); }

constexpr double kCmuUnit = 0.0254 / 0.45;  // [m]

const std::vector<const char*>& Clips() {
  static const std::vector<const char*> clips = {
      "cmu/02/02_01.bvh",   "cmu/07/07_01.bvh", "cmu/09/09_06.bvh",
      "cmu/131/131_04.bvh", "cmu/16/16_07.bvh", "cmu/49/49_06.bvh",
      "cmu/85/85_02.bvh"};
  return clips;
}

/// The largest angle beyond a limit, and the largest rotation that a joint
/// kind cannot follow, by role [degrees], over all frames of a clip.
std::map<std::string, std::array<double, 4>> Violations(
    const figure::Motion& clip, const figure::FigureModel& figure) {
  std::map<std::string, std::array<double, 4>> worst;
  figure::Pose pose;
  for (std::int64_t f = 0; f < clip.num_frames(); ++f) {
    clip.GetPose(f, pose);
    for (const figure::FigureSegment& segment : figure.segments) {
      if (segment.parent < 0) continue;
      Quaternion R = pose.X_PJ[At(segment.joint)].R;
      const int origin = figure.segments[At(segment.parent)].joint;
      for (int j = clip.skeleton().joint(segment.joint).parent; j != origin;
           j = clip.skeleton().joint(j).parent) {
        R = pose.X_PJ[At(j)].R * R;
      }
      const figure::AnchorAngles angles =
          figure::MeasureAnchor(segment.anchor, R);
      std::array<double, 4>& entry = worst[segment.name];
      for (int k = 0; k < segment.anchor.num_axes(); ++k) {
        const figure::AnchorAxis& axis = segment.anchor.axes[At(k)];
        const double over = std::max(axis.lower - angles.q[At(k)],
                                     angles.q[At(k)] - axis.upper);
        entry[At(k)] = std::max(entry[At(k)], Degrees(over));
      }
      entry[3] = std::max(entry[3], Degrees(angles.rest));
    }
  }
  return worst;
}

// Walks and runs stay within the limits of any figure; acrobats, whose rest
// pose also has its own idea of a straight foot, leave them by 20 degrees at
// most.
TEST(FigureOfARealClip, LimitsAreThoseOfRealPeople) {
  LIMBER_NEEDS_REAL_DATA();
  for (const std::string name : Clips()) {
    const bool is_acrobatic = name.find("131_04") != std::string::npos ||
                              name.find("49_06") != std::string::npos ||
                              name.find("85_02") != std::string::npos;
    const figure::Motion clip =
        ReadBvhFile(test::RealData(name), {kCmuUnit, figure::UpAxis::kY})
            .value();
    const figure::FigureModel figure =
        figure::MakeFigure(clip.shared_skeleton()).value();
    for (const auto& [segment, over] : Violations(clip, figure)) {
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_LT(over[k], is_acrobatic ? 20.0 : 1.0)
            << name << " " << segment << " axis " << k;
      }
    }
  }
}

// A figure that is made for a clip can play it: no kind is too narrow, no limit
// too tight.
TEST(FigureOfARealClip, FittedToTheClipFollowsItWhole) {
  LIMBER_NEEDS_REAL_DATA();
  for (const char* name : Clips()) {
    const figure::Motion clip =
        ReadBvhFile(test::RealData(name), {kCmuUnit, figure::UpAxis::kY})
            .value();
    figure::FigureOptions options;
    options.clip = &clip;
    const figure::FigureModel figure =
        figure::MakeFigure(clip.shared_skeleton(), options).value();
    for (const auto& [segment, over] : Violations(clip, figure)) {
      for (const double degrees : over) {
        EXPECT_LT(degrees, 1.01) << name << " " << segment;
      }
    }
  }
}

}  // namespace
}  // namespace limber::mocap
