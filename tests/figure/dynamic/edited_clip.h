// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>

#include "core/angle.h"
#include "figure/dynamic/edit.h"
#include "figure/motion_track.h"
#include "figure/segment_words.h"
#include "figure/smooth_motion.h"
#include "tests/scenes/figure_scenes.h"
#include "tests/support/test_data.h"

namespace limber::figure {

inline constexpr double kDegree = kRadiansPerDegree;  ///< [rad]

/// A clip with a body that can play it, and events on its segments.
struct EditedClip {
  Motion clip;
  std::shared_ptr<const FigureModel> model;

  explicit EditedClip(const std::filesystem::path& path)
      : EditedClip(scenes::LoadClip(path)) {}
  explicit EditedClip(const Motion& motion)
      : clip(motion), model(scenes::BodyFor(motion)) {}
  static EditedClip Bundled(const std::string& name) {
    return EditedClip(test::BundledData("clips/" + name));
  }

  /// The clip again and again, for `seconds`, at `rate_hz` frames a second.
  EditedClip Looped(double seconds, double rate_hz) const {
    MotionTrack track;
    track.Loop(std::make_shared<const SmoothMotion>(clip), seconds);
    Motion motion(clip.shared_skeleton(), rate_hz, clip.source());
    Pose pose;
    for (std::int64_t f = 0; f <= std::llround(seconds * rate_hz); ++f) {
      track.Sample(static_cast<double>(f) / rate_hz, pose);
      motion.Append(pose);
    }
    return EditedClip(motion);
  }

  int Segment(Role role) const { return model->SegmentOf(role); }
  EditEvent On(EditEvent::Kind kind, Role role, double time,
               double duration = 0.0) const {
    EditEvent event;
    event.kind = kind;
    event.time = time;
    event.duration = duration;
    event.segment = Segment(role);
    event.point_B = model->segments[std::size_t(event.segment)].p_JC;
    return event;
  }
  EditEvent Push(Role role, double time, const Vector3& impulse) const {
    EditEvent event = On(EditEvent::Kind::kPush, role, time);
    event.vector = impulse;
    return event;
  }
  EditResult Edit(const std::vector<EditEvent>& events,
                  const EditSettings& settings = {}) const {
    return EditMotion(clip, model, events, settings);
  }

  /// Largest angle [rad] and distance [m] of a joint to the clip in a frame.
  double Angle(const Motion& motion, std::int64_t frame) const {
    const Pose a = clip.pose(frame);
    const Pose b = motion.pose(frame);
    double most = 0.0;
    for (std::size_t j = 0; j < a.X_PJ.size(); ++j) {
      most = std::max(most, AngleBetween(a.X_PJ[j].R, b.X_PJ[j].R));
    }
    return most;
  }
  double Distance(const Motion& motion, std::int64_t frame) const {
    const Pose a = clip.pose(frame);
    const Pose b = motion.pose(frame);
    double most = 0.0;
    for (std::size_t j = 0; j < a.X_PJ.size(); ++j) {
      most = std::max(most, (a.X_PJ[j].p - b.X_PJ[j].p).norm());
    }
    return most;
  }
  std::int64_t FrameAt(double time) const {
    return static_cast<std::int64_t>(std::lround(time * clip.rate_hz()));
  }
  /// Where the mass centre of the body is in a frame of `motion`.
  Vector3 MassCentre(const Motion& motion, std::int64_t frame) const {
    const std::vector<Transform> X_WJ =
        WorldTransforms(motion.skeleton(), motion.pose(frame));
    Vector3 sum = Vector3::Zero();
    for (const FigureSegment& segment : model->segments) {
      sum += segment.mass * (X_WJ[std::size_t(segment.joint)] * segment.p_JC);
    }
    return sum / model->total_mass();
  }
  /// Where a point of a segment is in a frame of `motion`.
  Vector3 Place(const Motion& motion, std::int64_t frame, int segment,
                const Vector3& p_B) const {
    const std::vector<Transform> X_WJ =
        WorldTransforms(motion.skeleton(), motion.pose(frame));
    return X_WJ[std::size_t(model->segments[std::size_t(segment)].joint)] * p_B;
  }
};

}  // namespace limber::figure
