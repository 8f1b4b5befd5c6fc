// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/dynamic/internal/edit_obey.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>

#include "core/angle.h"
#include "core/clip_time.h"
#include "figure/dynamic/strength.h"
#include "figure/pose_metrics.h"

namespace limber::figure::internal {

namespace {

/// Corrections come and go within this time on either side of where they are
/// needed [s]: about the time of a startle, too short to be seen as a pose.
constexpr double kEven = 0.12;

/// A joint may be so far beyond its limit without being corrected: rounding of
/// angles near the poles of a ball [rad].
constexpr double kSlack = Radians(0.1);

/// Steps in which a way back to the limits is looked for; a second search
/// between two of them makes it exact.
constexpr int kWays = 24;
constexpr int kHalvings = 12;

/// A floor is taken for no steeper than this, as the cosine of its slope: some
/// 84 degrees. On a wall the way straight up out of it would have no end.
constexpr double kSteepest = 0.1;

/// The largest of `values` within `half` on either side, in one pass.
std::vector<double> Widened(const std::vector<double>& values,
                            std::ptrdiff_t half) {
  const auto count = static_cast<std::ptrdiff_t>(values.size());
  const auto at = [&](std::ptrdiff_t i) {
    return values[static_cast<std::size_t>(i)];
  };
  std::vector<double> widened(values.size(), 0.0);
  // Indices of values that are larger than all that follow in the window.
  std::deque<std::ptrdiff_t> peaks;
  for (std::ptrdiff_t i = 0; i < count + half; ++i) {
    if (i < count) {
      while (!peaks.empty() && at(peaks.back()) <= at(i)) peaks.pop_back();
      peaks.push_back(i);
    }
    while (!peaks.empty() && peaks.front() < i - 2 * half) peaks.pop_front();
    if (i >= half && !peaks.empty()) {
      widened[static_cast<std::size_t>(i - half)] = at(peaks.front());
    }
  }
  return widened;
}

/// The mean within `half` on either side; the ends go on as they are.
std::vector<double> Averaged(const std::vector<double>& values,
                             std::ptrdiff_t half) {
  const auto count = static_cast<std::ptrdiff_t>(values.size());
  const auto at = [&](std::ptrdiff_t i) {
    return values[static_cast<std::size_t>(
        std::clamp<std::ptrdiff_t>(i, 0, count - 1))];
  };
  std::vector<double> averaged(values.size(), 0.0);
  double sum = 0.0;
  for (std::ptrdiff_t i = -half; i <= half; ++i) sum += at(i);
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    // Sums of numbers that are not negative may not fall below zero.
    averaged[static_cast<std::size_t>(i)] =
        std::max(0.0, sum / static_cast<double>(2 * half + 1));
    sum += at(i + half + 1) - at(i - half);
  }
  return averaged;
}

/// How many frames away the next fixed frame is on the near side.
std::vector<std::int64_t> FramesFromFixed(const std::vector<bool>& is_fixed,
                                          std::int64_t most) {
  const std::size_t count = is_fixed.size();
  std::vector<std::int64_t> distance(count, most);
  std::int64_t since = most;
  for (std::size_t i = 0; i < count; ++i) {
    since = is_fixed[i] ? 0 : std::min(most, since + 1);
    distance[i] = since;
  }
  since = most;
  for (std::size_t i = count; i-- > 0;) {
    since = is_fixed[i] ? 0 : std::min(most, since + 1);
    distance[i] = std::min(distance[i], since);
  }
  return distance;
}

/// Rotations from one to another, with how far each is beyond a limit.
struct WayBack {
  const Anchor& anchor;
  Quaternion from;
  Quaternion to;
  double allowed = 0.0;  ///< Beyond a limit [rad].

