// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/internal/shape.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "mocap/solve/internal/cloud_fit.h"
#include "mocap/solve/internal/motion_refine.h"

namespace limber::mocap::internal {

namespace {

/// The least cloud.
constexpr std::size_t kLeastCloud = 20;
/// When the best body is believed. The misfit of a rough body with right names
/// is 5 to 15 mm.
constexpr double kSureRms = 0.025;  // [m]
constexpr double kSureShare = 0.85;
/// What leaving all tracks out would cost per sample.
constexpr double kLeftOutCost = 12.5;
/// Bodies that give this share of the tracks to other parts are different
/// ones, and the best must be this many times better than those.
constexpr double kSameBody = 0.15;
constexpr double kClearlyBetter = 1.25;
/// Places of a cloud's layout are those of no known set [m].
constexpr double kLayoutSpread = 0.04;
/// How many bodies are tried over few frames, and how many of these over all.
constexpr std::size_t kMostTrials = 8;
constexpr std::size_t kMostRefined = 3;
constexpr int kTrialFrames = 24;
constexpr int kRefineFrames = 48;

/// The same segment, or one joint apart: what an ankle's marker may be given to
/// in two readings of one body.
bool AreNeighbours(int a, int b) {
  return a == b || Body()[a].parent == b || Body()[b].parent == a;
}

struct Trial {
  std::vector<Draft> drafts;
  std::vector<SetMarker> expected;
  std::string layout;
  double rms = std::numeric_limits<double>::infinity();
  /// Priors count too: a body that bends its knees backwards is none.
  double cost = std::numeric_limits<double>::infinity();

  double share() const {
    return CountKnown(drafts) / std::max(1.0, double(drafts.size()));
  }
};

/// The drafts with the places that a body in one frame gives them.
Trial MakeTrial(const std::vector<Draft>& nameless, const CloudFit& fit,
                const MarkerSet& layout, bool is_set) {
  Trial trial{nameless, {}, layout.name};
  for (std::size_t m = 0; m < fit.tracks.size(); ++m) {
    const SetMarker& place = layout.markers[m];
    if (fit.tracks[m] < 0) {
      if (is_set) trial.expected.push_back(place);
      continue;
    }
    Draft& draft = trial.drafts[std::size_t(fit.tracks[m])];
    draft.is_known = true;
    draft.marker.segment = place.segment;
    draft.marker.at = place.at;
    draft.marker.spread = std::max(place.spread, kLayoutSpread);
    draft.origin = {Evidence::kShape, 0.7,
                    "is where " + place.label + " would be", -1};
  }
  return trial;
}

void Rate(const std::optional<RoughBody>& body, Trial& trial) {
  if (!body) return;
  trial.rms = body->rms;
  trial.cost = body->cost + kLeftOutCost * (1 - trial.share());
}

/// Follows the motion; where the layout then is that of a set, its places are
/// finer, and its free ones are looked for.
void Refine(std::span<const MarkerSet> sets, const Observations& tracks,
            double rate_hz, Trial& trial) {
  RoughFit fit = RefineByMotion(trial.drafts, trial.expected, tracks, rate_hz);
  const std::optional<RoughBody> body =
      MakeRoughBody(trial.drafts, tracks, rate_hz);
  const MarkerSet* set = nullptr;
  if (body && SnapToSet(sets, *body, trial.drafts, set)) {
    trial.layout = set->name;
    trial.expected.clear();
    for (const SetMarker& place : set->markers) {
      const bool is_taken =
          std::ranges::any_of(trial.drafts, [&place](const Draft& draft) {
            return draft.is_known && draft.marker.segment == place.segment &&
                   draft.marker.at == place.at;
          });
      if (!is_taken) trial.expected.push_back(place);
    }
    fit = RefineByMotion(trial.drafts, trial.expected, tracks, rate_hz);
  }
  trial.rms = fit.rms;
  trial.cost = fit.cost + kLeftOutCost * (1 - trial.share());
}

/// Whether another body is nearly as good as the best and not the same.
bool IsDoubtful(const std::vector<Trial>& trials) {
  const Trial& best = trials.front();
  for (std::size_t k = 1; k < trials.size(); ++k) {
    int different = 0;
    for (std::size_t i = 0; i < best.drafts.size(); ++i) {
      const Draft& a = best.drafts[i];
      const Draft& b = trials[k].drafts[i];
      different += a.is_known && b.is_known &&
                   !AreNeighbours(a.marker.segment, b.marker.segment);
    }
    if (different > kSameBody * double(best.drafts.size()) &&
        trials[k].cost < kClearlyBetter * best.cost) {
      return true;
    }
  }
  return false;
}

}  // namespace

ShapeResult IdentifyByShape(std::span<const MarkerSet> sets,
                            const MarkerTake& take,
                            const std::vector<NamedColumn>& columns) {
  ShapeResult result;
  const std::vector<Draft> nameless = NamelessDrafts(take, columns);
  if (nameless.size() < kLeastCloud) {
    result.why = "there are " + std::to_string(nameless.size()) +
                 " tracks; a body without names needs " +
                 std::to_string(kLeastCloud);
    return result;
  }
  const Observations all = TracksOf(take, nameless, Quaternion::Identity());
  const Observations tracks = FramesOf(all, SpreadFrames(all, kRefineFrames));
  const Observations few = FramesOf(all, SpreadFrames(all, kTrialFrames));
  std::vector<MarkerSet> layouts(sets.begin(), sets.end());
  layouts.push_back(EveryLandmark());
  std::vector<Trial> trials;
  for (const CloudFit& fit : FitCloud(layouts, tracks, kMostTrials)) {
    Trial trial =
        MakeTrial(nameless, fit, layouts[fit.set], fit.set < sets.size());
    if (!IsEnough(trial.drafts)) continue;
    Rate(MakeRoughBody(trial.drafts, few, take.rate_hz()), trial);
    trials.push_back(std::move(trial));
  }
  std::ranges::sort(trials, {}, &Trial::cost);
  if (trials.size() > kMostRefined) trials.resize(kMostRefined);
  for (Trial& trial : trials) {
    Refine(sets, tracks, take.rate_hz(), trial);
  }
  std::ranges::sort(trials, {}, &Trial::cost);
  if (trials.empty()) {
    result.why = "no body fits the points";
    return result;
  }
  Trial& best = trials.front();
  if (best.rms > kSureRms || best.share() < kSureShare) {
    result.why = "the best body misses the points by " + Millimetres(best.rms) +
                 " and explains " + Percent(best.share()) +
                 " of them; to be sure, less than " + Millimetres(kSureRms) +
                 " and more than " + Percent(kSureShare) + " are needed";
    return result;
  }
  if (IsDoubtful(trials)) {
    result.why = "two different bodies fit the points about as well";
    return result;
  }
  result.is_found = true;
  result.drafts = std::move(best.drafts);
  result.layout = best.layout;
  return result;
}

}  // namespace limber::mocap::internal
