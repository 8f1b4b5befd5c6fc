// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/save.h"

#include <optional>
#include <string>
#include <utility>

#include "core/file.h"
#include "figure/figure_file.h"
#include "jobs/bad_call.h"
#include "jobs/formats.h"
#include "jobs/words.h"
#include "mocap/io/asf_writer.h"
#include "mocap/io/bvh.h"
#include "mocap/io/c3d.h"
#include "mocap/io/gltf.h"
#include "mocap/io/npz.h"
#include "mocap/io/trc.h"
#include "mocap/io/usd.h"

namespace limber::jobs {

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

[[noreturn]] void RefuseEnding(const std::filesystem::path& path,
                               const std::string& what,
                               const std::string& endings) {
  throw BadCall(
      PathText(path) + ": " + what + " is written as " + endings + ", found " +
      (path.extension().empty() ? "no ending" : PathText(path.extension())));
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

void WarnOfTrcLoss(const mocap::MarkerTake& take, Diagnostics& diagnostics) {
  std::vector<std::string> lost;
  std::int64_t others = 0;
  for (int marker = 0; marker < take.num_markers(); ++marker) {
    if (take.kind(marker) != mocap::PointKind::kMarker) ++others;
  }
  const auto add = [&lost](std::int64_t count, const std::string& thing) {
    if (count > 0) lost.push_back(Count(count, thing));
  };
  add(others, "point that is no marker");
  add(static_cast<std::int64_t>(take.analog.channels.size()), "analog channel");
  add(static_cast<std::int64_t>(take.events.size()), "event");
  add(static_cast<std::int64_t>(mocap::ForcePlates(take).size()),
      "force plate");
  if (take.has_residuals()) lost.push_back("the residuals");
  if (lost.empty()) return;
  diagnostics.Warning(
      "left-out", {},
      "TRC has no place for " + Join(lost, lost.size()) + "; left out");
}

std::filesystem::path AsfPathOf(const std::filesystem::path& amc) {
  std::filesystem::path asf = amc;
  return asf.replace_extension(".asf");
}

Diagnostics Save(const figure::Motion& motion,
                 const std::filesystem::path& path) {
  if (FormatFromName(path) == Format::kAmc) {
    const mocap::AsfSkeleton asf = mocap::MakeAsf(motion.skeleton());
    Diagnostics written = mocap::WriteAsfFile(AsfPathOf(path), asf);
    if (written.has_errors()) return written;
    written.Append(mocap::WriteAmcFile(path, mocap::OnAsf(motion), asf));
    return written;
  }
  CheckClipPath(path);
  return WriteClip({path}, motion);
}

Diagnostics Save(const mocap::MarkerTake& take,
                 const std::filesystem::path& path) {
  const std::optional<Format> format = FormatFromName(path);
  if (format == Format::kC3d) return mocap::WriteC3d(path, take);
  if (format != Format::kTrc) RefuseEnding(path, "a take", ".c3d or .trc");
  Diagnostics findings(PathText(path));
  const Diagnostics unfit = mocap::CheckTrc(take);
  for (const Diagnostic& error : unfit.all()) {
    findings.Error(error.kind, error.place, error.message);
  }
  if (findings.has_errors()) return findings;
  WarnOfTrcLoss(take, findings);
  mocap::MarkerTake upright = take;
  upright.origin.axes = mocap::AxisConvention::YUp();
  findings.Append(mocap::WriteTrc(path, upright));
  return findings;
}

Diagnostics Save(const figure::FigureModel& figure,
                 const std::filesystem::path& path) {
  if (PathText(path.extension()) != ".json") {
    RefuseEnding(path, "a figure", ".json");
  }
  return figure::WriteFigureFile(path, figure);
}

Diagnostics Save(const mocap::AsfSkeleton& skeleton,
                 const std::filesystem::path& path) {
  if (FormatFromName(path) != Format::kAsf) {
    RefuseEnding(path, "a skeleton", ".asf");
  }
  return mocap::WriteAsfFile(path, skeleton);
}

Diagnostics Save(const mocap::StoTable& table,
                 const std::filesystem::path& path) {
  if (FormatFromName(path) != Format::kSto) {
    RefuseEnding(path, "a table", ".sto or .mot");
  }
  return mocap::WriteStoFile(path, table);
}

Diagnostics Save(const Content& content, const std::filesystem::path& path) {
  return std::visit([&path](const auto& held) { return Save(held, path); },
                    content);
}

}  // namespace limber::jobs
