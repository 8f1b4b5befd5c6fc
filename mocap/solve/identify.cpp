// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/identify.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "mocap/solve/calibrate.h"
#include "mocap/solve/internal/cloud_fit.h"
#include "mocap/solve/internal/frame_fit.h"
#include "mocap/solve/internal/motion_evidence.h"
#include "mocap/solve/landmarks.h"

namespace limber::mocap {

namespace {

/// The least body that can be solved, and how much of it must show where the
/// trunk is.
constexpr int kLeastMarkers = 8;
constexpr int kLeastCore = 3;
/// Three markers tell how a segment is turned; more are not missed.
constexpr int kEnough = 3;
/// A reading below this is not believed without motion.
constexpr double kLeastConfidence = 0.4;
/// A set of which this share is there leaves no markers to be looked for among
/// tracks with other names, which are then computed points, forces, toys.
constexpr double kCompleteSet = 0.9;
/// With this many times as many points as the set has markers, the others are
/// no markers.
constexpr double kMostBeside = 1.5;
/// Nameless tracks seen less than this are pieces: the tracker joins those.
constexpr double kLongTrack = 0.6;
/// Frames over which motion is compared, and on which left and right are told.
constexpr int kMotionFrames = 120;
constexpr int kSideFrames = 12;
/// The body with exchanged sides must fit this much better to be believed.
constexpr double kMuchBetter = 0.75;
/// A named marker stays where its label says unless it moves this far against
/// that segment [m] and this many times farther than against the other.
constexpr double kContradiction = 0.015;
constexpr double kTimesWorse = 2.0;
/// A track is at an expected place if it is within this many spreads of it.
constexpr double kNearPlace = 2.0;
/// Without names: the least cloud, tracks shorter than this share of the take
/// are left to the tracker, and when the best body is believed. The misfit of
/// a rough body with right names is 5 to 15 mm.
constexpr std::size_t kLeastCloud = 20;
constexpr double kShortTrack = 0.2;
constexpr double kSureRms = 0.025;  // [m]
constexpr double kSureShare = 0.85;
/// What leaving all tracks out would cost per sample.
constexpr double kLeftOutCost = 12.5;
/// Bodies that give this share of the tracks to other segments are different
/// ones, and the best must be this many times better than those.
constexpr double kSameBody = 0.15;
constexpr double kClearlyBetter = 1.25;
/// A place that motion found, in the axes of a roughly calibrated body [m].
constexpr double kMotionSpread = 0.04;

/// A column of the take on its way to a segment.
struct Draft {
  int column = 0;
  bool is_known = false;
  SetMarker marker;
  MarkerOrigin origin;
  std::vector<LabelReading> readings;
};

std::string Percent(double share) {
  return std::to_string(static_cast<int>(std::lround(100 * share))) + " %";
}

std::string Millimetres(double metres) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.0f mm", 1000 * metres);
  return text.data();
}

std::string List(const std::vector<std::string>& words, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(words.size(), most); ++i) {
    text += (i == 0 ? "" : ", ") + words[i];
  }
  if (words.size() > most) {
    text += " and " + std::to_string(words.size() - most) + " more";
  }
  return text;
}

/// What all labels begin with up to a separator ("Skeleton_", "S01.Trial_"),
/// counted in letters; one letter is a side.
std::size_t SharedBeginning(const std::vector<NamedColumn>& columns) {
  constexpr std::string_view kSeparators = "_.- ";
  std::string shared;
  bool is_first = true;
  int count = 0;
  for (const NamedColumn& column : columns) {
    if (IsUnlabelled(column.name)) continue;
    ++count;
    if (is_first) shared = column.name;
    is_first = false;
    std::size_t same = 0;
    while (same < std::min(shared.size(), column.name.size()) &&
           shared[same] == column.name[same]) {
      ++same;
    }
    shared.resize(same);
  }
  const std::size_t end = shared.find_last_of(kSeparators);
  const bool is_prefix = count > 3 && end != std::string::npos && end > 1;
  return is_prefix ? end + 1 : 0;
}

