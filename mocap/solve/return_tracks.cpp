// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/return_tracks.h"

#include <optional>
#include <string>
#include <vector>

#include "mocap/solve/marker_set.h"

namespace limber::mocap {

namespace {

/// An exchange shortens the way from the frame before by more than this [m] and
/// to less than half. Markers of two people come nearer to each other than that
/// only where they touch.
constexpr double kShortens = 0.1;
/// Points of longer ago than this say nothing about now [s].
constexpr double kForgets = 0.25;

/// Whether a and b have each other's points, per frame. Frames in which one of
/// them is not seen go with the frame before.
std::vector<bool> FindExchanged(const MarkerTake& take, int a, int b) {
  std::vector<bool> is_exchanged(std::size_t(take.num_frames()), false);
  const auto memory = std::int64_t(kForgets * take.rate_hz()) + 1;
  std::optional<std::int64_t> last;
  bool exchanged = false;
  for (std::int64_t t = 0; t < take.num_frames(); ++t) {
    if (take.IsVisible(t, a) && take.IsVisible(t, b)) {
      if (last && t - *last <= memory) {
        const Vector3 a0 = take.Position(*last, a);
        const Vector3 b0 = take.Position(*last, b);
        const Vector3 a1 = take.Position(t, a);
        const Vector3 b1 = take.Position(t, b);
        const double stays = (a1 - a0).norm() + (b1 - b0).norm();
        const double crosses = (a1 - b0).norm() + (b1 - a0).norm();
        if (crosses < 0.5 * stays && stays - crosses > kShortens) {
          exchanged = !exchanged;
        }
      }
      last = t;
    }
    is_exchanged[std::size_t(t)] = exchanged;
  }
  // Which of the two is whose is not known: most frames are.
  std::int64_t count = 0;
  for (const bool one : is_exchanged) count += one ? 1 : 0;
  if (2 * count > take.num_frames()) is_exchanged.flip();
  return is_exchanged;
}

void Exchange(MarkerTake& take, std::int64_t t, int a, int b) {
  const bool has_a = take.IsVisible(t, a);
  const bool has_b = take.IsVisible(t, b);
  const Vector3 of_a = take.Position(t, a);
  const Vector3 of_b = take.Position(t, b);
  if (has_b) take.SetPosition(t, a, of_b);
  if (has_a) take.SetPosition(t, b, of_a);
  if (!has_b) take.SetMissing(t, a);
  if (!has_a) take.SetMissing(t, b);
}

void ReturnPair(MarkerTake& take, int a, int b, Diagnostics& diagnostics) {
  const std::vector<bool> is_exchanged = FindExchanged(take, a, b);
  for (std::int64_t t = 0; t < take.num_frames(); ++t) {
    if (!is_exchanged[std::size_t(t)]) continue;
    const bool begins = t == 0 || !is_exchanged[std::size_t(t - 1)];
    if (begins) {
      std::int64_t end = t;
      while (end < take.num_frames() && is_exchanged[std::size_t(end)]) ++end;
      diagnostics.Warning("tracks-exchanged", {},
                          take.labels()[a] + " and " + take.labels()[b] +
                              " have each other's points in frames " +
                              std::to_string(t) + " to " +
                              std::to_string(end - 1) + "; changed back");
    }
    Exchange(take, t, a, b);
  }
}

}  // namespace

void ReturnTracks(MarkerTake& take, Diagnostics& diagnostics) {
  for (int a = 0; a < take.num_markers(); ++a) {
    const std::string& label = take.labels()[a];
    if (take.kind(a) != PointKind::kMarker || IsUnlabelled(label)) continue;
    for (int b = a + 1; b < take.num_markers(); ++b) {
      const std::string& other = take.labels()[b];
      if (take.kind(b) == PointKind::kMarker &&
          SubjectOf(label) != SubjectOf(other) &&
          PlainLabel(label) == PlainLabel(other)) {
        ReturnPair(take, a, b, diagnostics);
      }
    }
  }
}

}  // namespace limber::mocap
