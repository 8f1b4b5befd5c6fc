// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/reports/combine_report.h"

#include <utility>

#include "app/player/record.h"
#include "app/reports/clip_report.h"
#include "app/reports/describe.h"
#include "core/angle.h"

namespace limber::app {

namespace {

ReportTable JoinTable(const std::vector<std::string>& inputs,
                      const jobs::CombinedClips& combined) {
  ReportTable table;
  table.key = "joins";
  table.title = "Joins";
  table.columns = {"clip",          "begins at [s]", "frame before",
                   "frame of clip", "blend [s]",     "joints apart [mm]",
                   "turned [deg]"};
  const double rate = combined.motion.rate_hz();
  for (std::size_t i = 0; i < combined.joins.size(); ++i) {
    const mocap::CombineReport& done = combined.joins[i];
    table.rows.push_back(
        {inputs[i + 1], static_cast<double>(done.frame_a) / rate, done.frame_a,
         done.frame_b, static_cast<double>(done.num_blend) / rate,
         1000.0 * done.distance, Degrees(done.turn)});
  }
  return table;
}

}  // namespace

Report MakeCombineReport(const std::vector<std::string>& inputs,
                         const jobs::CombinedClips& combined,
                         const Diagnostics& findings) {
  Report report("Combination of " +
                Count(static_cast<std::int64_t>(inputs.size()), "clip"));
  report.AddWarnings(findings);
  report.SetMain({"frames", "planted_off_mm", "stance_speed_cm_s",
                  "stance_drift_cm", "floor_penetration_mm"});
  report.Set("frames", combined.motion.num_frames(), "frames");
  report.Set("planted_off_mm", 1000.0 * combined.worst_off,
             "a standing foot off its place at most", "mm");
  AddClipMetrics(combined.metrics, report);
  report.AddTable(JoinTable(inputs, combined));
  return report;
}

void AddCombinePlayer(const jobs::CombinedClips& combined, Report& report) {
  const auto played =
      RecordClips("The clips as one", {{"Result", &combined.motion}});
  if (played) report.AddPlayer(*played);
}

}  // namespace limber::app
