// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/trc.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <random>
#include <set>
#include <stdexcept>

#include "core/file.h"
#include "mocap/io/c3d.h"
#include "tests/mocap/io/take_samples.h"
#include "tests/support/test_data.h"

namespace limber::mocap {
namespace {

using test::Difference;
using test::OnlyFinding;
using test::SmallTrc;
using test::WarningKinds;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

Result<MarkerTake> Read(const std::string& text,
                        const TrcReadOptions& options = {}) {
  return ReadTrc(text, "a.trc", options);
}

std::string Replaced(std::string text, std::string_view old_part,
                     std::string_view new_part) {
  const std::size_t at = text.find(old_part);
  EXPECT_NE(at, std::string::npos) << old_part;
  return text.replace(at, old_part.size(), new_part);
}

// ---- Recordings ------------------------------------------------------------

struct Expectation {
  const char* file;
  std::int64_t frames;
  int markers;
  double rate_hz;
  double start_s;
  double gap_fraction;  // to four digits
  const char* unit;
  std::vector<std::string> warnings;
};

std::vector<Expectation> Expectations() {
  return {
      {"opensim/arnold-synthetic/subject01/markers.trc",
       223,
       64,
       200.00000000000426,
       3.38,
       0.0,
       "m",
       {}},
      {"opensim/gait2354/subject01_static.trc", 300, 49, 60, 0, 0.0, "mm", {}},
      {"opensim/gait2354/subject01_walk1.trc", 151, 41, 60, 0, 0.0, "mm", {}},
      {"takes-2/JA1Gait35.trc", 322, 53, 250, 0, 0.0027, "m", {}},
      {"takes-2/motion_capture_walk_trimmed.trc",
       131,
       41,
       100,
       0.5,
       0.0,
       "mm",
       {"blanks-for-tabs", "shifted-header", "frame-count"}},
      {"trc-zoo/10002-20130731010438-Unnamed.trc",
       1313,
       37,
       400,
       0,
       0.6931,
       "mm",
       {"marker-count", "no-labels"}},
      {"trc-zoo/T.trc", 89, 41, 30, 0, 0.0, "mm", {}},
      {"trc-zoo/ballet_reduced.trc", 100, 41, 30, 0, 0.0, "mm", {}},
      {"trc-zoo/std_walking5_markers.trc",
       112,
       40,
       25,
       0,
       0.4636,
       "mm",
       {"rate", "uneven-time"}},
  };
}

TEST(ReadTrcZoo, EveryFileMeetsItsExpectation) {
  LIMBER_NEEDS_REAL_DATA();
  for (const Expectation& expected : Expectations()) {
    SCOPED_TRACE(expected.file);
    const Result<MarkerTake> result =
        ReadTrc(limber::test::RealData(expected.file));
    ASSERT_TRUE(result.ok()) << result.diagnostics().ToString();
    EXPECT_EQ(result->num_frames(), expected.frames);
    EXPECT_EQ(result->num_markers(), expected.markers);
    EXPECT_EQ(result->rate_hz(), expected.rate_hz);
    EXPECT_EQ(result->start_time_s, expected.start_s);
    EXPECT_EQ(result->first_frame, 1);
    EXPECT_NEAR(result->gap_fraction(), expected.gap_fraction, 5e-5);
    EXPECT_EQ(result->origin.unit, expected.unit);
    EXPECT_EQ(result->origin.axes_decision, Decision::kDefault);
    EXPECT_THAT(WarningKinds(result.diagnostics()),
                ElementsAreArray(expected.warnings))
        << result.diagnostics().ToString();
    EXPECT_EQ(
        ReadTrc(limber::test::RealData(expected.file), {.strict = true}).ok(),
        expected.warnings.empty());
  }
}

TEST(ReadTrcZoo, TableNamesEveryTrcFileThereIs) {
  LIMBER_NEEDS_REAL_DATA();
  std::set<std::string> known;
  for (const Expectation& expected : Expectations()) {
    known.insert(expected.file);
  }
  std::set<std::string> found;
  const std::filesystem::path root = limber::test::RealData("");
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().extension() == ".trc") {
      found.insert(PathText(std::filesystem::relative(entry.path(), root)));
    }
  }
  EXPECT_EQ(found, known);
}

