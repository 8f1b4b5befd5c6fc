// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/player/packing.h"
#include "app/player/recording.h"
#include "app/player/samples.h"

namespace limber::app {

/// The signs of an actor (viewer::Sign) for a page:
///
///     low, step  a number v of a place means low + step (v + 32768) [m]
///     reach      a number v of an arrow means reach v [m]
///     slots      kind ("arrow", "touch", "target"), colour, force (whether it
///                is one), hidden spans; three channels of places each, and
///                three more of an arrow
///     left_out   how many signs of forces are not on the page
///
/// Contacts of one pair of bodies are one sign, in the middle of their forces.
/// Places and arrows are as fine as a thousandth of the actor's radius, about a
/// pixel.
/// @param most  signs of forces; of more, those stay that sum up to most.
nlohmann::ordered_json PackMarks(const ShowSamples& samples, std::size_t most,
                                 PackedChannels& packed);

/// What the signs mean, each with kind, colour and text; only those that occur.
/// @param left_out  how many signs are not on the page.
nlohmann::ordered_json MarksLegend(const std::vector<PlayerActor>& actors,
                                   std::size_t left_out);

}  // namespace limber::app
