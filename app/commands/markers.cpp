// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <cmath>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/commands/command.h"
#include "app/commands/load_options.h"
#include "app/exit_code.h"
#include "app/job_files.h"
#include "app/jobs.h"
#include "app/reports/describe.h"
#include "core/file.h"
#include "figure/figure_file.h"
#include "jobs/markers.h"
#include "mocap/io/c3d.h"
#include "mocap/io/trc.h"

namespace limber::app {

namespace {

struct MarkersOptions {
  std::filesystem::path input;
  std::filesystem::path output;
  std::filesystem::path figure;
  std::string marker_set = "cmu41";
  std::string noise;
  std::string gaps;
  mocap::TakeFaults faults;
  LoadOptions load;
  bool force = false;
  bool json = false;
};

/// A number followed by `word` ("20%", "0.5s").
std::optional<double> NumberWith(std::string_view text, std::string_view word) {
  if (!text.ends_with(word)) return std::nullopt;
  text.remove_suffix(word.size());
  double value = 0.0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() ||
      !std::isfinite(value) || value < 0.0) {
    return std::nullopt;
  }
  return value;
}

/// "1mm", "0.2cm", "0.001m" in metres.
std::optional<double> Length(std::string_view text) {
  if (const auto value = NumberWith(text, "mm")) return *value * 0.001;
  if (const auto value = NumberWith(text, "cm")) return *value * 0.01;
  return NumberWith(text, "m");
}

void ParseFaults(MarkersOptions& options) {
  if (!options.noise.empty()) {
    const std::optional<double> noise = Length(options.noise);
    if (!noise) {
      throw BadCall("--noise " + options.noise +
                    ": expected a length with its unit, such as 1mm");
    }
    options.faults.noise = *noise;
  }
  if (options.gaps.empty()) return;
  const std::size_t colon = options.gaps.find(':');
  const std::string_view all = options.gaps;
  const std::optional<double> share = NumberWith(all.substr(0, colon), "%");
  std::optional<double> seconds = options.faults.gap_seconds;
  if (colon != std::string::npos) {
    seconds = NumberWith(all.substr(colon + 1), "s");
  }
  if (!share || *share >= 100.0 || !seconds || *seconds <= 0.0) {
    throw BadCall("--gaps " + options.gaps +
                  ": expected a share below 100% and a length, such as "
                  "20%:0.5s");
  }
  options.faults.gap_share = *share / 100.0;
  options.faults.gap_seconds = *seconds;
}

/// What the job takes from the call; nothing, and the reason printed, if the
/// figure cannot be read.
std::optional<jobs::MarkersOptions> JobOptions(const MarkersOptions& options) {
  jobs::MarkersOptions job;
  job.file = PathText(options.input);
  job.marker_set = options.marker_set;
  job.faults = options.faults;
  if (options.figure.empty()) return job;
  Result<figure::FigureModel> figure =
      figure::ReadFigureFile(FigurePath(options.figure));
  if (!figure.ok()) {
    std::cerr << figure.diagnostics().ToString();
    return std::nullopt;
  }
  job.figure =
      std::make_shared<const figure::FigureModel>(std::move(figure).value());
  job.figure_file = PathText(options.figure);
  return job;
}

int RunMarkers(MarkersOptions options) {
  ParseFaults(options);
  const std::optional<Format> to = FormatFromName(options.output);
  if (!to || KindOf(*to) != Kind::kMarkers) {
    throw BadCall(PathText(options.output) +
                  ": the name of the output must end in .c3d or .trc");
  }
  if (!CheckJobFiles({{options.input, options.figure, options.load.asf,
                       options.load.offsets},
                      {options.output},
                      options.force})) {
    return kBadInput;
  }
  Result<LoadedFile> file = Load(options.input, options.load);
  std::cerr << file.diagnostics().ToString();
  if (!file.ok()) return kBadInput;
  const auto* motion = std::get_if<figure::Motion>(&file->content);
  if (motion == nullptr) {
    throw BadCall(PathText(options.input) + ": expected a clip (BVH or AMC), " +
                  "found " + std::string(Name(file->format)));
  }
  const std::optional<jobs::MarkersOptions> job = JobOptions(options);
  if (!job) return kBadInput;
  Result<jobs::VirtualMarkers> made = jobs::Markers(*motion, *job);
  std::cerr << made.diagnostics().ToString();
  if (!made.ok()) return kBadInput;
  mocap::MarkerTake& take = made.value().take;
  const mocap::FaultReport& report = made->report;
  if (*to == Format::kTrc) take.origin.axes = mocap::AxisConvention::YUp();
  const Diagnostics written = *to == Format::kC3d
                                  ? mocap::WriteC3d(options.output, take)
                                  : mocap::WriteTrc(options.output, take);
  std::cerr << written.ToString();
  if (written.has_errors()) return kBadInput;
  if (options.json) {
    std::cout << nlohmann::ordered_json{{"input", PathText(options.input)},
                                        {"output", PathText(options.output)},
                                        {"markers", made->num_markers},
                                        {"ghosts", options.faults.ghosts},
                                        {"frames", take.num_frames()},
                                        {"gap_fraction", take.gap_fraction()},
                                        {"swaps", report.swaps.size()}}
                     .dump(2)
              << "\n";
  } else {
    std::cout << PathText(options.input) << " -> " << PathText(options.output)
              << ": " << Count(made->num_markers, "marker") << ", "
              << Count(take.num_frames(), "frame") << ", "
              << Count(report.missing_samples, "missing sample") << ", "
              << Count(static_cast<std::int64_t>(report.swaps.size()), "swap")
              << ", " << Count(options.faults.ghosts, "ghost") << "\n";
  }
  return kDone;
}

}  // namespace

