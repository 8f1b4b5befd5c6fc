// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/tracker.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "mocap/solve/internal/frame_fit.h"

namespace limber::mocap {

namespace {

using internal::BlockWeights;
using internal::kNumBlocks;
using internal::Weighting;

/// A pose that misses its markers by this much is lost [m].
constexpr double kLost = 0.05;
/// Share of the speed that is kept into the next frame: unseen joints come to
/// rest within some frames.
constexpr double kKeptSpeed = 0.85;
/// Pull towards the expected pose [1/rad², 1/m²]: less than a thousandth of
/// what one marker says, so that it decides only where none does.
constexpr double kPull = 1.0;

}  // namespace

struct MarkerTracker::State {
  State(Actor the_actor, double rate, const TrackerOptions& the_options)
      : actor(std::move(the_actor)), rate_hz(rate), options(the_options) {
    const std::size_t count = actor.markers.size();
    frame.pose = BodyPose::Rest();
    frame.fates.assign(count, MarkerFate::kMissing);
    frame.used.assign(count, Unseen());
    frame.taken_from.assign(count, -1);
    places.resize(count);
    is_open.resize(count);
    speed.fill(Vector3::Zero());
    pull.fill(kPull);
    weighting.sigma_marker = options.sigma_marker;
    weighting.robust_scale = options.robust_scale;
  }

  void Solve(int most_iterations) {
    fitter.Fit(actor, frame.used, weighting, &expected, pull, most_iterations,
               options.step_tolerance, frame.pose);
    Measure();
  }

  void Measure() {
    const internal::Misfit misfit =
        internal::MeasureMisfit(actor, fitter.kinematics(), frame.used);
    frame.rms = std::sqrt(misfit.mean_square);
    frame.num_used = misfit.count;
    for (std::size_t m = 0; m < places.size(); ++m) {
      const ActorMarker& marker = actor.markers[m];
      places[m] = fitter.kinematics().p_WJ[marker.segment] +
                  fitter.kinematics().R_WJ[marker.segment] * marker.p_JM;
    }
  }

  /// How far marker `m` may be from its place without being looked into [m].
  double Reach(int m) const {
    return std::max(options.suspicious,
                    options.suspicious_scatter * actor.markers[m].scatter);
  }

  bool MarkSuspects(std::span<const Vector3> observed);
  void Reassign(std::span<const Vector3> observed,
                std::span<const Vector3> unlabelled);

