// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "figure/pose.h"
#include "mocap/io/asf_amc.h"
#include "mocap/io/bvh.h"
#include "mocap/io/c3d.h"
#include "mocap/io/trc.h"
#include "tests/app/program_test.h"

namespace limber::test {
namespace {

using figure::Motion;
using figure::UpAxis;
using mocap::MarkerTake;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

class ConvertTest : public ProgramTest {
 protected:
  /// `limber convert`, which must succeed.
  static Outcome Convert(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "convert");
    Outcome outcome = RunLimber(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome;
  }
  /// `limber convert`, which must fail with this code and write nothing.
  Outcome Refuse(int code, const std::string& output,
                 std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "convert");
    Outcome outcome = RunLimber(arguments);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_THAT(outcome.out, IsEmpty());
    EXPECT_FALSE(Exists(output));
    return outcome;
  }
};

/// Same frames, labels and gaps; positions to `tolerance` [m].
void ExpectSameMarkers(const MarkerTake& a, const MarkerTake& b,
                       double tolerance) {
  ASSERT_EQ(a.labels(), b.labels());
  ASSERT_EQ(a.num_frames(), b.num_frames());
  EXPECT_EQ(a.rate_hz(), b.rate_hz());
  for (std::int64_t frame = 0; frame < a.num_frames(); ++frame) {
    for (int marker = 0; marker < a.num_markers(); ++marker) {
      ASSERT_EQ(a.IsVisible(frame, marker), b.IsVisible(frame, marker));
      if (!a.IsVisible(frame, marker)) continue;
      EXPECT_LE((a.Position(frame, marker) - b.Position(frame, marker)).norm(),
                tolerance);
    }
  }
}

/// Every joint of every frame at the same place to `tolerance` [m].
void ExpectSameMotion(const Motion& a, const Motion& b, double tolerance) {
  ASSERT_EQ(a.skeleton().num_joints(), b.skeleton().num_joints());
  ASSERT_EQ(a.num_frames(), b.num_frames());
  EXPECT_EQ(a.rate_hz(), b.rate_hz());
  for (std::int64_t frame = 0; frame < a.num_frames(); ++frame) {
    const auto X_a = figure::WorldTransforms(a.skeleton(), a.pose(frame));
    const auto X_b = figure::WorldTransforms(b.skeleton(), b.pose(frame));
    for (std::size_t joint = 0; joint < X_a.size(); ++joint) {
      EXPECT_LE((X_a[joint].p - X_b[joint].p).norm(), tolerance);
    }
  }
}

Motion Bvh(const std::string& path, double metres_per_unit,
           UpAxis up = UpAxis::kY) {
  return mocap::ReadBvhFile(path, {metres_per_unit, up}).value();
}

TEST_F(ConvertTest, C3dToTrcKeepsMarkersGapsUnitAndAxes) {
  const Outcome outcome = Convert({Bundled("takes/march.c3d"), In("a.trc")});
  EXPECT_THAT(outcome.out, HasSubstr("(C3D) -> "));
  EXPECT_THAT(outcome.out, HasSubstr("a.trc (TRC): 121 frames, 19 points"));
  // What TRC cannot hold is said.
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("warning: TRC has no place for"),
                    HasSubstr("1 analog channel"), HasSubstr("4 events")));
  // And so is an up axis that TRC cannot state.
  EXPECT_THAT(outcome.err, HasSubstr("written with +Z up"));
  EXPECT_THAT(
      Convert({Bundled("takes/march.c3d"), In("b.trc"), "--to-up", "y"}).err,
      Not(HasSubstr("up axis")));
  const MarkerTake from = mocap::ReadC3d(Bundled("takes/march.c3d")).value();
  const MarkerTake to = mocap::ReadTrc(In("a.trc"), {.strict = false,
                                                     .axes = from.origin.axes,
                                                     .metres_per_unit = {}})
                            .value();
  EXPECT_EQ(to.origin.unit, "mm");
  ExpectSameMarkers(from, to, 1e-12);
}

