// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "core/suggest.h"

#include <gtest/gtest.h>

namespace limber {
namespace {

const std::vector<std::string> kKnown = {"info", "convert", "retarget"};

TEST(Suggest, SwappedLettersAreOneEdit) {
  EXPECT_EQ(Suggest("inof", kKnown), "info");
  EXPECT_EQ(Suggest("covnert", kKnown), "convert");
}

TEST(Suggest, NearestWins) {
  EXPECT_EQ(Suggest("--unt", {"--up", "--unit"}), "--unit");
}

TEST(Suggest, FarWordGivesNothing) {
  EXPECT_EQ(Suggest("banana", kKnown), std::nullopt);
  EXPECT_EQ(Suggest("", kKnown), std::nullopt);
  EXPECT_EQ(Suggest(std::string(1000, 'i'), kKnown), std::nullopt);
}

}  // namespace
}  // namespace limber
