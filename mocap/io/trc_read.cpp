// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include "core/clip_time.h"
#include "core/file.h"
#include "mocap/io/internal/length_unit.h"
#include "mocap/io/internal/quoted.h"
#include "mocap/io/internal/text.h"
#include "mocap/io/internal/token_reader.h"
#include "mocap/io/internal/trc_fields.h"
#include "mocap/io/internal/trc_header.h"
#include "mocap/io/internal/unnamed_label.h"
#include "mocap/io/trc.h"

namespace limber::mocap {

namespace {

using namespace internal;  // NOLINT: the file is the inside of mocap/io

/// Times are often printed with three digits [s].
constexpr double kTimeResolution = 0.0011;

void CheckOptions(const TrcReadOptions& options) {
  if (options.axes) MakePermutation(*options.axes);
  if (options.metres_per_unit && (!(*options.metres_per_unit > 0.0) ||
                                  !std::isfinite(*options.metres_per_unit))) {
    throw std::invalid_argument(
        "metres_per_unit must be positive and finite, is " +
        std::to_string(*options.metres_per_unit));
  }
}

bool IsBlank(std::string_view line) { return Trim(line).empty(); }

/// The words C libraries print for "not a number".
bool MeansMissing(std::string_view field) {
  if (field.empty()) return true;
  if (field.front() == '-' || field.front() == '+') field.remove_prefix(1);
  return EqualIgnoringCase(field.substr(0, 3), "nan") ||
         EqualIgnoringCase(field, "1.#IND") ||
         EqualIgnoringCase(field, "1.#QNAN");
}

std::string Text(double value) {
  std::string text;
  AppendNumber(text, value);
  return text;
}

/// The rows of numbers, found but not read: `first` is the first of them.
struct Rows {
  LineReader reader_before;  ///< Its next line is the first row.
  std::size_t count = 0;
  std::size_t num_points = 0;  ///< In the longest row.
};

// Counts rows and columns, so that what is allocated is known to be paid for
// by the text.
Rows CountRows(const LineReader& before) {
  Rows rows{before, 0, 0};
  LineReader reader = before;
  while (const std::optional<std::string_view> line = reader.Next()) {
    if (IsBlank(*line)) continue;
    ++rows.count;
    std::size_t used = 0;
    std::size_t index = 0;
    bool had_blanks = false;
    for (TrcFields fields(*line);
         const auto field = fields.NextNumber(had_blanks); ++index) {
      if (!field->empty()) used = index + 1;
    }
    // After frame number and time, every started triple is a point.
    if (used > 2) rows.num_points = std::max(rows.num_points, used / 3);
  }
  return rows;
}

struct Table {
  std::vector<double> positions;
  std::vector<double> times;
  std::int64_t first_frame = 1;
  bool has_first = false;
};

/// Reads the rows.
class RowReader {
 public:
  RowReader(std::size_t num_points, std::size_t num_labels,
            const AxisConvention& axes, double metres,
            const TrcReadOptions& options, Diagnostics& diagnostics)
      : num_points_(num_points),
        num_labels_(num_labels),
        map_(MakePermutation(axes)),
        metres_(metres),
        options_(options),
        diagnostics_(diagnostics) {}

  /// False when the row cannot be read.
  bool Read(std::string_view line, long line_number, Table& table);

 private:
  std::optional<double> Number(const TrcFields& fields, std::string_view text,
                               std::string_view what, long line_number);
  void Finish(const double (&stored)[3], int present, Place place,
              Table& table);

