// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Who is who in a take, on a person whose truth is known.
#include "mocap/solve/identify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "mocap/solve/sole.h"
#include "mocap/solve/unseen.h"
#include "tests/mocap/solve/synthetic_take.h"

namespace limber::test {
namespace {

using namespace mocap;
using testing::HasSubstr;

Result<Identification> Identify(const MarkerTake& take) {
  return IdentifyMarkers(BuiltInMarkerSets(), take, "f");
}

/// The segment a column was given to; -1 if none.
int SegmentOf(const Identification& found, int column) {
  const auto at = std::ranges::find(found.match.columns, column);
  if (at == found.match.columns.end()) return -1;
  return found.set.markers[std::size_t(at - found.match.columns.begin())]
      .segment;
}

/// The same take with further points.
MarkerTake WithPoints(const MarkerTake& take,
                      const std::vector<std::string>& more,
                      const std::vector<std::vector<Vector3>>& points) {
  std::vector<std::string> labels = take.labels();
  labels.insert(labels.end(), more.begin(), more.end());
  MarkerTake wider(labels, take.num_frames(), take.rate_hz());
  wider.origin = take.origin;
  for (std::int64_t t = 0; t < take.num_frames(); ++t) {
    for (int m = 0; m < take.num_markers(); ++m) {
      wider.SetPosition(t, m, take.Position(t, m));
    }
    for (std::size_t k = 0; k < more.size(); ++k) {
      wider.SetPosition(t, take.num_markers() + static_cast<int>(k),
                        points[k][std::size_t(t)]);
    }
  }
  return wider;
}

TEST(Identify, LabelsOfASetGiveThatSet) {
  const SyntheticTake made = MakeSyntheticTake();
  const Result<Identification> found = Identify(made.take);
  ASSERT_TRUE(found.ok()) << found.diagnostics().ToString();
  EXPECT_EQ(found->set.name, "cmu-41");
  EXPECT_EQ(found->match.subject, "Syn");
  for (int m = 0; m < made.take.num_markers(); ++m) {
    EXPECT_EQ(SegmentOf(*found, m), made.actor.markers[m].segment);
  }
  EXPECT_FALSE(found->sides_exchanged);
}

TEST(Identify, NamelessTracksGoWithWhatTheyMoveWith) {
  SyntheticTake made = MakeSyntheticTake({.noise = 0.001});
  for (const int m : {3, 10, 15, 23, 27, 33, 36}) {
    made.take.SetLabel(m, "Syn:qq" + std::to_string(m) + "x");
  }
  const Result<Identification> found = Identify(made.take);
  ASSERT_TRUE(found.ok()) << found.diagnostics().ToString();
  for (int m = 0; m < made.take.num_markers(); ++m) {
    EXPECT_EQ(SegmentOf(*found, m), made.actor.markers[m].segment)
        << made.actor.markers[m].label;
  }
  EXPECT_EQ(found.diagnostics().CountOf("tracks-by-motion"), 1);
}

TEST(Identify, WrongNamesLoseAgainstMotion) {
  SyntheticTake made = MakeSyntheticTake({.noise = 0.001});
  // The head's marker is called knee. Its own name is on the knee, whose leg
  // lacks the marker then; that one is not overruled yet.
  const int knee = *made.take.FindMarker("Syn:LKNE");
  const int head = *made.take.FindMarker("Syn:LFHD");
  made.take.SetLabel(knee, "Syn:LFHD");
  made.take.SetLabel(head, "Syn:LKNE");
  const Result<Identification> found = Identify(made.take);
  ASSERT_TRUE(found.ok()) << found.diagnostics().ToString();
  EXPECT_EQ(SegmentOf(*found, head), kHead);
  EXPECT_GE(found.diagnostics().CountOf("label-overruled"), 1)
      << found.diagnostics().ToString();
}

TEST(Identify, ExchangedSidesAreFoundAndPutRight) {
  SyntheticTake made = MakeSyntheticTake();
  for (int m = 0; m < made.take.num_markers(); ++m) {
    std::string label = made.take.labels()[m];
    char& side = label[4];
    const int segment = made.actor.markers[m].segment;
    const bool has_side = std::abs(made.actor.markers[m].p_JM.x()) > 0.03 ||
                          segment >= kLeftClavicle;
    if (!has_side || label == "Syn:RBAC") continue;
    if (side == 'L') {
      side = 'R';
    } else if (side == 'R') {
      side = 'L';
    }
    made.take.SetLabel(m, label);
  }
  const Result<Identification> found = Identify(made.take);
  ASSERT_TRUE(found.ok()) << found.diagnostics().ToString();
  EXPECT_TRUE(found->sides_exchanged);
  EXPECT_EQ(found.diagnostics().CountOf("sides-exchanged"), 1);
  int right = 0;
  for (int m = 0; m < made.take.num_markers(); ++m) {
    right += SegmentOf(*found, m) == made.actor.markers[m].segment;
  }
  EXPECT_GE(right, 40);
}

TEST(Identify, CutNamesAreDifferentMarkersAndCopiesAreOne) {
  SyntheticTake made = MakeSyntheticTake();
  const int heel = *made.take.FindMarker("Syn:LHEE");
  std::vector<std::vector<Vector3>> points(2);
  BodyKinematics kinematics;
  for (std::int64_t t = 0; t < made.take.num_frames(); ++t) {
    kinematics.Update(made.actor.p_PJ, made.poses[std::size_t(t)]);
    // A bit-equal copy, and a medial knee under the name of the lateral one.
    points[0].push_back(made.take.Position(t, heel));
    points[1].push_back(kinematics.p_WJ[kLeftUpperLeg] +
                        kinematics.R_WJ[kLeftUpperLeg] *
                            Vector3(-0.055, -0.45, 0));
  }
  const MarkerTake take =
      WithPoints(made.take, {"Syn:LHEE", "Syn:LKNE"}, points);
  const std::vector<NamedColumn> columns = NameColumns(take, "Syn");
  EXPECT_EQ(columns.size(), 42u);
  EXPECT_EQ(columns.back().name, "LKNE#2");
  const Result<Identification> found = Identify(take);
  ASSERT_TRUE(found.ok()) << found.diagnostics().ToString();
  EXPECT_EQ(SegmentOf(*found, 42), kLeftUpperLeg);
  EXPECT_EQ(SegmentOf(*found, 41), -1);
}

TEST(Identify, ThingsThatGoWithNobodyAreProps) {
  SyntheticTake made = MakeSyntheticTake();
  // A box carried along the room on its own path, and labels cut down so that
  // the set is not complete.
  for (const int m : {0, 9, 12, 20, 25}) {
    made.take.SetLabel(m, "Syn:zz" + std::to_string(m) + "q");
  }
  std::vector<std::vector<Vector3>> points(3);
  for (std::int64_t t = 0; t < made.take.num_frames(); ++t) {
    const double s = double(t) / 40;
    const Quaternion R = ExpRotation({0, 0.7 * s, 0.2});
    const Vector3 centre(1 + 0.4 * std::sin(s), 0.5, 1 + 0.8 * std::cos(s));
    points[0].push_back(centre + R * Vector3(0.2, 0, 0));
    points[1].push_back(centre + R * Vector3(0, 0.2, 0.1));
    points[2].push_back(centre + R * Vector3(-0.1, 0, 0.2));
  }
  const MarkerTake take =
      WithPoints(made.take, {"Syn:Box1", "Syn:Box2", "Syn:Box3"}, points);
  const Result<Identification> found = Identify(take);
  ASSERT_TRUE(found.ok()) << found.diagnostics().ToString();
  ASSERT_EQ(found->left_out.size(), 3u);
  for (const LeftOutTrack& track : found->left_out) {
    EXPECT_THAT(track.label, HasSubstr("Box"));
    EXPECT_THAT(track.why, HasSubstr("prop 1"));
  }
  EXPECT_EQ(found.diagnostics().CountOf("props"), 1);
}

TEST(Identify, NoNamesAtAllGiveTheBodyByItsShape) {
  SyntheticTake made = MakeSyntheticTake({.noise = 0.001});
  for (int m = 0; m < made.take.num_markers(); ++m) {
    made.take.SetLabel(m, "*" + std::to_string(m));
  }
  const Result<Identification> found = Identify(made.take);
  ASSERT_TRUE(found.ok()) << found.diagnostics().ToString();
  int right = 0;
  for (int m = 0; m < made.take.num_markers(); ++m) {
    right += SegmentOf(*found, m) == made.actor.markers[m].segment;
  }
  EXPECT_GE(right, 37);
  EXPECT_EQ(found.diagnostics().CountOf("by-shape"), 1);
}

TEST(Identify, ACloudThatIsNobodyIsRefused) {
  std::vector<std::string> labels;
  for (int m = 0; m < 40; ++m) labels.push_back("*" + std::to_string(m));
  MarkerTake take(labels, 100, 100);
  take.origin.axes_decision = Decision::kFile;
  for (std::int64_t t = 0; t < 100; ++t) {
    for (int m = 0; m < 40; ++m) {
      const double s = m + 0.01 * double(t) * (1 + m % 7);
      take.SetPosition(
          t, m,
          {std::sin(3 * s), 0.9 + 0.8 * std::sin(5 * s + 1), std::cos(2 * s)});
    }
  }
  const Result<Identification> found = Identify(take);
  ASSERT_FALSE(found.ok());
  EXPECT_THAT(found.diagnostics().ToString(), HasSubstr("By shape alone"));
}

TEST(Identify, TooLittleOfABodySaysWhatIsMissing) {
  MarkerTake take({"LKNE", "LANK", "RKNE", "Foo"}, 10, 100);
  for (std::int64_t t = 0; t < 10; ++t) {
    for (int m = 0; m < 4; ++m) take.SetPosition(t, m, {0.1 * m, 1, 0});
  }
  const Result<Identification> found = Identify(take);
  ASSERT_FALSE(found.ok());
  EXPECT_THAT(found.diagnostics().ToString(),
              HasSubstr("3 of 4 tracks are markers by their names"));
  EXPECT_THAT(found.diagnostics().ToString(), HasSubstr("Foo"));
}

/// An actor of whom only the given segments are seen.
Actor SeenOnly(const std::vector<int>& segments) {
  Actor actor = MakeSyntheticTake({.num_frames = 1}).actor;
  std::erase_if(actor.markers, [&](const ActorMarker& marker) {
    return std::ranges::find(segments, marker.segment) == segments.end();
  });
  actor.moves = MovingSegments(actor.markers);
  return actor;
}

TEST(Unseen, ArmsHangAndTheSeenPartIsNotTouched) {
  const Actor actor = SeenOnly({kPelvis, kLeftUpperLeg, kLeftLowerLeg});
  std::vector<BodyPose> poses = MakeSyntheticTake().poses;
  for (BodyPose& pose : poses) {
    for (int j = 0; j < kNumSegments; ++j) {
      if (!actor.moves[j]) pose.R_PJ[j].setIdentity();
    }
  }
  const std::vector<BodyPose> before = poses;
  PoseUnseen(actor, poses);
  BodyKinematics kinematics;
  for (std::size_t t = 0; t < poses.size(); ++t) {
    for (int j = 0; j < kNumSegments; ++j) {
      if (actor.moves[j]) {
        EXPECT_EQ(poses[t].R_PJ[j].coeffs(), before[t].R_PJ[j].coeffs());
      }
    }
    kinematics.Update(actor.p_PJ, poses[t]);
    for (const int hand : {kLeftHand, kRightHand}) {
      EXPECT_LT(kinematics.p_WJ[hand].y(), kinematics.p_WJ[kChest].y() - 0.1);
    }
  }
}

TEST(Unseen, LegsStandAndToesStayAboveTheFloor) {
  for (const bool has_legs : {true, false}) {
    const Actor actor =
        has_legs ? SeenOnly({kPelvis, kLeftUpperLeg, kLeftLowerLeg, kLeftFoot,
                             kRightUpperLeg, kRightLowerLeg, kRightFoot})
                 : SeenOnly({kPelvis, kChest, kHead});
    std::vector<BodyPose> poses = MakeSyntheticTake().poses;
    PoseUnseen(actor, poses);
    const double floor = FindFloor(actor, poses);
    BodyKinematics kinematics;
    for (const BodyPose& pose : poses) {
      kinematics.Update(actor.p_PJ, pose);
      for (const int toes : {kLeftToes, kRightToes}) {
        const double base = kinematics.p_WJ[toes].y();
        const double tip =
            (kinematics.p_WJ[toes] +
             kinematics.R_WJ[toes] * (actor.scale * Body()[toes].end))
                .y();
        // Toes cannot lift a foot that is under the floor itself.
        if (base > floor + 0.01) {
          EXPECT_GT(tip, floor - 0.002);
        }
        if (!has_legs) {
          EXPECT_GT(tip, floor - 0.01);
        }
      }
    }
  }
}

/// The lowest sole of somebody who stands unseen below hips at this share of
/// where the height of their legs would have them.
double SoleBelowHips(double share) {
  const Actor actor = SeenOnly({kPelvis, kChest, kHead});
  std::vector<BodyPose> poses(5, BodyPose::Rest());
  const double standing = -LowestSole(actor, poses.front());
  for (BodyPose& pose : poses) pose.p_WR.y() = share * standing;
  PoseUnseen(actor, poses);
  return LowestSole(actor, poses.back());
}

// A trunk that is bigger than its legs let one guess: soles are on the floor of
// the recording, not 9 cm below it. A take whose origin is elsewhere has
// straight legs.
TEST(Unseen, SolesAreNotBelowTheFloorOfTheRecording) {
  EXPECT_NEAR(SoleBelowHips(0.92), 0.0, 0.01);
  EXPECT_GT(SoleBelowHips(1.1), 0.05);
  EXPECT_LT(SoleBelowHips(0.75), -0.15);
}

}  // namespace
}  // namespace limber::test
