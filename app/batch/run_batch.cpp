// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// One process hands out the jobs and waits; each job is a process of its own.
//
//     next job -> in the shard? -> known from the log? -> StartJob -> waits
//                                                                      |
//     log line <- outputs moved to their place <- result read <- it ended
//
// Jobs of which the log has no line come first. Those it knows are looked at
// after them, one by one (are the outputs there, is the input the same?): of a
// million that takes longer than anybody wants to wait for the first job.
//
// The order of the last three is what makes a stop harmless: before the line
// is in the log, the job counts as not done and is done again; after it, the
// outputs are in place. The disk gets them in groups, every few seconds and at
// the end: a loss of power may leave a line without its outputs, which the next
// start sees by their size.
#include "app/batch/run_batch.h"

#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <map>
#include <utility>

#include "app/batch/batch_progress.h"
#include "core/checkpoint.h"
#include "core/file.h"

namespace limber::app::batch {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Signals that mean "stop", and the one that a process ended; held back while
/// the batch runs, so that they are met in one place.
class HeldSignals {
 public:
  HeldSignals() {
    ::sigemptyset(&held_);
    for (const int signal : {SIGCHLD, SIGINT, SIGTERM, SIGHUP}) {
      ::sigaddset(&held_, signal);
    }
    ::sigprocmask(SIG_BLOCK, &held_, &before_);
  }
  ~HeldSignals() { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  /// Waits for a signal, so long at most; returns one that means "stop", or 0.
  /// Does not wait while a process has ended that nobody has asked about.
  int Wait(double seconds) {
    if (child_ended_) seconds = 0.0;
    timespec most{};
    most.tv_sec = static_cast<std::time_t>(seconds);
    most.tv_nsec = static_cast<long>(1e9 * (seconds - double(most.tv_sec)));
    const int signal = ::sigtimedwait(&held_, nullptr, &most);
    child_ended_ = child_ended_ || signal == SIGCHLD;
    return signal > 0 && signal != SIGCHLD ? signal : 0;
  }
  /// To be called before the processes that ended are asked about.
  void ForgetEnded() { child_ended_ = false; }

 private:
  sigset_t held_{};
  sigset_t before_{};
  bool child_ended_ = false;
};

class BatchRun {
 public:
  BatchRun(JobSource& source, const JobPlan& plan, const Program& program,
           const BatchSettings& settings)
      : source_(source),
        plan_(plan),
        program_(program),
        settings_(settings),
        work_(settings.results / ".work" / LogPath({}, settings.shard).stem()),
        num_workers_(settings.num_workers > 0 ? settings.num_workers
                                              : NumCores()),
        progress_(plan.num_jobs() /
                  (settings.shard ? settings.shard->count : 1)) {}

  std::optional<BatchCounts> Run() {
    if (!Open()) return std::nullopt;
    source_.Rewind();
    bool has_more = true;
    while (has_more || !running_.empty()) {
      while (has_more && running_.size() < std::size_t(num_workers_)) {
        const Handed handed = HandOut();
        has_more = handed != Handed::kEnd;
        if (handed == Handed::kEnd || handed == Handed::kNoProcess) break;
        LookUp();
      }
      if (running_.empty()) continue;
      if (const int signal = signals_.Wait(SecondsToWait()); signal != 0) {
        Stop(signal);
      }
      StopLateOnes();
      Reap();
      if (broken_) {
        EndAll();
        return std::nullopt;
      }
      progress_.Show(counts_);
    }
    log_.Sync();
    CleanUp();
    return counts_;
  }

 private:
  struct Running {
    BatchJob job;
    fs::path work;
    std::string options_hash;
    std::optional<KnownJob> known;
    Clock::time_point begin;
    bool timed_out = false;
  };
  enum class Handed { kEnd, kSkipped, kStarted, kNoProcess };
  enum class Round { kNew, kKnown };

