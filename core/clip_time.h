// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/diagnostics.h"

namespace limber {

/// Rates of recordings of people: slower is a sequence of pictures, faster no
/// camera and no force plate is [Hz]. Readers doubt what lies outside.
inline constexpr double kSlowestRate = 1.0;
inline constexpr double kFastestRate = 10'000.0;

/// A day: longer clips are refused by the jobs that hold a clip as a whole
/// [s].
inline constexpr double kLongestClip = 86'400.0;

/// A day at 115 frames a second: no job makes more of anything per frame.
inline constexpr std::int64_t kMostFrames = 10'000'000;

/// How numbers of frames are rounded.
enum class Frames { kNearest, kDown, kUp };

/// The number of frames in `seconds`, the only way from time to frames.
/// Rounding down and up forgive a millionth of a frame.
/// @throws std::invalid_argument with both numbers, if one of them is negative
///         or not finite, the rate is zero or the result above `kMostFrames`.
std::int64_t FramesIn(double seconds, double rate_hz,
                      Frames rounding = Frames::kNearest);

/// Whether this is a rate of a recording, as the constants above say.
bool IsUsualRate(double rate_hz);

/// Adds the warning "rate-doubt" where it is none; `what` names the field that
/// says so ("Frame Time").
void DoubtRate(double rate_hz, const std::string& what, Place place,
               Diagnostics& diagnostics);

/// Why a job that needs the whole clip refuses this one; empty: it does not.
/// @param duration  from the first frame to the last [s].
std::string WhyNotWhole(double duration, double rate_hz);

/// A time for people: "0.4 s", "3.5 min", "2.5 h", "3171 years".
std::string TimeText(double seconds);

}  // namespace limber
