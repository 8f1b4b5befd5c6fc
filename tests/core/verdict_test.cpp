// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "core/verdict.h"

#include <gtest/gtest.h>

namespace limber {
namespace {

Doubt UpsideDown() {
  return {"head-below-feet",
          "the head is below the feet in 100 % of the frames",
          "--up -z turns the take over",
          1.0,
          0.5,
          ""};
}

TEST(Verdict, WithoutDoubtsLooksRight) {
  const Verdict verdict;
  EXPECT_TRUE(verdict.looks_right());
  EXPECT_EQ(verdict.word(), "looks right");
  EXPECT_EQ(verdict.ToString(), "looks right");
}

TEST(Verdict, NamesEveryDoubtAndWhatToTry) {
  Verdict verdict;
  verdict.Add(UpsideDown());
  verdict.Add({"height", "the actor is 3.1 m tall", "", 3.1, 2.3, "m"});
  EXPECT_FALSE(verdict.looks_right());
  EXPECT_EQ(verdict.word(), "looks wrong");
  EXPECT_EQ(verdict.ToString(),
            "looks wrong: the head is below the feet in 100 % of the frames "
            "(--up -z turns the take over); the actor is 3.1 m tall");
  EXPECT_TRUE(verdict.Has("height"));
  EXPECT_FALSE(verdict.Has("heigh"));
}

TEST(Verdict, AppendsItsOwnDoubtsToo) {
  Verdict verdict;
  verdict.Add(UpsideDown());
  verdict.Append(verdict);
  EXPECT_EQ(verdict.doubts().size(), 2u);
}

}  // namespace
}  // namespace limber
