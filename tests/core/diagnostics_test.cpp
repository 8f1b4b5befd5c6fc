// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "core/diagnostics.h"

#include <gtest/gtest.h>

#include <string>

#include "core/result.h"

namespace limber {
namespace {

TEST(Diagnostic, PrintsInTheCompilersForm) {
  EXPECT_EQ(ToString(Diagnostic{Severity::kError, "offset", "a.bvh",
                                Place::AtLine(37, 3), "needs 3 numbers", 1}),
            "a.bvh:37:3: error: needs 3 numbers");
  EXPECT_EQ(ToString(Diagnostic{Severity::kWarning, "frames", "a.bvh",
                                Place::AtLine(180), "using 398", 2}),
            "a.bvh:180: warning: using 398 (2 times)");
  EXPECT_EQ(ToString(Diagnostic{Severity::kError, "key", "a.c3d",
                                Place::AtByte(1), "found 0x00", 1}),
            "a.c3d: byte 1: error: found 0x00");
  EXPECT_EQ(
      ToString(Diagnostic{Severity::kError, "open", "a.c3d", {}, "no", 1}),
      "a.c3d: error: no");
}

TEST(Diagnostics, CountsRepeatedWarningsOnTheFirst) {
  Diagnostics diagnostics("f");
  diagnostics.Warning("blank", Place::AtLine(3), "first");
  diagnostics.Warning("blank", Place::AtLine(9), "second");
  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_EQ(diagnostics.all()[0].place.line, 3);
  EXPECT_EQ(diagnostics.CountOf("blank"), 2);
  EXPECT_FALSE(diagnostics.has_errors());
}

TEST(Diagnostics, StrictTurnsWarningsIntoErrors) {
  Diagnostics diagnostics("f", true);
  diagnostics.Warning("blank", {}, "first");
  EXPECT_TRUE(diagnostics.has_errors());
}

TEST(Result, DropsTheValueWhenThereIsAnError) {
  Diagnostics diagnostics("f");
  diagnostics.Error("bad", {}, "bad");
  const Result<int> result(3, diagnostics);
  EXPECT_FALSE(result.ok());
  EXPECT_THROW(result.value(), std::logic_error);
  EXPECT_THROW(Result<int>(Diagnostics("f")), std::invalid_argument);
}

}  // namespace
}  // namespace limber
