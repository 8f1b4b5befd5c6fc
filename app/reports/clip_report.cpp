// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/reports/clip_report.h"
#include "core/angle.h"

namespace limber::app {

namespace {

void AddSlide(const figure::StanceSlide& slide, const std::string& prefix,
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

void AddComparison(const jobs::ClipComparison& with, Report& report) {
  if (with.jerk_ratio) {
    report.Set("jerk_ratio", *with.jerk_ratio,
               "jerk of the pose beside the reference");
    report.Set("place_jerk_ratio", *with.place_jerk_ratio,
               "jerk of places beside the reference");
  }
  report.Set("source_stance_speed_per_leg", with.stance_speed_per_leg,
             "toe speed in stance of the reference, per leg length", "1/s");
  report.Set("source_floor_penetration_mm", 1000.0 * with.floor_penetration,
             "floor penetration of the reference", "mm");
  if (with.joints) {
    report.Set("joint_rms_deg", with.joints->rms / kRadiansPerDegree,
               "joint angles against the reference, RMS", "deg");
    report.Set("joint_worst_deg", with.joints->worst / kRadiansPerDegree,
               "worst joint angle", "deg");
    report.Set("worst_joint", with.joints->joint, "worst joint");
    report.Set("joints_compared", with.joints->num_joints, "joints compared");
  }
  for (const std::string& note : with.notes) report.AddWarning(note);
}

void AddLimits(const figure::LimitReport& limits, Report& report) {
  report.Set("limit_violation_deg", limits.worst / kRadiansPerDegree,
             "farthest beyond a joint limit", "deg");
  report.Set("limit_violation_segment", limits.segment, "where");
}

}  // namespace

void AddClipMetrics(const BodyClip& clip, const ClipReference& reference,
                    Report& report) {
  AddClipMetrics(jobs::MeasureClip(clip, reference), report);
}

void AddClipMetrics(const jobs::ClipMetrics& metrics, Report& report) {
  report.Set("frames", metrics.num_frames, "frames");
  report.Set("rate_hz", metrics.rate_hz, "rate", "Hz");
  report.Set("leg_length_m", metrics.leg_length, "leg length", "m");
  AddSlide(metrics.toe, "", "toe", report);
  AddSlide(metrics.heel, "heel_", "heel", report);
  report.Set("floor_m", metrics.floor, "height of the floor", "m");
  report.Set("floor_penetration_mm", 1000.0 * metrics.floor_penetration,
             "floor penetration", "mm");
  report.Set("jerk", metrics.jerk.of_pose, "jerk of the pose", "1/s^3");
  report.Set("place_jerk", metrics.jerk.of_places,
             "jerk of places, per leg length", "1/s^3");
  if (metrics.reference) AddComparison(*metrics.reference, report);
  if (metrics.limits) AddLimits(*metrics.limits, report);
}

void AddLimitMetrics(const figure::FigureModel& figure,
                     const figure::Motion& motion, Report& report) {
  AddLimits(figure::MeasureLimits(figure, motion), report);
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
