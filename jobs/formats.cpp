// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/formats.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>

#include "core/file.h"

namespace limber::jobs {

namespace {

struct FormatRow {
  Format format;
  std::string_view name;
  std::string_view extension;
  Kind kind;
};

constexpr std::array kFormats = {
    FormatRow{Format::kBvh, "BVH", ".bvh", Kind::kMotion},
    FormatRow{Format::kAsf, "ASF", ".asf", Kind::kSkeleton},
    FormatRow{Format::kAmc, "AMC", ".amc", Kind::kMotion},
    FormatRow{Format::kGltf, "glTF", ".glb", Kind::kMotion},
    FormatRow{Format::kGltf, "glTF", ".gltf", Kind::kMotion},
    FormatRow{Format::kFbx, "FBX", ".fbx", Kind::kMotion},
    FormatRow{Format::kNpz, "NPZ", ".npz", Kind::kMotion},
    FormatRow{Format::kUsd, "USD", ".usda", Kind::kMotion},
    FormatRow{Format::kC3d, "C3D", ".c3d", Kind::kMarkers},
    FormatRow{Format::kTrc, "TRC", ".trc", Kind::kMarkers},
    FormatRow{Format::kFigure, "figure", ".json", Kind::kFigure},
    FormatRow{Format::kSto, "STO", ".sto", Kind::kTable},
    FormatRow{Format::kSto, "STO", ".mot", Kind::kTable},
};

const FormatRow& RowOf(Format format) {
  return *std::ranges::find(kFormats, format, &FormatRow::format);
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  return lower;
}

bool StartsWith(std::string_view text, std::string_view lower_word) {
  return Lower(text.substr(0, lower_word.size())) == lower_word;
}

bool IsNumber(std::string_view word) {
  return !word.empty() && std::ranges::all_of(word, [](unsigned char c) {
    return std::isdigit(c) != 0;
  });
}

/// ASF and AMC both open with comments; the first keyword tells them apart.
/// An AMC without keywords opens with the number of its first frame.
std::optional<Format> AcclaimFormat(std::string_view text) {
  bool seen_comment = false;
  while (!text.empty()) {
    const std::size_t end = text.find_first_of("\r\n");
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos) continue;
    line.remove_prefix(begin);
    line = line.substr(0, line.find_last_not_of(" \t") + 1);
    if (line.front() == '#') {
      seen_comment = true;
      continue;
    }
    for (const std::string_view word :
         {":version", ":name", ":units", ":documentation", ":root", ":bonedata",
          ":hierarchy"}) {
      if (StartsWith(line, word)) return Format::kAsf;
    }
    for (const std::string_view word :
         {":fully-specified", ":degrees", ":radians", ":samples-per-second"}) {
      if (StartsWith(line, word)) return Format::kAmc;
    }
    if (seen_comment && IsNumber(line)) return Format::kAmc;
    return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::string_view Name(Format format) { return RowOf(format).name; }

Kind KindOf(Format format) { return RowOf(format).kind; }

std::optional<Format> FormatFromName(const std::filesystem::path& path) {
  const std::string extension = Lower(PathText(path.extension()));
  for (const FormatRow& row : kFormats) {
    // Many things are JSON; only its content makes a figure file.
    if (row.format != Format::kFigure && extension == row.extension) {
      return row.format;
    }
  }
  return std::nullopt;
}

std::optional<Format> FormatFromContent(std::string_view bytes) {
  if (bytes.starts_with("glTF")) return Format::kGltf;
  if (bytes.starts_with("Kaydara FBX Binary")) return Format::kFbx;
  // A ZIP archive, and one without members.
  if (bytes.starts_with("PK\x03\x04") || bytes.starts_with("PK\x05\x06")) {
    return Format::kNpz;
  }
  if (bytes.starts_with("#usda ")) return Format::kUsd;
  // C3D: byte 1 is the key 0x50, and the header fills one block of 512 bytes.
  constexpr std::size_t kC3dBlock = 512;
  if (bytes.size() >= kC3dBlock && bytes[1] == '\x50' && bytes[0] > 0 &&
      bytes.substr(0, kC3dBlock).find('\0') != std::string_view::npos) {
    return Format::kC3d;
  }
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  const std::size_t begin = bytes.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return std::nullopt;
  bytes.remove_prefix(begin);
  if (bytes.starts_with("; FBX ")) return Format::kFbx;
  if (StartsWith(bytes, "hierarchy")) return Format::kBvh;
  if (StartsWith(bytes, "pathfiletype")) return Format::kTrc;
  if (bytes.starts_with("{") &&
      bytes.find("\"asset\"") != std::string_view::npos &&
      bytes.find("\"version\"") != std::string_view::npos &&
      bytes.find("\"limber_") == std::string_view::npos) {
    return Format::kGltf;
  }
  if (bytes.find("\"limber_figure\"") != std::string_view::npos) {
    return Format::kFigure;
  }
  constexpr std::size_t kLongestPreamble = 8192;
  if (bytes.substr(0, kLongestPreamble).find("\nendheader") !=
      std::string_view::npos) {
    return Format::kSto;
  }
  return AcclaimFormat(bytes.substr(0, kLongestPreamble));
}

std::string KnownExtensions() {
  std::string text;
  for (const FormatRow& row : kFormats) {
    if (!text.empty()) text += ", ";
    text += row.extension;
    if (row.format == Format::kFigure) text += " of a figure";
  }
  return text;
}

std::string OtherUse(std::string_view bytes) {
  if (bytes.find("\"limber_scene\"") != std::string_view::npos) {
    return "this is a scene (\"limber_scene\"), which `limber simulate` plays";
  }
  if (bytes.find("\"limber_events\"") != std::string_view::npos) {
    return "these are events (\"limber_events\"), which `limber edit --events` "
           "plays";
  }
  if (bytes.find("<OpenSimDocument") != std::string_view::npos) {
    return "this is a document of OpenSim: `limber solve` takes models by "
           "--model and set-ups of inverse kinematics by --tasks";
  }
  return {};
}

}  // namespace limber::jobs
