// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/player/record_edit.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "app/player/edit_events_shown.h"
#include "app/player/record.h"
#include "figure/pose.h"
#include "viewer/forces.h"

namespace limber::app {

namespace {

using viewer::Sign;

/// Side of the square of floor that is seen where it moves [m]: a few steps.
constexpr double kFloorSize = 4.0;

/// The result's frame at a time of the page.
std::size_t FrameAt(const figure::EditResult& result, double time) {
  const double frame = std::round(time * result.motion.rate_hz());
  return std::min(static_cast<std::size_t>(frame), result.frames.size() - 1);
}

/// Where the segments of the result are, X_WB.
std::vector<Transform> SegmentsAt(const figure::Motion& motion,
                                  const figure::FigureModel& model,
                                  std::size_t frame) {
  const std::vector<Transform> X_WJ = figure::WorldTransforms(
      motion.skeleton(), motion.pose(static_cast<std::int64_t>(frame)));
  std::vector<Transform> X_WB;
  for (const figure::FigureSegment& segment : model.segments) {
    X_WB.push_back(X_WJ[static_cast<std::size_t>(segment.joint)]);
  }
  return X_WB;
}

void AddContacts(const figure::EditFrame& frame,
                 const std::vector<Transform>& X_WB, double scale,
                 std::vector<Sign>& signs) {
  for (const figure::EditContact& contact : frame.contacts) {
    const Vector3 p_W =
        X_WB[static_cast<std::size_t>(contact.segment)] * contact.p_B;
    const Vector3 arrow = scale * contact.force;
    signs.push_back({Sign::Kind::kArrow, p_W, arrow, viewer::palette::kForce,
                     true, contact.segment});
    signs.push_back({Sign::Kind::kTouch, p_W, arrow, viewer::palette::kSticking,
                     true, contact.segment});
  }
}

viewer::Part PartOf(const figure::EditedThing& thing) {
  using Shape = figure::EditedThing::Shape;
  viewer::Part part;
  part.name = thing.name;
  part.colour = viewer::Colour(0.55, 0.58, 0.62);
  switch (thing.shape) {
    case Shape::kBall:
      part.shape.radius = 0.5 * thing.size.x();
      break;
    case Shape::kBox:
      part.shape.kind = viewer::PartShape::Kind::kBox;
      part.shape.size = thing.size;
      break;
    case Shape::kRod:
      part.shape.kind = viewer::PartShape::Kind::kCylinder;
      part.shape.radius = 0.5 * thing.size.x();
      part.shape.length = thing.size.y();
      break;
  }
  return part;
}

/// Balls, boxes and what is carried, while they are there.
void AddThings(const figure::EditResult& result, ShowSamples& samples) {
  for (const figure::EditedThing& thing : result.things) {
    std::vector<std::optional<Transform>> poses;
    for (std::size_t k = 0; k < samples.num_frames; ++k) {
      const auto frame =
          static_cast<std::int64_t>(
              FrameAt(result, static_cast<double>(k) / samples.rate_hz)) -
          thing.first_frame;
      const bool is_there =
          frame >= 0 && frame < static_cast<std::int64_t>(thing.X_WB.size());
      poses.push_back(
          is_there ? std::optional(thing.X_WB[static_cast<std::size_t>(frame)])
                   : std::nullopt);
    }
    AddPart(PartOf(thing), poses, samples);
  }
}

/// A piece of the floor where an event has moved it.
void AddFloor(const figure::EditResult& result, ShowSamples& samples) {
  std::vector<std::optional<Transform>> poses;
  const Transform& level = result.frames.front().X_WF;
  bool moves = false;
  for (std::size_t k = 0; k < samples.num_frames; ++k) {
    Transform X_WF =
        result.frames[FrameAt(result, static_cast<double>(k) / samples.rate_hz)]
            .X_WF;
    const bool is_level =
        X_WF.p.y() == level.p.y() && AngleBetween(X_WF.R, level.R) == 0.0;
    moves = moves || !is_level;
    X_WF.p -= X_WF.R * Vector3(0.0, 0.006, 0.0);
    poses.push_back(is_level ? std::nullopt : std::optional(X_WF));
  }
  if (!moves) return;
  viewer::Part part;
  part.name = "floor";
  part.shape.kind = viewer::PartShape::Kind::kBox;
  part.shape.size = Vector3(kFloorSize, 0.01, kFloorSize);
  part.colour = viewer::Colour(0.60, 0.60, 0.56);
  part.opacity = 0.6;
  AddPart(part, poses, samples);
}

}  // namespace

std::optional<PlayerRecording> RecordEdit(
    const figure::EditResult& result, const figure::Motion& clip,
    const std::shared_ptr<const figure::FigureModel>& model,
    const std::vector<figure::EditEvent>& events) {
  std::optional<PlayerRecording> recording = RecordClips(
      "The edited clip, and the clip before",
      {{"Result", &result.motion, model}, {"Source", &clip, model}});
  if (!recording) return recording;
  recording->events = EventsForPlayer(events, *model, clip.duration());
  // Physics knows where feet carry the body: no need of the clip's stances.
  for (PlayerActor& actor : recording->actors) {
    for (std::vector<Sign>& signs : actor.samples.signs) signs.clear();
  }
  ShowSamples& samples = recording->actors.front().samples;
  samples.force_scale =
      viewer::RoundForceScale(model->total_mass() * kGravity, samples.radius);
  EventSigns shown(events, clip.duration());
  for (std::size_t k = 0; k < samples.num_frames; ++k) {
    const double time = static_cast<double>(k) / samples.rate_hz;
    const std::size_t frame = FrameAt(result, time);
    const std::vector<Transform> X_WB =
        SegmentsAt(result.motion, *model, frame);
    AddContacts(result.frames[frame], X_WB, samples.force_scale,
                samples.signs[k]);
    shown.Add(time, X_WB, samples.signs[k]);
  }
  AddThings(result, samples);
  AddFloor(result, samples);
  return recording;
}

}  // namespace limber::app
