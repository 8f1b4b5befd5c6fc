// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/progress.h"

#include <gtest/gtest.h>

namespace limber::app {
namespace {

TEST(ProgressLine, TellsShareAndTimeLeft) {
  EXPECT_EQ(ProgressLine("solving", 0.25, 3.0),
            "solving  25 %  [#####               ]  9 s left");
  EXPECT_EQ(ProgressLine("solving", 0.0, 3.0),
            "solving   0 %  [                    ]");
  EXPECT_EQ(ProgressLine("solving", 1.5, 3.0),
            "solving 100 %  [####################]  0 s left");
}

}  // namespace
}  // namespace limber::app
