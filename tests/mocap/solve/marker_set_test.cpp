// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/marker_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/mocap/solve/synthetic_take.h"

namespace limber::test {
namespace {

using namespace mocap;
using testing::HasSubstr;

MarkerTake TakeWith(std::vector<std::string> labels) {
  MarkerTake take(std::move(labels), 2, 100);
  for (int m = 0; m < take.num_markers(); ++m) {
    take.SetPosition(0, m, Vector3(m, 0, 1));
    take.SetPosition(1, m, Vector3(m, 0, 1));
  }
  return take;
}

std::vector<std::string> LabelsOf(const MarkerSet& set,
                                  const std::string& prefix = "") {
  std::vector<std::string> labels;
  for (const SetMarker& marker : set.markers) {
    labels.push_back(prefix + marker.label);
  }
  return labels;
}

TEST(MarkerSets, BuiltInOnesHaveMirroredSidesAndDifferentLabels) {
  EXPECT_GE(BuiltInMarkerSets().size(), 7u);
  for (const MarkerSet& set : BuiltInMarkerSets()) {
    std::set<std::string> labels;
    int left = 0;
    int right = 0;
    for (const SetMarker& marker : set.markers) {
      EXPECT_TRUE(labels.insert(PlainLabel(marker.label)).second)
          << set.name << " " << marker.label;
      const std::string_view segment = Body()[marker.segment].name;
      left += segment.starts_with("left");
      right += segment.starts_with("right");
      // A marker on a left limb begins with L, one on a right limb with R.
      if (segment.starts_with("left")) {
        EXPECT_EQ(marker.label[0], 'L');
      }
      if (segment.starts_with("right")) {
        EXPECT_EQ(marker.label[0], 'R');
      }
    }
    EXPECT_EQ(left, right) << set.name;
  }
}

TEST(MarkerSets, EachIsRecognisedFromItsOwnLabels) {
  for (const MarkerSet& set : BuiltInMarkerSets()) {
    const Result<RecognisedSet> found = RecogniseMarkerSet(
        BuiltInMarkerSets(), TakeWith(LabelsOf(set)), "f", std::nullopt);
    ASSERT_TRUE(found.ok()) << found.diagnostics().ToString();
    EXPECT_EQ(found->set->name, set.name);
    EXPECT_EQ(found->match.score, 1.0);
  }
}

TEST(MarkerSets, PrefixCaseSeparatorsAndOrderDoNotMatter) {
  std::vector<std::string> labels =
      LabelsOf(BuiltInSet("rehazenter-52"), "Anna B:");
  for (std::string& label : labels) {
    std::ranges::replace(label, '_', '.');
    std::ranges::transform(label, label.begin(), [](unsigned char c) {
      return static_cast<char>(std::tolower(c));
    });
  }
  std::ranges::reverse(labels);
  const Result<RecognisedSet> found = RecogniseMarkerSet(
      BuiltInMarkerSets(), TakeWith(labels), "f", std::nullopt);
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->set->name, "rehazenter-52");
  EXPECT_EQ(found->match.num_matched, 52);
  EXPECT_EQ(found->match.subject, "anna b");
}

TEST(MarkerSets, PointsThatAreNoMarkersAreIgnored) {
  std::vector<std::string> labels = LabelsOf(BuiltInSet("plug-in-gait-39"));
  labels.push_back("LKneeAngles");
  MarkerTake take = TakeWith(labels);
  take.SetKind(*take.FindMarker("LKNE"), PointKind::kAngle);
  const Result<RecognisedSet> found =
      RecogniseMarkerSet(BuiltInMarkerSets(), take, "f", std::nullopt);
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->match.num_matched, 38);
  EXPECT_EQ(found.diagnostics().CountOf("markers-lacking"), 1);
}

TEST(MarkerSets, AliasIsUsedWhereTheLabelIsMissing) {
  std::vector<std::string> labels = LabelsOf(BuiltInSet("cmu-41"));
  std::ranges::replace(labels, "LHEE", "LHEEL");
  const MarkerMatch match =
      MatchMarkers(BuiltInSet("cmu-41"), TakeWith(labels), std::nullopt);
  EXPECT_EQ(match.num_matched, 41);
}