TEST(WriteTrcZoo, ReadWriteReadKeepsEverySampleBitForBit) {
  LIMBER_NEEDS_REAL_DATA();
  for (const Expectation& expected : Expectations()) {
    SCOPED_TRACE(expected.file);
    const MarkerTake before =
        ReadTrc(limber::test::RealData(expected.file)).value();
    const std::string text = FormatTrc(before);
    const Result<MarkerTake> after = Read(text);
    EXPECT_EQ(after.diagnostics().ToString(), "");
    EXPECT_EQ(Difference(before, *after), "");
    EXPECT_EQ(before.metadata, after->metadata);
    EXPECT_NEAR(after->start_time_s, before.start_time_s, 1e-9);
    EXPECT_TRUE(FormatTrc(*after) == text);
  }
}

TEST(WriteTrcZoo, TextOfARecordingKeepsItsDigits) {
  LIMBER_NEEDS_REAL_DATA();
  const MarkerTake take =
      ReadTrc(limber::test::RealData("trc-zoo/T.trc")).value();
  EXPECT_THAT(FormatTrc(take),
              HasSubstr("\t-336.42437\t1639.63722\t-22.068\t"));
}

// C3D to TRC and back keeps the markers; TRC to C3D keeps what a float holds.
TEST(WriteTrcZoo, C3dRecordingsSurviveTrc) {
  LIMBER_NEEDS_REAL_DATA();
  for (const char* file : {"c3d-zoo/walking5.c3d", "cmu/07/07_01.c3d",
                           "c3d-zoo/kinematics_basket_sprint.c3d"}) {
    SCOPED_TRACE(file);
    const MarkerTake c3d = ReadC3d(limber::test::RealData(file)).value();
    const MarkerTake trc =
        Read(FormatTrc(c3d), {.axes = c3d.origin.axes}).value();
    EXPECT_EQ(trc.labels(), c3d.labels());
    EXPECT_EQ(trc.rate_hz(), c3d.rate_hz());
    EXPECT_EQ(trc.first_frame, c3d.first_frame);
    ASSERT_EQ(trc.positions().size(), c3d.positions().size());
    for (std::size_t i = 0; i < c3d.positions().size(); ++i) {
      const double x = c3d.positions()[i];
      const double y = trc.positions()[i];
      ASSERT_TRUE(x == y || (std::isnan(x) && std::isnan(y)));
    }
  }
}

// ---- Small files -----------------------------------------------------------

TEST(ReadTrc, SmallFileHasItsNumbersAndGaps) {
  const Result<MarkerTake> result = Read(SmallTrc());
  EXPECT_EQ(result.diagnostics().ToString(), "");
  const MarkerTake& take = *result;
  EXPECT_THAT(take.labels(), ElementsAre("A", "B"));
  EXPECT_EQ(take.num_frames(), 3);
  EXPECT_EQ(take.rate_hz(), 100.0);
  EXPECT_EQ(take.Position(0, 1), Vector3(0.004, 0.005, 0.006));
  EXPECT_EQ(take.Position(1, 0), Vector3(0.015, -0.0025, 0.0035));
  EXPECT_FALSE(take.IsVisible(1, 1));
  EXPECT_FALSE(take.IsVisible(2, 0));
  EXPECT_TRUE(take.IsVisible(2, 1));
}

TEST(ReadTrc, LineEndsAndMarksMakeNoDifference) {
  const MarkerTake expected = Read(SmallTrc()).value();
  std::string crlf = "\xEF\xBB\xBF";
  std::string cr;
  for (char c : SmallTrc()) {
    if (c == '\n') crlf += '\r';
    crlf += c;
    cr += c == '\n' ? '\r' : c;
  }
  for (const std::string& text :
       {crlf, cr, Replaced(SmallTrc(), "9\n", "9"), SmallTrc() + "\n\n",
        Replaced(SmallTrc(), "5\t6\n", "5\t6\t\t\t\n")}) {
    const Result<MarkerTake> result = Read(text);
    EXPECT_EQ(result.diagnostics().ToString(), "");
    EXPECT_EQ(Difference(expected, *result), "");
  }
}

