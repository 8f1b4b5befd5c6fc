// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mocap/marker_take.h"

namespace limber::mocap::internal {

/// What the parameters of a C3D file mean. The reader fills a take from these;
/// the writer asks them again and leaves a parameter as it is when it already
/// says what the take says. That is how a rewrite keeps every parameter.

/// The strings of GROUP:NAME, NAME2, NAME3, ... together, at most `limit`.
std::vector<std::string> ContinuedStrings(const Metadata& metadata,
                                          std::string_view group,
                                          std::string_view name,
                                          std::size_t limit);

/// The same for numbers; `as_unsigned` is about 16-bit integers.
std::vector<double> ContinuedNumbers(const Metadata& metadata,
                                     std::string_view group,
                                     std::string_view name, std::size_t limit,
                                     bool as_unsigned = false);

/// `count` labels; points the file does not name are called "*1", "*2", ... by
/// their place, as Vicon does with unlabelled tracks.
std::vector<std::string> PointLabels(const Metadata& metadata,
                                     std::size_t count);
/// How many of the first `count` points the file names.
std::size_t CountNamedPoints(const Metadata& metadata, std::size_t count);

/// From the lists POINT:ANGLES, FORCES, MOMENTS, POWERS and SCALARS.
std::vector<PointKind> PointKinds(const Metadata& metadata,
                                  const std::vector<std::string>& labels);
struct KindList {
  PointKind kind;
  std::string_view parameter;
};
inline constexpr KindList kKindLists[] = {{PointKind::kAngle, "ANGLES"},
                                          {PointKind::kForce, "FORCES"},
                                          {PointKind::kMoment, "MOMENTS"},
                                          {PointKind::kPower, "POWERS"},
                                          {PointKind::kScalar, "SCALARS"}};

/// Axes by X_SCREEN (points right) and Y_SCREEN (points up): nothing when both
/// are absent; not valid when they make no sense.
struct ScreenAxes {
  bool present = false;
  std::optional<AxisConvention> axes;
};
ScreenAxes AxesOf(const Metadata& metadata);

/// POINT:UNITS without padding; nothing when absent or blank.
std::optional<std::string> UnitOf(const Metadata& metadata);

bool IsAnalogUnsigned(const Metadata& metadata);
/// `count` channels. A scale of zero or not finite would lose the samples and
/// is taken as 1.
std::vector<AnalogChannel> AnalogChannels(const Metadata& metadata,
                                          std::size_t count);

/// The events of the group EVENT. Its times count from frame number 1:
///
///     time_s = 60 minutes + seconds - (first_frame - 1) / rate
std::vector<TakeEvent> GroupEvents(const Metadata& metadata,
                                   std::int64_t first_frame, double rate_hz);

/// Whole frame number of TRIAL:ACTUAL_START_FIELD or ACTUAL_END_FIELD, which
/// are two 16-bit halves, low one first.
std::optional<std::int64_t> TrialField(const Metadata& metadata,
                                       std::string_view name);

}  // namespace limber::mocap::internal
