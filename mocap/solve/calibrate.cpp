// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/calibrate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <optional>
#include <utility>

#include "mocap/solve/internal/calibration_fit.h"
#include "mocap/solve/internal/first_actor.h"
#include "mocap/solve/internal/frame_fit.h"

namespace limber::mocap {

namespace {

using internal::CalibrationFit;
using internal::Weighting;

/// A frame that calibration may use.
struct Candidate {
  std::int64_t frame = 0;
  std::span<const Vector3> observed;
  BodyPose pose;
  int num_seen = 0;
};

/// The scatter to expect of markers that fit with an RMS of 1: skin moves with
/// the pose, so that the frames do not err independently of each other and a
/// small RMS is no proof of right places.
constexpr double kSigmaOfRms = 3.0;
/// No take is believed more than this [m].
constexpr double kFinest = 1e-3;

int CountSeen(std::span<const Vector3> observed) {
  return static_cast<int>(std::ranges::count_if(observed, IsSeen));
}

/// Frames spread over the take in which most markers are seen.
std::vector<Candidate> FindCandidates(const Observations& observed, int most) {
  int fullest = 0;
  for (std::int64_t frame = 0; frame < observed.num_frames(); ++frame) {
    fullest = std::max(fullest, CountSeen(observed.frame(frame)));
  }
  // Half full is enough where nothing better comes.
  for (const double share : {0.95, 0.85, 0.7, 0.5}) {
    std::vector<std::int64_t> good;
    for (std::int64_t frame = 0; frame < observed.num_frames(); ++frame) {
      if (CountSeen(observed.frame(frame)) >= share * fullest) {
        good.push_back(frame);
      }
    }
    const bool is_last = share == 0.5;
    const std::int64_t wanted = std::min<std::int64_t>(
        most, std::max<std::int64_t>(1, observed.num_frames() / 3));
    if (static_cast<std::int64_t>(good.size()) < wanted && !is_last) continue;
    std::vector<Candidate> candidates;
    const double step = std::max(1.0, double(good.size()) / most);
    for (double at = 0; at < double(good.size()); at += step) {
      const std::int64_t frame = good[static_cast<std::size_t>(at)];
      candidates.push_back({frame, observed.frame(frame), {}, 0});
    }
    return candidates;
  }
  return {};
}

/// How different two poses are [rad].
double Distance(const BodyPose& a, const BodyPose& b) {
  double sum = 0.0;
  for (int j = 1; j < kNumSegments; ++j) {
    const double angle = AngleBetween(a.R_PJ[j], b.R_PJ[j]);
    sum += angle * angle;
  }
  return std::sqrt(sum);
}

/// The most different candidates, each the farthest from those before it.
std::vector<std::size_t> ChooseDifferent(const std::vector<Candidate>& all,
                                         std::size_t wanted) {
  std::vector<std::size_t> chosen;
  if (all.empty()) return chosen;
  std::vector<double> distance(all.size(),
                               std::numeric_limits<double>::infinity());
  std::size_t next = all.size() / 2;
  while (chosen.size() < std::min(wanted, all.size())) {
    chosen.push_back(next);
    distance[next] = -1;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (distance[i] < 0) continue;
      distance[i] =
          std::min(distance[i], Distance(all[i].pose, all[next].pose));
    }
    next = static_cast<std::size_t>(std::ranges::max_element(distance) -
                                    distance.begin());
  }
  std::ranges::sort(chosen);
  return chosen;
}

/// The same points with further columns, in which nothing is seen.
Observations Widened(const Observations& observed, int num_markers) {
  if (observed.num_markers == num_markers) return observed;
  Observations wide;
  wide.num_markers = num_markers;
  wide.points.assign(std::size_t(observed.num_frames() * num_markers),
                     Unseen());
  for (std::int64_t t = 0; t < observed.num_frames(); ++t) {
    std::ranges::copy(observed.frame(t), wide.frame(t).begin());
  }
  return wide;
}

/// The points of `take` in columns for `markers`; markers that are not among
/// them are added at the end.
Observations InOrderOf(const PreparedTake& take,
                       std::vector<SetMarker>& markers) {
  std::vector<std::size_t> column;
  for (const SetMarker& marker : take.markers) {
    const auto found =
        std::ranges::find(markers, marker.label, &SetMarker::label);
    column.push_back(std::size_t(found - markers.begin()));
    if (found == markers.end()) markers.push_back(marker);
  }
  Observations ordered;
  ordered.num_markers = static_cast<int>(markers.size());
  ordered.points.assign(
      std::size_t(take.observed.num_frames()) * markers.size(), Unseen());
  for (std::int64_t t = 0; t < take.observed.num_frames(); ++t) {
    for (std::size_t m = 0; m < column.size(); ++m) {
      ordered.frame(t)[column[m]] = take.observed.frame(t)[m];
    }
  }
  return ordered;
}

/// Gives bones that no marker tells the size of those that were fitted. A body
/// all of whose large parts are seen stays as it is.
void ScaleUnseen(const std::vector<internal::Measure>& measures, Actor& actor) {
  constexpr std::array<Segment, 5> kLargeParts = {
      kChest, kLeftLowerLeg, kRightLowerLeg, kLeftForearm, kRightForearm};
  const bool is_whole = std::ranges::all_of(
      kLargeParts, [&actor](Segment j) { return actor.moves[j]; });
  std::array<bool, kNumSegments> is_fitted{};
  double fitted = 0.0;
  double expected = 0.0;
  constexpr double kLongBone = 0.2;  // [m]
  for (const internal::Measure& measure : measures) {
    for (const auto& [segment, direction] : measure.directions) {
      is_fitted[segment] = true;
    }
    if (measure.prior < kLongBone) continue;
    fitted += internal::ValueOf(measure, actor.p_PJ);
    expected += measure.prior;
  }
  if (is_whole || !(expected > 0.0)) return;
  const double factor = fitted / expected;
  for (int j = 0; j < kNumSegments; ++j) {
    if (!is_fitted[j]) actor.p_PJ[j] *= factor;
  }
  actor.scale *= factor;
}

std::string Metres(double value) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.2f m", value);
  return text.data();
}

}  // namespace