  bool Open() {
    std::error_code error;
    fs::create_directories(settings_.results, error);
    if (error) {
      std::cerr << PathText(settings_.results)
                << ": error: cannot make the folder: " << error.message()
                << "\n";
      return false;
    }
    const Diagnostics opened =
        log_.Open(LogPath(settings_.results, settings_.shard));
    std::cerr << opened.ToString();
    if (opened.has_errors()) return false;
    // Read when the log is ours: another batch may just have ended.
    index_ = LogIndex::Read(settings_.results);
    if (index_.num_damaged() > 0) {
      std::cerr << PathText(settings_.results)
                << ": warning: " << index_.num_damaged()
                << " damaged lines of the log are left out; their jobs are "
                   "done again\n";
    }
    // What a killed batch left behind; no other one can be at work here.
    fs::remove_all(work_, error);
    fs::create_directories(work_, error);
    canonical_results_ = fs::canonical(settings_.results, error);
    return true;
  }

  /// Whether the next job of the source is one of this round: of the first if
  /// no log has a line on it. One that has to be seen first counts as known.
  bool IsOfThisRound() const {
    const std::optional<std::uint64_t> name = plan_.NameHash(next_);
    const bool is_known = index_.size() > 0 && (!name || index_.Has(*name));
    return is_known == (round_ == Round::kKnown);
  }

  /// Makes `waiting_` the next job of the source if it is one of this round and
  /// of the shard.
  Handed TakeNext() {
    if (next_ == std::size_t(plan_.num_jobs())) {
      if (round_ == Round::kKnown || index_.size() == 0) return Handed::kEnd;
      round_ = Round::kKnown;
      next_ = 0;
      source_.Rewind();
      return Handed::kSkipped;
    }
    const bool is_wanted = IsOfThisRound();
    ++next_;
    if (!is_wanted) {
      source_.Skip();
      return Handed::kSkipped;
    }
    Diagnostics ignored;  // The plan has seen them.
    waiting_ = source_.Next(ignored);
    if (!waiting_) return Handed::kEnd;
    plan_.Settle(*waiting_);
    if (settings_.shard && !settings_.shard->Has(waiting_->name)) {
      waiting_.reset();
      return Handed::kSkipped;
    }
    return Handed::kStarted;
  }

  Handed HandOut() {
    if (!waiting_) {
      if (const Handed taken = TakeNext(); !waiting_) return taken;
    }
    Running next;
    next.options_hash = hasher_.HashOf(*waiting_);
    next.known = Known(*waiting_, next.options_hash);
    std::string known_hash;
    if (next.known) {
      if (HasSameMark(*waiting_, *next.known)) {
        Count(next.known->ending);
        ++counts_.skipped;
        waiting_.reset();
        return Handed::kSkipped;
      }
      known_hash = next.known->mark.hash;
    }
    next.job = *waiting_;
    next.begin = Clock::now();
    next.work = work_ / std::to_string(num_started_);
    std::error_code error;
    fs::create_directories(next.work, error);
    if (IsInResults(next.job.input)) {
      waiting_.reset();
      Refuse(next,
             "the input lies in the results' folder, where outputs would "
             "be written over it: choose another --out");
      return Handed::kSkipped;
    }
    const pid_t child = StartJob(next.job, next.work, settings_.results,
                                 known_hash, settings_.limits, program_);
    if (child < 0) {
      // The machine is full; a job that ends makes room.
      if (running_.empty()) {
        if (const int signal = signals_.Wait(SecondsToWait()); signal != 0) {
          Stop(signal);
        }
      }
      return Handed::kNoProcess;
    }
    ++num_started_;
    waiting_.reset();
    running_.emplace(child, std::move(next));
    return Handed::kStarted;
  }

  /// The log's line on the job, if it answers the same question and what it
  /// wrote is still there.
  std::optional<KnownJob> Known(const BatchJob& job,
                                const std::string& options_hash) const {
    std::optional<KnownJob> entry = index_.Find(job.name);
    if (!entry || entry->version != LIMBER_VERSION ||
        entry->options_hash != options_hash ||
        entry->input != PathText(job.input) ||
        entry->ending == Ending::kBroken ||
        (entry->ending == Ending::kFailed && settings_.retry_failed)) {
      return std::nullopt;
    }
    for (const auto& [file, bytes] : entry->outputs) {
      std::error_code error;
      if (fs::file_size(settings_.results / file, error) !=
              static_cast<std::uintmax_t>(bytes) ||
          error) {
        return std::nullopt;
      }
    }
    return entry;
  }

