// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/batch/summary.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>
#include <tuple>
#include <utility>

#include "app/batch/log_line.h"
#include "core/file.h"

namespace limber::app::batch {

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr std::size_t kNumBins = 30;

/// A file of many lines that takes its name when it is whole. The lines are
/// not held in memory.
class GrowingFile {
 public:
  explicit GrowingFile(const fs::path& path)
      : path_(path), file_(path), findings_(file_.findings()) {}

  void Add(std::string_view text) {
    constexpr std::size_t kBuffer = std::size_t{1} << 20;
    waiting_ += text;
    if (waiting_.size() >= kBuffer) Flush();
  }
  Diagnostics Finish() {
    Flush();
    return findings_.has_errors() ? findings_ : file_.Commit();
  }

 private:
  void Flush() {
    std::string_view rest = waiting_;
    while (!rest.empty() && !findings_.has_errors()) {
      const ssize_t n = ::write(file_.descriptor(), rest.data(), rest.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) {
        findings_ = Diagnostics(PathText(path_));
        findings_.Error("cannot-write", {},
                        std::string("cannot write: ") + std::strerror(errno));
        break;
      }
      rest.remove_prefix(static_cast<std::size_t>(n));
    }
    waiting_.clear();
  }

  fs::path path_;
  PendingFile file_;
  Diagnostics findings_;
  std::string waiting_;
};

/// A cell of a table with commas (RFC 4180).
std::string Cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

/// A line of a log as `LogLine` wants it: one of another form is read whole and
/// written anew.
class OwnLine {
 public:
  explicit OwnLine(std::string_view line) : scanned_(LogLine::Scan(line)) {
    if (scanned_ && ParseEnding(scanned_->text(LogMember::kVerdict))) return;
    scanned_.reset();
    const std::optional<LogEntry> entry = ParseEntry(line);
    if (!entry) return;
    own_ = ToLine(*entry);
    scanned_ = LogLine::Scan(own_);
  }
  OwnLine(const OwnLine&) = delete;
  OwnLine& operator=(const OwnLine&) = delete;

  explicit operator bool() const { return scanned_.has_value(); }
  const LogLine* operator->() const { return &*scanned_; }
  Ending ending() const {
    return *ParseEnding(scanned_->text(LogMember::kVerdict));
  }
  ordered_json doubts() const {
    const std::string_view json = scanned_->json(LogMember::kDoubts);
    if (json == "[]") return ordered_json::array();
    ordered_json doubts = ordered_json::parse(json, nullptr, false);
    return doubts.is_array() ? doubts : ordered_json::array();
  }

 private:
  std::string own_;
  std::optional<LogLine> scanned_;
};

/// Numbers of the metrics in the order in which they are met first. Most lines
/// have those of the line before, in its order.
class Columns {
 public:
  /// @param place  of the metric in its line.
  std::size_t Find(std::size_t place, const std::string& key) {
    if (place >= usual_.size()) usual_.resize(place + 1, numbers_.end());
    auto& usual = usual_[place];
    if (usual == numbers_.end() || usual->first != key) {
      usual = numbers_.emplace(key, numbers_.size()).first;
    }
    return usual->second;
  }
  /// By their names.
  const std::map<std::string, std::size_t>& numbers() const { return numbers_; }

 private:
  std::map<std::string, std::size_t> numbers_;
  std::vector<std::map<std::string, std::size_t>::iterator> usual_;
};

std::string KindsOf(const ordered_json& doubts) {
  std::string kinds;
  for (const ordered_json& doubt : doubts) {
    kinds += (kinds.empty() ? "" : " ") + doubt.value("kind", "");
  }
  return kinds;
}

std::string Row(const OwnLine& line, Columns& columns) {
  std::string row;
  for (const LogMember member : {LogMember::kJob, LogMember::kVerdict,
                                 LogMember::kCommand, LogMember::kInput}) {
    row += Cell(line->text(member)) + ",";
  }
  row += Cell(KindsOf(line.doubts())) + "," +
         Cell(line->text(LogMember::kError)) + ",";
  row += line->json(LogMember::kSeconds);
  row += ",";
  row += line->json(LogMember::kMemory);
  std::vector<std::string_view> cells(columns.numbers().size());
  std::size_t place = 0;
  line->ForEach(LogMember::kMetrics,
                [&](const std::string& key, std::string_view json) {
                  const std::size_t number = columns.Find(place++, key);
                  if (number < cells.size() && json != "null") {
                    cells[number] = json;
                  }
                });
  for (const auto& [key, number] : columns.numbers()) {
    row += ",";
    row += cells[number];
  }
  return row + "\n";
}

/// The lower is the worse.
int RankOf(Ending ending) {
  switch (ending) {
    case Ending::kBroken:
      return 0;
    case Ending::kFailed:
      return 1;
    case Ending::kWrong:
      return 2;
    case Ending::kRight:
      break;
  }
  return 3;
}

/// Keeps the worst jobs while all of them pass by.
class WorstJobs {
 public:
  void Add(Ending ending, double excess, std::string job,
           std::string_view line) {
    const Key key{RankOf(ending), -excess, std::move(job)};
    if (kept_.size() == Summary::kMostListed &&
        !(key < kept_.rbegin()->first)) {
      return;
    }
    std::optional<LogEntry> entry = ParseEntry(line);
    if (!entry) return;
    if (kept_.size() == Summary::kMostListed) {
      kept_.erase(std::prev(kept_.end()));
    }
    kept_.emplace(key, std::move(*entry));
  }
  std::vector<LogEntry> Take() {
    std::vector<LogEntry> entries;
    for (auto& [key, entry] : kept_) entries.push_back(std::move(entry));
    return entries;
  }

