// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/dynamic/strength.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>

namespace limber::figure {

namespace {

void CheckNumber(const char* field, double value, bool may_be_infinite) {
  if (value >= 0.0 && (may_be_infinite || std::isfinite(value))) return;
  throw std::invalid_argument(std::string("Strength: ") + field +
                              " must be zero or positive, is " +
                              std::to_string(value));
}

double Compressed(double torque) {
  return std::isinf(torque) ? 1.0 : torque / (1.0 + torque);
}

double Expanded(double y) {
  return y >= 1.0 ? std::numeric_limits<double>::infinity() : y / (1.0 - y);
}

}  // namespace

Strength Strength::Kinematic() {
  return {std::numeric_limits<double>::infinity(), 0.0, 0.0, 0.0};
}

Strength Strength::Powered(double share) { return {share, 0.03, 0.0, 0.0}; }

Strength Strength::Stiff() { return {3.0, 0.015, 0.0, 0.0}; }

Strength Strength::Loose() { return {0.08, 0.25, 0.0, 0.0}; }

Strength Strength::Limp() { return {0.0, 0.25, 0.02, 0.0}; }

void Validate(const Strength& strength) {
  CheckNumber("torque", strength.torque, true);
  CheckNumber("time_constant", strength.time_constant, false);
  CheckNumber("friction", strength.friction, false);
  CheckNumber("damping", strength.damping, false);
}

double SmoothStep(double x) {
  const double u = std::clamp(x, 0.0, 1.0);
  return u * u * u * (10.0 + u * (6.0 * u - 15.0));
}

Strength Blend(const Strength& a, const Strength& b, double x) {
  if (x <= 0.0) return a;
  if (x >= 1.0) return b;
  const auto mix = [x](double from, double to) {
    return from + x * (to - from);
  };
  Strength strength;
  strength.torque = Expanded(mix(Compressed(a.torque), Compressed(b.torque)));
  strength.time_constant = mix(a.time_constant, b.time_constant);
  strength.friction = mix(a.friction, b.friction);
  strength.damping = mix(a.damping, b.damping);
  return strength;
}

StrengthSchedule::StrengthSchedule(int num_segments, const Strength& initial) {
  if (num_segments < 1) {
    throw std::invalid_argument(
        "StrengthSchedule: num_segments must be positive, is " +
        std::to_string(num_segments));
  }
  Validate(initial);
  const Key first{-std::numeric_limits<double>::infinity(), 0.0, initial};
  keys_.assign(static_cast<std::size_t>(num_segments), {first});
}

void StrengthSchedule::Change(std::span<const int> segments, double start,
                              double duration, const Strength& strength) {
  Validate(strength);
  if (!(duration >= 0.0)) {
    throw std::invalid_argument(
        "StrengthSchedule: duration must be zero or positive, is " +
        std::to_string(duration));
  }
  for (const int s : segments) {
    if (s < 0 || s >= num_segments()) {
      throw std::invalid_argument("StrengthSchedule: there is no segment " +
                                  std::to_string(s));
    }
    std::vector<Key>& keys = keys_[static_cast<std::size_t>(s)];
    if (!(start >= keys.back().start)) {
      throw std::invalid_argument(
          "StrengthSchedule: start must not be before the last change, is " +
          std::to_string(start));
    }
    keys.push_back({start, duration, strength});
  }
}

void StrengthSchedule::ChangeAll(double start, double duration,
                                 const Strength& strength) {
  std::vector<int> all(keys_.size());
  std::iota(all.begin(), all.end(), 0);
  Change(all, start, duration, strength);
}

Strength StrengthSchedule::At(int segment, double time) const {
  const std::vector<Key>& keys = keys_[static_cast<std::size_t>(segment)];
  Strength strength = keys.front().strength;
  for (std::size_t k = 1; k < keys.size() && keys[k].start <= time; ++k) {
    const double x = keys[k].duration > 0.0
                         ? (time - keys[k].start) / keys[k].duration
                         : 1.0;
    strength = Blend(strength, keys[k].strength, SmoothStep(x));
  }
  return strength;
}

}  // namespace limber::figure
