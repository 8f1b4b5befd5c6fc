// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// One page of several reports and pictures.
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "app/command.h"
#include "app/describe.h"
#include "app/exit_code.h"
#include "app/job_files.h"
#include "app/report.h"
#include "core/file.h"

namespace limber::app {

namespace {

namespace fs = std::filesystem;

struct PageOptions {
  std::vector<std::string> items;
  fs::path output;
  std::string title = "Report";
  std::string text;
  bool force = false;
};

/// Three bytes become four letters of six bits each.
std::string Base64(std::string_view bytes) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8 |
              (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k])
                                    : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      const bool filled = i + k <= bytes.size();
      text += filled ? kLetters[group >> (18 - 6 * k) & 63U] : '=';
    }
  }
  return text;
}

std::string PictureHtml(std::string_view bytes, const std::string& caption) {
  const std::string shown = EscapeForPage(caption);
  return "<figure><img alt=\"" + shown + "\" src=\"data:image/png;base64," +
         Base64(bytes) + "\"><figcaption>" + shown + "</figcaption></figure>\n";
}

/// FILE of an item FILE or FILE=CAPTION.
fs::path PathOf(const std::string& item) {
  return item.substr(0, item.find('='));
}

/// The HTML of one item, FILE or FILE=CAPTION; empty, and the reason in
/// `findings`, if it cannot be shown.
std::string ItemHtml(const std::string& item, Diagnostics& findings) {
  const std::size_t split = item.find('=');
  const fs::path path = PathOf(item);
  const std::string caption = split == std::string::npos
                                  ? PathText(path.filename())
                                  : item.substr(split + 1);
  Result<std::string> bytes = ReadWholeFile(path);
  if (!bytes) {
    findings.Append(bytes.diagnostics());
    return "";
  }
  if (path.extension() == ".png" && bytes->starts_with("\x89PNG")) {
    return PictureHtml(*bytes, caption);
  }
  Diagnostics own(PathText(path));
  if (path.extension() == ".json") {
    const auto report = Report::FromJson(
        nlohmann::ordered_json::parse(*bytes, nullptr, /*exceptions=*/false));
    if (report) return report->ToSection();
    own.Error("no-report", {},
              "expected a report that a command wrote with --report");
  } else {
    own.Error("no-item", {}, "expected a report (.json) or a picture (.png)");
  }
  findings.Append(own);
  return "";
}

int RunPage(const PageOptions& options) {
  std::vector<fs::path> inputs;
  for (const std::string& item : options.items) {
    inputs.emplace_back(PathOf(item));
  }
  if (!CheckJobFiles({inputs, {options.output}, options.force})) {
    return kBadInput;
  }
  Diagnostics findings;
  std::string body;
  if (!options.text.empty()) {
    body += "<p>" + EscapeForPage(options.text) + "</p>\n";
  }
  for (const std::string& item : options.items) {
    body += ItemHtml(item, findings);
  }
  if (!findings.has_errors()) {
    findings.Append(
        WriteWholeFile(options.output, MakePage(options.title, body)));
  }
  std::cerr << findings.ToString();
  if (findings.has_errors()) return kBadInput;
  std::cout << PathText(options.output) << ": "
            << Count(static_cast<std::int64_t>(options.items.size()), "part")
            << "\n";
  return kDone;
}

}  // namespace

void AddPage(CLI::App& app, Job& job) {
  CLI::App* command = app.add_subcommand(
      "page", "Put reports and pictures on one page that needs no other file");
  auto options = std::make_shared<PageOptions>();
  command
      ->add_option("ITEM", options->items,
                   "reports (.json) and pictures (.png), in the order of the "
                   "page; FILE=CAPTION for a picture")
      ->required()
      ->type_name("");
  command->add_option("-o,--output", options->output, "the page")
      ->required()
      ->type_name("FILE.html");
  command->add_option("--title", options->title, "of the page")
      ->type_name("TEXT");
  command->add_option("--text", options->text, "a paragraph to begin with")
      ->type_name("TEXT");
  AddForceOption(*command, options->force);
  command->footer(
      "Example:\n"
      "  limber page solved.json 'walk.png=The walk' -o index.html --title "
      "Walk");
  command->callback(
      [options, &job] { job = [options] { return RunPage(*options); }; });
}

}  // namespace limber::app
