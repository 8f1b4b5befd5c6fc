// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "viewer/show.h"

#include <stdexcept>

namespace limber::viewer {

void Show::SetMode(std::string_view mode) {
  throw std::invalid_argument("mode: \"" + std::string(mode) +
                              "\" is none of this show's");
}

bool Show::Grab(int /*part*/, const Vector3& /*p_W*/) { return false; }
void Show::Pull(const Vector3& /*target_W*/) {}
void Show::Fire(const Vector3& /*eye*/, const Vector3& /*direction*/) {}
void Show::Push(int /*part*/, const Vector3& /*impulse_W*/) {}

std::vector<std::string> Show::Describe(int part) const {
  return {parts()[static_cast<std::size_t>(part)].name};
}

}  // namespace limber::viewer
