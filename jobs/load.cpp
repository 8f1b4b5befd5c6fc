// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/load.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "core/clip_time.h"
#include "core/file.h"
#include "figure/figure_file.h"
#include "jobs/bad_call.h"
#include "mocap/io/bvh.h"
#include "mocap/io/c3d.h"
#include "mocap/io/fbx.h"
#include "mocap/io/gltf.h"
#include "mocap/io/npz.h"
#include "mocap/io/trc.h"
#include "mocap/take_evidence.h"

namespace limber::jobs {

namespace {

using mocap::AsfSkeleton;
using mocap::SignedAxis;

/// CMU's database, where most AMC files come from [Hz].
constexpr int kUsualAmcRate = 120;

/// A reader's answer as a loaded file with the findings so far.
template <typename T>
Result<LoadedFile> Wrap(LoadedFile file, Diagnostics diagnostics,
                        Result<T> read) {
  diagnostics.Append(read.diagnostics());
  if (!read.ok()) return Result<LoadedFile>(std::move(diagnostics));
  file.content = std::move(read).value();
  return {std::move(file), std::move(diagnostics)};
}

void Refuse(bool given, std::string_view option, const LoadedFile& file,
            std::string_view why) {
  if (!given) return;
  throw BadCall(std::string(option) + " does not apply to " +
                PathText(file.path) + ": " + std::string(why));
}

Result<LoadedFile> LoadBvh(LoadedFile file, Diagnostics diagnostics,
                           std::string_view text, const LoadOptions& options) {
  Refuse(!options.asf.empty(), "--asf", file, "a BVH file has its skeleton");
  Result<mocap::BvhDocument> read = mocap::ParseBvh(
      text, {.file = PathText(file.path), .strict = options.strict});
  diagnostics.Append(read.diagnostics());
  if (!read.ok()) return Result<LoadedFile>(std::move(diagnostics));
  if (options.rate_hz) read.value().rate_hz = *options.rate_hz;
  const mocap::BvhUnitsGuess guess = mocap::GuessBvhUnits(*read);
  mocap::BvhUnits units = guess.units;
  if (options.unit) {
    units.metres_per_unit = options.unit->metres;
  } else {
    file.guesses.push_back(
        {"unit", guess.unit_name, guess.unit_reason, guess.unit_sure});
  }
  if (options.up) {
    units.up = PositiveAxis(*options.up, "--up");
  } else {
    file.guesses.push_back({"up_axis",
                            std::string("+") + figure::ToString(units.up),
                            guess.up_reason, guess.up_sure});
  }
  file.content = mocap::MakeMotion(std::move(read).value(), units);
  return {std::move(file), std::move(diagnostics)};
}

bool IsAsf(const std::filesystem::path& path) {
  return FormatFromName(path) == Format::kAsf;
}

/// The skeleton that lies beside an AMC file, by the custom that 07_01.amc
/// belongs to 07.asf: the same name, else the part before the first
/// underscore, else the only one in the folder.
std::filesystem::path FindAsfBeside(const std::filesystem::path& amc) {
  std::filesystem::path folder = amc.parent_path();
  if (folder.empty()) folder = ".";
  std::vector<std::filesystem::path> candidates;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (IsAsf(entry.path())) candidates.push_back(entry.path());
  }
  const std::string stem = amc.stem().string();
  for (const std::string& wanted : {stem, stem.substr(0, stem.find('_'))}) {
    const auto found = std::ranges::find(
        candidates, wanted,
        [](const std::filesystem::path& path) { return path.stem().string(); });
    if (found != candidates.end()) return amc.parent_path() / found->filename();
  }
  if (candidates.size() == 1) {
    return amc.parent_path() / candidates.front().filename();
  }
  throw BadCall(PathText(amc) +
                ": an AMC file needs its skeleton: --asf FILE (" +
                (candidates.empty() ? "there is none in its folder)"
                                    : "several lie in its folder)"));
}

Result<LoadedFile> LoadAmc(LoadedFile file, Diagnostics diagnostics,
                           std::string_view text, const LoadOptions& options) {
  Refuse(options.unit.has_value(), "--unit", file, "its ASF states the unit");
  Refuse(options.up.has_value(), "--up", file, "+Y is up in ASF/AMC");
  std::filesystem::path asf_path = options.asf;
  if (asf_path.empty()) {
    asf_path = FindAsfBeside(file.path);
    file.guesses.push_back(
        {"asf", PathText(asf_path), "it lies beside the AMC", false});
  }
  const Result<AsfSkeleton> asf = LoadAsf(asf_path, options.strict);
  diagnostics.Append(asf.diagnostics());
  if (!asf.ok()) return Result<LoadedFile>(std::move(diagnostics));
  if (!options.rate_hz) {
    file.guesses.push_back({"rate_hz", std::to_string(kUsualAmcRate),
                            "AMC stores no rate; this is the CMU database's",
                            false});
  }
  Result<figure::Motion> read = mocap::ReadAmc(
      text, *asf,
      {.rate_hz = options.rate_hz.value_or(double{kUsualAmcRate}),
       .file = PathText(file.path),
       .strict = options.strict});
  return Wrap(std::move(file), std::move(diagnostics), std::move(read));
}

/// Says which animation was taken where a character has several.
void TellAnimation(const std::vector<std::string>& animations,
                   const LoadOptions& options, LoadedFile& file) {
  if (animations.size() < 2 || !options.animation.empty()) return;
  const auto named = [](const std::string& name) {
    return name.empty() ? "(no name)" : name;
  };
  std::string names;
  for (const std::string& name : animations) {
    names += (names.empty() ? "" : ", ") + named(name);
  }
  file.guesses.push_back(
      {"animation", named(animations.front()),
       "the first of " + names + "; --animation chooses another", false});
}

Result<LoadedFile> LoadGltf(LoadedFile file, Diagnostics diagnostics,
                            std::string_view bytes,
                            const LoadOptions& options) {
  Refuse(options.up.has_value(), "--up", file, "+Y is up in glTF");
  Refuse(!options.asf.empty(), "--asf", file, "it has its skeleton");
  std::filesystem::path folder = file.path.parent_path();
  if (folder.empty()) folder = ".";
  Result<mocap::CharacterClip> read = mocap::ReadGltf(
      bytes, {.file = PathText(file.path),
              .strict = options.strict,
              .metres_per_unit = options.unit ? options.unit->metres : 1.0,
              .rate_hz = options.rate_hz,
              .animation = options.animation,
              .folder = folder});
  diagnostics.Append(read.diagnostics());
  if (!read.ok()) return Result<LoadedFile>(std::move(diagnostics));
  TellAnimation(read->animations, options, file);
  file.content = std::move(read).value().motion;
  return {std::move(file), std::move(diagnostics)};
}

Result<LoadedFile> LoadFbx(LoadedFile file, Diagnostics diagnostics,
                           std::string_view bytes, const LoadOptions& options) {
  Refuse(options.up.has_value(), "--up", file, "an FBX states its axes");
  Refuse(!options.asf.empty(), "--asf", file, "it has its skeleton");
  mocap::FbxReadOptions reading{.file = PathText(file.path),
                                .strict = options.strict,
                                .rate_hz = options.rate_hz,
                                .animation = options.animation};
  if (options.unit) reading.metres_per_unit = options.unit->metres;
  Result<mocap::CharacterClip> read = mocap::ReadFbx(bytes, reading);
  diagnostics.Append(read.diagnostics());
  if (!read.ok()) return Result<LoadedFile>(std::move(diagnostics));
  TellAnimation(read->animations, options, file);
  file.content = std::move(read).value().motion;
  return {std::move(file), std::move(diagnostics)};
}

/// The skeleton of the file that --offsets names. Where a clip has its root at
/// rest says nothing about where a body model has its pelvis.
Result<std::shared_ptr<const figure::Skeleton>> LoadBones(
    const LoadOptions& options) {
  using Bones = Result<std::shared_ptr<const figure::Skeleton>>;
  if (FormatFromName(options.offsets) == Format::kNpz) {
    const Result<std::string> bytes = ReadWholeFile(options.offsets);
    if (!bytes.ok()) return Bones(bytes.diagnostics());
    return mocap::ReadNpzSkeleton(
        *bytes, {.file = PathText(options.offsets), .strict = options.strict});
  }
  const Result<figure::Motion> clip = LoadClip(options.offsets);
  if (!clip.ok()) return Bones(clip.diagnostics());
  std::vector<figure::Joint> joints = clip->skeleton().joints();
  for (figure::Joint& joint : joints) {
    if (joint.parent < 0) joint.offset = Vector3::Zero();
  }
  return {figure::Skeleton::Make(std::move(joints)), clip.diagnostics()};
}

/// Says what a pose file left open and how it was settled.
void TellPoses(const mocap::NpzClip& clip, const LoadOptions& options,
               LoadedFile& file) {
  if (clip.kind == mocap::NpzKind::kArrays) return;
  file.guesses.push_back({"body_model", std::string(ToString(clip.kind)),
                          "its poses have that many numbers", true});
  if (!options.up) {
    file.guesses.push_back(
        {"up_axis",
         std::string("+") + figure::ToString(clip.motion.source().up),
         clip.up_reason, clip.up_sure});
  }
  if (clip.figure_height > 0.0) {
    file.guesses.push_back(
        {"bones",
         "Limber's figure, " + std::to_string(clip.figure_height).substr(0, 4) +
             " m",
         "the file has none (--offsets names some); " + clip.height_reason,
         false});
  }
}

Result<LoadedFile> LoadNpz(LoadedFile file, Diagnostics diagnostics,
                           std::string_view bytes, const LoadOptions& options) {
  Refuse(!options.asf.empty(), "--asf", file, "it has its skeleton");
  mocap::NpzReadOptions reading{.file = PathText(file.path),
                                .strict = options.strict,
                                .rate_hz = options.rate_hz};
  if (options.unit) reading.metres_per_unit = options.unit->metres;
  if (options.up) reading.up = PositiveAxis(*options.up, "--up");
  if (!options.offsets.empty()) {
    const auto bones = LoadBones(options);
    diagnostics.Append(bones.diagnostics());
    if (!bones.ok()) return Result<LoadedFile>(std::move(diagnostics));
    reading.rest = *bones;
  }
  Result<mocap::NpzClip> read = mocap::ReadNpz(bytes, reading);
  diagnostics.Append(read.diagnostics());
  if (!read.ok()) return Result<LoadedFile>(std::move(diagnostics));
  Refuse(!options.offsets.empty() && read->kind == mocap::NpzKind::kArrays,
         "--offsets", file, "it has its own");
  TellPoses(*read, options, file);
  file.content = std::move(read).value().motion;
  return {std::move(file), std::move(diagnostics)};
}

Result<LoadedFile> LoadMarkers(LoadedFile file, Diagnostics diagnostics,
                               std::string_view bytes,
                               const LoadOptions& options) {
  Refuse(options.rate_hz.has_value(), "--rate", file, "it states its rate");
  Refuse(!options.asf.empty(), "--asf", file, "it holds markers");
  std::optional<mocap::AxisConvention> axes;
  if (options.up) axes = AxesWithUp(*options.up);
  std::optional<double> metres_per_unit;
  if (options.unit) metres_per_unit = options.unit->metres;
  const std::string name = PathText(file.path);
  Result<mocap::MarkerTake> read =
      file.format == Format::kC3d
          ? mocap::ReadC3d(bytes, name,
                           {.strict = options.strict,
                            .axes = axes,
                            .metres_per_unit = metres_per_unit})
          : mocap::ReadTrc(bytes, name,
                           {.strict = options.strict,
                            .axes = axes,
                            .metres_per_unit = metres_per_unit});
  if (read.ok()) {
    mocap::TakeOrigin& origin = read.value().origin;
    // The word of the file does not name what the user says the unit is.
    if (options.unit) origin.unit = options.unit->name;
    mocap::SettleAxesAndUnit(read.value(), diagnostics);
    if (origin.unit_decision == mocap::Decision::kEvidence) {
      file.guesses.push_back({"unit", origin.unit, "the points say so", true});
    }
    if (origin.axes_decision == mocap::Decision::kEvidence) {
      file.guesses.push_back({"up_axis",
                              std::string(mocap::ToString(origin.axes.up)),
                              "the points say so", true});
    }
    if (origin.unit_decision == mocap::Decision::kDefault) {
      file.guesses.push_back(
          {"unit", origin.unit, "the file does not say", false});
    }
    if (origin.axes_decision == mocap::Decision::kDefault) {
      file.guesses.push_back({"up_axis",
                              std::string(mocap::ToString(origin.axes.up)),
                              "the file does not say; this is the custom of " +
                                  std::string(Name(file.format)),
                              false});
    }
  }
  return Wrap(std::move(file), std::move(diagnostics), std::move(read));
}

Result<LoadedFile> LoadFigure(LoadedFile file, Diagnostics diagnostics,
                              std::string_view text,
                              const LoadOptions& options) {
  constexpr std::string_view kWhy = "a figure file states everything";
  Refuse(options.unit.has_value(), "--unit", file, kWhy);
  Refuse(options.up.has_value(), "--up", file, kWhy);
  Refuse(options.rate_hz.has_value(), "--rate", file, "it holds no motion");
  Refuse(!options.asf.empty(), "--asf", file, "it has its skeleton");
  Result<figure::FigureModel> read =
      figure::ReadFigure(text, PathText(file.path));
  return Wrap(std::move(file), std::move(diagnostics), std::move(read));
}

Result<LoadedFile> LoadSto(LoadedFile file, Diagnostics diagnostics,
                           std::string_view text, const LoadOptions& options) {
  constexpr std::string_view kWhy = "it holds numbers with names";
  Refuse(options.unit.has_value(), "--unit", file, kWhy);
  Refuse(options.up.has_value(), "--up", file, kWhy);
  Refuse(options.rate_hz.has_value(), "--rate", file, "it has its times");
  Refuse(!options.asf.empty(), "--asf", file, kWhy);
  return Wrap(std::move(file), std::move(diagnostics),
              mocap::ReadSto(text, PathText(file.path), options.strict));
}

Result<LoadedFile> LoadSkeleton(LoadedFile file, Diagnostics diagnostics,
                                std::string_view text,
                                const LoadOptions& options) {
  Refuse(options.unit.has_value(), "--unit", file, "an ASF states its unit");
  Refuse(options.up.has_value(), "--up", file, "+Y is up in ASF");
  Refuse(options.rate_hz.has_value(), "--rate", file, "it holds no motion");
  Refuse(!options.asf.empty(), "--asf", file, "it is a skeleton itself");
  Result<AsfSkeleton> read = mocap::ReadAsf(
      text, {.file = PathText(file.path), .strict = options.strict});
  return Wrap(std::move(file), std::move(diagnostics), std::move(read));
}

}  // namespace

