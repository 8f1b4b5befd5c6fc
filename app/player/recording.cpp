// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/player/recording.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "app/player/marks.h"
#include "app/player/packing.h"
#include "app/player/tracks.h"

namespace limber::app {

namespace {

using nlohmann::ordered_json;
using viewer::Line;
using viewer::Part;
using viewer::PartShape;

/// Numbers of a page end a thousandth of a millimetre after the point.
double Rounded(double value) { return std::round(value * 1e6) / 1e6; }

ordered_json Json(const Vector3& v) {
  return {Rounded(v.x()), Rounded(v.y()), Rounded(v.z())};
}

ordered_json Json(const Quaternion& q) {
  return {Rounded(q.w()), Rounded(q.x()), Rounded(q.y()), Rounded(q.z())};
}

/// Places as 16-bit numbers: p = low + step (v + 32768).
struct PlaceScale {
  Vector3 low = Vector3::Zero();
  Vector3 step = Vector3::Zero();

  template <typename Places>
  static PlaceScale Of(const Places& places) {
    constexpr double kMost = std::numeric_limits<double>::max();
    Vector3 low = Vector3::Constant(kMost);
    Vector3 high = Vector3::Constant(-kMost);
    for (const Vector3& p : places) {
      low = low.cwiseMin(p);
      high = high.cwiseMax(p);
    }
    if (low.x() > high.x()) return {};
    return {low, (high - low) / 65535.0};
  }

  std::int16_t Number(const Vector3& p, int axis) const {
    if (step[axis] <= 0.0) return -32768;
    const double v = std::round((p[axis] - low[axis]) / step[axis]) - 32768.0;
    return static_cast<std::int16_t>(std::clamp(v, -32768.0, 32767.0));
  }

  ordered_json ToJson() const {
    // A step needs all its figures: it is multiplied by up to 65535.
    return {{"low", Json(low)}, {"step", {step.x(), step.y(), step.z()}}};
  }
};

/// Less than a tenth of what 16 bits tell apart.
constexpr double kNoMove = 1e-6;  // [m]
constexpr double kNoTurn = 3e-6;  // [rad]

/// Adds the channels of a path of poses, and says how they are stored.
ordered_json PackPath(const std::vector<Transform>& poses,
                      PackedChannels& packed) {
  ordered_json json;
  std::vector<Vector3> places;
  bool turns = false;
  double moves = 0.0;
  for (const Transform& X : poses) {
    places.push_back(X.p);
    moves = std::max(moves, (X.p - poses[0].p).norm());
    turns = turns || AngleBetween(X.R, poses[0].R) > kNoTurn;
  }
  if (moves < kNoMove) {
    json["p"] = Json(poses[0].p);
  } else {
    const PlaceScale scale = PlaceScale::Of(places);
    json["p"] = scale.ToJson();
    for (int axis = 0; axis < 3; ++axis) {
      std::vector<std::int16_t> channel;
      for (const Vector3& p : places) channel.push_back(scale.Number(p, axis));
      packed.Add(channel);
    }
  }
  if (!turns) {
    json["q"] = Json(poses[0].R);
    return json;
  }
  json["q"] = "moving";
  std::array<std::vector<std::int16_t>, 4> channels;
  Quaternion before = poses[0].R;
  for (const Transform& X : poses) {
    // Of q and -q the one next to its neighbour.
    Quaternion q = X.R;
    if (q.dot(before) < 0.0) q.coeffs() = -q.coeffs();
    before = q;
    const std::array<double, 4> numbers = {q.w(), q.x(), q.y(), q.z()};
    for (std::size_t i = 0; i < 4; ++i) {
      channels[i].push_back(
          static_cast<std::int16_t>(std::lround(32767.0 * numbers[i])));
    }
  }
  for (const std::vector<std::int16_t>& channel : channels) packed.Add(channel);
  return json;
}

const char* Name(PartShape::Kind kind) {
  switch (kind) {
    case PartShape::Kind::kBox:
      return "box";
    case PartShape::Kind::kCapsule:
      return "capsule";
    case PartShape::Kind::kCylinder:
      return "cylinder";
    case PartShape::Kind::kEllipsoid:
      return "ellipsoid";
    case PartShape::Kind::kSphere:
      break;
  }
  return "sphere";
}

const char* Name(PartLayer layer) {
  return layer == PartLayer::kBody   ? "body"
         : layer == PartLayer::kBone ? "bone"
                                     : "all";
}

ordered_json PartJson(const Part& part, PartLayer layer, int track,
                      const Transform& X_TS) {
  ordered_json pose = Json(X_TS.p);
  for (const ordered_json& number : Json(X_TS.R)) pose.push_back(number);
  ordered_json json = {{"name", part.name},
                       {"track", track},
                       {"kind", Name(part.shape.kind)},
                       {"X", std::move(pose)},
                       {"colour", Json(part.colour)},
                       {"opacity", Rounded(part.opacity)},
                       {"layer", Name(layer)}};
  if (part.shape.radius > 0.0) json["radius"] = Rounded(part.shape.radius);
  if (part.shape.length > 0.0) json["length"] = Rounded(part.shape.length);
  if (part.shape.size.norm() > 0.0) json["size"] = Json(part.shape.size);
  return json;
}

using Place = std::tuple<double, double, double>;
Place PlaceOf(const Vector3& p) { return {p.x(), p.y(), p.z()}; }
using LookOf = std::tuple<double, double, double, bool>;
LookOf Look(const Line& line) {
  return {line.colour.x(), line.colour.y(), line.colour.z(), line.on_top};
}

/// Lines of a show: those that join two parts need no numbers of their own.
class LineMaker {
 public:
  LineMaker(const ShowSamples& samples, const PartTracks& tracks)
      : samples_(samples), tracks_(tracks) {
    for (std::size_t k = 0; k < samples.num_frames; ++k) AddFrame(k);
  }

