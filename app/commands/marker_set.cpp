// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "app/commands/command.h"
#include "app/commands/load_options.h"
#include "app/exit_code.h"
#include "app/job_files.h"
#include "core/file.h"
#include "mocap/solve/identify.h"
#include "mocap/solve/marker_set.h"

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

/// Label, segment, why and how sure, one marker a line.
std::string Table(const mocap::Identification& found) {
  std::vector<std::array<std::string, 4>> rows = {
      {"label", "segment", "why", "confidence"}};
  for (std::size_t i = 0; i < found.set.markers.size(); ++i) {
    const mocap::SetMarker& marker = found.set.markers[i];
    const mocap::MarkerOrigin& origin = found.origins[i];
    rows.push_back(
        {marker.label, std::string(mocap::Body()[marker.segment].name),
         std::string(ToString(origin.evidence)) + ": " + origin.why,
         std::to_string(std::lround(100 * origin.confidence)) + " %"});
  }
  for (const mocap::LeftOutTrack& track : found.left_out) {
    rows.push_back({track.label, "left out", track.why, ""});
  }
  std::array<std::size_t, 4> widths{};
  for (const auto& row : rows) {
    for (std::size_t k = 0; k < row.size(); ++k) {
      widths[k] = std::max(widths[k], row[k].size());
    }
  }
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t k = 0; k < row.size(); ++k) {
      text += row[k];
      if (k + 1 < row.size()) {
        text += std::string(widths[k] - row[k].size() + 2, ' ');
      }
    }
    text += "\n";
  }
  return text;
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
  const Result<mocap::Identification> found = mocap::IdentifyMarkers(
      mocap::BuiltInMarkerSets(), *take, PathText(command.from));
  std::cerr << found.diagnostics().ToString();
  if (!found.ok()) return kBadInput;
  mocap::MarkerSet set = found->set;
  set.name =
      command.name.empty() ? PathText(command.from.stem()) : command.name;
  set.description = "proposed from " + PathText(command.from.filename()) +
                    "; places in metres on a person of 1.75 m in a T-pose";
  // The set goes to standard output when no file is named; then the table
  // goes beside it, so that the set can be piped.
  (command.output.empty() ? std::cerr : std::cout) << Table(*found);
  return Write(command, set);
}

int RunMarkerSet(const MarkerSetCommand& command) {
  if (!CheckJobFiles({{command.from, command.load.asf, command.load.offsets},
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
      "List the marker sets that `solve` knows, show one, or write one for the "
      "labels of a take");
  auto command = std::make_shared<MarkerSetCommand>();
  sub->add_option("--from", command->from,
                  "C3D or TRC of somebody who moves: labels and motion tell "
                  "which marker is on which segment")
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
      "  limber marker-set --from take.c3d -o mine.json\n"
      "  limber solve take.c3d --marker-set mine.json -o take.bvh");
  sub->callback(
      [command, &job] { job = [command] { return RunMarkerSet(*command); }; });
}

}  // namespace limber::app
