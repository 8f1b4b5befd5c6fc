// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
// 100 000 random mutations per text format.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <string>

#include "tests/mocap/io/text_damage.h"

namespace limber::mocap::test {
namespace {

constexpr int kMutations = 100000;

// What a damaged file may hold in place of a good word.
constexpr const char* kWords[] = {
    "nan",   "inf",  "1e308",  "-1e999", "1e-400", "2147483647",  "4294967296",
    "-1",    "0x10", "+",      ".",      "JOINT",  "ROOT",        "End Site",
    "{",     "}",    "OFFSET", "MOTION", "begin",  "end",         ":root",
    "\xFF",  "\n",   "\r",     "#",      "(",      "Frames: 9",   "CHANNELS 6",
    "dof l", "rx",   "root",   "hip",    " ",      "\xEF\xBB\xBF"};

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  std::string Mutated(std::string text) {
    const int rounds = 1 + Below(6);
    for (int i = 0; i < rounds; ++i) Mutate(text);
    return text;
  }

 private:
  int Below(std::size_t limit) {
    return static_cast<int>(random_() % std::max<std::size_t>(limit, 1));
  }

  void Mutate(std::string& text) {
    const std::size_t at = static_cast<std::size_t>(Below(text.size() + 1));
    const std::size_t length = static_cast<std::size_t>(Below(30));
    switch (Below(7)) {
      case 0:  // Another byte.
        if (at < text.size()) text[at] = static_cast<char>(Below(256));
        break;
      case 1:  // One bit.
        if (at < text.size()) {
          text[at] = static_cast<char>(text[at] ^ (1 << Below(8)));
        }
        break;
      case 2:
        text.erase(at, length);
        break;
      case 3: {  // A piece of the file somewhere else.
        const std::size_t from =
            static_cast<std::size_t>(Below(text.size() + 1));
        text.insert(at, text.substr(from, length));
        break;
      }
      case 4:
        text.insert(at, kWords[Below(std::size(kWords))]);
        break;
      case 5: {  // A word replaced.
        const std::size_t begin = text.find_first_not_of(" \n", at);
        if (begin == std::string::npos) break;
        const std::size_t end =
            std::min(text.find_first_of(" \n", begin), text.size());
        text.replace(begin, end - begin, kWords[Below(std::size(kWords))]);
        break;
      }
      default:
        text.resize(at);
    }
  }

  std::mt19937 random_;
};

class TextMutations : public testing::TestWithParam<std::size_t> {};

TEST_P(TextMutations, AreSurvived) {
  const DamagedFormat& format = DamagedFormats()[GetParam()];
  Mutator mutator(20240501u + static_cast<unsigned>(GetParam()));
  int accepted = 0;
  for (int i = 0; i < kMutations; ++i) {
    const std::string text = mutator.Mutated(format.good);
    accepted += ReadDamaged(format, text, "mutation " + std::to_string(i));
    if (HasFailure()) return;
  }
  // Both outcomes are exercised.
  EXPECT_GT(accepted, kMutations / 100);
  EXPECT_LT(accepted, kMutations * 9 / 10);
}

INSTANTIATE_TEST_SUITE_P(All, TextMutations, testing::Values(0, 1, 2),
                         [](const testing::TestParamInfo<std::size_t>& info) {
                           return std::string(
                               DamagedFormats()[info.param].name);
                         });

}  // namespace
}  // namespace limber::mocap::test