  ordered_json Links() const {
    ordered_json json = ordered_json::array();
    for (const auto& [key, line] : links_) {
      json.push_back(
          {{"a", key.first}, {"b", key.second}, {"colour", Json(line.colour)}});
    }
    return json;
  }

  ordered_json Pack(PackedChannels& packed) const {
    std::vector<Vector3> ends;
    for (const auto& [key, slot] : slots_) {
      for (const Line& line : slot.lines) {
        ends.push_back(line.begin);
        ends.push_back(line.end);
      }
    }
    const PlaceScale scale = PlaceScale::Of(ends);
    ordered_json json = scale.ToJson();
    json["slots"] = ordered_json::array();
    for (const auto& [key, slot] : slots_) {
      json["slots"].push_back(
          {{"colour", Json(slot.lines.front().colour)},
           {"hidden", SpansWithout(slot.frames, samples_.num_frames)}});
      for (int number = 0; number < 6; ++number) {
        packed.Add(Channel(slot, scale, number));
      }
    }
    return json;
  }

 private:
  /// The n-th line of one look: seen in some frames.
  struct Slot {
    std::vector<std::size_t> frames;
    std::vector<Line> lines;
  };

  void AddFrame(std::size_t frame) {
    // The tracks whose origins lie exactly at a place.
    std::map<Place, int> origins;
    for (std::size_t i = 0; i < samples_.parts.size(); ++i) {
      if (!samples_.is_seen(frame, i) || samples_.parts[i].body >= 0) continue;
      origins.emplace(PlaceOf(samples_.pose(frame, i).p),
                      tracks_.track_of_part[i]);
    }
    std::map<LookOf, int> counts;
    for (const Line& line : samples_.lines[frame]) {
      const auto a = origins.find(PlaceOf(line.begin));
      const auto b = origins.find(PlaceOf(line.end));
      if (a != origins.end() && b != origins.end() && a->second != b->second) {
        links_.emplace(std::pair(a->second, b->second), line);
        continue;
      }
      Slot& slot = slots_[{Look(line), counts[Look(line)]++}];
      slot.frames.push_back(frame);
      slot.lines.push_back(line);
    }
  }

