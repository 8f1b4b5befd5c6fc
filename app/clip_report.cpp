// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/clip_report.h"

#include <cmath>
#include <iostream>
#include <tuple>
#include <utility>

#include "app/describe.h"
#include "core/file.h"
#include "figure/clip_tracks.h"
#include "figure/pose_metrics.h"
#include "figure/stance_metrics.h"

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
  std::vector<figure::Role> roles = figure::RecogniseRoles(motion->skeleton());
  std::optional<figure::BodyPlan> plan =
      figure::MakeBodyPlan(motion->skeleton(), roles);
  if (!plan) {
    constexpr std::size_t kMostNames = 12;
    own.Error("no-body", {},
              "expected a pelvis with two legs (thigh, shank, foot), found "
              "joints " +
                  Join(JointNames(motion->skeleton()), kMostNames));
    diagnostics.Append(own);
    return Result<BodyClip>(std::move(diagnostics));
  }
  return {BodyClip{std::move(*motion), std::move(roles), std::move(*plan),
                   file->guesses},
          std::move(diagnostics)};
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
  const figure::Motion& its_motion = reference.clip->motion;
  const figure::JointError error =
      figure::CompareJoints(clip.motion, its_motion);
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

void PrintMetrics(const Report& report) {
  const nlohmann::ordered_json json = report.ToJson();
  for (const auto& [key, value] : json.items()) {
    if (value.is_structured()) continue;
    std::cout << "  " << key << " "
              << (value.is_number_float() ? Rounded(value.get<double>(), 6)
                                          : value.dump())
              << "\n";
  }
}

}  // namespace limber::app
