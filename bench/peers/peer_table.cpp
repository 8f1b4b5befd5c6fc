// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
// Turns the lines of the peers' programs into one table per scene, a CSV file
// and a picture of cost against the length of the chain.
//
//     limber_peer_table RUNS.jsonl OUT.csv OUT.svg
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "core/file.h"

namespace {

using nlohmann::json;

std::vector<json> ReadLines(const std::string& path) {
  std::vector<json> lines;
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    json value = json::parse(line, nullptr, false);
    if (value.is_object()) lines.push_back(std::move(value));
  }
  return lines;
}

std::string Number(const json& row, const char* key, const char* format) {
  if (!row.contains(key)) return "";
  char text[64];
  std::snprintf(text, sizeof(text), format, row[key].get<double>());
  return text;
}

double Median(const json& row) {
  return row.value("us_per_step_median", std::nan(""));
}

// Runs without a time come last.
bool Quicker(const json& a, const json& b) {
  const auto time = [](const json& row) {
    return row.value("us_per_step_median", HUGE_VAL);
  };
  return time(a) < time(b);
}

bool CutShort(const json& row) {
  return row.value("steps", 0) < row.value("full_steps", 0);
}

// "chain-127" of "S1-chain-127"; 0 if it is no chain.
int ChainLength(const std::string& scene) {
  const std::string prefix = "S1-chain-";
  return scene.rfind(prefix, 0) == 0 ? std::stoi(scene.substr(prefix.size()))
                                     : 0;
}

void PrintScene(const std::string& scene, const std::vector<json>& rows) {
  double limber = std::nan("");
  for (const json& row : rows) {
    if (row["engine"] == "limber") limber = Median(row);
  }
  std::printf("\n%s\n", scene.c_str());
  const bool falls = rows.front().contains("penetration_m") ||
                     rows.back().contains("penetration_m");
  std::printf("  %-24s %10s %10s %8s  %9s %9s %9s %9s %9s  %s\n", "engine",
              "us/step", "minimum", "/limber", "gap [m]",
              falls ? "depth [m]" : "dE", falls ? "over [deg]" : "tip [m]",
              falls ? "rest [m/s]" : "rms [rad]", falls ? "" : "rms [mm]",
              "remark");
  for (const json& row : rows) {
    std::string remark = row.value("remark", "");
    if (row.value("diverged", false)) {
      remark = "DIVERGED" + (remark.empty() ? "" : "; " + remark);
    } else if (CutShort(row)) {
      remark = "cut short" + (remark.empty() ? "" : "; " + remark);
    }
    char ratio[32] = "";
    if (std::isfinite(Median(row) / limber)) {
      std::snprintf(ratio, sizeof(ratio), "%.2f", Median(row) / limber);
    }
    std::printf(
        "  %-24s %10s %10s %8s  %9s %9s %9s %9s %9s  %s\n",
        row["engine"].get<std::string>().c_str(),
        Number(row, "us_per_step_median", "%.4g").c_str(),
        Number(row, "us_per_step_min", "%.4g").c_str(), ratio,
        Number(row, "largest_gap_m", "%.2g").c_str(),
        (falls ? Number(row, "penetration_m", "%.2g")
               : Number(row, "energy_drift", "%+.2g"))
            .c_str(),
        Number(row, falls ? "limit_excess_deg" : "tip_error_m", "%.2g").c_str(),
        Number(row, falls ? "rest_speed_m_s" : "angle_rms_rad", "%.2g").c_str(),
        Number(row, "marker_rms_mm", "%.2f").c_str(), remark.c_str());
  }
}

std::string Csv(const std::vector<json>& rows) {
  const char* keys[] = {"scene",           "engine",
                        "bodies",          "us_per_step_median",
                        "us_per_step_min", "us_largest_step",
                        "steps",           "full_steps",
                        "diverged",        "largest_gap_m",
                        "energy_drift",    "tip_error_m",
                        "angle_rms_rad",   "angle_max_rad",
                        "marker_rms_mm",   "marker_max_mm",
                        "penetration_m",   "limit_excess_deg",
                        "rest_speed_m_s",  "remark"};
  std::ostringstream text;
  for (const char* key : keys) text << (key == keys[0] ? "" : ",") << key;
  text << "\n";
  for (const json& row : rows) {
    for (const char* key : keys) {
      text << (key == keys[0] ? "" : ",");
      if (row.contains(key)) text << row[key].dump();
    }
    text << "\n";
  }
  return text.str();
}

// The name of a curve, in a column to the right of the picture.
struct CurveLabel {
  std::string engine;
  std::string colour;
  double end_x = 0.0;  // where the curve ends
  double end_y = 0.0;
  double y = 0.0;  // where the name stands
};

// Moves labels apart until each has a line of its own between top and bottom.
void SpreadLabels(double top, double bottom, std::vector<CurveLabel>& labels) {
  constexpr double kLine = 14.0;
  std::sort(labels.begin(), labels.end(),
            [](const CurveLabel& a, const CurveLabel& b) {
              return std::pair(a.end_y, a.engine) <
                     std::pair(b.end_y, b.engine);
            });
  double free = top;
  for (CurveLabel& label : labels) {
    label.y = std::max(label.y, free);
    free = label.y + kLine;
  }
  free = bottom;
  for (auto label = labels.rbegin(); label != labels.rend(); ++label) {
    label->y = std::min(label->y, free);
    free = label->y - kLine;
  }
}

