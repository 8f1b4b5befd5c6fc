// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/marker_take.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace limber::mocap {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(MarkerTake, NewTakeHasEverySampleMissing) {
  const MarkerTake take({"A", "B"}, 3, 100.0);
  EXPECT_EQ(take.gap_fraction(), 1.0);
  EXPECT_FALSE(take.IsVisible(2, 1));
  EXPECT_TRUE(std::isnan(take.Position(2, 1).x()));
  EXPECT_EQ(take.duration_s(), 0.03);
}

TEST(MarkerTake, OriginIsAPositionLikeAnyOther) {
  MarkerTake take({"A"}, 1, 100.0);
  take.SetPosition(0, 0, Vector3::Zero());
  EXPECT_TRUE(take.IsVisible(0, 0));
  take.SetMissing(0, 0);
  EXPECT_FALSE(take.IsVisible(0, 0));
}

TEST(MarkerTake, BadArgumentsThrowNamingFieldAndValue) {
  MarkerTake take({"A"}, 1, 100.0);
  EXPECT_THROW(take.SetPosition(0, 0, Vector3(0, kNan, 0)),
               std::invalid_argument);
  EXPECT_THROW(take.SetResidual(0, 0, -1.0), std::invalid_argument);
  EXPECT_THROW(take.SetRate(0.0), std::invalid_argument);
  EXPECT_THROW(MarkerTake({"A"}, -1, 100.0), std::invalid_argument);
  EXPECT_THROW(MarkerTake({"A"}, 2, 100.0, {1.0, 2.0, 3.0}),
               std::invalid_argument);
  try {
    take.SetRate(-5.0);
    FAIL() << "no exception";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "rate_hz must be positive and finite, is -5.000000");
  }
}

TEST(MarkerTake, GapsAreRunsPerMarker) {
  MarkerTake take({"A", "B"}, 6, 100.0);
  for (int frame : {0, 3, 4}) take.SetPosition(frame, 0, Vector3(1, 2, 3));
  for (int frame = 0; frame < 6; ++frame) {
    take.SetPosition(frame, 1, Vector3(1, 2, 3));
  }
  const std::vector<Gap> gaps = take.Gaps();
  ASSERT_EQ(gaps.size(), 2u);
  EXPECT_EQ(gaps[0].marker, 0);
  EXPECT_EQ(gaps[0].first_frame, 1);
  EXPECT_EQ(gaps[0].num_frames, 2);
  EXPECT_EQ(gaps[1].first_frame, 5);
  EXPECT_EQ(gaps[1].num_frames, 1);
  EXPECT_EQ(take.MissingPerMarker(), (std::vector<std::int64_t>{3, 0}));
  EXPECT_EQ(take.gap_fraction(), 0.25);
}

TEST(MarkerTake, ResidualsAndMasksCostNothingUntilSet) {
  MarkerTake take({"A"}, 2, 100.0);
  take.SetPosition(1, 0, Vector3(1, 2, 3));
  EXPECT_FALSE(take.has_residuals());
  EXPECT_EQ(take.Residual(1, 0), 0.0);
  take.SetResidual(1, 0, 0.25);
  take.SetCameraMask(1, 0, 5);
  EXPECT_EQ(take.Residual(1, 0), 0.25);
  EXPECT_EQ(take.CameraMask(1, 0), 5);
  EXPECT_EQ(take.Residual(0, 0), 0.0);
  take.SetMissing(1, 0);
  EXPECT_EQ(take.Residual(1, 0), 0.0);
  EXPECT_EQ(take.CameraMask(1, 0), 0);
}

TEST(MarkerTake, FindMarkerGivesTheFirstOfThatLabel) {
  const MarkerTake take({"A", "RTHI", "RTHI"}, 0, 1.0);
  EXPECT_EQ(take.FindMarker("RTHI"), 1);
  EXPECT_EQ(take.FindMarker("rthi"), std::nullopt);
}

TEST(AxisConvention, EveryConventionIsAProperRotationAndUndone) {
  int valid = 0;
  for (int right = 0; right < 6; ++right) {
    for (int up = 0; up < 6; ++up) {
      const AxisConvention axes{static_cast<SignedAxis>(right),
                                static_cast<SignedAxis>(up)};
      if (!axes.IsValid()) {
        EXPECT_THROW(axes.ToInside(Vector3(1, 2, 3)), std::invalid_argument);
        continue;
      }
      ++valid;
      Matrix3 R;
      for (int i = 0; i < 3; ++i) R.col(i) = axes.ToInside(Vector3::Unit(i));
      EXPECT_EQ(R.determinant(), 1.0);
      const Vector3 p(1.5, -2.25, 3.125);
      EXPECT_EQ(axes.FromInside(axes.ToInside(p)), p);
    }
  }
  EXPECT_EQ(valid, 24);
}

