// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/player/samples.h"
#include "core/math.h"

namespace limber::app {

/// Something that happens while a motion plays, for its time line.
struct PlayerEvent {
  double from = 0.0;  ///< [s]
  double to = 0.0;    ///< [s], not before `from`.
  std::string text;   ///< "push chest 60 N s"
  /// Parts of the first actor by their names, in this colour while it lasts.
  std::vector<std::string> parts = {};
  viewer::Colour colour = viewer::palette::kIdle;
};

/// Somebody on the stage.
struct PlayerActor {
  std::string name;    ///< "Result", "Source": what a switch is called.
  bool ghost = false;  ///< Can be hidden, or put beside the first.
  ShowSamples samples;
  /// A GLB that is seen instead of the bodies, in the animation of this index
  /// (-1: the last); empty: none.
  std::string character = {};
  int animation = -1;
};

/// What the player shows: actors on one clock, and what happens to the first.
/// All actors have the same times.
struct PlayerRecording {
  std::string title;
  std::vector<PlayerActor> actors;  ///< At least one.
  std::vector<PlayerEvent> events = {};
  /// Said below the picture: "the first 400 s of 612 s".
  std::string note = {};
};

/// The recording as web/src/recording.js reads it. Of an actor:
///
///     tracks  parent, p (fixed place, or {low, step} of three channels), q
///             (fixed w x y z, or "moving": four channels), hidden spans
///     parts   track, X (p and w x y z in the track), shape, colour, layer
///     links   lines from the origin of one track to that of another
///     lines   {low, step, slots}: six channels a slot
///     marks   {low, step, reach, slots} (app/player/marks.h)
///     centre  a track
///     character  {glb, animation}: a GLB, deflated, in base64
///     data    the channels in this order (app/player/packing.h)
///
/// A number v of a channel of places means low + step (v + 32768) [m]. Of the
/// whole: `events`, and `legend`, the signs of the picture and what they mean.
nlohmann::ordered_json ToJson(const PlayerRecording& recording);

}  // namespace limber::app
