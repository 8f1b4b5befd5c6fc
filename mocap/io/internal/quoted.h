// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "mocap/io/internal/text.h"

namespace limber::mocap::internal {

/// An excerpt of `text` between quotation marks, for messages.
inline std::string Quoted(std::string_view text) {
  std::string quoted(1, '"');
  quoted += Excerpt(text);
  quoted += '"';
  return quoted;
}

}  // namespace limber::mocap::internal
