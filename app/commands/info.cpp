// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/commands/command.h"
#include "app/commands/load_options.h"
#include "app/exit_code.h"
#include "app/reports/describe.h"
#include "core/file.h"

namespace limber::app {

namespace {

struct InfoOptions {
  std::vector<std::filesystem::path> files;
  LoadOptions load;
  bool json = false;
};

void Print(const std::filesystem::path& path, const Description& description) {
  constexpr std::size_t kKeyWidth = 10;
  std::cout << PathText(path) << "\n";
  for (const Description::Line& line : description.lines) {
    std::string key = line.key;
    key.resize(std::max(kKeyWidth, key.size()), ' ');
    std::cout << "  " << key << (line.key.empty() ? "  " : "") << line.value
              << "\n";
  }
}

/// One file; the description is appended to `all` or printed. Returns an
/// ExitCode.
int InfoOnFile(const std::filesystem::path& path, const InfoOptions& options,
               nlohmann::ordered_json& all) {
  const Result<LoadedFile> file = Load(path, options.load);
  if (!file.ok()) {
    std::cerr << file.diagnostics().ToString();
    all.push_back({{"file", PathText(path)},
                   {"errors", ToJson(file.diagnostics().all())}});
    return kBadInput;
  }
  Description description = Describe(*file, file.diagnostics().warnings());
  if (!options.json) {
    const bool is_first =
        std::ranges::none_of(all, [](const nlohmann::ordered_json& one) {
          return one.contains("format");
        });
    if (!is_first) std::cout << "\n";
    Print(path, description);
  }
  all.push_back(std::move(description.json));
  return kDone;
}

int RunInfo(const InfoOptions& options) {
  int code = kDone;
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const std::filesystem::path& path : options.files) {
    // A file that cannot be described does not hide the others.
    try {
      code = std::max(code, InfoOnFile(path, options, all));
    } catch (const BadCall& error) {
      std::cerr << "limber: " << error.what() << "\n";
      all.push_back({{"file", PathText(path)},
                     {"errors",
                      {{{"kind", "bad-call"},
                        {"message", error.what()},
                        {"count", 1}}}}});
      code = kBadCall;
    }
  }
  if (options.json) {
    // Labels of old files are not always UTF-8.
    const nlohmann::ordered_json& shown = all.size() == 1 ? all[0] : all;
    std::cout << shown.dump(2, ' ', false,
                            nlohmann::json::error_handler_t::replace)
              << "\n";
  }
  return code;
}

}  // namespace

void AddInfo(CLI::App& app, Job& job) {
  CLI::App* command = app.add_subcommand(
      "info",
      "Say what is in a file: format, joints or markers, frames, rate, "
      "unit, axes, gaps, warnings");
  auto options = std::make_shared<InfoOptions>();
  command
      ->add_option(
          "FILE", options->files,
          "BVH, ASF, AMC, glTF, FBX, NPZ, C3D, TRC, STO, MOT or figure file; "
          "one or more")
      ->required()
      ->type_name("");
  command->add_flag("--json", options->json,
                    "for machines: an object, or a list for several files");
  AddLoadOptions(*command, options->load);
  command->footer(
      "Example:\n"
      "  limber info data/takes/march.c3d\n"
      "  limber info --json --unit cm walk.bvh");
  command->callback(
      [options, &job] { job = [options] { return RunInfo(*options); }; });
}

}  // namespace limber::app
