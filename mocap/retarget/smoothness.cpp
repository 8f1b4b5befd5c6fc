// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/retarget/smoothness.h"

#include <algorithm>
#include <cmath>

#include "core/clip_time.h"
#include "figure/low_pass.h"
#include "mocap/retarget/envelope.h"

namespace limber::mocap {

namespace {

using figure::ClipTracks;
using figure::Motion;
using figure::Pose;
using figure::Shot;

constexpr double kMostJerk = 1.1;     // c
constexpr double kCutoff = 20.0;      // Movement ends below [Hz].
constexpr double kLeastNoise = 0.1;   // Of J_s: less is not worth a change.
constexpr double kStill = 1e-5;       // Of the leg, in a third difference.
constexpr double kAround = 0.15;      // Half of the window [s].
constexpr double kRampTime = 0.0375;  // Of u, see Envelope [s].

Motion MakeMotion(const HumanBody& body, double rate_hz,
                  const std::vector<Pose>& poses) {
  Motion motion(body.skeleton, rate_hz);
  for (const Pose& pose : poses) motion.Append(pose);
  return motion;
}

/// Each shot by itself: nothing of a cut may leak into its surroundings.
Motion LowPassShots(const Motion& motion, const std::vector<Shot>& shots) {
  Motion result(motion.shared_skeleton(), motion.rate_hz());
  for (const Shot& shot : shots) {
    Motion part(motion.shared_skeleton(), motion.rate_hz());
    for (std::int64_t i = shot.begin; i < shot.end; ++i) {
      part.Append(motion.pose(i));
    }
    const Motion smooth = figure::LowPass(part, kCutoff);
    for (std::int64_t i = 0; i < smooth.num_frames(); ++i) {
      result.Append(smooth.pose(i));
    }
  }
  return result;
}

/// Sums over the frames of the same shot that are at most `half` away.
std::vector<double> SumsAround(const std::vector<double>& values,
                               const std::vector<Shot>& shots,
                               std::int64_t half) {
  std::vector<double> sums(values.size(), 0.0);
  for (const Shot& shot : shots) {
    for (std::int64_t i = shot.begin; i < shot.end; ++i) {
      const std::int64_t last = std::min(shot.end - 1, i + half);
      for (std::int64_t k = std::max(shot.begin, i - half); k <= last; ++k) {
        sums[i] += values[k];
      }
    }
  }
  return sums;
}

/// Third differences of what `smooth` lacks.
std::vector<double> NoiseSquares(ClipTracks tracks, const ClipTracks& smooth) {
  for (std::size_t i = 0; i < tracks.places.size(); ++i) {
    tracks.places[i] -= smooth.places[i];
  }
  return figure::ThirdDifferenceSquares(tracks);
}

}  // namespace

SmoothReport MatchSmoothness(const Motion& motion, const HumanBody& source,
                             const ClipTracks& tracks, const HumanBody& target,
                             std::vector<Pose>& poses) {
  const double rate = motion.rate_hz();
  const std::vector<Shot>& shots = tracks.shots;
  const auto half = std::max<std::int64_t>(1, FramesIn(kAround, rate));
  const auto ramp = std::max<std::int64_t>(1, FramesIn(kRampTime, rate));
  constexpr double kMost = kMostJerk * kMostJerk;

  const Motion copy = MakeMotion(target, rate, poses);
  ClipTracks copy_tracks = figure::TrackClip(copy, target.plan);
  copy_tracks.shots = shots;
  const std::vector<double> J_s =
      SumsAround(figure::ThirdDifferenceSquares(tracks), shots, half);
  const std::vector<double> J_t =
      SumsAround(figure::ThirdDifferenceSquares(copy_tracks), shots, half);
  SmoothReport report;
  if (std::ranges::equal(J_t, J_s,
                         [](double t, double s) { return t <= kMost * s; })) {
    return report;
  }

  const Motion smooth = LowPassShots(copy, shots);
  const std::vector<double> N_s = SumsAround(
      NoiseSquares(tracks,
                   figure::TrackClip(LowPassShots(motion, shots), source.plan)),
      shots, half);
  const std::vector<double> N_t = SumsAround(
      NoiseSquares(copy_tracks, figure::TrackClip(smooth, target.plan)), shots,
      half);
  const double still = kStill * kStill * static_cast<double>(2 * half + 1);
  std::vector<double> u(poses.size(), 0.0);
  for (std::size_t i = 0; i < u.size(); ++i) {
    const double allowed =
        std::max({kMost * N_s[i], kLeastNoise * J_s[i],
                  kMost * J_s[i] - (J_t[i] - N_t[i]), still});
    if (allowed < N_t[i]) u[i] = 1.0 - std::sqrt(allowed / N_t[i]);
  }
  for (const Shot& shot : shots) {
    Envelope(u, shot.begin, shot.end, ramp, [](double value) { return value; });
  }

  const int pelvis = target.plan.pelvis;
  Pose to;
  for (std::size_t i = 0; i < u.size(); ++i) {
    if (u[i] <= 0.0) continue;
    ++report.frames;
    smooth.GetPose(static_cast<std::int64_t>(i), to);
    for (std::size_t j = 0; j < to.X_PJ.size(); ++j) {
      Quaternion& R = poses[i].X_PJ[j].R;
      const Quaternion turned = R.slerp(u[i], to.X_PJ[j].R);
      report.largest_turn =
          std::max(report.largest_turn, AngleBetween(R, turned));
      R = turned;
    }
    Vector3& p = poses[i].X_PJ[pelvis].p;
    p += u[i] * (to.X_PJ[pelvis].p - p);
  }
  return report;
}

}  // namespace limber::mocap