figure::UpAxis PositiveAxis(SignedAxis axis, std::string_view option) {
  switch (axis) {
    case SignedAxis::kPlusX:
      return figure::UpAxis::kX;
    case SignedAxis::kPlusY:
      return figure::UpAxis::kY;
    case SignedAxis::kPlusZ:
      return figure::UpAxis::kZ;
    default:
      throw BadCall(std::string(option) + " " +
                    std::string(mocap::ToString(axis)) +
                    ": the up axis of a BVH file is x, y or z");
  }
}

Result<AsfSkeleton> LoadAsf(const std::filesystem::path& path, bool strict) {
  const Result<std::string> text = ReadWholeFile(path);
  if (!text.ok()) return Result<AsfSkeleton>(text.diagnostics());
  return mocap::ReadAsf(*text, {.file = PathText(path), .strict = strict});
}

Result<LoadedFile> Load(const std::filesystem::path& path,
                        const LoadOptions& options) {
  const Result<std::string> bytes = ReadWholeFile(path);
  if (!bytes.ok()) return Result<LoadedFile>(bytes.diagnostics());
  Diagnostics diagnostics(PathText(path), options.strict);
  const std::optional<Format> promised = FormatFromName(path);
  const std::optional<Format> found = FormatFromContent(*bytes);
  if (!promised && !found) {
    const std::string other = OtherUse(*bytes);
    diagnostics.Error(
        "unknown-format", {},
        !other.empty()
            ? other
            : "neither the name nor the content is of a known format (" +
                  KnownExtensions() + ")");
    return Result<LoadedFile>(std::move(diagnostics));
  }
  LoadedFile file;
  file.path = path;
  file.format = found ? *found : *promised;
  Refuse(!options.animation.empty() && file.format != Format::kGltf &&
             file.format != Format::kFbx,
         "--animation", file, "only glTF and FBX files hold several");
  Refuse(!options.offsets.empty() && file.format != Format::kNpz, "--offsets",
         file, "only poses in an NPZ need bones");
  if (promised && found && *promised != *found) {
    diagnostics.Warning("extension-lies", {},
                        "named like " + std::string(Name(*promised)) +
                            " but the content is " + std::string(Name(*found)));
  }
  switch (file.format) {
    case Format::kBvh:
      return LoadBvh(std::move(file), std::move(diagnostics), *bytes, options);
    case Format::kAmc:
      return LoadAmc(std::move(file), std::move(diagnostics), *bytes, options);
    case Format::kFbx:
      return LoadFbx(std::move(file), std::move(diagnostics), *bytes, options);
    case Format::kGltf:
      return LoadGltf(std::move(file), std::move(diagnostics), *bytes, options);
    case Format::kNpz:
      return LoadNpz(std::move(file), std::move(diagnostics), *bytes, options);
    case Format::kUsd:
      diagnostics.Error("not-read", {},
                        "USD files are written but not read; .glb holds the "
                        "same and is");
      return Result<LoadedFile>(std::move(diagnostics));
    case Format::kC3d:
    case Format::kTrc:
      return LoadMarkers(std::move(file), std::move(diagnostics), *bytes,
                         options);
    case Format::kFigure:
      return LoadFigure(std::move(file), std::move(diagnostics), *bytes,
                        options);
    case Format::kSto:
      return LoadSto(std::move(file), std::move(diagnostics), *bytes, options);
    case Format::kAsf:
      break;
  }
  return LoadSkeleton(std::move(file), std::move(diagnostics), *bytes, options);
}