  Actor actor;
  double rate_hz;
  TrackerOptions options;
  Weighting weighting;
  internal::FrameFitter fitter;
  Frame frame;
  BodyPose expected = BodyPose::Rest();
  BlockWeights pull;
  std::array<Vector3, kNumBlocks> speed;  ///< Per frame [m, rad].
  bool has_pose = false;
  std::vector<Vector3> places;  ///< p_WM of the present pose.
  std::vector<char> is_open;    ///< Markers whose point is in doubt.
  struct Pairing {
    double distance;
    int marker;
    int source;  ///< A marker, or num_markers + unlabelled index.
  };
  std::vector<Pairing> pairings;
  std::vector<int> free_points;
  std::vector<char> is_taken;
};

/// Opens the markers that are far from their places, and pairs that would fit
/// much better with their points exchanged.
bool MarkerTracker::State::MarkSuspects(std::span<const Vector3> observed) {
  bool any = false;
  const int count = static_cast<int>(places.size());
  // Below this an exchange cannot be told from ordinary scatter [m].
  constexpr double kNearEnough = 0.015;
  constexpr double kMuchBetter = 0.25;
  for (int m = 0; m < count; ++m) {
    is_open[m] = 0;
    if (!IsSeen(observed[m])) continue;
    if ((observed[m] - places[m]).norm() > Reach(m)) {
      is_open[m] = 1;
      any = true;
    }
  }
  for (int a = 0; a < count; ++a) {
    if (!IsSeen(observed[a])) continue;
    const double r_a = (observed[a] - places[a]).squaredNorm();
    if (r_a < kNearEnough * kNearEnough) continue;
    for (int b = 0; b < a; ++b) {
      if (!IsSeen(observed[b])) continue;
      const double r_b = (observed[b] - places[b]).squaredNorm();
      if (r_b < kNearEnough * kNearEnough) continue;
      const double crossed = (observed[a] - places[b]).squaredNorm() +
                             (observed[b] - places[a]).squaredNorm();
      if (crossed < kMuchBetter * (r_a + r_b)) {
        is_open[a] = is_open[b] = 1;
        any = true;
      }
    }
  }
  return any;
}

/// Gives open and missing markers the points that lie nearest to their places.
void MarkerTracker::State::Reassign(std::span<const Vector3> observed,
                                    std::span<const Vector3> unlabelled) {
  const int count = static_cast<int>(places.size());
  pairings.clear();
  is_taken.assign(std::size_t(count) + unlabelled.size(), 0);
  for (int m = 0; m < count; ++m) {
    const bool is_missing = !IsSeen(observed[m]);
    if (!is_open[m] && !is_missing) continue;
    for (int other = 0; other < count; ++other) {
      if (!is_open[other]) continue;
      // A marker's own point may be a little farther off than a stranger's.
      const double reach = other == m ? Reach(m) : options.match_radius;
      const double distance = (observed[other] - places[m]).norm();
      if (distance < reach) pairings.push_back({distance, m, other});
    }
    for (std::size_t k = 0; k < unlabelled.size(); ++k) {
      if (!IsSeen(unlabelled[k])) continue;
      const double distance = (unlabelled[k] - places[m]).norm();
      if (distance < options.match_radius) {
        pairings.push_back({distance, m, count + static_cast<int>(k)});
      }
    }
  }
  std::ranges::sort(pairings, {}, &Pairing::distance);
  for (int m = 0; m < count; ++m) {
    if (!is_open[m]) continue;
    frame.used[m] = Unseen();
    frame.fates[m] = MarkerFate::kRejected;
  }
  for (const Pairing& pairing : pairings) {
    const int m = pairing.marker;
    if (is_taken[pairing.source] || IsSeen(frame.used[m])) continue;
    is_taken[pairing.source] = 1;
    if (pairing.source < count) {
      frame.used[m] = observed[pairing.source];
      frame.fates[m] =
          pairing.source == m ? MarkerFate::kUsed : MarkerFate::kSwapped;
      frame.taken_from[m] = pairing.source == m ? -1 : pairing.source;
    } else {
      frame.used[m] = unlabelled[pairing.source - count];
      frame.fates[m] = MarkerFate::kAssigned;
      frame.taken_from[m] = pairing.source - count;
    }
  }
  // An exchange is believed only if it closes: who gives its point away must
  // get another, unless the taker was missing altogether.
  for (bool changed = true; changed;) {
    changed = false;
    for (int m = 0; m < count; ++m) {
      const int from = frame.taken_from[m];
      const bool is_exchange = frame.fates[m] == MarkerFate::kSwapped &&
                               IsSeen(observed[m]) && !IsSeen(frame.used[from]);
      if (!is_exchange) continue;
      frame.used[m] = Unseen();
      frame.fates[m] = MarkerFate::kRejected;
      frame.taken_from[m] = -1;
      changed = true;
    }
  }
}

MarkerTracker::MarkerTracker(Actor actor, double rate_hz,
                             const TrackerOptions& options) {
  if (!(rate_hz > 0) || std::isinf(rate_hz)) {
    throw std::invalid_argument("rate_hz must be positive and finite, is " +
                                std::to_string(rate_hz));
  }
  if (actor.markers.empty()) {
    throw std::invalid_argument("actor.markers must not be empty");
  }
  state_ = std::make_unique<State>(std::move(actor), rate_hz, options);
}

MarkerTracker::~MarkerTracker() = default;
MarkerTracker::MarkerTracker(MarkerTracker&&) noexcept = default;
MarkerTracker& MarkerTracker::operator=(MarkerTracker&&) noexcept = default;

const Actor& MarkerTracker::actor() const { return state_->actor; }

void MarkerTracker::Restart(const BodyPose& pose) {
  state_->frame.pose = pose;
  state_->speed.fill(Vector3::Zero());
  state_->has_pose = true;
}

const MarkerTracker::Frame& MarkerTracker::Push(
    std::span<const Vector3> observed, std::span<const Vector3> unlabelled) {
  State& s = *state_;
  if (observed.size() != s.places.size()) {
    throw std::invalid_argument(
        "observed must have " + std::to_string(s.places.size()) +
        " points, has " + std::to_string(observed.size()));
  }
  Frame& frame = s.frame;
  frame.restarted = false;
  bool any_missing = false;
  for (std::size_t m = 0; m < observed.size(); ++m) {
    const bool seen = IsSeen(observed[m]);
    frame.used[m] = seen ? observed[m] : Unseen();
    frame.fates[m] = seen ? MarkerFate::kUsed : MarkerFate::kMissing;
    frame.taken_from[m] = -1;
    any_missing = any_missing || !seen;
  }
  const BodyPose last = frame.pose;
  s.expected = frame.pose;
  if (s.has_pose) internal::Move(s.expected, s.speed);

  if (s.has_pose) {
    frame.pose = s.expected;
    s.Solve(8);
  }
  if (!s.has_pose || frame.rms > kLost) {
    // Lost, or never found: without history, if that is better.
    BodyPose fresh;
    const double rms_before = frame.rms;
    const BodyPose before = frame.pose;
    if (internal::FitFromScratch(s.actor, frame.used, s.weighting, s.fitter,
                                 fresh)) {
      frame.pose = fresh;
      s.Measure();
      frame.restarted = true;
      if (s.has_pose && frame.rms > rms_before) {
        frame.pose = before;
        frame.restarted = false;
        s.Solve(1);
      }
      s.has_pose = true;
    }
  }
  if (s.has_pose && s.options.clean_up) {
    const bool any_suspects = s.MarkSuspects(observed);
    if (any_suspects) {
      // The places without the doubtful points, then who fits where.
      for (std::size_t m = 0; m < observed.size(); ++m) {
        if (s.is_open[m]) frame.used[m] = Unseen();
      }
      s.Solve(6);
    }
    if (any_suspects || (any_missing && !unlabelled.empty())) {
      s.Reassign(observed, unlabelled);
      s.Solve(6);
    }
  }
  if (!s.has_pose) return frame;

  // Speed for the next frame; none after a jump.
  if (frame.restarted) {
    s.speed.fill(Vector3::Zero());
  } else {
    internal::Difference(last, frame.pose, s.speed);
    for (Vector3& step : s.speed) step *= kKeptSpeed;
  }
  return frame;
}

}  // namespace limber::mocap
