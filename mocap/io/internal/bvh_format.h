// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "figure/channel_layout.h"

namespace limber::mocap::internal {

/// "Xposition", "Zrotation", ...
std::string_view BvhChannelName(const figure::Channel& channel);

/// Sets kind and axis from a channel's name, letter case ignored; false when it
/// is no channel name.
bool ParseBvhChannelName(std::string_view name, figure::Channel& channel);

/// The rate [Hz] of a positive frame time [s] given as `text` with the value
/// `period`; see `ParseBvh`.
double RateFromPeriod(std::string_view text, double period);

/// Whether a frame time [s] is one in milliseconds: nobody films a person once
/// in 4 to 100 seconds, but every 4 to 100 milliseconds.
bool IsInMilliseconds(double period);

/// Whether a reader takes this frame time for the rate that it says.
bool ReadsAsRate(std::string_view period_text);

/// A frame time that `RateFromPeriod` turns into exactly `rate_hz`, in as few
/// digits as keep it correct to 1e-9.
std::string PeriodText(double rate_hz);

}  // namespace limber::mocap::internal