TEST(ReadTrc, CallerGivesAxesAndUnit) {
  const MarkerTake take =
      Read(SmallTrc(), {.axes = AxisConvention::ZUp(), .metres_per_unit = 1.0})
          .value();
  EXPECT_EQ(take.Position(0, 1), Vector3(4.0, 6.0, -5.0));
  EXPECT_EQ(take.origin.axes_decision, Decision::kCaller);
  EXPECT_EQ(take.origin.unit_decision, Decision::kCaller);
  EXPECT_THROW(Read(SmallTrc(), {.metres_per_unit = -1.0}),
               std::invalid_argument);
}

TEST(ReadTrc, EveryPrintedNanIsAGap) {
  for (const char* word : {"nan", "NAN", "-nan", "nan(ind)", "-nan(ind)",
                           "1.#QNAN", "-1.#IND", ""}) {
    const std::string gap = std::string(word) + "\t" + word + "\t" + word;
    const Result<MarkerTake> result =
        Read(Replaced(SmallTrc(), "7\t8\t9", gap));
    EXPECT_EQ(result.diagnostics().ToString(), "");
    EXPECT_FALSE(result->IsVisible(2, 1)) << word;
  }
}

TEST(ReadTrc, NoRowsIsATakeOfNoFrames) {
  std::string text = SmallTrc();
  text.resize(text.find("1\t0.00"));
  text = Replaced(text, "100\t100\t3", "100\t100\t0");
  const Result<MarkerTake> result = Read(text);
  EXPECT_EQ(result.diagnostics().ToString(), "");
  EXPECT_EQ(result->num_frames(), 0);
  EXPECT_EQ(result->num_markers(), 2);
}

// ---- Messages: refused -----------------------------------------------------

TEST(ReadTrc, OtherFirstWordErrorsAtLine1) {
  EXPECT_EQ(OnlyFinding(Read("HIERARCHY\n")),
            "a.trc:1:1: error: expected PathFileType, found \"HIERARCHY\"");
  EXPECT_EQ(OnlyFinding(Read("")),
            "a.trc:1:1: error: expected PathFileType, found the end of the "
            "file");
}

TEST(ReadTrc, MissingHeaderLinesErrorAtTheirLine) {
  EXPECT_EQ(OnlyFinding(Read(Replaced(SmallTrc(), "DataRate\t", "Rate\t"))),
            "a.trc:2:1: error: expected DataRate, found \"Rate\"");
  EXPECT_EQ(OnlyFinding(Read(Replaced(SmallTrc(), "Frame#", "Fr"))),
            "a.trc:4:1: error: expected Frame#, found \"Fr\"");
}

TEST(ReadTrc, NumberThatIsNoneErrorsAtItsColumn) {
  EXPECT_EQ(OnlyFinding(Read(Replaced(SmallTrc(), "-2.5", "x2.5"))),
            "a.trc:8:15: error: expected a coordinate, found \"x2.5\"");
  EXPECT_EQ(OnlyFinding(Read(Replaced(SmallTrc(), "0.01", "soon"))),
            "a.trc:8:3: error: expected a time, found \"soon\"");
  EXPECT_EQ(OnlyFinding(Read(Replaced(SmallTrc(), "3\t0.02", "c\t0.02"))),
            "a.trc:9:1: error: expected a frame number, found \"c\"");
  EXPECT_EQ(OnlyFinding(Read(Replaced(SmallTrc(), "3\t0.02", "2.5\t0.02"))),
            "a.trc:9:1: error: expected a whole frame number, found 2.5");
}

TEST(ReadTrc, TextBeforeTheFirstRowErrors) {
  EXPECT_EQ(OnlyFinding(Read(Replaced(SmallTrc(), "\n\n1", "\n\nrow\n1"))),
            "a.trc:7:1: error: expected a row that begins with a frame "
            "number, found \"row\"");
}

TEST(ReadTrc, RowsNothingPaysForError) {
  std::string text = Replaced(SmallTrc(), "\tA\t\t\tB", "");
  for (int i = 0; i < 40000; ++i) text += "4\t0\n";
  text += "4\t0";
  for (int i = 0; i < 3000; ++i) text += "\t1";
  EXPECT_THAT(OnlyFinding(Read(text)),
              HasSubstr("a.trc:7: error: 40004 rows, the longest of 1000 "
                        "positions, in a file of "));
}

