// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/skeleton.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

namespace limber::figure {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(Skeleton, ParentAfterChildIsRefused) {
  EXPECT_THAT(
      [] {
        Skeleton::Make({{"a", -1, {}}, {"b", 2, {}}, {"c", 0, {}}});
      },
      ThrowsMessage<std::invalid_argument>(
          HasSubstr("joints[1].parent must come before its child, found 2")));
  EXPECT_THAT(
      [] {
        Skeleton::Make({{"a", 0, Vector3::Zero()}});
      },
      ThrowsMessage<std::invalid_argument>(
          HasSubstr("joints[0].parent must come before its child")));
  EXPECT_THAT(
      [] {
        Skeleton::Make({{"a", -2, Vector3::Zero()}});
      },
      ThrowsMessage<std::invalid_argument>(HasSubstr("found -2")));
}

TEST(Skeleton, EmptyAndUnfinishedPartsAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT([] { Skeleton::Make({}); },
              ThrowsMessage<std::invalid_argument>(
                  HasSubstr("joints must not be empty")));
  EXPECT_THAT(
      [nan] {
        Skeleton::Make({{"a", -1, Vector3(0, nan, 0)}});
      },
      ThrowsMessage<std::invalid_argument>(
          HasSubstr("joints[0].offset must be finite")));
  EXPECT_THAT(
      [] {
        Skeleton::Make({{"a", -1, Vector3::Zero()}},
                       {{"tip", 1, Vector3::Zero()}});
      },
      ThrowsMessage<std::invalid_argument>(
          HasSubstr("sites[0].joint must name a joint, found 1")));
}

TEST(Skeleton, SeveralRootsAndRepeatedNamesAreAllowed) {
  const auto skeleton = Skeleton::Make({{"a", -1, Vector3::Zero()},
                                        {"x", 0, Vector3::Zero()},
                                        {"b", -1, Vector3::Zero()},
                                        {"x", 2, Vector3::Zero()}});
  EXPECT_TRUE(skeleton->is_root(2));
  EXPECT_EQ(skeleton->Find("x"), 1);
  EXPECT_EQ(skeleton->Find("X"), -1);
}

TEST(Skeleton, DepthFirstOrderKeepsSiblingsInOrder) {
  // Joints listed level by level, of two roots.
  const Vector3 zero = Vector3::Zero();
  const auto skeleton = Skeleton::Make({{"a", -1, zero},
                                        {"b", -1, zero},
                                        {"a1", 0, zero},
                                        {"a2", 0, zero},
                                        {"b1", 1, zero},
                                        {"a1x", 2, zero},
                                        {"a1y", 2, zero}});
  EXPECT_THAT(skeleton->DepthFirstOrder(), ElementsAre(0, 2, 5, 6, 3, 1, 4));
}

TEST(RestExtent, SpansJointsAndSites) {
  const auto skeleton = Skeleton::Make(
      {{"a", -1, Vector3(10, 1, 0)}, {"b", 0, Vector3(0, 2, -1)}},
      {{"tip", 1, Vector3(-3, 0.5, 0)}});
  EXPECT_TRUE(RestExtent(*skeleton).isApprox(Vector3(3, 2.5, 1)));
}

}  // namespace
}  // namespace limber::figure
