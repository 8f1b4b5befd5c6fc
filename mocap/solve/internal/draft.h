// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "mocap/solve/calibrate.h"
#include "mocap/solve/identify.h"
#include "mocap/solve/landmarks.h"

namespace limber::mocap::internal {

/// The least body that can be solved, and how many of its markers must be on
/// pelvis, trunk or thighs.
inline constexpr int kLeastMarkers = 8;
inline constexpr int kLeastCore = 3;
/// Frames over which motion is compared.
inline constexpr int kMotionFrames = 120;

/// A column of the take on its way to a segment.
struct Draft {
  int column = 0;
  bool is_known = false;
  SetMarker marker;
  MarkerOrigin origin;
  std::vector<LabelReading> readings;
};

/// Places as the set has them where the labels are those of one, and as the
/// words say elsewhere. `recognised` may be null.
std::vector<Draft> ReadLabels(const MarkerTake& take,
                              const std::vector<NamedColumn>& columns,
                              const RecognisedSet* recognised);

/// All tracks that are seen long enough, without what their labels say.
std::vector<Draft> NamelessDrafts(const MarkerTake& take,
                                  const std::vector<NamedColumn>& columns);

int CountKnown(std::span<const Draft> drafts);
/// Of these on pelvis, trunk or thighs.
int CountCore(std::span<const Draft> drafts);
inline bool IsEnough(std::span<const Draft> drafts) {
  return CountKnown(drafts) >= kLeastMarkers && CountCore(drafts) >= kLeastCore;
}

/// The same place on the other side.
void Mirror(SetMarker& marker);

/// The tracks of all drafts in many frames, one column per draft.
Observations TracksOf(const MarkerTake& take, std::span<const Draft> drafts,
                      const Quaternion& R_turned);
Observations FramesOf(const Observations& all,
                      std::span<const std::int64_t> frames);

/// The known markers as something that can be calibrated.
PreparedTake KnownPart(std::span<const Draft> drafts,
                       const Observations& tracks, double rate_hz);

/// "12 mm", "85 %", "a, b and 3 more".
std::string Millimetres(double metres);
std::string Percent(double share);
std::string List(const std::vector<std::string>& words, std::size_t most);

}  // namespace limber::mocap::internal