/// A word that several schools use for different places ("hip", "SH") is read
/// as the one whose segment has the fewest markers without it.
void ResolveAmbiguous(std::vector<Draft>& drafts) {
  std::array<int, kNumSegments> count{};
  const auto is_ambiguous = [](const Draft& draft) {
    return std::ranges::any_of(
        draft.readings, [&draft](const LabelReading& reading) {
          return reading.segment != draft.readings.front().segment;
        });
  };
  for (const Draft& draft : drafts) {
    if (draft.is_known && !is_ambiguous(draft)) ++count[draft.marker.segment];
  }
  for (Draft& draft : drafts) {
    if (draft.origin.evidence == Evidence::kSet || !is_ambiguous(draft)) {
      continue;
    }
    const auto best = std::ranges::min_element(
        draft.readings, {}, [&count](const LabelReading& reading) {
          return std::min(kEnough, count[reading.segment]);
        });
    draft.is_known = true;
    draft.marker.segment = best->segment;
    draft.marker.at = best->at;
    draft.marker.spread = best->spread;
    draft.origin.confidence = best->confidence;
    draft.origin.why = best->landmark;
  }
}

/// Places as the set has them where the labels are those of one, and as the
/// words say elsewhere.
std::vector<Draft> ReadLabels(const MarkerTake& take,
                              const std::vector<NamedColumn>& columns,
                              const RecognisedSet* recognised) {
  const std::size_t beginning = SharedBeginning(columns);
  std::map<int, const SetMarker*> of_set;
  if (recognised != nullptr) {
    for (std::size_t i = 0; i < recognised->set->markers.size(); ++i) {
      const int column = recognised->match.columns[i];
      if (column >= 0) of_set[column] = &recognised->set->markers[i];
    }
  }
  const std::vector<std::int64_t> missing = take.MissingPerMarker();
  const std::vector<bool> computed = FindComputedPoints(take.labels());
  const bool is_complete =
      recognised != nullptr && recognised->match.score >= kCompleteSet;
  // Some more markers beside a complete set are welcome; hundreds are not
  // markers but what a program computed from them.
  const bool has_outputs =
      is_complete && double(columns.size()) >
                         kMostBeside * double(recognised->set->markers.size());
  std::vector<Draft> drafts;
  for (const NamedColumn& named : columns) {
    const int column = named.column;
    if (missing[column] == take.num_frames()) continue;
    Draft draft;
    draft.column = column;
    draft.marker.label = named.name;
    const auto found = of_set.find(column);
    if (found != of_set.end()) {
      draft.marker = *found->second;
      draft.is_known = true;
      draft.origin = {Evidence::kSet, 0.98, recognised->set->name, -1};
      drafts.push_back(std::move(draft));
      continue;
    }
    if (computed[std::size_t(column)] || has_outputs) continue;
    const bool is_nameless = IsUnlabelled(take.labels()[column]);
    if (!is_nameless) {
      draft.readings = ReadLabel(named.name.substr(beginning));
    }
    if (draft.readings.empty()) {
      const double seen =
          1 - double(missing[column]) / double(take.num_frames());
      // Pieces, and whatever lies beside a complete set, are not markers.
      if (is_complete || (is_nameless && seen < kLongTrack)) continue;
      draft.origin.why = "the label names no part of the body";
      drafts.push_back(std::move(draft));
      continue;
    }
    const LabelReading& reading = draft.readings.front();
    draft.marker.segment = reading.segment;
    draft.marker.at = reading.at;
    draft.marker.spread = reading.spread;
    draft.is_known = reading.confidence >= kLeastConfidence;
    draft.origin = {Evidence::kWords, reading.confidence, reading.landmark, -1};
    drafts.push_back(std::move(draft));
  }
  ResolveAmbiguous(drafts);
  // Equal labels that are different markers: lateral and medial, or upper and
  // lower. Neither is where the word has its place.
  std::map<std::string, int> count;
  const auto stem = [](const Draft& draft) {
    return PlainLabel(
        draft.marker.label.substr(0, draft.marker.label.find('#')));
  };
  for (const Draft& draft : drafts) ++count[stem(draft)];
  for (Draft& draft : drafts) {
    constexpr double kOneOfTwo = 0.07;  // [m]
    if (draft.origin.evidence == Evidence::kWords && count[stem(draft)] > 1) {
      draft.marker.spread = std::max(draft.marker.spread, kOneOfTwo);
    }
  }
  return drafts;
}

bool IsCore(int segment) {
  return segment == kPelvis || segment == kSpine || segment == kChest ||
         segment == kLeftUpperLeg || segment == kRightUpperLeg;
}