  std::size_t num_points_;
  std::size_t num_labels_;
  AxisPermutation map_;
  double metres_;
  const TrcReadOptions& options_;
  Diagnostics& diagnostics_;
};

std::optional<double> RowReader::Number(const TrcFields& fields,
                                        std::string_view text,
                                        std::string_view what,
                                        long line_number) {
  const std::optional<double> value = ParseNumber(text);
  if (!value) {
    diagnostics_.Error(
        "bad-number", Place::AtLine(line_number, fields.column()),
        "expected " + std::string(what) + ", found " + Quoted(text));
  }
  return value;
}

void RowReader::Finish(const double (&stored)[3], int present, Place place,
                       Table& table) {
  bool visible = present == 3;
  if (present == 1 || present == 2) {
    diagnostics_.Warning("partial-sample", place,
                         "a position needs 3 numbers, found " +
                             std::to_string(present) + "; taken as missing");
  }
  if (visible && options_.zero_is_missing && stored[0] == 0.0 &&
      stored[1] == 0.0 && stored[2] == 0.0) {
    visible = false;
    diagnostics_.Warning("zero-position", place,
                         "a position is exactly (0, 0, 0); taken as missing");
  }
  if (visible && !IsWritable(Vector3(stored[0], stored[1], stored[2]))) {
    visible = false;
    diagnostics_.Warning("no-place", place,
                         "a coordinate is beyond 1000000000; taken as missing");
  }
  for (std::size_t i = 0; i < 3; ++i) {
    table.positions.push_back(
        visible ? map_.sign[i] * metres_ *
                      stored[static_cast<std::size_t>(map_.index[i])]
                : std::numeric_limits<double>::quiet_NaN());
  }
}

bool RowReader::Read(std::string_view line, long line_number, Table& table) {
  TrcFields fields(line);
  bool had_blanks = false;
  const std::optional<double> frame =
      Number(fields, fields.NextNumber(had_blanks).value_or(""),
             "a frame number", line_number);
  if (!frame) return false;
  constexpr double kLargestFrame = 0x1p52;
  if (*frame != std::round(*frame) || *frame < 0.0 || *frame > kLargestFrame) {
    diagnostics_.Error("bad-number", Place::AtLine(line_number, 1),
                       "expected a whole frame number, found " + Text(*frame));
    return false;
  }
  const std::int64_t expected =
      table.first_frame + static_cast<std::int64_t>(table.times.size());
  if (!table.has_first) {
    table.first_frame = static_cast<std::int64_t>(*frame);
    table.has_first = true;
  } else if (static_cast<std::int64_t>(*frame) != expected) {
    diagnostics_.Warning("frame-number", Place::AtLine(line_number, 1),
                         "expected frame " + std::to_string(expected) +
                             ", found " + Text(*frame) +
                             "; frames are counted from the first");
  }
  const std::string_view time_text = fields.NextNumber(had_blanks).value_or("");
  const std::optional<double> time =
      Number(fields, time_text, "a time", line_number);
  if (!time) return false;
  table.times.push_back(*time);

  std::size_t found_points = 0;
  for (std::size_t point = 0; point < num_points_; ++point) {
    double stored[3] = {0.0, 0.0, 0.0};
    int present = 0;
    bool ended = false;
    Place place = Place::AtLine(line_number, fields.column());
    for (int i = 0; i < 3; ++i) {
      const std::optional<std::string_view> field =
          fields.NextNumber(had_blanks);
      if (i == 0) place = Place::AtLine(line_number, fields.column());
      ended = !field.has_value();
      if (ended || MeansMissing(*field)) continue;
      const std::optional<double> value =
          Number(fields, *field, "a coordinate", line_number);
      if (!value) return false;
      stored[i] = *value;
      ++present;
    }
    if (!ended) found_points = point + 1;
    Finish(stored, present, place, table);
  }
  if (had_blanks) {
    diagnostics_.Warning("blanks-for-tabs", Place::AtLine(line_number),
                         "expected tabs between the numbers, found blanks "
                         "beside tabs; both part numbers");
  }
  if (found_points < num_labels_) {
    diagnostics_.Warning("short-row", Place::AtLine(line_number),
                         "expected " + std::to_string(num_labels_) +
                             " positions, the row ends after " +
                             std::to_string(found_points) +
                             "; the others are missing");
  }
  return true;
}

double NearestPlainRate(double rate_hz) {
  constexpr double kNoise = 1e-6;
  const double whole = std::round(rate_hz);
  return std::fabs(rate_hz - whole) < kNoise * whole ? whole : rate_hz;
}

// The step between rows that most of them have [s].
double TypicalStep(const std::vector<double>& times) {
  std::vector<double> steps(times.size() - 1);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    steps[i] = times[i + 1] - times[i];
  }
  const auto middle =
      steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::nth_element(steps.begin(), middle, steps.end());
  const double median = *middle;
  constexpr double kSame = 1e-7;
  const std::ptrdiff_t same = std::count_if(
      steps.begin(), steps.end(),
      [&](double step) { return std::fabs(step - median) <= kSame; });
  // Rounded times jump between two steps: then their mean is the better one.
  if (2 * same > static_cast<std::ptrdiff_t>(steps.size())) return median;
  return (times.back() - times.front()) / static_cast<double>(steps.size());
}

// DataRate, unless the Time column says otherwise.
double FindRate(const TrcHeader& header, const std::vector<double>& times,
                long first_line, Diagnostics& diagnostics) {
  const std::optional<double> declared = ParseNumber(header.data_rate.text);
  const bool has_declared = declared && *declared > 0.0;
  double rate = has_declared ? *declared : 0.0;
  const double step = times.size() > 1 ? TypicalStep(times) : 0.0;
  const double steps = static_cast<double>(times.size()) - 1.0;
  if (!has_declared) {
    rate = step > 0.0 ? NearestPlainRate(1.0 / step) : 1.0;
    diagnostics.Warning("no-rate", header.data_rate.place,
                        "expected a positive DataRate, found " +
                            Quoted(header.data_rate.text) + "; using " +
                            Text(rate) + " Hz" +
                            (step > 0.0 ? " from the Time column" : ""));
  } else if (step > 0.0) {
    constexpr double kRelative = 2e-3;
    const double tolerance =
        kTimeResolution / std::min(steps, 1000.0) + kRelative / rate;
    const double mean = (times.back() - times.front()) / steps;
    const bool mean_agrees = std::fabs(mean - 1.0 / rate) <= tolerance;
    const bool step_agrees =
        std::fabs(step - 1.0 / rate) <=
        std::min(kTimeResolution, 0.3 / rate) + kRelative / rate;
    if (!mean_agrees && !step_agrees) {
      rate = NearestPlainRate(1.0 / step);
      diagnostics.Warning(
          "rate", header.data_rate.place,
          "DataRate is " + Text(*declared) + " Hz, the Time column steps by " +
              Text(step) + " s; using the Time column: " + Text(rate) + " Hz");
    }
  }
  for (std::size_t i = 1; i < times.size(); ++i) {
    const double expected = times[0] + static_cast<double>(i) / rate;
    constexpr double kDrift = 2e-3;
    const double tolerance =
        kTimeResolution + kDrift * static_cast<double>(i) / rate;
    if (std::fabs(times[i] - expected) > tolerance) {
      diagnostics.Warning(
          "uneven-time", Place::AtLine(first_line + static_cast<long>(i)),
          "expected time " + Text(expected) + " s, found " + Text(times[i]) +
              "; rows are taken as evenly spaced");
      break;
    }
  }
  DoubtRate(rate, "the file's rate", header.data_rate.place, diagnostics);
  return rate;
}

void CompareCount(const TrcHeaderValue& declared, std::size_t found,
                  const char* kind, const char* name, const char* what,
                  Diagnostics& diagnostics) {
  const std::optional<double> value = ParseNumber(declared.text);
  if (value && *value == static_cast<double>(found)) return;
  diagnostics.Warning(kind, declared.place,
                      std::string(name) + " is " + Quoted(declared.text) +
                          ", found " + std::to_string(found) + " " + what +
                          "; using " + std::to_string(found));
}

void KeepHeader(const TrcHeader& header, Metadata& metadata) {
  MetadataGroup& group = metadata.FindOrAdd("TRC");
  group.FindOrAdd("CAMERA_RATE").SetText(header.camera_rate.text);
  group.FindOrAdd("ORIG_DATA_RATE").SetText(header.orig_data_rate.text);
  group.FindOrAdd("ORIG_START_FRAME")
      .SetText(header.orig_data_start_frame.text);
  group.FindOrAdd("ORIG_NUM_FRAMES").SetText(header.orig_num_frames.text);
}

TakeOrigin FindOrigin(const TrcHeader& header, const TrcReadOptions& options,
                      Diagnostics& diagnostics) {
  TakeOrigin origin;
  if (options.axes) {
    origin.axes = *options.axes;
    origin.axes_decision = Decision::kCaller;
  }
  const std::optional<double> metres = MetresPerUnit(header.units.text);
  if (!header.units.text.empty()) origin.unit = header.units.text;
  if (options.metres_per_unit) {
    origin.metres_per_unit = *options.metres_per_unit;
    origin.unit_decision = Decision::kCaller;
  } else if (metres) {
    origin.metres_per_unit = *metres;
    origin.unit_decision = Decision::kFile;
  } else {
    diagnostics.Warning(header.units.text.empty() ? "no-unit" : "unknown-unit",
                        header.units.place,
                        "Units is " + Quoted(header.units.text) + "; using mm");
  }
  return origin;
}

}  // namespace

