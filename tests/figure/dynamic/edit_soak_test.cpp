// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0

// Ten minutes of random events, and what an edit costs.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <ctime>

#include "tests/figure/dynamic/edited_clip.h"
#include "tests/figure/dynamic/random_events.h"

namespace limber::figure {
namespace {

// Ten minutes in one go: nothing that is no number, never farther than 3 m from
// where the clip is.
TEST(EditSoak, TenMinutesOfRandomEventsStayNearThePath) {
  const EditedClip walk = EditedClip::Bundled("walk.bvh").Looped(600.0, 120.0);
  double farthest = 0.0;
  std::size_t count = 0;
  for (unsigned seed = 1; seed <= 2; ++seed) {
    const std::vector<EditEvent> events = RandomEvents(walk, seed).Make();
    count += events.size();
    const EditResult result = walk.Edit(events);
    double far = 0.0;
    for (std::int64_t f = 0; f < result.motion.num_frames(); ++f) {
      for (const double value : result.motion.row(f)) {
        ASSERT_TRUE(std::isfinite(value)) << seed << " " << f;
      }
      far = std::max(far, result.frames[std::size_t(f)].root_shift);
    }
    const std::int64_t last = walk.clip.num_frames() - 1;
    std::printf(
        "seed %u: %zu events, farthest %.2f m, root help %.3f, gap %.1e m, "
        "overlap %.1f mm, at the end %.3f deg and %.4f m from the clip\n",
        seed, events.size(), far, result.summary.root_help_mean,
        result.summary.max_dislocation, 1e3 * result.deepest_contact,
        walk.Angle(result.motion, last) / kDegree,
        walk.Distance(result.motion, last));
    EXPECT_LT(far, 3.0);
    // Four seconds after the last event it is the clip again.
    EXPECT_LT(walk.Angle(result.motion, last), 0.1 * kDegree);
    EXPECT_LT(walk.Distance(result.motion, last), 1e-3);
    farthest = std::max(farthest, far);
  }
  std::printf("%zu events in 1200 s: farthest %.2f m\n", count, farthest);
}

// A clip of 10 s at 240 Hz is edited in a second of one core.
TEST(EditSoak, TenSecondsAreEditedInASecond) {
  const EditedClip walk = EditedClip::Bundled("walk.bvh").Looped(10.0, 240.0);
  const EditEvent push =
      walk.Push(Role::kLeftForearm, 1.2, Vector3(10.0, 0.0, 0.0));
  double best = 1e9;
  for (int i = 0; i < 3; ++i) {
    const std::clock_t begin = std::clock();
    const EditResult result = walk.Edit({push});
    best =
        std::min(best, double(std::clock() - begin) / double(CLOCKS_PER_SEC));
    EXPECT_LT(result.return_time, 1.0);
  }
  std::printf("10 s at 240 Hz: %.3f s of processor time\n", best);
#ifdef NDEBUG
  EXPECT_LE(best, 1.0);
#endif
}

}  // namespace
}  // namespace limber::figure
