// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/constraints/link.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace limber::dynamics {

Link::Link(const char* kind, std::initializer_list<BodyId> bodies) {
  for (const BodyId body : bodies) AddBody(body);
  CheckMovable(kind);
}

Link::Link(const char* kind, std::span<const BodyPoint> points) {
  for (const BodyPoint& point : points) AddBody(point.body);
  CheckMovable(kind);
}

void Link::set_settings(const RowSettings& settings) {
  if (!(settings.lo <= settings.hi) || !(settings.softness >= 0.0)) {
    throw std::invalid_argument(
        "set_settings: needs lo <= hi and softness >= 0, found lo " +
        std::to_string(settings.lo) + ", hi " + std::to_string(settings.hi) +
        ", softness " + std::to_string(settings.softness));
  }
  settings_ = settings;
}

RowSettings Link::LengthSettings() const {
  RowSettings settings = settings_;
  settings.angular = false;
  return settings;
}

RowSettings Link::AngleSettings() const {
  RowSettings settings = settings_;
  settings.angular = true;
  return settings;
}

void Link::AddBody(BodyId body) {
  if (body == kGround || std::ranges::find(bodies_, body) != bodies_.end()) {
    return;
  }
  bodies_.push_back(body);
}

void Link::CheckMovable(const char* kind) const {
  if (bodies_.empty()) {
    throw std::invalid_argument(std::string(kind) +
                                ": needs a body other than the ground");
  }
}

}  // namespace limber::dynamics
