// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// C3D files made here: the writer's promises, odd files, and every message.
#include "mocap/io/c3d.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <stdexcept>

#include "mocap/io/internal/c3d_codec.h"
#include "tests/mocap/io/take_samples.h"

namespace limber::mocap {
namespace {

using internal::StoreFloat;
using internal::StoreU16;
using test::Difference;
using test::SmallTake;
using test::WarningKinds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr C3dByteOrder kPc = C3dByteOrder::kPc;
constexpr std::size_t kDataStartAt = 16;
constexpr std::size_t kSectionAt = 512;

std::string Bytes(const MarkerTake& take, const C3dWriteOptions& options = {}) {
  return FormatC3d(take, options).value();
}

Result<MarkerTake> Read(const std::string& bytes,
                        const C3dReadOptions& options = {}) {
  return ReadC3d(bytes, "a.c3d", options);
}

std::string Numbered(char letter, int number) {
  std::string name(1, letter);
  name += std::to_string(number);
  return name;
}

// The only finding, as it is printed.
std::string OnlyFinding(const Result<MarkerTake>& result) {
  const std::vector<Diagnostic>& all = result.diagnostics().all();
  if (all.size() != 1) return "not one: " + result.diagnostics().ToString();
  return ToString(all[0]);
}

// Where GROUP:NAME has its first data byte in files of the writer.
std::size_t DataOf(const std::string& bytes, std::string_view name,
                   std::size_t from = kSectionAt) {
  const std::size_t at = bytes.find(name, from);
  EXPECT_NE(at, std::string::npos) << name;
  const std::size_t head = at + name.size() + 2;
  return head + 2 + static_cast<unsigned char>(bytes[head + 1]);
}

// ---- What is written is read ----------------------------------------------

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

// ---- Messages: refused -----------------------------------------------------

TEST(ReadC3d, EmptyFileIsTooShort) {
  EXPECT_EQ(OnlyFinding(Read("")),
            "a.c3d: byte 0: error: expected a header of 512 bytes, found 0");
}

TEST(ReadC3d, WrongKeyErrorsAtByte1) {
  std::string bytes = Bytes(SmallTake());
  bytes[1] = 0;
  EXPECT_EQ(OnlyFinding(Read(bytes)),
            "a.c3d: byte 1: error: expected key 0x50, found 0x00");
}

TEST(ReadC3d, ParameterPointerOutsideTheFileErrorsAtByte0) {
  std::string bytes = Bytes(SmallTake());
  bytes[0] = 90;
  EXPECT_EQ(OnlyFinding(Read(bytes)),
            "a.c3d: byte 0: error: expected the parameters in a block from 2 "
            "to 5, found block 90 in a file of 2048 bytes");
  bytes[0] = 1;
  EXPECT_THAT(OnlyFinding(Read(bytes)), HasSubstr("found block 1 in"));
}

TEST(ReadC3d, UnknownProcessorErrorsAtItsByte) {
  std::string bytes = Bytes(SmallTake());
  bytes[kSectionAt + 3] = 99;
  EXPECT_EQ(OnlyFinding(Read(bytes)),
            "a.c3d: byte 515: error: expected processor 84 (PC), 85 (DEC) or "
            "86 (SGI), found 99");
}

TEST(ReadC3d, DataBeyondTheFileErrorsAtByte16) {
  MarkerTake take = Read(Bytes(SmallTake())).value();
  std::string bytes = Bytes(take);
  StoreU16(&bytes[kDataStartAt], 500, kPc);
  StoreU16(&bytes[DataOf(bytes, "DATA_START")], 400, kPc);
  EXPECT_EQ(OnlyFinding(Read(bytes)),
            "a.c3d: byte 16: error: expected the data in a block from 2 to 5, "
            "found block 500");
}

TEST(ReadC3d, ScaleZeroErrorsAtByte12) {
  std::string bytes = Bytes(SmallTake());
  StoreFloat(&bytes[12], 0.0f, kPc);
  StoreFloat(&bytes[DataOf(bytes, "SCALE")], 0.0f, kPc);
  EXPECT_EQ(OnlyFinding(Read(bytes)),
            "a.c3d: byte 12: error: expected a scale factor other than zero, "
            "found 0");
}

TEST(ReadC3d, FileThatEndsBeforeItsDataErrors) {
  std::string bytes = Bytes(SmallTake());
  const std::size_t data =
      512u * (internal::LoadU16(&bytes[kDataStartAt], kPc) - 1u);
  bytes.resize(data + 10);
  EXPECT_EQ(OnlyFinding(Read(bytes)),
            "a.c3d: byte 1536: error: expected 4 frames of 64 bytes, found 10 "
            "bytes");
}

TEST(ReadC3d, PointsNothingPaysForError) {
  std::string bytes = Bytes(MarkerTake({"A"}, 0, 60.0));
  StoreU16(&bytes[2], 65000, kPc);
  EXPECT_THAT(Read(bytes).diagnostics().ToString(),
              HasSubstr("error: expected data of 65000 points and 0 analog "
                        "channels, found 1024 bytes in all"));
}

TEST(ReadC3d, FramesOfNothingAreNone) {
  std::string bytes = Bytes(MarkerTake({}, 0, 60.0));
  StoreU16(&bytes[8], 65535, kPc);
  StoreU16(&bytes[DataOf(bytes, "FRAMES")], 65535, kPc);
  const Result<MarkerTake> result = Read(bytes);
  EXPECT_EQ(OnlyFinding(result),
            "a.c3d: byte 2: warning: 65535 frames declared, of no points and "
            "no analog channels; using 0");
  EXPECT_EQ(result->num_frames(), 0);
}

// ---- Messages: repaired ----------------------------------------------------

TEST(ReadC3d, TruncatedDataKeepsTheWholeFrames) {
  std::string bytes = Bytes(SmallTake());
  bytes.resize(1536 + 2 * 64 + 20);
  const Result<MarkerTake> result = Read(bytes);
  EXPECT_EQ(OnlyFinding(result),
            "a.c3d: byte 1684: warning: 4 frames declared, 2 stored; using 2");
  EXPECT_EQ(result->num_frames(), 2);
  EXPECT_FALSE(Read(bytes, {.strict = true}).ok());
}

TEST(ReadC3d, ContradictingFrameCountsUseWhatIsStored) {
  std::string bytes = Bytes(SmallTake());
  StoreU16(&bytes[DataOf(bytes, "FRAMES")], 9000, kPc);
  const Result<MarkerTake> result = Read(bytes);
  EXPECT_EQ(OnlyFinding(result),
            "a.c3d: byte 6: warning: 4 frames by the header, 9000 by the "
            "parameters, 8 stored; using 4");
  EXPECT_EQ(result->num_frames(), 4);
}

TEST(ReadC3d, BytesAfterTheFramesAreReported) {
  std::string bytes = Bytes(SmallTake());
  bytes.append(600, '\0');
  EXPECT_EQ(OnlyFinding(Read(bytes)),
            "a.c3d: byte 1792: warning: 856 bytes follow the declared frames; "
            "left out");
}

TEST(ReadC3d, ContradictingDataStartUsesTheHeader) {
  std::string bytes = Bytes(SmallTake());
  StoreU16(&bytes[DataOf(bytes, "DATA_START")], 3, kPc);
  const Result<MarkerTake> result = Read(bytes);
  EXPECT_EQ(OnlyFinding(result),
            "a.c3d: byte 16: warning: data start at block 4 by the header, 3 "
            "by POINT:DATA_START; using 4");
  EXPECT_EQ(Difference(SmallTake(), *result), "");
}

TEST(ReadC3d, ContradictingScaleUsesTheHeader) {
  std::string bytes = Bytes(SmallTake());
  StoreFloat(&bytes[DataOf(bytes, "SCALE")], -0.5f, kPc);
  EXPECT_EQ(OnlyFinding(Read(bytes)),
            "a.c3d: byte 12: warning: scale factor -0.125 by the header, -0.5 "
            "by POINT:SCALE; using -0.125");
}

TEST(ReadC3d, ContradictingRateUsesTheParameter) {
  std::string bytes = Bytes(SmallTake());
  StoreFloat(&bytes[20], 60.0f, kPc);
  const Result<MarkerTake> result = Read(bytes);
  EXPECT_EQ(OnlyFinding(result),
            "a.c3d: byte 20: warning: rate 60 Hz by the header, 50 Hz by "
            "POINT:RATE; using 50");
  EXPECT_EQ(result->rate_hz(), 50.0);
}

TEST(ReadC3d, RateThatIsNoneBecomesOneHertz) {
  MarkerTake take({"A"}, 1, 60.0);
  std::string bytes = Bytes(take);
  StoreFloat(&bytes[20], 0.0f, kPc);
  StoreFloat(&bytes[DataOf(bytes, "RATE")],
             std::numeric_limits<float>::quiet_NaN(), kPc);
  const Result<MarkerTake> result = Read(bytes);
  EXPECT_EQ(OnlyFinding(result),
            "a.c3d: byte 20: warning: expected a positive rate, found 0 Hz; "
            "using 1 Hz");
  EXPECT_EQ(result->rate_hz(), 1.0);
}

TEST(ReadC3d, ContradictingPointCountUsesTheHeader) {
  std::string bytes = Bytes(SmallTake());
  StoreU16(&bytes[DataOf(bytes, "USED")], 7, kPc);
  EXPECT_EQ(OnlyFinding(Read(bytes)),
            "a.c3d: byte 2: warning: 3 points by the header, 7 by POINT:USED; "
            "using 3");
}

TEST(ReadC3d, ContradictingAnalogCountsKeepTheFrameSize) {
  std::string bytes = Bytes(SmallTake());
  const std::size_t analog = bytes.find("ANALOG", kSectionAt);
  StoreU16(&bytes[DataOf(bytes, "USED", analog)], 5, kPc);
  EXPECT_EQ(OnlyFinding(Read(bytes)),
            "a.c3d: byte 4: warning: 2 analog channels by the header, 5 by "
            "ANALOG:USED; using 2");
  bytes = Bytes(SmallTake());
  StoreU16(&bytes[18], 3, kPc);
  EXPECT_EQ(OnlyFinding(Read(bytes)),
            "a.c3d: byte 18: warning: 4 analog values per frame are not a "
            "multiple of 3 samples; using 2");
  bytes = Bytes(SmallTake());
  StoreFloat(&bytes[DataOf(bytes, "RATE", analog)], 1000.0f, kPc);
  EXPECT_EQ(OnlyFinding(Read(bytes)),
            "a.c3d: byte 18: warning: analog rate 1000 Hz by ANALOG:RATE, but "
            "2 samples are stored per frame of 50 Hz; using 100");
}

TEST(ReadC3d, UnitsNobodyKnowsAreMillimetres) {
  MarkerTake take = SmallTake();
  std::string bytes = Bytes(take);
  bytes.replace(DataOf(bytes, "UNITS"), 2, "xy");
  const Result<MarkerTake> result = Read(bytes);
  EXPECT_EQ(OnlyFinding(result),
            "a.c3d: warning: POINT:UNITS is \"xy\"; using mm");
  EXPECT_EQ(result->origin.unit_decision, Decision::kDefault);
  bytes.replace(DataOf(bytes, "UNITS"), 2, "  ");
  EXPECT_EQ(OnlyFinding(Read(bytes)),
            "a.c3d: warning: the file does not say its unit (POINT:UNITS); "
            "using mm");
}

TEST(ReadC3d, ScreenAxesThatMakeNoSenseMeanZUp) {
  std::string bytes = Bytes(SmallTake());
  bytes.replace(DataOf(bytes, "Y_SCREEN"), 2, "-X");
  const Result<MarkerTake> result = Read(bytes);
  EXPECT_EQ(OnlyFinding(result),
            "a.c3d: warning: POINT:X_SCREEN and Y_SCREEN are not two axes at "
            "right angles; using Z up");
  EXPECT_EQ(result->origin.axes_decision, Decision::kDefault);
}

TEST(ReadC3d, CallersAxesOverrideTheFile) {
  const std::string bytes = Bytes(SmallTake());
  const MarkerTake take = Read(bytes, {.axes = AxisConvention::YUp()}).value();
  EXPECT_EQ(take.origin.axes_decision, Decision::kCaller);
  // Up (y = 1.0005) was written to the file's z.
  EXPECT_NEAR(take.Position(0, 0).z(), 1.0005, 1e-9);
  EXPECT_EQ(Difference(take, Read(Bytes(take)).value()), "");
  EXPECT_THROW(Read(bytes, {.axes = AxisConvention{SignedAxis::kPlusX,
                                                   SignedAxis::kMinusX}}),
               std::invalid_argument);
  EXPECT_THROW(Read(bytes, {.metres_per_unit = 0.0}), std::invalid_argument);
}

TEST(ReadC3d, UnnamedPointsAreCalledByTheirPlace) {
  std::string bytes = Bytes(SmallTake());
  bytes.replace(DataOf(bytes, "LABELS") + 12, 12, 12, ' ');
  const Result<MarkerTake> result = Read(bytes);
  EXPECT_EQ(OnlyFinding(result),
            "a.c3d: warning: 3 points, 2 labels; the others are called *1, "
            "*2, ... by their place");
  EXPECT_THAT(result->labels(), ElementsAre("LASI", "*2", "Subject:HEAD"));
}

TEST(ReadC3d, ZeroPositionsAreMissingUnlessToldOtherwise) {
  MarkerTake take({"A"}, 2, 60.0);
  take.SetPosition(0, 0, Vector3::Zero());
  take.SetPosition(1, 0, Vector3(1, 1, 1));
  const std::string bytes = Bytes(take);
  const Result<MarkerTake> result = Read(bytes);
  EXPECT_THAT(OnlyFinding(result),
              HasSubstr("warning: 1 samples are exactly (0, 0, 0) though "
                        "marked as seen; taken as missing"));
  EXPECT_EQ(result.diagnostics().all()[0].place.byte, 1536);
  EXPECT_FALSE(result->IsVisible(0, 0));
  EXPECT_TRUE(result->IsVisible(1, 0));
  const Result<MarkerTake> kept = Read(bytes, {.zero_is_missing = false});
  EXPECT_EQ(kept.diagnostics().ToString(), "");
  EXPECT_TRUE(kept->IsVisible(0, 0));
}

TEST(ReadC3d, NegativeUnsignedAndNanWordsMeanNotSeen) {
  MarkerTake take({"A", "B", "C", "D", "E"}, 1, 60.0);
  for (int i = 0; i < 5; ++i) take.SetPosition(0, i, Vector3(1, 2, 3));
  std::string bytes = Bytes(take);
  const std::size_t data =
      512u * (internal::LoadU16(&bytes[kDataStartAt], kPc) - 1u);
  StoreFloat(&bytes[data + 12], -1.0f, kPc);
  StoreFloat(&bytes[data + 16 + 12], 65535.0f, kPc);
  StoreFloat(&bytes[data + 32 + 12], std::numeric_limits<float>::quiet_NaN(),
             kPc);
  StoreFloat(&bytes[data + 48 + 4], std::numeric_limits<float>::infinity(),
             kPc);
  const Result<MarkerTake> result = Read(bytes);
  EXPECT_EQ(result.diagnostics().ToString(), "");
  for (int i = 0; i < 4; ++i) EXPECT_FALSE(result->IsVisible(0, i)) << i;
  EXPECT_TRUE(result->IsVisible(0, 4));
}

TEST(ReadC3d, HeaderEventsBeyondTheirTableAreLeftOut) {
  std::string bytes = Bytes(SmallTake());
  StoreU16(&bytes[300], 19, kPc);
  const Result<MarkerTake> result = Read(bytes);
  EXPECT_EQ(OnlyFinding(result),
            "a.c3d: byte 300: warning: 19 header events declared, the header "
            "holds at most 18; using none");
  EXPECT_EQ(result->events.size(), 2u);
  bytes = Bytes(SmallTake());
  StoreFloat(&bytes[304], std::numeric_limits<float>::infinity(), kPc);
  EXPECT_EQ(OnlyFinding(Read(bytes)),
            "a.c3d: byte 304: warning: the time of a header event is not a "
            "number; left out");
}

TEST(ReadC3d, GroupEventsWithoutTimesAreLeftOut) {
  std::string bytes = Bytes(SmallTake());
  const std::size_t group = bytes.find("EVENT", kSectionAt);
  StoreU16(&bytes[DataOf(bytes, "USED", group)], 9, kPc);
  EXPECT_EQ(OnlyFinding(Read(bytes)),
            "a.c3d: warning: 9 events declared in EVENT:USED, 2 have a time; "
            "using 2");
}

// ---- Odd parameter sections, built byte by byte ----------------------------

/// A file of one point and one frame with the given parameter records.
std::string WithRecords(std::string_view records, int blocks = 1) {
  std::string bytes(512, '\0');
  bytes[0] = 2;
  bytes[1] = 0x50;
  StoreU16(&bytes[2], 1, kPc);
  StoreU16(&bytes[6], 1, kPc);
  StoreU16(&bytes[8], 1, kPc);
  StoreFloat(&bytes[12], -1.0f, kPc);
  StoreU16(&bytes[kDataStartAt], 3, kPc);
  StoreFloat(&bytes[20], 60.0f, kPc);
  bytes += std::string("\x01\x50", 2);
  bytes.push_back(static_cast<char>(blocks));
  bytes.push_back(84);
  bytes += records;
  bytes.resize(1024, '\0');
  bytes.resize(1024 + 16);
  for (std::size_t i = 0; i < 3; ++i) {
    StoreFloat(&bytes[1024 + 4 * i], 500.0f, kPc);
  }
  StoreFloat(&bytes[1024 + 12], 0.0f, kPc);
  return bytes;
}

std::string Group(int id, const std::string& name) {
  std::string record;
  record.push_back(static_cast<char>(name.size()));
  record.push_back(static_cast<char>(-id));
  record += name;
  record += std::string("\x03\x00\x00", 3);
  return record;
}

/// A parameter whose offset is `shift` more than it should be.
std::string Parameter(int id, const std::string& name, int type,
                      const std::string& dimensions, const std::string& data,
                      const std::string& description, int shift = 0) {
  std::string record;
  record.push_back(static_cast<char>(name.size()));
  record.push_back(static_cast<char>(id));
  record += name;
  std::string body;
  body.push_back(static_cast<char>(type));
  body.push_back(static_cast<char>(dimensions.size()));
  body += dimensions + data + description;
  const std::size_t at = record.size();
  record.resize(at + 2);
  StoreU16(
      &record[at],
      static_cast<std::uint16_t>(static_cast<int>(body.size()) + 2 + shift),
      kPc);
  return record + body;
}

const std::string kNoDescription(1, '\0');

std::string Units() {
  return Parameter(1, "UNITS", -1, "\x02", "cm", kNoDescription);
}
std::string Labels() {
  return Parameter(1, "LABELS", -1, "\x01\x01", "A", kNoDescription);
}

TEST(ReadC3dParameters, PlainChainIsReadWithoutAWord) {
  const Result<MarkerTake> result =
      Read(WithRecords(Group(1, "POINT") + Units() + Labels()));
  EXPECT_EQ(result.diagnostics().ToString(), "");
  EXPECT_EQ(result->origin.unit, "cm");
  EXPECT_EQ(result->Position(0, 0), Vector3(5.0, 5.0, -5.0));
}

TEST(ReadC3dParameters, ParametersMayComeBeforeTheirGroup) {
  const Result<MarkerTake> result =
      Read(WithRecords(Units() + Labels() + Group(1, "POINT")));
  EXPECT_EQ(result.diagnostics().ToString(), "");
  EXPECT_EQ(result->origin.unit, "cm");
}

TEST(ReadC3dParameters, OffsetZeroEndsTheChain) {
  std::string last = Labels();
  StoreU16(&last[8], 0, kPc);
  const Result<MarkerTake> result =
      Read(WithRecords(Group(1, "POINT") + Units() + last + "junk"));
  EXPECT_EQ(result.diagnostics().ToString(), "");
  EXPECT_THAT(result->labels(), ElementsAre("A"));
}

TEST(ReadC3dParameters, MissingDescriptionByteIsRepaired) {
  const Result<MarkerTake> result =
      Read(WithRecords(Group(1, "POINT") +
                       Parameter(1, "UNITS", -1, "\x02", "cm", "") + Labels()));
  EXPECT_EQ(OnlyFinding(result),
            "a.c3d: byte 540: warning: \"UNITS\" ends without the length of "
            "its description");
  EXPECT_EQ(result->origin.unit, "cm");
  EXPECT_THAT(result->labels(), ElementsAre("A"));
}

TEST(ReadC3dParameters, WrongOffsetIsRepairedBySize) {
  for (int shift : {-3, 1, 5, 300, 30000}) {
    const Result<MarkerTake> result = Read(WithRecords(
        Group(1, "POINT") +
        Parameter(1, "UNITS", -1, "\x02", "cm", kNoDescription, shift) +
        Labels()));
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(OnlyFinding(result),
              "a.c3d: byte 533: warning: offset " + std::to_string(8 + shift) +
                  " of \"UNITS\" does not lead to a record, its size does: "
                  "expected 8");
    EXPECT_EQ(result->origin.unit, "cm");
    EXPECT_THAT(result->labels(), ElementsAre("A"));
  }
}

TEST(ReadC3dParameters, WrongDimensionsAreRepairedByOffset) {
  const Result<MarkerTake> result = Read(WithRecords(
      Group(1, "POINT") + Units() +
      Parameter(1, "NAMES", -1, "\x04\x20", "abcdef", "") + Labels()));
  EXPECT_EQ(OnlyFinding(result),
            "a.c3d: byte 550: warning: \"NAMES\" needs 128 bytes of data, "
            "found 6; using the first 4");
  EXPECT_THAT(result->metadata.Find("POINT", "NAMES")->Strings(),
              ElementsAre("abcd"));
  EXPECT_THAT(result->labels(), ElementsAre("A"));
}

TEST(ReadC3dParameters, DescriptionLongerThanItsRecordIsCut) {
  const Result<MarkerTake> result = Read(WithRecords(
      Group(1, "POINT") + Parameter(1, "UNITS", -1, "\x02", "cm", "\x09word") +
      Labels()));
  EXPECT_EQ(OnlyFinding(result),
            "a.c3d: byte 540: warning: description of \"UNITS\" needs 9 "
            "characters, found room for 4");
  EXPECT_EQ(result->metadata.Find("POINT", "UNITS")->description, "word");
}

TEST(ReadC3dParameters, UnknownTypeIsLeftOut) {
  const Result<MarkerTake> result = Read(WithRecords(
      Group(1, "POINT") + Units() +
      Parameter(1, "ODD", 3, "\x01", "abc", kNoDescription) + Labels()));
  EXPECT_EQ(OnlyFinding(result),
            "a.c3d: byte 548: warning: \"ODD\" needs type -1, 1, 2 or 4 and "
            "at most 7 dimensions, found other bytes; left out");
  EXPECT_THAT(result->labels(), ElementsAre("A"));
}

TEST(ReadC3dParameters, ChainThatRunsIntoTheDataStopsThere) {
  const Result<MarkerTake> result = Read(WithRecords(
      Group(1, "POINT") + Units() + Labels() +
      Parameter(1, "LONG", -1, "\xFF\x07", "abc", kNoDescription, 4000)));
  EXPECT_EQ(OnlyFinding(result),
            "a.c3d: byte 563: warning: offset 4010 of \"LONG\" does not lead "
            "to a record and its data are not all there; the parameters after "
            "this are lost");
}

TEST(ReadC3dParameters, GarbageInTheChainStopsIt) {
  const Result<MarkerTake> result =
      Read(WithRecords("\x05\x01\x02\x03\x04\x05\x06"));
  EXPECT_THAT(
      WarningKinds(result.diagnostics()),
      ElementsAre("parameter-chain", "no-parameters", "no-unit", "no-labels"));
  EXPECT_EQ(ToString(result.diagnostics().all()[0]),
            "a.c3d: byte 516: warning: expected a parameter record or the end "
            "of the chain; the parameters after this are lost");
  EXPECT_EQ(ToString(result.diagnostics().all()[1]),
            "a.c3d: byte 516: warning: the file has no parameters: no labels, "
            "no unit");
}

TEST(ReadC3dParameters, UndeclaredGroupKeepsItsParameters) {
  const std::string bytes = WithRecords(
      Group(1, "POINT") + Units() + Labels() +
      Parameter(9, "X", 2, "", std::string("\x05\x00", 2), kNoDescription));
  const Result<MarkerTake> result = Read(bytes);
  EXPECT_EQ(OnlyFinding(result),
            "a.c3d: byte 557: warning: parameters of group number 9, which "
            "the file does not declare; kept in a group without name");
  EXPECT_EQ(result->metadata.Find("", "X")->Number(), 5.0);
  const Result<MarkerTake> again = Read(Bytes(*result));
  EXPECT_EQ(again->metadata.Find("", "X")->Number(), 5.0);
}

TEST(ReadC3dParameters, GroupDeclaredTwiceKeepsTheFirstName) {
  const Result<MarkerTake> result = Read(
      WithRecords(Group(1, "POINT") + Group(1, "TWICE") + Units() + Labels()));
  EXPECT_EQ(OnlyFinding(result),
            "a.c3d: byte 526: warning: group number 1 is declared again as "
            "\"TWICE\"; its parameters stay with \"POINT\"");
}

TEST(ReadC3dParameters, BlockCountThatIsWrongIsReported) {
  const std::string records = Group(1, "POINT") + Units() + Labels();
  EXPECT_EQ(OnlyFinding(Read(WithRecords(records, 0))),
            "a.c3d: byte 514: warning: 0 blocks of parameters declared, they "
            "take 1 and the data begin after 1");
  EXPECT_THAT(OnlyFinding(Read(WithRecords(records, 9))),
              HasSubstr("9 blocks of parameters declared"));
}

// ---- Numbers ---------------------------------------------------------------

TEST(C3dCodec, DecFloatsAreAQuarterOfTheIeeeBits) {
  // 1.0 is 0x4080 0000 in DEC's format.
  EXPECT_EQ(internal::FloatFromDecBits(0x40800000), 1.0f);
  EXPECT_EQ(internal::FloatFromDecBits(0xC0800000), -1.0f);
  EXPECT_EQ(internal::FloatFromDecBits(0), 0.0f);
  EXPECT_EQ(internal::FloatFromDecBits(0x7FFFFFFF),
            std::ldexp(2.0f - 0x1p-23f, 126));
  for (float value :
       {1.0f, -0.5f, 3.14159274f, 1e-30f, -8.5e37f, 0x1p-127f, 0x1.8p-128f}) {
    EXPECT_EQ(internal::FloatFromDecBits(internal::DecBitsFromFloat(value)),
              value);
  }
  EXPECT_EQ(internal::DecBitsFromFloat(3e38f), 0x7FFFFFFFu);
  EXPECT_EQ(internal::DecBitsFromFloat(-std::numeric_limits<float>::infinity()),
            0xFFFFFFFFu);
  EXPECT_EQ(internal::DecBitsFromFloat(std::nanf("")), 0u);
  EXPECT_EQ(internal::DecBitsFromFloat(1e-44f), 0u);
}

}  // namespace
}  // namespace limber::mocap
