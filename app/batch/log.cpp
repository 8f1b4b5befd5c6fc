// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/batch/log.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <utility>

#include "app/batch/log_line.h"
#include "app/batch/sha256.h"
#include "core/file.h"

namespace limber::app::batch {

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr std::array<std::string_view, 4> kEndings = {
    "looks right", "looks wrong", "failed", "broken"};

/// The first two members of a line, without reading the others: a log of a
/// million lines is indexed by them at each start.
struct Head {
  std::string job;
  std::uint64_t when = 0;
};

/// The number whose digits are those of a time: it grows with it.
std::uint64_t WhenOf(std::string_view time) {
  std::uint64_t when = 0;
  for (const char c : time) {
    if (c >= '0' && c <= '9') when = 10 * when + std::uint64_t(c - '0');
  }
  return when;
}

/// The text in quotes at `at`, which moves behind it.
std::optional<std::string> TakeText(std::string_view line, std::size_t& at) {
  if (at >= line.size() || line[at] != '"') return std::nullopt;
  std::size_t end = at + 1;
  while (end < line.size() && line[end] != '"') {
    end += line[end] == '\\' ? 2 : 1;
  }
  if (end >= line.size()) return std::nullopt;
  const std::string_view quoted = line.substr(at, end + 1 - at);
  at = end + 1;
  return UnquoteJson(quoted);
}

std::optional<Head> ParseHead(std::string_view line) {
  constexpr std::string_view kJob = "{\"job\":";
  constexpr std::string_view kFinished = ",\"finished\":";
  if (!line.starts_with(kJob) || !line.ends_with('}')) return std::nullopt;
  std::size_t at = kJob.size();
  std::optional<std::string> job = TakeText(line, at);
  if (!job || line.substr(at, kFinished.size()) != kFinished) {
    return std::nullopt;
  }
  at += kFinished.size();
  const std::optional<std::string> finished = TakeText(line, at);
  if (!finished) return std::nullopt;
  return Head{std::move(*job), WhenOf(*finished)};
}

}  // namespace

std::string_view ToString(Ending ending) {
  return kEndings[static_cast<std::size_t>(ending)];
}

std::optional<Ending> ParseEnding(std::string_view word) {
  const auto found = std::ranges::find(kEndings, word);
  if (found == kEndings.end()) return std::nullopt;
  return static_cast<Ending>(found - kEndings.begin());
}

std::optional<InputMark> MarkOf(const fs::path& input) {
  struct stat status {};
  if (::stat(input.c_str(), &status) != 0) return std::nullopt;
  constexpr std::int64_t kNanoseconds = 1'000'000'000;
  return InputMark{"", std::int64_t{status.st_size},
                   std::int64_t{status.st_mtim.tv_sec} * kNanoseconds +
                       std::int64_t{status.st_mtim.tv_nsec}};
}

