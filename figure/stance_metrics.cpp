// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/stance_metrics.h"

#include <algorithm>
#include <cmath>

namespace limber::figure {

namespace {

const std::vector<Vector3>& TrackOf(const ClipTracks& tracks, int side,
                                    FootPoint point) {
  const FootTrack& foot = tracks.feet[side];
  return point == FootPoint::kToe ? foot.toe : foot.heel;
}

/// The track at a time, on the straight line between frames.
Vector3 PlaceAt(const std::vector<Vector3>& track, double rate_hz,
                double time) {
  const double at = time * rate_hz;
  const auto last = static_cast<std::int64_t>(track.size()) - 1;
  const auto frame = std::clamp<std::int64_t>(
      static_cast<std::int64_t>(std::floor(at)), 0, last);
  const std::int64_t next = std::min(frame + 1, last);
  const double u = std::clamp(at - static_cast<double>(frame), 0.0, 1.0);
  return (1.0 - u) * track[frame] + u * track[next];
}

double HorizontalDistance(const Vector3& a, const Vector3& b) {
  return std::hypot(a.x() - b.x(), a.z() - b.z());
}

}  // namespace

std::vector<Stance> FindStances(const ClipTracks& tracks, FootPoint point,
                                const StanceRule& rule) {
  std::vector<Stance> stances;
  const double step = 1.0 / rule.sample_rate_hz;
  // A sample on the last frame must not be lost to rounding.
  const double tolerance = 1e-6 / tracks.rate_hz;
  const double scale = tracks.leg_length / kReferenceLeg;
  for (int side = 0; side < 2; ++side) {
    const std::vector<Vector3>& track = TrackOf(tracks, side, point);
    for (const Shot& shot : tracks.shots) {
      const double begin = static_cast<double>(shot.begin) / tracks.rate_hz;
      const double end = static_cast<double>(shot.end - 1) / tracks.rate_hz;
      bool is_standing = false;
      for (std::int64_t i = 0;
           begin + static_cast<double>(i + 1) * step <= end + tolerance; ++i) {
        const double time = begin + static_cast<double>(i) * step;
        const Vector3 a = PlaceAt(track, tracks.rate_hz, time);
        const Vector3 b = PlaceAt(track, tracks.rate_hz, time + step);
        const bool stands = a.y() < tracks.floor + scale * rule.max_height &&
                            (b - a).norm() < scale * rule.max_speed * step;
        if (stands && !is_standing) stances.push_back({side, time, 0});
        if (stands) ++stances.back().num_steps;
        is_standing = stands;
      }
    }
  }
  return stances;
}

StanceSlide MeasureSlide(const ClipTracks& tracks, FootPoint point,
                         const std::vector<Stance>& stances,
                         const StanceRule& rule) {
  StanceSlide slide;
  const double step = 1.0 / rule.sample_rate_hz;
  double sum_path = 0.0;
  double sum_drift = 0.0;
  if (tracks.num_frames == 0) return slide;
  for (const Stance& stance : stances) {
    const std::vector<Vector3>& track = TrackOf(tracks, stance.side, point);
    const Vector3 start = PlaceAt(track, tracks.rate_hz, stance.begin);
    Vector3 before = start;
    double drift = 0.0;
    for (int i = 1; i <= stance.num_steps; ++i) {
      const Vector3 now =
          PlaceAt(track, tracks.rate_hz, stance.begin + i * step);
      sum_path += HorizontalDistance(before, now);
      drift = std::max(drift, HorizontalDistance(start, now));
      before = now;
    }
    slide.time += stance.num_steps * step;
    sum_drift += drift;
    ++slide.num_stances;
  }
  if (slide.num_stances == 0) return slide;
  slide.speed = sum_path / slide.time;
  slide.drift = sum_drift / slide.num_stances;
  slide.speed_per_leg = slide.speed / tracks.leg_length;
  slide.drift_per_leg = slide.drift / tracks.leg_length;
  return slide;
}

}  // namespace limber::figure
