// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// One page of clips, takes, scenes, reports and pictures.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands/command.h"
#include "app/commands/load_options.h"
#include "app/exit_code.h"
#include "app/job_files.h"
#include "app/jobs.h"
#include "app/player/packing.h"
#include "app/player/player_html.h"
#include "app/player/record.h"
#include "app/reports/describe.h"
#include "app/reports/report.h"
#include "app/view_shows.h"
#include "core/file.h"
#include "core/json_document.h"

namespace limber::app {

namespace {

namespace fs = std::filesystem;

struct PageOptions {
  std::vector<std::string> items;
  fs::path output;
  std::string title;  ///< Empty: the name of the only item, or "Report".
  std::string text;
  std::string figure;
  LoadOptions load;
  bool force = false;
};

std::string PictureHtml(std::string_view bytes, const std::string& caption) {
  const std::string shown = EscapeForPage(caption);
  return "<figure><img alt=\"" + shown + "\" src=\"data:image/png;base64," +
         Base64(bytes) + "\"><figcaption>" + shown + "</figcaption></figure>\n";
}

/// One part of a page: FILE, FILE=CAPTION, or FILE+FILE=CAPTION for clips and
/// takes on one stage. A name that is there as it stands is one file.
struct Item {
  std::vector<fs::path> files;
  std::string caption;
};

/// The files of FILE or FILE+FILE.
std::vector<fs::path> FilesOf(const std::string& names) {
  if (fs::exists(names)) return {names};
  std::vector<fs::path> files;
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t end = std::min(names.find('+', begin), names.size());
    files.emplace_back(names.substr(begin, end - begin));
    begin = end + 1;
  }
  return files;
}

/// Names may have a "=" of their own: the caption begins after the last one
/// before which there are files.
Item ParseItem(const std::string& text) {
  const auto are_there = [](const std::vector<fs::path>& files) {
    return std::ranges::all_of(
        files, [](const fs::path& file) { return fs::exists(file); });
  };
  if (are_there(FilesOf(text))) return {FilesOf(text), ""};
  for (std::size_t split = text.rfind('='); split != std::string::npos;
       split = split == 0 ? std::string::npos : text.rfind('=', split - 1)) {
    const std::vector<fs::path> files = FilesOf(text.substr(0, split));
    if (are_there(files)) return {files, text.substr(split + 1)};
  }
  const std::size_t split = std::min(text.find('='), text.size());
  return {FilesOf(text.substr(0, split)), ""};
}

/// The name of a file without its folder and ending, as a switch shows it.
std::string ShortName(const fs::path& path) { return PathText(path.stem()); }

/// Clips, takes and scenes that move on the page.
std::string MovingHtml(const Item& item, const PageOptions& options,
                       Diagnostics& findings) {
  ShowOptions shown;
  shown.figure = FigurePath(options.figure);
  shown.figure_where_it_fits = true;
  shown.load = options.load;
  Result<std::vector<ShownFile>> shows = MakeEachShow(item.files, shown);
  findings.Append(shows.diagnostics());
  if (!shows.ok()) return "";
  std::vector<PlayedShow> played;
  const double rate_hz = shows->front().rate_hz;
  for (std::size_t i = 0; i < item.files.size(); ++i) {
    played.push_back(
        {ShortName(item.files[i]), std::move(shows.value()[i].show), i > 0});
  }
  std::string title = item.caption;
  if (title.empty()) title = PathText(item.files.front().filename());
  std::optional<PlayerRecording> recording =
      RecordShows(title, rate_hz, std::move(played));
  if (recording) {
    AddCharacter(item.files.front(), 0, recording->actors.front());
    return PlayerHtml(*recording);
  }
  Diagnostics own(PathText(item.files.front()));
  own.Error("too-many-parts", {},
            "there are more bodies than a page can move; look at it with "
            "\"limber view\"");
  findings.Append(own);
  return "";
}

/// The HTML of one item; empty, and the reason in `findings`, if it cannot be
/// shown.
std::string ItemHtml(const std::string& text, const PageOptions& options,
                     Diagnostics& findings) {
  const Item item = ParseItem(text);
  const fs::path& path = item.files.front();
  const std::string ending = path.extension().string();
  if (item.files.size() > 1 || (ending != ".png" && ending != ".json")) {
    return MovingHtml(item, options, findings);
  }
  Result<std::string> bytes = ReadWholeFile(path);
  if (!bytes) {
    findings.Append(bytes.diagnostics());
    return "";
  }
  if (ending == ".png") {
    if (bytes->starts_with("\x89PNG")) {
      return PictureHtml(*bytes, item.caption.empty()
                                     ? PathText(path.filename())
                                     : item.caption);
    }
    Diagnostics own(PathText(path));
    own.Error("no-picture", {}, "expected a picture in the form of PNG");
    findings.Append(own);
    return "";
  }
  const auto report = Report::FromJson(
      nlohmann::ordered_json::parse(*bytes, nullptr, /*exceptions=*/false));
  if (report) return report->ToSection();
  // Scenes and figures may have comments.
  const Result<JsonValue> other = ReadJson(path);
  if (other && (other->Find("limber_scene") != nullptr ||
                other->Find("limber_figure") != nullptr)) {
    return MovingHtml(item, options, findings);
  }
  Diagnostics own(PathText(path));
  own.Error("no-report", {},
            "expected a report that a command wrote with --report, a scene or "
            "a figure");
  findings.Append(own);
  return "";
}

std::string TitleOf(const PageOptions& options) {
  if (!options.title.empty()) return options.title;
  if (options.items.size() > 1) return "Report";
  return PathText(ParseItem(options.items.front()).files.front().filename());
}

int RunPage(const PageOptions& options) {
  std::vector<fs::path> inputs;
  for (const std::string& item : options.items) {
    for (const fs::path& file : ParseItem(item).files) inputs.push_back(file);
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
    body += ItemHtml(item, options, findings);
  }
  if (!findings.has_errors()) {
    findings.Append(
        WriteWholeFile(options.output, MakePage(TitleOf(options), body)));
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
  CLI::App* command =
      app.add_subcommand("page",
                         "Put clips, takes, scenes, reports and pictures on "
                         "one page that needs no "
                         "other file");
  auto options = std::make_shared<PageOptions>();
  command
      ->add_option("ITEM", options->items,
                   "clips, takes and scenes, which move on the page, reports "
                   "(.json) and pictures (.png), in the order of the page; "
                   "FILE=CAPTION; CLIP+CLIP or TAKE+CLIP for one stage")
      ->required()
      ->type_name("");
  command->add_option("-o,--output", options->output, "the page")
      ->required()
      ->type_name("FILE.html");
  command->add_option("--title", options->title, "of the page")
      ->type_name("TEXT");
  command->add_option("--text", options->text, "a paragraph to begin with")
      ->type_name("TEXT");
  command
      ->add_option("--figure", options->figure,
                   "body of the clips that have its joints")
      ->type_name("FILE|NAME");
  AddForceOption(*command, options->force);
  command->footer(
      "Examples:\n"
      "  limber page walk.bvh -o walk.html\n"
      "  limber page 'pushed.bvh+walk.bvh=Pushed, and before' -o pushed.html\n"
      "  limber page solved.json 'walk.png=The walk' -o index.html --title "
      "Walk");
  command->callback(
      [options, &job] { job = [options] { return RunPage(*options); }; });
}

}  // namespace limber::app
