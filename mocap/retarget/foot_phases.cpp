// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/retarget/foot_phases.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/clip_time.h"
#include "figure/stance_metrics.h"

namespace limber::mocap {

namespace {

using figure::ClipTracks;
using figure::FootPoint;
using figure::Shot;
using figure::StanceRule;

constexpr double kStandHeight = 2.0;
constexpr double kSurely = 1.05;
constexpr double kFollowHeight = 2.4;
constexpr double kFollowSpeed = 1.5;
constexpr double kStep = 3.0;      // Times the speed of a stance: a foot steps.
constexpr double kBridged = 0.04;  // [s]
constexpr double kRamp = 0.06;     // [s]

/// Steps of the measure that begin and end between frames, where its length is
/// no whole number of them: places lie on straight lines then, and a step is
/// slow enough though one of the frames beside it is not.
template <typename Mark>
void MarkBetweenFrames(const ClipTracks& tracks,
                       const std::vector<Vector3>& track, double max_speed,
                       double highest, const Mark& mark) {
  const double span = tracks.rate_hz / StanceRule().sample_rate_hz;  // Frames.
  if (std::abs(span - std::round(span)) < 1e-6) return;
  constexpr int kParts = 8;  // Of a frame, at which steps begin.
  const double longest = max_speed * span / tracks.rate_hz;
  const auto place = [&track](double at) -> Vector3 {
    const auto frame = static_cast<std::int64_t>(at);
    const double u = at - static_cast<double>(frame);
    if (u <= 0.0) return track[frame];
    return (1.0 - u) * track[frame] + u * track[frame + 1];
  };
  for (const Shot& shot : tracks.shots) {
    for (std::int64_t n = kParts * shot.begin;; ++n) {
      const double from = static_cast<double>(n) / kParts;
      const double to = from + span;
      if (to > static_cast<double>(shot.end - 1)) break;
      const Vector3 a = place(from);
      if (a.y() < highest && (place(to) - a).norm() < longest) {
        mark(n / kParts, static_cast<std::int64_t>(std::ceil(to)));
      }
    }
  }
}

/// Frames in which `point` stands.
std::vector<char> StandingFrames(const ClipTracks& tracks, int side,
                                 FootPoint point, bool at_any_height) {
  const StanceRule rule;
  std::vector<char> stands(static_cast<std::size_t>(tracks.num_frames), 0);
  const auto mark = [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = std::max<std::int64_t>(first, 0);
         i <= std::min(last, tracks.num_frames - 1); ++i) {
      stands[i] = 1;
    }
  };
  const std::vector<Vector3>& track =
      point == FootPoint::kToe ? tracks.feet[side].toe : tracks.feet[side].heel;
  const double scale = tracks.leg_length / figure::kReferenceLeg;
  // Every step of the measure's length, wherever it begins: where samples begin
  // must not matter.
  const auto whole = std::max<std::int64_t>(
      1, static_cast<std::int64_t>(
             std::ceil(tracks.rate_hz / rule.sample_rate_hz - 1e-6)));
  const double longest = kSurely * scale * rule.max_speed *
                         static_cast<double>(whole) / tracks.rate_hz;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double highest =
      at_any_height ? kInfinity
                    : tracks.floor + kStandHeight * scale * rule.max_height;
  for (const Shot& shot : tracks.shots) {
    for (std::int64_t i = shot.begin; i + whole < shot.end; ++i) {
      if (track[i].y() < highest &&
          (track[i + whole] - track[i]).norm() < longest) {
        mark(i, i + whole);
      }
    }
  }
  MarkBetweenFrames(tracks, track, kSurely * scale * rule.max_speed, highest,
                    mark);
  // Follow each stance to both sides.
  const double height =
      at_any_height ? kInfinity
                    : tracks.floor + kFollowHeight * scale * rule.max_height;
  const double step = kFollowSpeed * scale * rule.max_speed / tracks.rate_hz;
  for (const Shot& shot : tracks.shots) {
    for (std::int64_t i = shot.begin + 1; i < shot.end; ++i) {
      if (stands[i - 1] && track[i].y() < height &&
          (track[i] - track[i - 1]).norm() < step) {
        stands[i] = 1;
      }
    }
    for (std::int64_t i = shot.end - 1; i-- > shot.begin;) {
      if (stands[i + 1] && track[i].y() < height &&
          (track[i] - track[i + 1]).norm() < step) {
        stands[i] = 1;
      }
    }
  }
  return stands;
}

/// 1 on the toe, 0 on the heel alone; frames of the heel near the toe's go up
/// smoothly.
std::vector<double> WeightOfToe(const std::vector<char>& toe,
                                const FootPhase& phase, double rate_hz) {
  const auto n = phase.size();
  const auto ramp =
      static_cast<double>(std::max<std::int64_t>(1, FramesIn(kRamp, rate_hz)));
  std::vector<double> distance(n, 1e9);
  for (std::int64_t i = 0; i < n; ++i) {
    if (toe[phase.begin + i]) distance[i] = 0.0;
    if (i > 0) distance[i] = std::min(distance[i], distance[i - 1] + 1.0);
  }
  for (std::int64_t i = n - 1; i-- > 0;) {
    distance[i] = std::min(distance[i], distance[i + 1] + 1.0);
  }
  std::vector<double> weight(n);
  for (std::int64_t i = 0; i < n; ++i) {
    const double u = std::clamp(1.0 - distance[i] / ramp, 0.0, 1.0);
    weight[i] = u * u * (3.0 - 2.0 * u);
  }
  return weight;
}

/// Runs of frames in which toe or heel stands, short pauses bridged.
std::vector<FootPhase> PhasesOf(const ClipTracks& tracks,
                                const std::vector<char>& toe,
                                const std::vector<char>& heel) {
  const auto bridged = FramesIn(kBridged, tracks.rate_hz, Frames::kDown);
  std::vector<FootPhase> phases;
  for (const Shot& shot : tracks.shots) {
    const std::size_t first_of_shot = phases.size();
    for (std::int64_t i = shot.begin; i < shot.end; ++i) {
      if (!toe[i] && !heel[i]) continue;
      if (phases.size() > first_of_shot && i - phases.back().end <= bridged) {
        phases.back().end = i + 1;
      } else {
        phases.push_back({i, i + 1, {}});
      }
    }
  }
  for (FootPhase& phase : phases) {
    phase.on_toe = WeightOfToe(toe, phase, tracks.rate_hz);
  }
  return phases;
}

/// Whether the other foot steps while this one rests: then this one carries the
/// body, whatever it stands on.
bool CarriesBody(const ClipTracks& tracks, int side, const FootPhase& phase) {
  const StanceRule rule;
  const double scale = tracks.leg_length / figure::kReferenceLeg;
  const double step = kStep * scale * rule.max_speed / tracks.rate_hz;
  const std::vector<Vector3>& other = tracks.feet[1 - side].toe;
  for (std::int64_t i = phase.begin; i + 1 < phase.end; ++i) {
    if ((other[i + 1] - other[i]).norm() > step) return true;
  }
  return false;
}

}  // namespace

std::vector<FootPhase> FindFootPhases(const ClipTracks& tracks, int side) {
  std::vector<FootPhase> phases =
      PhasesOf(tracks, StandingFrames(tracks, side, FootPoint::kToe, false),
               StandingFrames(tracks, side, FootPoint::kHeel, false));
  const std::vector<FootPhase> anywhere =
      PhasesOf(tracks, StandingFrames(tracks, side, FootPoint::kToe, true),
               StandingFrames(tracks, side, FootPoint::kHeel, true));
  const std::size_t num_low = phases.size();
  for (const FootPhase& high : anywhere) {
    const bool overlaps = std::any_of(
        phases.begin(), phases.begin() + static_cast<std::ptrdiff_t>(num_low),
        [&](const FootPhase& low) {
          return low.begin <= high.end && high.begin <= low.end;
        });
    if (!overlaps && CarriesBody(tracks, side, high)) phases.push_back(high);
  }
  std::ranges::sort(phases, [](const FootPhase& a, const FootPhase& b) {
    return a.begin < b.begin;
  });
  return phases;
}

}  // namespace limber::mocap
