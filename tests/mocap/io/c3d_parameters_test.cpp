// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Odd parameter sections, built byte by byte, and DEC numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "mocap/io/internal/c3d_codec.h"
#include "tests/mocap/io/c3d_files.h"
#include "tests/mocap/io/take_samples.h"

namespace limber::mocap {
namespace {

using internal::StoreFloat;
using internal::StoreU16;
using test::Bytes;
using test::kDataStartAt;
using test::kPc;
using test::OnlyFinding;
using test::Read;
using test::WarningKinds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

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
