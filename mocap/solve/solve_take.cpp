// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/solve_take.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "mocap/solve/internal/frame_fit.h"
#include "mocap/solve/internal/smoother.h"
#include "mocap/solve/unseen.h"

namespace limber::mocap {

namespace {

/// The frame to begin with, and its pose: one of a dozen that shows most
/// markers and fits best.
struct Beginning {
  std::int64_t frame = 0;
  BodyPose pose;
};
std::optional<Beginning> FindBeginning(const Actor& actor,
                                       const Observations& observed,
                                       const internal::Weighting& weighting) {
  constexpr std::int64_t kLooks = 12;
  internal::FrameFitter fitter;
  std::optional<Beginning> best;
  double best_rating = 0.0;
  const std::int64_t frames = observed.num_frames();
  const std::int64_t step = std::max<std::int64_t>(1, frames / kLooks);
  for (std::int64_t frame = step / 2; frame < frames; frame += step) {
    Beginning candidate{frame, {}};
    if (!internal::FitFromScratch(actor, observed.frame(frame), weighting,
                                  fitter, candidate.pose)) {
      continue;
    }
    const internal::Misfit misfit = internal::MeasureMisfit(
        actor, fitter.kinematics(), observed.frame(frame));
    // Markers seen, each counted by how well it fits (half at 2 cm).
    constexpr double kHalf = 0.02;
    const double rating =
        misfit.count * kHalf * kHalf / (kHalf * kHalf + misfit.mean_square);
    if (rating > best_rating) {
      best_rating = rating;
      best = candidate;
    }
  }
  return best;
}

/// Gathers what happened to each marker into runs of frames.
class RepairList {
 public:
  explicit RepairList(std::size_t num_markers) : open_(num_markers) {}

  void Add(std::int64_t frame, int marker, MarkerFate fate, int from) {
    Repair& run = open_[marker];
    const bool goes_on = run.num_frames > 0 && run.what == fate &&
                         run.from == from &&
                         run.first_frame + run.num_frames == frame;
    if (goes_on) {
      ++run.num_frames;
      return;
    }
    Close(marker);
    if (fate != MarkerFate::kUsed) run = {fate, marker, frame, 1, from};
  }

  std::vector<Repair> Take() {
    for (std::size_t m = 0; m < open_.size(); ++m) Close(static_cast<int>(m));
    std::ranges::sort(done_, [](const Repair& a, const Repair& b) {
      return a.first_frame != b.first_frame ? a.first_frame < b.first_frame
                                            : a.marker < b.marker;
    });
    return std::move(done_);
  }

 private:
  void Close(int marker) {
    if (open_[marker].num_frames > 0) done_.push_back(open_[marker]);
    open_[marker] = {};
  }

