// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json_document.h"
#include "core/suggest.h"
#include "dynamics/contact.h"

// What the readers of scene files share, here and in layers above.
namespace limber::dynamics {

/// {"static_friction": 0.8, ...}, docs/scenes.md.
ContactSurface ReadSurface(const JsonValue& value, Diagnostics& diagnostics);

/// The unit vector along the three numbers under `name`, which must not be
/// zero; +X after an error.
Vector3 ReadDirection(JsonObject& object, std::string_view name);

/// {"axis": [..], "angle_deg": 30} under "rotation"; the identity without it.
Quaternion ReadRotation(JsonObject& object, Diagnostics& diagnostics);

/// The names of `map` for a message; a long list is cut.
template <typename Map>
std::string NamesOf(const Map& map) {
  constexpr int kMost = 12;
  std::string text;
  int count = 0;
  for (const auto& [name, value] : map) {
    if (++count > kMost) return text + ", ...";
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

/// What `name`, the text under `key` of `object`, stands for in `map`. A name
/// that is not there is an error with the nearest one and the list of all, and
/// an empty value is returned. @param what  for the message: "body".
template <typename Map>
typename Map::mapped_type FindNamed(JsonObject& object, std::string_view key,
                                    const std::string& name, const Map& map,
                                    std::string_view what) {
  const auto found = map.find(name);
  if (found != map.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [known, value] : map) names.push_back(known);
  std::string message = "no " + std::string(what) + " \"" + name + "\"";
  if (const std::optional<std::string> meant = Suggest(name, names)) {
    message += "; did you mean \"" + *meant + "\"?";
  }
  object.Error(key, "unknown-name",
               message + " (there are: " + NamesOf(map) + ")");
  return {};
}

}  // namespace limber::dynamics
