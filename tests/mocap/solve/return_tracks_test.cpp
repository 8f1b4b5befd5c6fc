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

/// Three markers of one foot that walks at 100 Hz, `apart` metres from each
/// other.
MarkerTake OneFoot(double apart) {
  MarkerTake take({"RANK", "RHEE", "RTOE"}, 200, 100);
  for (std::int64_t t = 0; t < 200; ++t) {
    const Vector3 p(0.02 * std::sin(0.1 * double(t)), 0.1, 0.01 * double(t));
    take.SetPosition(t, 0, p);
    take.SetPosition(t, 1, p + Vector3(0, -apart, 0));
    take.SetPosition(t, 2, p + Vector3(0, -apart, apart));
  }
  return take;
}

// A label that is exchanged while it already has the point of a third.
TEST(ReturnTracks, MarkersOfOneFootComeBackInTheirOrder) {
  const MarkerTake truth = OneFoot(0.08);
  MarkerTake take = truth;
  Swap(take, 110, 140);
  for (std::int64_t t = 20; t < 90; ++t) {
    const Vector3 a = take.Position(t, 1);
    take.SetPosition(t, 1, take.Position(t, 2));
    take.SetPosition(t, 2, a);
  }
  Swap(take, 60, 70);
  Diagnostics diagnostics("a.c3d");
  ReturnTracks(take, diagnostics);
  EXPECT_GE(diagnostics.CountOf("tracks-exchanged"), 2);
  ExpectEqual(truth, take);
}

// Two points 5 cm apart are told apart, two 1 cm apart are left alone.
TEST(ReturnTracks, ExchangesAreSeenFromThreeCentimetresOn) {
  for (const double apart : {0.025, 0.01}) {
    const MarkerTake truth = OneFoot(apart);
    MarkerTake take = truth;
    Swap(take, 50, 80);
    const MarkerTake swapped = take;
    Diagnostics diagnostics("a.c3d");
    ReturnTracks(take, diagnostics);
    ExpectEqual(apart > 0.02 ? truth : swapped, take);
  }
}

/// One that is not seen for `frames` frames at 100 Hz while the other comes to
/// its place, `apart` metres away: an exchange, or both have gone on.
int NumExchangedOverGap(std::int64_t frames, double apart) {
  MarkerTake take = OneFoot(apart);
  Swap(take, 100, 200);
  for (std::int64_t t = 100 - frames; t < 100; ++t) take.SetMissing(t, 0);
  Diagnostics diagnostics("a.c3d");
  ReturnTracks(take, diagnostics);
  return int(diagnostics.CountOf("tracks-exchanged"));
}

TEST(ReturnTracks, AGapMakesExchangesLessSure) {
  EXPECT_EQ(NumExchangedOverGap(5, 0.09), 1);   // 0.18 m against 0.08 m.
  EXPECT_EQ(NumExchangedOverGap(20, 0.09), 0);  // Against 0.23 m.
  EXPECT_EQ(NumExchangedOverGap(15, 0.5), 1);
  EXPECT_EQ(NumExchangedOverGap(45, 0.5), 0);  // Longer than remembered.
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
