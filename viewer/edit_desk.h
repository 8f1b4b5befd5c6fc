// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "jobs/workbench.h"
#include "viewer/camera.h"
#include "viewer/edited_figure.h"
#include "viewer/show.h"
#include "viewer/time_line.h"

namespace limber::viewer {

/// An event as the time line shows it, in the time of the show.
struct EventMark {
  double from = 0.0;  ///< [s]
  double to = 0.0;    ///< [s], not before `from`.
  bool is_on = true;
  bool is_selected = false;
};

/// What keys and pointer do to the events of a clip: makes them, selects,
/// moves, changes, switches and removes them, takes steps back, saves. No
/// drawing. Times are those of the show, places in pictures from -1 to 1.
class EditDesk {
 public:
  /// Both must outlive it. @throws std::invalid_argument if the show is no
  /// `EditedFigure`.
  EditDesk(jobs::Workbench& bench, Show& show);

  /// A key; while something is being typed, every key. Returns whether it means
  /// anything here.
  bool Key(int key);
  static constexpr int kTab = 0x10004;
  static constexpr int kEnter = 0x10005;
  static constexpr int kBackspace = 0x10006;
  static constexpr int kDelete = 0x10007;
  static std::vector<std::pair<std::string, std::string>> Help();

  /// What keys and pointer have done to a body becomes an event: a push of the
  /// size that is set, along `direction`; a ball; a pull from `BeginPull` to
  /// `EndPull`. A `part` of -1 is the chest.
  void AddPush(int part, const Vector3& direction, double time);
  void AddThrow(int part, const Vector3& direction, double time);
  void BeginPull(int part, double time, const Vector3& p_W);
  void PullTo(double time, const Vector3& p_W);
  void EndPull();
  /// Any event by a flag of `limber edit` without its dashes and its words,
  /// "push chest@1.2s:40Ns:+x".
  void AddInWords(const std::string& words);
  /// Of the next push [N s].
  double push_size() const { return push_size_; }

  /// The pointer on the time line, `x` in pixels: takes the mark that begins
  /// there, if there is one, and moves it.
  bool TakeMark(const TimeLine& line, double x);
  void MoveMark(const TimeLine& line, double x);

  /// The handle of the selected event: from the place where it acts to a tip
  /// that the pointer can take; nothing where its kind has none.
  struct Handle {
    Vector3 begin = Vector3::Zero();
    Vector3 tip = Vector3::Zero();
  };
  std::optional<Handle> handle() const;
  /// @param height  of the picture [px].
  bool TakeHandle(const Camera& camera, double x, double y, double aspect,
                  double height);
  void MoveHandle(const Camera& camera, double x, double y, double aspect);
  /// The pointer lets go of mark or handle.
  void LetGo() { is_dragging_ = false; }

  /// To be called before every picture: results that are ready are shown, and
  /// saved where that was asked for.
  void Update();

  std::optional<std::size_t> selected() const { return selected_; }
  void Select(std::optional<std::size_t> index);
  /// As `jobs::Workbench::Change`; what makes no sense is said and not done.
  void ChangeSelected(const jobs::ListedEvent& event, bool is_same_gesture);
  /// "1.20 s  push chest, 40 N s".
  std::string InWords(std::size_t index) const;
  std::vector<EventMark> marks() const;
  /// The events in words, one a line, around the selected one.
  std::vector<std::string> list() const;
  /// What is to be said as long as it is so: what is being typed, what went
  /// wrong, what an earlier session left.
  std::vector<std::string> notes() const;
  std::optional<double> progress() const { return bench_.progress(); }
  /// What has just happened, once; empty if nothing.
  std::string TakeMessage() { return std::exchange(message_, {}); }
  /// The mode that is wanted now, once; empty if none.
  std::string TakeWantedMode() { return std::exchange(wanted_mode_, {}); }
  /// Whether something happens to the clip.
  bool HasEdits() const;
  bool is_live() const { return figure_.is_live(); }
  const jobs::Workbench& bench() const { return bench_; }

 private:
  /// Something that is typed: a size, a time, or an event in words.
  struct Prompt {
    char kind = '=';
    std::string text;
  };
  bool PromptKey(int key);
  bool BeginPrompt(char kind);
  void EndPrompt();
  void TypedNumber(const Prompt& prompt);
  bool SelectedKey(int key);
  bool ListKey(int key);
  void SelectNext();
  void Resize(double factor);
  void Save(bool with_result);
  void TakeOffered();
  void SayStep(bool done, const char* step);
  /// Runs what may throw for events that make no sense, and says why.
  template <typename Action>
  bool Try(Action&& action);
  bool AddAndSelect(const jobs::ListedEvent& event);
  int SegmentFor(int part) const;
  double ClipTime(double time) const { return time + figure_.lead_in(); }
  const figure::FigureModel& model() const { return *bench_.clip().figure; }
  /// Where a segment is in what is shown, at a time of the clip.
  Transform PoseOf(int segment, double clip_time) const;

  jobs::Workbench& bench_;
  EditedFigure& figure_;
  std::optional<std::size_t> selected_;
  double push_size_ = 10.0;  ///< [N s]
  std::optional<Prompt> prompt_;
  bool is_dragging_ = false;
  bool is_same_gesture_ = false;
  double tip_depth_ = 0.0;
  std::optional<figure::EditEvent> pull_;
  bool saves_when_ready_ = false;
  std::string message_;
  std::string wanted_mode_;
};

}  // namespace limber::viewer