// ---- Messages: repaired ----------------------------------------------------

TEST(ReadTrc, WrongCountsUseWhatIsThere) {
  Result<MarkerTake> result =
      Read(Replaced(SmallTrc(), "100\t100\t3", "100\t100\t7"));
  EXPECT_EQ(OnlyFinding(result),
            "a.trc:3:9: warning: NumFrames is \"7\", found 3 rows; using 3");
  EXPECT_EQ(result->num_frames(), 3);
  result = Read(Replaced(SmallTrc(), "3\t2\tmm", "3\t9\tmm"));
  EXPECT_EQ(OnlyFinding(result),
            "a.trc:3:11: warning: NumMarkers is \"9\", found 2 markers; using "
            "2");
  EXPECT_FALSE(
      Read(Replaced(SmallTrc(), "3\t2\tmm", "3\t9\tmm"), {.strict = true})
          .ok());
}

TEST(ReadTrc, ShortRowsMissTheirLastMarkers) {
  const Result<MarkerTake> result = Read(Replaced(SmallTrc(), "\t4\t5\t6", ""));
  EXPECT_EQ(OnlyFinding(result),
            "a.trc:7: warning: expected 2 positions, the row ends after 1; "
            "the others are missing");
  EXPECT_FALSE(result->IsVisible(0, 1));
}

TEST(ReadTrc, ColumnsBeyondTheLabelsBecomeUnnamedMarkers) {
  const Result<MarkerTake> result =
      Read(Replaced(SmallTrc(), "7\t8\t9", "7\t8\t9\t1\t2\t3"));
  EXPECT_THAT(WarningKinds(result.diagnostics()),
              ElementsAre("marker-count", "no-labels"));
  EXPECT_EQ(ToString(result.diagnostics().all()[1]),
            "a.trc:4: warning: 3 positions per row, 2 labels; the others are "
            "called *1, *2, ... by their place");
  EXPECT_THAT(result->labels(), ElementsAre("A", "B", "*3"));
  EXPECT_EQ(result->Position(2, 2), Vector3(0.001, 0.002, 0.003));
}

TEST(ReadTrc, TwoNumbersOfThreeAreAGap) {
  const Result<MarkerTake> result =
      Read(Replaced(SmallTrc(), "7\t8\t9", "7\t8\t"));
  EXPECT_EQ(OnlyFinding(result),
            "a.trc:9:20: warning: a position needs 3 numbers, found 2; taken "
            "as missing");
}

TEST(ReadTrc, ZeroPositionsAreMissingUnlessToldOtherwise) {
  const std::string text = Replaced(SmallTrc(), "7\t8\t9", "0\t0\t0");
  const Result<MarkerTake> result = Read(text);
  EXPECT_EQ(OnlyFinding(result),
            "a.trc:9:20: warning: a position is exactly (0, 0, 0); taken as "
            "missing");
  EXPECT_FALSE(result->IsVisible(2, 1));
  EXPECT_TRUE(Read(text, {.zero_is_missing = false})->IsVisible(2, 1));
}

TEST(ReadTrc, MissingLinesOfTheHeaderAreReported) {
  EXPECT_EQ(OnlyFinding(Read(Replaced(SmallTrc(), "\n\n", "\n"))),
            "a.trc:6: warning: expected an empty line before the first row");
  EXPECT_EQ(OnlyFinding(
                Read(Replaced(SmallTrc(), "\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n", ""))),
            "a.trc:6: warning: expected the line X1 Y1 Z1 ... under the "
            "labels");
}

TEST(ReadTrc, UnknownUnitsAreMillimetres) {
  EXPECT_EQ(OnlyFinding(Read(Replaced(SmallTrc(), "mm", "furlong"))),
            "a.trc:3:13: warning: Units is \"furlong\"; using mm");
  EXPECT_EQ(OnlyFinding(Read(Replaced(SmallTrc(), "mm", ""))),
            "a.trc:3:13: warning: Units is \"\"; using mm");
  EXPECT_EQ(Read(Replaced(SmallTrc(), "mm", "m"))->Position(0, 1),
            Vector3(4, 5, 6));
}

