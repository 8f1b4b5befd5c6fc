// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <cmath>
#include <vector>

#include "core/file.h"
#include "mocap/io/internal/length_unit.h"
#include "mocap/io/internal/take_check.h"
#include "mocap/io/internal/text.h"
#include "mocap/io/internal/unnamed_label.h"
#include "mocap/io/trc.h"

namespace limber::mocap {

namespace {

using namespace internal;  // NOLINT: the file is the inside of mocap/io

// Appends the shortest text t for which the reader's metres * t is `position`,
// bit for bit. The division need not find that t: 0.123456 / 0.001 is
// 123.45600000000002 where the file said 123.456.
void AppendLength(std::string& text, double position, double metres) {
  const double value = position / metres;
  char buffer[64];
  constexpr int kFewestDigits = 15;
  constexpr int kMostDigits = 17;
  for (int digits = kFewestDigits; digits <= kMostDigits; ++digits) {
    char* const end = std::to_chars(buffer, buffer + sizeof(buffer), value,
                                    std::chars_format::general, digits)
                          .ptr;
    double back = 0.0;
    std::from_chars(buffer, end, back);
    if (metres * back == position) {
      text.append(buffer, end);
      return;
    }
  }
  for (double neighbour :
       {std::nextafter(value, -INFINITY), std::nextafter(value, INFINITY)}) {
    if (metres * neighbour == position) {
      AppendNumber(text, neighbour);
      return;
    }
  }
  AppendNumber(text, value);
}

std::string HeaderText(const MarkerTake& take, std::string_view name,
                       std::string fallback) {
  const MetadataParameter* kept = take.metadata.Find("TRC", name);
  if (kept == nullptr) return fallback;
  const std::vector<std::string> strings = kept->Strings();
  return strings.empty() || strings[0].empty() ? fallback : strings[0];
}

std::string OneField(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  return std::string(Trim(text));
}

void AppendHeader(std::string& text, const MarkerTake& take,
                  const std::vector<int>& markers, const std::string& unit,
                  const std::string& file_name) {
  std::string rate;
  AppendNumber(rate, take.rate_hz());
  const std::string frames = std::to_string(take.num_frames());
  text += "PathFileType\t4\t(X/Y/Z)\t" + OneField(file_name) + "\n";
  text +=
      "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\t"
      "OrigDataStartFrame\tOrigNumFrames\n";
  text +=
      rate + "\t" + HeaderText(take, "CAMERA_RATE", rate) + "\t" + frames +
      "\t" + std::to_string(markers.size()) + "\t" + unit + "\t" +
      HeaderText(take, "ORIG_DATA_RATE", rate) + "\t" +
      HeaderText(take, "ORIG_START_FRAME", std::to_string(take.first_frame)) +
      "\t" + HeaderText(take, "ORIG_NUM_FRAMES", frames) + "\n";
  text += "Frame#\tTime";
  for (int marker : markers) {
    std::string label =
        OneField(take.labels()[static_cast<std::size_t>(marker)]);
    if (label.empty()) {
      label = UnnamedLabel(static_cast<std::size_t>(marker) + 1);
    }
    text.append("\t").append(label).append("\t\t");
  }
  text += "\n\t";
  for (std::size_t i = 1; i <= markers.size(); ++i) {
    const std::string number = std::to_string(i);
    text.append("\tX").append(number).append("\tY").append(number);
    text.append("\tZ").append(number);
  }
  text += "\n\n";
}

}  // namespace

std::string FormatTrc(const MarkerTake& take, const TrcWriteOptions& options) {
  std::vector<int> markers;
  for (int i = 0; i < take.num_markers(); ++i) {
    if (take.kind(i) == PointKind::kMarker) markers.push_back(i);
  }
  const WrittenUnit unit = UnitForWriting(take.origin);
  std::string text;
  AppendHeader(text, take, markers, unit.word, options.file_name);
  constexpr int kTimeDigits = 9;
  for (std::int64_t frame = 0; frame < take.num_frames(); ++frame) {
    text += std::to_string(take.first_frame + frame) + "\t";
    AppendFixed(text,
                take.start_time_s + static_cast<double>(frame) / take.rate_hz(),
                kTimeDigits);
    for (int marker : markers) {
      if (!take.IsVisible(frame, marker)) {
        text += "\t\t\t";
        continue;
      }
      const Vector3 p_file =
          take.origin.axes.FromInside(take.Position(frame, marker));
      for (int i = 0; i < 3; ++i) {
        text += '\t';
        AppendLength(text, p_file[i], unit.metres);
      }
    }
    text += '\n';
  }
  return text;
}

Diagnostics CheckTrc(const MarkerTake& take) {
  Diagnostics diagnostics;
  CheckPlaces(take, UnitForWriting(take.origin).metres, diagnostics);
  if (take.first_frame < 0) {
    diagnostics.Error("frame-count", {},
                      "the first frame is number " +
                          std::to_string(take.first_frame) +
                          ", TRC counts from 0");
  }
  return diagnostics;
}

Diagnostics WriteTrc(const std::filesystem::path& path,
                     const MarkerTake& take) {
  TrcWriteOptions options;
  options.file_name = PathText(path.filename());
  Diagnostics diagnostics(PathText(path));
  diagnostics.Append(CheckTrc(take));
  if (diagnostics.has_errors()) return diagnostics;
  diagnostics.Append(WriteWholeFile(path, FormatTrc(take, options)));
  return diagnostics;
}

}  // namespace limber::mocap
