// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "core/math.h"

namespace limber::mocap {

/// One of the six directions along the axes of a file.
enum class SignedAxis { kPlusX, kMinusX, kPlusY, kMinusY, kPlusZ, kMinusZ };

/// "+X", "-X", ... "-Z".
std::string_view ToString(SignedAxis axis);

/// Reads "+Z", "-z", "Z"; blanks and NULs around it are ignored. Anything else
/// gives nothing.
std::optional<SignedAxis> ParseSignedAxis(std::string_view text);

/// How the axes of a right-handed file lie: which of them points right and
/// which up for somebody who looks at the scene. Inside Limber right is +X, up
/// is +Y, and +Z comes towards the viewer, so with r, u the unit vectors of
/// `right` and `up` in file axes
///
///     p_inside = (r·p_file, u·p_file, (r x u)·p_file)
///
/// which is a signed permutation: exact, and undone exactly.
struct AxisConvention {
  SignedAxis right = SignedAxis::kPlusX;
  SignedAxis up = SignedAxis::kPlusY;

  static AxisConvention YUp() { return {}; }
  static AxisConvention ZUp() {
    return {SignedAxis::kPlusX, SignedAxis::kPlusZ};
  }

  /// Whether right and up are at right angles. The conversions ask for this.
  bool IsValid() const;
  Vector3 ToInside(const Vector3& p_file) const;
  Vector3 FromInside(const Vector3& p_inside) const;

  bool operator==(const AxisConvention&) const = default;
};

/// The same conversion as a table: inside axis i is `sign[i]` times file axis
/// `index[i]`.
struct AxisPermutation {
  std::array<int, 3> index = {0, 1, 2};
  std::array<double, 3> sign = {1.0, 1.0, 1.0};
};

/// @throws std::invalid_argument naming the axes if they are not valid.
AxisPermutation MakePermutation(const AxisConvention& axes);

}  // namespace limber::mocap