Result<Calibration> Calibrate(const PreparedTake& take,
                              const PreparedTake* standing,
                              const std::string& file,
                              const CalibrationOptions& options) {
  Diagnostics diagnostics(file);
  std::optional<internal::SimilarityFit> size =
      internal::FindSize(take.markers, take.observed);
  if (standing != nullptr) {
    const std::optional<internal::SimilarityFit> of_standing =
        internal::FindSize(standing->markers, standing->observed);
    const bool is_better =
        of_standing && (!size || of_standing->misfit < size->misfit);
    if (is_better) size = of_standing;
  }
  if (!size) {
    diagnostics.Error("not-a-body", {},
                      "no frame shows enough of trunk and legs at once to find "
                      "the size of the body");
    return Result<Calibration>(std::move(diagnostics));
  }
  // Children from about 0.7 m; above 2.6 m the unit is wrong.
  const double stature = size->scale * kReferenceHeight;
  if (stature < 0.6 || stature > 2.6) {
    diagnostics.Error("not-a-body", {},
                      "the markers would belong to a person of " +
                          Metres(stature) +
                          "; is the unit right (--unit), and the marker set?");
    return Result<Calibration>(std::move(diagnostics));
  }

  Calibration calibration;
  // The take's markers first, then those that only the standing pose has.
  std::vector<SetMarker> markers = take.markers;
  Observations statics;
  if (standing != nullptr) {
    statics = InOrderOf(*standing, markers);
  }
  const Observations moving_points =
      Widened(take.observed, static_cast<int>(markers.size()));
  Actor actor = internal::MakeFirstActor(markers, size->scale);
  Weighting weighting;
  weighting.sigma_marker = options.sigma_marker;
  weighting.robust_scale = 20;

  // Poses of the candidates with the set's own places.
  internal::FrameFitter fitter;
  std::vector<Candidate> candidates =
      FindCandidates(moving_points, options.max_candidates);
  std::vector<Candidate> posed;
  const auto pose_them = [&](std::vector<Candidate>& from) {
    for (Candidate& candidate : from) {
      if (internal::FitFromScratch(actor, candidate.observed, weighting, fitter,
                                   candidate.pose)) {
        posed.push_back(candidate);
      }
    }
  };
  pose_them(candidates);
  const std::vector<std::size_t> chosen =
      ChooseDifferent(posed, std::size_t(options.max_frames));
  const std::vector<Candidate> moving = posed;
  posed.clear();
  constexpr int kMostStatics = 10;
  std::vector<Candidate> still = FindCandidates(statics, kMostStatics);
  pose_them(still);

  std::vector<Vector3> places;
  std::vector<double> spreads;
  for (const SetMarker& marker : markers) {
    places.push_back(size->scale * marker.at);
    spreads.push_back(size->scale * marker.spread);
  }
  const std::vector<internal::Measure> measures =
      internal::BodyMeasures(actor, size->scale, options.symmetric);
  CalibrationFit fit(actor, measures, places, spreads);
  for (const std::size_t i : chosen) {
    fit.AddFrame(moving[i].observed, moving[i].pose);
    calibration.frames.push_back(moving[i].frame);
  }
  for (const Candidate& candidate : posed) {
    fit.AddFrame(candidate.observed, candidate.pose);
  }
  if (fit.poses().empty()) {
    diagnostics.Error("not-a-body", {},
                      "no frame shows at least 3 markers around the pelvis");
    return Result<Calibration>(std::move(diagnostics));
  }
  calibration.first_rms = fit.Rms();
  // The robust scale tightens as the fit improves.
  for (const double scale : {30.0, 10.0}) {
    weighting.robust_scale = scale;
    calibration.iterations += fit.Minimise(weighting, 6);
  }
  weighting.robust_scale = 5;
  int last = fit.Minimise(weighting, options.max_iterations);
  calibration.iterations += last;
  // Markers that fit better than expected are believed more than the priors.
  for (int round = 0; round < options.max_refits; ++round) {
    const double sigma =
        std::clamp(kSigmaOfRms * fit.Rms(), kFinest, options.sigma_marker);
    if (sigma > 0.8 * weighting.sigma_marker) break;
    weighting.sigma_marker = sigma;
    last = fit.Minimise(weighting, options.max_iterations);
    calibration.iterations += last;
  }
  calibration.converged = last < options.max_iterations;

  calibration.actor = fit.actor();
  ScaleUnseen(measures, calibration.actor);
  calibration.actor.height =
      EstimateHeight(calibration.actor.p_PJ, calibration.actor.scale);
  calibration.actor.mass = EstimateMass(calibration.actor.height);
  const std::vector<double> scatter = fit.Scatter();
  for (std::size_t m = 0; m < scatter.size(); ++m) {
    calibration.actor.markers[m].scatter = scatter[m];
  }
  calibration.actor.markers.resize(take.markers.size());
  calibration.actor.moves = MovingSegments(calibration.actor.markers);
  calibration.rms = fit.Rms();
  for (const internal::Measure& measure : measures) {
    calibration.measures.push_back(
        {measure.name, internal::ValueOf(measure, calibration.actor.p_PJ),
         measure.prior});
  }
  // A quarter of a hand's breadth: a person in a suit stays well below.
  constexpr double kPoor = 0.035;
  if (calibration.rms > kPoor) {
    diagnostics.Warning("poor-calibration", {},
                        "the calibrated body misses the markers by " +
                            std::to_string(int(1000 * calibration.rms + 0.5)) +
                            " mm on average: wrong marker set, wrong labels, "
                            "or a body that is not one rigid figure?");
  }
  return {std::move(calibration), std::move(diagnostics)};
}

}  // namespace limber::mocap