  static bool HasSameMark(const BatchJob& job, const KnownJob& entry) {
    const InputMark now = MarkOf(job.input).value_or(InputMark{});
    return now.bytes == entry.mark.bytes && now.time_ns == entry.mark.time_ns;
  }

  bool IsInResults(const fs::path& input) const {
    std::error_code error;
    const fs::path place = fs::canonical(input, error);
    if (error || canonical_results_.empty()) return false;
    const fs::path below = place.lexically_relative(canonical_results_);
    return !below.empty() && *below.begin() != "..";
  }

  void Count(Ending ending) {
    (ending == Ending::kRight   ? counts_.right
     : ending == Ending::kWrong ? counts_.wrong
                                : counts_.failed) += 1;
  }

  /// A million known jobs take a while too: looks for signals as often as other
  /// long work does. (Jobs are copies of this process, so it is no checkpoint.)
  void LookUp() {
    if (Clock::now() - last_look_ < CheckpointScope::kBetween) return;
    last_look_ = Clock::now();
    if (const int signal = signals_.Wait(0.0); signal != 0) Stop(signal);
    progress_.Show(counts_);
  }

  /// Until a job is out of time or the next line of progress is due, whichever
  /// comes first. The end of a job is a signal.
  double SecondsToWait() const {
    double seconds = std::min(progress_.DueIn(), BatchProgress::Interval(true));
    if (settings_.limits.timeout_s <= 0.0) return seconds;
    for (const auto& [child, job] : running_) {
      const double left = settings_.limits.timeout_s - SecondsSince(job.begin);
      if (!job.timed_out) seconds = std::clamp(left, 0.0, seconds);
    }
    return seconds;
  }

  void StopLateOnes() {
    if (settings_.limits.timeout_s <= 0.0) return;
    for (auto& [child, job] : running_) {
      if (job.timed_out ||
          SecondsSince(job.begin) < settings_.limits.timeout_s) {
        continue;
      }
      job.timed_out = true;
      ::kill(child, SIGKILL);
    }
  }

  void Reap() {
    signals_.ForgetEnded();
    int status = 0;
    rusage usage{};
    for (pid_t child = ::wait4(-1, &status, WNOHANG, &usage); child > 0;
         child = ::wait4(-1, &status, WNOHANG, &usage)) {
      if (child == syncing_) syncing_ = -1;
      const auto found = running_.find(child);
      if (found == running_.end()) continue;
      Finish(found->second, status, usage);
      running_.erase(found);
    }
  }

  void Finish(const Running& job, int status, const rusage& usage) {
    WorkResult result =
        ReadResult(job.work, status, job.timed_out, settings_.limits);
    LogEntry entry = EntryOf(job);
    if (result.is_same) {
      Count(job.known->ending);
      ++counts_.skipped;
    } else {
      const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * double(time.tv_usec);
      };
      entry.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
      entry.memory_mb = static_cast<double>(usage.ru_maxrss) / 1024.0;
      entry.mark = result.mark;
      entry.ending = result.ending;
      entry.doubts = std::move(result.doubts);
      entry.metrics = std::move(result.metrics);
      entry.error = std::move(result.error);
      if (entry.ending == Ending::kRight || entry.ending == Ending::kWrong) {
        Diagnostics moved(PathText(settings_.results / job.job.name));
        entry.outputs =
            MoveOutputs(job.job, job.work, settings_.results, moved);
        if (moved.has_errors()) {
          entry.ending = Ending::kBroken;
          entry.error = moved.ToString();
        }
      }
      Append(entry, result.out);
    }
    std::error_code ignored;
    fs::remove_all(job.work, ignored);
  }

