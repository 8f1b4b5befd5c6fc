// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <string>
#include <vector>

#include "app/describe.h"
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

}  // namespace limber::app
