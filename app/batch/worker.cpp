// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "app/batch/worker.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <iostream>
#include <new>
#include <optional>

#include "app/batch/sha256.h"
#include "app/exit_code.h"
#include "app/job_files.h"
#include "app/jobs.h"
#include "core/file.h"

namespace limber::app::batch {

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

/// Exit codes of a worker beside those of the program.
constexpr int kSameInput = 77;
constexpr int kOutOfMemory = 78;

/// What is kept of the messages of a failed job [bytes].
constexpr std::size_t kLongestError = 2000;

fs::path OutFolder(const fs::path& work) { return work / "out"; }

void ReplaceAll(std::string& text, const std::string& from,
                const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

/// The text inside the quotes of JSON.
std::string InJson(const std::string& text) {
  const std::string quoted = ordered_json(text).dump(
      -1, ' ', false, ordered_json::error_handler_t::replace);
  return quoted.substr(1, quoted.size() - 2);
}

ordered_json ReadJsonFile(const fs::path& path) {
  const Result<std::string> text = ReadWholeFile(path);
  if (!text) return {};
  return ordered_json::parse(*text, nullptr, /*exceptions=*/false);
}

void Store(const fs::path& path, const ordered_json& json) {
  const Diagnostics written = WriteWholeFile(
      path, json.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
  if (written.has_errors()) {
    std::cerr << written.ToString();
    ::_exit(kBadInput);
  }
}

void Redirect(const fs::path& path, int flags, int descriptor) {
  constexpr int kUsualMode = 0666;
  const int file = ::open(path.c_str(), flags, kUsualMode);
  if (file < 0 || ::dup2(file, descriptor) < 0) ::_exit(kBadInput);
  ::close(file);
}

/// The address sanitizer reserves terabytes.
#ifdef __SANITIZE_ADDRESS__
constexpr bool kLimitsMemory = false;
#else
constexpr bool kLimitsMemory = true;
#endif

[[noreturn]] void OnNoMemory() { ::_exit(kOutOfMemory); }

void Limit(int resource, rlim_t value) {
  const rlimit limit{value, value};
  ::setrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
}

/// Makes this process one that touches no other.
void Isolate(const fs::path& work, const WorkLimits& limits, pid_t parent) {
  // It ends with the batch, however that ends, and Ctrl-C is the batch's
  // matter.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(kBadInput);
  ::setpgid(0, 0);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  Redirect("/dev/null", O_RDONLY, STDIN_FILENO);
  Redirect(work / "stdout", O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
  Redirect(work / "stderr", O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
  Limit(RLIMIT_CORE, 0);
  // The batch syncs for all jobs together: to wait for the disk ten times a job
  // took four times as long as the work.
  LeaveDiskToCaller();
  if (kLimitsMemory && limits.memory_bytes > 0) {
    Limit(RLIMIT_DATA, limits.memory_bytes);
    std::set_new_handler(OnNoMemory);
  }
}

/// Verdict, doubts and numbers of a report, for the log.
ordered_json ResultOf(const ordered_json& report) {
  ordered_json metrics = ordered_json::object();
  ordered_json doubts = ordered_json::array();
  std::string verdict;
  if (report.is_object()) {
    for (const auto& [key, value] : report.items()) {
      if (value.is_number() || value.is_boolean()) metrics[key] = value;
    }
    if (report.contains("doubts") && report["doubts"].is_array()) {
      doubts = report["doubts"];
    }
    if (report.contains("verdict") && report["verdict"].is_string()) {
      verdict = report["verdict"].get<std::string>();
    }
  }
  return {{"verdict", verdict}, {"doubts", doubts}, {"metrics", metrics}};
}

/// Where the worker's report speaks of the folder it worked in, the reader is
/// told where the files are in the end.
void NameFinalFolder(const fs::path& report, const std::string& from,
                     const std::string& to) {
  Result<std::string> text = ReadWholeFile(report);
  if (!text) return;
  std::string changed = std::move(text).value();
  ReplaceAll(changed, InJson(from), InJson(to));
  const Diagnostics written = WriteWholeFile(report, changed);
  if (written.has_errors()) std::cerr << written.ToString();
}

[[noreturn]] void Work(const BatchJob& job, const fs::path& work,
                       const fs::path& results, const std::string& known_hash,
                       const Program& program) {
  InputMark mark = MarkOf(job.input).value_or(InputMark{});
  mark.hash = Sha256OfFile(job.input).value_or("");
  if (!known_hash.empty() && mark.hash == known_hash) ::_exit(kSameInput);
  Store(
      work / "input.json",
      {{"hash", mark.hash}, {"bytes", mark.bytes}, {"time_ns", mark.time_ns}});
  const fs::path out = OutFolder(work);
  fs::create_directory(out);
  const int code = program.run(WordsOf(job, out));
  ReleaseJobFiles();
  std::cout.flush();
  if (!std::cout) ::_exit(kBadInput);
  const fs::path report = ReportOf(job, out);
  if (code == kDone || code == kCriteriaFailed) {
    const std::string from = PathText(out);
    const std::string to = PathText(results / FolderOf(job));
    if (!report.empty()) NameFinalFolder(report, from, to);
    Store(work / "result.json",
          ResultOf(ReadJsonFile(report.empty() ? work / "stdout" : report)));
  }
  std::cerr.flush();
  ::_exit(code);
}

/// The beginning of what a job said on its error stream.
std::string ErrorText(const fs::path& work) {
  std::string text = ReadWholeFile(work / "stderr").ok()
                         ? ReadWholeFile(work / "stderr").value()
                         : std::string();
  if (text.size() > kLongestError) {
    text.resize(kLongestError);
    text += "...";
  }
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace

pid_t StartJob(const BatchJob& job, const fs::path& work,
               const fs::path& results, const std::string& known_hash,
               const WorkLimits& limits, const Program& program) {
  const pid_t parent = ::getpid();
  // What is buffered now would be printed by both.
  std::cout.flush();
  const pid_t child = ::fork();
  if (child != 0) return child;
  Isolate(work, limits, parent);
  try {
    Work(job, work, results, known_hash, program);
  } catch (const std::exception& error) {
    std::cerr << "limber: " << error.what() << "\n" << std::flush;
    ::_exit(kBadInput);
  }
}

WorkResult ReadResult(const fs::path& work, int status, bool timed_out,
                      const WorkLimits& limits) {
  WorkResult result;
  const ordered_json input = ReadJsonFile(work / "input.json");
  if (input.is_object()) {
    result.mark = {input.value("hash", ""),
                   input.value("bytes", std::int64_t{}),
                   input.value("time_ns", std::int64_t{})};
  }
  if (const Result<std::string> out = ReadWholeFile(work / "stdout")) {
    result.out = *out;
  }
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (code == kSameInput) {
    result.is_same = true;
    return result;
  }
  if (code == kDone || code == kCriteriaFailed) {
    const ordered_json json = ReadJsonFile(work / "result.json");
    if (json.is_object()) {
      result.doubts = json.value("doubts", ordered_json::array());
      result.metrics = json.value("metrics", ordered_json::object());
      const bool is_wrong =
          code == kCriteriaFailed || json.value("verdict", "") == "looks wrong";
      result.ending = is_wrong ? Ending::kWrong : Ending::kRight;
      return result;
    }
  }
  result.ending = Ending::kBroken;
  if (timed_out) {
    result.error = "stopped after " + ordered_json(limits.timeout_s).dump() +
                   " s (--timeout)";
  } else if (code == kOutOfMemory) {
    result.error = "it needs more memory than --memory " +
                   std::to_string(limits.memory_bytes >> 20) + "M allows";
  } else if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    result.error = "ended by signal " + std::to_string(signal) + " (" +
                   ::strsignal(signal) + ")";
  } else {
    if (code == kBadInput || code == kBadCall) result.ending = Ending::kFailed;
    result.error = "exit code " + std::to_string(code);
    const std::string said = ErrorText(work);
    if (!said.empty()) result.error = said;
    return result;
  }
  const std::string said = ErrorText(work);
  if (!said.empty()) result.error += "; before that: " + said;
  return result;
}

std::map<std::string, std::int64_t> MoveOutputs(const BatchJob& job,
                                                const fs::path& work,
                                                const fs::path& results,
                                                Diagnostics& findings) {
  std::map<std::string, std::int64_t> outputs;
  const fs::path folder = FolderOf(job);
  std::error_code error;
  fs::create_directories(results / folder, error);
  if (!error) {
    for (const auto& entry : fs::directory_iterator(OutFolder(work), error)) {
      if (!entry.is_regular_file()) continue;
      const fs::path file = folder / entry.path().filename();
      outputs[PathText(file)] = static_cast<std::int64_t>(entry.file_size());
      fs::rename(entry.path(), results / file, error);
      if (error) break;
    }
  }
  if (error) {
    findings.Error("cannot-write", {}, "cannot write: " + error.message());
  }
  return outputs;
}

std::string OptionHasher::FileHash(const fs::path& path) {
  const auto known = known_.find(path.native());
  if (known != known_.end()) return known->second;
  const std::optional<std::string> hash = Sha256OfFile(FigurePath(path));
  // What names no file is not remembered: a million sizes of a push are many.
  if (hash) known_.emplace(path.native(), *hash);
  return hash.value_or("");
}

namespace {

bool IsAmc(const fs::path& input) {
  std::string ending = PathText(input.extension());
  std::ranges::transform(ending, ending.begin(),
                         [](unsigned char c) { return std::tolower(c); });
  return ending == ".amc";
}

/// Names and hashes of the skeletons in a folder.
std::string SkeletonsIn(const fs::path& folder) {
  std::vector<std::string> hashes = {"asf"};
  std::error_code error;
  for (const auto& entry :
       fs::directory_iterator(folder.empty() ? fs::path(".") : folder, error)) {
    if (entry.path().extension() == ".asf") {
      hashes.push_back(entry.path().filename().native() +
                       Sha256OfFile(entry.path()).value_or(""));
    }
  }
  std::ranges::sort(hashes);
  std::string text;
  for (const std::string& hash : hashes) text += hash;
  return text;
}

}  // namespace

std::string OptionHasher::TextOf(const BatchJob& job, bool& depends_on_folder) {
  std::string text = job.command + '\0' + job.format;
  bool has_asf = false;
  for (const std::string& word : job.options) {
    text += '\0' + word;
    const std::size_t equals = word.find('=');
    const std::string value =
        word.starts_with("--") && equals != std::string::npos
            ? word.substr(equals + 1)
            : word;
    if (!value.empty() && !value.starts_with("--")) text += FileHash(value);
    has_asf = has_asf || word.starts_with("--asf");
  }
  // An AMC takes a skeleton that lies beside it.
  depends_on_folder = IsAmc(job.input) && !has_asf;
  if (depends_on_folder) {
    const fs::path folder = job.input.parent_path();
    std::string& beside = known_[folder.native() + "/*.asf"];
    if (beside.empty()) beside = SkeletonsIn(folder);
    text += '\0' + beside;
  }
  return text;
}

std::string OptionHasher::HashOf(const BatchJob& job) {
  if (!last_hash_.empty() && job.command == last_.command &&
      job.format == last_.format && job.options == last_.options &&
      !IsAmc(job.input)) {
    return last_hash_;
  }
  bool depends_on_folder = false;
  const std::string hash = Sha256Of(TextOf(job, depends_on_folder));
  last_ = job;
  last_hash_ = depends_on_folder ? "" : hash;
  return hash;
}

}  // namespace limber::app::batch