// Cost against the number of links, both axes logarithmic. A curve has at least
// two points; a cross on it stands for a run that diverged.
std::string Svg(const std::vector<json>& rows) {
  struct Point {
    double us = 0.0;
    bool diverged = false;
  };
  std::map<std::string, std::map<int, Point>> curves;
  for (const json& row : rows) {
    const int n = ChainLength(row["scene"]);
    if (n > 0 && std::isfinite(Median(row))) {
      curves[row["engine"]][n] = {Median(row), row.value("diverged", false)};
    }
  }
  std::erase_if(curves, [](const auto& c) { return c.second.size() < 2; });
  constexpr double kWidth = 760, kHeight = 480, kLeft = 70, kBottom = 430;
  constexpr double kRight = 560, kTop = 20;
  const auto x = [&](double n) {
    return kLeft + (kRight - kLeft) * std::log(n / 8.0) / std::log(512.0 / 8.0);
  };
  const auto y = [&](double us) {
    return kBottom - (kBottom - kTop) * std::log10(us) / 6.0;
  };
  std::ostringstream svg;
  svg << "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 " << kWidth
      << " " << kHeight << "' font-family='sans-serif' font-size='12'>\n"
      << "<rect width='100%' height='100%' fill='white'/>\n";
  for (int decade = 0; decade <= 6; ++decade) {
    const double at = y(std::pow(10.0, decade));
    svg << "<line x1='" << kLeft << "' x2='" << kRight << "' y1='" << at
        << "' y2='" << at << "' stroke='#ddd'/><text x='" << kLeft - 8
        << "' y='" << at + 4 << "' text-anchor='end'>1e" << decade
        << "</text>\n";
  }
  for (const int n : {8, 32, 127, 512}) {
    svg << "<line x1='" << x(n) << "' x2='" << x(n) << "' y1='" << kTop
        << "' y2='" << kBottom << "' stroke='#ddd'/><text x='" << x(n)
        << "' y='" << kBottom + 18 << "' text-anchor='middle'>" << n
        << "</text>\n";
  }
  svg << "<text x='" << (kLeft + kRight) / 2 << "' y='" << kBottom + 38
      << "' text-anchor='middle'>links of the chain (x: diverged)</text>\n"
      << "<text transform='translate(18 " << (kTop + kBottom) / 2
      << ") rotate(-90)' text-anchor='middle'>microseconds per step</text>\n";
  const char* colours[] = {"#7f7f7f", "#1f77b4", "#ff7f0e",
                           "#2ca02c", "#9467bd", "#8c564b",
                           "#e377c2", "#bcbd22", "#17becf"};
  std::vector<CurveLabel> labels;
  std::size_t index = 0;
  for (const auto& [engine, points] : curves) {
    const bool own = engine == "limber";
    const std::size_t style = own ? 0 : index++;
    const std::string colour = own ? "#d62728" : colours[style % 9];
    svg << "<polyline fill='none' stroke='" << colour << "' stroke-width='"
        << (own ? 3.5 : 1.5) << "'"
        << (style >= 9 ? " stroke-dasharray='6 3'" : "") << " points='";
    for (const auto& [n, at] : points) svg << x(n) << "," << y(at.us) << " ";
    svg << "'/>\n";
    for (const auto& [n, at] : points) {
      if (!at.diverged) continue;
      svg << "<path d='M" << x(n) << " " << y(at.us)
          << "m-4 -4l8 8m0 -8l-8 8' stroke='" << colour
          << "' stroke-width='2'/>\n";
    }
    const auto& [n, last] = *points.rbegin();
    labels.push_back({engine, colour, x(n), y(last.us), y(last.us)});
  }
  SpreadLabels(kTop, kBottom, labels);
  for (const CurveLabel& label : labels) {
    svg << "<line x1='" << label.end_x << "' y1='" << label.end_y << "' x2='"
        << kRight + 22 << "' y2='" << label.y << "' stroke='" << label.colour
        << "' stroke-width='0.7' stroke-dasharray='1 3'/><text x='"
        << kRight + 26 << "' y='" << label.y + 4 << "' fill='" << label.colour
        << "'" << (label.engine == "limber" ? " font-weight='bold'" : "") << ">"
        << label.engine << "</text>\n";
  }
  svg << "</svg>\n";
  return svg.str();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: limber_peer_table RUNS.jsonl OUT.csv OUT.svg\n";
    return 2;
  }
  const std::vector<json> rows = ReadLines(argv[1]);
  if (rows.empty()) {
    std::cerr << argv[1] << ": error: no runs in it\n";
    return 1;
  }
  std::vector<std::string> scenes;
  std::map<std::string, std::vector<json>> by_scene;
  for (const json& row : rows) {
    const std::string scene = row["scene"];
    if (!by_scene.count(scene)) scenes.push_back(scene);
    by_scene[scene].push_back(row);
  }
  for (const std::string& scene : scenes) {
    std::vector<json>& of_scene = by_scene[scene];
    std::stable_sort(of_scene.begin(), of_scene.end(), Quicker);
    PrintScene(scene, of_scene);
  }
  int status = 0;
  for (const auto& [path, text] :
       {std::pair(argv[2], Csv(rows)), std::pair(argv[3], Svg(rows))}) {
    const limber::Diagnostics diagnostics = limber::WriteWholeFile(path, text);
    if (diagnostics.has_errors()) {
      std::cerr << diagnostics.ToString();
      status = 1;
    }
  }
  return status;
}
