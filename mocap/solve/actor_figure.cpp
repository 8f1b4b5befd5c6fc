// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/actor_figure.h"

#include <algorithm>
#include <array>
#include <utility>

#include "figure/make_figure.h"

namespace limber::mocap {

Result<figure::FigureModel> FigureFromActor(const Actor& actor) {
  figure::FigureOptions options;
  options.name = actor.name.empty() ? "actor" : actor.name;
  options.height = actor.height;
  options.mass = actor.mass;
  Result<figure::FigureModel> made =
      figure::MakeFigure(MakeSkeleton(actor.p_PJ, actor.scale), options);
  if (!made.ok()) return made;
  figure::FigureModel figure = made.value();
  figure.markers.clear();
  for (const ActorMarker& marker : actor.markers) {
    figure.markers.push_back({marker.label, marker.segment, marker.p_JM});
  }
  return {std::move(figure), made.diagnostics()};
}

Result<Actor> ActorFromFigure(const figure::FigureModel& figure,
                              const std::string& file) {
  Diagnostics diagnostics(file);
  const figure::Skeleton& skeleton = *figure.skeleton;
  Actor actor;
  actor.name = figure.name;
  std::array<int, kNumSegments> joint_of{};
  for (int j = 0; j < kNumSegments; ++j) {
    joint_of[j] = skeleton.Find(Body()[j].joint);
    if (joint_of[j] < 0) {
      diagnostics.Error("not-an-actor", {},
                        "expected the skeleton of a solved take, found none "
                        "of its joint \"" +
                            std::string(Body()[j].joint) + "\"");
      return Result<Actor>(std::move(diagnostics));
    }
    actor.p_PJ[j] = skeleton.joint(joint_of[j]).offset;
  }
  actor.p_PJ[kPelvis].setZero();
  for (const figure::FigureSite& site : figure.markers) {
    const auto found = std::ranges::find(joint_of, site.joint);
    if (found == joint_of.end()) {
      diagnostics.Error("not-an-actor", {},
                        "marker " + site.name + " is on joint \"" +
                            skeleton.joint(site.joint).name +
                            "\", which a solved take does not have");
      continue;
    }
    actor.markers.push_back({site.name,
                             static_cast<int>(found - joint_of.begin()),
                             site.offset, 1.0, 0.0});
  }
  if (actor.markers.empty()) {
    diagnostics.Error("not-an-actor", {}, "the figure has no markers");
  }
  // The end of the head tells the size that end sites were made with.
  for (const figure::Site& site : skeleton.sites()) {
    if (site.joint == joint_of[kHead]) {
      actor.scale = site.offset.y() / Body()[kHead].end.y();
    }
  }
  actor.moves = MovingSegments(actor.markers);
  actor.height = EstimateHeight(actor.p_PJ, actor.scale);
  actor.mass = figure.total_mass();
  return {std::move(actor), std::move(diagnostics)};
}

}  // namespace limber::mocap