TEST(AxisConvention, ZUpPutsZOnY) {
  const Vector3 inside = AxisConvention::ZUp().ToInside(Vector3(1, 2, 3));
  EXPECT_EQ(inside, Vector3(1, 3, -2));
}

TEST(AxisConvention, ParsesPaddedAxes) {
  EXPECT_EQ(ParseSignedAxis("+Z"), SignedAxis::kPlusZ);
  EXPECT_EQ(ParseSignedAxis(" -y "), SignedAxis::kMinusY);
  EXPECT_EQ(ParseSignedAxis("X"), SignedAxis::kPlusX);
  EXPECT_EQ(ParseSignedAxis(std::string_view("+Z\0\0", 4)), SignedAxis::kPlusZ);
  EXPECT_EQ(ParseSignedAxis(""), std::nullopt);
  EXPECT_EQ(ParseSignedAxis("+W"), std::nullopt);
  EXPECT_EQ(ParseSignedAxis("++Z"), std::nullopt);
}

TEST(Metadata, StringsArePaddedAndTrimmed) {
  MetadataParameter parameter;
  parameter.SetStrings({"A", "LONG", ""});
  EXPECT_EQ(parameter.dimensions[0], 4);
  EXPECT_EQ(parameter.dimensions[1], 3);
  EXPECT_EQ(parameter.size(), parameter.ExpectedSize());
  EXPECT_EQ(parameter.Strings(), (std::vector<std::string>{"A", "LONG", ""}));
  EXPECT_EQ(parameter.Number(), std::nullopt);
}

TEST(Metadata, IntegersReadWithAndWithoutSign) {
  MetadataParameter parameter;
  parameter.SetInteger(-1);
  EXPECT_EQ(parameter.Number(), -1.0);
  EXPECT_EQ(parameter.UnsignedNumber(), 65535.0);
  EXPECT_EQ(parameter.Number(1), std::nullopt);
}

TEST(Metadata, NamesAreFoundWithoutRegardToCase) {
  Metadata metadata;
  metadata.FindOrAdd("POINT").FindOrAdd("Rate").SetFloat(5.0f);
  EXPECT_EQ(metadata.Find("point", "RATE")->Number(), 5.0);
  EXPECT_EQ(metadata.Find("POINT", "RAT"), nullptr);
  metadata.Find("POINT")->Remove("rate");
  EXPECT_EQ(metadata.Find("POINT", "RATE"), nullptr);
}

TEST(ForcePlates, WhatIsSetIsFound) {
  MarkerTake take({}, 0, 100.0);
  take.origin.axes = AxisConvention::ZUp();
  ForcePlate plate;
  plate.type = 4;
  plate.corners = {{0, 0, 0}, {0.5, 0, 0}, {0.5, 0, -0.25}, {0, 0, -0.25}};
  plate.origin = Vector3(0, 0, -0.5);
  plate.channels = {0, 1, 2, 3, 4, 5};
  plate.calibration = MatrixX::Identity(6, 6);
  plate.calibration(1, 2) = 0.5;
  SetForcePlates(take, {plate, ForcePlate{}});
  // Corners stand in the file's unit and axes.
  EXPECT_EQ(take.metadata.Find("FORCE_PLATFORM", "CORNERS")->Number(7), 250.0);
  const std::vector<ForcePlate> plates = ForcePlates(take);
  ASSERT_EQ(plates.size(), 2u);
  EXPECT_EQ(plates[0].type, 4);
  EXPECT_EQ(plates[0].channels, plate.channels);
  EXPECT_EQ(plates[0].calibration, plate.calibration);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_LE((plates[0].corners[i] - plate.corners[i]).norm(), 1e-12);
  }
  EXPECT_LE((plates[0].origin - plate.origin).norm(), 1e-12);
}

TEST(ForcePlates, CountsBeyondTheDataGiveNoPlate) {
  MarkerTake take({}, 0, 100.0);
  MetadataGroup& group = take.metadata.FindOrAdd("FORCE_PLATFORM");
  group.FindOrAdd("USED").SetInteger(32000);
  EXPECT_TRUE(ForcePlates(take).empty());
  group.FindOrAdd("TYPE").SetIntegers({2});
  group.FindOrAdd("CORNERS").SetFloats({1.0f, 2.0f});
  ASSERT_EQ(ForcePlates(take).size(), 1u);
  EXPECT_TRUE(ForcePlates(take)[0].corners.empty());
}

}  // namespace
}  // namespace limber::mocap
