// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/batch/summary.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <optional>
#include <tuple>
#include <utility>

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
  explicit GrowingFile(fs::path path)
      : path_(std::move(path)),
        temporary_(path_.native() + ".part" + std::to_string(::getpid())),
        out_(temporary_, std::ios::binary) {}
  ~GrowingFile() {
    std::error_code ignored;
    if (!done_) fs::remove(temporary_, ignored);
  }
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;

  void Add(std::string_view text) {
    out_.write(text.data(), static_cast<std::streamsize>(text.size()));
  }
  Diagnostics Finish() {
    Diagnostics findings(PathText(path_));
    out_.close();
    std::error_code error;
    if (out_) fs::rename(temporary_, path_, error);
    done_ = out_ && !error;
    if (!done_) {
      findings.Error(
          "cannot-write", {},
          "cannot write: " + (error ? error.message() : std::strerror(errno)));
    }
    return findings;
  }

 private:
  fs::path path_;
  fs::path temporary_;
  std::ofstream out_;
  bool done_ = false;
};

/// A cell of a table with commas (RFC 4180).
std::string Cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string KindsOf(const LogEntry& entry) {
  std::string kinds;
  for (const ordered_json& doubt : entry.doubts) {
    kinds += (kinds.empty() ? "" : " ") + doubt.value("kind", "");
  }
  return kinds;
}

std::string Row(const LogEntry& entry, const Summary& summary) {
  std::string row =
      Cell(entry.job) + "," + std::string(ToString(entry.ending)) + "," +
      entry.command + "," + Cell(entry.input) + "," + Cell(KindsOf(entry)) +
      "," + Cell(entry.error) + "," + ordered_json(entry.seconds).dump() + "," +
      ordered_json(entry.memory_mb).dump();
  for (const auto& [key, values] : summary.metrics) {
    row += ",";
    const auto value = entry.metrics.find(key);
    if (value != entry.metrics.end() && !value->is_null()) row += value->dump();
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
  void Add(LogEntry entry) {
    const Key key{RankOf(entry.ending), -Excess(entry), entry.job};
    if (kept_.size() == Summary::kMostListed) {
      if (!(key < kept_.rbegin()->first)) return;
      kept_.erase(std::prev(kept_.end()));
    }
    kept_.emplace(key, std::move(entry));
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

}  // namespace

double Excess(const LogEntry& entry) {
  double worst = 0.0;
  for (const ordered_json& doubt : entry.doubts) {
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

Summary Summarise(const LogIndex& index) {
  Summary summary;
  WorstJobs worst;
  index.ForEach([&](std::string_view line) {
    std::optional<LogEntry> entry = ParseEntry(line);
    if (!entry) return;
    (entry->ending == Ending::kRight   ? summary.counts.right
     : entry->ending == Ending::kWrong ? summary.counts.wrong
                                       : summary.counts.failed) += 1;
    summary.cpu_seconds += entry->cpu_seconds;
    for (const auto& [key, value] : entry->metrics.items()) {
      std::vector<float>& values = summary.metrics[key];
      if (value.is_number()) values.push_back(value.get<float>());
    }
    for (const ordered_json& doubt : entry->doubts) {
      ++summary.doubts[doubt.value("kind", "")];
    }
    worst.Add(std::move(*entry));
  });
  summary.worst = worst.Take();
  return summary;
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
  Summary summary = Summarise(index);
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
    if (const auto entry = ParseEntry(line)) table.Add(Row(*entry, summary));
  });
  Diagnostics findings = table.Finish();
  if (log) findings.Append(log->Finish());
  findings.Append(
      WriteWholeFile(results / "summary.json", ToJson(summary).dump(2) + "\n"));
  findings.Append(WriteWholeFile(results / "index.html", ToPage(summary)));
  return {std::move(summary), std::move(findings)};
}

}  // namespace limber::app::batch
