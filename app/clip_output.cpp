// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/clip_output.h"

#include <optional>
#include <string>
#include <utility>

#include "app/exit_code.h"
#include "app/formats.h"
#include "core/file.h"
#include "mocap/io/bvh.h"
#include "mocap/io/gltf.h"
#include "mocap/io/npz.h"
#include "mocap/io/usd.h"

namespace limber::app {

namespace {

bool IsGlb(const std::filesystem::path& path) {
  return FormatFromName(path) == Format::kGltf;
}

/// The character's own file with the motion in it. Error kind
/// "other-skeleton" where it cannot be moved by it.
Result<std::string> OntoCharacter(const ClipOutput& output,
                                  const figure::Motion& motion) {
  const Result<std::string> bytes = ReadWholeFile(output.character);
  if (!bytes.ok()) return bytes;
  std::filesystem::path folder = output.character.parent_path();
  if (folder.empty()) folder = ".";
  return mocap::WriteGlbOnto(
      *bytes, motion,
      {.file = PathText(output.character),
       .metres_per_unit = output.load.unit ? output.load.unit->metres : 1.0,
       .folder = folder},
      {.file = PathText(output.file),
       .strict = output.load.strict,
       .name = PathText(output.file.stem())});
}

Result<std::string> FormatGlb(const ClipOutput& output,
                              const figure::Motion& motion) {
  Diagnostics findings(PathText(output.file));
  if (IsGlb(output.character)) {
    Result<std::string> glb = OntoCharacter(output, motion);
    if (glb.diagnostics().CountOf("other-skeleton") == 0) return glb;
    findings.Warning("character-left-out", {},
                     "the motion is not on the skeleton of " +
                         PathText(output.character) +
                         ": a plain body is written instead");
  }
  Result<std::string> glb =
      mocap::WriteGlb(motion, {.file = PathText(output.file),
                               .strict = output.load.strict,
                               .name = PathText(output.file.stem())});
  findings.Append(glb.diagnostics());
  if (!glb.ok()) return Result<std::string>(std::move(findings));
  return {std::move(glb).value(), std::move(findings)};
}

}  // namespace

void CheckClipPath(const std::filesystem::path& path) {
  const std::optional<Format> format = FormatFromName(path);
  // A .gltf would need a second file for its numbers.
  const bool is_glb =
      format == Format::kGltf && PathText(path.extension()).size() == 4;
  if (format == Format::kBvh || format == Format::kNpz ||
      format == Format::kUsd || is_glb) {
    return;
  }
  throw BadCall(
      PathText(path) +
      ": the result is written as .bvh, .glb, .npz or .usda, found " +
      (path.extension().empty() ? "no ending" : PathText(path.extension())));
}

Diagnostics WriteClip(const ClipOutput& output, const figure::Motion& motion) {
  const std::string name = PathText(output.file);
  const bool strict = output.load.strict;
  const std::optional<Format> format = FormatFromName(output.file);
  const Result<std::string> bytes = [&] {
    if (format == Format::kGltf) return FormatGlb(output, motion);
    if (format == Format::kNpz) {
      return mocap::WriteNpz(motion, {.file = name, .strict = strict});
    }
    if (format == Format::kUsd) {
      return mocap::WriteUsda(motion, {.file = name, .strict = strict});
    }
    return mocap::WriteBvh(motion, {.file = name, .strict = strict});
  }();
  Diagnostics written = bytes.diagnostics();
  if (bytes.ok()) written.Append(WriteWholeFile(output.file, *bytes));
  return written;
}

}  // namespace limber::app
