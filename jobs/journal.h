// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/result.h"
#include "jobs/event_history.h"

namespace limber::jobs {

/// What the events of a journal are about.
struct JournalSubject {
  std::filesystem::path clip;
  std::filesystem::path figure;  ///< Empty: one made for the clip.
  std::int64_t num_frames = 0;   ///< Of the clip; another one is another clip.
};

/// A step of somebody who works on a list of events.
struct JournalStep {
  enum class Kind { kApply, kAmend, kUndo, kRedo };
  Kind kind = Kind::kApply;
  EventSplice splice;  ///< Of the first two.
};
/// Does to the list what the step says. @throws std::invalid_argument as
/// `EventHistory::Apply`.
void TakeStep(const JournalStep& step, EventHistory& history);

/// Where journals lie: `limber/journals` in $XDG_STATE_HOME, else in
/// $HOME/.local/state; empty if neither is set.
std::filesystem::path JournalFolder();

/// Work that was never saved, as its journal has it.
struct FoundJournal {
  std::filesystem::path file;
  EventHistory history;  ///< With everything that can be undone.
  int num_steps = 0;
  std::time_t last_change = 0;
  /// Bytes from the first line on that is not whole or makes no sense, and
  /// whether that is more than the half line of a step that was being written.
  std::int64_t num_lost_bytes = 0;
  bool has_lost_lines = false;
};

/// The journals of a clip that nobody writes to now and that say something, the
/// newest first.
std::vector<FoundJournal> FindJournals(const std::filesystem::path& folder,
                                       const JournalSubject& subject,
                                       const EditContext& context);

/// The steps of a journal's text as far as its lines are whole; nothing if it
/// does not begin as one about `subject`.
std::optional<FoundJournal> ReplayJournal(std::string_view text,
                                          const JournalSubject& subject,
                                          const EditContext& context);

/// Writes down every step while somebody works, so that the end of the program
/// at any moment loses nothing that was done: a step is in the file when
/// `Append` returns, and on the disk soon afterwards (a thread of its own sees
/// to that, so that nobody waits). One line a step; only whole lines count.
///
///     limber-journal 1
///     clip /home/me/walk.bvh
///     figure
///     frames 121
///     apply 0 0 {"limber_events": 1, "events": [ ... ]}
///     undo
class Journal {
 public:
  /// A new file in `folder`, which is made where it is not there.
  static Result<std::unique_ptr<Journal>> Create(
      const std::filesystem::path& folder, const JournalSubject& subject);
  /// Goes on with the journal of an earlier session, without the half line at
  /// its end. An error if more than that makes no sense, or it cannot be
  /// written: then it stays as it is.
  static Result<std::unique_ptr<Journal>> Continue(const FoundJournal& found);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  Diagnostics Append(const JournalStep& step, const figure::FigureModel& model);
  /// Returns when all steps are on the disk.
  Diagnostics Sync();
  /// The work lies somewhere else now: removes the file.
  void Remove();
  const std::filesystem::path& file() const { return file_; }

 private:
  Journal(std::filesystem::path file, int descriptor);
  Diagnostics Write(std::string_view bytes);
  Diagnostics Failure(const std::string& what) const;
  void KeepOnDisk();

  std::filesystem::path file_;
  int descriptor_ = -1;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_behind_ = false;  ///< Something may not be on the disk yet.
  bool is_ending_ = false;
  std::thread keeper_;
};

}  // namespace limber::jobs
