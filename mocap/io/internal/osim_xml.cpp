// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/internal/osim_xml.h"

#include <algorithm>
#include <cstdint>
#include <sstream>

#include "mocap/io/internal/text.h"

namespace limber::mocap::internal {

namespace {

Place PlaceOf(std::string_view text, std::ptrdiff_t offset) {
  const auto end = std::min<std::size_t>(
      std::size_t(std::max<std::ptrdiff_t>(offset, 0)), text.size());
  const std::string_view before = text.substr(0, end);
  const std::size_t line_begin = before.rfind('\n');
  return Place::AtLine(
      1 + std::ranges::count(before, '\n'),
      static_cast<std::int64_t>(
          line_begin == std::string_view::npos ? end + 1 : end - line_begin));
}

/// What pugixml takes for an element or a text, and for an attribute [bytes].
constexpr std::size_t kBytesOfNode = 64;
constexpr std::size_t kBytesOfAttribute = 40;
/// What a document may take: per byte of the file, and at least [bytes]. Real
/// models take 2 to 4 a byte.
constexpr std::size_t kBytesPerByte = 16;
constexpr std::size_t kBytesAtLeast = std::size_t{32} << 20;

/// What the tree of a document takes at most [bytes].
std::size_t BytesOfTree(std::string_view text) {
  std::size_t nodes = 0;
  std::size_t attributes = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const char next = i + 1 < text.size() ? text[i + 1] : '<';
    if (c == '=') ++attributes;
    if (c == '<' && next != '/') ++nodes;
    // A text begins behind a tag.
    if (c == '>' && next != '<') ++nodes;
  }
  return kBytesOfNode * nodes + kBytesOfAttribute * attributes;
}

}  // namespace

bool ParseXml(std::string_view text, pugi::xml_document& document,
              Diagnostics& diagnostics) {
  if (BytesOfTree(text) > kBytesPerByte * text.size() + kBytesAtLeast) {
    diagnostics.Error("xml", Place::AtLine(1),
                      "expected a document with something in its elements, "
                      "found more tags than a file of this size has");
    return false;
  }
  const pugi::xml_parse_result parsed =
      document.load_buffer(text.data(), text.size());
  if (parsed) return true;
  diagnostics.Error(
      "xml", PlaceOf(text, parsed.offset),
      std::string("expected XML, found: ") + parsed.description());
  return false;
}

std::string TextOf(const pugi::xml_node& node, const char* child) {
  return std::string(Trim(node.child_value(child)));
}

bool FlagOf(const pugi::xml_node& node, const char* child, bool otherwise) {
  const std::string text = TextOf(node, child);
  return text.empty() ? otherwise : EqualIgnoringCase(text, "true");
}

std::vector<double> NumbersOf(const std::string& text) {
  std::istringstream words(text);
  std::vector<double> numbers;
  std::string word;
  while (words >> word) {
    numbers.push_back(ParseNumber(word).value_or(0.0));
  }
  return numbers;
}

std::optional<Vector3> VectorOf(const std::string& text) {
  std::istringstream words(text);
  Vector3 vector;
  std::string word;
  for (int i = 0; i < 3; ++i) {
    if (!(words >> word)) return std::nullopt;
    const std::optional<double> value = ParseNumber(word);
    if (!value) return std::nullopt;
    vector[i] = *value;
  }
  return vector;
}

std::string LastPart(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

}  // namespace limber::mocap::internal
