// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Every message of the C3D reader about header and data, with its place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "mocap/io/internal/c3d_codec.h"
#include "tests/mocap/io/c3d_files.h"
#include "tests/mocap/io/take_samples.h"

namespace limber::mocap {
namespace {

using internal::StoreFloat;
using internal::StoreU16;
using test::Bytes;
using test::DataOf;
using test::Difference;
using test::kDataStartAt;
using test::kPc;
using test::kSectionAt;
using test::OnlyFinding;
using test::Read;
using test::SmallTake;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

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

}  // namespace
}  // namespace limber::mocap
