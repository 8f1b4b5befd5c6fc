// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/player/samples.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

namespace limber::app {

namespace {

/// More than an eye or a screen tells apart [Hz].
constexpr double kHighestRate = 60.0;
/// Below it the player would cut the corners of a walk [Hz].
constexpr double kLowestRate = 15.0;
/// Poses that a page holds: about 3 MB where nothing stands still.
constexpr double kMostPoses = 400'000.0;

/// Whether each part is seen, with or without bones.
std::vector<char> SeenAt(viewer::Show& show, double time, bool bones,
                         viewer::Picture& picture) {
  viewer::Layers layers = show.layers();
  layers.bones = bones;
  layers.forces = true;
  layers.contacts = true;
  show.SetLayers(layers);
  picture.Clear();
  show.Draw(time, picture);
  std::vector<char> seen;
  for (const Transform& X : picture.poses) seen.push_back(!viewer::IsHidden(X));
  return seen;
}

std::vector<PartLayer> LayersOf(viewer::Show& show) {
  viewer::Picture picture;
  const std::vector<char> bodies = SeenAt(show, 0.0, false, picture);
  const std::vector<char> bones = SeenAt(show, 0.0, true, picture);
  std::vector<PartLayer> layers;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    layers.push_back(bodies[i] == bones[i] ? PartLayer::kBoth
                     : bodies[i] != 0      ? PartLayer::kBody
                                           : PartLayer::kBone);
  }
  return layers;
}

/// Adds what is seen at `time`; hidden parts stay where they were seen last.
void AddFrame(viewer::Show& show, double time, bool has_bones,
              ShowSamples& samples) {
  viewer::Picture with_bones;
  viewer::Picture picture;
  std::vector<char> bones;
  if (has_bones) bones = SeenAt(show, time, true, with_bones);
  const std::vector<char> bodies = SeenAt(show, time, false, picture);
  const std::size_t count = samples.parts.size();
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_bone = samples.layers[i] == PartLayer::kBone;
    const bool seen = (is_bone ? bones[i] : bodies[i]) != 0;
    samples.seen.push_back(seen);
    if (seen) {
      samples.poses.push_back((is_bone ? with_bones : picture).poses[i]);
    } else {
      samples.poses.push_back(
          samples.poses.size() < count
              ? Transform()
              : samples.poses[samples.poses.size() - count]);
    }
  }
  samples.lines.push_back(std::move(picture.lines));
  samples.signs.push_back(std::move(picture.signs));
  samples.centre.push_back(show.Centre(time));
}

/// Parts that are never seen, as the balls of a cannon that nobody fires.
void LeaveOutUnseen(ShowSamples& samples) {
  const std::size_t count = samples.parts.size();
  std::vector<std::size_t> seen;
  for (std::size_t i = 0; i < count; ++i) {
    bool is_seen = false;
    for (std::size_t k = 0; k < samples.num_frames && !is_seen; ++k) {
      is_seen = samples.is_seen(k, i);
    }
    if (is_seen) seen.push_back(i);
  }
  ShowSamples kept = samples;
  kept.parts.clear();
  kept.layers.clear();
  kept.poses.clear();
  kept.seen.clear();
  for (const std::size_t i : seen) {
    kept.parts.push_back(samples.parts[i]);
    kept.layers.push_back(samples.layers[i]);
  }
  for (std::size_t k = 0; k < samples.num_frames; ++k) {
    for (const std::size_t i : seen) {
      kept.poses.push_back(samples.pose(k, i));
      kept.seen.push_back(samples.is_seen(k, i));
    }
  }
  samples = std::move(kept);
}

}  // namespace

std::optional<SampleTimes> TimesFor(double duration, double rate_hz,
                                    std::size_t num_parts) {
  SampleTimes times;
  times.rate_hz = rate_hz / std::max(1.0, std::ceil(rate_hz / kHighestRate));
  const double most =
      kMostPoses / static_cast<double>(std::max<std::size_t>(num_parts, 1));
  while (duration * times.rate_hz + 1.0 > most &&
         times.rate_hz >= 2.0 * kLowestRate) {
    times.rate_hz *= 0.5;
  }
  const double frames = std::floor(duration * times.rate_hz + 1e-6) + 1.0;
  if (most < 2.0) return std::nullopt;
  times.is_whole = frames <= most;
  times.num_frames = static_cast<std::size_t>(std::min(frames, most));
  return times;
}

ShowSamples SampleShow(viewer::Show& show, const SampleTimes& times) {
  ShowSamples samples;
  samples.rate_hz = times.rate_hz;
  samples.num_frames = times.num_frames;
  samples.parts = show.parts();
  samples.layers = LayersOf(show);
  const bool has_bones =
      std::ranges::count(samples.layers, PartLayer::kBone) > 0;
  for (std::size_t k = 0; k < times.num_frames; ++k) {
    const double time = static_cast<double>(k) / times.rate_hz;
    AddFrame(show, time, has_bones, samples);
  }
  samples.radius = show.Radius();
  samples.force_scale = show.force_scale();
  LeaveOutUnseen(samples);
  return samples;
}

void AddPart(const viewer::Part& part,
             const std::vector<std::optional<Transform>>& poses,
             ShowSamples& samples) {
  if (poses.size() != samples.num_frames) {
    throw std::invalid_argument("AddPart: there are " +
                                std::to_string(samples.num_frames) +
                                " frames, not " + std::to_string(poses.size()));
  }
  const std::size_t before = samples.parts.size();
  std::vector<Transform> all;
  std::vector<char> seen;
  // Where it is not seen it stays where it was, or waits where it will be.
  Transform last;
  for (const std::optional<Transform>& X : poses) {
    if (!X) continue;
    last = *X;
    break;
  }
  for (std::size_t k = 0; k < poses.size(); ++k) {
    for (std::size_t i = 0; i < before; ++i) {
      all.push_back(samples.pose(k, i));
      seen.push_back(samples.is_seen(k, i));
    }
    if (poses[k]) last = *poses[k];
    all.push_back(last);
    seen.push_back(poses[k].has_value());
  }
  samples.parts.push_back(part);
  samples.layers.push_back(PartLayer::kBoth);
  samples.poses = std::move(all);
  samples.seen = std::move(seen);
}

Vector3 ForwardOf(const ShowSamples& samples) {
  constexpr double kGoes = 0.5;  // Less is shifting one's weight [m].
  Vector3 way = samples.centre.back() - samples.centre.front();
  way.y() = 0.0;
  return way.norm() > kGoes ? Vector3(way.normalized()) : Vector3::UnitZ();
}

}  // namespace limber::app