TEST(ReadTrc, RateAgainstTimeUsesTheTimeColumn) {
  const Result<MarkerTake> result =
      Read(Replaced(SmallTrc(), "100\t100\t3", "500\t100\t3"));
  EXPECT_EQ(OnlyFinding(result),
            "a.trc:3:1: warning: DataRate is 500 Hz, the Time column steps by "
            "0.01 s; using the Time column: 100 Hz");
  EXPECT_EQ(result->rate_hz(), 100.0);
}

TEST(ReadTrc, RateThatIsNoneComesFromTheTimeColumn) {
  const Result<MarkerTake> result =
      Read(Replaced(SmallTrc(), "100\t100\t3", "?\t100\t3"));
  EXPECT_EQ(OnlyFinding(result),
            "a.trc:3:1: warning: expected a positive DataRate, found \"?\"; "
            "using 100 Hz from the Time column");
}

TEST(ReadTrc, UnevenTimeAndFrameNumbersAreReported) {
  const std::string longer =
      Replaced(SmallTrc(), "100\t100\t3", "100\t100\t5") +
      "4\t0.03\t1\t2\t3\t1\t2\t3\n"
      "5\t0.9\t1\t2\t3\t1\t2\t3\n";
  EXPECT_EQ(OnlyFinding(Read(longer)),
            "a.trc:11: warning: expected time 0.04 s, found 0.9; rows are "
            "taken as evenly spaced");
  EXPECT_EQ(OnlyFinding(Read(Replaced(SmallTrc(), "3\t0.02", "8\t0.02"))),
            "a.trc:9:1: warning: expected frame 3, found 8; frames are "
            "counted from the first");
}

TEST(ReadTrc, BlanksForTabsInTheHeaderAreReadWithAWarning) {
  const MarkerTake expected = Read(SmallTrc()).value();
  struct Case {
    const char* tabs;
    const char* blanks;
    const char* place;
  };
  for (const Case& test :
       {Case{"PathFileType\t4\t", "PathFileType  4\t", "a.trc:1:13: "},
        Case{"DataRate\tCameraRate", "DataRate CameraRate", "a.trc:2:9: "},
        Case{"Frame#\tTime\tA", "Frame#  Time\tA", "a.trc:4:7: "}}) {
    const Result<MarkerTake> result =
        Read(Replaced(SmallTrc(), test.tabs, test.blanks));
    ASSERT_TRUE(result.ok()) << result.diagnostics().ToString();
    EXPECT_THAT(OnlyFinding(result), HasSubstr(test.place));
    EXPECT_THAT(OnlyFinding(result), HasSubstr("expected a tab after"));
    EXPECT_EQ(Difference(expected, *result), "") << test.blanks;
  }
  // A line that has no tab at all is nothing to speak of.
  std::string all_blanks = SmallTrc();
  all_blanks = Replaced(all_blanks, "PathFileType\t4\t(X/Y/Z)\tsmall.trc",
                        "PathFileType 4 (X/Y/Z) small.trc");
  EXPECT_EQ(Read(all_blanks).diagnostics().ToString(), "");
}

TEST(ReadTrc, BlanksBesideTabsPartNumbersWithAWarning) {
  const MarkerTake expected = Read(SmallTrc()).value();
  const Result<MarkerTake> result =
      Read(Replaced(SmallTrc(), "1\t0.00\t1.5\t2.5", "1  0.00\t1.5 2.5"));
  EXPECT_EQ(OnlyFinding(result),
            "a.trc:7: warning: expected tabs between the numbers, found "
            "blanks beside tabs; both part numbers");
  EXPECT_EQ(Difference(expected, *result), "");
}

TEST(ReadTrc, ShiftedHeaderValuesAreTakenInTheirOrder) {
  const MarkerTake expected = Read(SmallTrc()).value();
  for (const char* values :
       {"100\t\t100\t\t3\t\t2\t\t mm\t100\t1\t3",
        "\t100\t100\t3\t2\tmm\t100\t1\t3", "100  100\t3\t2\tmm\t100\t1\t3"}) {
    const Result<MarkerTake> result =
        Read(Replaced(SmallTrc(), "100\t100\t3\t2\tmm\t100\t1\t3", values));
    EXPECT_EQ(OnlyFinding(result),
              "a.trc:3:1: warning: expected each value in the column of its "
              "name, found them shifted; taken in their order");
    EXPECT_EQ(Difference(expected, *result), "") << values;
  }
}

