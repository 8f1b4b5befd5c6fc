// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/collision/broad_phase.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <random>

namespace limber::dynamics {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

BoundingBox BoxAround(const Vector3& p, const Vector3& half) {
  return {p - half, p + half};
}

// V-18: the pairs equal brute force over 1000 random moving sets, with proxies
// that come and go; given boxes that overlap are always among them.
TEST(BroadPhase, V18_EqualsBruteForceOnMovingSets) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> real(-1.0, 1.0);
  const auto vector = [&](double scale) {
    const double x = real(random);
    const double y = real(random);
    return Vector3(scale * x, scale * y, scale * real(random));
  };
  std::size_t total = 0;
  for (int set = 0; set < 1000; ++set) {
    BroadPhase phase(set % 2 == 0 ? 0.0 : 0.05);
    std::map<int, BoundingBox> given;
    std::map<int, Vector3> velocity;
    const int n = 2 + set % 60;
    for (int i = 0; i < n; ++i) {
      const BoundingBox box = BoxAround(vector(2.0), vector(0.4).cwiseAbs());
      given[phase.Add(box)] = box;
    }
    for (int step = 0; step < 10; ++step) {
      if (step % 3 == 2 && !given.empty()) {
        const int gone = given.begin()->first;
        phase.Remove(gone);
        given.erase(gone);
        const BoundingBox box = BoxAround(vector(2.0), vector(0.4).cwiseAbs());
        const int id = phase.Add(box);
        EXPECT_EQ(id, gone);  // The smallest free id.
        given[id] = box;
      }
      for (auto& [id, box] : given) {
        const Vector3 shift = vector(0.1);
        box = {box.min + shift, box.max + shift};
        phase.Update(id, box);
        ASSERT_TRUE(phase.FatBox(id).Contains(box));
      }
      std::vector<ProxyPair> expected;
      for (const auto& [i, box_i] : given) {
        for (const auto& [k, box_k] : given) {
          if (i >= k) continue;
          const bool fat = phase.FatBox(i).Overlaps(phase.FatBox(k));
          if (fat) expected.emplace_back(i, k);
          ASSERT_TRUE(fat || !box_i.Overlaps(box_k));
        }
      }
      ASSERT_EQ(phase.Pairs(), expected) << "set " << set << " step " << step;
      total += expected.size();
    }
  }
  EXPECT_GT(total, 10000u);
}

TEST(BroadPhase, FatBoxStaysWhileTheGivenOneIsInside) {
  BroadPhase phase(0.1);
  const int id = phase.Add(BoxAround(Vector3::Zero(), Vector3::Ones()));
  EXPECT_FALSE(
      phase.Update(id, BoxAround(Vector3(0.05, 0, 0), Vector3::Ones())));
  EXPECT_TRUE(phase.Update(id, BoxAround(Vector3(0.2, 0, 0), Vector3::Ones())));
  EXPECT_DOUBLE_EQ(phase.FatBox(id).max.x(), 1.3);
}

TEST(BroadPhase, InfiniteBoxMeetsEverythingOnItsSide) {
  BroadPhase phase;
  const double inf = BoundingBox::kInfinity;
  const int plane = phase.Add({{-inf, -inf, -inf}, {inf, 0.0, inf}});
  const int low = phase.Add(BoxAround({5, 0.5, 0}, Vector3::Ones()));
  const int high = phase.Add(BoxAround({-5, 3, 0}, Vector3::Ones()));
  EXPECT_THAT(phase.Pairs(), ElementsAre(ProxyPair(plane, low)));
  std::vector<int> touched;
  phase.ForEachTouching(BoxAround({-5, 1.5, 0}, {0.1, 1.6, 0.1}),
                        [&](int id) { touched.push_back(id); });
  EXPECT_THAT(touched, ElementsAre(plane, high));
}

TEST(BroadPhase, BadCallsAreRefused) {
  EXPECT_THAT([] { BroadPhase phase(-1.0); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("margin")));
  BroadPhase phase;
  EXPECT_THAT([&] { phase.Add(BoundingBox()); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("box")));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(
      [&] {
        phase.Add({{0, nan, 0}, {1, 1, 1}});
      },
      ThrowsMessage<std::invalid_argument>(HasSubstr("nan")));
  EXPECT_THAT([&] { phase.Remove(0); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("id")));
  const int id = phase.Add(BoxAround(Vector3::Zero(), Vector3::Ones()));
  phase.Remove(id);
  EXPECT_THAT([&] { phase.Update(id, {}); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("id")));
}

// Bodies that lie in one another would cost with the square of their number.
TEST(BroadPhase, MoreThanFortyPairsForEachBoxAreRefused) {
  constexpr int kBoxes = 300;
  const auto pairs = [](double length, std::int64_t family) {
    BroadPhase phase;
    for (int i = 0; i < kBoxes; ++i) {
      phase.Add({Vector3(i, 0, 0), Vector3(i + length, 1, 1)}, family);
    }
    return phase.Pairs().size();
  };
  EXPECT_GT(pairs(35.5, 0), 30U * kBoxes);
  EXPECT_THROW(pairs(60.5, 0), std::runtime_error);
  // Those of one family make no pairs, and do not count.
  EXPECT_EQ(pairs(300.0, 7), 0U);
}

}  // namespace
}  // namespace limber::dynamics
