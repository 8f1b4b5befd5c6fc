// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <string>
#include <vector>

#include "app/reports/describe.h"
#include "figure/make_figure.h"

namespace limber::app {

void DescribeFigure(const figure::FigureModel& figure,
                    Description& description) {
  std::vector<std::string> names;
  nlohmann::ordered_json segments = nlohmann::ordered_json::array();
  for (const figure::FigureSegment& segment : figure.segments) {
    names.push_back(segment.name);
    segments.push_back({{"name", segment.name},
                        {"mass_kg", segment.mass},
                        {"axes", segment.anchor.num_axes()},
                        {"shapes", segment.shapes.size()}});
  }
  const bool is_human = figure::IsHumanoid(figure.roles);
  const double height = figure::BodyHeight(*figure.skeleton, figure.roles);
  constexpr std::size_t kNamesShown = 8;
  description.Add("name", figure.name);
  description.Add("segments", std::to_string(figure.num_segments()) + ": " +
                                  Join(names, kNamesShown));
  description.Add("",
                  Count(figure.skeleton->num_joints(), "joint") + ", " +
                      Count(static_cast<std::int64_t>(figure.contacts.size()),
                            "contact site") +
                      ", " +
                      Count(static_cast<std::int64_t>(figure.markers.size()),
                            "marker site"));
  description.Add("body", std::string(is_human ? "human" : "no human body") +
                              ", " + Rounded(height, 2) + " m, " +
                              Rounded(figure.total_mass(), 2) + " kg");
  nlohmann::ordered_json& json = description.json;
  json["name"] = figure.name;
  json["joints"] = figure.skeleton->num_joints();
  json["segments"] = std::move(segments);
  json["human"] = is_human;
  json["height_m"] = height;
  json["mass_kg"] = figure.total_mass();
  json["contacts"] = figure.contacts.size();
  json["markers"] = figure.markers.size();
}

void DescribeTable(const mocap::StoTable& table, Description& description) {
  if (!table.name.empty()) description.Add("name", table.name);
  description.json["name"] = table.name;
  if (table.num_rows() > 1) {
    DescribeTime(table.num_rows(), table.rate_hz(), std::nullopt, description);
    description.Add("time", Rounded(table.times.front(), 6) + " to " +
                                Rounded(table.times.back(), 6) + " s");
    description.json["start_s"] = table.times.front();
    description.json["end_s"] = table.times.back();
  } else {
    description.Add("frames", Count(table.num_rows(), "row"));
    description.json["frames"] = table.num_rows();
  }
  description.Add("angles", table.in_degrees ? "degrees" : "radians");
  description.json["in_degrees"] = table.in_degrees;
  constexpr std::size_t kShown = 40;
  description.Add("columns", std::to_string(table.labels.size()) + ": " +
                                 Join(table.labels, kShown));
  description.json["columns"] = table.labels;
}

}  // namespace limber::app