TEST(ReadTrc, UnitsLeftOutLeavesTheOthersWhereTheyBelong) {
  const Result<MarkerTake> result =
      Read(Replaced(SmallTrc(), "100\t100\t3\t2\tmm\t100\t1\t3",
                    "100\t100\t3\t2\t100\t1\t3"));
  EXPECT_THAT(WarningKinds(result.diagnostics()),
              ElementsAre("shifted-header", "no-unit"));
  EXPECT_EQ(result->origin.unit_decision, Decision::kDefault);
  EXPECT_EQ(result->rate_hz(), 100.0);
}

TEST(ReadTrc, HeaderWithoutItsValuesIsMadeFromTheRows) {
  const MarkerTake expected = Read(SmallTrc()).value();
  std::string text =
      Replaced(SmallTrc(), "100\t100\t3\t2\tmm\t100\t1\t3\n", "");
  const Result<MarkerTake> result = Read(text);
  ASSERT_TRUE(result.ok()) << result.diagnostics().ToString();
  EXPECT_EQ(result.diagnostics().CountOf("no-header-values"), 1);
  EXPECT_EQ(result->num_frames(), 3);
  EXPECT_EQ(result->labels(), expected.labels());
  EXPECT_EQ(result->rate_hz(), 100.0);
  EXPECT_EQ(result->Position(0, 1), expected.Position(0, 1));
  const std::size_t names = text.find("DataRate");
  text.erase(names, text.find("Frame#") - names);
  EXPECT_TRUE(Read(text).ok()) << Read(text).diagnostics().ToString();
}

// ---- Writing ---------------------------------------------------------------

TEST(WriteTrc, RandomPositionsComeBackToTheLastBit) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> metres(-3.0, 3.0);
  for (const char* unit : {"mm", "cm", "m", "in"}) {
    MarkerTake take({"A B", "Ü:x", "gap"}, 500, 120.0);
    take.origin.unit = unit;
    take.origin.metres_per_unit = unit == std::string("mm")   ? 0.001
                                  : unit == std::string("cm") ? 0.01
                                  : unit == std::string("m")  ? 1.0
                                                              : 0.0254;
    take.origin.axes = AxisConvention::ZUp();
    take.first_frame = 40;
    take.start_time_s = 0.325;
    for (int frame = 0; frame < 500; ++frame) {
      for (int marker = 0; marker < 2; ++marker) {
        take.SetPosition(frame, marker,
                         {metres(random), metres(random), metres(random)});
      }
    }
    const Result<MarkerTake> again =
        Read(FormatTrc(take), {.axes = take.origin.axes});
    EXPECT_EQ(again.diagnostics().ToString(), "");
    // Not every double is a multiple of the unit that a double can name: those
    // come back as the nearest one that is.
    ASSERT_EQ(again->num_frames(), 500);
    EXPECT_EQ(again->labels(), take.labels());
    EXPECT_EQ(again->first_frame, 40);
    EXPECT_NEAR(again->start_time_s, 0.325, 1e-9);
    for (int frame = 0; frame < 500; ++frame) {
      for (int marker = 0; marker < 2; ++marker) {
        EXPECT_LE(
            (again->Position(frame, marker) - take.Position(frame, marker))
                .lpNorm<Eigen::Infinity>(),
            4.5e-16);
      }
      EXPECT_FALSE(again->IsVisible(frame, 2));
    }
  }
}

TEST(WriteTrc, OtherPointsThanMarkersStayOut) {
  MarkerTake take({"A", "Angles"}, 1, 60.0);
  take.SetKind(1, PointKind::kAngle);
  EXPECT_THAT(Read(FormatTrc(take))->labels(), ElementsAre("A"));
}

TEST(WriteTrc, FileBearsItsOwnName) {
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / "limber_named.trc";
  EXPECT_EQ(WriteTrc(path, Read(SmallTrc()).value()).ToString(), "");
  EXPECT_THAT(ReadWholeFile(path).value(),
              HasSubstr("(X/Y/Z)\tlimber_named.trc\n"));
  EXPECT_EQ(Difference(Read(SmallTrc()).value(), ReadTrc(path).value()), "");
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace limber::mocap