  std::vector<std::int16_t> Channel(const Slot& slot, const PlaceScale& scale,
                                    int number) const {
    std::vector<std::int16_t> channel;
    std::size_t next = 0;
    for (std::size_t k = 0; k < samples_.num_frames; ++k) {
      if (next + 1 < slot.frames.size() && slot.frames[next + 1] <= k) ++next;
      const Line& line = slot.lines[next];
      channel.push_back(
          scale.Number(number < 3 ? line.begin : line.end, number % 3));
    }
    return channel;
  }

  const ShowSamples& samples_;
  const PartTracks& tracks_;
  std::map<std::pair<int, int>, Line> links_;
  std::map<std::pair<LookOf, int>, Slot> slots_;
};

ordered_json ActorJson(const PlayerActor& actor, const PartTracks& found) {
  const ShowSamples& samples = actor.samples;
  PackedChannels packed(samples.num_frames);
  ordered_json json = {{"name", actor.name}, {"ghost", actor.ghost}};
  json["tracks"] = ordered_json::array();
  for (const PoseTrack& track : found.tracks) {
    ordered_json path = PackPath(track.poses, packed);
    path["parent"] = track.parent;
    if (!track.hidden.empty()) path["hidden"] = track.hidden;
    json["tracks"].push_back(std::move(path));
  }
  json["parts"] = ordered_json::array();
  for (std::size_t i = 0; i < samples.parts.size(); ++i) {
    json["parts"].push_back(PartJson(samples.parts[i], samples.layers[i],
                                     found.track_of_part[i], found.X_TS[i]));
  }
  const LineMaker lines(samples, found);
  json["links"] = lines.Links();
  json["lines"] = lines.Pack(packed);
  json["marks"] = PackMarks(samples, found.tracks.size(), packed);
  std::vector<Transform> centre;
  for (const Vector3& p : samples.centre) {
    centre.push_back({Quaternion::Identity(), p});
  }
  json["centre"] = PackPath(centre, packed);
  json["centre"]["parent"] = -1;
  json["data"] = packed.ToBase64();
  if (!actor.character.empty()) {
    json["character"] = {{"glb", Base64(Deflate(actor.character))},
                         {"animation", actor.animation}};
  }
  return json;
}

ordered_json EventJson(const PlayerEvent& event, const ShowSamples& samples) {
  ordered_json json = {{"from", Rounded(event.from)},
                       {"to", Rounded(event.to)},
                       {"text", event.text}};
  if (event.parts.empty()) return json;
  json["colour"] = Json(event.colour);
  json["parts"] = ordered_json::array();
  for (std::size_t i = 0; i < samples.parts.size(); ++i) {
    const std::string& name = samples.parts[i].name;
    if (std::ranges::find(event.parts, name) != event.parts.end()) {
      json["parts"].push_back(i);
    }
  }
  return json;
}

}  // namespace

ordered_json ToJson(const PlayerRecording& recording) {
  const ShowSamples& first = recording.actors.front().samples;
  ordered_json json = {{"title", recording.title},
                       {"rate", first.rate_hz},
                       {"frames", first.num_frames}};
  double radius = 0.0;
  std::size_t left_out = 0;
  ordered_json actors = ordered_json::array();
  ordered_json events = ordered_json::array();
  for (const PlayerEvent& event : recording.events) {
    events.push_back(EventJson(event, first));
  }
  for (const PlayerActor& actor : recording.actors) {
    const PartTracks tracks = FindTracks(actor.samples);
    radius = std::max(radius, actor.samples.radius);
    actors.push_back(ActorJson(actor, tracks));
    left_out += actors.back()["marks"]["left_out"].get<std::size_t>();
  }
  json["radius"] = Rounded(radius);
  json["forward"] = Json(ForwardOf(first));
  json["events"] = std::move(events);
  json["legend"] = MarksLegend(recording.actors, left_out);
  json["actors"] = std::move(actors);
  return json;
}

}  // namespace limber::app
