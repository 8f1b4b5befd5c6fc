// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// What data/README.md says of the bundled clips. The files are these clips:
// tests/app/data_test.cpp makes them again and compares.
#include "tools/bundled_clips.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "figure/pose.h"
#include "tools/bundled_figures.h"

namespace limber {
namespace {

using figure::Motion;

std::size_t At(std::int64_t index) { return static_cast<std::size_t>(index); }

const Puppet& Adult() {
  static const Puppet puppet(MakePerson(Person()));
  return puppet;
}

const Motion& Clip(const std::string& name) {
  static const std::vector<BundledClip> clips = MakeBundledClips(Adult());
  const auto found = std::ranges::find(clips, name, &BundledClip::name);
  return found->motion;
}

constexpr std::array kNames = {"walk",  "run",  "wave", "bow",
                               "squat", "jump", "turn", "sit"};

/// Places of the contact sites of the feet in every frame, by name.
std::vector<std::map<std::string, Vector3>> Soles(const Motion& clip) {
  std::vector<std::map<std::string, Vector3>> frames;
  for (std::int64_t f = 0; f < clip.num_frames(); ++f) {
    const auto X_WJ = figure::WorldTransforms(clip.skeleton(), clip.pose(f));
    std::map<std::string, Vector3>& places = frames.emplace_back();
    for (const figure::FigureSite& site : Adult().figure().contacts) {
      if (site.name.find("hand") != std::string::npos) continue;
      places[site.name] = X_WJ[At(site.joint)] * site.offset;
    }
  }
  return frames;
}

TEST(BundledClips, NoSoleIsBelowTheFloor) {
  for (const char* name : kNames) {
    for (const auto& places : Soles(Clip(name))) {
      for (const auto& [site, p] : places) {
        ASSERT_GE(p.y(), -0.002) << name << ", " << site;
      }
    }
  }
}

TEST(BundledClips, FeetOfStandingClipsNeverMove) {
  for (const char* name : {"wave", "bow", "squat", "sit"}) {
    const auto frames = Soles(Clip(name));
    for (const auto& places : frames) {
      for (const auto& [site, p] : places) {
        EXPECT_LT((p - frames[0].at(site)).norm(), 0.0005) << name << site;
        EXPECT_LT(std::abs(p.y()), 0.001);
      }
    }
  }
}

// The heel stands from contact to foot flat, the sole to heel off, the ball of
// the foot to toe off.
TEST(BundledClips, StanceFootOfTheWalkStays) {
  const Motion& walk = Clip("walk");
  const auto frames = Soles(walk);
  struct Stand {
    const char* site;
    double from;
    double to;
  };
  int checked = 0;
  for (const bool left : {true, false}) {
    const std::string side = left ? "left" : "right";
    for (const Stand& stand :
         {Stand{"-foot heel", 0.0, 0.33}, Stand{"-toes tip", 0.13, 0.61},
          Stand{"-foot ball inside", 0.13, 0.33}}) {
      for (std::size_t f = 0; f + 1 < frames.size(); ++f) {
        double phase =
            static_cast<double>(f) / walk.rate_hz() / kStrideSeconds +
            (left ? 0.0 : 0.5);
        phase -= std::floor(phase);
        if (phase < stand.from || phase > stand.to) continue;
        const Vector3& p = frames[f].at(side + stand.site);
        const Vector3& next = frames[f + 1].at(side + stand.site);
        EXPECT_LT((next - p).norm(), 0.0005) << side << stand.site << phase;
        EXPECT_LT(std::abs(p.y()), 0.001) << side << stand.site << phase;
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 1000);
}

TEST(BundledClips, LoopsEndAsTheyBegin) {
  for (const char* name : {"walk", "run", "wave", "bow", "squat"}) {
    const Motion& clip = Clip(name);
    const std::int64_t last = clip.num_frames() - 1;
    const std::span<const double> first = clip.row(0);
    const std::span<const double> end = clip.row(last);
    for (std::size_t k = 0; k < first.size(); ++k) {
      // A walk ends farther along z.
      if (std::string(name) == "walk" && k == 2) continue;
      EXPECT_NEAR(first[k], end[k], 1e-5) << name << " channel " << k;
      // Curved at the seam as beside it: speed and acceleration go on. A break
      // of the speed would be ten times this.
      const auto bend = [](double a, double b, double c) {
        return a - 2.0 * b + c;
      };
      const double seam = bend(clip.row(last - 1)[k], first[k], clip.row(1)[k]);
      const double after = bend(first[k], clip.row(1)[k], clip.row(2)[k]);
      const double before =
          bend(clip.row(last - 2)[k], clip.row(last - 1)[k], end[k]);
      EXPECT_LT(std::min(std::abs(seam - after), std::abs(seam - before)),
                0.0025)
          << name << " channel " << k;
    }
  }
}

TEST(BundledClips, StayWithinTheLimitsOfTheAdult) {
  const figure::FigureModel& adult = Adult().figure();
  for (const char* name : kNames) {
    const Motion& clip = Clip(name);
    for (std::int64_t f = 0; f < clip.num_frames(); ++f) {
      const figure::Pose pose = clip.pose(f);
      for (const figure::FigureSegment& segment : adult.segments) {
        if (segment.parent < 0) continue;
        const figure::AnchorAngles angles = figure::MeasureAnchor(
            segment.anchor, pose.X_PJ[At(segment.joint)].R);
        ASSERT_LT(angles.rest, 0.001) << name << segment.name;
        for (int k = 0; k < segment.anchor.num_axes(); ++k) {
          const figure::AnchorAxis& axis = segment.anchor.axes[At(k)];
          ASSERT_GE(angles.q[At(k)], axis.lower)
              << name << " " << segment.name << " axis " << k << " frame " << f;
          ASSERT_LE(angles.q[At(k)], axis.upper)
              << name << " " << segment.name << " axis " << k << " frame " << f;
        }
      }
    }
  }
}

TEST(BundledClips, MassCentreOfTheJumpFallsFreelyInTheAir) {
  const Motion& jump = Clip("jump");
  const double h = 1.0 / jump.rate_hz();
  const auto frames = Soles(jump);
  const auto centre = [&](std::int64_t f) {
    return Adult().MassCentre(jump.pose(f));
  };
  int in_air = 0;
  double highest = 0.0;
  for (std::int64_t f = 1; f + 1 < jump.num_frames(); ++f) {
    double lowest = 1.0;
    for (const std::int64_t g : {f - 1, f, f + 1}) {
      for (const auto& [site, p] : frames[At(g)]) {
        lowest = std::min(lowest, p.y());
      }
    }
    highest = std::max(highest, lowest);
    if (lowest < 0.004) continue;
    ++in_air;
    const Vector3 a =
        (centre(f + 1) - 2.0 * centre(f) + centre(f - 1)) / (h * h);
    // Channels are rounded to 1e-5 m: up to 0.3 m/s^2 in a second difference.
    EXPECT_LT((a - Vector3(0.0, -kGravity, 0.0)).norm(), 0.5) << f;
  }
  EXPECT_GT(in_air, 40);
  EXPECT_GT(highest, 0.15);
}

// Joint angles of the walk against the normative curves it is made from.
TEST(BundledClips, WalkFollowsTheNormativeAngles) {
  const Motion& walk = Clip("walk");
  const figure::Skeleton& skeleton = walk.skeleton();
  const int hip = skeleton.Find("LeftUpLeg");
  const int knee = skeleton.Find("LeftLeg");
  const int ankle = skeleton.Find("LeftFoot");
  double thigh_sum = 0.0;
  double knee_sum = 0.0;
  const int frames = 132;
  for (int f = 0; f < frames; ++f) {
    const auto X_WJ = figure::WorldTransforms(skeleton, walk.pose(f));
    const auto tilt = [&](int a, int b) {
      const Vector3 d = X_WJ[At(b)].p - X_WJ[At(a)].p;
      return std::atan2(d.z(), -d.y()) * 180.0 / kPi;
    };
    const NormalGait norm = NormalGaitAt(f / double{frames});
    const double thigh = tilt(hip, knee);
    thigh_sum += std::pow(thigh - norm.thigh, 2);
    knee_sum += std::pow(thigh - tilt(knee, ankle) - norm.knee, 2);
  }
  EXPECT_LT(std::sqrt(thigh_sum / frames), 7.0);
  EXPECT_LT(std::sqrt(knee_sum / frames), 11.0);
  RecordProperty("thigh_rms_deg",
                 std::to_string(std::sqrt(thigh_sum / frames)));
  RecordProperty("knee_rms_deg", std::to_string(std::sqrt(knee_sum / frames)));
  const double length = walk.row(walk.num_frames() - 1)[2] - walk.row(0)[2];
  EXPECT_NEAR(length / walk.duration(), 1.17, 0.1);
}

TEST(BundledClips, NoJointIsJerked) {
  for (const char* name : kNames) {
    const Motion& clip = Clip(name);
    const double h = 1.0 / clip.rate_hz();
    std::vector<std::vector<Transform>> X_WJ;
    for (std::int64_t f = 0; f < clip.num_frames(); ++f) {
      X_WJ.push_back(figure::WorldTransforms(clip.skeleton(), clip.pose(f)));
    }
    for (std::size_t f = 1; f + 1 < X_WJ.size(); ++f) {
      for (std::size_t j = 0; j < X_WJ[f].size(); ++j) {
        const Vector3 a =
            (X_WJ[f + 1][j].p - 2.0 * X_WJ[f][j].p + X_WJ[f - 1][j].p) /
            (h * h);
        ASSERT_LT(a.norm(), 150.0) << name << " joint " << j << " frame " << f;
      }
    }
  }
}

}  // namespace
}  // namespace limber
