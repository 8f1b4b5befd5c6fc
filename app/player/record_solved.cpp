// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/player/record_solved.h"

#include <limits>
#include <memory>
#include <utility>

#include "app/player/record.h"
#include "jobs/solve_save.h"

namespace limber::app {

namespace {

/// What a solve used of the take, in the room of the result.
mocap::MarkerTake UsedMarkers(const SolvedTake& solved) {
  std::vector<std::string> labels;
  for (const mocap::SetMarker& marker : solved.take.markers) {
    labels.push_back(marker.label);
  }
  std::vector<double> positions;
  for (const Vector3& p : solved.solution.used.points) {
    const bool seen = p.allFinite();
    for (int i = 0; i < 3; ++i) {
      positions.push_back(seen ? p[i]
                               : std::numeric_limits<double>::quiet_NaN());
    }
  }
  const auto frames = static_cast<std::int64_t>(solved.solution.poses.size());
  return {std::move(labels), frames, solved.take.rate_hz, std::move(positions)};
}

}  // namespace

std::optional<PlayerRecording> RecordSolved(const SolvedTake& solved) {
  const auto motion =
      std::make_shared<const figure::Motion>(jobs::MotionOf(solved));
  figure::FigureModel body = *FigureFor(*motion);
  body.markers.clear();
  for (const mocap::ActorMarker& marker : solved.calibration.actor.markers) {
    body.markers.push_back({marker.label, marker.segment, marker.p_JM});
  }
  const auto figure =
      std::make_shared<const figure::FigureModel>(std::move(body));
  std::vector<PlayedShow> shows;
  shows.push_back({"Body", viewer::ShowClip(motion, figure)});
  shows.push_back(
      {"Markers",
       viewer::ShowMarkerErrors(
           std::make_shared<const mocap::MarkerTake>(UsedMarkers(solved)),
           motion, figure),
       true});
  return RecordShows(
      "The solved body and the markers of the take, red where they were seen",
      motion->rate_hz(), std::move(shows));
}

}  // namespace limber::app