int CountKnown(const std::vector<Draft>& drafts, bool core_only) {
  return static_cast<int>(
      std::ranges::count_if(drafts, [core_only](const Draft& draft) {
        return draft.is_known && (!core_only || IsCore(draft.marker.segment));
      }));
}

void Mirror(SetMarker& marker) {
  marker.segment = Body()[marker.segment].mirror;
  marker.at.x() = -marker.at.x();
}

/// The tracks of all drafts in some frames, standing along +Y.
Observations TracksOf(const MarkerTake& take, const std::vector<Draft>& drafts,
                      const Quaternion& R_turned) {
  const Matrix3 R = R_turned.toRotationMatrix();
  Observations all;
  all.num_markers = static_cast<int>(drafts.size());
  // Many more frames than are compared, so that the fullest can be chosen.
  constexpr std::int64_t kMostRead = 10 * kMotionFrames;
  const std::int64_t step =
      std::max<std::int64_t>(1, take.num_frames() / kMostRead);
  for (std::int64_t t = 0; t < take.num_frames(); t += step) {
    for (const Draft& draft : drafts) {
      all.points.push_back(R * take.Position(t, draft.column));
    }
  }
  return all;
}

Observations FramesOf(const Observations& all,
                      std::span<const std::int64_t> frames) {
  Observations some;
  some.num_markers = all.num_markers;
  for (const std::int64_t t : frames) {
    some.points.insert(some.points.end(), all.frame(t).begin(),
                       all.frame(t).end());
  }
  return some;
}

/// The known markers as something that can be calibrated.
PreparedTake KnownPart(const std::vector<Draft>& drafts,
                       const Observations& tracks, double rate_hz) {
  PreparedTake known;
  known.rate_hz = rate_hz;
  std::vector<std::size_t> index;
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    if (!drafts[i].is_known) continue;
    index.push_back(i);
    known.markers.push_back(drafts[i].marker);
    known.columns.push_back(drafts[i].column);
  }
  known.observed.num_markers = static_cast<int>(index.size());
  for (std::int64_t t = 0; t < tracks.num_frames(); ++t) {
    for (const std::size_t i : index) {
      known.observed.points.push_back(tracks.frame(t)[i]);
    }
  }
  return known;
}

/// Which hypothesis about the sides fits, when the body is laid into some
/// frames.
bool AreSidesExchanged(const std::vector<Draft>& drafts,
                       const Observations& tracks) {
  const PreparedTake known = KnownPart(drafts, tracks, 1.0);
  std::vector<SetMarker> mirrored = known.markers;
  for (SetMarker& marker : mirrored) Mirror(marker);
  const std::vector<std::int64_t> frames =
      internal::SpreadFrames(known.observed, kSideFrames);
  const double told =
      internal::CostOfLabels(known.markers, known.observed, frames);
  const double exchanged =
      internal::CostOfLabels(mirrored, known.observed, frames);
  return exchanged < kMuchBetter * told;
}

/// One look at how the tracks move; whether anything changed.
class MotionRound {
 public:
  MotionRound(std::vector<Draft>& drafts,
              const std::vector<SetMarker>& expected,
              const internal::MotionEvidence& seen, double scale)
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

 private:
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

  /// How far a track is from an expected place, in spreads, with what it moves
  /// against the segment; infinite if it moves much less with another, where
  /// its best misfit is `least`.
  double DistanceFrom(const SetMarker& place, int track, double least) const {
    const int j = place.segment;
    const double spread = std::max(place.spread, kMotionSpread);
    const internal::RigidFit& fit = seen_.Fit(track, j);
    if (std::isfinite(fit.rms)) {
      const bool is_loose =
          fit.rms > std::max(kTimesWorse * least, least + kContradiction);
      if (is_loose) return std::numeric_limits<double>::infinity();
      return std::hypot((fit.p_JM / scale_ - place.at).norm() / spread,
                        0.5 * fit.rms / kContradiction);
    }
    // Nobody tells how the segment is turned: a hand or toes without another
    // marker. About where it is if it is not bent.
    const internal::RigidFit& above = seen_.Fit(track, Body()[j].parent);
    if (!std::isfinite(above.rms)) return above.rms;
    const Vector3 straight = Body()[j].offset + place.at;
    return std::hypot(
        (above.p_JM / scale_ - straight).norm() / (spread + kMotionSpread),
        0.25 * above.rms / kContradiction);
  }

