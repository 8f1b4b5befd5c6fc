// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/reports/report.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "app/exit_code.h"
#include "app/player/player_html.h"
#include "core/file.h"
#include "jobs/shell_word.h"

namespace limber::app {

namespace {

using nlohmann::ordered_json;

std::string command_line;  // NOLINT: set once by main, read by reports.

/// JSON knows no NaN.
ordered_json Storable(ordered_json value) {
  if (value.is_number_float() && !std::isfinite(value.get<double>())) {
    return nullptr;
  }
  return value;
}

ordered_json CurveJson(const Curve& curve) {
  ordered_json y = ordered_json::array();
  for (const double value : curve.y) y.push_back(Storable(value));
  return {{"name", curve.name}, {"x", curve.x}, {"y", std::move(y)}};
}

ordered_json DoubtsJson(const Verdict& verdict) {
  ordered_json doubts = ordered_json::array();
  for (const Doubt& doubt : verdict.doubts()) {
    doubts.push_back({{"kind", doubt.kind},
                      {"message", doubt.message},
                      {"advice", doubt.advice},
                      {"value", Storable(doubt.value)},
                      {"bound", Storable(doubt.bound)},
                      {"unit", doubt.unit}});
  }
  return doubts;
}

Verdict VerdictOf(const ordered_json& doubts) {
  const auto number = [](const ordered_json& value) {
    return value.is_null() ? std::nan("") : value.get<double>();
  };
  Verdict verdict;
  for (const ordered_json& doubt : doubts) {
    verdict.Add({doubt.at("kind"), doubt.at("message"), doubt.at("advice"),
                 number(doubt.at("value")), number(doubt.at("bound")),
                 doubt.at("unit")});
  }
  return verdict;
}

}  // namespace

bool IsPage(const std::filesystem::path& path) {
  return path.extension() == ".html" || path.extension() == ".htm";
}

Report::Report(std::string title) : title_(std::move(title)) {}

void Report::Set(std::string_view key, ordered_json value,
                 std::string_view label, std::string_view unit) {
  Metric metric{std::string(key), Storable(std::move(value)),
                std::string(label), std::string(unit)};
  const auto old = std::ranges::find(metrics_, key, &Metric::key);
  if (old != metrics_.end()) {
    *old = std::move(metric);
  } else {
    metrics_.push_back(std::move(metric));
  }
}

void Report::AddTable(ReportTable table) {
  for (std::vector<ordered_json>& row : table.rows) {
    row.resize(table.columns.size());
    for (ordered_json& cell : row) cell = Storable(std::move(cell));
  }
  tables_.push_back(std::move(table));
}

void Report::AddPlot(std::string key, Plot plot) {
  plots_.push_back({std::move(key), std::move(plot)});
}

void Report::AddWarning(std::string text) {
  warnings_.push_back(std::move(text));
}

void Report::AddWarnings(const Diagnostics& diagnostics) {
  for (const Diagnostic& warning : diagnostics.warnings()) {
    AddWarning(ToString(warning));
  }
}

void Report::AddParagraph(std::string text) {
  paragraphs_.push_back(std::move(text));
}

void Report::AddPlayer(const PlayerRecording& recording) {
  players_.push_back(PlayerHtml(recording));
}

ordered_json Report::ToJson() const {
  ordered_json json;
  json["title"] = title_;
  json["command"] = command();
  json["version"] = LIMBER_VERSION;
  if (verdict_) {
    json["verdict"] = verdict_->word();
    json["doubts"] = DoubtsJson(*verdict_);
  }
  for (const Metric& metric : metrics_) json[metric.key] = metric.value;
  // What a page calls the metrics.
  ordered_json labels = ordered_json::object();
  for (const Metric& metric : metrics_) {
    if (!metric.label.empty()) {
      labels[metric.key] = {{"label", metric.label}, {"unit", metric.unit}};
    }
  }
  json["labels"] = std::move(labels);
  if (!main_.empty()) json["main"] = main_;
  json["warnings"] = warnings_;
  for (const ReportTable& table : tables_) {
    json["tables"][table.key] = {{"title", table.title},
                                 {"note", table.note},
                                 {"columns", table.columns},
                                 {"rows", table.rows}};
  }
  for (const NamedPlot& plot : plots_) {
    ordered_json curves = ordered_json::array();
    for (const Curve& curve : plot.plot.curves) {
      curves.push_back(CurveJson(curve));
    }
    ordered_json spans = ordered_json::array();
    for (const PlotSpan& span : plot.plot.spans) {
      spans.push_back(
          {{"begin", span.begin}, {"end", span.end}, {"label", span.label}});
    }
    json["curves"][plot.key] = {
        {"title", plot.plot.title},     {"x_label", plot.plot.x_label},
        {"y_label", plot.plot.y_label}, {"y_from_zero", plot.plot.y_from_zero},
        {"spans", std::move(spans)},    {"curves", std::move(curves)}};
  }
  return json;
}

namespace {

Plot PlotOf(const ordered_json& json) {
  Plot plot;
  plot.title = json.at("title");
  plot.x_label = json.at("x_label");
  plot.y_label = json.at("y_label");
  plot.y_from_zero = json.at("y_from_zero");
  for (const ordered_json& span : json.at("spans")) {
    plot.spans.push_back({span.at("begin"), span.at("end"), span.at("label")});
  }
  for (const ordered_json& curve : json.at("curves")) {
    Curve& added = plot.curves.emplace_back();
    added.name = curve.at("name");
    added.x = curve.at("x").get<std::vector<double>>();
    for (const ordered_json& y : curve.at("y")) {
      added.y.push_back(y.is_null() ? std::nan("") : y.get<double>());
    }
    if (added.x.size() != added.y.size()) {
      throw std::out_of_range("a curve needs as many x as y");
    }
  }
  return plot;
}

ReportTable TableOf(const std::string& key, const ordered_json& json) {
  ReportTable table;
  table.key = key;
  table.title = json.at("title");
  table.note = json.at("note");
  table.columns = json.at("columns").get<std::vector<std::string>>();
  for (const ordered_json& row : json.at("rows")) {
    table.rows.push_back(row.get<std::vector<ordered_json>>());
  }
  return table;
}

}  // namespace

std::optional<Report> Report::FromJson(const ordered_json& json) {
  // The library of JSON throws for what is missing or of another type.
  try {
    Report report(json.at("title"));
    report.command_ = json.at("command");
    if (json.contains("doubts")) {
      report.SetVerdict(VerdictOf(json.at("doubts")));
    }
    for (const auto& [key, label] : json.at("labels").items()) {
      report.Set(key, json.at(key), label.at("label").get<std::string>(),
                 label.at("unit").get<std::string>());
    }
    if (json.contains("main")) report.SetMain(json.at("main"));
    for (const ordered_json& warning : json.at("warnings")) {
      report.AddWarning(warning);
    }
    if (json.contains("curves")) {
      for (const auto& [key, plot] : json.at("curves").items()) {
        report.AddPlot(key, PlotOf(plot));
      }
    }
    if (json.contains("tables")) {
      for (const auto& [key, table] : json.at("tables").items()) {
        report.AddTable(TableOf(key, table));
      }
    }
    return report;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

const std::string& Report::command() const {
  return command_.empty() ? CommandLine() : command_;
}

Diagnostics Report::Write(const std::filesystem::path& path) const {
  CheckReportPath(path);
  if (IsPage(path)) return WriteWholeFile(path, ToPage());
  // Labels of old files are not always UTF-8.
  return WriteWholeFile(
      path,
      ToJson().dump(2, ' ', false, ordered_json::error_handler_t::replace) +
          "\n");
}

void CheckReportPath(const std::filesystem::path& path) {
  if (IsPage(path) || path.extension() == ".json") return;
  throw BadCall("a report ends in .html or .json: \"" + PathText(path) + "\"");
}

void SetCommandLine(int argc, char** argv) {
  command_line = "limber";
  for (int i = 1; i < argc; ++i) {
    command_line += " " + jobs::ShellWord(argv[i]);
  }
}

const std::string& CommandLine() { return command_line; }

}  // namespace limber::app