  Quaternion At(double u) const { return from.slerp(u, to).normalized(); }
  bool IsGood(double u) const {
    return LimitViolation(anchor, At(u)) <= allowed;
  }
  double LeastFrom(double u) const {
    return LeastGood(u, [this](double share) { return IsGood(share); });
  }
};

WayBack WayOf(const Anchor& anchor, const EditMoment& moment, std::size_t s) {
  WayBack way{anchor, moment.result[s].R, moment.bodies[s].R,
              LimitViolation(anchor, moment.clip[s].R) + kSlack};
  if (!way.IsGood(1.0)) {
    way.to = WithinLimits(anchor, moment.bodies[s].R, way.allowed - kSlack);
  }
  if (!way.IsGood(1.0)) way.to = moment.clip[s].R;
  return way;
}

std::vector<bool> FixedOf(const std::vector<EditMoment>& moments) {
  std::vector<bool> is_fixed;
  for (const EditMoment& moment : moments) is_fixed.push_back(moment.at_clip);
  return is_fixed;
}

std::int64_t HalfWindow(double rate_hz) {
  return std::max<std::int64_t>(1, FramesIn(kEven, rate_hz));
}

}  // namespace

double LeastGood(double from, const std::function<bool(double)>& is_good) {
  if (is_good(from)) return from;
  double bad = from;
  double good = 1.0;
  for (int i = 1; i <= kWays; ++i) {
    const double next = from + (1.0 - from) * i / kWays;
    if (is_good(next)) {
      good = next;
      break;
    }
    bad = next;
  }
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (bad + good);
    (is_good(middle) ? good : bad) = middle;
  }
  return good;
}

std::vector<double> EvenCover(const std::vector<double>& need,
                              const std::vector<bool>& is_fixed,
                              std::int64_t half) {
  // The mean over `half` of the largest within `half` is never below `need`;
  // two means of half the width are one that is smooth.
  const std::int64_t narrow = std::max<std::int64_t>(1, half / 2);
  std::vector<double> cover =
      Averaged(Averaged(Widened(need, 2 * narrow), narrow), narrow);
  const std::vector<std::int64_t> away = FramesFromFixed(is_fixed, 2 * half);
  for (std::size_t i = 0; i < cover.size(); ++i) {
    const double ramp =
        SmoothStep(static_cast<double>(away[i]) / static_cast<double>(half));
    cover[i] = std::max(need[i], ramp * cover[i]);
  }
  return cover;
}

void ObeyLimits(const ArticulatedFigure& figure, double rate_hz,
                std::vector<EditMoment>& moments) {
  const std::vector<bool> is_fixed = FixedOf(moments);
  std::vector<double> need(moments.size());
  for (int segment = 0; segment < figure.num_segments(); ++segment) {
    const Anchor& anchor = figure.segment(segment).anchor;
    if (figure.is_root(segment) || !anchor.has_limits()) continue;
    const auto s = static_cast<std::size_t>(segment);
    for (std::size_t i = 0; i < moments.size(); ++i) {
      need[i] = is_fixed[i] ? 0.0 : WayOf(anchor, moments[i], s).LeastFrom(0.0);
    }
    if (std::ranges::all_of(need, [](double u) { return u == 0.0; })) continue;
    const std::vector<double> cover =
        EvenCover(need, is_fixed, HalfWindow(rate_hz));
    for (std::size_t i = 0; i < moments.size(); ++i) {
      if (cover[i] == 0.0) continue;
      const WayBack way = WayOf(anchor, moments[i], s);
      // Sets of good rotations may have holes.
      moments[i].result[s].R = way.At(way.LeastFrom(std::min(1.0, cover[i])));
    }
  }
}

void StayAbove(const ArticulatedFigure& figure, double rate_hz,
               const std::vector<double>& heights,
               const std::vector<double>& allowed,
               std::vector<EditMoment>& moments) {
  std::vector<double> need(moments.size(), 0.0);
  for (std::size_t i = 0; i < moments.size(); ++i) {
    if (moments[i].at_clip) continue;
    // Raised straight up, a point leaves a sloping floor more slowly.
    const double up = (moments[i].X_WF.R * Vector3::UnitY()).y();
    need[i] = std::max(0.0, -heights[i] - allowed[i]) / std::max(up, kSteepest);
  }
  const std::vector<double> cover =
      EvenCover(need, FixedOf(moments), HalfWindow(rate_hz));
  for (std::size_t i = 0; i < moments.size(); ++i) {
    if (cover[i] == 0.0) continue;
    for (int s = 0; s < figure.num_segments(); ++s) {
      if (!figure.is_root(s)) continue;
      moments[i].result[static_cast<std::size_t>(s)].p.y() += cover[i];
    }
  }
}

}  // namespace limber::figure::internal
