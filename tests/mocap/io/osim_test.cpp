// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/osim.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/support/test_data.h"

namespace limber::mocap {
namespace {

using ::testing::HasSubstr;

constexpr const char* kVersion4 = R"(<?xml version="1.0"?>
<OpenSimDocument Version="40000"><Model name="man">
<JointSet><objects>
 <CustomJoint name="hip_r">
  <socket_parent_frame>pelvis_offset</socket_parent_frame>
  <socket_child_frame>femur_r</socket_child_frame>
  <coordinates><Coordinate name="hip_flexion_r"><range>-1 2</range></Coordinate></coordinates>
  <frames><PhysicalOffsetFrame name="pelvis_offset">
   <socket_parent>/bodyset/pelvis</socket_parent>
   <translation>-0.07 -0.06 0.08</translation><orientation>0 0 0</orientation>
  </PhysicalOffsetFrame></frames>
 </CustomJoint>
 <FreeJoint name="ground_pelvis">
  <socket_parent_frame>/ground</socket_parent_frame>
  <socket_child_frame>pelvis</socket_child_frame>
 </FreeJoint>
</objects></JointSet>
<MarkerSet><objects>
 <Marker name="R.Knee"><socket_parent_frame>/bodyset/femur_r</socket_parent_frame><location>0 -0.4 0.05</location></Marker>
 <Marker name="lost"><location>0 -0.4 0.05</location></Marker>
</objects></MarkerSet></Model></OpenSimDocument>)";

constexpr const char* kVersion3 =
    R"(<OpenSimDocument Version="30000"><Model name="old">
<BodySet><objects>
 <Body name="ground"><Joint/></Body>
 <Body name="pelvis"><Joint><FreeJoint><parent_body>ground</parent_body>
  <location_in_parent>0 1 0</location_in_parent></FreeJoint></Joint></Body>
 <Body name="femur_r"><Joint><CustomJoint><parent_body>pelvis</parent_body>
  <location_in_parent>-0.07 -0.06 0.08</location_in_parent>
  <CoordinateSet><objects><Coordinate name="hip_flexion_r"><range>-1 2</range></Coordinate></objects></CoordinateSet>
 </CustomJoint></Joint></Body>
</objects></BodySet>
<MarkerSet><objects><Marker name="R.Knee"><body> femur_r </body><location> 0 -0.4 0.05 </location></Marker></objects></MarkerSet>
</Model></OpenSimDocument>)";

TEST(ReadOsim, BodiesMarkersAndCoordinatesOfBothForms) {
  for (const char* text : {kVersion4, kVersion3}) {
    const Result<OsimModel> model = ReadOsim(text, "a.osim");
    ASSERT_TRUE(model.ok()) << model.diagnostics().ToString();
    ASSERT_NE(model->FindBody("femur_r"), nullptr);
    ASSERT_NE(model->FindBody("pelvis"), nullptr);
    EXPECT_LT((model->FindBody("femur_r")->X_GB.p -
               model->FindBody("pelvis")->X_GB.p - Vector3(-0.07, -0.06, 0.08))
                  .norm(),
              1e-12);
    ASSERT_EQ(model->markers.size(), 1);
    EXPECT_EQ(model->markers[0].name, "R.Knee");
    EXPECT_EQ(model->markers[0].body, "femur_r");
    EXPECT_EQ(model->markers[0].p_BM, Vector3(0, -0.4, 0.05));
    ASSERT_NE(model->FindCoordinate("hip_flexion_r"), nullptr);
    EXPECT_EQ(model->FindCoordinate("hip_flexion_r")->upper, 2);
  }
  EXPECT_EQ(ReadOsim(kVersion4, "a.osim").diagnostics().CountOf("marker"), 1);
}

// The knee of gait2354 has its place in a spline of its angle.
TEST(ReadOsim, JointsThatSlideAreWhereTheyAreAtZero) {
  const Result<OsimModel> model = ReadOsim(
      R"(<OpenSimDocument><Model><JointSet><objects>
 <FreeJoint><socket_parent_frame>/ground</socket_parent_frame><socket_child_frame>femur_r</socket_child_frame></FreeJoint>
 <CustomJoint><socket_parent_frame>femur_r</socket_parent_frame><socket_child_frame>tibia_r</socket_child_frame>
  <SpatialTransform>
   <TransformAxis name="translation1"><coordinates>knee_angle_r</coordinates><axis>1 0 0</axis><Constant name="function"><value>0.01</value></Constant></TransformAxis>
   <TransformAxis name="translation2"><coordinates>knee_angle_r</coordinates><axis>0 1 0</axis>
    <SimmSpline name="function"><x>-2 -1 1</x><y>-0.5 -0.4 -0.3</y></SimmSpline></TransformAxis>
  </SpatialTransform></CustomJoint>
</objects></JointSet></Model></OpenSimDocument>)",
      "a.osim");
  ASSERT_TRUE(model.ok());
  ASSERT_NE(model->FindBody("tibia_r"), nullptr);
  EXPECT_LT(
      (model->FindBody("tibia_r")->X_GB.p - Vector3(0.01, -0.35, 0)).norm(),
      1e-12);
}

TEST(ReadOsim, WhatIsNoModelErrors) {
  EXPECT_THAT(ReadOsim("<OpenSimDocument>\n <Model>", "a.osim")
                  .diagnostics()
                  .ToString(),
              HasSubstr("a.osim:2:"));
  EXPECT_THAT(ReadOsim("<robot/>", "a.osim").diagnostics().ToString(),
              HasSubstr("\"robot\""));
  EXPECT_FALSE(ReadOsim("", "a.osim").ok());
  EXPECT_FALSE(ReadOsim("HIERARCHY", "a.osim").ok());
}

TEST(ReadOsimZoo, EveryModelCanBeRead) {
  LIMBER_NEEDS_REAL_DATA();
  int count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           limber::test::RealData(""))) {
    if (entry.path().extension() != ".osim") continue;
    const Result<OsimModel> model = ReadOsimFile(entry.path());
    ASSERT_TRUE(model.ok()) << model.diagnostics().ToString();
    EXPECT_EQ(model.diagnostics().ToString(), "") << entry.path();
    EXPECT_FALSE(model->bodies.empty()) << entry.path();
    EXPECT_FALSE(model->coordinates.empty()) << entry.path();
    ++count;
  }
  EXPECT_GT(count, 5);
}

}  // namespace
}  // namespace limber::mocap
