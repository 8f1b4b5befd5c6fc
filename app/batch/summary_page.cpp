// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// The page of a batch: how many, the worst with links, all doubts, histograms.
#include <array>
#include <cstdio>
#include <string>

#include "app/batch/summary.h"
#include "app/reports/plot.h"
#include "app/reports/report.h"

namespace limber::app::batch {

namespace {

using nlohmann::ordered_json;

std::string Short(double number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4g", number);
  return text.data();
}

std::string Card(const std::string& value, const std::string& label) {
  return "<div class=\"metric\"><b>" + value + "</b><span>" + label +
         "</span></div>\n";
}

/// A path as a link needs it: letters that mean something there, and bytes
/// above ASCII, by their number.
std::string LinkPath(const std::string& path) {
  constexpr std::string_view kPlain = "-_.~/";
  std::string link;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x80 && std::isalnum(byte) != 0) ||
        kPlain.find(c) != std::string_view::npos) {
      link += c;
    } else {
      std::array<char, 4> text{};
      std::snprintf(text.data(), text.size(), "%%%02X", byte);
      link += text.data();
    }
  }
  return link;
}

std::string Links(const LogEntry& entry) {
  constexpr std::size_t kMostLinks = 6;
  std::string html;
  std::size_t count = 0;
  for (const auto& [file, bytes] : entry.outputs) {
    if (++count > kMostLinks) {
      return html + " and " +
             std::to_string(entry.outputs.size() - kMostLinks) + " more";
    }
    const std::size_t slash = file.rfind('/');
    html += (html.empty() ? "<a href=\"" : ", <a href=\"") + LinkPath(file) +
            "\">" +
            EscapeForPage(slash == std::string::npos ? file
                                                     : file.substr(slash + 1)) +
            "</a>";
  }
  return html;
}

/// Why a job is in the list.
std::string Reason(const LogEntry& entry) {
  std::string html = EscapeForPage(entry.error);
  for (const ordered_json& doubt : entry.doubts) {
    html += (html.empty() ? "" : "<br>") +
            EscapeForPage(doubt.value("message", "")) +
            " <span class=\"soft\">" +
            EscapeForPage(doubt.value("advice", "")) + "</span>";
  }
  return html;
}

std::string WorstTable(const Summary& summary) {
  std::string html =
      "<h2>Worst first</h2>\n<div class=\"wide\"><table>\n<thead><tr>"
      "<th>job</th><th>verdict</th><th>why</th><th>files</th>"
      "<th class=\"n\">seconds</th></tr></thead>\n<tbody>\n";
  for (const LogEntry& entry : summary.worst) {
    html += "<tr><td>" + EscapeForPage(entry.job) + "</td><td>" +
            std::string(ToString(entry.ending)) +
            "</td><td style=\"white-space: normal\">" + Reason(entry) +
            "</td><td>" + Links(entry) + "</td><td class=\"n\">" +
            Short(entry.seconds) + "</td></tr>\n";
  }
  html += "</tbody></table></div>\n";
  const auto listed = static_cast<std::int64_t>(summary.worst.size());
  if (listed < summary.counts.all()) {
    html += "<p class=\"soft\">" +
            std::to_string(summary.counts.all() - listed) +
            " more are in <a href=\"summary.csv\">summary.csv</a>.</p>\n";
  }
  return html;
}

std::string DoubtsTable(const Summary& summary) {
  if (summary.doubts.empty()) return "";
  std::string html =
      "<h2>All doubts</h2>\n<div class=\"wide\"><table>\n<thead><tr>"
      "<th>kind</th><th class=\"n\">jobs</th></tr></thead>\n<tbody>\n";
  for (const auto& [kind, count] : summary.doubts) {
    html += "<tr><td>" + EscapeForPage(kind) + "</td><td class=\"n\">" +
            std::to_string(count) + "</td></tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

/// The outline of the bars.
Plot HistogramPlot(const std::string& key, const Histogram& histogram) {
  Plot plot;
  plot.title = key;
  plot.x_label = key;
  plot.y_label = "jobs";
  Curve& outline = plot.curves.emplace_back();
  outline.name = key;
  const double width =
      (histogram.hi - histogram.lo) / double(histogram.counts.size());
  const auto add = [&outline](double x, double y) {
    outline.x.push_back(x);
    outline.y.push_back(y);
  };
  add(histogram.lo, 0.0);
  for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
    const double x = histogram.lo + width * double(i);
    add(x, double(histogram.counts[i]));
    add(x + width, double(histogram.counts[i]));
  }
  add(histogram.hi, 0.0);
  return plot;
}

}  // namespace

std::string ToPage(const Summary& summary) {
  const BatchCounts& counts = summary.counts;
  std::string body = "<div class=\"metrics\">\n";
  body += Card(std::to_string(counts.all()), "jobs");
  body += Card(std::to_string(counts.right), "look right");
  body += Card(std::to_string(counts.wrong), "look wrong");
  body += Card(std::to_string(counts.failed), "failed");
  body += Card(Short(summary.cpu_seconds) + " <small>s</small>",
               "of processors' time");
  body += "</div>\n";
  body += DoubtsTable(summary) + WorstTable(summary);
  body +=
      "<h2>Histograms</h2>\n<p class=\"soft\">From the 1st to the 99th "
      "percentile; what lies outside is in the outer bars.</p>\n";
  for (const auto& [key, values] : summary.metrics) {
    const Histogram histogram = MakeHistogram(values);
    if (histogram.counts.empty()) continue;
    body += "<h3>" + EscapeForPage(key) + "</h3>\n";
    if (histogram.counts.size() == 1) {
      body += "<p>" + Short(histogram.lo) + " in nearly all of " +
              std::to_string(values.size()) + " jobs</p>\n";
    } else {
      body += "<div class=\"wide\">" + PlotSvg(HistogramPlot(key, histogram)) +
              "</div>\n";
    }
  }
  return MakePage("Batch of " + std::to_string(counts.all()) + " jobs", body);
}

}  // namespace limber::app::batch
