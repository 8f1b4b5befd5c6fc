// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/math.h"
#include "core/result.h"

namespace limber::mocap::internal {

/// Parses `text`; error "xml" with the place where it is none.
bool ParseXml(std::string_view text, pugi::xml_document& document,
              Diagnostics& diagnostics);

/// The text of the child of that name, without blanks around it.
std::string TextOf(const pugi::xml_node& node, const char* child);

/// Whether the child says "true"; `otherwise` without it.
bool FlagOf(const pugi::xml_node& node, const char* child, bool otherwise);

/// The numbers of a list; 0 for a word that is none.
std::vector<double> NumbersOf(const std::string& text);

/// Three finite numbers.
std::optional<Vector3> VectorOf(const std::string& text);

/// "/bodyset/femur_r" is "femur_r".
std::string LastPart(const std::string& path);

}  // namespace limber::mocap::internal
