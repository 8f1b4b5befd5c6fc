// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/commands/command.h"
#include "app/commands/load_options.h"
#include "app/exit_code.h"
#include "app/job_files.h"
#include "app/reports/describe.h"
#include "core/file.h"
#include "figure/figure_file.h"
#include "figure/make_figure.h"

namespace limber::app {

namespace {

struct FigureCommandOptions {
  std::filesystem::path input;
  std::filesystem::path output;
  std::string name;
  double height = 0.0;
  double weight = 0.0;
  bool female = false;
  bool fit_clip = false;
  LoadOptions load;
  bool force = false;
  bool json = false;
};

/// The skeleton of a file, and its clip where it has one.
struct Source {
  std::shared_ptr<const figure::Skeleton> skeleton;
  const figure::Motion* clip = nullptr;
};

Source SourceOf(const LoadedFile& file) {
  if (const auto* motion = std::get_if<figure::Motion>(&file.content)) {
    return {motion->shared_skeleton(), motion};
  }
  if (const auto* asf = std::get_if<mocap::AsfSkeleton>(&file.content)) {
    return {asf->skeleton, nullptr};
  }
  throw BadCall(PathText(file.path) +
                ": expected a skeleton (BVH, ASF or AMC), found " +
                std::string(Name(file.format)));
}

int RunFigure(const FigureCommandOptions& options) {
  if (!CheckJobFiles({{options.input, options.load.asf, options.load.offsets},
                      {options.output},
                      options.force})) {
    return kBadInput;
  }
  const Result<LoadedFile> file = Load(options.input, options.load);
  std::cerr << file.diagnostics().ToString();
  if (!file.ok()) return kBadInput;
  const Source source = SourceOf(*file);
  figure::FigureOptions make;
  make.name =
      options.name.empty() ? PathText(options.output.stem()) : options.name;
  make.height = options.height;
  make.mass = options.weight;
  make.sex = options.female ? figure::Sex::kFemale : figure::Sex::kMale;
  if (options.fit_clip) {
    if (source.clip == nullptr) {
      throw BadCall("--fit-clip: " + PathText(options.input) +
                    " holds no clip");
    }
    make.clip = source.clip;
  }
  const Result<figure::FigureModel> figure =
      figure::MakeFigure(source.skeleton, make);
  Diagnostics diagnostics(PathText(options.input));
  for (const Diagnostic& finding : figure.diagnostics().all()) {
    if (finding.severity == Severity::kError) {
      diagnostics.Error(finding.kind, finding.place, finding.message);
    } else {
      diagnostics.Warning(finding.kind, finding.place, finding.message);
    }
  }
  if (figure.ok()) {
    diagnostics.Append(figure::WriteFigureFile(options.output, *figure));
  }
  std::cerr << diagnostics.ToString();
  if (diagnostics.has_errors()) return kBadInput;
  const double height =
      options.height > 0.0
          ? options.height
          : figure::BodyHeight(*figure->skeleton, figure->roles);
  if (options.json) {
    std::cout
        << nlohmann::ordered_json{{"input", PathText(options.input)},
                                  {"output", PathText(options.output)},
                                  {"joints", figure->skeleton->num_joints()},
                                  {"segments", figure->num_segments()},
                                  {"human", figure::IsHumanoid(figure->roles)},
                                  {"height_m", height},
                                  {"mass_kg", figure->total_mass()},
                                  {"markers", figure->markers.size()},
                                  {"warnings", ToJson(diagnostics.warnings())}}
               .dump(2, ' ', false, nlohmann::json::error_handler_t::replace)
        << "\n";
  } else {
    std::cout << PathText(options.input) << " -> " << PathText(options.output)
              << ": " << Count(figure->num_segments(), "segment") << ", "
              << Count(figure->skeleton->num_joints(), "joint") << ", "
              << Rounded(height, 2) << " m, "
              << Rounded(figure->total_mass(), 2) << " kg\n";
  }
  return kDone;
}

}  // namespace

void AddFigure(CLI::App& app, Job& job) {
  CLI::App* command = app.add_subcommand(
      "figure", "Give a skeleton a body and write it as a figure file");
  auto options = std::make_shared<FigureCommandOptions>();
  command->add_option("CLIP", options->input, "BVH, ASF or AMC")
      ->required()
      ->type_name("");
  command
      ->add_option("-o,--output", options->output,
                   "figure file (JSON) to write; a file of that name is "
                   "replaced")
      ->required()
      ->type_name("FILE");
  command->add_option("--name", options->name, "the figure's name")
      ->type_name("NAME");
  command
      ->add_option("--height", options->height,
                   "standing height [m]; without it as the skeleton shows")
      ->type_name("METRES")
      ->check(PositiveNumber(100.0));
  command
      ->add_option("--weight", options->weight,
                   "body mass [kg]; without it usual for the height")
      ->type_name("KG")
      ->check(PositiveNumber(1e6));
  command->add_flag("--female", options->female,
                    "masses by the table for women");
  command->add_flag("--fit-clip", options->fit_clip,
                    "joints and limits wide enough for all the clip does");
  command->add_flag("--json", options->json, "report for machines");
  AddForceOption(*command, options->force);
  AddLoadOptions(*command, options->load);
  command->footer(
      "Example:\n"
      "  limber figure data/clips/march.bvh -o march.json --weight 70");
  command->callback(
      [options, &job] { job = [options] { return RunFigure(*options); }; });
}

}  // namespace limber::app
