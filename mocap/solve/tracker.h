// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "mocap/solve/actor.h"

namespace limber::mocap {

struct TrackerOptions {
  double sigma_marker = 0.005;  ///< Scatter of a marker about its place [m].
  /// Scale of the robust loss in sigmas: beyond it a marker loses its say.
  double robust_scale = 10.0;
  /// Look for exchanged, stray and unlabelled markers.
  bool clean_up = true;
  /// A marker this far from its place, and this many times its scatter in
  /// calibration, is looked into.
  double suspicious = 0.04;  ///< [m]
  double suspicious_scatter = 6.0;
  /// A point this near to a place may belong there [m].
  double match_radius = 0.025;
  /// A step shorter than this ends the work on a frame [rad].
  double step_tolerance = 1e-4;
};

/// What the tracker made of one marker in one frame.
enum class MarkerFate : std::uint8_t {
  kUsed,
  kMissing,   ///< Not seen; bridged by the body.
  kSwapped,   ///< Another marker's point was taken.
  kAssigned,  ///< An unlabelled point was taken.
  kRejected   ///< Seen, but too far from where the body has it.
};

/// Solves markers frame by frame, each from the frames before it only: for live
/// data. After the first frames nothing is allocated.
///
///     MarkerTracker tracker(actor, 120);
///     while (source.Next(points)) show(tracker.Push(points).pose);
class MarkerTracker {
 public:
  struct Frame {
    BodyPose pose;
    double rms = 0.0;  ///< Over the markers used [m].
    int num_used = 0;
    bool restarted = false;  ///< The pose was found without the frames before.
    /// Per marker of the actor: what became of it, and the point used (NaN if
    /// none).
    std::vector<MarkerFate> fates;
    std::vector<Vector3> used;
    /// kSwapped: whose point; kAssigned: which unlabelled one; else -1.
    std::vector<int> taken_from;
  };

  /// @param rate_hz  of the frames [Hz]; positive.
  /// @throws std::invalid_argument if the rate is not positive and finite or
  ///         the actor has no markers.
  MarkerTracker(Actor actor, double rate_hz,
                const TrackerOptions& options = {});
  ~MarkerTracker();
  MarkerTracker(MarkerTracker&&) noexcept;
  MarkerTracker& operator=(MarkerTracker&&) noexcept;

  /// @param observed    one point per marker of the actor, NaN where unseen.
  /// @param unlabelled  further points nobody named; NaN ones are ignored.
  /// The frame is valid until the next call. Without any marker so far the
  /// pose is the rest pose.
  /// @throws std::invalid_argument if `observed` has another size.
  const Frame& Push(std::span<const Vector3> observed,
                    std::span<const Vector3> unlabelled = {});

  /// Goes on from `pose` as if it had just been solved.
  void Restart(const BodyPose& pose);

  const Actor& actor() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace limber::mocap
