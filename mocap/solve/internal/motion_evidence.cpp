// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/internal/motion_evidence.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "core/checkpoint.h"
#include "mocap/solve/internal/body_shape.h"
#include "mocap/solve/internal/first_actor.h"
#include "mocap/solve/internal/frame_fit.h"

namespace limber::mocap::internal {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
/// Segments whose misfits differ by no more than this factor, or by no more
/// than the scatter of skin, move alike as far as the take can tell.
constexpr double kAlike = 1.5;
constexpr double kSkin = 0.004;  // [m]
/// Farther from a bone than this many thicknesses nothing is on the body.
constexpr double kTooDeep = 3.5;
/// A marker that moves more than this against its segment is not on it [m].
constexpr double kLoose = 0.035;
/// The least number of frames that say anything about a motion.
constexpr std::size_t kFewFrames = 5;

RigidFit FitRigidly(std::vector<Vector3>& local) {
  RigidFit fit;
  fit.rms = kNever;
  if (local.size() < kFewFrames) return fit;
  // The mean of the nine tenths that are nearest to it, three times over.
  std::vector<double> squares(local.size());
  fit.p_JM =
      std::accumulate(local.begin(), local.end(), Vector3(Vector3::Zero())) /
      double(local.size());
  const std::size_t kept = std::max(kFewFrames, local.size() * 9 / 10);
  for (int round = 0; round < 3; ++round) {
    std::ranges::nth_element(
        local, local.begin() + std::ptrdiff_t(kept - 1), {},
        [&fit](const Vector3& p) { return (p - fit.p_JM).squaredNorm(); });
    fit.p_JM =
        std::accumulate(local.begin(), local.begin() + std::ptrdiff_t(kept),
                        Vector3(Vector3::Zero())) /
        double(kept);
  }
  double sum = 0.0;
  for (std::size_t i = 0; i < kept; ++i) {
    sum += (local[i] - fit.p_JM).squaredNorm();
  }
  fit.rms = std::sqrt(sum / double(kept));
  return fit;
}

}  // namespace

MotionEvidence::MotionEvidence(const Actor& actor,
                               std::span<const BodyPose> poses,
                               const Observations& tracks)
    : num_tracks_(tracks.num_markers), moves_(actor.moves) {
  fits_.resize(std::size_t(num_tracks_) * kNumSegments);
  std::vector<BodyKinematics> kinematics(poses.size());
  for (std::size_t t = 0; t < poses.size(); ++t) {
    kinematics[t].Update(actor.p_PJ, poses[t]);
  }
  std::vector<Vector3> local;
  for (int m = 0; m < num_tracks_; ++m) {
    for (int j = 0; j < kNumSegments; ++j) {
      if (!moves_[j]) {
        fits_[std::size_t(m) * kNumSegments + std::size_t(j)].rms = kNever;
        continue;
      }
      local.clear();
      for (std::size_t t = 0; t < poses.size(); ++t) {
        const Vector3& p = tracks.frame(std::int64_t(t))[m];
        if (!IsSeen(p)) continue;
        local.push_back(kinematics[t].R_WJ[j].transpose() *
                        (p - kinematics[t].p_WJ[j]));
      }
      RigidFit fit = FitRigidly(local);
      fit.depth = DepthOnBody(j, fit.p_JM / actor.scale);
      fits_[std::size_t(m) * kNumSegments + std::size_t(j)] = fit;
    }
  }
}

MotionEvidence::Choice MotionEvidence::Choose(int track) const {
  Choice choice;
  double least = kNever;
  for (int j = 0; j < kNumSegments; ++j) {
    const RigidFit& fit = Fit(track, j);
    if (fit.depth <= kTooDeep) least = std::min(least, fit.rms);
  }
  if (!(least < kLoose)) return choice;
  const double alike = std::max(kAlike * least, least + kSkin);
  double nearest = kNever;
  for (int j = 0; j < kNumSegments; ++j) {
    const RigidFit& fit = Fit(track, j);
    if (fit.rms > alike || fit.depth > kTooDeep) continue;
    // Misfit decides within the alike, too, but gently.
    const double rating = fit.depth * (0.5 + fit.rms / alike);
    if (rating < nearest) {
      nearest = rating;
      choice.segment = j;
      choice.rms = fit.rms;
    }
  }
  // How much worse the best other segment is, in misfit and in depth.
  double other = kNever;
  for (int j = 0; j < kNumSegments; ++j) {
    if (j == choice.segment || Fit(track, j).depth > kTooDeep) continue;
    const double worse = (Fit(track, j).rms + kSkin) / (choice.rms + kSkin);
    const double farther =
        (Fit(track, j).depth + 0.3) / (Fit(track, choice.segment).depth + 0.3);
    other = std::min(other, worse * std::max(1.0, farther));
  }
  choice.confidence =
      other < kNever ? 1 - 1 / std::max(1.0, other * other) : 0.95;
  return choice;
}

