// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "jobs/edit.h"
#include "jobs/event_history.h"
#include "jobs/journal.h"
#include "jobs/load.h"

namespace limber::jobs {

/// A clip on which somebody works, as `limber edit` would be told of it.
struct WorkbenchClip {
  std::shared_ptr<const figure::Motion> motion;
  std::shared_ptr<const figure::FigureModel> figure;
  std::filesystem::path file;         ///< Of the clip.
  std::filesystem::path figure_file;  ///< Empty: made for the clip.
  LoadOptions load;                   ///< As the clip was read.
};

/// Where a workbench writes.
struct WorkbenchFolders {
  std::filesystem::path results = ".";  ///< What is saved.
  std::filesystem::path journals;       ///< Empty: no journal is kept.
};

/// A clip, the events that are to happen to it, and what becomes of it: the
/// document of the viewer, without a screen.
///
/// Every change can be undone, is in the journal at once and makes a new
/// result, which a thread computes while the old one stays. All calls are from
/// one thread; none of them waits for the result.
class Workbench {
 public:
  Workbench(WorkbenchClip clip, WorkbenchFolders folders);
  ~Workbench();
  Workbench(const Workbench&) = delete;
  Workbench& operator=(const Workbench&) = delete;

  const WorkbenchClip& clip() const { return clip_; }
  const std::vector<ListedEvent>& events() const { return history_.events(); }
  bool can_undo() const { return history_.can_undo(); }
  bool can_redo() const { return history_.can_redo(); }

  /// Changes of the list. Those with an index throw std::invalid_argument if
  /// there is no such event, all of them if an event has no words for a file
  /// (`FormatEvents`), is none of the figure's (`figure::CheckEvent`) or lies
  /// outside the clip; the list then stays as it is. With `is_same_gesture` a
  /// change is one step with the one before it (`EventHistory::Amend`).
  void Add(const ListedEvent& event);
  void Add(const std::vector<ListedEvent>& events);
  void Change(std::size_t index, const ListedEvent& event,
              bool is_same_gesture = false);
  void Switch(std::size_t index, bool is_on);
  void Remove(std::size_t index);
  bool Undo();
  bool Redo();

  /// To be called many times a second: begins to compute where there is a new
  /// list, and takes what has been computed. Returns whether the result is
  /// another one now.
  bool Update();
  /// What becomes of the clip; null where no event happens: the clip itself.
  /// That of an earlier list while the new one is being computed.
  const std::shared_ptr<const EditedClip>& result() const { return result_; }
  /// Whether the result is that of the list as it is.
  bool is_current() const { return shown_text_ == text_; }
  /// The share that is done of a result in the making; else nothing.
  std::optional<double> progress() const;
  /// Why the list has no result, or the journal is not written; else empty.
  std::string problem() const;

  /// An events file, or the result with its events beside it, under the first
  /// number that is free: walk-edit-1.json, walk-edit-1.bvh. Nothing is ever
  /// overwritten.
  struct Saved {
    std::filesystem::path events;
    std::filesystem::path result;  ///< Empty where only events were saved.
    std::string command;           ///< What makes the same result, for a shell.
  };
  Result<Saved> SaveEvents();
  /// @param ending  ".bvh", ".glb", ".npz" or ".usda". @throws BadCall for
  ///        another one. An error "not-ready" unless `is_current`, "no-events"
  ///        where nothing happens.
  Result<Saved> SaveResult(const std::string& ending = ".bvh");
  /// Whether the list is as it was saved last, or empty and never saved.
  bool is_saved() const { return text_ == saved_text_; }
  /// The call of `limber edit` that makes `result` of `events`.
  std::string CommandLine(const std::filesystem::path& events,
                          const std::filesystem::path& result) const;

  /// What an earlier session did not save, the newest first. It stays where it
  /// is until somebody takes it.
  const std::vector<FoundJournal>& offered() const { return offered_; }
  /// The list of the newest one takes the place of this one, with all that can
  /// be undone, and its journal goes on.
  void TakeOffered();
  /// Where the steps are written down; empty before the first.
  std::filesystem::path journal_file() const;

 private:
  class Worker;
  struct Names;
  void Take(const JournalStep& step);
  void Check(const ListedEvent& event) const;
  void ListChanged();
  void NoteInJournal(const JournalStep& step);
  JournalSubject Subject() const;
  EditContext Context() const;
  Result<Names> TakeFreeNames(const std::string& ending) const;

  WorkbenchClip clip_;
  WorkbenchFolders folders_;
  EventHistory history_;
  std::string text_;        ///< Of the list, as an events file has it.
  std::string shown_text_;  ///< Of the list that has the result.
  std::string asked_text_;  ///< Of the list that is being computed.
  std::string saved_text_;
  std::shared_ptr<const EditedClip> result_;
  std::string problem_;
  std::string journal_problem_;
  std::vector<FoundJournal> offered_;
  std::unique_ptr<Journal> journal_;
  std::unique_ptr<Worker> worker_;
};

}  // namespace limber::jobs
