// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/internal/npz_need.h"

#include <algorithm>
#include <cmath>

#include "core/clip_time.h"
#include "mocap/io/internal/scene_joints.h"

namespace limber::mocap::internal {

bool CheckFinite(const NumberArray& array, Diagnostics& diagnostics) {
  const auto bad = std::ranges::find_if(array.numbers, [](double number) {
    return !(std::abs(number) <= kLargestPlace);
  });
  if (bad == array.numbers.end()) return true;
  const auto at = std::uint64_t(bad - array.numbers.begin());
  const std::uint64_t per_frame =
      array.numbers.size() / std::max<std::uint64_t>(array.shape[0], 1);
  diagnostics.Error("not-finite", {},
                    array.name + ".npy: row " + std::to_string(at / per_frame) +
                        ", number " + std::to_string(at % per_frame) +
                        ": expected a number up to 1e9, found " +
                        std::to_string(*bad));
  return false;
}

std::optional<NumberArray> NeedNumbers(
    std::string_view name, std::initializer_list<std::uint64_t> shape,
    NpyReader& reader, Diagnostics& diagnostics) {
  if (!reader.Has(name)) {
    diagnostics.Error("missing-member", {},
                      "expected the member " + std::string(name) + ".npy");
    return std::nullopt;
  }
  std::optional<NumberArray> array = reader.Numbers(name);
  if (!array) return std::nullopt;
  const bool fits =
      array->shape.size() == shape.size() &&
      std::ranges::equal(array->shape, shape,
                         [](std::uint64_t found, std::uint64_t wanted) {
                           return wanted == kAny || found == wanted;
                         });
  if (!fits) {
    std::string wanted;
    for (const std::uint64_t extent : shape) {
      wanted += (wanted.empty() ? "" : ", ") +
                (extent == kAny ? "any" : std::to_string(extent));
    }
    diagnostics.Error("shape", {},
                      std::string(name) + ".npy: expected the shape (" +
                          wanted + "), found " + ShapeText(array->shape));
    return std::nullopt;
  }
  if (!CheckFinite(*array, diagnostics)) return std::nullopt;
  return array;
}

std::optional<double> NeedRate(const NpzReadOptions& options, NpyReader& reader,
                               Diagnostics& diagnostics) {
  if (options.rate_hz) return options.rate_hz;
  for (const char* name :
       {"rate", "fps", "mocap_framerate", "mocap_frame_rate"}) {
    if (!reader.Has(name)) continue;
    const std::optional<NumberArray> array = reader.Numbers(name);
    if (!array) return std::nullopt;
    const double rate = array->numbers.size() == 1 ? array->numbers[0] : 0.0;
    if (!(rate > 0.0) || !std::isfinite(rate)) {
      diagnostics.Error("no-rate", {},
                        std::string(name) +
                            ".npy: expected one positive number, found " +
                            (array->numbers.size() == 1
                                 ? std::to_string(rate)
                                 : "the shape " + ShapeText(array->shape)));
      return std::nullopt;
    }
    DoubtRate(rate, std::string(name) + ".npy", {}, diagnostics);
    return rate;
  }
  diagnostics.Error("no-rate", {},
                    "expected frames per second in the member rate, fps, "
                    "mocap_framerate or mocap_frame_rate; --rate says them");
  return std::nullopt;
}

}  // namespace limber::mocap::internal
