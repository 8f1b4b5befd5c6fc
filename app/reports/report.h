// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/player/recording.h"
#include "app/reports/plot.h"
#include "core/diagnostics.h"
#include "core/verdict.h"

namespace limber::app {

/// A table of a report; every row has as many cells as there are columns.
struct ReportTable {
  std::string key;    ///< In JSON, snake case: "markers".
  std::string title;  ///< On the page.
  std::string note;   ///< One or two sentences below the title, or empty.
  std::vector<std::string> columns;  ///< With the unit: "RMS [mm]".
  /// Numbers, texts or null. In JSON each row is an array beside "columns".
  std::vector<std::vector<nlohmann::ordered_json>> rows;
};

/// What a job did, in one object for people and for machines: written as JSON
/// (the metrics at the top level) or as a page that needs no other file, with
/// tables, curves, the exact command and the version.
class Report {
 public:
  /// @param title  "Solve of take.c3d". The command line comes from
  ///               `SetCommandLine`.
  explicit Report(std::string title);

  /// Puts a value under its metric's name in snake case with the unit
  /// ("marker_rms_mm"). `label` and `unit` are what the page shows; an empty
  /// label keeps the value off the page. A number that is not finite becomes
  /// null. Setting a key again replaces its value.
  void Set(std::string_view key, nlohmann::ordered_json value,
           std::string_view label = "", std::string_view unit = "");
  /// The metrics that matter: cards on the page, in this order, while all
  /// others are folded. Without it all are cards.
  void SetMain(std::vector<std::string> keys) { main_ = std::move(keys); }
  /// What the job thinks of its result: `verdict` and `doubts` in JSON, and the
  /// first thing on the page.
  void SetVerdict(Verdict verdict) { verdict_ = std::move(verdict); }
  void AddTable(ReportTable table);
  /// `key` names the curves in JSON.
  void AddPlot(std::string key, Plot plot);
  /// The motion that the page shows first, below the verdict; it is in no JSON.
  void AddPlayer(const PlayerRecording& recording);
  /// Text in the `warnings` of both forms.
  void AddWarning(std::string text);
  void AddWarnings(const Diagnostics& diagnostics);
  /// A paragraph on the page, above the tables.
  void AddParagraph(std::string text);

  nlohmann::ordered_json ToJson() const;
  std::string ToPage() const;
  /// Command, numbers, warnings, curves and tables, without the page around
  /// them: one part of a page of several reports. Tables are folded.
  std::string ToSection() const;

  /// The report that `ToJson` made, with its command. Nothing if `json` has
  /// another form.
  static std::optional<Report> FromJson(const nlohmann::ordered_json& json);

  /// Writes by the name's ending: .json, .html or .htm.
  /// @throws BadCall for another ending.
  Diagnostics Write(const std::filesystem::path& path) const;

 private:
  struct Metric {
    std::string key;
    nlohmann::ordered_json value;
    std::string label;
    std::string unit;
  };
  struct NamedPlot {
    std::string key;
    Plot plot;
  };
  const std::string& command() const;
  std::string VerdictHtml() const;
  std::string MetricsHtml() const;
  std::string OtherMetricsHtml() const;
  std::string WarningsHtml() const;

  std::string title_;
  std::string command_;  ///< Of another call; empty: of this one.
  std::optional<Verdict> verdict_;
  std::vector<Metric> metrics_;
  std::vector<std::string> main_;  ///< Keys; empty: all.
  std::vector<std::string> paragraphs_;
  std::vector<ReportTable> tables_;
  std::vector<NamedPlot> plots_;
  std::vector<std::string> players_;  ///< HTML.
  std::vector<std::string> warnings_;
};

/// A page that needs no other file around `body`, which is HTML.
std::string MakePage(std::string_view title, std::string_view body);

/// Whether a report of this name is a page, which shows the motion too.
bool IsPage(const std::filesystem::path& path);

/// Refuses a report whose ending is neither .json nor .html before the work is
/// done. @throws BadCall.
void CheckReportPath(const std::filesystem::path& path);

/// What the user typed, for the reports; set once by main.
void SetCommandLine(int argc, char** argv);
const std::string& CommandLine();

}  // namespace limber::app