  /// Overrules a name that the motion contradicts.
  bool Check(Draft& draft, int track) {
    if (draft.origin.evidence == Evidence::kMotion) return Place(draft, track);
    const internal::RigidFit& own = seen_.Fit(track, draft.marker.segment);
    const internal::MotionEvidence::Choice choice = seen_.Choose(track);
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
    const internal::MotionEvidence::Choice choice = seen_.Choose(track);
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

  void Assign(Draft& draft, const internal::MotionEvidence::Choice& choice,
              int track) {
    const internal::RigidFit& fit = seen_.Fit(track, choice.segment);
    draft.is_known = true;
    draft.marker.segment = choice.segment;
    draft.marker.at = fit.p_JM / scale_;
    draft.marker.spread = kMotionSpread;
    draft.origin = {Evidence::kMotion, choice.confidence,
                    "moves with it to " + Millimetres(choice.rms), -1};
  }

  std::vector<Draft>& drafts_;
  const std::vector<SetMarker>& expected_;
  const internal::MotionEvidence& seen_;
  double scale_;
  std::vector<char> placed_;
};

/// Where markers are expected that no label names: the rest of the set, and
/// the other side of what is named on one side only.
std::vector<SetMarker> ExpectedPlaces(const std::vector<Draft>& drafts,
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

/// How well the last rough body fits.
struct RoughFit {
  double rms = std::numeric_limits<double>::infinity();   ///< [m]
  double cost = std::numeric_limits<double>::infinity();  ///< Per sample.
};

/// Compares all tracks with the segments of a roughly calibrated body.
RoughFit RefineByMotion(std::vector<Draft>& drafts,
                        const std::vector<SetMarker>& expected,
                        const Observations& tracks, double rate_hz,
                        const std::string& file) {
  CalibrationOptions rough;
  rough.max_candidates = 60;
  rough.max_frames = 20;
  rough.max_iterations = 10;
  constexpr int kMostRounds = 4;
  RoughFit rough_fit;
  for (int round = 0; round < kMostRounds; ++round) {
    const PreparedTake known = KnownPart(drafts, tracks, rate_hz);
    const Result<Calibration> calibration =
        Calibrate(known, nullptr, file, rough);
    if (!calibration.ok()) return rough_fit;
    const Actor& actor = calibration->actor;
    internal::Weighting weighting;
    internal::FrameFitter fitter;
    std::vector<BodyPose> poses;
    std::vector<std::int64_t> posed;
    double squares = 0.0;
    double cost = 0.0;
    double samples = 0.0;
    for (std::int64_t t = 0; t < tracks.num_frames(); ++t) {
      BodyPose pose;
      if (!internal::FitFromScratch(actor, known.observed.frame(t), weighting,
                                    fitter, pose)) {
        continue;
      }
      poses.push_back(pose);
      posed.push_back(t);
      const internal::Misfit misfit = internal::MeasureMisfit(
          actor, fitter.kinematics(), known.observed.frame(t));
      squares += misfit.count * misfit.mean_square;
      samples += misfit.count;
      cost += internal::FrameCost(actor, fitter.kinematics(), pose,
                                  known.observed.frame(t), weighting);
    }
    if (samples > 0) {
      rough_fit = {std::sqrt(squares / samples), cost / samples};
    }
    const internal::MotionEvidence seen(actor, poses, FramesOf(tracks, posed));
    if (!MotionRound(drafts, expected, seen, actor.scale).Run()) break;
  }
  return rough_fit;
}

/// Tracks that went to no segment, with the things they may be.
std::vector<LeftOutTrack> LeftOut(const std::vector<Draft>& drafts,
                                  const Observations& tracks) {
  std::vector<int> unknown;
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    if (!drafts[i].is_known) unknown.push_back(static_cast<int>(i));
  }
  std::map<int, std::string> why;
  int number = 0;
  for (const std::vector<int>& group :
       internal::FindRigidGroups(tracks, unknown)) {
    ++number;
    for (const int i : group) {
      std::vector<std::string> others;
      for (const int k : group) {
        if (k != i) others.push_back(drafts[k].marker.label);
      }
      why[i] = "prop " + std::to_string(number) + ": moves rigidly with " +
               List(others, 4) + " and with no part of the body";
    }
  }
  std::vector<LeftOutTrack> left_out;
  for (const int i : unknown) {
    const auto found = why.find(i);
    left_out.push_back({drafts[i].marker.label, drafts[i].column,
                        found != why.end() ? found->second
                                           : "moves with no part of the body"});
  }
  return left_out;
}

Identification Assemble(const std::vector<Draft>& drafts,
                        const RecognisedSet* recognised,
                        const std::string& subject) {
  Identification made;
  made.set.name = recognised != nullptr ? recognised->set->name : "own labels";
  made.set.description = "as identified in the take";
  made.match.subject = subject;
  for (const Draft& draft : drafts) {
    if (!draft.is_known) continue;
    made.set.markers.push_back(draft.marker);
    made.match.columns.push_back(draft.column);
    made.origins.push_back(draft.origin);
  }
  made.match.num_matched = static_cast<int>(made.match.columns.size());
  made.match.score = 1.0;
  return made;
}

void Tell(const Identification& made, const std::vector<Draft>& drafts,
          Diagnostics& diagnostics) {
  std::vector<std::string> placed;
  for (const Draft& draft : drafts) {
    if (!draft.is_known || draft.origin.evidence != Evidence::kMotion) continue;
    const std::string segment(Body()[draft.marker.segment].name);
    if (draft.origin.overruled < 0) {
      placed.push_back(draft.marker.label + " on " + segment);
      continue;
    }
    diagnostics.Warning("label-overruled", {},
                        "marker " + draft.marker.label + " is called " +
                            std::string(Body()[draft.origin.overruled].name) +
                            " but moves with " + segment +
                            ", and was put there");
  }
  if (!placed.empty()) {
    diagnostics.Warning("tracks-by-motion", {},
                        "labels that name no part of the body were placed by "
                        "their motion: " +
                            List(placed, 8));
  }
  std::vector<std::string> props;
  std::vector<std::string> others;
  for (const LeftOutTrack& track : made.left_out) {
    (track.why.starts_with("prop") ? props : others).push_back(track.label);
  }
  if (!props.empty()) {
    diagnostics.Warning(
        "props", {},
        "left out as props, rigid and on no body: " + List(props, 12));
  }
  if (!others.empty()) {
    diagnostics.Warning(
        "left-out", {},
        "left out, they move with no part of the body: " + List(others, 12));
  }
}

/// What a take lacks to be a body.
std::string WhatIsMissing(const std::vector<Draft>& drafts) {
  std::vector<std::string> unread;
  for (const Draft& draft : drafts) {
    if (draft.readings.empty() && draft.origin.evidence != Evidence::kSet) {
      unread.push_back(draft.marker.label);
    }
  }
  return "the labels fit no known marker set and name too little of a body: " +
         std::to_string(CountKnown(drafts, false)) + " of " +
         std::to_string(drafts.size()) +
         " tracks are markers by their names, " +
         std::to_string(CountKnown(drafts, true)) +
         " of them on pelvis, trunk or thighs; needed are " +
         std::to_string(kLeastMarkers) + " with " + std::to_string(kLeastCore) +
         " there." +
         (unread.empty()
              ? ""
              : " Labels that say nothing: " + List(unread, 8) + ".") +
         " Describe the set with --marker-set FILE; `limber marker-set --from` "
         "writes a first version";
}

/// A cloud of tracks that nobody named, identified by the body that fits it.
struct ShapeResult {
  bool is_found = false;
  std::vector<Draft> drafts;
  std::string layout;  ///< Name of the set with the same layout.
  std::string why;     ///< Why not.
};

/// All tracks that are seen long enough, without what their labels say.
std::vector<Draft> NamelessDrafts(const MarkerTake& take,
                                  const std::vector<NamedColumn>& columns) {
  const std::vector<std::int64_t> missing = take.MissingPerMarker();
  const std::vector<bool> computed = FindComputedPoints(take.labels());
  std::vector<Draft> drafts;
  std::set<std::string> names;
  for (const NamedColumn& named : columns) {
    const double seen =
        1 - double(missing[named.column]) / double(take.num_frames());
    if (computed[std::size_t(named.column)] || seen < kShortTrack) continue;
    Draft draft;
    draft.column = named.column;
    draft.marker.label = named.name;
    if (named.name.empty() || !names.insert(named.name).second) {
      draft.marker.label = "track " + std::to_string(named.column + 1);
    }
    drafts.push_back(std::move(draft));
  }
  return drafts;
}

/// The same segment, or one joint apart: what an ankle's marker may be given to
/// in two readings of one body.
bool AreNeighbours(int a, int b) {
  return a == b || Body()[a].parent == b || Body()[b].parent == a;
}

/// Lays bodies into the cloud, takes the few best over the whole take, and
/// keeps the one that moves best with the tracks.
ShapeResult IdentifyByShape(std::span<const MarkerSet> sets,
                            const MarkerTake& take,
                            const std::vector<NamedColumn>& columns,
                            const std::string& file) {
  ShapeResult result;
  const std::vector<Draft> nameless = NamelessDrafts(take, columns);
  const auto count = static_cast<double>(nameless.size());
  if (nameless.size() < kLeastCloud) {
    result.why = "there are " + std::to_string(nameless.size()) +
                 " tracks; a body without names needs " +
                 std::to_string(kLeastCloud);
    return result;
  }
  const Observations all = TracksOf(take, nameless, Quaternion::Identity());
  const Observations tracks =
      FramesOf(all, internal::SpreadFrames(all, kMotionFrames));
  std::vector<MarkerSet> layouts(sets.begin(), sets.end());
  layouts.push_back(internal::EveryLandmark());
  struct Trial {
    std::vector<Draft> drafts;
    std::string layout;
    double rms = 0.0;
    double cost = 0.0;
    double share = 0.0;
  };
  std::vector<Trial> trials;
  constexpr std::size_t kMostTrials = 4;
  for (const internal::CloudFit& fit :
       internal::FitCloud(layouts, tracks, kMostTrials)) {
    Trial trial{nameless, layouts[fit.set].name, 0.0, 0.0, 0.0};
    for (std::size_t m = 0; m < fit.tracks.size(); ++m) {
      if (fit.tracks[m] < 0) continue;
      Draft& draft = trial.drafts[std::size_t(fit.tracks[m])];
      const std::string label = draft.marker.label;
      draft.is_known = true;
      draft.marker = layouts[fit.set].markers[m];
      draft.origin = {Evidence::kShape, 0.7,
                      "where " + draft.marker.label + " would be", -1};
      draft.marker.label = label;
      draft.marker.aliases.clear();
      draft.marker.spread = std::max(draft.marker.spread, kMotionSpread);
    }
    if (CountKnown(trial.drafts, false) < kLeastMarkers ||
        CountKnown(trial.drafts, true) < kLeastCore) {
      continue;
    }
    std::vector<SetMarker> expected;
    for (std::size_t m = 0; m < fit.tracks.size(); ++m) {
      const bool is_expected = fit.tracks[m] < 0 && fit.set < sets.size();
      if (is_expected) expected.push_back(layouts[fit.set].markers[m]);
    }
    const RoughFit rough =
        RefineByMotion(trial.drafts, expected, tracks, take.rate_hz(), file);
    trial.rms = rough.rms;
    trial.share = CountKnown(trial.drafts, false) / count;
    // Priors count too: a body that bends its knees backwards is none.
    trial.cost = rough.cost + kLeftOutCost * (1 - trial.share);
    trials.push_back(std::move(trial));
  }
  std::ranges::sort(trials, {}, &Trial::cost);
  if (trials.empty() || trials.front().rms > kSureRms ||
      trials.front().share < kSureShare) {
    result.why = trials.empty()
                     ? "no body fits the points"
                     : "the best body misses the points by " +
                           Millimetres(trials.front().rms) + " and explains " +
                           Percent(trials.front().share) +
                           " of them; to be sure, less than " +
                           Millimetres(kSureRms) + " and more than " +
                           Percent(kSureShare) + " are needed";
    return result;
  }
  // Another body that is nearly as good makes the best one doubtful.
  for (std::size_t k = 1; k < trials.size(); ++k) {
    int different = 0;
    for (std::size_t i = 0; i < nameless.size(); ++i) {
      const Draft& a = trials[0].drafts[i];
      const Draft& b = trials[k].drafts[i];
      different += a.is_known && b.is_known &&
                   !AreNeighbours(a.marker.segment, b.marker.segment);
    }
    if (different > kSameBody * count &&
        trials[k].cost < kClearlyBetter * trials[0].cost) {
      result.why = "two different bodies fit the points about as well";
      return result;
    }
  }
  result.is_found = true;
  result.drafts = std::move(trials.front().drafts);
  result.layout = trials.front().layout;
  return result;
}

Identification FromSet(const RecognisedSet& recognised) {
  Identification made;
  made.set = *recognised.set;
  made.match = recognised.match;
  made.origins.assign(made.set.markers.size(),
                      {Evidence::kSet, 0.98, made.set.name, -1});
  return made;
}

}  // namespace

