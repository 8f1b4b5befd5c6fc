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
      (model->FindBody("tibia_r")->X_GB.p - Vector3(0.01, -1.0 / 3, 0)).norm(),
      1e-12);
}

constexpr const char* kMoving =
    R"(<OpenSimDocument Version="40000"><Model name="man">
<JointSet><objects>
 <FreeJoint name="base"><socket_parent_frame>/ground</socket_parent_frame><socket_child_frame>pelvis</socket_child_frame></FreeJoint>
 <CustomJoint name="knee"><socket_parent_frame>pelvis</socket_parent_frame><socket_child_frame>tibia</socket_child_frame>
  <coordinates><Coordinate name="knee_angle"><default_value>0.2</default_value><range>-2 0.1</range><clamped>true</clamped></Coordinate></coordinates>
  <SpatialTransform>
   <TransformAxis name="rotation1"><coordinates>knee_angle</coordinates><axis>0 0 2</axis><LinearFunction name="function"><coefficients> 1 0</coefficients></LinearFunction></TransformAxis>
   <TransformAxis name="translation1"><coordinates>knee_angle</coordinates><axis>1 0 0</axis><MultiplierFunction name="function"><function><PolynomialFunction><coefficients>2 0 1</coefficients></PolynomialFunction></function><scale>0.5</scale></MultiplierFunction></TransformAxis>
  </SpatialTransform></CustomJoint>
 <PinJoint name="cap"><socket_parent_frame>pelvis</socket_parent_frame><socket_child_frame>patella</socket_child_frame>
  <coordinates><Coordinate name="beta"><locked>true</locked></Coordinate></coordinates></PinJoint>
</objects></JointSet>
<ConstraintSet><objects>
 <CoordinateCouplerConstraint name="c"><isEnforced>true</isEnforced><coupled_coordinates_function><LinearFunction><coefficients>1 0.5</coefficients></LinearFunction></coupled_coordinates_function>
  <independent_coordinate_names>knee_angle</independent_coordinate_names><dependent_coordinate_name>beta</dependent_coordinate_name><scale_factor>2</scale_factor></CoordinateCouplerConstraint>
</objects></ConstraintSet></Model></OpenSimDocument>)";

TEST(ReadOsim, JointsMoveAsTheModelSays) {
  const Result<OsimModel> model = ReadOsim(kMoving, "a.osim");
  ASSERT_TRUE(model.ok());
  EXPECT_TRUE(model->unknown.empty());
  ASSERT_EQ(model->joints.size(), model->bodies.size());
  ASSERT_EQ(model->coordinates.size(), 8);
  EXPECT_EQ(model->coordinates[0].name, "base_coord_0");
  EXPECT_EQ(model->coordinates[2].motion, OsimMotion::kTurn);
  EXPECT_EQ(model->coordinates[3].motion, OsimMotion::kShift);
  const OsimCoordinate& knee = *model->FindCoordinate("knee_angle");
  EXPECT_EQ(knee.default_value, 0.2);
  EXPECT_TRUE(knee.is_clamped);
  EXPECT_FALSE(knee.is_locked);
  EXPECT_EQ(knee.motion, OsimMotion::kTurn);
  EXPECT_TRUE(model->FindCoordinate("beta")->is_locked);
  VectorX q = VectorX::Zero(8);
  q[6] = -0.3;
  const Transform moved = model->joints[1].Moved(q);
  EXPECT_LT(AngleBetween(moved.R, ExpRotation({0, 0, -0.3})), 1e-12);
  EXPECT_LT((moved.p - Vector3(0.5 * (2 * 0.09 + 1), 0, 0)).norm(), 1e-12);
  ASSERT_EQ(model->couplings.size(), 1);
  EXPECT_EQ(model->couplings[0].independent, 6);
  EXPECT_EQ(model->couplings[0].dependent, 7);
  EXPECT_DOUBLE_EQ(model->couplings[0].function.Value(0.25), 2 * 0.75);
}

TEST(ReadOsim, WhatCannotBeMovedIsNamed) {
  const auto with = [](std::string_view from, std::string_view to) {
    std::string text = kMoving;
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size())) {
      text.replace(at, from.size(), to);
    }
    const Result<OsimModel> model = ReadOsim(text, "a.osim");
    EXPECT_TRUE(model.ok()) << model.diagnostics().ToString();
    return model->unknown.empty() ? std::string() : model->unknown.front();
  };
  EXPECT_THAT(with("PinJoint", "EllipsoidJoint"),
              HasSubstr("\"cap\" of type EllipsoidJoint"));
  EXPECT_THAT(with("PolynomialFunction", "GCVSpline"),
              HasSubstr("\"knee\", \"translation1\""));
  EXPECT_THAT(with("CoordinateCouplerConstraint", "WeldConstraint"),
              HasSubstr("of type WeldConstraint"));
  EXPECT_EQ(with("<isEnforced>true", "<isEnforced>false"), "");
  EXPECT_THAT(with("<locked>true</locked>", "<prescribed>true</prescribed>"),
              HasSubstr("\"beta\""));
  EXPECT_THAT(with("_frame>tibia<", "_frame>patella<"),
              HasSubstr("second joint of body \"patella\""));
}

