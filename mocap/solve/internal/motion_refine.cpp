// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/internal/motion_refine.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "mocap/solve/internal/frame_fit.h"

namespace limber::mocap::internal {

namespace {

/// A named marker stays where its label says unless it moves this far against
/// that segment [m] and this many times farther than against the other.
constexpr double kContradiction = 0.015;
constexpr double kTimesWorse = 2.0;
/// A track is at an expected place if it is within this many spreads of it.
constexpr double kNearPlace = 2.0;
/// A layout is that of a set if this share of the tracks is in its places, and
/// this share of the set is there.
constexpr double kSameLayout = 0.8;
constexpr double kLeastOfSet = 0.6;

/// One look at how the tracks move; whether anything changed.
class MotionRound {
 public:
  MotionRound(std::vector<Draft>& drafts,
              const std::vector<SetMarker>& expected,
              const MotionEvidence& seen, double scale)
      : drafts_(drafts), expected_(expected), seen_(seen), scale_(scale) {}

  bool Run() {
    bool any = PlaceExpected();
    for (std::size_t i = 0; i < drafts_.size(); ++i) {
      const int track = static_cast<int>(i);
      if (placed_[i]) continue;
      any |= drafts_[i].is_known ? Check(drafts_[i], track)
                                 : Place(drafts_[i], track);
    }
    return any;
  }

  /// Gives tracks without a name the expected places that nobody has, nearest
  /// first.
  bool PlaceExpected() {
    struct Pair {
      double distance;
      std::size_t draft;
      std::size_t expected;
    };
    std::vector<Pair> pairs;
    placed_.assign(drafts_.size(), 0);
    for (std::size_t i = 0; i < drafts_.size(); ++i) {
      const Draft& draft = drafts_[i];
      const bool is_free =
          !draft.is_known || (draft.origin.evidence == Evidence::kMotion &&
                              draft.origin.overruled < 0);
      if (!is_free) continue;
      const int track = static_cast<int>(i);
      double least = std::numeric_limits<double>::infinity();
      for (int j = 0; j < kNumSegments; ++j) {
        least = std::min(least, seen_.Fit(track, j).rms);
      }
      for (std::size_t k = 0; k < expected_.size(); ++k) {
        const SetMarker& place = expected_[k];
        const double distance = DistanceFrom(place, track, least);
        if (distance < kNearPlace) pairs.push_back({distance, i, k});
      }
    }
    std::ranges::sort(pairs, {}, &Pair::distance);
    bool any = false;
    std::vector<char> is_taken(expected_.size(), 0);
    for (const Pair& pair : pairs) {
      if (placed_[pair.draft] || is_taken[pair.expected]) continue;
      placed_[pair.draft] = 1;
      is_taken[pair.expected] = 1;
      Draft& draft = drafts_[pair.draft];
      const SetMarker& place = expected_[pair.expected];
      any |= !draft.is_known || draft.marker.segment != place.segment;
      draft.is_known = true;
      draft.marker.segment = place.segment;
      draft.marker.at = place.at;
      draft.marker.spread = std::max(place.spread, kMotionSpread);
      draft.origin = {Evidence::kMotion, 0.9,
                      "is where " + place.label + " would be", -1};
    }
    return any;
  }

 private:
  /// How far a track is from an expected place, in spreads, with what it moves
  /// against the segment; infinite if it moves much less with another, where
  /// its best misfit is `least`.
  double DistanceFrom(const SetMarker& place, int track, double least) const {
    const int j = place.segment;
    const double spread = std::max(place.spread, kMotionSpread);
    const RigidFit& fit = seen_.Fit(track, j);
    if (std::isfinite(fit.rms)) {
      const bool is_loose =
          fit.rms > std::max(kTimesWorse * least, least + kContradiction);
      if (is_loose) return std::numeric_limits<double>::infinity();
      return std::hypot((fit.p_JM / scale_ - place.at).norm() / spread,
                        0.5 * fit.rms / kContradiction);
    }
    // Nobody tells how the segment is turned: a hand or toes without another
    // marker. About where it is if it is not bent.
    const RigidFit& above = seen_.Fit(track, Body()[j].parent);
    if (!std::isfinite(above.rms)) return above.rms;
    const Vector3 straight = Body()[j].offset + place.at;
    return std::hypot(
        (above.p_JM / scale_ - straight).norm() / (spread + kMotionSpread),
        0.25 * above.rms / kContradiction);
  }

