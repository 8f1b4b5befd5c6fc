// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/diagnostics.h"
#include "core/result.h"
#include "mocap/marker_take.h"

namespace limber::mocap::test {

/// Three markers over four frames with a gap, residuals, camera masks, two
/// analog channels at twice the rate, one header event and two group events.
/// Every number survives a C3D file of floats, and one of integers, exactly.
MarkerTake SmallTake();

/// Text of a small TRC file with NaN, blanks and an exponent.
std::string SmallTrc();

/// The first difference between two takes, or nothing when they hold the same:
/// labels, kinds, rate, first frame, unit, axes, gaps, camera masks, positions
/// (bit for bit), residuals (to a float's precision), analog channels and
/// samples (to 1e-12 of their range), events.
std::string Difference(const MarkerTake& a, const MarkerTake& b);

/// The first parameter of `before` that `after` lacks or has changed, apart
/// from those that describe the stored data and must follow it.
std::string LostParameter(const Metadata& before, const Metadata& after);

/// The kinds of all warnings, in their order.
std::vector<std::string> WarningKinds(const Diagnostics& diagnostics);

/// The only finding as it is printed, or all of them after "not one: ".
std::string OnlyFinding(const Result<MarkerTake>& result);

}  // namespace limber::mocap::test