std::string_view ToString(Evidence evidence) {
  switch (evidence) {
    case Evidence::kSet:
      return "marker set";
    case Evidence::kWords:
      return "words";
    case Evidence::kMotion:
      return "motion";
    case Evidence::kShape:
      return "shape";
  }
  return "";
}

Result<Identification> IdentifyMarkers(std::span<const MarkerSet> sets,
                                       const MarkerTake& take,
                                       const std::string& file,
                                       const IdentifyOptions& options) {
  Diagnostics diagnostics(file);
  const Result<RecognisedSet> recognised =
      RecogniseMarkerSet(sets, take, file, options.subject);
  const bool is_final = !options.words || recognised.diagnostics().CountOf(
                                              "several-subjects") > 0;
  if (is_final && !recognised.ok()) {
    return Result<Identification>(recognised.diagnostics());
  }
  if (!options.words) return {FromSet(*recognised), recognised.diagnostics()};
  if (recognised.ok()) diagnostics = recognised.diagnostics();
  const RecognisedSet* set = recognised.ok() ? &*recognised : nullptr;

  std::optional<std::string> subject = options.subject;
  if (!subject) {
    const std::vector<std::string> subjects = FindSubjects(sets, take);
    if (subjects.size() == 1) subject = subjects.front();
  }
  const std::vector<NamedColumn> columns = NameColumns(take, subject);
  if (options.subject && columns.empty()) {
    return Result<Identification>(recognised.diagnostics());
  }
  std::vector<Draft> drafts = ReadLabels(take, columns, set);
  if (CountKnown(drafts, false) < kLeastMarkers ||
      CountKnown(drafts, true) < kLeastCore) {
    std::string missing = WhatIsMissing(drafts);
    if (options.motion) {
      ShapeResult shape = IdentifyByShape(sets, take, columns, file);
      if (shape.is_found) {
        Identification made =
            Assemble(shape.drafts, nullptr, subject.value_or(std::string()));
        made.set.name = "by shape, as " + shape.layout;
        made.left_out = LeftOut(
            shape.drafts, TracksOf(take, shape.drafts, Quaternion::Identity()));
        diagnostics.Warning(
            "by-shape", {},
            "the labels name no body; " +
                std::to_string(made.match.num_matched) + " of " +
                std::to_string(shape.drafts.size()) +
                " tracks were given to segments by shape and motion, like the "
                "markers of " +
                shape.layout);
        return {std::move(made), std::move(diagnostics)};
      }
      missing += ". By shape alone: " + shape.why;
    }
    diagnostics.Error("no-marker-set", {}, missing);
    return Result<Identification>(std::move(diagnostics));
  }
  Identification made = Assemble(drafts, set, subject.value_or(std::string()));
  if (!options.motion) return {std::move(made), std::move(diagnostics)};

  // In which axes the person stands; PrepareTake tells the user.
  const Result<PreparedTake> prepared =
      PrepareTake(take, made.set, made.match, file);
  if (!prepared.ok()) return Result<Identification>(prepared.diagnostics());
  const Observations all = TracksOf(take, drafts, prepared->R_turned);
  const Observations tracks =
      FramesOf(all, internal::SpreadFrames(all, kMotionFrames));
  bool exchanged = false;
  if (AreSidesExchanged(drafts, tracks)) {
    exchanged = true;
    for (Draft& draft : drafts) {
      Mirror(draft.marker);
      for (LabelReading& reading : draft.readings) {
        reading.segment = Body()[reading.segment].mirror;
        reading.at.x() = -reading.at.x();
      }
    }
    diagnostics.Warning(
        "sides-exchanged", {},
        "left and right are exchanged in the labels: with the sides as named "
        "feet and knees would point backwards; they were exchanged back");
  }
  RefineByMotion(drafts, ExpectedPlaces(drafts, set), tracks, take.rate_hz(),
                 file);
  made = Assemble(drafts, set, subject.value_or(std::string()));
  made.sides_exchanged = exchanged;
  made.left_out = LeftOut(drafts, tracks);
  Tell(made, drafts, diagnostics);
  return {std::move(made), std::move(diagnostics)};
}

}  // namespace limber::mocap
