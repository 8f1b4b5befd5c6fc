// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/reports/measure_report.h"

#include <utility>
#include <vector>

#include "app/player/record.h"
#include "app/reports/clip_report.h"

namespace limber::app {

Report MakeMeasureReport(const std::string& input,
                         const jobs::MeasuredClip& measured,
                         const Diagnostics& findings) {
  Report report("Measures of " + input);
  for (const Guess& guess : measured.clip.guesses) {
    report.Set("guessed_" + guess.what, guess.value,
               "guessed " + guess.what + " (" + guess.reason + ")");
  }
  report.AddWarnings(findings);
  report.SetMain({"stance_speed_cm_s", "stance_drift_cm",
                  "floor_penetration_mm", "jerk", "joint_rms_deg",
                  "limit_violation_deg"});
  AddClipMetrics(measured.metrics, report);
  report.SetVerdict(measured.verdict);
  return report;
}

void AddMeasurePlayer(const jobs::MeasuredClip& measured,
                      const figure::Motion* reference,
                      std::shared_ptr<const figure::FigureModel> figure,
                      Report& report) {
  const BodyClip& clip = measured.clip;
  std::vector<PlayedClip> clips = {
      {"Clip", clip.own ? &*clip.own : &clip.motion}};
  if (figure != nullptr) {
    clips[0] = {"Clip", &clip.motion, std::move(figure)};
  }
  std::string title = "The clip";
  if (reference != nullptr) {
    clips.push_back({"Reference", reference});
    title += ", and the reference";
  }
  const auto recording = RecordClips(std::move(title), clips);
  if (recording) report.AddPlayer(*recording);
}

}  // namespace limber::app