TEST_F(ConvertTest, StrictRefusesToLoseChannels) {
  EXPECT_THAT(
      Refuse(1, "a.trc", {"--strict", Bundled("takes/march.c3d"), In("a.trc")})
          .err,
      HasSubstr("error: TRC has no place for"));
}

TEST_F(ConvertTest, TrcToC3dAndBackKeepsEverySample) {
  Convert({Bundled("takes/march.trc"), In("a.c3d")});
  Convert({In("a.c3d"), In("b.trc")});
  const MarkerTake from = mocap::ReadTrc(Bundled("takes/march.trc")).value();
  const MarkerTake through = mocap::ReadC3d(In("a.c3d")).value();
  // A float of 1.8 m in millimetres is good to 0.00006 mm.
  ExpectSameMarkers(from, through, 1e-7);
  ExpectSameMarkers(through, mocap::ReadTrc(In("b.trc")).value(), 1e-12);
  EXPECT_EQ(through.origin.axes, from.origin.axes);
}

TEST_F(ConvertTest, TargetUnitAndAxisTurnTheNumbersNotTheScene) {
  Convert({Bundled("takes/march.c3d"), In("a.trc"), "--to-unit", "m", "--to-up",
           "y"});
  const MarkerTake to = mocap::ReadTrc(In("a.trc")).value();
  EXPECT_EQ(to.origin.unit, "m");
  ExpectSameMarkers(mocap::ReadC3d(Bundled("takes/march.c3d")).value(), to,
                    1e-12);
}

TEST_F(ConvertTest, C3dByteOrdersAndIntegersAgree) {
  const MarkerTake from = mocap::ReadC3d(Bundled("takes/march.c3d")).value();
  for (const std::string order : {"pc", "dec", "SGI"}) {
    for (const std::string numbers : {"float", "int16"}) {
      Convert({Bundled("takes/march.c3d"), In("a.c3d"), "--c3d-order", order,
               "--c3d-numbers", numbers});
      const MarkerTake to = mocap::ReadC3d(In("a.c3d")).value();
      // 16 bits over 2 m: half a step is 0.03 mm per axis.
      ExpectSameMarkers(from, to, numbers == "float" ? 1e-9 : 6e-5);
      EXPECT_EQ(to.events.size(), 4u);
      EXPECT_EQ(to.analog.channels.size(), 1u);
    }
  }
}

TEST_F(ConvertTest, BvhToItselfKeepsTheText) {
  Convert({Bundled("clips/march.bvh"), In("a.bvh")});
  EXPECT_EQ(ReadWholeFile(In("a.bvh")).value(),
            ReadWholeFile(Bundled("clips/march.bvh")).value());
}

TEST_F(ConvertTest, BvhInAnotherUnitIsTheSameMotion) {
  Convert({Make("a.bvh", kSmallBvh), In("b.bvh"), "--unit", "m", "--to-unit",
           "mm"});
  const std::string text = ReadWholeFile(In("b.bvh")).value();
  EXPECT_THAT(text, HasSubstr("CHANNELS 1 Xrotation"));
  ExpectSameMotion(Bvh(In("a.bvh"), 1.0), Bvh(In("b.bvh"), 0.001), 1e-8);
}

TEST_F(ConvertTest, BvhWithAnotherUpAxisIsTheSameMotion) {
  Convert({Make("a.bvh", kSmallBvh), In("b.bvh"), "--unit", "m", "--up", "y",
           "--to-up", "z"});
  ExpectSameMotion(Bvh(In("a.bvh"), 1.0), Bvh(In("b.bvh"), 1.0, UpAxis::kZ),
                   1e-6);
}

TEST_F(ConvertTest, AmcToBvhAndBackIsTheSameMotion) {
  const std::string asf_path = Bundled("clips/chain.asf");
  Convert({Bundled("clips/chain.amc"), In("a.bvh"), "--rate", "120"});
  Convert({In("a.bvh"), In("b.amc"), "--asf", asf_path, "--unit", "cmu"});
  const mocap::AsfSkeleton asf = mocap::ReadAsfFile(asf_path).value();
  const auto amc = [&asf](const std::string& path) {
    mocap::AmcReadOptions options{.rate_hz = 120.0};
    return mocap::ReadAmcFile(path, asf, options).value();
  };
  const Motion from = amc(Bundled("clips/chain.amc"));
  ExpectSameMotion(from, Bvh(In("a.bvh"), asf.metres_per_unit), 1e-7);
  ExpectSameMotion(from, amc(In("b.amc")), 1e-7);
}

