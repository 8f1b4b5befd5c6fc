// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/identify.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "mocap/solve/calibrate.h"
#include "mocap/solve/internal/draft.h"
#include "mocap/solve/internal/motion_evidence.h"
#include "mocap/solve/internal/motion_refine.h"
#include "mocap/solve/internal/shape.h"
#include "mocap/solve/landmarks.h"

namespace limber::mocap {

namespace {

using internal::CountCore;
using internal::CountKnown;
using internal::Draft;
using internal::KnownPart;
using internal::List;
using internal::Mirror;

/// The body with exchanged sides must fit this much better to be believed.
constexpr double kMuchBetter = 0.75;

/// Which hypothesis about the sides fits, when the body is laid into the
/// frames.
bool AreSidesExchanged(const std::vector<Draft>& drafts,
                       const Observations& tracks) {
  const PreparedTake known = KnownPart(drafts, tracks, 1.0);
  std::vector<SetMarker> mirrored = known.markers;
  for (SetMarker& marker : mirrored) Mirror(marker);
  const double told = internal::CostOfLabels(known.markers, known.observed);
  const double exchanged = internal::CostOfLabels(mirrored, known.observed);
  return exchanged < kMuchBetter * told;
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
    const bool is_prop = found != why.end();
    left_out.push_back(
        {drafts[i].marker.label, drafts[i].column,
         is_prop ? found->second : "moves with no part of the body", is_prop});
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
    (track.is_prop ? props : others).push_back(track.label);
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
         std::to_string(CountKnown(drafts)) + " of " +
         std::to_string(drafts.size()) +
         " tracks are markers by their names, " +
         std::to_string(CountCore(drafts)) +
         " of them on pelvis, trunk or thighs; needed are " +
         std::to_string(internal::kLeastMarkers) + " with " +
         std::to_string(internal::kLeastCore) + " there." +
         (unread.empty()
              ? ""
              : " Labels that say nothing: " + List(unread, 8) + ".") +
         " Describe the set with --marker-set FILE; `limber marker-set --from` "
         "writes a first version";
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
  std::vector<Draft> drafts = internal::ReadLabels(take, columns, set);
  if (!internal::IsEnough(drafts)) {
    std::string missing = WhatIsMissing(drafts);
    if (options.motion) {
      internal::ShapeResult shape =
          internal::IdentifyByShape(sets, take, columns);
      if (shape.is_found) {
        Identification made =
            Assemble(shape.drafts, nullptr, subject.value_or(std::string()));
        made.set.name = "by shape, as " + shape.layout;
        made.left_out = LeftOut(
            shape.drafts,
            internal::TracksOf(take, shape.drafts, Quaternion::Identity()));
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
  const Observations all = internal::TracksOf(take, drafts, prepared->R_turned);
  const Observations tracks = internal::FramesOf(
      all, internal::SpreadFrames(all, internal::kMotionFrames));
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
  internal::RefineByMotion(drafts, internal::ExpectedPlaces(drafts, set),
                           tracks, take.rate_hz());
  made = Assemble(drafts, set, subject.value_or(std::string()));
  made.sides_exchanged = exchanged;
  made.left_out = LeftOut(drafts, tracks);
  made.match.num_left_out = static_cast<int>(std::ranges::count_if(
      made.left_out, [](const LeftOutTrack& track) { return !track.is_prop; }));
  Tell(made, drafts, diagnostics);
  return {std::move(made), std::move(diagnostics)};
}

}  // namespace limber::mocap
