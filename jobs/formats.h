// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace limber::jobs {

enum class Format {
  kBvh,
  kAsf,
  kAmc,
  kGltf,
  kFbx,
  kNpz,
  kUsd,
  kC3d,
  kTrc,
  kFigure,
  kSto
};

/// What a file of a format holds; files convert within a kind only.
enum class Kind { kMotion, kSkeleton, kMarkers, kFigure, kTable };

/// "BVH", "ASF", "AMC", "glTF", "FBX", "NPZ", "USD", "C3D", "TRC", "figure",
/// "STO".
std::string_view Name(Format format);
Kind KindOf(Format format);

/// The format a file name promises, upper and lower case alike; .json promises
/// none.
std::optional<Format> FormatFromName(const std::filesystem::path& path);

/// The format the first bytes show; nothing when they fit none.
std::optional<Format> FormatFromContent(std::string_view bytes);

/// The extensions of all formats for a message: ".bvh, .asf, .amc, ...". Of
/// JSON files only figures are meant.
std::string KnownExtensions();

/// What a file is that Limber reads, but not as a recording or a figure, and
/// which command takes it, for a message; empty if it is nothing of that kind.
std::string OtherUse(std::string_view bytes);

}  // namespace limber::jobs
