// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// How many labels of conventions that were written down without a look at the
// vocabulary are read as the segment they are on. Every third convention is
// kept aside: its labels led to no word of the vocabulary. LIMBER_LABELS=1
// prints what is misread of those that were developed on.
#include <gtest/gtest.h>

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "mocap/solve/internal/draft.h"
#include "mocap/solve/marker_set.h"
#include "tests/support/test_data.h"

namespace limber::test {
namespace {

using namespace mocap;

struct Labelled {
  std::string label;
  std::string segment;  ///< Its name in Body().
};

struct Convention {
  std::string name;
  std::vector<Labelled> labels;
};

/// "UL" of the left side is "left-upper-leg", "P" of any is "pelvis".
std::string SegmentName(const std::string& code, bool is_left) {
  struct Named {
    const char* code;
    const char* name;
  };
  for (const Named& middle :
       {Named{"P", "pelvis"}, Named{"S", "spine"}, Named{"C", "chest"},
        Named{"N", "neck"}, Named{"H", "head"}}) {
    if (code == middle.code) return middle.name;
  }
  for (const Named& limb :
       {Named{"CL", "clavicle"}, Named{"UA", "upper-arm"},
        Named{"FA", "forearm"}, Named{"HA", "hand"}, Named{"UL", "upper-leg"},
        Named{"LL", "lower-leg"}, Named{"FO", "foot"}, Named{"TO", "toes"}}) {
    if (code == limb.code) {
      return (is_left ? "left-" : "right-") + std::string(limb.name);
    }
  }
  ADD_FAILURE() << "no segment " << code;
  return "";
}

/// Whether the side that a label has between braces is the left one.
bool IsLeft(const std::string& side) {
  const char first = char(std::tolower(static_cast<unsigned char>(side[0])));
  return std::string_view("lgie").find(first) != std::string_view::npos ||
         side == "SX" || side == "SOL";
}

/// "{L/R}ASI:P" is "LASI" and "RASI" on the pelvis.
void AddLabels(std::string token, Convention& convention) {
  for (char& c : token) c = c == '~' ? ' ' : c;
  const std::size_t colon = token.rfind(':');
  std::string code = token.substr(colon + 1);
  const std::string label = token.substr(0, colon);
  const std::size_t open = label.find('{');
  if (open == std::string::npos) {
    const bool is_left = code.back() == 'l';
    if (is_left || code.back() == 'r') code.pop_back();
    convention.labels.push_back({label, SegmentName(code, is_left)});
    return;
  }
  const std::size_t middle = label.find('/', open);
  const std::size_t close = label.find('}', open);
  for (const std::string& side :
       {label.substr(open + 1, middle - open - 1),
        label.substr(middle + 1, close - middle - 1)}) {
    convention.labels.push_back(
        {label.substr(0, open) + side + label.substr(close + 1),
         SegmentName(code, IsLeft(side))});
  }
}

std::vector<Convention> ReadConventions(const char* name) {
  std::ifstream file(SourceDir() / "tests/mocap/solve" / name);
  std::vector<Convention> conventions;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    if (line.starts_with('>')) {
      conventions.push_back({line.substr(2), {}});
      continue;
    }
    std::istringstream tokens(line);
    for (std::string token; tokens >> token;) {
      AddLabels(token, conventions.back());
    }
  }
  return conventions;
}

/// A marker at a joint may count to either of the two segments.
bool IsRight(int found, std::string_view truth) {
  return Body()[found].name == truth ||
         (Body()[found].parent >= 0 &&
          Body()[Body()[found].parent].name == truth) ||
         std::ranges::any_of(Body(), [&](const auto& segment) {
           return segment.name == truth && segment.parent == found;
         });
}

struct Share {
  int right = 0;
  int wrong = 0;   ///< Read as another segment.
  int unread = 0;  ///< Left to motion.
  double Of() const { return double(right) / (right + wrong + unread); }
};

/// As the program reads the labels of a take, before it looks at motion.
void Count(const Convention& convention, bool is_loud, Share& share) {
  std::vector<std::string> labels;
  for (const Labelled& label : convention.labels) labels.push_back(label.label);
  MarkerTake take(labels, 1, 100);
  for (int m = 0; m < take.num_markers(); ++m) {
    take.SetPosition(0, m, {0.1 * m, 1, 0});
  }
  const Result<RecognisedSet> set =
      RecogniseMarkerSet(BuiltInMarkerSets(), take, "f", std::nullopt);
  const std::vector<internal::Draft> drafts = internal::ReadLabels(
      take, NameColumns(take, std::nullopt), set.ok() ? &*set : nullptr);
  std::vector<const internal::Draft*> of_column(labels.size(), nullptr);
  for (const internal::Draft& draft : drafts) {
    of_column[std::size_t(draft.column)] = &draft;
  }
  for (std::size_t m = 0; m < labels.size(); ++m) {
    const internal::Draft* draft = of_column[m];
    const bool is_read = draft != nullptr && draft->is_known;
    const std::string& truth = convention.labels[m].segment;
    if (is_read && IsRight(draft->marker.segment, truth)) {
      ++share.right;
      continue;
    }
    ++(is_read ? share.wrong : share.unread);
    if (!is_loud) continue;
    std::printf("%s: %s is on %s, read as %s\n", convention.name.c_str(),
                labels[m].c_str(), truth.c_str(),
                is_read
                    ? std::string(Body()[draft->marker.segment].name).c_str()
                    : "nothing");
  }
}

TEST(LabelConventions, AreReadAsTheSegmentsTheyAreOn) {
  const std::vector<Convention> conventions =
      ReadConventions("label_conventions.txt");
  ASSERT_GE(conventions.size(), 60u);
  Share seen;
  Share kept_aside;
  for (std::size_t k = 0; k < conventions.size(); ++k) {
    const bool is_aside = k % 3 == 2;
    Count(conventions[k], !is_aside && std::getenv("LIMBER_LABELS") != nullptr,
          is_aside ? kept_aside : seen);
  }
  for (const Share& share : {seen, kept_aside}) {
    std::printf("%d right, %d wrong, %d unread: %.1f %%\n", share.right,
                share.wrong, share.unread, 100 * share.Of());
    // What is unread is found by motion; what is wrong must be overruled by it.
    EXPECT_GT(share.Of(), 0.94);
    EXPECT_LT(share.wrong, 0.01 * share.right);
  }
}

/// Conventions that were written down when the vocabulary was there: the first
/// lot led to words and rules afterwards (75.5 % before), the second to two
/// rules (single letters, "mid") and no word (87.3 % before).
struct Lot {
  const char* file;
  double least;  ///< Share that must be right.
};
class LaterConventions : public testing::TestWithParam<Lot> {};

TEST_P(LaterConventions, AreReadAsTheSegmentsTheyAreOn) {
  Share share;
  for (const Convention& convention : ReadConventions(GetParam().file)) {
    Count(convention, std::getenv("LIMBER_LABELS") != nullptr, share);
  }
  std::printf("%s: %d right, %d wrong, %d unread: %.1f %%\n", GetParam().file,
              share.right, share.wrong, share.unread, 100 * share.Of());
  EXPECT_GT(share.Of(), GetParam().least);
  EXPECT_LT(share.wrong, 0.01 * share.right);
}
INSTANTIATE_TEST_SUITE_P(
    Lots, LaterConventions,
    testing::Values(Lot{"label_conventions_later.txt", 0.96},
                    Lot{"label_conventions_aside.txt", 0.87}));

}  // namespace
}  // namespace limber::test
