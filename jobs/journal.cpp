// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "core/file.h"
#include "core/job_files.h"

namespace limber::jobs {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".journal";
constexpr mode_t kOwnOnly = 0600;

struct StepWord {
  std::string_view word;
  JournalStep::Kind kind;
};
constexpr std::array<StepWord, 4> kStepWords = {
    {{"apply", JournalStep::Kind::kApply},
     {"amend", JournalStep::Kind::kAmend},
     {"undo", JournalStep::Kind::kUndo},
     {"redo", JournalStep::Kind::kRedo}}};

/// A name on one line.
std::string OnOneLine(const std::string& name) {
  std::string line;
  for (const char c : name) {
    if (c == '\n') {
      line += "%0A";
    } else if (c == '%') {
      line += "%25";
    } else {
      line += c;
    }
  }
  return line;
}

std::string PathLine(const fs::path& path) {
  std::string line;
  if (!path.empty())
    line.append(" ").append(OnOneLine(ResolvedPath(path).string()));
  return line;
}

std::string Header(const JournalSubject& subject) {
  return "limber-journal 1\nclip" + PathLine(subject.clip) + "\nfigure" +
         PathLine(subject.figure) + "\nframes " +
         std::to_string(subject.num_frames) + "\n";
}

/// FNV-1a, which is the same in every build.
std::string HashOf(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  }
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx",
                static_cast<unsigned long long>(hash));
  return digits;
}

/// What the names of all journals of a subject begin with.
std::string Stem(const JournalSubject& subject) {
  constexpr std::size_t kLongest = 60;
  return subject.clip.stem().string().substr(0, kLongest) + "-" +
         HashOf(PathLine(subject.clip) + "\n" + PathLine(subject.figure)) + "-";
}

std::string LineOf(const JournalStep& step, const figure::FigureModel& model) {
  const auto word = std::ranges::find(kStepWords, step.kind, &StepWord::kind);
  std::string line(word->word);
  if (step.kind == JournalStep::Kind::kApply ||
      step.kind == JournalStep::Kind::kAmend) {
    std::string events = FormatEvents(step.splice.added, model);
    // Names have their newlines escaped: these are between values.
    std::ranges::replace(events, '\n', ' ');
    for (const std::size_t number : {step.splice.at, step.splice.num_removed}) {
      line.append(" ").append(std::to_string(number));
    }
    line.append(" ").append(events);
  }
  return line + "\n";
}

/// The number at the start of `text`, which loses it and the space after it.
std::optional<std::size_t> TakeNumber(std::string_view& text) {
  std::size_t number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest == end || *rest != ' ') return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(rest - text.data()) + 1);
  return number;
}

/// Nothing for a line that is none.
std::optional<JournalStep> ParseLine(std::string_view line,
                                     const EditContext& context) {
  const std::string_view word = line.substr(0, line.find(' '));
  const auto known = std::ranges::find(kStepWords, word, &StepWord::word);
  if (known == kStepWords.end()) return std::nullopt;
  JournalStep step;
  step.kind = known->kind;
  const bool has_events = step.kind == JournalStep::Kind::kApply ||
                          step.kind == JournalStep::Kind::kAmend;
  if (!has_events) {
    if (word.size() != line.size()) return std::nullopt;
    return step;
  }
  line.remove_prefix(std::min(line.size(), word.size() + 1));
  const std::optional<std::size_t> at = TakeNumber(line);
  const std::optional<std::size_t> removed =
      at ? TakeNumber(line) : std::nullopt;
  if (!removed) return std::nullopt;
  Result<std::vector<ListedEvent>> events =
      ParseEventsFile(line, "journal", context);
  if (!events) return std::nullopt;
  step.splice = {*at, *removed, std::move(events).value()};
  return step;
}

std::string TextOf(int descriptor) {
  std::string text;
  std::array<char, 1 << 16> part;
  while (true) {
    const ssize_t got = ::read(descriptor, part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(part.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace

void TakeStep(const JournalStep& step, EventHistory& history) {
  switch (step.kind) {
    case JournalStep::Kind::kApply:
      history.Apply(step.splice);
      break;
    case JournalStep::Kind::kAmend:
      history.Amend(step.splice);
      break;
    case JournalStep::Kind::kUndo:
      history.Undo();
      break;
    case JournalStep::Kind::kRedo:
      history.Redo();
      break;
  }
}

fs::path JournalFolder() {
  const fs::path inside = fs::path("limber") / "journals";
  const char* state = std::getenv("XDG_STATE_HOME");
  // A relative one is to be ignored, says the convention.
  if (state != nullptr && *state == '/') return fs::path(state) / inside;
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home == '\0') return {};
  return fs::path(home) / ".local" / "state" / inside;
}

std::optional<FoundJournal> ReplayJournal(std::string_view text,
                                          const JournalSubject& subject,
                                          const EditContext& context) {
  const std::string header = Header(subject);
  if (!text.starts_with(header)) return std::nullopt;
  text.remove_prefix(header.size());
  FoundJournal found;
  // The first line that is not whole ends it: what follows would be about
  // another list.
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) break;
    const std::optional<JournalStep> step =
        ParseLine(text.substr(0, end), context);
    if (!step) break;
    try {
      TakeStep(*step, found.history);
    } catch (const std::invalid_argument&) {
      break;
    }
    ++found.num_steps;
    text.remove_prefix(end + 1);
  }
  found.num_lost_bytes = static_cast<std::int64_t>(text.size());
  found.has_lost_lines = text.find('\n') != std::string_view::npos;
  return found;
}

std::vector<FoundJournal> FindJournals(const fs::path& folder,
                                       const JournalSubject& subject,
                                       const EditContext& context) {
  std::vector<FoundJournal> all;
  std::error_code failed;
  const std::string stem = Stem(subject);
  for (const fs::directory_entry& entry :
       fs::directory_iterator(folder, failed)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(stem) || !name.ends_with(kEnding)) continue;
    const int descriptor =
        ::open(entry.path().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (descriptor < 0) continue;
    // Who writes it holds its lock, which ends with the process.
    struct stat status {};
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0 &&
        ::fstat(descriptor, &status) == 0) {
      std::optional<FoundJournal> found =
          ReplayJournal(TextOf(descriptor), subject, context);
      if (found && found->num_steps > 0) {
        found->file = entry.path();
        found->last_change = status.st_mtime;
        all.push_back(std::move(*found));
      }
    }
    ::close(descriptor);
  }
  std::ranges::sort(all, [](const FoundJournal& a, const FoundJournal& b) {
    return std::pair(a.last_change, a.file) > std::pair(b.last_change, b.file);
  });
  return all;
}