 private:
  using Key = std::tuple<int, double, std::string>;
  std::map<Key, LogEntry> kept_;
};

double ExcessOf(const ordered_json& doubts) {
  double worst = 0.0;
  for (const ordered_json& doubt : doubts) {
    const auto number = [&doubt](const char* key) {
      const auto value = doubt.find(key);
      return value != doubt.end() && value->is_number()
                 ? std::abs(value->get<double>())
                 : 0.0;
    };
    // A doubt without a bound counts as one that is just reached.
    const double bound = number("bound");
    worst = std::max(worst, bound > 0.0 ? number("value") / bound : 1.0);
  }
  return worst;
}

/// The summary, and the metrics of all lines.
Summary Summarise(const LogIndex& index, Columns& columns) {
  Summary summary;
  WorstJobs worst;
  std::vector<std::vector<float>> metrics;
  index.ForEach([&](std::string_view text) {
    const OwnLine line(text);
    if (!line) return;
    const Ending ending = line.ending();
    (ending == Ending::kRight   ? summary.counts.right
     : ending == Ending::kWrong ? summary.counts.wrong
                                : summary.counts.failed) += 1;
    summary.cpu_seconds += line->number(LogMember::kCpuSeconds);
    std::size_t place = 0;
    line->ForEach(LogMember::kMetrics, [&](const std::string& key,
                                           std::string_view json) {
      const std::size_t number = columns.Find(place++, key);
      if (number >= metrics.size()) metrics.resize(number + 1);
      double value = 0.0;
      const auto [end, error] =
          std::from_chars(json.data(), json.data() + json.size(), value);
      if (error == std::errc() && end == json.data() + json.size()) {
        metrics[number].push_back(static_cast<float>(value));
      }
    });
    const ordered_json doubts = line.doubts();
    for (const ordered_json& doubt : doubts) {
      ++summary.doubts[doubt.value("kind", "")];
    }
    worst.Add(ending, ExcessOf(doubts), line->text(LogMember::kJob), text);
  });
  summary.worst = worst.Take();
  for (const auto& [key, number] : columns.numbers()) {
    summary.metrics[key] = std::move(metrics[number]);
  }
  return summary;
}

}  // namespace

double Excess(const LogEntry& entry) { return ExcessOf(entry.doubts); }

Summary Summarise(const LogIndex& index) {
  Columns columns;
  return Summarise(index, columns);
}

Histogram MakeHistogram(std::vector<float> values) {
  Histogram histogram;
  std::erase_if(values, [](float value) { return !std::isfinite(value); });
  if (values.empty()) return histogram;
  std::ranges::sort(values);
  const auto at = [&values](double share) {
    return double{values[static_cast<std::size_t>(
        share * static_cast<double>(values.size() - 1))]};
  };
  histogram.lo = at(0.01);
  histogram.hi = at(0.99);
  histogram.counts.assign(histogram.hi > histogram.lo ? kNumBins : 1, 0);
  const double width =
      (histogram.hi - histogram.lo) / double(histogram.counts.size());
  for (const float value : values) {
    const double bin =
        width > 0.0 ? std::floor((value - histogram.lo) / width) : 0.0;
    ++histogram.counts[static_cast<std::size_t>(std::clamp(
        bin, 0.0, static_cast<double>(histogram.counts.size() - 1)))];
  }
  return histogram;
}

ordered_json ToJson(const Summary& summary) {
  ordered_json json;
  json["version"] = LIMBER_VERSION;
  json["jobs"] = summary.counts.all();
  json["looks_right"] = summary.counts.right;
  json["looks_wrong"] = summary.counts.wrong;
  json["failed"] = summary.counts.failed;
  json["cpu_seconds"] = summary.cpu_seconds;
  json["doubts"] = summary.doubts;
  for (const auto& [key, values] : summary.metrics) {
    if (values.empty()) continue;
    std::vector<float> sorted = values;
    std::ranges::sort(sorted);
    json["metrics"][key] = {{"count", sorted.size()},
                            {"least", sorted.front()},
                            {"median", sorted[sorted.size() / 2]},
                            {"largest", sorted.back()}};
  }
  return json;
}

Result<Summary> WriteSummary(const fs::path& results, bool merge) {
  // While lines are put together nobody may append to the log.
  LogWriter own;
  if (merge) {
    const Diagnostics opened = own.Open(results / "log.jsonl");
    if (opened.has_errors()) return Result<Summary>(opened);
  }
  const LogIndex index = LogIndex::Read(results);
  Columns columns;
  Summary summary = Summarise(index, columns);
  GrowingFile table(results / "summary.csv");
  table.Add("job,verdict,command,input,doubts,error,seconds,memory_mb");
  for (const auto& [key, values] : summary.metrics) table.Add("," + Cell(key));
  table.Add("\n");
  std::optional<GrowingFile> log;
  if (merge) log.emplace(results / "log.jsonl");
  index.ForEach([&](std::string_view line) {
    if (log) {
      log->Add(line);
      log->Add("\n");
    }
    if (const OwnLine own(line); own) table.Add(Row(own, columns));
  });
  Diagnostics findings = table.Finish();
  if (log) findings.Append(log->Finish());
  findings.Append(
      WriteWholeFile(results / "summary.json", ToJson(summary).dump(2) + "\n"));
  findings.Append(WriteWholeFile(results / "index.html", ToPage(summary)));
  return {std::move(summary), std::move(findings)};
}

}  // namespace limber::app::batch
