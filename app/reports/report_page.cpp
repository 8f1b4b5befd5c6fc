// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// A report as a page that needs no other file.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/player/player_html.h"
#include "app/reports/report.h"

namespace limber::app {

namespace {

using nlohmann::ordered_json;

/// Light and dark by the reader's setting; one column on a phone. The eight
/// curve colours differ in lightness too, for readers who see few hues.
constexpr std::string_view kStyle = R"css(
:root { color-scheme: light dark;
  --page: #fbfaf8; --ink: #1d2127; --soft: #5b636e; --line: #dcd9d3;
  --card: #ffffff; --span: #e9b44c55; --warn: #9a5b00; --good: #2e8b57; --bad: #c0392b;
  --c0: #1f5fa8; --c1: #d1602a; --c2: #2e8b57; --c3: #8e44ad;
  --c4: #b8860b; --c5: #c2185b; --c6: #00808a; --c7: #6b7280; }
@media (prefers-color-scheme: dark) { :root {
  --page: #14171b; --ink: #e7e9ec; --soft: #9aa4b0; --line: #2f353d;
  --card: #1b1f25; --span: #e9b44c33; --warn: #f0b95b; --good: #63d297; --bad: #ff7b6b;
  --c0: #6fb1ff; --c1: #ff9a66; --c2: #63d297; --c3: #cf9bff;
  --c4: #ecc94b; --c5: #ff7eb0; --c6: #4fd1d9; --c7: #a6adb8; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1.5rem 1rem 4rem;
  background: var(--page); color: var(--ink); overflow-wrap: break-word;
  font: 16px/1.5 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
h1 { font-size: 1.5rem; margin: 0 0 .5rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
code { font: .85rem/1.4 ui-monospace, "DejaVu Sans Mono", monospace; }
pre { margin: .5rem 0 1.5rem; padding: .6rem .8rem; overflow-x: auto;
  background: var(--card); border: 1px solid var(--line);
  border-radius: .4rem; }
.soft { color: var(--soft); font-size: .9rem; }
.metrics { display: grid; gap: .6rem;
  grid-template-columns: repeat(auto-fill, minmax(min(11rem, 45%), 1fr)); }
.metric { padding: .6rem .8rem; background: var(--card);
  border: 1px solid var(--line); border-radius: .4rem; }
.metric b { display: block; font-size: 1.35rem; font-weight: 600;
  overflow-wrap: anywhere; }
.metric small { color: var(--soft); font-size: .9rem; font-weight: 400; }
.metric span { color: var(--soft); font-size: .85rem; }
.verdict { margin: 1rem 0; padding: .6rem .8rem; border-radius: .4rem;
  border: 1px solid var(--line); border-left: .4rem solid var(--good);
  background: var(--card); }
.verdict.wrong { border-left-color: var(--bad); }
.verdict b { font-size: 1.15rem; }
.verdict ul { margin: .4rem 0 0; padding-left: 1.2rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; min-width: 60%; font-size: .9rem; }
th, td { padding: .25rem .7rem; border-bottom: 1px solid var(--line);
  text-align: left; white-space: nowrap; }
th { color: var(--soft); font-weight: 600; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
.warnings li { color: var(--warn); overflow-wrap: anywhere; }
svg { display: block; width: 100%; height: auto; background: var(--card);
  border: 1px solid var(--line); border-radius: .4rem; }
svg text { fill: var(--soft); font-size: 12px; }
svg .grid { stroke: var(--line); }
svg .axis { stroke: var(--soft); }
svg .span { fill: var(--span); }
svg .curve { fill: none; stroke-width: 1.6; stroke-linejoin: round;
  stroke-linecap: round; }
@media (max-width: 40rem) { svg text { font-size: 19px; } }
abbr { text-decoration: underline dotted; cursor: help; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem;
  font-size: .85rem; color: var(--soft); margin: .3rem 0; }
h2.part { font-size: 1.3rem; margin-top: 3rem; padding-top: 1rem;
  border-top: 1px solid var(--line); }
figure { margin: 1.5rem 0; }
figure img { display: block; width: 100%; height: auto; border-radius: .4rem;
  border: 1px solid var(--line); }
figcaption { color: var(--soft); font-size: .9rem; margin-top: .3rem; }
details { margin: .8rem 0; }
summary { cursor: pointer; color: var(--soft); }
.legend i { display: inline-block; width: 1.1rem; height: .25rem;
  margin-right: .4rem; vertical-align: middle; border-radius: 2px; }
)css";

constexpr int kNumColours = 8;

/// Numbers as people read them: about four figures, no noise.
std::string Shown(const ordered_json& value) {
  if (value.is_null()) return "–";
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_string()) return EscapeForPage(value.get<std::string>());
  if (value.is_number_integer()) return value.dump();
  if (value.is_number_float()) {
    char text[40];
    const double number = value.get<double>();
    const double size = std::abs(number);
    // Nobody reads 3e-13: what is that small is as good as nothing.
    if (size < 1e-9) return "0";
    if (size < 1e-4) return number > 0.0 ? "&lt; 0.0001" : "&gt; -0.0001";
    const char* format = size >= 1000.0 && size < 1e9 ? "%.0f"
                         : size < 1.0                 ? "%.3g"
                                                      : "%.4g";
    std::snprintf(text, sizeof text, format, number);
    return text;
  }
  return EscapeForPage(
      value.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
}

/// A label with an explanation behind the words that need one.
std::string WithTooltips(std::string_view label) {
  struct Term {
    std::string_view word;
    std::string_view meaning;
  };
  static constexpr Term kTerms[] = {
      {"RMS", "root mean square: a mean in which large errors weigh more"},
      {"jerk", "how fast the acceleration changes: what makes motion twitch"},
      {"stance", "while the foot stands on the floor"},
      {"root help",
       "the force that holds the hips up, beyond what the feet can do"},
      {"Root help",
       "the force that holds the hips up, beyond what the feet can do"},
      {"joint gap", "how far the two sides of a joint are apart"},
      {"unsolved", "steps in which the solver stopped before it was exact"},
  };
  std::string html = EscapeForPage(label);
  for (const Term& term : kTerms) {
    const std::size_t at = html.find(term.word);
    if (at == std::string::npos) continue;
    html.replace(at, term.word.size(),
                 "<abbr title=\"" + EscapeForPage(term.meaning) + "\">" +
                     std::string(term.word) + "</abbr>");
    break;
  }
  return html;
}

/// A value and its unit, small.
std::string ValueHtml(const ordered_json& value, const std::string& unit) {
  if (unit.empty() || value.is_null()) return Shown(value);
  return Shown(value) + " <small>" + EscapeForPage(unit) + "</small>";
}

bool IsNumberColumn(const ReportTable& table, std::size_t column) {
  for (const std::vector<ordered_json>& row : table.rows) {
    if (!row[column].is_number() && !row[column].is_null()) return false;
  }
  return true;
}

std::string TableHtml(const ReportTable& table) {
  std::string html;
  if (!table.note.empty()) {
    html += "<p class=\"soft\">" + EscapeForPage(table.note) + "</p>\n";
  }
  std::vector<std::string> css;
  html += "<div class=\"wide\"><table>\n<thead><tr>";
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    css.push_back(IsNumberColumn(table, i) ? " class=\"n\"" : "");
    html += "<th" + css[i] + ">" + EscapeForPage(table.columns[i]) + "</th>";
  }
  html += "</tr></thead>\n<tbody>\n";
  for (const std::vector<ordered_json>& row : table.rows) {
    html += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      html += "<td" + css[i] + ">" + Shown(row[i]) + "</td>";
    }
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

/// A long table is folded; a short one is as good as a sentence.
std::string FoldedHtml(const ReportTable& table) {
  constexpr std::size_t kShort = 6;  // Rows.
  if (table.rows.size() <= kShort) {
    return "<h2>" + EscapeForPage(table.title) + "</h2>\n" + TableHtml(table);
  }
  return "<details><summary>" + EscapeForPage(table.title) + " (" +
         std::to_string(table.rows.size()) + ")</summary>\n" +
         TableHtml(table) + "</details>\n";
}

std::string PlotHtml(const Plot& plot) {
  std::string html = "<h2>" + EscapeForPage(plot.title) +
                     "</h2>\n<div class=\"wide\">" + PlotSvg(plot) + "</div>\n";
  if (plot.curves.size() < 2) return html;
  html += "<div class=\"legend\">";
  for (std::size_t i = 0; i < plot.curves.size(); ++i) {
    html += "<span><i style=\"background:var(--c" +
            std::to_string(i % kNumColours) + ")\"></i>" +
            EscapeForPage(plot.curves[i].name) + "</span>";
  }
  return html + "</div>\n";
}

std::string CurveColours() {
  std::string css;
  for (int i = 0; i < kNumColours; ++i) {
    const std::string n = std::to_string(i);
    css += "svg .c" + n + " { stroke: var(--c" + n + "); }\n";
  }
  return css;
}

}  // namespace

std::string MakePage(std::string_view title, std::string_view body) {
  const std::string shown = EscapeForPage(title);
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n<link rel=\"icon\" href=\"data:,\">\n<title>" +
      shown + "</title>\n<style>" + std::string(kStyle) + CurveColours() +
      "</style>\n</head>\n<body>\n<h1>" + shown + "</h1>\n";
  html += body;
  html += PlayerScriptFor(body);
  return html + "<p class=\"soft\">limber " LIMBER_VERSION
                "</p>\n</body>\n</html>\n";
}

std::string Report::VerdictHtml() const {
  if (!verdict_) return "";
  std::string html = verdict_->looks_right()
                         ? "<div class=\"verdict\"><b>✓ Looks right</b>"
                         : "<div class=\"verdict wrong\"><b>✗ Looks wrong</b>";
  if (!verdict_->looks_right()) {
    html += "<ul>\n";
    for (const Doubt& doubt : verdict_->doubts()) {
      html +=
          "<li>" + EscapeForPage(doubt.message) +
          (doubt.advice.empty() ? ""
                                : " <span class=\"soft\">" +
                                      EscapeForPage(doubt.advice) + "</span>") +
          "</li>\n";
    }
    html += "</ul>";
  }
  return html + "</div>\n";
}

std::string Report::MetricsHtml() const {
  std::string html = "<div class=\"metrics\">\n";
  const auto add = [&html](const Metric& metric) {
    if (metric.label.empty() || metric.value == "") return;
    html += "<div class=\"metric\"><b>" + ValueHtml(metric.value, metric.unit) +
            "</b><span>" + WithTooltips(metric.label) + "</span></div>\n";
  };
  for (const std::string& key : main_) {
    const auto metric = std::ranges::find(metrics_, key, &Metric::key);
    if (metric != metrics_.end()) add(*metric);
  }
  if (main_.empty()) std::ranges::for_each(metrics_, add);
  return html + "</div>\n";
}

std::string Report::OtherMetricsHtml() const {
  std::string rows;
  for (const Metric& metric : metrics_) {
    if (metric.label.empty() || metric.value == "" || main_.empty() ||
        std::ranges::find(main_, metric.key) != main_.end()) {
      continue;
    }
    rows += "<tr><td>" + WithTooltips(metric.label) + "</td><td class=\"n\">" +
            ValueHtml(metric.value, metric.unit) + "</td></tr>\n";
  }
  if (rows.empty()) return "";
  return "<details><summary>All numbers</summary>\n<div class=\"wide\">"
         "<table>\n" +
         rows + "</table></div></details>\n";
}

std::string Report::WarningsHtml() const {
  if (warnings_.empty()) return "";
  std::string html = "<h2>Warnings</h2>\n<ul class=\"warnings\">\n";
  for (const std::string& warning : warnings_) {
    html += "<li>" + EscapeForPage(warning) + "</li>\n";
  }
  return html + "</ul>\n";
}

std::string Report::ToPage() const {
  std::string html = VerdictHtml();
  for (const std::string& player : players_) html += player;
  html += MetricsHtml() + WarningsHtml();
  for (const std::string& paragraph : paragraphs_) {
    html += "<p>" + EscapeForPage(paragraph) + "</p>\n";
  }
  html += OtherMetricsHtml();
  for (const NamedPlot& plot : plots_) html += PlotHtml(plot.plot);
  for (const ReportTable& table : tables_) html += FoldedHtml(table);
  html += "<h2>Made by</h2>\n<pre><code>" + EscapeForPage(command()) +
          "</code></pre>\n";
  return MakePage(title_, html);
}

std::string Report::ToSection() const {
  std::string html = "<section>\n<h2 class=\"part\">" + EscapeForPage(title_) +
                     "</h2>\n" + VerdictHtml();
  for (const std::string& player : players_) html += player;
  html += MetricsHtml() + WarningsHtml() + OtherMetricsHtml();
  for (const NamedPlot& plot : plots_) html += PlotHtml(plot.plot);
  for (const ReportTable& table : tables_) html += FoldedHtml(table);
  return html + "<pre><code>" + EscapeForPage(command()) +
         "</code></pre>\n</section>\n";
}

}  // namespace limber::app