Journal::Journal(fs::path file, int descriptor)
    : file_(std::move(file)), descriptor_(descriptor) {
  keeper_ = std::thread([this] { KeepOnDisk(); });
}

Journal::~Journal() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  changed_.notify_all();
  keeper_.join();
  ::close(descriptor_);
}

void Journal::KeepOnDisk() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return is_behind_ || is_ending_; });
    if (!is_behind_) return;
    is_behind_ = false;
    lock.unlock();
    ::fdatasync(descriptor_);
    lock.lock();
  }
}

Diagnostics Journal::Failure(const std::string& what) const {
  Diagnostics findings(PathText(file_));
  findings.Error("cannot-write", {}, what);
  return findings;
}

Diagnostics Journal::Write(std::string_view bytes) {
  struct stat before {};
  const bool is_known = ::fstat(descriptor_, &before) == 0;
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int error = errno;
      // Half a line would spoil the next one.
      if (is_known) {
        static_cast<void>(!::ftruncate(descriptor_, before.st_size));
      }
      return Failure("the journal cannot be written: " +
                     std::generic_category().message(error));
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  {
    const std::lock_guard lock(mutex_);
    is_behind_ = true;
  }
  changed_.notify_all();
  return {};
}

Diagnostics Journal::Append(const JournalStep& step,
                            const figure::FigureModel& model) {
  return Write(LineOf(step, model));
}

Diagnostics Journal::Sync() {
  if (::fsync(descriptor_) == 0) return {};
  return Failure("the journal does not reach the disk: " +
                 std::generic_category().message(errno));
}

void Journal::Remove() {
  std::error_code ignored;
  fs::remove(file_, ignored);
}

Result<std::unique_ptr<Journal>> Journal::Create(
    const fs::path& folder, const JournalSubject& subject) {
  using Made = Result<std::unique_ptr<Journal>>;
  std::error_code failed;
  fs::create_directories(folder, failed);
  fs::path file;
  int descriptor = -1;
  for (int number = 1; descriptor < 0; ++number) {
    file = folder /
           (Stem(subject) + std::to_string(number) + std::string(kEnding));
    descriptor =
        ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC,
               kOwnOnly);
    if (descriptor < 0 && errno != EEXIST) {
      Diagnostics findings(PathText(file));
      findings.Error("cannot-write", {},
                     "no journal of what is done: " +
                         std::generic_category().message(errno));
      return Made(std::move(findings));
    }
  }
  ::flock(descriptor, LOCK_EX | LOCK_NB);
  std::unique_ptr<Journal> journal(new Journal(file, descriptor));
  Diagnostics written = journal->Write(Header(subject));
  if (written.has_errors()) return Made(std::move(written));
  return Made(std::move(journal), Diagnostics());
}

Result<std::unique_ptr<Journal>> Journal::Continue(const FoundJournal& found) {
  using Made = Result<std::unique_ptr<Journal>>;
  const auto refuse = [&found](const std::string& why) {
    Diagnostics findings(PathText(found.file));
    findings.Error("cannot-write", {}, "the journal cannot go on: " + why);
    return Made(std::move(findings));
  };
  if (found.has_lost_lines) return refuse("it has lines that make no sense");
  const int descriptor =
      ::open(found.file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor < 0) return refuse(std::generic_category().message(errno));
  struct stat status {};
  const bool is_free = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
  const bool is_cut =
      is_free && ::fstat(descriptor, &status) == 0 &&
      ::ftruncate(descriptor, status.st_size - found.num_lost_bytes) == 0;
  if (!is_cut) {
    ::close(descriptor);
    return refuse(is_free ? "its broken end cannot be cut off"
                          : "another window has it");
  }
  return Made(std::unique_ptr<Journal>(new Journal(found.file, descriptor)),
              Diagnostics());
}

}  // namespace limber::jobs