constexpr const char* kTasks =
    R"(<InverseKinematicsTool name="s"><model_file> s.osim </model_file>
<IKTaskSet name="set"><objects>
 <IKMarkerTask name="R.ASIS"><apply>true</apply><weight>10</weight></IKMarkerTask>
 <IKMarkerTask name="Top"><apply>false</apply><weight>3</weight></IKMarkerTask>
 <IKMarkerTask name="bad"><weight>-1</weight></IKMarkerTask>
 <IKMarkerTask name="worse"><weight>much</weight></IKMarkerTask>
 <IKCoordinateTask name="mtp"><apply>true</apply><weight>1000</weight><value_type>default_value</value_type><value>7</value></IKCoordinateTask>
 <IKCoordinateTask name="hip"><weight>2</weight><value_type>manual_value</value_type><value>0.25</value></IKCoordinateTask>
 <IKCoordinateTask name="file"><apply>true</apply><weight>2</weight><value_type>from_file</value_type></IKCoordinateTask>
</objects></IKTaskSet></InverseKinematicsTool>)";

TEST(ReadOsimTasks, WeightsOfMarkersAndCoordinates) {
  const std::string alone(kTasks);
  const std::size_t begin = alone.find("<IKTaskSet");
  const std::string set = alone.substr(begin, alone.find("</Inverse") - begin);
  for (const std::string& text :
       {std::string(kTasks), set,
        "<ScaleTool><MarkerPlacer>" + set + "</MarkerPlacer></ScaleTool>"}) {
    const Result<OsimTasks> tasks =
        ReadOsimTasks("<OpenSimDocument>" + text + "</OpenSimDocument>", "t");
    ASSERT_TRUE(tasks.ok()) << tasks.diagnostics().ToString();
    EXPECT_EQ(tasks.diagnostics().CountOf("task"), 3);
    ASSERT_EQ(tasks->markers.size(), 2);
    EXPECT_EQ(tasks->markers[0].name, "R.ASIS");
    EXPECT_EQ(tasks->markers[0].weight, 10);
    EXPECT_TRUE(tasks->markers[0].is_applied);
    EXPECT_FALSE(tasks->markers[1].is_applied);
    ASSERT_EQ(tasks->coordinates.size(), 2);
    EXPECT_FALSE(tasks->coordinates[0].has_value);
    EXPECT_TRUE(tasks->coordinates[1].has_value);
    EXPECT_EQ(tasks->coordinates[1].value, 0.25);
    EXPECT_FALSE(tasks->is_default);
  }
  EXPECT_EQ(
      ReadOsimTasks("<OpenSimDocument>" + alone + "</OpenSimDocument>", "t")
          ->model_file,
      "s.osim");
}

TEST(ReadOsimTasks, AValueThatIsNoNumberIsLeftOutNotZero) {
  for (const std::string value : {"", "wide", "nan", "inf", "1e999"}) {
    const Result<OsimTasks> tasks = ReadOsimTasks(
        "<OpenSimDocument><IKTaskSet><objects><IKCoordinateTask name=\"hip\">"
        "<value_type>manual_value</value_type><value>" +
            value +
            "</value></IKCoordinateTask></objects></IKTaskSet>"
            "</OpenSimDocument>",
        "t.xml");
    ASSERT_TRUE(tasks.ok());
    EXPECT_TRUE(tasks->coordinates.empty()) << value;
    EXPECT_THAT(tasks.diagnostics().ToString(),
                HasSubstr("\"hip\" with value \"" + value + "\""));
  }
}

TEST(ReadOsimTasks, WhatHasNoTasksErrors) {
  EXPECT_THAT(ReadOsimTasks(kMoving, "t.xml").diagnostics().ToString(),
              HasSubstr("IKTaskSet"));
  EXPECT_THAT(ReadOsimTasks("<a>\n<b>", "t.xml").diagnostics().ToString(),
              HasSubstr("t.xml:2:"));
  EXPECT_FALSE(ReadOsimTasks("", "t.xml").ok());
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
    EXPECT_THAT(model->unknown, testing::IsEmpty()) << entry.path();
    ++count;
  }
  EXPECT_GT(count, 5);
}

}  // namespace
}  // namespace limber::mocap