Result<MarkerTake> ReadTrc(std::string_view text, std::string name,
                           const TrcReadOptions& options) {
  CheckOptions(options);
  Diagnostics diagnostics(std::move(name), options.strict);
  TrcHeader header;
  const std::optional<LineReader> before_rows =
      ReadTrcHeader(LineReader(text), header, diagnostics);
  if (!before_rows) return Result<MarkerTake>(std::move(diagnostics));
  const Rows rows = CountRows(*before_rows);
  const std::size_t num_points =
      std::max(header.labels.size(), rows.num_points);
  // Rows of wildly different length ask for more memory than their text paid
  // for: a blank sample costs three tabs.
  constexpr std::size_t kFreeBytes = 65536;
  constexpr std::size_t kBytesPerSample = 2;
  if (num_points > 0 && rows.count > (text.size() + kFreeBytes) /
                                         (kBytesPerSample * num_points)) {
    diagnostics.Error(
        "ragged-rows", Place::AtLine(rows.reader_before.line() + 1),
        std::to_string(rows.count) + " rows, the longest of " +
            std::to_string(num_points) + " positions, in a file of " +
            std::to_string(text.size()) + " bytes");
    return Result<MarkerTake>(std::move(diagnostics));
  }
  TakeOrigin origin = FindOrigin(header, options, diagnostics);

  Table table;
  table.positions.reserve(3 * num_points * rows.count);
  table.times.reserve(rows.count);
  RowReader row_reader(num_points, header.labels.size(), origin.axes,
                       origin.metres_per_unit, options, diagnostics);
  LineReader lines = rows.reader_before;
  while (const std::optional<std::string_view> line = lines.Next()) {
    if (IsBlank(*line)) continue;
    if (!row_reader.Read(*line, lines.line(), table)) {
      return Result<MarkerTake>(std::move(diagnostics));
    }
  }
  CompareCount(header.num_frames, rows.count, "frame-count", "NumFrames",
               "rows", diagnostics);
  CompareCount(header.num_markers, num_points, "marker-count", "NumMarkers",
               "markers", diagnostics);
  if (header.labels.size() < num_points) {
    diagnostics.Warning("no-labels", Place::AtLine(4),
                        std::to_string(num_points) + " positions per row, " +
                            std::to_string(header.labels.size()) +
                            " labels; the others are called *1, *2, ... by "
                            "their place");
    header.labels.reserve(num_points);
    while (header.labels.size() < num_points) {
      header.labels.push_back(UnnamedLabel(header.labels.size() + 1));
    }
  }
  const double rate =
      FindRate(header, table.times, rows.reader_before.line() + 1, diagnostics);
  MarkerTake take(std::move(header.labels),
                  static_cast<std::int64_t>(rows.count), rate,
                  std::move(table.positions));
  take.first_frame = table.first_frame;
  take.start_time_s = table.times.empty() ? 0.0 : table.times.front();
  take.origin = std::move(origin);
  KeepHeader(header, take.metadata);
  return Result<MarkerTake>(std::move(take), std::move(diagnostics));
}

Result<MarkerTake> ReadTrc(const std::filesystem::path& path,
                           const TrcReadOptions& options) {
  CheckOptions(options);
  const Result<std::string> text = ReadWholeFile(path);
  if (!text.ok()) return Result<MarkerTake>(text.diagnostics());
  return ReadTrc(*text, PathText(path), options);
}

}  // namespace limber::mocap
