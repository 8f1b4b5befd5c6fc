// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Where evidence about a take begins and ends: each bound from both sides, near
// enough that a third or three times of it would be noticed.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "core/angle.h"
#include "mocap/take_evidence.h"

namespace limber::mocap {
namespace {

constexpr double kRate = 120.0;  // [Hz]

std::vector<std::string> Nameless(int count) {
  std::vector<std::string> labels;
  for (int m = 0; m < count; ++m) labels.push_back("*" + std::to_string(m));
  return labels;
}

/// Eight points 0.9 to 1.6 m above the floor that go, and two feet on it that
/// stand for `stands` of each second and creep then, the second one half a
/// second after the first.
struct Gait {
  double speed = 1.2;   ///< Of the body [m/s].
  double creep = 0.0;   ///< Of a foot that stands [m/s].
  double stands = 0.5;  ///< [s] of each second.
  int num_frames = 240;
};

MarkerTake WalkOf(const Gait& gait) {
  MarkerTake take(Nameless(10), gait.num_frames, kRate);
  for (std::int64_t t = 0; t < gait.num_frames; ++t) {
    const double s = double(t) / kRate;
    for (int m = 0; m < 8; ++m) {
      take.SetPosition(
          t, m, {0.1 * (m % 3), 0.9 + 0.1 * m, 0.05 * m + gait.speed * s});
    }
    for (int foot = 0; foot < 2; ++foot) {
      const double phase = s + 0.5 * foot;
      const double share = phase - std::floor(phase);
      const double slow = gait.creep * std::min(share, gait.stands);
      const double swing = std::max(0.0, share - gait.stands) /
                           (1 - gait.stands) *
                           (gait.speed - gait.creep * gait.stands);
      take.SetPosition(
          t, 8 + foot,
          {0.1 * foot, 0.05,
           gait.speed * (std::floor(phase) - 0.5 * foot) + slow + swing});
    }
  }
  return take;
}

double StanceOf(const Gait& gait) {
  return FindEvidence(WalkOf(gait)).stance.y();
}

// Soles give way and markers wobble: what creeps still stands. What goes at
// 0.25 m/s does not, while the body goes three times as fast.
TEST(EvidenceBounds, AFootStandsBelowTwelveCentimetresASecond) {
  EXPECT_GT(StanceOf({.creep = 0.08}), 0.8);
  EXPECT_EQ(StanceOf({.creep = 0.25}), 0.0);
}

// A slow walk is one; a body that sways is not.
TEST(EvidenceBounds, ABodyGoesAboveThirtyFiveCentimetresASecond) {
  EXPECT_GT(StanceOf({.speed = 0.6}), 0.8);
  EXPECT_EQ(StanceOf({.speed = 0.2}), 0.0);
}

// A foot of a slow walker stands for seven tenths of the time; a thing on a
// shelf stands always, and is no foot.
TEST(EvidenceBounds, WhatNearlyAlwaysStandsIsAProp) {
  EXPECT_GT(StanceOf({.speed = 0.8, .stands = 0.7}), 0.8);
  const MarkerTake walk = WalkOf({});
  MarkerTake with_shelf(Nameless(13), walk.num_frames(), kRate);
  for (std::int64_t t = 0; t < walk.num_frames(); ++t) {
    for (int m = 0; m < 10; ++m) {
      with_shelf.SetPosition(t, m, walk.Position(t, m));
    }
    for (int m = 10; m < 13; ++m) {
      with_shelf.SetPosition(t, m, {1.0, 4.0, 1.0});
    }
  }
  EXPECT_GT(FindEvidence(with_shelf).stance.y(), 0.8);
}

// One foot that stands for a quarter of a second tells nothing yet.
TEST(EvidenceBounds, FortySamplesOfStandingTell) {
  EXPECT_GT(StanceOf({.num_frames = 110}), 0.8);
  EXPECT_EQ(StanceOf({.stands = 0.25, .num_frames = 70}), 0.0);
}

/// Points on a spring-board: at rest but for a slow way sideways, then in
/// flight for `flight` seconds, then at rest again.
struct Jump {
  double flight = 0.3;        ///< [s]
  double gravity = kGravity;  ///< [m/s^2]
  double slowest = 1.0;       ///< Speed of the slowest point sideways [m/s].
  double noise = 0.0;         ///< [m]
  int num_points = 12;
};

double FlightOf(const Jump& jump) {
  constexpr double kBegin = 0.5;  // [s]
  MarkerTake take(Nameless(jump.num_points), 160, kRate);
  std::mt19937 random(3);
  std::normal_distribution<double> normal(0.0, jump.noise);
  for (std::int64_t t = 0; t < 160; ++t) {
    const double s = double(t) / kRate;
    const double u = std::clamp(s - kBegin, 0.0, jump.flight);
    const double y = 0.5 * jump.gravity * u * (jump.flight - u);
    for (int m = 0; m < jump.num_points; ++m) {
      Vector3 p(0.1 * m + (m == 0 ? jump.slowest : 2.0) * s, 1 + y,
                0.2 * (m % 4));
      if (jump.noise > 0)
        p += Vector3(normal(random), normal(random), normal(random));
      // Only one of them is held down.
      if (m == 0 && jump.slowest < 1.0) p.y() = 1.0;
      take.SetPosition(t, m, p);
    }
  }
  return FindEvidence(take).flight.y();
}

TEST(EvidenceBounds, AFlightLastsLongerThanAStep) {
  EXPECT_GT(FlightOf({.flight = 0.4}), 0.9);
  EXPECT_EQ(FlightOf({.flight = 0.17}), 0.0);
}

// Markers are no centre of mass, so that a fall is off by some; a lift is no
// fall.
TEST(EvidenceBounds, AFallHasGravityButForTwoMetresPerSecondSquared) {
  EXPECT_GT(FlightOf({.flight = 0.5, .gravity = 8.4}), 0.8);
  EXPECT_EQ(FlightOf({.flight = 0.5, .gravity = 5.0}), 0.0);
}

// A foot on the floor rolls; in flight everything moves.
TEST(EvidenceBounds, InFlightNothingRests) {
  EXPECT_GT(FlightOf({.flight = 0.5, .slowest = 0.6}), 0.8);
  EXPECT_EQ(FlightOf({.flight = 0.5, .slowest = 0.15}), 0.0);
}

// Over less than a tenth of a second a millimetre of noise is as large as a
// fall; over more a short flight is washed out.
TEST(EvidenceBounds, ATenthOfASecondTellsAFlightFromNoise) {
  EXPECT_GT(FlightOf({.flight = 0.33, .noise = 0.001}), 0.8);
}

TEST(EvidenceBounds, SixPointsAreABody) {
  EXPECT_GT(FlightOf({.flight = 0.5, .num_points = 8}), 0.9);
  EXPECT_EQ(FlightOf({.flight = 0.5, .num_points = 4}), 0.0);
}

/// What a body becomes half of whose points are within `size` of their middle,
/// where lengths are multiplied by `factor` beforehand.
double UnitOf(double size, double factor) {
  MarkerTake take(Nameless(12), 30, kRate);
  for (std::int64_t t = 0; t < 30; ++t) {
    for (int m = 0; m < 12; ++m) {
      const double angle = 2 * kPi * m / 12;
      take.SetPosition(
          t, m, factor * size * Vector3(std::cos(angle), std::sin(angle), 0));
    }
  }
  take.origin.metres_per_unit = 1.0;
  Diagnostics ignored("a.c3d");
  SettleAxesAndUnit(take, ignored);
  return take.origin.metres_per_unit;
}

TEST(EvidenceBounds, BodiesOfAnySizeTellMillimetresFromCentimetres) {
  for (const double size : {0.25, 0.6}) {
    EXPECT_DOUBLE_EQ(UnitOf(size, 1.0), 1.0) << size;
    EXPECT_DOUBLE_EQ(UnitOf(size, 100.0), 0.01) << size;
    EXPECT_DOUBLE_EQ(UnitOf(size, 1000.0), 0.001) << size;
    EXPECT_DOUBLE_EQ(UnitOf(size, 0.001), 1000.0) << size;
  }
}

// Who bends forward by 40 degrees stands; between two axes nobody says.
TEST(EvidenceBounds, AnAxisIsTurnedOnlyIfThePersonWouldLie) {
  const auto turned = [](double lean_deg) {
    MarkerTake take({"LFHD", "C7", "LSHO", "LHEE", "LTOE", "RHEE"}, 30, kRate);
    const double lean = Radians(lean_deg);
    const Vector3 up(0, std::sin(lean), std::cos(lean));
    for (std::int64_t t = 0; t < 30; ++t) {
      for (int m = 0; m < 6; ++m) {
        take.SetPosition(t, m, (m < 3 ? 1.5 : 0.0) * up);
      }
    }
    take.origin.axes_decision = Decision::kFile;
    Diagnostics told("a.c3d");
    SettleAxesAndUnit(take, told);
    return told.CountOf("up-axis") > 0;
  };
  EXPECT_TRUE(turned(25));     // 0.91 along +Z.
  EXPECT_FALSE(turned(44.9));  // 0.708.
}

}  // namespace
}  // namespace limber::mocap
