// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdint>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/commands/command.h"
#include "app/commands/load_options.h"
#include "app/exit_code.h"
#include "app/job_files.h"
#include "app/reports/describe.h"
#include "core/file.h"
#include "mocap/io/bvh.h"
#include "mocap/io/c3d.h"
#include "mocap/io/gltf.h"
#include "mocap/io/npz.h"
#include "mocap/io/trc.h"
#include "mocap/io/usd.h"

namespace limber::app {

namespace {

using figure::Motion;
using mocap::MarkerTake;

struct ConvertOptions {
  std::filesystem::path input;
  std::filesystem::path output;
  LoadOptions load;
  std::optional<Unit> to_unit;
  std::optional<mocap::SignedAxis> to_up;
  mocap::C3dWriteOptions c3d;
  bool force = false;
  bool json = false;
};

constexpr const char* kPairs =
    "Valid are BVH, AMC, glTF and NPZ into each other or themselves (AMC needs "
    "--asf FILE; glTF is written as .glb), FBX into these, these into USD "
    "(.usda), and C3D and TRC into each other or themselves.";

Format OutputFormat(const ConvertOptions& options) {
  const std::optional<Format> format = FormatFromName(options.output);
  if (!format) {
    throw BadCall("cannot tell the format of " + PathText(options.output) +
                  " from its name. " + kPairs);
  }
  if (KindOf(*format) == Kind::kTable) {
    throw BadCall("cannot convert to " + PathText(options.output) +
                  ": joint angles come from markers, `limber solve take.c3d -o "
                  "out.mot`. " +
                  kPairs);
  }
  return *format;
}

/// Whether the formats that state their unit know a word for this one.
bool HasWordInFiles(const Unit& unit) {
  constexpr std::array<std::string_view, 5> kWords = {"mm", "cm", "m", "in",
                                                      "ft"};
  return std::ranges::find(kWords, unit.name) != kWords.end();
}

void CheckCall(const ConvertOptions& options, Format to) {
  if (to == Format::kAsf) {
    throw BadCall(std::string("ASF files are read but not written. ") + kPairs);
  }
  if (to == Format::kFbx) {
    throw BadCall(std::string("FBX files are read but not written; .glb is "
                              "what programs read that read FBX. ") +
                  kPairs);
  }
  if (to == Format::kGltf && options.output.extension() != ".glb") {
    throw BadCall("glTF is written in one file: name it .glb, not " +
                  PathText(options.output.extension()));
  }
  const bool is_metric =
      to == Format::kGltf || to == Format::kNpz || to == Format::kUsd;
  if (is_metric && (options.to_unit || options.to_up)) {
    throw BadCall("--to-unit and --to-up do not apply to " +
                  std::string(Name(to)) + ": it is in metres, and +Y is up");
  }
  if (to != Format::kC3d &&
      (options.c3d.byte_order != mocap::C3dByteOrder::kPc ||
       options.c3d.numbers != mocap::C3dNumbers::kFloat)) {
    throw BadCall("--c3d-order and --c3d-numbers apply to C3D output only");
  }
  if (to == Format::kAmc && options.load.asf.empty()) {
    throw BadCall("writing AMC needs the skeleton to write for: --asf FILE");
  }
  if (to == Format::kAmc && (options.to_unit || options.to_up)) {
    throw BadCall(
        "--to-unit and --to-up do not apply to AMC: its ASF states the unit, "
        "and +Y is up");
  }
  if (KindOf(to) == Kind::kMarkers && options.to_unit &&
      !HasWordInFiles(*options.to_unit)) {
    throw BadCall("--to-unit " + options.to_unit->name +
                  ": C3D and TRC have no word for this unit; valid are mm, "
                  "cm, m, in and ft");
  }
}

/// The motion with another unit or up axis for the file to be written. A new
/// unit keeps the channels; new axes mean new channels, because a rotation
/// about the file's Z is one about Y afterwards.
Motion InFileTerms(const Motion& motion, const ConvertOptions& options) {
  figure::MotionSource source = motion.source();
  if (options.to_unit) source.metres_per_unit = options.to_unit->metres;
  if (options.to_up) {
    const figure::UpAxis up = PositiveAxis(*options.to_up, "--to-up");
    if (up != source.up) {
      source.up = up;
      source.channels = nullptr;
      Motion turned(motion.shared_skeleton(), motion.rate_hz(), source);
      for (std::int64_t frame = 0; frame < motion.num_frames(); ++frame) {
        turned.Append(motion.pose(frame));
      }
      return turned;
    }
  }
  std::vector<double> values;
  for (std::int64_t frame = 0; frame < motion.num_frames(); ++frame) {
    const std::span<const double> row = motion.row(frame);
    values.insert(values.end(), row.begin(), row.end());
  }
  return Motion(motion.shared_skeleton(), motion.rate_hz(), std::move(source),
                std::move(values));
}

Result<std::string> FormatMotion(const Motion& motion, Format to,
                                 const ConvertOptions& options) {
  const std::string name = PathText(options.output);
  const bool strict = options.load.strict;
  if (to == Format::kBvh) {
    return mocap::WriteBvh(InFileTerms(motion, options),
                           {.file = name, .strict = strict});
  }
  if (to == Format::kGltf) {
    return mocap::WriteGlb(motion, {.file = name,
                                    .strict = strict,
                                    .name = PathText(options.input.stem())});
  }
  if (to == Format::kNpz) {
    return mocap::WriteNpz(motion, {.file = name, .strict = strict});
  }
  if (to == Format::kUsd) {
    return mocap::WriteUsda(motion, {.file = name, .strict = strict});
  }
  const Result<mocap::AsfSkeleton> asf = LoadAsf(options.load.asf, strict);
  if (!asf.ok()) return Result<std::string>(asf.diagnostics());
  return mocap::WriteAmc(motion, *asf, {.file = name, .strict = strict});
}

Result<std::string> FormatTake(MarkerTake take, Format to,
                               const ConvertOptions& options) {
  if (options.to_unit) {
    take.origin.unit = options.to_unit->name;
    take.origin.metres_per_unit = options.to_unit->metres;
  }
  if (options.to_up) take.origin.axes = AxesWithUp(*options.to_up);
  if (to == Format::kC3d) return mocap::FormatC3d(take, options.c3d);
  Diagnostics diagnostics(PathText(options.output), options.load.strict);
  const Diagnostics unfit = mocap::CheckTrc(take);
  for (const Diagnostic& error : unfit.all()) {
    diagnostics.Error(error.kind, error.place, error.message);
  }
  if (diagnostics.has_errors()) {
    return Result<std::string>(std::move(diagnostics));
  }
  WarnOfTrcLoss(take, diagnostics);
  if (take.origin.axes.up != mocap::SignedAxis::kPlusY && !options.to_up) {
    diagnostics.Warning("up-axis", {},
                        "TRC does not state its up axis and readers take +Y; "
                        "this one is written with " +
                            std::string(mocap::ToString(take.origin.axes.up)) +
                            " up, as the input has it; --to-up y turns it");
  }
  return {mocap::FormatTrc(take,
                           {.file_name = PathText(options.output.filename())}),
          std::move(diagnostics)};
}

int Finish(const ConvertOptions& options, const Diagnostics& diagnostics,
           nlohmann::ordered_json json, const std::string& done) {
  std::cerr << diagnostics.ToString();
  const bool failed = diagnostics.has_errors();
  if (options.json) {
    if (failed) {
      json["errors"] = ToJson(diagnostics.all());
    } else {
      json["warnings"] = ToJson(diagnostics.warnings());
    }
    std::cout << json.dump(2, ' ', false,
                           nlohmann::json::error_handler_t::replace)
              << "\n";
  } else if (!failed) {
    std::cout << done << "\n";
  }
  return failed ? kBadInput : kDone;
}

int RunConvert(const ConvertOptions& options) {
  const Format to = OutputFormat(options);
  CheckCall(options, to);
  if (!CheckJobFiles({{options.input, options.load.asf, options.load.offsets},
                      {options.output},
                      options.force})) {
    return kBadInput;
  }
  nlohmann::ordered_json json = {{"input", PathText(options.input)},
                                 {"output", PathText(options.output)}};
  LoadOptions load = options.load;
  // --asf is the skeleton of an AMC on either side.
  if (to == Format::kAmc && FormatFromName(options.input) != Format::kAmc) {
    load.asf.clear();
  }
  Result<LoadedFile> file = Load(options.input, load);
  Diagnostics diagnostics = file.diagnostics();
  if (!file.ok()) return Finish(options, diagnostics, std::move(json), "");
  const Format from = file->format;
  if (KindOf(from) != KindOf(to)) {
    throw BadCall("cannot convert " + std::string(Name(from)) + " to " +
                  std::string(Name(to)) + ". " + kPairs);
  }
  std::int64_t frames = 0;
  std::string thing;
  Result<std::string> bytes = [&] {
    if (const auto* motion = std::get_if<Motion>(&file->content)) {
      frames = motion->num_frames();
      thing = Count(motion->skeleton().num_joints(), "joint");
      json["joints"] = motion->skeleton().num_joints();
      return FormatMotion(*motion, to, options);
    }
    const auto& take = std::get<MarkerTake>(file->content);
    frames = take.num_frames();
    thing = Count(take.num_markers(), "point");
    json["points"] = take.num_markers();
    return FormatTake(take, to, options);
  }();
  json["frames"] = frames;
  diagnostics.Append(bytes.diagnostics());
  if (bytes.ok()) diagnostics.Append(WriteWholeFile(options.output, *bytes));
  return Finish(options, diagnostics, std::move(json),
                PathText(options.input) + " (" + std::string(Name(from)) +
                    ") -> " + PathText(options.output) + " (" +
                    std::string(Name(to)) + "): " + Count(frames, "frame") +
                    ", " + thing);
}

}  // namespace

void AddConvert(CLI::App& app, Job& job) {
  CLI::App* command = app.add_subcommand(
      "convert",
      "Convert between formats of the same kind: BVH, AMC, glTF and NPZ, and "
      "into USD; C3D and TRC");
  auto options = std::make_shared<ConvertOptions>();
  command->add_option("IN", options->input, "file to read")
      ->required()
      ->type_name("");
  command
      ->add_option("OUT", options->output,
                   "file to write; its extension says the format, and a file "
                   "of that name is replaced")
      ->required()
      ->type_name("");
  AddLoadOptions(*command, options->load);
  AddUnitOption(*command, "--to-unit", options->to_unit,
                "length unit to write; without it that of the input");
  AddAxisOption(*command, "--to-up", options->to_up,
                "axis to write upwards; without it that of the input");
  command
      ->add_option("--c3d-order", options->c3d.byte_order,
                   "byte order of a C3D: pc, dec or sgi")
      ->type_name("ORDER")
      ->transform(CLI::CheckedTransformer(
                      std::map<std::string, mocap::C3dByteOrder>{
                          {"pc", mocap::C3dByteOrder::kPc},
                          {"dec", mocap::C3dByteOrder::kDec},
                          {"sgi", mocap::C3dByteOrder::kSgi}},
                      CLI::ignore_case)
                      .description(""));
  command
      ->add_option("--c3d-numbers", options->c3d.numbers,
                   "numbers of a C3D: float or int16")
      ->type_name("KIND")
      ->transform(CLI::CheckedTransformer(
                      std::map<std::string, mocap::C3dNumbers>{
                          {"float", mocap::C3dNumbers::kFloat},
                          {"int16", mocap::C3dNumbers::kInt16}},
                      CLI::ignore_case)
                      .description(""));
  AddForceOption(*command, options->force);
  command->add_flag("--json", options->json, "report for machines");
  command->footer(
      "Unit, axes, channel order and C3D parameters are those of the input\n"
      "unless an option says otherwise.\n"
      "Example:\n"
      "  limber convert data/takes/march.c3d march.trc\n"
      "  limber convert 07_01.amc walk.bvh --asf 07.asf --rate 120");
  command->callback(
      [options, &job] { job = [options] { return RunConvert(*options); }; });
}

}  // namespace limber::app