std::string ToLine(const LogEntry& entry) {
  ordered_json json;
  json["job"] = entry.job;
  json["finished"] = entry.finished;
  json["version"] = entry.version;
  json["command"] = entry.command;
  json["input"] = entry.input;
  json["input_hash"] = entry.mark.hash;
  json["input_bytes"] = entry.mark.bytes;
  json["input_time_ns"] = entry.mark.time_ns;
  json["options"] = entry.options;
  json["options_hash"] = entry.options_hash;
  json["verdict"] = ToString(entry.ending);
  json["doubts"] = entry.doubts;
  json["metrics"] = entry.metrics;
  json["outputs"] = entry.outputs;
  json["seconds"] = entry.seconds;
  json["cpu_seconds"] = entry.cpu_seconds;
  json["memory_mb"] = entry.memory_mb;
  json["error"] =
      entry.error.empty() ? ordered_json() : ordered_json(entry.error);
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

std::optional<LogEntry> ParseEntry(std::string_view line) {
  // The library of JSON throws for what is missing or of another type.
  try {
    const ordered_json json = ordered_json::parse(line);
    LogEntry entry;
    entry.job = json.at("job");
    entry.finished = json.at("finished");
    entry.version = json.at("version");
    entry.command = json.at("command");
    entry.input = json.at("input");
    entry.mark.hash = json.at("input_hash");
    entry.mark.bytes = json.at("input_bytes");
    entry.mark.time_ns = json.at("input_time_ns");
    entry.options = json.at("options").get<std::vector<std::string>>();
    entry.options_hash = json.at("options_hash");
    const std::optional<Ending> ending =
        ParseEnding(json.at("verdict").get<std::string>());
    if (!ending) return std::nullopt;
    entry.ending = *ending;
    entry.doubts = json.at("doubts");
    entry.metrics = json.at("metrics");
    if (!entry.doubts.is_array() || !entry.metrics.is_object()) {
      return std::nullopt;
    }
    for (const auto& [file, bytes] : json.at("outputs").items()) {
      entry.outputs[file] = bytes;
    }
    entry.seconds = json.at("seconds");
    entry.cpu_seconds = json.at("cpu_seconds");
    entry.memory_mb = json.at("memory_mb");
    if (!json.at("error").is_null()) entry.error = json.at("error");
    return entry;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

std::optional<KnownJob> ParseKnown(std::string_view line) {
  const std::optional<LogLine> scanned = LogLine::Scan(line);
  const std::optional<Ending> ending =
      scanned ? ParseEnding(scanned->text(LogMember::kVerdict)) : std::nullopt;
  if (!ending) {
    // Written by another hand, or damaged.
    std::optional<LogEntry> entry = ParseEntry(line);
    if (!entry) return std::nullopt;
    return KnownJob{entry->job,
                    entry->version,
                    entry->input,
                    entry->mark,
                    entry->options_hash,
                    entry->ending,
                    std::move(entry->outputs)};
  }
  KnownJob known{scanned->text(LogMember::kJob),
                 scanned->text(LogMember::kVersion),
                 scanned->text(LogMember::kInput),
                 {scanned->text(LogMember::kInputHash),
                  scanned->whole_number(LogMember::kInputBytes),
                  scanned->whole_number(LogMember::kInputTime)},
                 scanned->text(LogMember::kOptionsHash),
                 *ending,
                 {}};
  scanned->ForEach(
      LogMember::kOutputs, [&known](std::string file, std::string_view bytes) {
        std::int64_t count = -1;
        std::from_chars(bytes.data(), bytes.data() + bytes.size(), count);
        known.outputs.emplace(std::move(file), count);
      });
  return known;
}

std::string TimeNow() {
  using std::chrono::milliseconds;
  const auto now = std::chrono::duration_cast<milliseconds>(
                       std::chrono::system_clock::now().time_since_epoch())
                       .count();
  const std::time_t seconds = static_cast<std::time_t>(now / 1000);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 32> text{};
  std::array<char, 48> whole{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  std::snprintf(whole.data(), whole.size(), "%s.%03dZ", text.data(),
                static_cast<int>(now % 1000));
  return whole.data();
}

std::vector<fs::path> LogsIn(const fs::path& results) {
  std::vector<fs::path> logs;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(results, error)) {
    const std::string name = entry.path().filename().native();
    if (name.starts_with("log.") && name.ends_with("jsonl")) {
      logs.push_back(entry.path());
    }
  }
  std::ranges::sort(logs);
  return logs;
}

LogIndex LogIndex::Read(const fs::path& results) {
  LogIndex index;
  for (const fs::path& path : LogsIn(results)) {
    const std::shared_ptr<std::FILE> file(
        std::fopen(path.c_str(), "rbe"), [](std::FILE* open) {
          return open == nullptr ? 0 : std::fclose(open);
        });
    if (!file) continue;
    const auto number = static_cast<std::uint32_t>(index.files_.size());
    index.files_.push_back(file);
    std::ifstream in(path, std::ios::binary);
    std::int64_t offset = 0;
    for (std::string text; std::getline(in, text);) {
      if (const std::optional<Head> head = ParseHead(text)) {
        index.lines_.push_back({StableHash(head->job), head->when, offset,
                                static_cast<std::uint32_t>(text.size()),
                                number});
      } else if (!text.empty()) {
        ++index.num_damaged_;
      }
      offset += static_cast<std::int64_t>(text.size()) + 1;
    }
  }
  // The last line of each job stays: the latest, and of equals the one further
  // behind.
  std::ranges::stable_sort(index.lines_, [](const Line& a, const Line& b) {
    return std::pair(a.job, a.when) < std::pair(b.job, b.when);
  });
  std::vector<Line> last;
  for (const Line& line : index.lines_) {
    if (!last.empty() && last.back().job == line.job) last.pop_back();
    last.push_back(line);
  }
  index.lines_ = std::move(last);
  return index;
}

std::string LogIndex::Text(const Line& line) const {
  std::string text(line.length, '\0');
  const ssize_t got = ::pread(::fileno(files_[line.file].get()), text.data(),
                              text.size(), line.offset);
  return got == static_cast<ssize_t>(text.size()) ? text : "";
}

bool LogIndex::Has(std::uint64_t name_hash) const {
  return std::ranges::binary_search(lines_, name_hash, {}, &Line::job);
}

std::string LogIndex::LastLine(std::string_view job) const {
  const std::uint64_t hash = StableHash(job);
  const auto found = std::ranges::lower_bound(lines_, hash, {}, &Line::job);
  return found == lines_.end() || found->job != hash ? "" : Text(*found);
}

std::optional<LogEntry> LogIndex::FindEntry(std::string_view job) const {
  std::optional<LogEntry> entry = ParseEntry(LastLine(job));
  if (entry && entry->job != job) return std::nullopt;
  return entry;
}

std::optional<KnownJob> LogIndex::Find(std::string_view job) const {
  std::optional<KnownJob> known = ParseKnown(LastLine(job));
  // Two names with one hash: then the job is done once more.
  if (known && known->job != job) return std::nullopt;
  return known;
}

void LogIndex::ForEach(
    const std::function<void(std::string_view line)>& visit) const {
  std::vector<std::pair<std::string, const Line*>> named;
  named.reserve(lines_.size());
  for (const Line& line : lines_) {
    if (const auto head = ParseHead(Text(line))) {
      named.emplace_back(head->job, &line);
    }
  }
  std::ranges::sort(named);
  for (const auto& [name, line] : named) visit(Text(*line));
}

LogWriter::~LogWriter() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Diagnostics LogWriter::Open(const fs::path& path) {
  path_ = path;
  Diagnostics findings(PathText(path));
  constexpr int kUsualMode = 0666;
  descriptor_ =
      ::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, kUsualMode);
  if (descriptor_ < 0) {
    findings.Error("cannot-write", {},
                   std::string("cannot write: ") + std::strerror(errno));
    return findings;
  }
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    findings.Error("in-use", {}, "another batch is writing to this log");
    return findings;
  }
  // A line that was cut short must not swallow the next one.
  char last = '\n';
  const off_t end = ::lseek(descriptor_, 0, SEEK_END);
  if (end > 0 && ::pread(descriptor_, &last, 1, end - 1) == 1 && last != '\n' &&
      ::write(descriptor_, "\n", 1) != 1) {
    findings.Error("cannot-write", {},
                   std::string("cannot write: ") + std::strerror(errno));
  }
  return findings;
}

Diagnostics LogWriter::Append(const LogEntry& entry) {
  Diagnostics findings(PathText(path_));
  const std::string line = ToLine(entry) + "\n";
  const ssize_t written = ::write(descriptor_, line.data(), line.size());
  if (written != static_cast<ssize_t>(line.size())) {
    findings.Error("cannot-write", {},
                   std::string("cannot write: ") +
                       (written < 0 ? std::strerror(errno) : "no room"));
  }
  return findings;
}

void LogWriter::Sync() const {
  if (descriptor_ >= 0 && ::syncfs(descriptor_) != 0) ::fdatasync(descriptor_);
}

pid_t LogWriter::SyncApart() const {
  const fs::path folder = path_.parent_path();
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child != 0) return child;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(0);
  // The lock on the log is the batch's alone: it ends with the batch, however
  // long the disk takes.
  ::close(descriptor_);
  const int place = ::open(folder.empty() ? "." : folder.c_str(),
                           O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (place >= 0) ::syncfs(place);
  ::_exit(0);
}

}  // namespace limber::app::batch
