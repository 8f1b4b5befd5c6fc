// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/make_figure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "figure/figure_file.h"
#include "figure/pose.h"
#include "tools/bundled_figures.h"

namespace limber::figure {
namespace {

std::size_t At(int index) { return static_cast<std::size_t>(index); }

FigureModel Adult() { return MakePerson(Person()); }

// V-30: the example of the seed. Each joint with outgoing bones is a segment
// with all of them; the sites of a segment are its joint and their ends.
TEST(BonesOf, HipsSpineLegExampleGivesTheListedSegments) {
  const auto skeleton = Skeleton::Make({{"HIPS", -1, {0, 1, 0}},
                                        {"SPINE", 0, {0, 0.2, 0}},
                                        {"CLAVICLE", 1, {0, 0.3, 0}},
                                        {"LEFT_UPPER_LEG", 0, {0.1, 0, 0}},
                                        {"RIGHT_UPPER_LEG", 0, {-0.1, 0, 0}}});
  EXPECT_THAT(BonesOf(*skeleton, 0),
              testing::ElementsAre(Bone{0, 1}, Bone{0, 3}, Bone{0, 4}));
  EXPECT_THAT(BonesOf(*skeleton, 1), testing::ElementsAre(Bone{1, 2}));
  const FigureModel figure = MakeFigure(skeleton).value();
  ASSERT_EQ(figure.num_segments(), 2);
  EXPECT_EQ(figure.segments[0].name, "HIPS");
  EXPECT_THAT(figure.segments[0].joints, testing::ElementsAre(0, 3, 4));
  EXPECT_EQ(figure.segments[0].shapes.size(), 3u);
  EXPECT_EQ(figure.segments[1].name, "SPINE");
  EXPECT_THAT(figure.segments[1].joints, testing::ElementsAre(1, 2));
  EXPECT_EQ(figure.segments[1].shapes.size(), 1u);
  EXPECT_EQ(figure.segments[1].parent, 0);
}

// V-31: 18 segments, 1.75 m, 75 kg, masses as in table 4 of [de Leva 1996].
TEST(MakeFigure, AdultHasTheMassesOfTheTable) {
  const FigureModel adult = Adult();
  EXPECT_EQ(adult.num_segments(), 18);
  EXPECT_NEAR(BodyHeight(*adult.skeleton, adult.roles), 1.75, 1e-3);
  EXPECT_NEAR(adult.total_mass(), 75.0, 1e-9);
  const auto mass = [&](Role role) {
    return adult.segments[At(adult.SegmentOf(role))].mass;
  };
  const auto expect = [&](double sum, double percent) {
    EXPECT_NEAR(sum / (0.75 * percent), 1.0, 0.02) << percent;
  };
  expect(mass(Role::kHead), 6.94);
  expect(mass(Role::kChest), 15.96);
  expect(mass(Role::kSpine), 16.33);
  expect(mass(Role::kPelvis), 11.17);
  for (const bool left : {true, false}) {
    const auto side = [&](Role role) { return left ? role : Mirrored(role); };
    expect(mass(side(Role::kLeftUpperArm)), 2.71);
    expect(mass(side(Role::kLeftForearm)), 1.62);
    expect(mass(side(Role::kLeftHand)), 0.61);
    expect(mass(side(Role::kLeftUpperLeg)), 14.16);
    expect(mass(side(Role::kLeftLowerLeg)), 4.33);
    expect(mass(side(Role::kLeftFoot)) + mass(side(Role::kLeftToes)), 1.37);
  }
}

TEST(MakeFigure, TablesSumToOneBody) {
  for (const Sex sex : {Sex::kMale, Sex::kFemale}) {
    double sum = 0.0;
    for (int p = 0; p < kNumBodyParts; ++p) {
      const BodyPart part = static_cast<BodyPart>(p);
      sum += NumbersOf(part, sex).mass * (part >= BodyPart::kUpperArm ? 2 : 1);
    }
    EXPECT_NEAR(sum, 1.0, 1.01e-4);
  }
}

TEST(MakeFigure, ThighHasTheTablesCentreAndInertia) {
  const FigureModel adult = Adult();
  const FigureSegment& thigh =
      adult.segments[At(adult.SegmentOf(Role::kLeftUpperLeg))];
  const double L = 0.4244;
  EXPECT_NEAR(thigh.p_JC.y(), -0.4095 * L, 1e-9);
  const double m = 75 * 0.1416;
  EXPECT_NEAR(thigh.I_JC(0, 0), m * std::pow(0.329 * L, 2), 1e-6);
  EXPECT_NEAR(thigh.I_JC(1, 1), m * std::pow(0.149 * L, 2), 1e-6);
}

TEST(MakeFigure, IsMirrorSymmetric) {
  const FigureModel adult = Adult();
  const Vector3 mirror(-1, 1, 1);
  for (const FigureSegment& segment : adult.segments) {
    const Role role = adult.roles[At(segment.joint)];
    const FigureSegment& other =
        adult.segments[At(adult.SegmentOf(Mirrored(role)))];
    EXPECT_NEAR(segment.mass, other.mass, 1e-12);
    EXPECT_LT((segment.p_JC.cwiseProduct(mirror) - other.p_JC).norm(), 1e-12);
    const Matrix3 mirrored =
        mirror.asDiagonal() * segment.I_JC * mirror.asDiagonal();
    EXPECT_LT((mirrored - other.I_JC).norm(), 1e-10) << segment.name;
  }
}

/// World directions of the bone of `role` when its joint has these angles and
/// all others are in the anatomical position.
Vector3 BoneWith(const FigureModel& figure, Role role,
                 std::array<double, 3> q_deg, Role end) {
  Pose pose = RestPose(*figure.skeleton);
  for (const FigureSegment& segment : figure.segments) {
    if (segment.parent < 0) continue;
    const Role own = figure.roles[At(segment.joint)];
    std::array<double, 3> q = {0, 0, 0};
    if (LeftOf(own) == Role::kLeftUpperArm) q[0] = 90;
    if (own == role) q = q_deg;
    for (double& angle : q) angle *= kPi / 180.0;
    pose.X_PJ[At(segment.joint)].R = RotationOfAnchor(segment.anchor, q);
  }
  const auto X_WJ = WorldTransforms(*figure.skeleton, pose);
  return (X_WJ[At(FindRole(figure.roles, end))].p -
          X_WJ[At(FindRole(figure.roles, role))].p)
      .normalized();
}

TEST(MakeFigure, AnglesTurnLimbsTheAnatomicalWay) {
  const FigureModel adult = Adult();  // left is +X, forward is +Z
  const auto expect = [&](Role role, Role end, std::array<double, 3> q,
                          const Vector3& direction) {
    EXPECT_LT((BoneWith(adult, role, q, end) - direction).norm(), 1e-6)
        << ToString(role) << " " << q[0] << " " << q[1] << " " << q[2] << ": "
        << BoneWith(adult, role, q, end).transpose();
  };
  const Vector3 down(0, -1, 0);
  expect(Role::kLeftUpperLeg, Role::kLeftLowerLeg, {0, 0, 0}, down);
  expect(Role::kLeftUpperLeg, Role::kLeftLowerLeg, {90, 0, 0}, {0, 0, 1});
  expect(Role::kLeftUpperLeg, Role::kLeftLowerLeg, {0, 45, 0},
         Vector3(1, -1, 0).normalized());
  expect(Role::kRightUpperLeg, Role::kRightLowerLeg, {0, 45, 0},
         Vector3(-1, -1, 0).normalized());
  expect(Role::kLeftLowerLeg, Role::kLeftFoot, {90, 0, 0}, {0, 0, -1});
  expect(Role::kLeftUpperArm, Role::kLeftForearm, {90, 0, 0}, down);
  expect(Role::kLeftUpperArm, Role::kLeftForearm, {0, 0, 0},
         Vector3(1, 0, 1).normalized());
  expect(Role::kRightUpperArm, Role::kRightForearm, {0, 0, 0},
         Vector3(-1, 0, 1).normalized());
  expect(Role::kRightUpperArm, Role::kRightForearm, {-90, 0, 0}, {0, 1, 0});
  expect(Role::kLeftForearm, Role::kLeftHand, {90, 0, 0}, {0, 0, 1});
  expect(Role::kRightForearm, Role::kRightHand, {90, 0, 0}, {0, 0, 1});
  expect(Role::kSpine, Role::kChest, {90, 0, 0}, {0, 0, 1});
  expect(Role::kSpine, Role::kChest, {0, 45, 0}, Vector3(1, 1, 0).normalized());
}

TEST(MeasureAnchor, InvertsRotationOfAnchor) {
  const FigureModel adult = Adult();
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  for (const FigureSegment& segment : adult.segments) {
    for (int i = 0; i < 20; ++i) {
      std::array<double, 3> q = {0, 0, 0};
      for (int k = 0; k < segment.anchor.num_axes(); ++k) {
        const AnchorAxis& axis = segment.anchor.axes[At(k)];
        q[At(k)] = axis.lower + uniform(random) * (axis.upper - axis.lower);
      }
      const AnchorAngles angles =
          MeasureAnchor(segment.anchor, RotationOfAnchor(segment.anchor, q));
      for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(angles.q[At(k)], q[At(k)], 1e-9) << segment.name;
      }
      EXPECT_LT(angles.rest, 1e-7);
    }
  }
}

TEST(MeasureAnchor, UniversalJointTellsWhatItCannotFollow) {
  Anchor anchor;
  anchor.kind = AnchorKind::kUniversal;
  anchor.R_PF = ExpRotation({0.3, -0.2, 0.5});
  anchor.R_JM = ExpRotation({-0.1, 0.4, 0.2});
  const AnchorAngles good =
      MeasureAnchor(anchor, RotationOfAnchor(anchor, {1.2, -2.0, 0.0}));
  EXPECT_NEAR(good.q[0], 1.2, 1e-12);
  EXPECT_NEAR(good.q[1], -2.0, 1e-12);
  EXPECT_LT(good.rest, 1e-7);
  // Rx(q0) Rz(0.1) Ry(q1): a tenth of a radian off.
  const Quaternion R_FM = ExpRotation({0.7, 0, 0}) * ExpRotation({0, 0, 0.1}) *
                          ExpRotation({0, 0.4, 0});
  const AnchorAngles bad =
      MeasureAnchor(anchor, anchor.R_PF * R_FM * anchor.R_JM.conjugate());
  EXPECT_NEAR(bad.q[0], 0.7, 1e-12);
  EXPECT_NEAR(bad.q[1], 0.4, 1e-12);
  EXPECT_NEAR(bad.rest, 0.1, 1e-7);
}

TEST(MakeFigure, RestPoseInTPoseIsWithinLimits) {
  const FigureModel adult = Adult();
  for (const FigureSegment& segment : adult.segments) {
    const AnchorAngles angles =
        MeasureAnchor(segment.anchor, Quaternion::Identity());
    for (int k = 0; k < segment.anchor.num_axes(); ++k) {
      EXPECT_GE(angles.q[At(k)], segment.anchor.axes[At(k)].lower)
          << segment.name << " " << k;
      EXPECT_LE(angles.q[At(k)], segment.anchor.axes[At(k)].upper)
          << segment.name << " " << k;
    }
    EXPECT_LT(angles.rest, 1e-9) << segment.name;
  }
}

TEST(MakeFigure, FloorCarriesFeetAndContacts) {
  const FigureModel adult = Adult();
  const auto X_WJ = WorldTransforms(*adult.skeleton, RestPose(*adult.skeleton));
  int on_floor = 0;
  for (const FigureSite& site : adult.contacts) {
    const Vector3 p = X_WJ[At(site.joint)] * site.offset;
    if (site.name.find("foot") != std::string::npos ||
        site.name.find("toes") != std::string::npos) {
      EXPECT_NEAR(p.y(), 0.0, 1e-9) << site.name;
      ++on_floor;
    }
  }
  EXPECT_EQ(on_floor, 8);
  for (const Role role : {Role::kLeftFoot, Role::kRightToes}) {
    const FigureSegment& segment = adult.segments[At(adult.SegmentOf(role))];
    const SegmentShape& box = segment.shapes.at(0);
    const double bottom =
        (X_WJ[At(segment.joint)] * box.X_JS.p).y() - 0.5 * box.size.y();
    EXPECT_NEAR(bottom, 0.0, 1e-9) << segment.name;
  }
}

TEST(MakeFigure, AdultHasFortyOneMarkers) {
  EXPECT_EQ(Adult().markers.size(), 41u);
}

TEST(MakeFigure, SkeletonWithoutSizeIsRefusedWithTheReason) {
  const Result<FigureModel> one =
      MakeFigure(Skeleton::Make({{"only", -1, {0, 1, 0}}}));
  ASSERT_FALSE(one.ok());
  EXPECT_EQ(one.diagnostics().all()[0].kind, "no-size");
  const Result<FigureModel> flat =
      MakeFigure(Skeleton::Make({{"a", -1, {0, 1, 0}}, {"b", 0, {0, 0, 0}}}));
  EXPECT_FALSE(flat.ok());
}

TEST(MakeFigure, OneJointWithAnEndIsOneFreeSegment) {
  const FigureModel figure =
      MakeFigure(
          Skeleton::Make({{"stick", -1, {0, 1, 0}}}, {{"", 0, {0, 0.5, 0}}}))
          .value();
  ASSERT_EQ(figure.num_segments(), 1);
  EXPECT_EQ(figure.segments[0].anchor.kind, AnchorKind::kFree);
  EXPECT_NEAR(figure.segments[0].p_JC.y(), 0.25, 1e-12);
}

TEST(MakeFigure, SeveralRootsAndZeroBonesWork) {
  const Result<FigureModel> figure =
      MakeFigure(Skeleton::Make({{"a", -1, {0, 1, 0}},
                                 {"a2", 0, {0, 0, 0}},
                                 {"a3", 1, {0, 0.4, 0}},
                                 {"a4", 2, {0, 0.3, 0}},
                                 {"b", -1, {1, 1, 0}},
                                 {"b2", 4, {0, 0.3, 0}}}));
  ASSERT_TRUE(figure.ok()) << figure.diagnostics().ToString();
  int free = 0;
  for (const FigureSegment& segment : figure->segments) {
    free += segment.anchor.kind == AnchorKind::kFree ? 1 : 0;
    EXPECT_GT(segment.mass, 0.0);
  }
  EXPECT_EQ(free, 2);
}

TEST(MakeFigure, ReferenceNodeGoesWithThePelvis) {
  const FigureModel adult = Adult();
  std::vector<Joint> joints = {{"Reference", -1, {0, 0, 0}}};
  for (Joint joint : adult.skeleton->joints()) {
    ++joint.parent;
    joints.push_back(joint);
  }
  std::vector<Site> sites = adult.skeleton->sites();
  for (Site& site : sites) ++site.joint;
  const FigureModel figure =
      MakeFigure(Skeleton::Make(joints, sites), {.mass = 75}).value();
  EXPECT_EQ(figure.num_segments(), 18);
  EXPECT_EQ(figure.segments[0].joint, 1);
  EXPECT_EQ(figure.segments[0].parent, -1);
  EXPECT_EQ(figure.segment_of_joint[0], 0);
  EXPECT_NEAR(PlaceInSegment(figure, 0).y(),
              -adult.skeleton->joint(0).offset.y(), 1e-12);
}

TEST(MakeFigure, ClipWidensLimitsAndFreesHinges) {
  const FigureModel adult = Adult();
  Motion clip(adult.skeleton, 60.0);
  Pose pose = RestPose(*adult.skeleton);
  const int knee = adult.skeleton->Find("LeftLeg");
  const int elbow = adult.skeleton->Find("LeftForeArm");
  pose.X_PJ[At(knee)].R = ExpRotation({0.5, 0.2, 0.0});
  pose.X_PJ[At(elbow)].R = ExpRotation({0.0, 3.0, 0.0});
  clip.Append(pose);
  FigureOptions options;
  options.clip = &clip;
  const FigureModel figure = MakeFigure(adult.skeleton, options).value();
  const Anchor& left =
      figure.segments[At(figure.FindSegment("LeftLeg"))].anchor;
  EXPECT_EQ(left.kind, AnchorKind::kBall);
  EXPECT_EQ(figure.segments[At(figure.FindSegment("RightLeg"))].anchor.kind,
            AnchorKind::kHinge);
  for (const FigureSegment& segment : figure.segments) {
    if (segment.parent < 0) continue;
    const AnchorAngles angles =
        MeasureAnchor(segment.anchor, pose.X_PJ[At(segment.joint)].R);
    EXPECT_LT(angles.rest, 0.02) << segment.name;
    for (int k = 0; k < segment.anchor.num_axes(); ++k) {
      EXPECT_GE(angles.q[At(k)], segment.anchor.axes[At(k)].lower);
      EXPECT_LE(angles.q[At(k)], segment.anchor.axes[At(k)].upper);
    }
  }
}

TEST(MakeFigure, BadOptionsAreNamed) {
  const FigureModel adult = Adult();
  FigureOptions options;
  options.mass = -1;
  EXPECT_THAT([&] { MakeFigure(adult.skeleton, options); },
              testing::ThrowsMessage<std::invalid_argument>(
                  testing::HasSubstr("mass must be zero or positive, is -1")));
}

}  // namespace
}  // namespace limber::figure
