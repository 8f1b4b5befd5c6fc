// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// From how many letters on something is said: each bound from both sides, near
// enough that a third or three times of it would be noticed.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "mocap/solve/internal/bare_labels.h"
#include "mocap/solve/landmarks.h"

namespace limber::test {
namespace {

using namespace mocap;

int SegmentOf(const std::string& label) {
  const std::vector<LabelReading> readings = ReadLabel(label);
  return readings.empty() ? -1 : readings.front().segment;
}

// Five letters of "olecranon", "malleolus" and "mastoid" are these words; three
// begin too many.
TEST(LabelBounds, WordsMayBeCutToFourLetters) {
  ASSERT_EQ(SegmentOf("L_olecranon"), SegmentOf("L_olecr"));
  EXPECT_GE(SegmentOf("L_olecr"), 0);
  EXPECT_EQ(SegmentOf("L_malleo"), SegmentOf("L_malleolus"));
  EXPECT_EQ(SegmentOf("L_masto"), SegmentOf("L_mastoid"));
  EXPECT_GE(SegmentOf("L_masto"), 0);
  EXPECT_EQ(SegmentOf("L_mas"), -1);
}

// "sternum" without its vowels is still it; of "hip" two letters would be left.
TEST(LabelBounds, WordsMayLackTheirVowelsFromThreeConsonantsOn) {
  EXPECT_EQ(SegmentOf("strnm"), SegmentOf("sternum"));
  EXPECT_GE(SegmentOf("strnm"), 0);
  EXPECT_GE(SegmentOf("L_hip"), 0);
  EXPECT_EQ(SegmentOf("L_hp"), -1);
}

std::string BareOf(const std::vector<std::string>& labels) {
  std::vector<NamedColumn> columns;
  for (const std::string& label : labels) {
    columns.push_back({int(columns.size()), label});
  }
  return internal::BareLabels(columns)(labels.front());
}

// What two or three labels begin with may be part of their words; what six do
// is the name of a study.
TEST(LabelBounds, FourLabelsShowWhatTheyShare) {
  EXPECT_EQ(BareOf({"QX7_LKNE", "QX7_RKNE"}), "QX7_LKNE");
  EXPECT_EQ(BareOf({"QX7_LKNE", "QX7_RKNE", "QX7_LANK", "QX7_RANK", "QX7_LASI",
                    "QX7_RASI"}),
            "LKNE");
}

}  // namespace
}  // namespace limber::test