  static LogEntry EntryOf(const Running& job) {
    LogEntry entry;
    entry.job = job.job.name;
    entry.finished = TimeNow();
    entry.version = LIMBER_VERSION;
    entry.command = job.job.command;
    entry.input = PathText(job.job.input);
    entry.options = job.job.options;
    entry.options_hash = job.options_hash;
    entry.seconds = SecondsSince(job.begin);
    return entry;
  }

  /// A job that is not even begun.
  void Refuse(const Running& job, const std::string& why) {
    LogEntry entry = EntryOf(job);
    entry.ending = Ending::kFailed;
    entry.error = PathText(job.job.input) + ": error: " + why;
    Append(entry, "");
  }

  void Append(const LogEntry& entry, const std::string& out) {
    const Diagnostics appended = log_.Append(entry);
    if (appended.has_errors()) {
      std::cerr << appended.ToString();
      broken_ = true;
      return;
    }
    Count(entry.ending);
    if (syncing_ < 0 && SecondsSince(last_sync_) > settings_.sync_every_s) {
      syncing_ = log_.SyncApart();
      last_sync_ = Clock::now();
    }
    if (settings_.on_end) {
      progress_.Hide();
      settings_.on_end(entry, out);
    }
  }

  void EndAll() {
    for (const auto& [child, job] : running_) ::kill(child, SIGKILL);
    for (const auto& [child, job] : running_) ::waitpid(child, nullptr, 0);
    running_.clear();
    CleanUp();
  }

  [[noreturn]] void Stop(int signal) {
    EndAll();
    progress_.Hide();
    std::cerr << "limber: stopped after " << counts_.all()
              << " jobs; the same call goes on from here\n";
    // The caller sees that it was the signal.
    ::signal(signal, SIG_DFL);
    sigset_t one;
    ::sigemptyset(&one);
    ::sigaddset(&one, signal);
    ::raise(signal);
    ::sigprocmask(SIG_UNBLOCK, &one, nullptr);
    ::_exit(128 + signal);
  }

  void CleanUp() {
    std::error_code ignored;
    fs::remove_all(work_, ignored);
    fs::remove(work_.parent_path(), ignored);  // If no other shard is there.
  }

  JobSource& source_;
  const JobPlan& plan_;
  const Program& program_;
  const BatchSettings& settings_;
  HeldSignals signals_;
  LogIndex index_;
  LogWriter log_;
  OptionHasher hasher_;
  const fs::path work_;
  fs::path canonical_results_;
  const int num_workers_;
  BatchProgress progress_;
  Round round_ = Round::kNew;
  std::size_t next_ = 0;             ///< Job of the source.
  std::optional<BatchJob> waiting_;  ///< The next to start.
  std::map<pid_t, Running> running_;
  std::int64_t num_started_ = 0;
  BatchCounts counts_;
  Clock::time_point last_sync_ = Clock::now();
  Clock::time_point last_look_ = Clock::now();
  pid_t syncing_ = -1;  ///< The process that syncs now.
  bool broken_ = false;
};

}  // namespace

int NumCores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (::sched_getaffinity(0, sizeof cores, &cores) != 0) return 1;
  return std::max(1, CPU_COUNT(&cores));
}

std::uint64_t MemoryPerWorker(int num_workers) {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page = ::sysconf(_SC_PAGE_SIZE);
  if (pages <= 0 || page <= 0) return 0;
  const std::uint64_t all = std::uint64_t(pages) * std::uint64_t(page);
  return all / std::uint64_t(num_workers > 0 ? num_workers : NumCores());
}

fs::path LogPath(const fs::path& results, const std::optional<Shard>& shard) {
  if (!shard) return results / "log.jsonl";
  return results / ("log." + std::to_string(shard->index) + "-of-" +
                    std::to_string(shard->count) + ".jsonl");
}

std::optional<BatchCounts> RunBatch(JobSource& source, const JobPlan& plan,
                                    const Program& program,
                                    const BatchSettings& settings) {
  return BatchRun(source, plan, program, settings).Run();
}

}  // namespace limber::app::batch