TEST(MarkerSets, TwoSubjectsAskForAChoice) {
  std::vector<std::string> labels = LabelsOf(BuiltInSet("cmu-41"), "Ann:");
  for (const std::string& label : LabelsOf(BuiltInSet("cmu-41"), "Bob:")) {
    labels.push_back(label);
  }
  const MarkerTake take = TakeWith(labels);
  const Result<RecognisedSet> none =
      RecogniseMarkerSet(BuiltInMarkerSets(), take, "f", std::nullopt);
  ASSERT_FALSE(none.ok());
  EXPECT_THAT(none.diagnostics().ToString(), HasSubstr("Ann, Bob"));
  const Result<RecognisedSet> bob =
      RecogniseMarkerSet(BuiltInMarkerSets(), take, "f", "Bob");
  ASSERT_TRUE(bob.ok());
  EXPECT_EQ(bob->match.columns.front(), 41);
  EXPECT_FALSE(RecogniseMarkerSet(BuiltInMarkerSets(), take, "f", "Cy").ok());
}

TEST(MarkerSets, UnknownLabelsAreRefusedWithTheNearestSet) {
  const Result<RecognisedSet> found = RecogniseMarkerSet(
      BuiltInMarkerSets(), TakeWith({"A1", "A2", "C7", "CLAV"}), "take.c3d",
      std::nullopt);
  ASSERT_FALSE(found.ok());
  const std::string text = found.diagnostics().ToString();
  EXPECT_THAT(text, HasSubstr("take.c3d: error: the labels fit no known"));
  EXPECT_THAT(text, HasSubstr("--marker-set"));
}

TEST(MarkerSets, UnlabelledTracksAreTold) {
  for (const char* label : {"*115", "", "Unlabeled 7", "S:Marker3", "42"}) {
    EXPECT_TRUE(IsUnlabelled(label)) << label;
  }
  for (const char* label : {"LKNE", "S:C7", "T10", "L_FM1"}) {
    EXPECT_FALSE(IsUnlabelled(label)) << label;
  }
}

TEST(MarkerSetFile, WriteThenReadGivesTheSameSet) {
  for (const MarkerSet& set : BuiltInMarkerSets()) {
    const Result<MarkerSet> read = ParseMarkerSet(FormatMarkerSet(set), "f");
    ASSERT_TRUE(read.ok()) << read.diagnostics().ToString();
    ASSERT_EQ(read->markers.size(), set.markers.size());
    EXPECT_EQ(read->name, set.name);
    for (std::size_t i = 0; i < set.markers.size(); ++i) {
      EXPECT_EQ(read->markers[i].label, set.markers[i].label);
      EXPECT_EQ(read->markers[i].aliases, set.markers[i].aliases);
      EXPECT_EQ(read->markers[i].segment, set.markers[i].segment);
      EXPECT_LE((read->markers[i].at - set.markers[i].at).norm(), 1e-4);
      EXPECT_NEAR(read->markers[i].spread, set.markers[i].spread, 1e-4);
    }
  }
}

TEST(MarkerSetFile, UnknownSegmentErrsWithLineAndChoices) {
  const Result<MarkerSet> read = ParseMarkerSet(
      "{\"marker_set\": \"x\", \"markers\": [\n"
      "  {\"label\": \"A\", \"segment\": \"left-tigh\", \"at\": [0, 0, 0]}]}",
      "x.json");
  ASSERT_FALSE(read.ok());
  EXPECT_THAT(read.diagnostics().ToString(), HasSubstr("x.json:2:"));
  EXPECT_THAT(read.diagnostics().ToString(), HasSubstr("left-upper-leg"));
}

TEST(MarkerSetFile, PlaceInMillimetresErrs) {
  const Result<MarkerSet> read = ParseMarkerSet(
      R"({"marker_set": "x", "markers": [
        {"label": "A", "segment": "head", "at": [0, 110, 0]}]})",
      "x.json");
  ASSERT_FALSE(read.ok());
  EXPECT_THAT(read.diagnostics().ToString(), HasSubstr("metres"));
}

}  // namespace
}  // namespace limber::test
