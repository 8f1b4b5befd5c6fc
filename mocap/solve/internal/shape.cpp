// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/internal/shape.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "mocap/solve/internal/cloud_fit.h"
#include "mocap/solve/internal/frame_equations.h"
#include "mocap/solve/internal/motion_refine.h"

namespace limber::mocap::internal {

namespace {

/// The least cloud.
constexpr std::size_t kLeastCloud = 20;
/// When the best body is believed. The misfit of a rough body with right names
/// is 5 to 15 mm.
constexpr double kSureRms = 0.025;  // [m]
constexpr double kSureShare = 0.85;
/// The share of the tracks that must be at places of the set that was found,
/// and the share of the set that must be there. On recordings known sets have
/// 0.92 and 0.84 at least; sets that nobody described reach 0.82 and 0.67 of
/// another one's places with a wrong body.
constexpr double kSureAtPlaces = 0.87;
constexpr double kSureOfSet = 0.75;
/// What leaving all tracks out would cost per sample: as much as samples that
/// are far from their places, ½c² of the robust loss.
constexpr double kLeftOutCost =
    0.5 * Weighting().robust_scale * Weighting().robust_scale;
/// Bodies that give this share of the tracks to other parts are different
/// ones, and the best must be this many times better than those.
constexpr double kSameBody = 0.15;
constexpr double kClearlyBetter = 1.25;
/// How many bodies are tried over few frames, and how many of these over all.
constexpr std::size_t kMostTrials = 8;
constexpr std::size_t kMostRefined = 3;
constexpr int kTrialFrames = 12;
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
  /// Of the drafts as they are, once their motion was followed.
  std::optional<RoughBody> body = std::nullopt;

  double share() const {
    return CountKnown(drafts) / std::max(1.0, double(drafts.size()));
  }
};

/// The drafts with the places that a body in one frame gives them.
Trial MakeTrial(const std::vector<Draft>& nameless, const CloudFit& fit,
                const MarkerSet& layout) {
  Trial trial{nameless, {}, layout.name};
  for (std::size_t m = 0; m < fit.tracks.size(); ++m) {
    const SetMarker& place = layout.markers[m];
    if (fit.tracks[m] < 0) {
      trial.expected.push_back(place);
      continue;
    }
    Draft& draft = trial.drafts[std::size_t(fit.tracks[m])];
    draft.is_known = true;
    draft.marker.segment = place.segment;
    draft.marker.at = place.at;
    draft.marker.spread = std::max(place.spread, kMotionSpread);
    draft.origin = {Evidence::kShape, 0.7,
                    "is where " + place.label + " would be", -1};
  }
  return trial;
}

void Rate(const std::optional<RoughBody>& body, Trial& trial) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  trial.rms = body ? body->rms : kNone;
  trial.cost = body ? body->cost + kLeftOutCost * (1 - trial.share()) : kNone;
}

/// Follows the motion; the body is made anew only where the drafts still
/// change.
void Follow(const Observations& tracks, double rate_hz, Trial& trial) {
  RefinedBody refined =
      RefineByMotion(trial.drafts, trial.expected, tracks, rate_hz);
  Rate(refined.body, trial);
  trial.body = refined.has_settled
                   ? std::move(refined.body)
                   : MakeRoughBody(trial.drafts, tracks, rate_hz);
}

/// Follows the motion; where the layout then is that of a set, its places are
/// finer, and its free ones are looked for.
void Refine(std::span<const MarkerSet> sets, const Observations& tracks,
            double rate_hz, Trial& trial) {
  Follow(tracks, rate_hz, trial);
  const MarkerSet* set = nullptr;
  if (trial.body && SnapToSet(sets, *trial.body, trial.drafts, set)) {
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
    Follow(tracks, rate_hz, trial);
  }
}

/// The best trials, refined, the best of them first. One that begins as a body
/// that was refined before would become that body.
std::vector<Trial> RefineBest(std::span<const MarkerSet> sets,
                              const Observations& tracks, double rate_hz,
                              std::vector<Trial>& trials) {
  std::ranges::sort(trials, {}, &Trial::cost);
  std::vector<Trial> refined;
  for (Trial& trial : trials) {
    if (refined.size() == kMostRefined) break;
    const bool is_known = std::ranges::any_of(refined, [&](const Trial& other) {
      return AreSameBody(trial.drafts, other.drafts);
    });
    if (is_known) continue;
    Refine(sets, tracks, rate_hz, trial);
    refined.push_back(std::move(trial));
  }
  std::ranges::sort(refined, {}, &Trial::cost);
  return refined;
}

/// Whether another body is nearly as good as the best.
bool IsDoubtful(const std::vector<Trial>& trials) {
  for (std::size_t k = 1; k < trials.size(); ++k) {
    if (!AreSameBody(trials.front().drafts, trials[k].drafts) &&
        trials[k].cost < kClearlyBetter * trials.front().cost) {
      return true;
    }
  }
  return false;
}

/// Whether the tracks are where the set of the trial has its markers. A body of
/// other proportions explains points as well, where shoulders are taken for a
/// head; that the places of a whole set are there by chance is not seen.
bool IsLaidOutAsItsSet(std::span<const MarkerSet> sets, const Trial& trial) {
  const auto set = std::ranges::find(sets, trial.layout, &MarkerSet::name);
  std::vector<Draft> snapped = trial.drafts;
  const MarkerSet* snapped_to = nullptr;
  if (set == sets.end() || !trial.body ||
      !SnapToSet(std::span(&*set, 1), *trial.body, snapped, snapped_to)) {
    return false;
  }
  const double placed = CountKnown(snapped);
  return placed >= kSureAtPlaces * double(snapped.size()) &&
         placed >= kSureOfSet * double(set->markers.size());
}

}  // namespace

bool AreSameBody(std::span<const Draft> a, std::span<const Draft> b) {
  int different = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    different += a[i].is_known && b[i].is_known &&
                 !AreNeighbours(a[i].marker.segment, b[i].marker.segment);
  }
  return different <= kSameBody * double(a.size());
}

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
  std::vector<Trial> trials;
  for (const CloudFit& fit : FitCloud(sets, tracks, kMostTrials)) {
    Trial trial = MakeTrial(nameless, fit, sets[fit.set]);
    if (!IsEnough(trial.drafts)) continue;
    Rate(MakeRoughBody(trial.drafts, few, take.rate_hz()), trial);
    trials.push_back(std::move(trial));
  }
  trials = RefineBest(sets, tracks, take.rate_hz(), trials);
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
  if (!IsLaidOutAsItsSet(sets, best)) {
    result.why =
        "the points are laid out like none of the known marker sets (" +
        best.layout + " is nearest)";
    return result;
  }
  result.is_found = true;
  result.drafts = std::move(best.drafts);
  result.layout = best.layout;
  return result;
}

}  // namespace limber::mocap::internal
