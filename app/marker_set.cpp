// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "app/command.h"
#include "app/exit_code.h"
#include "app/job_files.h"
#include "app/load_options.h"
#include "core/file.h"
#include "mocap/solve/marker_set.h"
#include "mocap/solve/propose_set.h"

namespace limber::app {

namespace {

struct MarkerSetCommand {
  std::filesystem::path from;
  std::filesystem::path output;
  std::string name;
  std::string show;
  LoadOptions load;
  bool force = false;
};

int Write(const MarkerSetCommand& command, const mocap::MarkerSet& set) {
  if (command.output.empty()) {
    std::cout << mocap::FormatMarkerSet(set);
    return kDone;
  }
  const Diagnostics written = mocap::WriteMarkerSet(command.output, set);
  std::cerr << written.ToString();
  return written.has_errors() ? kBadInput : kDone;
}

int Propose(const MarkerSetCommand& command) {
  Result<LoadedFile> file = Load(command.from, command.load);
  std::cerr << file.diagnostics().ToString();
  if (!file.ok()) return kBadInput;
  const auto* take = std::get_if<mocap::MarkerTake>(&file->content);
  if (take == nullptr) {
    throw BadCall("--from " + PathText(command.from) +
                  ": expected markers (C3D or TRC), found a skeleton");
  }
  std::string name = command.name;
  if (name.empty()) name = PathText(command.from.stem());
  const Result<mocap::MarkerSet> set =
      mocap::ProposeMarkerSet(*take, PathText(command.from.filename()), name);
  std::cerr << set.diagnostics().ToString();
  if (!set.ok()) return kBadInput;
  return Write(command, *set);
}

int RunMarkerSet(const MarkerSetCommand& command) {
  if (!CheckJobFiles({{command.from, command.load.asf},
                      {command.output},
                      command.force})) {
    return kBadInput;
  }
  if (!command.from.empty()) return Propose(command);
  const std::vector<mocap::MarkerSet>& sets = mocap::BuiltInMarkerSets();
  if (!command.show.empty()) {
    for (const mocap::MarkerSet& set : sets) {
      if (set.name == command.show) {
        return Write(command, set);
      }
    }
    throw BadCall("--show " + command.show +
                  ": no such built-in set; `limber marker-set` lists them");
  }
  for (const mocap::MarkerSet& set : sets) {
    std::cout << set.name << "  " << set.markers.size() << " markers. "
              << set.description << "\n";
  }
  return kDone;
}

}  // namespace

void AddMarkerSet(CLI::App& app, Job& job) {
  CLI::App* sub = app.add_subcommand(
      "marker-set",
      "List the marker sets that `solve` knows, show one, or propose one from "
      "a standing pose");
  auto command = std::make_shared<MarkerSetCommand>();
  sub->add_option("--from", command->from,
                  "C3D or TRC of somebody in a T-pose or standing with hanging "
                  "arms")
      ->type_name("FILE");
  sub->add_option("--show", command->show, "print a built-in set")
      ->type_name("NAME");
  sub->add_option("--name", command->name, "name of the proposed set")
      ->type_name("NAME");
  sub->add_option("-o,--output", command->output,
                  "file to write; without it standard output")
      ->type_name("FILE");
  AddForceOption(*sub, command->force);
  AddLoadOptions(*sub, command->load);
  sub->footer(
      "Example:\n"
      "  limber marker-set --from static.c3d -o mine.json\n"
      "  limber solve take.c3d --marker-set mine.json -o take.bvh");
  sub->callback(
      [command, &job] { job = [command] { return RunMarkerSet(*command); }; });
}

}  // namespace limber::app