std::vector<std::vector<int>> FindRigidGroups(const Observations& tracks,
                                              std::span<const int> among) {
  // Props are stiff: their distances vary by less than skin does [m].
  constexpr double kStiff = 0.003;
  constexpr double kWide = 1.0;  // Farther apart is hardly one thing [m].
  std::vector<std::vector<int>> groups;
  const auto is_stiff = [&](int a, int b) {
    double sum = 0.0;
    double squares = 0.0;
    int count = 0;
    for (std::int64_t t = 0; t < tracks.num_frames(); ++t) {
      const Vector3& p = tracks.frame(t)[a];
      const Vector3& q = tracks.frame(t)[b];
      if (!IsSeen(p) || !IsSeen(q)) continue;
      const double d = (p - q).norm();
      sum += d;
      squares += d * d;
      ++count;
    }
    if (count < static_cast<int>(kFewFrames)) return false;
    const double mean = sum / count;
    return mean < kWide && squares / count - mean * mean < kStiff * kStiff;
  };
  for (const int track : among) {
    bool is_placed = false;
    for (std::vector<int>& group : groups) {
      if (std::ranges::all_of(
              group, [&](int other) { return is_stiff(track, other); })) {
        group.push_back(track);
        is_placed = true;
        break;
      }
    }
    if (!is_placed) groups.push_back({track});
  }
  std::erase_if(groups, [](const std::vector<int>& g) { return g.size() < 3; });
  return groups;
}

std::vector<std::int64_t> SpreadFrames(const Observations& tracks, int most) {
  const std::int64_t frames = tracks.num_frames();
  std::vector<int> seen(static_cast<std::size_t>(frames));
  int fullest = 0;
  for (std::int64_t t = 0; t < frames; ++t) {
    seen[std::size_t(t)] =
        static_cast<int>(std::ranges::count_if(tracks.frame(t), IsSeen));
    fullest = std::max(fullest, seen[std::size_t(t)]);
  }
  // Of each stretch of the take the fullest frame, if it is half full.
  std::vector<std::int64_t> chosen;
  const double stretch = std::max(1.0, double(frames) / most);
  for (double begin = 0; begin < double(frames); begin += stretch) {
    const auto first = static_cast<std::size_t>(begin);
    const auto last = std::min(static_cast<std::size_t>(frames),
                               static_cast<std::size_t>(begin + stretch));
    if (first >= last) continue;
    const auto best = std::max_element(seen.begin() + std::ptrdiff_t(first),
                                       seen.begin() + std::ptrdiff_t(last));
    if (2 * *best >= fullest) chosen.push_back(best - seen.begin());
  }
  return chosen;
}

double CostOfLabels(std::span<const SetMarker> markers,
                    const Observations& observed) {
  const std::optional<SimilarityFit> size = FindSize(markers, observed);
  if (!size) return kNever;
  const Actor actor = MakeFirstActor(markers, size->scale);
  Weighting weighting;
  weighting.sigma_marker = 0.02;  // The set's places are that good [m].
  weighting.robust_scale = 10;
  FrameFitter fitter;
  BodyPose pose;
  double cost = 0.0;
  for (std::int64_t t = 0; t < observed.num_frames(); ++t) {
    Checkpoint();
    if (!FitFromScratch(actor, observed.frame(t), weighting, fitter, pose)) {
      continue;
    }
    cost += FrameCost(actor, fitter.kinematics(), pose, observed.frame(t),
                      weighting);
  }
  return cost;
}

}  // namespace limber::mocap::internal
