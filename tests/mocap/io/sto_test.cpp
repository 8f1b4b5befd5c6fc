// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/sto.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <string>

#include "core/file.h"
#include "tests/support/test_data.h"

namespace limber::mocap {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string Small() {
  return "Coordinates\nversion=1\nnRows=2\nnColumns=3\ninDegrees=yes\n\n"
         "endheader\ntime\thip_flexion_r\tpelvis_tx\n"
         "0.5\t-12.5\t1e-3\n0.51\tnan\t2\n";
}

std::string Replaced(std::string text, std::string_view part,
                     std::string_view by) {
  const std::size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return text.replace(at, part.size(), by);
}

TEST(ReadSto, SmallTableHasItsNumbers) {
  const Result<StoTable> table = ReadSto(Small(), "a.mot");
  EXPECT_EQ(table.diagnostics().ToString(), "");
  EXPECT_EQ(table->name, "Coordinates");
  EXPECT_TRUE(table->in_degrees);
  EXPECT_THAT(table->labels, ElementsAre("hip_flexion_r", "pelvis_tx"));
  EXPECT_EQ(table->num_rows(), 2);
  EXPECT_EQ(table->At(0, 0), -12.5);
  EXPECT_TRUE(std::isnan(table->At(1, 0)));
  EXPECT_EQ(table->At(1, 1), 2);
  EXPECT_NEAR(table->rate_hz(), 100, 1e-9);
  EXPECT_EQ(table->Find("pelvis_tx"), 1);
  EXPECT_FALSE(table->Find("pelvis_ty"));
}

TEST(ReadSto, LineEndsTabsAndOldWordsMakeNoDifference) {
  std::string crlf;
  for (const char c : Small()) {
    if (c == '\n') crlf += "\t\t\r";
    crlf += c;
  }
  EXPECT_EQ(ReadSto(crlf, "a.mot").diagnostics().ToString(), "");
  EXPECT_EQ(ReadSto(crlf, "a.mot")->labels.size(), 2);
  const std::string old = Replaced(Replaced(Small(), "nRows=2", "datarows 2"),
                                   "nColumns=3", "datacolumns 3");
  EXPECT_EQ(ReadSto(old, "a.mot").diagnostics().ToString(), "");
  EXPECT_EQ(
      ReadSto(Replaced(Small(), "Coordinates\n", "name walk\n"), "a.mot")->name,
      "walk");
}

TEST(ReadSto, WrongCountsUseWhatIsThere) {
  const Result<StoTable> table =
      ReadSto(Replaced(Small(), "nRows=2", "nRows=9"), "a.mot");
  EXPECT_EQ(table.diagnostics().ToString(),
            "a.mot:3:1: warning: the header says 9 rows, found 2; using "
            "these\n");
  EXPECT_EQ(table->num_rows(), 2);
  EXPECT_FALSE(
      ReadSto(Replaced(Small(), "nRows=2", "nRows=9"), "a.mot", true).ok());
}

TEST(ReadSto, WhatIsNoTableErrorsAtItsPlace) {
  const auto error = [](const std::string& text) {
    return ReadSto(text, "a.mot").diagnostics().ToString();
  };
  EXPECT_THAT(error("hello\n"), HasSubstr("\"endheader\""));
  EXPECT_THAT(error(""), HasSubstr("\"endheader\""));
  EXPECT_THAT(error("x\nendheader\n"), HasSubstr("names of the columns"));
  EXPECT_THAT(error(Replaced(Small(), "-12.5", "x")),
              HasSubstr("a.mot:9:5: error: expected a number, found \"x\""));
  EXPECT_THAT(error(Replaced(Small(), "0.5\t", "nan\t")),
              HasSubstr("a.mot:9:1: error: expected a time"));
  EXPECT_THAT(error(Replaced(Small(), "\t1e-3", "")),
              HasSubstr("a.mot:9:1: error: expected 3 numbers, found 2"));
  EXPECT_THAT(error("DataType=Vec3\nendheader\n"),
              HasSubstr("DataType=double"));
}

TEST(FormatSto, ReadsBackAsItWas) {
  const StoTable table = ReadSto(Small(), "a.mot").value();
  const std::string text = FormatSto(table, "b.mot").value();
  const Result<StoTable> again = ReadSto(text, "b.mot");
  EXPECT_EQ(again.diagnostics().ToString(), "");
  EXPECT_EQ(again->labels, table.labels);
  EXPECT_EQ(again->times, table.times);
  EXPECT_TRUE(again->in_degrees);
  EXPECT_EQ(FormatSto(*again, "b.mot").value(), text);
}

// A name that reads as a line of the header stays a name.
TEST(FormatSto, AnyNameReadsBack) {
  for (const char* name : {"", "endheader", "nRows=7", "inDegrees=no", "name",
                           "name=x", "DataType=Vec3", "two words"}) {
    StoTable table = ReadSto(Small(), "a.mot").value();
    table.name = name;
    const Result<StoTable> again =
        ReadSto(FormatSto(table, "b.mot").value(), "b.mot");
    ASSERT_TRUE(again.ok()) << name << again.diagnostics().ToString();
    EXPECT_EQ(again.diagnostics().ToString(), "") << name;
    EXPECT_EQ(again->name, name);
    EXPECT_TRUE(again->in_degrees) << name;
  }
}

TEST(FormatSto, WhatItsReaderRefusesIsRefused) {
  const StoTable good = ReadSto(Small(), "a.mot").value();
  const auto errors = [](const StoTable& table) {
    const Result<std::string> text = FormatSto(table, "b.mot");
    return text.ok() ? "" : text.diagnostics().ToString();
  };
  const double infinity = std::numeric_limits<double>::infinity();
  StoTable table = good;
  table.values[1] = -infinity;
  EXPECT_THAT(errors(table), HasSubstr("in row 1 is infinite"));
  table = good;
  table.times[1] = std::nan("");
  EXPECT_THAT(errors(table), HasSubstr("the time of row 2 is no number"));
  table = good;
  table.labels[0] = "two words";
  EXPECT_THAT(errors(table), HasSubstr("a column's name is one word"));
  table = good;
  table.name = "two\nlines";
  EXPECT_THAT(errors(table), HasSubstr("a table's name is one line"));
}

TEST(ReadStoZoo, EveryTableCanBeRead) {
  LIMBER_NEEDS_REAL_DATA();
  int count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           limber::test::RealData(""))) {
    if (entry.path().extension() != ".mot" &&
        entry.path().extension() != ".sto") {
      continue;
    }
    const Result<StoTable> table = ReadStoFile(entry.path());
    EXPECT_TRUE(table.ok()) << table.diagnostics().ToString();
    EXPECT_GT(table->num_rows(), 10);
    EXPECT_GT(table->rate_hz(), 10);
    ++count;
  }
  EXPECT_GT(count, 10);
}

}  // namespace
}  // namespace limber::mocap