TEST_F(ConvertTest, AmcOutputNeedsASkeletonThatFits) {
  const std::string bvh = Bundled("clips/march.bvh");
  EXPECT_THAT(Refuse(2, "a.amc", {bvh, In("a.amc")}).err,
              HasSubstr("--asf FILE"));
  EXPECT_THAT(Refuse(1, "a.amc",
                     {bvh, In("a.amc"), "--asf", Bundled("clips/chain.asf")})
                  .err,
              HasSubstr("error: "));
  EXPECT_THAT(
      Refuse(1, "a.amc", {bvh, In("a.amc"), "--asf", In("none.asf")}).err,
      HasSubstr("cannot open"));
}

TEST_F(ConvertTest, OtherPairsAreRefusedWithTheValidOnes) {
  const std::string bvh = Bundled("clips/march.bvh");
  EXPECT_THAT(Refuse(2, "a.c3d", {bvh, In("a.c3d")}).err,
              AllOf(HasSubstr("cannot convert BVH to C3D"),
                    HasSubstr("C3D and TRC into each other")));
  EXPECT_THAT(Refuse(2, "a.bvh", {Bundled("takes/march.c3d"), In("a.bvh")}).err,
              HasSubstr("cannot convert C3D to BVH"));
  EXPECT_THAT(Refuse(2, "a.xyz", {bvh, In("a.xyz")}).err,
              AllOf(HasSubstr("cannot tell the format"), HasSubstr("a.xyz")));
  EXPECT_THAT(Refuse(2, "a.asf", {bvh, In("a.asf")}).err,
              HasSubstr("read but not written"));
  EXPECT_THAT(Refuse(2, "a.bvh", {Bundled("clips/chain.asf"), In("a.bvh")}).err,
              HasSubstr("cannot convert ASF to BVH"));
}

TEST_F(ConvertTest, InputIsNotOverwrittenUnlessForced) {
  const std::string path = Make("a.bvh", kSmallBvh);
  const std::string before = ReadWholeFile(path).value();
  const Outcome refused = RunLimber({"convert", path, path});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("is the input itself; --force"));
  // Also under another name.
  std::filesystem::create_symlink(path, folder_ / "link.bvh");
  EXPECT_EQ(RunLimber({"convert", path, In("link.bvh")}).code, 2);
  EXPECT_EQ(ReadWholeFile(path).value(), before);
  Convert({path, path, "--force"});
  EXPECT_NE(ReadWholeFile(path).value(), before);
  ExpectSameMotion(Bvh(path, 1.0), Bvh(Make("b.bvh", kSmallBvh), 1.0), 1e-5);
}

TEST_F(ConvertTest, UnwritableOutputIsReported) {
  const Outcome outcome = RunLimber(
      {"convert", Bundled("clips/march.bvh"), In("no/such/folder/a.bvh")});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("no/such/folder/a.bvh"),
                                 HasSubstr("cannot write")));
  EXPECT_THAT(outcome.out, IsEmpty());
}

TEST_F(ConvertTest, BadInputWritesNothing) {
  EXPECT_THAT(
      Refuse(1, "b.bvh", {Make("a.bvh", kSmallBvh.substr(0, 200)), In("b.bvh")})
          .err,
      HasSubstr("a.bvh:"));
}

TEST_F(ConvertTest, JsonReportsResultAndWarnings) {
  const Outcome outcome =
      Convert({"--json", Bundled("takes/march.c3d"), In("a.trc")});
  const json report = json::parse(outcome.out);
  EXPECT_EQ(report["frames"], 121);
  EXPECT_EQ(report["output"], In("a.trc"));
  EXPECT_EQ(report["warnings"][0]["kind"], "left-out");
}

}  // namespace
}  // namespace limber::test
