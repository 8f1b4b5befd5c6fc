// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/reports/edit_report.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "core/angle.h"

namespace limber::app {

namespace {

/// What is nearer to the clip than this is the clip [deg, m].
constexpr double kSameAngle = 0.1;
constexpr double kSamePlace = 1e-3;

/// Torque curves are drawn of so many joints, those that differ most.
constexpr std::size_t kTorqueCurves = 4;

std::vector<PlotSpan> SpansOf(std::span<const figure::EditEvent> events,
                              double clip_end) {
  std::vector<PlotSpan> spans;
  for (const figure::EditEvent& event : events) {
    const double end = EndOf(event, clip_end);
    spans.push_back({event.time, std::max(end, event.time + 0.02), "event"});
  }
  return spans;
}

void AddCurves(const figure::EditResult& result,
               const figure::FigureModel& model,
               const std::vector<PlotSpan>& spans, Report& report) {
  Plot difference{.title = "Where the result differs from the clip",
                  .y_label = "joint [deg], root [cm]",
                  .curves = {{"joints", {}, {}}, {"root", {}, {}}},
                  .spans = spans};
  Plot help{.title = "Help of the root, motors at their bound, contacts",
            .y_label = "share",
            .curves = {{"root help / body weight", {}, {}},
                       {"motors at their bound", {}, {}},
                       {"contact force / body weight", {}, {}}},
            .spans = spans};
  std::vector<std::size_t> order(model.segments.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase_if(
      order, [&model](std::size_t s) { return model.segments[s].parent < 0; });
  std::ranges::stable_sort(order, std::greater<>(), [&result](std::size_t s) {
    return result.segments[s].deflection;
  });
  order.resize(std::min(order.size(), kTorqueCurves));
  Plot torque{.title = "Torque of the joints that differ most",
              .y_label = "torque [N m]",
              .curves = {},
              .spans = spans};
  for (const std::size_t s : order) {
    torque.curves.push_back({model.segments[s].name, {}, {}});
  }
  for (const figure::EditFrame& frame : result.frames) {
    const auto add = [&frame](Curve& curve, double value) {
      curve.x.push_back(frame.time);
      curve.y.push_back(value);
    };
    add(difference.curves[0], frame.difference * kDegreesPerRadian);
    add(difference.curves[1], frame.root_shift * 100.0);
    add(help.curves[0], frame.root_help);
    add(help.curves[1], frame.saturation);
    add(help.curves[2], frame.contact);
    for (std::size_t i = 0; i < order.size(); ++i) {
      add(torque.curves[i], frame.torque[order[i]]);
    }
  }
  report.AddPlot("difference", std::move(difference));
  report.AddPlot("root_help", std::move(help));
  report.AddPlot("torque", std::move(torque));
}

void AddTables(const figure::EditResult& result,
               const figure::FigureModel& model, Report& report) {
  ReportTable segments{
      "segments",
      "Joints",
      "Angle: largest difference of the joint to the clip. Turn: the same of "
      "the segment in the world. At bound: share of the time in which a motor "
      "of the joint gave all it has.",
      {"segment", "angle [deg]", "turn [deg]", "mean torque [N m]",
       "largest torque [N m]", "at bound"},
      {}};
  for (std::size_t s = 0; s < model.segments.size(); ++s) {
    const figure::EditedSegment& segment = result.segments[s];
    segments.rows.push_back(
        {model.segments[s].name, segment.deflection * kDegreesPerRadian,
         segment.turn * kDegreesPerRadian, segment.mean_torque,
         segment.max_torque, segment.saturation});
  }
  report.AddTable(std::move(segments));
  if (!result.goals.empty()) {
    ReportTable goals{"goals",
                      "Goals",
                      "Farthest: of the point from its target, while it was to "
                      "be there and within reach.",
                      {"segment", "farthest [mm]", "within reach"},
                      {}};
    for (const figure::EditedGoal& goal : result.goals) {
      goals.rows.push_back({model.segments[std::size_t(goal.segment)].name,
                            goal.distance * 1e3, goal.reachable});
    }
    report.AddTable(std::move(goals));
  }
  if (!result.props.empty()) {
    ReportTable props{
        "props",
        "Props",
        "",
        {"prop", "largest gap to the hand [mm]", "largest tilt [deg]"},
        {}};
    for (const figure::EditedProp& prop : result.props) {
      props.rows.push_back(
          {prop.name, prop.gap * 1e3, prop.tilt * kDegreesPerRadian});
    }
    report.AddTable(std::move(props));
  }
}

}  // namespace

double LargestDifference(const figure::EditResult& result) {
  double most = 0.0;
  for (const figure::EditFrame& frame : result.frames) {
    most = std::max(most, frame.difference);
  }
  return most * kDegreesPerRadian;
}

void FillEditReport(const figure::EditResult& result,
                    const figure::FigureModel& model,
                    std::span<const figure::EditEvent> events, double seconds,
                    Report& report) {
  const double clip_end = result.frames.back().time;
  double first = clip_end;
  double last = 0.0;
  double shift = 0.0;
  for (const figure::EditFrame& frame : result.frames) {
    shift = std::max(shift, frame.root_shift);
    if (frame.difference * kDegreesPerRadian < kSameAngle &&
        frame.root_shift < kSamePlace) {
      continue;
    }
    first = std::min(first, frame.time);
    last = frame.time;
  }
  const bool differs = last > 0.0;
  report.SetMain({"largest_difference_deg", "largest_root_shift_m",
                  "return_time_s", "limit_violation_deg",
                  "root_help_fraction"});
  report.Set("frames", result.motion.num_frames(), "frames");
  report.Set("largest_difference_deg", LargestDifference(result),
             "largest difference", "deg");
  report.Set("largest_root_shift_m", shift, "largest shift of the root", "m");
  report.Set("differs_from_s",
             differs ? nlohmann::ordered_json(first) : nullptr,
             "differs from the clip from", "s");
  report.Set("differs_to_s", differs ? nlohmann::ordered_json(last) : nullptr,
             "to", "s");
  report.Set("return_time_s", result.return_time, "back within 2 degrees after",
             "s");
  report.Set("root_help_fraction", result.summary.root_help_mean,
             "root help, mean", "of body weight");
  report.Set("root_help_max_fraction", result.summary.root_help_max,
             "root help, largest", "of body weight");
  report.Set("saturation_fraction", result.summary.saturation,
             "motors at their bound");
  report.Set("limit_violation_deg", result.limit_violation * kDegreesPerRadian,
             "beyond a joint limit", "deg");
  report.Set("body_limit_violation_deg",
             result.summary.max_limit_violation * kDegreesPerRadian,
             "beyond a joint limit, of the bodies", "deg");
  report.Set("floor_penetration_mm", result.penetration * 1e3,
             "into the floor, more than the clip", "mm");
  report.Set("body_penetration_mm", result.deepest_contact * 1e3,
             "into floor and walls, of the bodies", "mm");
  report.Set("joint_gap_mm", result.summary.max_dislocation * 1e3,
             "largest joint gap", "mm");
  report.Set("let_go_time_s",
             result.let_go_time ? nlohmann::ordered_json(*result.let_go_time)
                                : nullptr,
             "let go at", "s");
  report.Set(
      "frames_per_second",
      static_cast<double>(result.frames.size()) / std::max(seconds, 1e-9),
      "speed", "frames/s");
  AddCurves(result, model, SpansOf(events, clip_end), report);
  AddTables(result, model, report);
}

}  // namespace limber::app
