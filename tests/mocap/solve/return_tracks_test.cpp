// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/return_tracks.h"

#include <gtest/gtest.h>

#include <cmath>

namespace limber::test {
namespace {

using namespace mocap;

/// Two knees that swing `apart` metres from each other at 100 Hz.
MarkerTake TwoKnees(double apart) {
  MarkerTake take({"Anna:LKNE", "Ben:LKNE", "Ben:RKNE"}, 200, 100);
  for (std::int64_t t = 0; t < 200; ++t) {
    const double swing = 0.2 * std::sin(0.06 * double(t));
    take.SetPosition(t, 0, {swing, 0.5, 0.01 * double(t)});
    take.SetPosition(t, 1, {apart - swing, 0.5, 0.01 * double(t)});
    take.SetPosition(t, 2, {apart - swing, 0.5, 0.2 + 0.01 * double(t)});
  }
  return take;
}

void Swap(MarkerTake& take, std::int64_t from, std::int64_t to) {
  for (std::int64_t t = from; t < to; ++t) {
    const Vector3 a = take.Position(t, 0);
    take.SetPosition(t, 0, take.Position(t, 1));
    take.SetPosition(t, 1, a);
  }
}

void ExpectEqual(const MarkerTake& a, const MarkerTake& b) {
  for (std::int64_t t = 0; t < a.num_frames(); ++t) {
    for (int m = 0; m < a.num_markers(); ++m) {
      ASSERT_EQ(a.IsVisible(t, m), b.IsVisible(t, m)) << t << " " << m;
      if (a.IsVisible(t, m)) {
        ASSERT_EQ(a.Position(t, m), b.Position(t, m)) << t << " " << m;
      }
    }
  }
}

TEST(ReturnTracks, RunsThatChangedHandsComeBack) {
  // Nearer than a body's width, and at the ends of the take too.
  for (const double apart : {0.7, 2.0}) {
    const MarkerTake truth = TwoKnees(apart);
    MarkerTake take = truth;
    Swap(take, 40, 70);
    Swap(take, 170, 200);
    Diagnostics diagnostics("a.c3d");
    ReturnTracks(take, diagnostics);
    EXPECT_EQ(diagnostics.CountOf("tracks-exchanged"), 2);
    ExpectEqual(truth, take);
  }
}

TEST(ReturnTracks, GapsAndTouchingPeopleAreLeftAlone) {
  for (const double apart : {0.05, 0.45, 2.0}) {
    MarkerTake take = TwoKnees(apart);
    for (std::int64_t t = 50; t < 120; ++t) take.SetMissing(t, 1);
    const MarkerTake before = take;
    Diagnostics diagnostics("a.c3d");
    ReturnTracks(take, diagnostics);
    EXPECT_EQ(diagnostics.ToString(), "") << apart;
    ExpectEqual(before, take);
  }
}

}  // namespace
}  // namespace limber::test
