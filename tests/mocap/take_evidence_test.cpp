// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/take_evidence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "core/file.h"
#include "mocap/io/c3d.h"
#include "mocap/io/trc.h"
#include "tests/mocap/turned_take.h"
#include "tests/support/test_data.h"

namespace limber::mocap {
namespace {

using limber::test::AsRead;
using limber::test::kAxes;
using limber::test::WithUp;
using ::testing::HasSubstr;

/// Whether two takes differ by a turn about +Y only: heights agree, and
/// distances between points.
void ExpectSameButForHeading(const MarkerTake& a, const MarkerTake& b) {
  int first = -1;
  const std::int64_t t = a.num_frames() / 2;
  for (int m = 0; m < a.num_markers(); ++m) {
    if (!a.IsVisible(t, m) || a.kind(m) != PointKind::kMarker) continue;
    ASSERT_NEAR(a.Position(t, m).y(), b.Position(t, m).y(), 1e-6);
    if (first < 0) first = m;
    ASSERT_NEAR((a.Position(t, m) - a.Position(t, first)).norm(),
                (b.Position(t, m) - b.Position(t, first)).norm(), 1e-6);
  }
}

/// A walk of two seconds along +Z: a trunk that goes, feet that stand and
/// swing, with labels or without.
MarkerTake Walk(bool with_labels) {
  std::vector<std::string> labels = {"LFHD", "RFHD", "C7",   "LSHO",
                                     "RSHO", "LHEE", "LTOE", "RHEE",
                                     "RTOE", "LKNE", "RKNE", "LASI"};
  if (!with_labels) {
    for (std::size_t i = 0; i < labels.size(); ++i) {
      labels[i] = "*" + std::to_string(i + 1);
    }
  }
  const std::vector<Vector3> rest = {
      {0.07, 1.7, 0.1},  {-0.07, 1.7, 0.1},  {0, 1.5, -0.06},
      {0.2, 1.45, 0},    {-0.2, 1.45, 0},    {0.1, 0.05, -0.1},
      {0.1, 0.03, 0.1},  {-0.1, 0.05, -0.1}, {-0.1, 0.03, 0.1},
      {0.12, 0.5, 0.05}, {-0.12, 0.5, 0.05}, {0.1, 1.0, 0.1}};
  MarkerTake take(labels, 240, 120);
  for (std::int64_t t = 0; t < 240; ++t) {
    const double s = double(t) / 120;
    for (int m = 0; m < take.num_markers(); ++m) {
      Vector3 p = rest[std::size_t(m)];
      const bool is_foot = m >= 5 && m <= 8;
      // Each foot stands for half a second and then takes half a second for
      // the way of a whole one.
      const double phase = s + (m <= 6 ? 0.0 : 0.5);
      const double share = phase - std::floor(phase);
      const double along =
          std::floor(phase) + (share < 0.5 ? 0.0 : 2 * (share - 0.5));
      p.z() += is_foot ? 1.2 * along - (m <= 6 ? 0.0 : 0.6) : 1.2 * s;
      if (is_foot && share > 0.5) p.y() += 0.08 * std::sin(2 * kPi * share);
      take.SetPosition(t, m, p);
    }
  }
  return take;
}

TEST(FindEvidence, WitnessesOfAWalkPointUp) {
  const TakeEvidence labelled = FindEvidence(Walk(true));
  EXPECT_GT(labelled.body.y(), 0.95);
  EXPECT_GT(labelled.stance.y(), 0.8);
  EXPECT_EQ(labelled.flight, Vector3::Zero());
  EXPECT_NEAR(labelled.size, 0.6, 0.3);
  const TakeEvidence unlabelled = FindEvidence(Walk(false));
  EXPECT_EQ(unlabelled.body, Vector3::Zero());
  EXPECT_GT(unlabelled.stance.y(), 0.8);
}

TEST(FindEvidence, AFallPointsDown) {
  MarkerTake take(std::vector<std::string>(8, "*"), 120, 120);
  for (std::int64_t t = 0; t < 120; ++t) {
    const double s = double(t) / 120;
    for (int m = 0; m < 8; ++m) {
      take.SetPosition(
          t, m,
          {0.1 * m + s, 2 + 3 * s - 0.5 * kGravity * s * s, 0.05 * (m % 3)});
    }
  }
  EXPECT_GT(FindEvidence(take).flight.y(), 0.99);
}

TEST(SettleAxesAndUnit, AWalkIsUprightHoweverItIsStored) {
  for (const bool with_labels : {true, false}) {
    const MarkerTake walk = Walk(with_labels);
    for (const SignedAxis is : kAxes) {
      for (const SignedAxis said : kAxes) {
        for (const double unit : {1.0, 0.001}) {
          for (const Decision decision :
               {Decision::kFile, Decision::kDefault}) {
            MarkerTake take = AsRead(walk, is, 0.001, said, unit, decision);
            Diagnostics diagnostics("a.c3d");
            SettleAxesAndUnit(take, diagnostics);
            ExpectSameButForHeading(walk, take);
            const bool is_wrong = is != said;
            EXPECT_EQ(diagnostics.CountOf("up-axis"), is_wrong ? 1 : 0);
            EXPECT_EQ(diagnostics.CountOf("unit"), unit == 1.0 ? 1 : 0);
            EXPECT_EQ(take.origin.axes.up, is);
            EXPECT_NEAR(take.origin.metres_per_unit, 0.001, 1e-12);
            // The numbers of the file are still what they were.
            const Vector3 before = WithUp(is).FromInside(walk.Position(7, 3));
            EXPECT_LT(
                (take.origin.axes.FromInside(take.Position(7, 3)) - before)
                    .norm(),
                1e-9);
          }
        }
      }
    }
  }
}

TEST(SettleAxesAndUnit, WhatTheCallerSaysStays) {
  MarkerTake take = AsRead(Walk(true), SignedAxis::kPlusZ, 0.001,
                           SignedAxis::kPlusY, 1.0, Decision::kCaller);
  Diagnostics diagnostics("a.c3d");
  SettleAxesAndUnit(take, diagnostics);
  EXPECT_EQ(diagnostics.ToString(), "");
}

TEST(SettleAxesAndUnit, TheWarningSaysWhatWasSaidSeenAndHowToOverrule) {
  MarkerTake take = AsRead(Walk(true), SignedAxis::kPlusZ, 0.001,
                           SignedAxis::kMinusZ, 1.0, Decision::kFile);
  Diagnostics diagnostics("a.c3d");
  SettleAxesAndUnit(take, diagnostics);
  const std::string text = diagnostics.ToString();
  EXPECT_THAT(text, HasSubstr("the file says that -Z is up"));
  EXPECT_THAT(text, HasSubstr("have +Z up"));
  EXPECT_THAT(text, HasSubstr("--up -Z keeps it"));
  EXPECT_THAT(text, HasSubstr("the file says m"));
  EXPECT_THAT(text, HasSubstr("taken as mm"));
  EXPECT_THAT(text, HasSubstr("--unit m keeps it"));
}

// Sizes of what people record: a hand, a face, a person, a group.
TEST(SettleAxesAndUnit, OnlyAFactorOfAHundredOrMoreIsContradicted) {
  for (const double factor : {0.1, 0.3, 1.0, 3.0, 6.0}) {
    MarkerTake take = Walk(false);
    for (double& x : take.positions()) x *= factor;
    take.origin.unit_decision = Decision::kFile;
    take.origin.axes_decision = Decision::kFile;
    Diagnostics diagnostics("a.c3d");
    SettleAxesAndUnit(take, diagnostics);
    EXPECT_EQ(diagnostics.CountOf("unit"), 0) << factor;
  }
  for (const double factor : {0.001, 0.01, 100.0, 1000.0}) {
    MarkerTake take = Walk(false);
    for (double& x : take.positions()) x *= factor;
    Diagnostics diagnostics("a.c3d");
    SettleAxesAndUnit(take, diagnostics);
    EXPECT_EQ(diagnostics.CountOf("unit"), 1) << factor;
    ExpectSameButForHeading(Walk(false), take);
  }
}

/// Recordings of people who stand or go, with labels that speak or feet that
/// stand.
const std::vector<const char*>& Recordings() {
  static const std::vector<const char*> files = {
      "cmu/02/02_01.c3d",
      "cmu/07/07_01.c3d",
      "cmu/16/16_07.c3d",
      "cmu/85/85_02.c3d",
      "c3d-zoo/kinematics_tennis_serve.c3d",
      "c3d-zoo/mocap36.c3d",
      "c3d-zoo/pig_Movement_trial.c3d",
      "c3d-zoo/pig_Static_trial.c3d",
      "c3d-zoo/rehazenter_2014001_ST.c3d",
      "opensim/arnold-synthetic/subject01/markers.trc",
      "opensim/gait2354/subject01_walk1.trc",
      "trc-zoo/T.trc",
      "takes-2/JA1Gait35.c3d",
      "takes-2/sample21.c3d"};
  return files;
}

Result<MarkerTake> ReadTake(const std::filesystem::path& path) {
  const std::string name = PathText(path.filename());
  return name.ends_with(".trc") ? ReadTrc(path) : ReadC3d(path);
}

// Six axes, the header right, wrong or silent, the unit right or off by 1000:
// the same points but for the heading, and one warning where it was wrong.
TEST(SettleAxesAndUnit, RecordingsAreUprightHoweverTheyAreStored) {
  LIMBER_NEEDS_REAL_DATA();
  for (const char* file : Recordings()) {
    SCOPED_TRACE(file);
    MarkerTake truth = ReadTake(limber::test::RealData(file)).value();
    Diagnostics ignored;
    SettleAxesAndUnit(truth, ignored);
    for (const SignedAxis is : kAxes) {
      for (const SignedAxis said : kAxes) {
        const bool is_silent = said == SignedAxis::kPlusY;
        const double said_unit = is_silent == (is == said) ? 0.001 : 1.0;
        MarkerTake take =
            AsRead(truth, is, 0.001, said, said_unit,
                   is_silent ? Decision::kDefault : Decision::kFile);
        Diagnostics diagnostics(file);
        SettleAxesAndUnit(take, diagnostics);
        ExpectSameButForHeading(truth, take);
        EXPECT_EQ(diagnostics.CountOf("up-axis"), is == said ? 0 : 1);
        EXPECT_EQ(diagnostics.CountOf("unit"), said_unit == 0.001 ? 0 : 1);
      }
    }
  }
}

TEST(SettleAxesAndUnit, RecordingsThatSayTheTruthAreLeftAlone) {
  LIMBER_NEEDS_REAL_DATA();
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           limber::test::RealData(""))) {
    const std::string name = PathText(entry.path().filename());
    const bool is_c3d = name.ends_with(".c3d") || name.ends_with(".C3D");
    if (!is_c3d && !name.ends_with(".trc")) continue;
    Result<MarkerTake> take = ReadTake(entry.path());
    ASSERT_TRUE(take.ok()) << name;
    const TakeEvidence evidence = FindEvidence(*take);
    Diagnostics diagnostics(name);
    SettleAxesAndUnit(take.value(), diagnostics);
    std::printf(
        "%-40s size %.3f body %.2f %.2f %.2f stance %.2f %.2f %.2f "
        "flight %.2f %.2f %.2f %s\n",
        name.c_str(), evidence.size, evidence.body.x(), evidence.body.y(),
        evidence.body.z(), evidence.stance.x(), evidence.stance.y(),
        evidence.stance.z(), evidence.flight.x(), evidence.flight.y(),
        evidence.flight.z(), diagnostics.ToString().c_str());
  }
}

}  // namespace
}  // namespace limber::mocap
