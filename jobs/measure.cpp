// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/measure.h"

#include <cmath>
#include <utility>

#include "core/angle.h"
#include "figure/clip_tracks.h"
#include "jobs/bad_call.h"
#include "jobs/words.h"
#include "mocap/retarget/judge.h"

namespace limber::jobs {

namespace {

using figure::ClipTracks;
using figure::FootPoint;

ClipComparison Compare(const BodyClip& clip, const ClipReference& reference,
                       const figure::Jerk& jerk, const ClipTracks& its) {
  ClipComparison with;
  const figure::Jerk its_jerk = figure::MeasureJerk(its);
  if (its_jerk.of_pose > 0.0) {
    with.jerk_ratio = jerk.of_pose / its_jerk.of_pose;
    with.place_jerk_ratio = jerk.of_places / its_jerk.of_places;
  }
  with.stance_speed_per_leg =
      figure::MeasureSlide(its, FootPoint::kToe,
                           figure::FindStances(its, FootPoint::kToe))
          .speed_per_leg;
  with.floor_penetration = figure::FloorPenetration(its, its.floor);
  if (!reference.compare_joints) return with;
  // Angles are compared as the files have them.
  const figure::Motion& its_motion =
      reference.clip->own ? *reference.clip->own : reference.clip->motion;
  const figure::JointError error =
      figure::CompareJoints(clip.own ? *clip.own : clip.motion, its_motion);
  if (error.num_joints == 0) {
    with.notes.emplace_back(
        "no joint of the reference has the name of one here: "
        "joint angles are not compared");
    return with;
  }
  with.joints = error;
  if (clip.motion.num_frames() != its_motion.num_frames()) {
    with.notes.emplace_back("the reference has " +
                            Count(its_motion.num_frames(), "frame") +
                            "; only those both have are compared");
  }
  return with;
}

/// What the clip shows of itself, and limits of the figure it is on.
Verdict Judge(const ClipOrigin& origin, const MeasuredClip& measured) {
  const BodyClip& clip = measured.clip;
  Verdict verdict = mocap::JudgeClip(clip.motion, clip.plan,
                                     figure::TrackClip(clip.motion, clip.plan),
                                     {origin.up_is_said, origin.rate_is_said});
  constexpr double kMostBeyond = 1.0;  // [deg]
  if (!measured.metrics.limits) return verdict;
  const double beyond = Degrees(measured.metrics.limits->worst);
  if (beyond > kMostBeyond) {
    verdict.Add({"limits",
                 measured.metrics.limits->segment +
                     " passes a joint limit by " + Rounded(beyond, 1) + " deg",
                 "", beyond, kMostBeyond, "deg"});
  }
  return verdict;
}

void CheckFit(const BodyClip& clip, const BodyClip* reference,
              const figure::FigureModel* figure) {
  if (figure != nullptr &&
      clip.motion.skeleton().num_joints() != figure->skeleton->num_joints()) {
    throw BadCall(
        "--figure has " + Count(figure->skeleton->num_joints(), "joint") +
        ", the clip " + Count(clip.motion.skeleton().num_joints(), "joint"));
  }
  if (reference != nullptr &&
      std::abs(clip.motion.rate_hz() - reference->motion.rate_hz()) >
          1e-3 * clip.motion.rate_hz()) {
    throw BadCall("the clip has " + Rounded(clip.motion.rate_hz(), 3) +
                  " frames per second, the reference " +
                  Rounded(reference->motion.rate_hz(), 3) +
                  ": clips are compared frame by frame");
  }
}

}  // namespace

ClipMetrics MeasureClip(const BodyClip& clip, const ClipReference& reference) {
  const ClipTracks tracks = figure::TrackClip(clip.motion, clip.plan);
  std::optional<ClipTracks> its;
  if (reference.clip != nullptr) {
    its = figure::TrackClip(reference.clip->motion, reference.clip->plan);
  }
  const ClipTracks& judge = its ? *its : tracks;
  const auto slide = [&](FootPoint point) {
    return figure::MeasureSlide(tracks, point,
                                figure::FindStances(judge, point));
  };
  ClipMetrics metrics;
  metrics.num_frames = clip.motion.num_frames();
  metrics.rate_hz = clip.motion.rate_hz();
  metrics.leg_length = tracks.leg_length;
  metrics.toe = slide(FootPoint::kToe);
  metrics.heel = slide(FootPoint::kHeel);
  metrics.floor =
      reference.floor ? *reference.floor
      : its           ? figure::CarriedFloor(
                            *its, figure::FootRatio(reference.clip->plan, clip.plan))
            : tracks.floor;
  metrics.floor_penetration = figure::FloorPenetration(tracks, metrics.floor);
  metrics.jerk = figure::MeasureJerk(tracks);
  if (its) metrics.reference = Compare(clip, reference, metrics.jerk, *its);
  return metrics;
}

MeasuredClip MeasureBody(BodyClip clip, const BodyClip* reference,
                         const figure::FigureModel* figure,
                         const ClipOrigin& origin) {
  CheckFit(clip, reference, figure);
  MeasuredClip measured{std::move(clip), {}, {}};
  measured.metrics = MeasureClip(measured.clip, {.clip = reference});
  if (figure != nullptr) {
    measured.metrics.limits =
        figure::MeasureLimits(*figure, measured.clip.motion);
  }
  measured.verdict = Judge(origin, measured);
  return measured;
}

namespace {

Result<MeasuredClip> FindAndMeasure(const figure::Motion& motion,
                                    const MeasureOptions& options) {
  Result<BodyClip> clip = MakeBodyClip(motion, options.origin);
  Diagnostics findings = clip.diagnostics();
  std::optional<Result<BodyClip>> reference;
  if (options.against != nullptr) {
    reference = MakeBodyClip(*options.against, options.against_origin);
    findings.Append(reference->diagnostics());
  }
  if (!clip.ok() || (reference && !reference->ok())) {
    return Result<MeasuredClip>(std::move(findings));
  }
  return {
      MeasureBody(std::move(clip).value(), reference ? &**reference : nullptr,
                  options.figure, options.origin),
      std::move(findings)};
}

}  // namespace

Result<MeasuredClip> Measure(const figure::Motion& motion,
                             const MeasureOptions& options) {
  return RunStoppable(options.progress, options.origin.file,
                      [&] { return FindAndMeasure(motion, options); });
}

}  // namespace limber::jobs
