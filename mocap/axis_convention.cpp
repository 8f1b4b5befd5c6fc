// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/axis_convention.h"

#include <stdexcept>
#include <string>

namespace limber::mocap {

namespace {

int AxisIndex(SignedAxis axis) { return static_cast<int>(axis) / 2; }

double AxisSign(SignedAxis axis) {
  return static_cast<int>(axis) % 2 == 0 ? 1.0 : -1.0;
}

}  // namespace

std::string_view ToString(SignedAxis axis) {
  constexpr std::string_view kNames[] = {"+X", "-X", "+Y", "-Y", "+Z", "-Z"};
  return kNames[static_cast<int>(axis)];
}

std::optional<SignedAxis> ParseSignedAxis(std::string_view text) {
  const auto is_padding = [](char c) { return c == ' ' || c == '\0'; };
  while (!text.empty() && is_padding(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_padding(text.back())) text.remove_suffix(1);
  bool negative = false;
  if (text.size() == 2 && (text[0] == '+' || text[0] == '-')) {
    negative = text[0] == '-';
    text.remove_prefix(1);
  }
  if (text.size() != 1) return std::nullopt;
  constexpr std::string_view kLetters = "XYZxyz";
  const std::size_t letter = kLetters.find(text[0]);
  if (letter == std::string_view::npos) return std::nullopt;
  return static_cast<SignedAxis>(2 * (letter % 3) + (negative ? 1 : 0));
}

bool AxisConvention::IsValid() const {
  return AxisIndex(right) != AxisIndex(up);
}

Vector3 AxisConvention::ToInside(const Vector3& p_file) const {
  const AxisPermutation map = MakePermutation(*this);
  Vector3 p_inside;
  for (int i = 0; i < 3; ++i) p_inside[i] = map.sign[i] * p_file[map.index[i]];
  return p_inside;
}

Vector3 AxisConvention::FromInside(const Vector3& p_inside) const {
  const AxisPermutation map = MakePermutation(*this);
  Vector3 p_file;
  for (int i = 0; i < 3; ++i) p_file[map.index[i]] = map.sign[i] * p_inside[i];
  return p_file;
}

AxisPermutation MakePermutation(const AxisConvention& axes) {
  if (!axes.IsValid()) {
    throw std::invalid_argument(
        "axes: right " + std::string(ToString(axes.right)) + " and up " +
        std::string(ToString(axes.up)) + " are not at right angles");
  }
  AxisPermutation map;
  const int r = AxisIndex(axes.right);
  const int u = AxisIndex(axes.up);
  const int third = 3 - r - u;
  // e_r x e_u = +e_third for the cyclic pairs (X, Y), (Y, Z), (Z, X).
  const double cyclic = (r + 1) % 3 == u ? 1.0 : -1.0;
  map.index = {r, u, third};
  map.sign = {AxisSign(axes.right), AxisSign(axes.up),
              cyclic * AxisSign(axes.right) * AxisSign(axes.up)};
  return map;
}

}  // namespace limber::mocap
