// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/reports/simulate_report.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "core/angle.h"

namespace limber::app {

namespace {

void AddFigureRows(const figure::FigureScene& scene, Report& report) {
  ReportTable table{
      "figures",
      "Figures",
      "Root help is the force of the root's motor as a share of the weight.",
      {"figure", "joint RMS [deg]", "root help, mean", "root help, largest",
       "motors at their bound", "joint gap [mm]", "beyond a limit [deg]"},
      {}};
  for (const figure::SceneFigure& one : scene.figures) {
    const figure::Recorder& recorder = scene.stage->recorder(one.index);
    const figure::PerformanceSummary sum = recorder.Summary();
    table.rows.push_back({one.name, sum.joint_rms * kDegreesPerRadian,
                          sum.root_help_mean, sum.root_help_max, sum.saturation,
                          sum.max_dislocation * 1e3,
                          sum.max_limit_violation * kDegreesPerRadian});
    Plot error{.title = one.name + ": joints off the clip",
               .y_label = "largest angle [deg]",
               .curves = {{"largest joint error", {}, {}}},
               .spans = {}};
    Plot help{.title = one.name + ": help of the root",
              .y_label = "share of the weight",
              .curves = {{"root help", {}, {}}},
              .spans = {}};
    for (const figure::StepRecord& step : recorder.steps()) {
      double most = 0.0;
      for (int s = 0; s < one.performer->figure().num_segments(); ++s) {
        if (one.performer->figure().is_root(s)) continue;
        most = std::max(most, step.error[static_cast<std::size_t>(s)]);
      }
      error.curves[0].x.push_back(step.time);
      error.curves[0].y.push_back(most * kDegreesPerRadian);
      help.curves[0].x.push_back(step.time);
      help.curves[0].y.push_back(step.root_help);
    }
    report.AddPlot(one.name + " error", std::move(error));
    report.AddPlot(one.name + " root help", std::move(help));
  }
  if (!table.rows.empty()) report.AddTable(std::move(table));
}

}  // namespace

void FillSceneReport(const figure::FigureScene& scene,
                     const figure::SceneOutcome& outcome, double took,
                     Report& report) {
  report.AddParagraph(scene.scene->description);
  const auto met =
      std::ranges::count_if(outcome.verdicts, &figure::Verdict::met);
  report.SetMain({"all_met", "criteria_met", "duration_s", "joint_gap_mm",
                  "unsolved_steps"});
  report.Set("all_met", outcome.AllMet(), "all criteria met");
  report.Set("criteria_met", met, "criteria met");
  report.Set("criteria", outcome.verdicts.size(), "criteria");
  report.Set("finite", outcome.finite, "everything stayed a number");
  report.Set("duration_s", outcome.seconds, "simulated", "s");
  report.Set("steps", outcome.num_steps, "steps");
  report.Set("unsolved_steps", outcome.unsolved_steps, "unsolved steps");
  report.Set("joint_gap_mm", outcome.largest_gap * 1e3, "largest joint gap",
             "mm");
  report.Set("penetration_mm", outcome.deepest_overlap * 1e3,
             "deepest penetration", "mm");
  report.Set("real_time_factor", outcome.seconds / std::max(took, 1e-9),
             "speed", "x real time");
  ReportTable table{"verdicts",
                    "Criteria",
                    "",
                    {"criterion", "met", "value", "above", "below", "unit"},
                    {}};
  const auto number = [](double value) {
    return std::isfinite(value) ? nlohmann::ordered_json(value)
                                : nlohmann::ordered_json(nullptr);
  };
  for (const figure::Verdict& verdict : outcome.verdicts) {
    table.rows.push_back({verdict.name, verdict.met, number(verdict.value),
                          number(verdict.above), number(verdict.below),
                          verdict.unit});
  }
  if (!table.rows.empty()) report.AddTable(std::move(table));
  AddFigureRows(scene, report);
}

}  // namespace limber::app
