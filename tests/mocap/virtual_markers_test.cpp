// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/virtual_markers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "figure/pose.h"
#include "tools/bundled_clips.h"
#include "tools/bundled_figures.h"

namespace limber::mocap {
namespace {

const Puppet& Adult() {
  static const Puppet puppet(MakePerson(Person()));
  return puppet;
}
const figure::Motion& Walk() {
  static const figure::Motion walk = MakeWalk(Adult());
  return walk;
}
MarkerTake WalkTake() {
  return MakeVirtualTake(Walk(), MarkerSitesOf(Adult().figure(), "cmu41"));
}

TEST(VirtualMarkers, SetsHaveTheirLabels) {
  std::set<std::string> cmu;
  for (const auto& site : MarkerSitesOf(Adult().figure(), "cmu41")) {
    cmu.insert(site.name);
  }
  EXPECT_EQ(cmu.size(), 41u);
  for (const char* label : {"C7", "CLAV", "STRN", "T10", "RBAC", "LFWT", "RMT5",
                            "LHEE", "RFIN", "LSHN", "RFHD", "LUPA"}) {
    EXPECT_TRUE(cmu.contains(label)) << label;
  }
  std::set<std::string> pig;
  for (const auto& site : MarkerSitesOf(Adult().figure(), "pig39")) {
    pig.insert(site.name);
  }
  EXPECT_EQ(pig.size(), 39u);
  EXPECT_TRUE(pig.contains("LASI"));
  EXPECT_FALSE(pig.contains("LMT5"));
  EXPECT_THROW(MarkerSitesOf(Adult().figure(), "cmu42"), std::invalid_argument);
}

// V-40: virtual markers made from a clip move rigidly with its joints.
TEST(VirtualMarkers, KeepTheirDistanceOnASegmentAndLieNearTheBody) {
  const MarkerTake take = WalkTake();
  const auto distance = [&](std::int64_t frame, const char* a, const char* b) {
    return (take.Position(frame, take.FindMarker(a).value()) -
            take.Position(frame, take.FindMarker(b).value()))
        .norm();
  };
  for (std::int64_t f = 0; f < take.num_frames(); ++f) {
    for (const auto& [a, b] :
         {std::pair("LFWT", "RBWT"), std::pair("LTHI", "LKNE"),
          std::pair("RHEE", "RTOE"), std::pair("LFHD", "RBHD"),
          std::pair("RWRA", "RWRB")}) {
      EXPECT_NEAR(distance(f, a, b), distance(0, a, b), 1e-9) << a << b;
    }
    // Left is left: facing +Z, +X.
    EXPECT_GT(take.Position(f, *take.FindMarker("LFWT")).x(),
              take.Position(f, *take.FindMarker("RFWT")).x());
    EXPECT_GT(take.Position(f, *take.FindMarker("LFWT")).z(),
              take.Position(f, *take.FindMarker("LBWT")).z());
    for (int m = 0; m < take.num_markers(); ++m) {
      EXPECT_GT(take.Position(f, m).y(), 0.0) << take.labels()[std::size_t(m)];
    }
  }
}

TEST(AddFaults, NoiseHasTheDeviationAsked) {
  MarkerTake take = WalkTake();
  const MarkerTake clean = take;
  AddFaults({.noise = 0.001}, take);
  double sum = 0.0;
  for (std::size_t i = 0; i < take.positions().size(); ++i) {
    sum += std::pow(take.positions()[i] - clean.positions()[i], 2);
  }
  const double count = static_cast<double>(take.positions().size());
  EXPECT_NEAR(std::sqrt(sum / count), 0.001, 0.00002);
}

TEST(AddFaults, GapsHaveShareAndLengthAsked) {
  MarkerTake take = WalkTake();
  const FaultReport report =
      AddFaults({.gap_share = 0.2, .gap_seconds = 0.5}, take);
  EXPECT_NEAR(take.gap_fraction(), 0.2, 0.001);
  EXPECT_GT(report.missing_samples, 0);
  int shorter = 0;
  for (const Gap& gap : take.Gaps()) {
    EXPECT_LE(gap.num_frames, 60);
    shorter += gap.num_frames < 60 ? 1 : 0;
  }
  EXPECT_LE(shorter, 1);  // the last one fills up
}

TEST(AddFaults, SwapTradesTwoMarkersAndGhostsAreUnlabelled) {
  MarkerTake take = WalkTake();
  const MarkerTake clean = take;
  const FaultReport report = AddFaults({.swaps = 1, .ghosts = 3}, take);
  ASSERT_EQ(report.swaps.size(), 1u);
  const FaultReport::Swap& swap = report.swaps[0];
  EXPECT_EQ(take.Position(swap.first_frame, swap.first),
            clean.Position(swap.first_frame, swap.second));
  EXPECT_EQ(take.Position(swap.first_frame - 1, swap.first),
            clean.Position(swap.first_frame - 1, swap.first));
  EXPECT_EQ(take.num_markers(), 44);
  EXPECT_EQ(take.labels()[41], "*1");
}

TEST(AddFaults, SameSeedSameFaults) {
  const TakeFaults faults = {
      .noise = 0.002, .gap_share = 0.1, .swaps = 2, .ghosts = 2, .seed = 9};
  MarkerTake a = WalkTake();
  MarkerTake b = WalkTake();
  AddFaults(faults, a);
  AddFaults(faults, b);
  ASSERT_EQ(a.positions().size(), b.positions().size());
  for (std::size_t i = 0; i < a.positions().size(); ++i) {
    const double x = a.positions()[i];
    const double y = b.positions()[i];
    EXPECT_TRUE(x == y || (std::isnan(x) && std::isnan(y)));
  }
}

TEST(AddFaults, BadSettingsAreNamed) {
  MarkerTake take = WalkTake();
  EXPECT_THAT([&] { AddFaults({.gap_share = 1.0}, take); },
              testing::ThrowsMessage<std::invalid_argument>(
                  testing::HasSubstr("gap_share is out of range: 1.0")));
}

}  // namespace
}  // namespace limber::mocap
