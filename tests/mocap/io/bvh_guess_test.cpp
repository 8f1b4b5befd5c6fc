// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "mocap/io/bvh.h"

namespace limber::mocap {
namespace {

using figure::UpAxis;
using testing::HasSubstr;

// A man of straight bones, `height` units tall, arms hanging, in a file whose
// up axis is `up`; he walks along the next axis.
BvhDocument Man(double height, int up, int num_frames) {
  BvhDocument document;
  const auto joint = [&](const char* name, int parent, double rise,
                         double aside) {
    Vector3 offset = Vector3::Zero();
    offset[up] = rise * height;
    offset[(up + 1) % 3] = aside * height;
    document.joints.push_back({name, parent, offset});
  };
  joint("hips", -1, 0.0, 0.0);
  joint("chest", 0, 0.3, 0.0);
  joint("head", 1, 0.17, 0.0);
  joint("knee", 0, -0.25, 0.1);
  joint("foot", 3, -0.25, 0.0);
  joint("hand", 1, -0.3, 0.15);
  joint("other knee", 0, -0.25, -0.1);
  joint("other foot", 6, -0.25, 0.0);
  joint("other hand", 1, -0.3, -0.15);
  joint("nose", 2, 0.0, 0.0);
  document.sites.push_back({"", 2, 0.03 * height * Vector3(Vector3::Unit(up))});
  document.rate_hz = 100.0;
  document.num_frames = num_frames;
  for (std::uint8_t axis = 0; axis < 3; ++axis) {
    document.channels.push_back({0, figure::ChannelKind::kTranslation, axis});
  }
  for (int frame = 0; frame < num_frames; ++frame) {
    Vector3 p = Vector3::Zero();
    p[up] = 0.52 * height;
    p[(up + 2) % 3] = 0.02 * height * frame;
    document.values.insert(document.values.end(), {p[0], p[1], p[2]});
  }
  return document;
}

TEST(GuessBvhUnits, HeightOfAPersonGivesTheUnit) {
  const auto guess = [](double height) {
    return GuessBvhUnits(Man(height, 1, 10));
  };
  EXPECT_EQ(guess(1.75).units.metres_per_unit, 1.0);
  EXPECT_EQ(guess(175).units.metres_per_unit, 0.01);
  EXPECT_EQ(guess(1750).units.metres_per_unit, 0.001);
  EXPECT_EQ(guess(69).units.metres_per_unit, 0.0254);
  EXPECT_EQ(guess(31).units.metres_per_unit, 0.0254 / 0.45);
  EXPECT_TRUE(guess(31.2).unit_sure);
  EXPECT_EQ(guess(31.2).unit_reason,
            "the rest pose measures 31.2 units, which in inch/0.45 (CMU) is a "
            "person of 176.1 cm");
}

TEST(GuessBvhUnits, OtherSizesSayThatNothingIsSure) {
  const BvhUnitsGuess guess = GuessBvhUnits(Man(7.0, 1, 10));
  EXPECT_FALSE(guess.unit_sure);
  EXPECT_EQ(guess.units.metres_per_unit, 0.01);
  EXPECT_THAT(guess.unit_reason, HasSubstr("the most common one, cm"));
}

TEST(GuessBvhUnits, FewJointsSayThatNothingIsSure) {
  BvhDocument document = Man(31.0, 1, 10);
  document.joints.pop_back();
  const BvhUnitsGuess guess = GuessBvhUnits(document);
  EXPECT_FALSE(guess.unit_sure);
  EXPECT_EQ(guess.unit_reason,
            "a skeleton of 9 joints has no known size; taking the most common "
            "unit, cm");
}

TEST(GuessBvhUnits, FloorAndRootGiveTheUpAxis) {
  for (const int axis : {0, 1, 2}) {
    const BvhUnitsGuess guess = GuessBvhUnits(Man(170, axis, 100));
    EXPECT_EQ(guess.units.up, static_cast<UpAxis>(axis));
    EXPECT_TRUE(guess.up_sure);
    EXPECT_THAT(guess.up_reason, HasSubstr("64 of 64 frames"));
  }
}

TEST(GuessBvhUnits, WithoutFramesItIsYAndNotSure) {
  const BvhUnitsGuess guess = GuessBvhUnits(Man(170, 2, 0));
  EXPECT_EQ(guess.units.up, UpAxis::kY);
  EXPECT_FALSE(guess.up_sure);
  EXPECT_THAT(guess.up_reason, HasSubstr("there are no frames"));
}

}  // namespace
}  // namespace limber::mocap