void CheckTime(const figure::Motion& motion, Diagnostics& diagnostics) {
  const std::string why = WhyNotWhole(motion.duration(), motion.rate_hz());
  if (!why.empty()) diagnostics.Error("too-long", {}, why);
}

void CheckTime(const mocap::MarkerTake& take, Diagnostics& diagnostics) {
  const std::string why = WhyNotWhole(
      static_cast<double>(take.num_frames()) / take.rate_hz(), take.rate_hz());
  if (!why.empty()) diagnostics.Error("too-long", {}, why);
}

Result<figure::Motion> LoadClip(const std::filesystem::path& path) {
  Result<LoadedFile> file = Load(path, {});
  if (!file) return Result<figure::Motion>(file.diagnostics());
  Diagnostics diagnostics = file.diagnostics();
  if (auto* motion = std::get_if<figure::Motion>(&file.value().content)) {
    Diagnostics own(PathText(path));
    CheckTime(*motion, own);
    diagnostics.Append(own);
    if (own.has_errors()) return Result<figure::Motion>(std::move(diagnostics));
    return {std::move(*motion), std::move(diagnostics)};
  }
  diagnostics.Error("no-motion", {},
                    "expected a clip (BVH, AMC, glTF, FBX or NPZ)");
  return Result<figure::Motion>(std::move(diagnostics));
}

Result<mocap::MarkerTake> LoadTake(const std::filesystem::path& path,
                                   const LoadOptions& options) {
  Result<LoadedFile> file = Load(path, options);
  if (!file.ok()) return Result<mocap::MarkerTake>(file.diagnostics());
  Diagnostics diagnostics = file.diagnostics();
  auto* take = std::get_if<mocap::MarkerTake>(&file.value().content);
  if (take == nullptr) {
    diagnostics.Error("no-markers", {},
                      "expected markers (C3D or TRC), found a skeleton in " +
                          std::string(Name(file->format)) +
                          "; `limber retarget` takes those");
    return Result<mocap::MarkerTake>(std::move(diagnostics));
  }
  Diagnostics length(PathText(path));
  CheckTime(*take, length);
  diagnostics.Append(length);
  if (length.has_errors()) {
    return Result<mocap::MarkerTake>(std::move(diagnostics));
  }
  return {std::move(*take), std::move(diagnostics)};
}

}  // namespace limber::jobs