  /// Overrules a name that the motion contradicts.
  bool Check(Draft& draft, int track) {
    if (draft.origin.evidence == Evidence::kMotion) return Place(draft, track);
    const RigidFit& own = seen_.Fit(track, draft.marker.segment);
    const MotionEvidence::Choice choice = seen_.Choose(track);
    // Sets are known to be right more often than words.
    const double trust = draft.origin.evidence == Evidence::kSet ? 1.5 : 1.0;
    if (own.rms < trust * kContradiction) return false;
    if (choice.segment < 0 || choice.segment == draft.marker.segment ||
        own.rms < trust * kTimesWorse * choice.rms) {
      return false;
    }
    const int named = draft.marker.segment;
    Assign(draft, choice, track);
    draft.origin.overruled = named;
    draft.origin.why = "moves by " + Millimetres(own.rms) + " against " +
                       std::string(Body()[named].name) + ", by " +
                       Millimetres(choice.rms) + " against this";
    return true;
  }

  /// Gives a nameless track to a segment.
  bool Place(Draft& draft, int track) {
    const MotionEvidence::Choice choice = seen_.Choose(track);
    if (choice.segment < 0) {
      const bool was_known = draft.is_known;
      draft.is_known = false;
      return was_known;
    }
    // Of the words' readings one may be as good as the best.
    for (const LabelReading& reading : draft.readings) {
      const double rms = seen_.Fit(track, reading.segment).rms;
      if (rms > kContradiction && rms > kTimesWorse * choice.rms) continue;
      const bool is_new =
          !draft.is_known || draft.marker.segment != reading.segment;
      draft.is_known = true;
      draft.marker.segment = reading.segment;
      draft.marker.at = reading.at;
      draft.marker.spread = reading.spread;
      draft.origin = {Evidence::kWords, reading.confidence, reading.landmark,
                      -1};
      return is_new;
    }
    const bool is_new =
        !draft.is_known || draft.marker.segment != choice.segment;
    const int overruled = draft.origin.overruled;
    Assign(draft, choice, track);
    if (overruled != draft.marker.segment) draft.origin.overruled = overruled;
    return is_new;
  }

  void Assign(Draft& draft, const MotionEvidence::Choice& choice, int track) {
    const RigidFit& fit = seen_.Fit(track, choice.segment);
    draft.is_known = true;
    draft.marker.segment = choice.segment;
    draft.marker.at = fit.p_JM / scale_;
    draft.marker.spread = kMotionSpread;
    draft.origin = {Evidence::kMotion, choice.confidence,
                    "moves with it to " + Millimetres(choice.rms), -1};
  }

