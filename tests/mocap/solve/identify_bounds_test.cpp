// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Where evidence about markers begins and ends: each bound from both sides,
// near enough that a third or three times of it would be noticed; for shares,
// which cannot be three times as large, near enough that the next take is
// decided otherwise.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "mocap/solve/identify.h"
#include "mocap/solve/internal/body_shape.h"
#include "mocap/solve/internal/draft.h"
#include "mocap/solve/internal/motion_evidence.h"
#include "mocap/solve/internal/motion_refine.h"
#include "mocap/solve/internal/shape.h"
#include "tests/mocap/solve/synthetic_take.h"

namespace limber::test {
namespace {

using namespace mocap;
using internal::Draft;
using internal::MotionEvidence;
using testing::HasSubstr;

/// A walk, and one further track that goes with `segment` at `p_JM` on the
/// reference body but for a swing of `swing` metres to and fro along x.
MotionEvidence EvidenceOf(int segment, const Vector3& p_JM, double swing,
                          std::int64_t seen_frames = 60) {
  const SyntheticTake made = MakeSyntheticTake({.num_frames = 60});
  Observations tracks;
  tracks.num_markers = 1;
  BodyKinematics kinematics;
  for (std::int64_t t = 0; t < 60; ++t) {
    kinematics.Update(made.actor.p_PJ, made.poses[std::size_t(t)]);
    const Vector3 off(t % 2 == 0 ? swing : -swing, 0, 0);
    tracks.points.push_back(t < seen_frames
                                ? Vector3(kinematics.p_WJ[segment] +
                                          kinematics.R_WJ[segment] *
                                              (made.actor.scale * p_JM + off))
                                : Unseen());
  }
  return {made.actor, made.poses, tracks};
}

/// A place beside the middle of a segment's bone, so many thicknesses off.
Vector3 BesideBone(int segment, double depth) {
  const Vector3 bone = internal::BoneEnd(segment);
  const Vector3 aside = bone.cross(Vector3::UnitZ()).normalized();
  const Vector3 p_JM =
      0.5 * bone + depth * internal::ThicknessOf(segment) * aside;
  EXPECT_NEAR(internal::DepthOnBody(segment, p_JM), depth, 1e-9);
  return p_JM;
}

TEST(IdentifyBounds, AMarkerMovesLessThanThirtyFiveMillimetresOnItsSegment) {
  const Vector3 place = BesideBone(kLeftLowerLeg, 1.0);
  EXPECT_EQ(EvidenceOf(kLeftLowerLeg, place, 0.02).Choose(0).segment,
            kLeftLowerLeg);
  EXPECT_EQ(EvidenceOf(kLeftLowerLeg, place, 0.06).Choose(0).segment, -1);
}

// A stick of four marker lengths is still worn; a lamp held away is not.
TEST(IdentifyBounds, NothingIsOnABodyFartherThanThreeThicknesses) {
  EXPECT_EQ(EvidenceOf(kLeftForearm, BesideBone(kLeftForearm, 2.5), 0.0)
                .Choose(0)
                .segment,
            kLeftForearm);
  EXPECT_EQ(EvidenceOf(kLeftForearm, BesideBone(kLeftForearm, 8.0), 0.0)
                .Choose(0)
                .segment,
            -1);
}

/// A track that goes with the left shank but for a swing along the axis of the
/// knee, beside the thigh, while the knee bends by `bend` to and fro: it moves
/// against the thigh by 85 mm for every radian.
int SegmentAboveKnee(double bend, double swing) {
  SyntheticTake made = MakeSyntheticTake({.num_frames = 60});
  Observations tracks;
  tracks.num_markers = 1;
  BodyKinematics kinematics;
  for (std::int64_t t = 0; t < 60; ++t) {
    BodyPose& pose = made.poses[std::size_t(t)];
    pose.R_PJ[kLeftLowerLeg] =
        ExpRotation({0.6 + bend * std::sin(0.3 * double(t)), 0, 0});
    kinematics.Update(made.actor.p_PJ, pose);
    const Vector3 p_JM(0.05 + (t % 2 == 0 ? swing : -swing), 0.12, 0);
    tracks.points.push_back(kinematics.p_WJ[kLeftLowerLeg] +
                            kinematics.R_WJ[kLeftLowerLeg] * p_JM);
  }
  return MotionEvidence(made.actor, made.poses, tracks).Choose(0).segment;
}

// Skin moves by 4 mm. A track that moves 3 mm against the thigh is on it, one
// that moves 8 mm is a stick on the shank.
TEST(IdentifyBounds, SegmentsMoveAlikeWithinFourMillimetres) {
  EXPECT_EQ(SegmentAboveKnee(0.035, 0.0), kLeftUpperLeg);
  EXPECT_EQ(SegmentAboveKnee(0.094, 0.0), kLeftLowerLeg);
}

// Where the track moves 20 mm in any case, 26 mm are alike and 36 mm are not.
TEST(IdentifyBounds, SegmentsMoveAlikeWithinHalfAsMuchAgain) {
  EXPECT_EQ(SegmentAboveKnee(0.19, 0.02), kLeftUpperLeg);
  EXPECT_EQ(SegmentAboveKnee(0.36, 0.02), kLeftLowerLeg);
}

/// Which segment "LSH" is read as, shoulder or shank, beside so many markers on
/// these, all called by their names.
int MeaningOfSh(int on_shoulder, int on_shank) {
  std::vector<std::string> labels = {"LASI", "RASI", "LPSI", "RPSI", "C7"};
  for (int k = 0; k < on_shoulder; ++k) {
    labels.push_back("LAcromion" + std::to_string(k));
  }
  for (int k = 0; k < on_shank; ++k) {
    labels.push_back("LTibia" + std::to_string(k));
  }
  labels.push_back("LSH");
  MarkerTake take(labels, 1, 100);
  for (int m = 0; m < take.num_markers(); ++m) {
    take.SetPosition(0, m, {0.1 * m, 1, 0});
  }
  return internal::ReadLabels(take, NameColumns(take, std::nullopt), nullptr)
      .back()
      .marker.segment;
}

// Words with two meanings are what is missing; three markers are enough for
// everybody.
TEST(IdentifyBounds, ThreeMarkersAreEnoughForASegment) {
  EXPECT_EQ(MeaningOfSh(2, 1), kLeftLowerLeg);
  EXPECT_EQ(MeaningOfSh(4, 3), kLeftClavicle);
}

// Two markers of one name sit on both sides of the knee, not on both ends of
// the thigh.
TEST(IdentifyBounds, MarkersOfOneNameAreAHandsBreadthApart) {
  MarkerTake take({"LKNE", "LKNE", "RKNE", "LASI", "RASI"}, 1, 100);
  for (int m = 0; m < take.num_markers(); ++m) {
    take.SetPosition(0, m, {0.1 * m, 1, 0});
  }
  const std::vector<Draft> drafts =
      internal::ReadLabels(take, NameColumns(take, std::nullopt), nullptr);
  ASSERT_EQ(drafts.size(), 5u);
  EXPECT_GT(drafts[0].marker.spread, 0.05);
  EXPECT_LT(drafts[0].marker.spread, 0.1);
  EXPECT_LT(drafts[2].marker.spread, 0.05);
}

/// Where a marker called T10 ends up that goes with the left upper arm, so far
/// from the shoulder, but for a swing beside its bone.
int SegmentOfCalledT10(double from_shoulder, double swing) {
  const SyntheticTake made = MakeSyntheticTake({.num_frames = 120});
  const Result<RecognisedSet> set =
      RecogniseMarkerSet(BuiltInMarkerSets(), made.take, "f", std::nullopt);
  std::vector<Draft> drafts =
      internal::ReadLabels(made.take, NameColumns(made.take, "Syn"), &*set);
  Observations tracks =
      internal::TracksOf(made.take, drafts, Quaternion::Identity());
  const auto called = std::ranges::find(
      drafts, "T10", [](const Draft& draft) { return draft.marker.label; });
  EXPECT_NE(called, drafts.end());
  called->origin.evidence = Evidence::kWords;
  const auto column = std::size_t(called - drafts.begin());
  BodyKinematics kinematics;
  for (std::int64_t t = 0; t < tracks.num_frames(); ++t) {
    kinematics.Update(made.actor.p_PJ, made.poses[std::size_t(t)]);
    const Vector3 p_JM(from_shoulder, t % 2 == 0 ? swing : -swing, 0);
    tracks.frame(t)[column] =
        kinematics.p_WJ[kLeftUpperArm] + kinematics.R_WJ[kLeftUpperArm] * p_JM;
  }
  internal::RefineByMotion(drafts, {}, tracks, made.take.rate_hz());
  return drafts[column].marker.segment;
}

// Names are overruled where the track moves 15 mm against their segment, and
// twice as much as against the other.
TEST(IdentifyBounds, AMarkerThatStaysWithinAThumbsBreadthKeepsItsName) {
  EXPECT_EQ(SegmentOfCalledT10(0.02, 0.0), kChest);
  EXPECT_EQ(SegmentOfCalledT10(0.11, 0.0), kLeftUpperArm);
}
TEST(IdentifyBounds, AMarkerThatMovesElsewhereNearlyAsMuchKeepsItsName) {
  EXPECT_EQ(SegmentOfCalledT10(0.06, 0.02), kChest);
  EXPECT_EQ(SegmentOfCalledT10(0.17, 0.014), kLeftUpperArm);
}

TEST(IdentifyBounds, FiveFramesTellHowATrackMoves) {
  const Vector3 place = BesideBone(kLeftLowerLeg, 1.0);
  EXPECT_EQ(EvidenceOf(kLeftLowerLeg, place, 0.0, 8).Choose(0).segment,
            kLeftLowerLeg);
  EXPECT_EQ(EvidenceOf(kLeftLowerLeg, place, 0.0, 4).Choose(0).segment, -1);
}

/// Three tracks on a thing as wide as `wide` that shakes by `shake` [m].
std::size_t NumRigidGroups(double wide, double shake) {
  Observations tracks;
  tracks.num_markers = 3;
  for (std::int64_t t = 0; t < 60; ++t) {
    const double s = 0.05 * double(t);
    const double off = t % 2 == 0 ? shake : -shake;
    const Vector3 centre(std::sin(s), 1.0, std::cos(s));
    tracks.points.push_back(centre);
    tracks.points.push_back(centre + Vector3(wide + off, 0, 0));
    tracks.points.push_back(centre + Vector3(0, wide - off, 0));
  }
  const std::vector<int> all = {0, 1, 2};
  return internal::FindRigidGroups(tracks, all).size();
}

TEST(IdentifyBounds, AThingIsStiffToThreeMillimetresAndNoMetreWide) {
  EXPECT_EQ(NumRigidGroups(0.3, 0.002), 1u);
  EXPECT_EQ(NumRigidGroups(0.3, 0.007), 0u);
  EXPECT_EQ(NumRigidGroups(0.6, 0.0), 1u);
  EXPECT_EQ(NumRigidGroups(2.0, 0.0), 0u);
}

/// The take with the labels of `columns` replaced by what no program reads and
/// with the first `share` of the frames of the last column only.
MarkerTake WithoutLabels(MarkerTake take) {
  for (int m = 0; m < take.num_markers(); ++m) {
    take.SetLabel(m, "*" + std::to_string(m));
  }
  return take;
}

MarkerTake SeenFor(MarkerTake take, int column, double share) {
  for (std::int64_t t = std::int64_t(share * double(take.num_frames()));
       t < take.num_frames(); ++t) {
    take.SetMissing(t, column);
  }
  return take;
}

// Pieces of tracks are joined later; what is seen for a tenth of the take only
// would be taken for markers of its own.
TEST(IdentifyBounds, NamelessTracksAreSeenForAFifthOfTheTake) {
  const MarkerTake take =
      WithoutLabels(MakeSyntheticTake({.num_frames = 60}).take);
  const auto count = [&](double share) {
    const MarkerTake seen = SeenFor(take, 5, share);
    return internal::NamelessDrafts(seen, NameColumns(seen, std::nullopt))
        .size();
  };
  EXPECT_EQ(count(0.3), 41u);
  EXPECT_EQ(count(0.1), 40u);
}

/// How many drafts the labels of a take give where its set is recognised.
std::size_t NumDrafts(const MarkerTake& take) {
  const Result<RecognisedSet> set =
      RecogniseMarkerSet(BuiltInMarkerSets(), take, "f", std::nullopt);
  return internal::ReadLabels(take, NameColumns(take, "Syn"),
                              set.ok() ? &*set : nullptr)
      .size();
}

// Among names, a piece without one counts if it is seen for most of the take.
TEST(IdentifyBounds, NamelessTracksAmongNamesAreSeenForThreeFifths) {
  MarkerTake take = MakeSyntheticTake({.num_frames = 60}).take;
  for (const int m : {3, 10, 15, 23, 27, 33}) {
    take.SetLabel(m, "Syn:*" + std::to_string(m));
  }
  EXPECT_EQ(NumDrafts(SeenFor(take, 10, 0.75)), 41u);
  EXPECT_EQ(NumDrafts(SeenFor(take, 10, 0.4)), 40u);
}

// A set that is there but for two markers leaves none to be looked for; one
// that lacks six does.
TEST(IdentifyBounds, ASetIsCompleteWithNineTenths) {
  MarkerTake take = MakeSyntheticTake({.num_frames = 20}).take;
  for (const int m : {3, 10}) {
    take.SetLabel(m, "Syn:qq" + std::to_string(m) + "x");
  }
  EXPECT_EQ(NumDrafts(take), 39u);
  for (const int m : {15, 23, 27, 33, 36, 38}) {
    take.SetLabel(m, "Syn:qq" + std::to_string(m) + "x");
  }
  EXPECT_EQ(NumDrafts(take), 41u);
}

/// The take with `count` further tracks that go with the thighs, at places that
/// no set has, and are called `word`.
MarkerTake WithMore(const SyntheticTake& made, int count,
                    const std::string& word) {
  std::vector<std::string> labels = made.take.labels();
  for (int k = 0; k < count; ++k) labels.push_back(word + std::to_string(k));
  MarkerTake wider(labels, made.take.num_frames(), made.take.rate_hz());
  wider.origin = made.take.origin;
  BodyKinematics kinematics;
  for (std::int64_t t = 0; t < wider.num_frames(); ++t) {
    kinematics.Update(made.actor.p_PJ, made.poses[std::size_t(t)]);
    for (int m = 0; m < made.take.num_markers(); ++m) {
      wider.SetPosition(t, m, made.take.Position(t, m));
    }
    for (int k = 0; k < count; ++k) {
      const int j = k % 2 == 0 ? kLeftUpperLeg : kRightUpperLeg;
      const Vector3 p_JM(0.03 * (k % 3), -0.1 - 0.02 * k, -0.09);
      wider.SetPosition(t, made.take.num_markers() + k,
                        kinematics.p_WJ[j] + kinematics.R_WJ[j] * p_JM);
    }
  }
  return wider;
}

// Some words beside a complete set are markers; as many again are what a
// program computed.
TEST(IdentifyBounds, HalfAsManyPointsMoreAreStillMarkers) {
  const SyntheticTake made = MakeSyntheticTake({.num_frames = 20});
  EXPECT_EQ(NumDrafts(WithMore(made, 12, "Syn:LTHI")), 53u);
  EXPECT_EQ(NumDrafts(WithMore(made, 60, "Syn:LTHI")), 41u);
}

TEST(IdentifyBounds, EightMarkersWithThreeOfTheTrunkAreABody) {
  const auto drafts = [](int trunk, int others) {
    std::vector<Draft> made(std::size_t(trunk + others));
    for (std::size_t i = 0; i < made.size(); ++i) {
      made[i].is_known = true;
      made[i].marker.segment = int(i) < trunk ? kPelvis : kLeftForearm;
    }
    return made;
  };
  EXPECT_TRUE(internal::IsEnough(drafts(3, 5)));
  EXPECT_FALSE(internal::IsEnough(drafts(3, 4)));
  EXPECT_FALSE(internal::IsEnough(drafts(2, 6)));
}

std::string WhyNotFound(const MarkerTake& take) {
  const Result<Identification> found =
      IdentifyMarkers(BuiltInMarkerSets(), take, "f");
  return found.ok() ? "" : found.diagnostics().ToString();
}

/// The columns of a take that are not named.
MarkerTake Lacking(const MarkerTake& take, const std::vector<int>& gone) {
  std::vector<int> kept;
  for (int m = 0; m < take.num_markers(); ++m) {
    if (std::ranges::find(gone, m) == gone.end()) kept.push_back(m);
  }
  std::vector<std::string> labels;
  for (const int m : kept) labels.push_back(take.labels()[m]);
  MarkerTake made(labels, take.num_frames(), take.rate_hz());
  made.origin = take.origin;
  for (std::int64_t t = 0; t < take.num_frames(); ++t) {
    for (std::size_t i = 0; i < kept.size(); ++i) {
      if (take.IsVisible(t, kept[i])) {
        made.SetPosition(t, int(i), take.Position(t, kept[i]));
      }
    }
  }
  return made;
}

/// The take with left and right exchanged in the labels.
MarkerTake Exchanged(const SyntheticTake& made) {
  MarkerTake take = made.take;
  for (int m = 0; m < take.num_markers(); ++m) {
    std::string label = take.labels()[m];
    const ActorMarker& marker = made.actor.markers[std::size_t(m)];
    const bool has_side =
        std::abs(marker.p_JM.x()) > 0.03 || marker.segment >= kLeftClavicle;
    if (!has_side || label == "Syn:RBAC") continue;
    label[4] = label[4] == 'L' ? 'R' : label[4] == 'R' ? 'L' : label[4];
    take.SetLabel(m, label);
  }
  return take;
}

bool AreSidesExchanged(const MarkerTake& take) {
  return IdentifyMarkers(BuiltInMarkerSets(), take, "f")->sides_exchanged;
}

/// How many times more the body with exchanged sides costs.
double CostOfWrongSides(const MarkerTake& take) {
  const Result<RecognisedSet> set =
      RecogniseMarkerSet(BuiltInMarkerSets(), take, "f", std::nullopt);
  const std::vector<Draft> drafts =
      internal::ReadLabels(take, NameColumns(take, "Syn"), &*set);
  const Observations tracks =
      internal::TracksOf(take, drafts, Quaternion::Identity());
  const PreparedTake known = internal::KnownPart(drafts, tracks, 1.0);
  std::vector<SetMarker> mirrored = known.markers;
  for (SetMarker& marker : mirrored) internal::Mirror(marker);
  return internal::CostOfLabels(mirrored, known.observed) /
         internal::CostOfLabels(known.markers, known.observed);
}

// Points are scattered until the wrong sides cost less than 2.2 times as much
// as the right ones: these are kept all the same, and those are found.
TEST(IdentifyBounds, ExchangedSidesFitByAThirdBetter) {
  SyntheticTake made;
  double cost = 10.0;
  for (double noise = 0.02; cost > 2.2; noise += 0.01) {
    ASSERT_LT(noise, 0.2);
    made = MakeSyntheticTake({.num_frames = 100, .noise = noise});
    cost = CostOfWrongSides(made.take);
  }
  ASSERT_GT(cost, 1.35);
  EXPECT_FALSE(AreSidesExchanged(made.take));
  EXPECT_TRUE(AreSidesExchanged(Exchanged(made)));
}

/// Why a nameless track on the left thigh is put where it is that lies so many
/// spreads above the place where a marker of the knee is expected.
std::string WhyPlaced(double spreads) {
  const SyntheticTake made = MakeSyntheticTake({.num_frames = 120});
  const Result<RecognisedSet> set =
      RecogniseMarkerSet(BuiltInMarkerSets(), made.take, "f", std::nullopt);
  std::vector<Draft> drafts =
      internal::ReadLabels(made.take, NameColumns(made.take, "Syn"), &*set);
  Observations tracks =
      internal::TracksOf(made.take, drafts, Quaternion::Identity());
  const auto nameless = std::ranges::find(
      drafts, "LKNE", [](const Draft& draft) { return draft.marker.label; });
  EXPECT_NE(nameless, drafts.end());
  const SetMarker expected = nameless->marker;
  nameless->is_known = false;
  const double off =
      spreads * std::max(expected.spread, internal::kMotionSpread);
  const auto column = std::size_t(nameless - drafts.begin());
  BodyKinematics kinematics;
  for (std::int64_t t = 0; t < tracks.num_frames(); ++t) {
    kinematics.Update(made.actor.p_PJ, made.poses[std::size_t(t)]);
    tracks.frame(t)[column] =
        kinematics.p_WJ[kLeftUpperLeg] +
        kinematics.R_WJ[kLeftUpperLeg] *
            (made.actor.scale * (expected.at + Vector3(0, off, 0)));
  }
  internal::RefineByMotion(drafts, {expected}, tracks, made.take.rate_hz());
  return drafts[column].origin.why;
}

TEST(IdentifyBounds, ATrackWithinTwoSpreadsIsAtAnExpectedPlace) {
  EXPECT_THAT(WhyPlaced(1.3), HasSubstr("is where LKNE would be"));
  EXPECT_THAT(WhyPlaced(3.5), HasSubstr("moves with it"));
}

/// Whether the tracks of a take whose body is known are laid out as cmu-41.
bool SnapsToItsSet(const MarkerTake& take) {
  const Result<RecognisedSet> set =
      RecogniseMarkerSet(BuiltInMarkerSets(), take, "f", std::nullopt);
  std::vector<Draft> drafts =
      internal::ReadLabels(take, NameColumns(take, "Syn"), &*set);
  const Observations tracks =
      internal::TracksOf(take, drafts, Quaternion::Identity());
  const std::optional<internal::RoughBody> body =
      internal::MakeRoughBody(drafts, tracks, take.rate_hz());
  const MarkerSet* snapped_to = nullptr;
  return internal::SnapToSet({&BuiltInSet("cmu-41"), 1}, *body, drafts,
                             snapped_to);
}

// Of the tracks 41 of 46 are in places of the set, or 41 of 59.
TEST(ShapeBounds, ALayoutIsThatOfASetWithFourFifthsOfTheTracks) {
  const SyntheticTake made = MakeSyntheticTake({.num_frames = 60});
  EXPECT_TRUE(SnapsToItsSet(WithMore(made, 5, "Syn:LTHI")));
  EXPECT_FALSE(SnapsToItsSet(WithMore(made, 18, "Syn:LTHI")));
}

// Of the set 29 of 41 markers are there, or 20.
TEST(ShapeBounds, ALayoutIsThatOfASetWithThreeFifthsOfIt) {
  const MarkerTake take = MakeSyntheticTake({.num_frames = 60}).take;
  std::vector<int> gone = {1, 3, 6, 8, 12, 15, 18, 22, 26, 30, 34, 37};
  EXPECT_TRUE(SnapsToItsSet(Lacking(take, gone)));
  gone.insert(gone.end(), {0, 5, 10, 13, 20, 24, 28, 32, 39});
  EXPECT_FALSE(SnapsToItsSet(Lacking(take, gone)));
}

// Two readings of forty tracks are one body if four differ, and two if ten do.
TEST(ShapeBounds, BodiesThatShareSixOfSevenTracksAreOne) {
  std::vector<Draft> one(40);
  for (Draft& draft : one) {
    draft.is_known = true;
    draft.marker.segment = kChest;
  }
  std::vector<Draft> other = one;
  const auto differ = [&](std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      other[i].marker.segment = kLeftUpperLeg;
    }
    return !internal::AreSameBody(one, other);
  };
  EXPECT_FALSE(differ(4));
  EXPECT_TRUE(differ(10));
}

TEST(ShapeBounds, TwentyTracksAreACloud) {
  const MarkerTake take =
      WithoutLabels(MakeSyntheticTake({.num_frames = 20}).take);
  std::vector<int> gone;
  for (int m = 15; m < 41; ++m) gone.push_back(m);
  EXPECT_THAT(WhyNotFound(Lacking(take, gone)),
              HasSubstr("there are 15 tracks; a body without names needs 20"));
}

// Noise of 8 mm along each axis is 14 mm in space; 25 mm are 43.
TEST(ShapeBounds, ABodyMissesThePointsByLessThanTwentyFiveMillimetres) {
  EXPECT_EQ(
      WhyNotFound(WithoutLabels(MakeSyntheticTake({.noise = 0.008}).take)), "");
  EXPECT_THAT(
      WhyNotFound(WithoutLabels(MakeSyntheticTake({.noise = 0.025}).take)),
      HasSubstr("the best body misses the points by"));
}

/// The take with `count` points of things that nobody wears.
MarkerTake WithThings(const SyntheticTake& made, int count) {
  MarkerTake take = WithMore(made, count, "*x");
  for (std::int64_t t = 0; t < take.num_frames(); ++t) {
    const double s = 0.06 * double(t);
    for (int k = 0; k < count; ++k) {
      take.SetPosition(t, made.take.num_markers() + k,
                       {2 + 0.5 * std::sin((1 + k % 3) * s + k), 1 + 0.1 * k,
                        std::cos((1 + k % 4) * s - k)});
    }
  }
  return WithoutLabels(take);
}

TEST(ShapeBounds, ABodyExplainsMostOfTheTracks) {
  const SyntheticTake made = MakeSyntheticTake();
  EXPECT_EQ(WhyNotFound(WithThings(made, 3)), "");
  EXPECT_THAT(WhyNotFound(WithThings(made, 10)), HasSubstr("explains 80 %"));
}

// Further markers on the thighs are explained but are in no place of the set.
TEST(ShapeBounds, MostTracksAreInPlacesOfTheSet) {
  const SyntheticTake made = MakeSyntheticTake();
  EXPECT_EQ(WhyNotFound(WithoutLabels(WithMore(made, 3, "*"))), "");
  EXPECT_THAT(WhyNotFound(WithoutLabels(WithMore(made, 9, "*"))),
              HasSubstr("laid out like none of the known marker sets"));
}

// Six of 41 markers may be missing, twelve may not.
TEST(ShapeBounds, MostPlacesOfTheSetAreThere) {
  const MarkerTake take = WithoutLabels(MakeSyntheticTake().take);
  EXPECT_EQ(WhyNotFound(Lacking(take, {3, 8, 15, 22, 30, 37})), "");
  EXPECT_THAT(
      WhyNotFound(Lacking(take, {1, 3, 6, 8, 12, 15, 18, 22, 26, 30, 34, 37})),
      HasSubstr("laid out like none of the known marker sets"));
}

}  // namespace
}  // namespace limber::test
