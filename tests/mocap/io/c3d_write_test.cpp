// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// What the C3D writer promises: what is written is read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>

#include "mocap/io/internal/c3d_codec.h"
#include "tests/mocap/io/c3d_files.h"
#include "tests/mocap/io/take_samples.h"

namespace limber::mocap {
namespace {

using test::Bytes;
using test::DataOf;
using test::Difference;
using test::kDataStartAt;
using test::kPc;
using test::kSectionAt;
using test::Read;
using test::SmallTake;
using test::WarningKinds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string Numbered(char letter, int number) {
  std::string name(1, letter);
  name += std::to_string(number);
  return name;
}

TEST(WriteC3d, SmallTakeComesBackInEveryEncoding) {
  const MarkerTake take = SmallTake();
  for (C3dByteOrder order : {kPc, C3dByteOrder::kDec, C3dByteOrder::kSgi}) {
    for (C3dNumbers numbers : {C3dNumbers::kFloat, C3dNumbers::kInt16}) {
      const Result<MarkerTake> result =
          Read(Bytes(take, {.byte_order = order, .numbers = numbers}));
      ASSERT_TRUE(result.ok()) << result.diagnostics().ToString();
      EXPECT_EQ(result.diagnostics().ToString(), "");
      EXPECT_EQ(Difference(take, *result), "");
      EXPECT_NEAR(result->start_time_s, take.start_time_s, 1e-12);
    }
  }
}

TEST(WriteC3d, TakeWithoutMetadataGetsTheStandardParameters) {
  const MarkerTake take = Read(Bytes(SmallTake())).value();
  for (const char* name :
       {"USED", "FRAMES", "DATA_START", "SCALE", "RATE", "X_SCREEN", "Y_SCREEN",
        "UNITS", "LABELS", "DESCRIPTIONS"}) {
    EXPECT_NE(take.metadata.Find("POINT", name), nullptr) << name;
  }
  for (const char* name : {"USED", "RATE", "GEN_SCALE", "SCALE", "OFFSET",
                           "UNITS", "LABELS", "DESCRIPTIONS"}) {
    EXPECT_NE(take.metadata.Find("ANALOG", name), nullptr) << name;
  }
  for (const char* name :
       {"USED", "TYPE", "ZERO", "CORNERS", "ORIGIN", "CHANNEL"}) {
    EXPECT_NE(take.metadata.Find("FORCE_PLATFORM", name), nullptr) << name;
  }
  EXPECT_EQ(take.metadata.Find("POINT", "FRAMES")->Number(), 4.0);
  EXPECT_LT(*take.metadata.Find("POINT", "SCALE")->Number(), 0.0);
}

TEST(WriteC3d, FileIsWholeBlocksAndPointsAtItsData) {
  const std::string bytes = Bytes(SmallTake());
  EXPECT_EQ(bytes.size() % 512, 0u);
  const std::size_t block = internal::LoadU16(&bytes[kDataStartAt], kPc);
  EXPECT_EQ(block, 2u + static_cast<unsigned char>(bytes[kSectionAt + 2]));
  EXPECT_EQ(internal::LoadU16(&bytes[DataOf(bytes, "DATA_START")], kPc), block);
}

TEST(WriteC3d, UnknownGroupsTypesLocksAndDescriptionsAreKept) {
  MarkerTake take = SmallTake();
  MetadataGroup& group = take.metadata.FindOrAdd("MY_LAB");
  group.description = "ours";
  group.locked = true;
  group.id = 77;
  MetadataParameter bytes;
  bytes.name = "BYTES";
  bytes.data = std::vector<std::uint8_t>{0, 128, 255, 7};
  bytes.dimensions = {2, 1, 2};
  bytes.num_dimensions = 3;
  bytes.locked = true;
  bytes.description = "three dimensions";
  group.parameters.push_back(bytes);
  group.FindOrAdd("EMPTY").SetFloats({});
  group.FindOrAdd("SINGLE").SetFloat(-2.5f);
  group.parameters.push_back(bytes);  // twice the same name
  for (C3dByteOrder order : {kPc, C3dByteOrder::kDec, C3dByteOrder::kSgi}) {
    const MarkerTake again = Read(Bytes(take, {.byte_order = order})).value();
    ASSERT_NE(again.metadata.Find("MY_LAB"), nullptr);
    EXPECT_EQ(*again.metadata.Find("MY_LAB"), group);
  }
}

TEST(WriteC3d, MoreThan255PointsUseContinuedLabels) {
  std::vector<std::string> labels;
  for (int i = 0; i < 600; ++i) labels.push_back(Numbered('M', i));
  MarkerTake take(labels, 2, 100.0);
  for (int i = 0; i < 600; ++i) take.SetPosition(1, i, Vector3(i, 1, 2));
  const Result<MarkerTake> result = Read(Bytes(take));
  ASSERT_TRUE(result.ok()) << result.diagnostics().ToString();
  EXPECT_EQ(result.diagnostics().ToString(), "");
  EXPECT_EQ(Difference(take, *result), "");
  EXPECT_NE(result->metadata.Find("POINT", "LABELS3"), nullptr);
  EXPECT_EQ(result->metadata.Find("POINT", "LABELS4"), nullptr);
}

TEST(WriteC3d, MoreThan255AnalogChannelsUseContinuedParameters) {
  MarkerTake take({}, 1, 100.0);
  take.analog.samples_per_frame = 1;
  take.analog.rate_hz = 100.0;
  for (int i = 0; i < 300; ++i) {
    take.analog.channels.push_back(
        {Numbered('C', i), "", "V", 0.5 + i, double(i)});
    take.analog.samples.push_back((0.5 + i) * 3.0);
  }
  const Result<MarkerTake> result = Read(Bytes(take));
  ASSERT_TRUE(result.ok()) << result.diagnostics().ToString();
  EXPECT_EQ(Difference(take, *result), "");
  EXPECT_NE(result->metadata.Find("ANALOG", "SCALE2"), nullptr);
}

TEST(WriteC3d, MoreThan65535FramesAreCountedInLongPlaces) {
  constexpr int kFrames = 70001;
  MarkerTake take({"A"}, kFrames, 100.0);
  take.SetPosition(kFrames - 1, 0, Vector3(1, 2, 3));
  take.first_frame = 66000;
  const std::string bytes = Bytes(take);
  const Result<MarkerTake> result = Read(bytes);
  ASSERT_TRUE(result.ok()) << result.diagnostics().ToString();
  EXPECT_EQ(result.diagnostics().ToString(), "");
  EXPECT_EQ(Difference(take, *result), "");
  EXPECT_EQ(result->metadata.Find("POINT", "FRAMES")->UnsignedNumber(), 65535);
  EXPECT_EQ(result->metadata.Find("POINT", "LONG_FRAMES")->Number(), kFrames);
}

// The long count is in TRIAL only (Vicon), in LONG_FRAMES only (C-Motion), in a
// float FRAMES only, or nowhere.
TEST(ReadC3d, LongCountsAreFoundInEveryPlace) {
  constexpr int kFrames = 70000;
  MarkerTake take({"A"}, kFrames, 100.0);
  take.SetPosition(kFrames - 1, 0, Vector3(1, 2, 3));
  const std::string all = Bytes(take);
  const auto without = [](std::string bytes, std::string_view name) {
    // A renamed parameter is as good as none.
    bytes[bytes.find(name, kSectionAt)] = 'Q';
    return bytes;
  };
  const std::string trial_only = without(all, "LONG_FRAMES");
  EXPECT_EQ(Read(trial_only)->num_frames(), kFrames);
  EXPECT_EQ(Read(trial_only).diagnostics().ToString(), "");
  const std::string long_only =
      without(without(all, "ACTUAL_START"), "ACTUAL_END");
  EXPECT_EQ(Read(long_only)->num_frames(), kFrames);
  EXPECT_EQ(Read(long_only).diagnostics().ToString(), "");
  // Nowhere: the bytes tell. One marker makes frames of 16 bytes, so the last
  // block may hold up to 31 frames of padding.
  const Result<MarkerTake> nowhere = Read(without(long_only, "LONG_FRAMES"));
  ASSERT_TRUE(nowhere.ok());
  EXPECT_GE(nowhere->num_frames(), kFrames);
  EXPECT_LE(nowhere->num_frames(), kFrames + 31);
  EXPECT_THAT(WarningKinds(nowhere.diagnostics()),
              ElementsAre("trailing-data", "zero-position"));
}

TEST(ReadC3d, FramesMayBeAFloat) {
  MarkerTake take = Read(Bytes(SmallTake())).value();
  take.metadata.Find("POINT")->Find("FRAMES")->SetFloat(4.0f);
  const std::string bytes = Bytes(take);
  const Result<MarkerTake> result = Read(bytes);
  EXPECT_EQ(result->num_frames(), 4);
  EXPECT_EQ(result.diagnostics().ToString(), "");
  // It says the right thing, so the writer left its type alone.
  EXPECT_EQ(result->metadata.Find("POINT", "FRAMES")->data.index(), 3u);
}

TEST(WriteC3d, FirstFrameZeroAnalogOnlyAndEmptyTakesComeBack) {
  MarkerTake zero = SmallTake();
  zero.first_frame = 0;
  EXPECT_EQ(Difference(zero, Read(Bytes(zero)).value()), "");

  MarkerTake analog({}, 4, 50.0);
  analog.analog = SmallTake().analog;
  const Result<MarkerTake> result = Read(Bytes(analog));
  EXPECT_EQ(result.diagnostics().ToString(), "");
  EXPECT_EQ(Difference(analog, *result), "");

  const MarkerTake no_frames({"A", "B"}, 0, 50.0);
  EXPECT_EQ(Difference(no_frames, Read(Bytes(no_frames)).value()), "");
  const MarkerTake nothing({}, 0, 50.0);
  EXPECT_EQ(Difference(nothing, Read(Bytes(nothing)).value()), "");
}

TEST(WriteC3d, UnitsAndAxesAreRestored) {
  for (const char* unit : {"mm", "cm", "m", "in"}) {
    for (const AxisConvention& axes :
         {AxisConvention::YUp(), AxisConvention::ZUp(),
          AxisConvention{SignedAxis::kMinusY, SignedAxis::kPlusX}}) {
      MarkerTake take({"A"}, 1, 60.0);
      take.SetPosition(0, 0, Vector3(0.0254, 1.27, -2.54));
      take.origin.unit = unit;
      take.origin.metres_per_unit = unit == std::string("mm")   ? 0.001
                                    : unit == std::string("cm") ? 0.01
                                    : unit == std::string("m")  ? 1.0
                                                                : 0.0254;
      take.origin.axes = axes;
      const MarkerTake again = Read(Bytes(take)).value();
      EXPECT_EQ(again.origin.unit, unit);
      EXPECT_TRUE(again.origin.axes == axes);
      EXPECT_EQ(again.origin.axes_decision, Decision::kFile);
      EXPECT_LE((again.Position(0, 0) - take.Position(0, 0)).norm(), 3e-7);
    }
  }
}

TEST(WriteC3d, UnitTheFileDidNotMeanIsWrittenAsTheCallerSaid) {
  const std::string bytes = Bytes(SmallTake());
  const MarkerTake centimetres = Read(bytes, {.metres_per_unit = 0.01}).value();
  EXPECT_EQ(centimetres.origin.unit_decision, Decision::kCaller);
  EXPECT_NEAR(centimetres.Position(0, 0).y(), 10.005, 1e-9);
  const MarkerTake again = Read(Bytes(centimetres)).value();
  EXPECT_EQ(again.origin.unit, "cm");
  EXPECT_NEAR(again.Position(0, 0).y(), 10.005, 1e-9);
}

TEST(WriteC3d, IntegersChooseAScaleThatHoldsEveryCoordinate) {
  MarkerTake take({"A"}, 1, 60.0);
  take.SetPosition(0, 0, Vector3(100.0, 1.0, 2.0));
  take.origin.point_scale = 0.1;  // 100 m would be a million counts
  const MarkerTake again =
      Read(Bytes(take, {.numbers = C3dNumbers::kInt16})).value();
  EXPECT_NEAR(again.origin.point_scale, 100000.0 / 32000.0, 1e-3);
  EXPECT_LE((again.Position(0, 0) - take.Position(0, 0)).norm(), 0.004);
}

TEST(WriteC3d, FullScaleCountsStayInRange) {
  MarkerTake take({"A"}, 1, 60.0);
  take.origin.point_scale = 1.0;
  take.SetPosition(0, 0, Vector3(32.7674, -32.7674, 0.0));
  const MarkerTake again =
      Read(Bytes(take, {.numbers = C3dNumbers::kInt16})).value();
  EXPECT_NEAR(again.Position(0, 0).x(), 32.767, 1e-5);
  EXPECT_NEAR(again.Position(0, 0).y(), -32.767, 1e-5);
}

TEST(WriteC3d, ChangedEventsReplaceTheGroup) {
  MarkerTake take = Read(Bytes(SmallTake())).value();
  take.events.pop_back();
  take.events.back().label = "Heel";
  const MarkerTake again = Read(Bytes(take)).value();
  EXPECT_EQ(Difference(take, again), "");
  EXPECT_EQ(again.metadata.Find("EVENT", "USED")->Number(), 1.0);
}

TEST(WriteC3d, PointKindsAreKept) {
  MarkerTake take({"A", "LHipAngles"}, 1, 60.0);
  take.SetPosition(0, 0, Vector3(0.5, 1.0, 2.0));
  take.SetPosition(0, 1, Vector3(0.0, 0.0, 0.0));
  take.SetKind(1, PointKind::kAngle);
  take.origin.axes = AxisConvention::ZUp();
  const Result<MarkerTake> again = Read(Bytes(take));
  EXPECT_EQ(again.diagnostics().ToString(), "");
  // Zero angles are angles, not gaps.
  EXPECT_EQ(Difference(take, *again), "");
}

TEST(WriteC3d, AnalogOutOfRangeIsClampedWithAWarning) {
  MarkerTake take = SmallTake();
  take.analog.samples[0] = 1e9;
  const Result<std::string> bytes =
      FormatC3d(take, {.numbers = C3dNumbers::kInt16});
  ASSERT_TRUE(bytes.ok());
  EXPECT_EQ(bytes.diagnostics().ToString(),
            "warning: a sample of analog channel \"Fx\" does not fit 16 bits; "
            "clamped\n");
  EXPECT_EQ(Read(*bytes)->analog.Sample(0, 0), (32767.0 - 2048.0) * 0.5);
}

TEST(WriteC3d, LimitsOfTheFormatAreErrors) {
  MarkerTake points(std::vector<std::string>(70000), 0, 60.0);
  EXPECT_EQ(FormatC3d(points).diagnostics().ToString(),
            "error: 70000 points and 0 analog values per frame, C3D holds at "
            "most 65535 of each\n");
  MarkerTake events({}, 0, 60.0);
  events.events.resize(256);
  EXPECT_EQ(FormatC3d(events).diagnostics().ToString(),
            "error: 256 events, the group EVENT holds at most 255\n");
  for (TakeEvent& event : events.events) event.in_header = true;
  EXPECT_THAT(FormatC3d(events).diagnostics().ToString(),
              HasSubstr("error: more than 18 events in the header"));
  MarkerTake groups({}, 0, 60.0);
  groups.metadata.groups.resize(130);
  EXPECT_THAT(FormatC3d(groups).diagnostics().ToString(),
              HasSubstr("parameter groups, C3D holds at most 127"));
  MarkerTake large({}, 0, 60.0);
  for (int i = 0; i < 40; ++i) {
    MetadataParameter& text =
        large.metadata.FindOrAdd("BIG").parameters.emplace_back();
    text.name = Numbered('T', i);
    text.SetStrings(std::vector<std::string>(40, std::string(100, 'x')));
  }
  EXPECT_THAT(FormatC3d(large).diagnostics().ToString(),
              HasSubstr("blocks, C3D holds at most 255"));
  MarkerTake broken({}, 0, 60.0);
  MetadataParameter& parameter =
      broken.metadata.FindOrAdd("G").FindOrAdd("BROKEN");
  parameter.SetFloat(1.0f);
  parameter.dimensions = {7};
  parameter.num_dimensions = 1;
  EXPECT_THAT(FormatC3d(broken).diagnostics().ToString(),
              HasSubstr("error: parameter \"BROKEN\" needs a name"));
  MarkerTake late({}, 1, 60.0);
  late.first_frame = -1;
  EXPECT_THAT(FormatC3d(late).diagnostics().ToString(),
              HasSubstr("C3D counts from 0 to 2147483647"));
}

TEST(WriteC3d, AnalogOfTheWrongSizeThrows) {
  MarkerTake take = SmallTake();
  take.analog.samples.pop_back();
  EXPECT_THROW(FormatC3d(take), std::invalid_argument);
}

TEST(WriteC3d, LongLabelsAreCutWithAWarning) {
  const MarkerTake take({std::string(300, 'x')}, 0, 60.0);
  const Result<std::string> bytes = FormatC3d(take);
  EXPECT_THAT(bytes.diagnostics().ToString(),
              HasSubstr("warning: POINT:LABELS cuts to 255 bytes: xxx"));
  EXPECT_EQ(Read(*bytes)->labels()[0].size(), 255u);
}

TEST(WriteC3d, FilesGoToDiskUnderNonAsciiNames) {
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / u8"прыжок née.c3d";
  const Diagnostics written = WriteC3d(path, SmallTake());
  EXPECT_EQ(written.ToString(), "");
  EXPECT_EQ(Difference(SmallTake(), ReadC3d(path).value()), "");
  std::filesystem::remove(path);
  EXPECT_THAT(ReadC3d(path).diagnostics().ToString(),
              HasSubstr("née.c3d: error: cannot open"));
}

}  // namespace
}  // namespace limber::mocap