  std::vector<Draft>& drafts_;
  const std::vector<SetMarker>& expected_;
  const MotionEvidence& seen_;
  double scale_;
  std::vector<char> placed_;
};

}  // namespace

std::vector<SetMarker> ExpectedPlaces(std::span<const Draft> drafts,
                                      const RecognisedSet* recognised) {
  std::vector<SetMarker> expected;
  if (recognised != nullptr) {
    for (std::size_t i = 0; i < recognised->set->markers.size(); ++i) {
      if (recognised->match.columns[i] < 0) {
        expected.push_back(recognised->set->markers[i]);
      }
    }
    return expected;
  }
  for (const Draft& draft : drafts) {
    if (!draft.is_known || draft.origin.evidence != Evidence::kWords) continue;
    SetMarker mirrored = draft.marker;
    Mirror(mirrored);
    const bool has_sides = mirrored.segment != draft.marker.segment ||
                           std::abs(mirrored.at.x()) > kContradiction;
    const bool is_there =
        std::ranges::any_of(drafts, [&mirrored](const Draft& other) {
          return other.is_known && other.marker.segment == mirrored.segment &&
                 (other.marker.at - mirrored.at).norm() < kContradiction;
        });
    if (!has_sides || is_there) continue;
    mirrored.label = "the other " + draft.marker.label;
    expected.push_back(std::move(mirrored));
  }
  return expected;
}

std::optional<RoughBody> MakeRoughBody(std::span<const Draft> drafts,
                                       const Observations& tracks,
                                       double rate_hz) {
  CalibrationOptions rough;
  rough.max_candidates = 60;
  rough.max_frames = 20;
  rough.max_iterations = 10;
  rough.max_refits = 0;
  const PreparedTake known = KnownPart(drafts, tracks, rate_hz);
  const Result<Calibration> calibration = Calibrate(known, nullptr, "", rough);
  if (!calibration.ok()) return std::nullopt;
  const Actor& actor = calibration->actor;
  Weighting weighting;
  FrameFitter fitter;
  std::vector<BodyPose> poses;
  std::vector<std::int64_t> posed;
  double squares = 0.0;
  double cost = 0.0;
  double samples = 0.0;
  for (std::int64_t t = 0; t < tracks.num_frames(); ++t) {
    BodyPose pose;
    if (!FitFromScratch(actor, known.observed.frame(t), weighting, fitter,
                        pose)) {
      continue;
    }
    poses.push_back(pose);
    posed.push_back(t);
    const Misfit misfit =
        MeasureMisfit(actor, fitter.kinematics(), known.observed.frame(t));
    squares += misfit.count * misfit.mean_square;
    samples += misfit.count;
    cost += FrameCost(actor, fitter.kinematics(), pose, known.observed.frame(t),
                      weighting);
  }
  if (samples == 0.0) return std::nullopt;
  return RoughBody{actor, MotionEvidence(actor, poses, FramesOf(tracks, posed)),
                   std::sqrt(squares / samples), cost / samples};
}

RefinedBody RefineByMotion(std::vector<Draft>& drafts,
                           const std::vector<SetMarker>& expected,
                           const Observations& tracks, double rate_hz) {
  constexpr int kMostRounds = 4;
  RefinedBody refined;
  for (int round = 0; round < kMostRounds && !refined.has_settled; ++round) {
    std::optional<RoughBody> body = MakeRoughBody(drafts, tracks, rate_hz);
    if (!body) return refined;
    refined.body = std::move(body);
    MotionRound look(drafts, expected, refined.body->seen,
                     refined.body->actor.scale);
    refined.has_settled = !look.Run();
  }
  return refined;
}

bool SnapToSet(std::span<const MarkerSet> sets, const RoughBody& body,
               std::vector<Draft>& drafts, const MarkerSet*& snapped_to) {
  double best = 0.0;
  std::vector<Draft> snapped;
  for (const MarkerSet& set : sets) {
    // Every track is free, and every place of the set is to be had.
    std::vector<Draft> tried = drafts;
    for (Draft& draft : tried) draft.is_known = false;
    MotionRound look(tried, set.markers, body.seen, body.actor.scale);
    look.PlaceExpected();
    const double placed = CountKnown(tried);
    const double of_tracks = placed / double(tried.size());
    const double of_set = placed / double(set.markers.size());
    if (of_tracks < kSameLayout || of_set < kLeastOfSet ||
        of_tracks + of_set < best) {
      continue;
    }
    best = of_tracks + of_set;
    snapped_to = &set;
    snapped = std::move(tried);
  }
  if (snapped.empty()) return false;
  for (Draft& draft : snapped) draft.origin.evidence = Evidence::kShape;
  drafts = std::move(snapped);
  return true;
}

}  // namespace limber::mocap::internal