void AddMarkers(CLI::App& app, Job& job) {
  CLI::App* command = app.add_subcommand(
      "markers", "Make virtual markers from a clip, as cameras would see them");
  auto options = std::make_shared<MarkersOptions>();
  command->add_option("CLIP", options->input, "BVH or AMC of a human figure")
      ->required()
      ->type_name("");
  command
      ->add_option("-o,--output", options->output,
                   "C3D or TRC to write; a file of that name is replaced")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--marker-set", options->marker_set,
                   "labels and places: cmu41 or pig39")
      ->type_name("SET")
      ->check(CLI::IsMember({"cmu41", "pig39"}).description(""));
  command
      ->add_option("--figure", options->figure,
                   "figure file of the same skeleton whose markers are used")
      ->type_name("FILE");
  command
      ->add_option("--noise", options->noise,
                   "standard deviation of each coordinate, such as 1mm")
      ->type_name("LENGTH");
  command
      ->add_option("--gaps", options->gaps,
                   "missing share of all samples and length of a gap, such as "
                   "20%:0.5s")
      ->type_name("SHARE:TIME");
  command
      ->add_option("--swaps", options->faults.swaps,
                   "how often neighbours trade labels")
      ->type_name("N")
      ->check(CLI::Range(0, 10000).description(""));
  command
      ->add_option("--ghosts", options->faults.ghosts,
                   "how many unlabelled points appear for a while")
      ->type_name("N")
      ->check(CLI::Range(0, 10000).description(""));
  command
      ->add_option("--seed", options->faults.seed,
                   "the same seed makes the same faults")
      ->type_name("N");
  command->add_flag("--json", options->json, "report for machines");
  AddForceOption(*command, options->force);
  AddLoadOptions(*command, options->load);
  command->footer(
      "Example:\n"
      "  limber markers data/clips/walk.bvh -o walk.c3d --noise 1mm "
      "--gaps 20%:0.5s");
  command->callback(
      [options, &job] { job = [options] { return RunMarkers(*options); }; });
}

}  // namespace limber::app
