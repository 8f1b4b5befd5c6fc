// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/dynamic/edit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/figure/dynamic/edited_clip.h"

namespace limber::figure {
namespace {

using Kind = EditEvent::Kind;
using Return = EditSettings::Return;

class EditTest : public testing::Test {
 protected:
  const EditedClip walk_ = EditedClip::Bundled("walk.bvh");
};

// Asked: within 0.1 deg and 1 mm, contacts included.
TEST_F(EditTest, WithoutEventsTheClipComesBack) {
  const EditResult result = walk_.Edit({});
  ASSERT_EQ(result.motion.num_frames(), walk_.clip.num_frames());
  for (std::int64_t f = 0; f < walk_.clip.num_frames(); ++f) {
    EXPECT_LT(walk_.Angle(result.motion, f), 1e-9) << f;
    EXPECT_LT(walk_.Distance(result.motion, f), 1e-9) << f;
  }
  EXPECT_EQ(result.return_time, 0.0);
  EXPECT_LT(result.penetration, 1e-9);
  // The feet carry the figure.
  double contact = 0.0;
  for (const EditFrame& frame : result.frames) contact += frame.contact;
  EXPECT_NEAR(contact / static_cast<double>(result.frames.size()), 1.0, 0.1);
}

TEST_F(EditTest, SameCallGivesTheSameNumbers) {
  const EditEvent push =
      walk_.Push(Role::kChest, 0.8, Vector3(0.0, 0.0, -15.0));
  const EditResult a = walk_.Edit({push});
  const EditResult b = walk_.Edit({push});
  for (std::int64_t f = 0; f < walk_.clip.num_frames(); ++f) {
    for (std::size_t j = 0; j < a.motion.row(f).size(); ++j) {
      ASSERT_EQ(a.motion.row(f)[j], b.motion.row(f)[j]);
    }
  }
}

// The influence of two pushes ends before the next begins: in between, before
// and after the result is the clip.
TEST_F(EditTest, EditIsLocal) {
  const EditResult result = walk_.Edit(
      {walk_.Push(Role::kLeftForearm, 0.6, Vector3(8.0, 0.0, 0.0)),
       walk_.Push(Role::kRightForearm, 2.4, Vector3(0.0, 0.0, 8.0))});
  const auto is_clip = [&](double from, double to) {
    for (std::int64_t f = walk_.FrameAt(from); f <= walk_.FrameAt(to); ++f) {
      EXPECT_LT(walk_.Angle(result.motion, f), 0.1 * kDegree) << f;
      EXPECT_LT(walk_.Distance(result.motion, f), 1e-3) << f;
    }
  };
  is_clip(0.0, 0.6);
  is_clip(1.9, 2.4);
  is_clip(4.2, 4.4);
  EXPECT_GT(walk_.Angle(result.motion, walk_.FrameAt(0.65)), 2.0 * kDegree);
  EXPECT_GT(walk_.Angle(result.motion, walk_.FrameAt(2.45)), 1.0 * kDegree);
}

// No step of pose or velocity where the difference is taken away: the joints'
// accelerations stay near those of push and clip.
TEST_F(EditTest, ReturnIsSmooth) {
  const EditResult result =
      walk_.Edit({walk_.Push(Role::kChest, 1.0, Vector3(20.0, 0.0, 0.0))});
  double clip_most = 0.0;
  double most = 0.0;
  for (std::int64_t f = walk_.FrameAt(1.15); f + 2 < walk_.clip.num_frames();
       ++f) {
    const auto kick = [f](const Motion& motion) {
      double largest = 0.0;
      const Pose a = motion.pose(f), b = motion.pose(f + 1),
                 c = motion.pose(f + 2);
      for (std::size_t j = 0; j < a.X_PJ.size(); ++j) {
        const Vector3 change =
            LogRotation(c.X_PJ[j].R * b.X_PJ[j].R.conjugate()) -
            LogRotation(b.X_PJ[j].R * a.X_PJ[j].R.conjugate());
        largest = std::max(largest, change.norm());
      }
      return largest * motion.rate_hz();
    };
    clip_most = std::max(clip_most, kick(walk_.clip));
    most = std::max(most, kick(result.motion));
  }
  std::printf("velocity changes between frames: clip %.3f, result %.3f rad/s\n",
              clip_most, most);
  EXPECT_LT(most, 1.5 * clip_most);
}

TEST_F(EditTest, ReturnModesKeepOrLeaveThePath) {
  const EditEvent shove = [&] {
    EditEvent event = walk_.Push(Role::kPelvis, 1.0, Vector3(60.0, 0.0, 0.0));
    event.duration = 0.3;
    return event;
  }();
  const std::int64_t last = walk_.clip.num_frames() - 1;
  EditSettings settings;
  settings.return_to = Return::kPath;
  const EditResult path = walk_.Edit({shove}, settings);
  settings.return_to = Return::kPose;
  const EditResult pose = walk_.Edit({shove}, settings);
  settings.return_to = Return::kNone;
  const EditResult none = walk_.Edit({shove}, settings);
  std::printf("root off its path at the end: path %.4f, pose %.4f, none %.4f\n",
              walk_.Distance(path.motion, last),
              walk_.Distance(pose.motion, last),
              walk_.Distance(none.motion, last));
  EXPECT_LT(walk_.Distance(path.motion, last), 1e-3);
  EXPECT_LT(walk_.Angle(path.motion, last), 0.1 * kDegree);
  // Pushed to the side, and there it goes on with the clip's pose.
  EXPECT_GT(walk_.Distance(pose.motion, last), 0.03);
  EXPECT_GT(walk_.Distance(none.motion, last), 0.03);
  const Pose clip_end = walk_.clip.pose(last);
  const Pose pose_end = pose.motion.pose(last);
  for (std::size_t j = 1; j < clip_end.X_PJ.size(); ++j) {
    EXPECT_LT(AngleBetween(clip_end.X_PJ[j].R, pose_end.X_PJ[j].R),
              0.1 * kDegree)
        << j;
  }
  EXPECT_NEAR(pose_end.X_PJ[0].p.y(), clip_end.X_PJ[0].p.y(), 1e-3);
}

TEST_F(EditTest, RagDollFallsAndLies) {
  EditEvent let_go;
  let_go.kind = Kind::kRagDoll;
  let_go.time = 0.5;
  let_go.duration = 0.1;
  const EditResult result = walk_.Edit({let_go});
  const double end =
      result.motion.pose(walk_.clip.num_frames() - 1).X_PJ.front().p.y();
  EXPECT_LT(end, 0.6 * walk_.clip.pose(0).X_PJ.front().p.y());
  EXPECT_TRUE(std::isinf(result.return_time));
}

TEST_F(EditTest, RagDollThatRecoversIsBackOnItsPath) {
  EditEvent let_go;
  let_go.kind = Kind::kRagDoll;
  let_go.time = 0.5;
  let_go.duration = 0.1;
  EditEvent recover;
  recover.kind = Kind::kRecover;
  recover.time = 1.2;
  recover.duration = 0.5;
  const EditResult result = walk_.Edit({let_go, recover});
  const std::int64_t last = walk_.clip.num_frames() - 1;
  std::printf("recovered: back after %.2f s, root help at most %.2f\n",
              result.return_time, result.summary.root_help_max);
  EXPECT_LT(result.return_time, 2.0);
  EXPECT_LT(walk_.Angle(result.motion, last), 0.1 * kDegree);
  EXPECT_LT(walk_.Distance(result.motion, last), 1e-3);
}

TEST_F(EditTest, BadEventsAreRefused) {
  const EditEvent good = walk_.Push(Role::kChest, 0.8, Vector3(1, 0, 0));
  const auto refused = [&](auto&& change) {
    EditEvent event = good;
    change(event);
    EXPECT_THROW(walk_.Edit({event}), std::invalid_argument);
  };
  refused([](EditEvent& e) { e.segment = 999; });
  refused([](EditEvent& e) { e.duration = -1.0; });
  refused([](EditEvent& e) { e.time = std::nan(""); });
  refused([](EditEvent& e) { e.vector.x() = INFINITY; });
  refused([](EditEvent& e) { e.mass = 0.0; });
  refused([](EditEvent& e) { e.kind = Kind::kReach; });  // No target.
  refused([](EditEvent& e) { e.kind = Kind::kObstacle; });
  refused([](EditEvent& e) { e.segments = {-1}; });
  refused([&](EditEvent& e) {
    e.kind = Kind::kReach;
    e.target = Vector3::Zero();
    e.segment = 0;  // The root hangs on nothing.
  });
  refused([](EditEvent& e) {
    e.kind = Kind::kFloor;
    e.vector = Vector3(1, 0, 0);
  });
  EditSettings settings;
  settings.keep = {999};
  EXPECT_THROW(walk_.Edit({good}, settings), std::invalid_argument);
}

TEST_F(EditTest, MotionThatDivergesIsSaidAndNotWritten) {
  const EditEvent push =
      walk_.Push(Role::kLeftForearm, 0.1, Vector3(1e9, 0.0, 0.0));
  EditSettings settings;
  settings.floor = false;
  EXPECT_THROW(walk_.Edit({push}, settings), std::runtime_error);
}

TEST(EditEvent, PathGoesThroughItsPoints) {
  EditEvent event;
  event.path = {{1.0, Vector3(0, 0, 0)},
                {2.0, Vector3(1, 0, 0)},
                {2.5, Vector3(1, 2, 0)}};
  EXPECT_EQ(TargetAt(event, 0.0), Vector3(0, 0, 0));
  EXPECT_LT((TargetAt(event, 2.0) - Vector3(1, 0, 0)).norm(), 1e-12);
  EXPECT_EQ(TargetAt(event, 9.0), Vector3(1, 2, 0));
  // No jump of velocity at a waypoint.
  const double e = 1e-6;
  const Vector3 before = (TargetAt(event, 2.0) - TargetAt(event, 2.0 - e)) / e;
  const Vector3 after = (TargetAt(event, 2.0 + e) - TargetAt(event, 2.0)) / e;
  EXPECT_LT((after - before).norm(), 1e-4);
}

}  // namespace
}  // namespace limber::figure