  std::vector<Repair> open_;
  std::vector<Repair> done_;
};

}  // namespace

std::string_view ToString(MarkerFate fate) {
  switch (fate) {
    case MarkerFate::kUsed:
      return "used";
    case MarkerFate::kMissing:
      return "gap bridged";
    case MarkerFate::kSwapped:
      return "swapped";
    case MarkerFate::kAssigned:
      return "unlabelled point taken";
    case MarkerFate::kRejected:
      return "rejected";
  }
  return "";
}

TakeSolution SolveTake(const PreparedTake& take, const MarkerTake* raw,
                       const Actor& actor, const SolveOptions& options) {
  const Observations& observed = take.observed;
  const std::int64_t frames = observed.num_frames();
  internal::Weighting weighting;
  weighting.sigma_marker = options.tracker.sigma_marker;
  weighting.robust_scale = options.tracker.robust_scale;

  TakeSolution solution;
  solution.poses.assign(std::size_t(frames), BodyPose::Rest());
  solution.used.num_markers = observed.num_markers;
  solution.used.points.resize(observed.points.size());
  struct FrameNote {
    std::int64_t frame;
    int marker;
    MarkerFate fate;
    int from;
  };
  std::vector<FrameNote> notes;

  const std::optional<Beginning> beginning =
      FindBeginning(actor, observed, weighting);
  const std::int64_t first = beginning ? beginning->frame : 0;
  const Matrix3 R_turned = take.R_turned.toRotationMatrix();
  std::vector<Vector3> unlabelled;
  std::int64_t num_done = 0;
  // The tracker takes most of the time without smoothing, half with it.
  const double share = options.smooth ? 0.5 : 1.0;
  TrackerOptions tracking = options.tracker;
  // Smoothing goes on from here, so the last digits can wait.
  if (options.smooth) {
    tracking.step_tolerance = std::max(tracking.step_tolerance, 1e-3);
  }
  MarkerTracker tracker(actor, take.rate_hz, tracking);
  const auto solve = [&](std::int64_t t) {
    unlabelled.clear();
    if (raw != nullptr) {
      for (const int column : take.unlabelled) {
        unlabelled.push_back(R_turned * raw->Position(t, column));
      }
    }
    const MarkerTracker::Frame& frame =
        tracker.Push(observed.frame(t), unlabelled);
    solution.poses[t] = frame.pose;
    std::ranges::copy(frame.used, solution.used.frame(t).begin());
    if (frame.restarted) ++solution.num_restarts;
    if (frame.num_used < 3) ++solution.num_empty;
    for (int m = 0; m < observed.num_markers; ++m) {
      if (frame.fates[m] != MarkerFate::kUsed) {
        notes.push_back({t, m, frame.fates[m], frame.taken_from[m]});
      }
    }
    ++num_done;
    if (options.progress && num_done % 256 == 0) {
      options.progress(share * double(num_done) / double(frames));
    }
  };
  // From the best frame to the end, and from it back to the start.
  if (beginning) tracker.Restart(beginning->pose);
  for (std::int64_t t = first; t < frames; ++t) solve(t);
  if (first > 0) {
    tracker.Restart(solution.poses[first]);
    for (std::int64_t t = first - 1; t >= 0; --t) solve(t);
  }

  std::ranges::sort(notes, {}, &FrameNote::frame);
  RepairList repairs{std::size_t(observed.num_markers)};
  for (const FrameNote& note : notes) {
    repairs.Add(note.frame, note.marker, note.fate, note.from);
  }
  solution.repairs = repairs.Take();

  if (options.smooth) {
    internal::BlockWeights weights;
    const double dt = 1 / take.rate_hz;
    weights.fill(1 / std::pow(options.turn_rate * dt, 2));
    weights[0] = 1 / std::pow(options.speed * dt, 2);
    const auto progress = [&](double done) {
      if (options.progress) options.progress(share + (1 - share) * done);
    };
    internal::SmoothTake(actor, solution.used, weighting, weights, progress,
                         solution.poses);
  }
  PoseUnseen(actor, solution.poses);
  return solution;
}

std::vector<Repair> FindRepairs(const Observations& seen,
                                const Observations& used) {
  RepairList repairs{std::size_t(seen.num_markers)};
  for (std::int64_t t = 0; t < seen.num_frames(); ++t) {
    for (int m = 0; m < seen.num_markers; ++m) {
      if (IsSeen(used.frame(t)[m])) continue;
      repairs.Add(t, m,
                  IsSeen(seen.frame(t)[m]) ? MarkerFate::kRejected
                                           : MarkerFate::kMissing,
                  -1);
    }
  }
  return repairs.Take();
}

figure::Motion ToMotion(const TakeSolution& solution, const Actor& actor,
                        double rate_hz) {
  figure::Motion motion(MakeSkeleton(actor.p_PJ, actor.scale), rate_hz);
  figure::Pose pose = figure::RestPose(motion.skeleton());
  for (const BodyPose& body : solution.poses) {
    ToFigurePose(actor.p_PJ, body, pose);
    motion.Append(pose);
  }
  return motion;
}

FitQuality MeasureFit(const Actor& actor, const std::vector<BodyPose>& poses,
                      const Observations& observed) {
  FitQuality quality;
  quality.per_marker.resize(actor.markers.size());
  quality.per_segment.resize(kNumSegments);
  BodyKinematics kinematics;
  double max_sum = 0.0;
  std::int64_t num_frames_seen = 0;
  const auto add = [](MarkerError& error, double distance) {
    error.rms += distance * distance;
    error.max = std::max(error.max, distance);
    ++error.count;
  };
  const auto finish = [](MarkerError& error) {
    error.rms =
        error.count > 0 ? std::sqrt(error.rms / double(error.count)) : 0;
  };
  for (std::size_t t = 0; t < poses.size(); ++t) {
    kinematics.Update(actor.p_PJ, poses[t]);
    MarkerError of_frame;
    const std::span<const Vector3> points = observed.frame(std::int64_t(t));
    for (std::size_t m = 0; m < actor.markers.size(); ++m) {
      if (!IsSeen(points[m])) continue;
      const ActorMarker& marker = actor.markers[m];
      const double distance =
          (kinematics.p_WJ[marker.segment] +
           kinematics.R_WJ[marker.segment] * marker.p_JM - points[m])
              .norm();
      add(quality.all, distance);
      add(quality.per_marker[m], distance);
      add(quality.per_segment[marker.segment], distance);
      add(of_frame, distance);
    }
    finish(of_frame);
    const double nothing = std::numeric_limits<double>::quiet_NaN();
    quality.frame_rms.push_back(of_frame.count > 0 ? of_frame.rms : nothing);
    quality.frame_max.push_back(of_frame.count > 0 ? of_frame.max : nothing);
    if (of_frame.count > 0) {
      max_sum += of_frame.max;
      ++num_frames_seen;
    }
  }
  finish(quality.all);
  for (MarkerError& error : quality.per_marker) finish(error);
  for (MarkerError& error : quality.per_segment) finish(error);
  if (num_frames_seen > 0) {
    quality.mean_of_frame_max = max_sum / double(num_frames_seen);
  }
  return quality;
}

}  // namespace limber::mocap
