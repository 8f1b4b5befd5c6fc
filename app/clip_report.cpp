// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/clip_report.h"

#include <cmath>
#include <tuple>
#include <utility>

#include "app/describe.h"
#include "core/file.h"
#include "figure/clip_tracks.h"
#include "figure/flight_rate.h"
#include "figure/pose_metrics.h"
#include "figure/stance_metrics.h"
#include "mocap/retarget/rigged_clip.h"

namespace limber::app {

namespace {

using figure::ClipTracks;
using figure::FootPoint;
using figure::StanceSlide;

constexpr double kDegree = kPi / 180.0;

std::vector<std::string> JointNames(const figure::Skeleton& skeleton) {
  std::vector<std::string> names;
  for (const figure::Joint& joint : skeleton.joints()) {
    names.push_back(joint.name);
  }
  return names;
}

void AddSlide(const StanceSlide& slide, const std::string& prefix,
              const std::string& point, Report& report) {
  report.Set(prefix + "stance_speed_per_leg", slide.speed_per_leg,
             point + " speed in stance, per leg length", "1/s");
  report.Set(prefix + "stance_drift_per_leg", slide.drift_per_leg,
             point + " drift per stance, per leg length");
  report.Set(prefix + "stance_speed_cm_s", 100.0 * slide.speed,
             point + " speed in stance", "cm/s");
  report.Set(prefix + "stance_drift_cm", 100.0 * slide.drift,
             point + " drift per stance", "cm");
  report.Set(prefix + "stances", slide.num_stances, point + " stances");
}

}  // namespace

Result<BodyClip> LoadBodyClip(const std::filesystem::path& path,
                              const LoadOptions& options) {
  Result<LoadedFile> file = Load(path, options);
  Diagnostics diagnostics = file.diagnostics();
  if (!file.ok()) return Result<BodyClip>(std::move(diagnostics));
  auto* motion = std::get_if<figure::Motion>(&file.value().content);
  Diagnostics own(PathText(path), options.strict);
  if (motion == nullptr) {
    own.Error("no-motion", {},
              "expected a skeletal clip (BVH or AMC), found " +
                  std::string(Name(file->format)));
  } else if (motion->num_frames() == 0) {
    own.Error("no-frames", {}, "the clip has no frames");
  } else {
    CheckTime(*motion, own);
  }
  if (own.has_errors()) {
    diagnostics.Append(own);
    return Result<BodyClip>(std::move(diagnostics));
  }
  std::optional<mocap::RiggedClip> rigged = mocap::MakeRiggedClip(*motion);
  if (!rigged) {
    constexpr std::size_t kMostNames = 12;
    own.Error("no-body", {},
              "expected a pelvis with two legs (thigh, shank, foot), found "
              "joints " +
                  Join(JointNames(motion->skeleton()), kMostNames));
    diagnostics.Append(own);
    return Result<BodyClip>(std::move(diagnostics));
  }
  BodyClip clip{std::move(rigged->motion), std::move(rigged->body.roles),
                std::move(rigged->body.plan), file->guesses, std::nullopt};
  if (rigged->rig.own != rigged->rig.skeleton) clip.own = std::move(*motion);
  MendRate(options, clip);
  return {std::move(clip), std::move(diagnostics)};
}

void AddClipMetrics(const BodyClip& clip, const ClipReference& reference,
                    Report& report) {
  const ClipTracks tracks = figure::TrackClip(clip.motion, clip.plan);
  std::optional<ClipTracks> of_reference;
  if (reference.clip != nullptr) {
    of_reference =
        figure::TrackClip(reference.clip->motion, reference.clip->plan);
  }
  const ClipTracks& judge = of_reference ? *of_reference : tracks;
  report.Set("frames", clip.motion.num_frames(), "frames");
  report.Set("rate_hz", clip.motion.rate_hz(), "rate", "Hz");
  report.Set("leg_length_m", tracks.leg_length, "leg length", "m");
  for (const auto& [point, prefix, label] :
       {std::tuple(FootPoint::kToe, "", "toe"),
        std::tuple(FootPoint::kHeel, "heel_", "heel")}) {
    AddSlide(
        figure::MeasureSlide(tracks, point, figure::FindStances(judge, point)),
        prefix, label, report);
  }
  const double floor =
      reference.floor ? *reference.floor
      : of_reference  ? figure::CarriedFloor(
                            *of_reference,
                            figure::FootRatio(reference.clip->plan, clip.plan))
                     : tracks.floor;
  report.Set("floor_m", floor, "height of the floor", "m");
  report.Set("floor_penetration_mm",
             1000.0 * figure::FloorPenetration(tracks, floor),
             "floor penetration", "mm");
  const figure::Jerk jerk = figure::MeasureJerk(tracks);
  report.Set("jerk", jerk.of_pose, "jerk of the pose", "1/s^3");
  report.Set("place_jerk", jerk.of_places, "jerk of places, per leg length",
             "1/s^3");
  if (!of_reference) return;
  const figure::Jerk its = figure::MeasureJerk(*of_reference);
  if (its.of_pose > 0.0) {
    report.Set("jerk_ratio", jerk.of_pose / its.of_pose,
               "jerk of the pose beside the reference");
    report.Set("place_jerk_ratio", jerk.of_places / its.of_places,
               "jerk of places beside the reference");
  }
  if (of_reference) {
    report.Set("source_stance_speed_per_leg",
               figure::MeasureSlide(
                   *of_reference, FootPoint::kToe,
                   figure::FindStances(*of_reference, FootPoint::kToe))
                   .speed_per_leg,
               "toe speed in stance of the reference, per leg length", "1/s");
    report.Set(
        "source_floor_penetration_mm",
        1000.0 * figure::FloorPenetration(*of_reference, of_reference->floor),
        "floor penetration of the reference", "mm");
  }
  if (!reference.compare_joints) return;
  // Angles are compared as the files have them.
  const figure::Motion& its_motion =
      reference.clip->own ? *reference.clip->own : reference.clip->motion;
  const figure::JointError error =
      figure::CompareJoints(clip.own ? *clip.own : clip.motion, its_motion);
  if (error.num_joints == 0) {
    report.AddWarning(
        "no joint of the reference has the name of one here: "
        "joint angles are not compared");
    return;
  }
  report.Set("joint_rms_deg", error.rms / kDegree,
             "joint angles against the reference, RMS", "deg");
  report.Set("joint_worst_deg", error.worst / kDegree, "worst joint angle",
             "deg");
  report.Set("worst_joint", error.joint, "worst joint");
  report.Set("joints_compared", error.num_joints, "joints compared");
  if (clip.motion.num_frames() != its_motion.num_frames()) {
    report.AddWarning("the reference has " +
                      Count(its_motion.num_frames(), "frame") +
                      "; only those both have are compared");
  }
}

void AddLimitMetrics(const figure::FigureModel& figure,
                     const figure::Motion& motion, Report& report) {
  const figure::LimitReport limits = figure::MeasureLimits(figure, motion);
  report.Set("limit_violation_deg", limits.worst / kDegree,
             "farthest beyond a joint limit", "deg");
  report.Set("limit_violation_segment", limits.segment, "where");
}

void MendRate(const LoadOptions& options, BodyClip& clip) {
  if (options.rate_hz) return;
  const figure::FlightRate flights = figure::FindFlightRate(
      clip.motion, clip.plan, figure::TrackClip(clip.motion, clip.plan));
  const double said = clip.motion.rate_hz();
  if (flights.rate_hz == said) return;
  clip.motion = figure::WithRate(clip.motion, flights.rate_hz);
  if (clip.own) clip.own = figure::WithRate(*clip.own, flights.rate_hz);
  clip.guesses.push_back(
      {"rate_hz", Rounded(flights.rate_hz, 3),
       "the file says " + Rounded(said, 3) +
           " Hz, but at that rate bodies in flight would fall with " +
           Rounded(flights.gravity, 1) + " m/s^2; --rate overrules",
       true});
}

std::string GuessText(const std::vector<Guess>& guesses) {
  std::string text;
  for (const Guess& guess : guesses) {
    if (!text.empty()) text += ", ";
    text += guess.what == "unit"      ? "unit " + guess.value
            : guess.what == "up_axis" ? guess.value + " up"
            : guess.what == "rate_hz" ? guess.value + " Hz"
                                      : guess.what + " " + guess.value;
    if (!guess.sure) text += " (a mere guess)";
    if (guess.what == "rate_hz") text += " (" + guess.reason + ")";
  }
  return text;
}

}  // namespace limber::app
