// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// What somebody does to the events of a clip: undone, done again, computed,
// saved, found again.
#include "jobs/workbench.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "core/file.h"
#include "jobs/bad_call.h"
#include "jobs/save.h"
#include "tests/jobs/bench_parts.h"

namespace limber::jobs {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class WorkbenchTest : public testing::Test {
 protected:
  static const WorkbenchClip& Clip() {
    static const WorkbenchClip clip = BundledBow();
    return clip;
  }
  static ListedEvent Listed(const std::string& flag, const std::string& words) {
    return {ParseEvents(flag, words, {Clip().figure.get(), Clip().motion.get()})
                .front(),
            true};
  }
  static ListedEvent Push(double impulse) {
    return Listed("--push", "chest@0.5s:" + std::to_string(impulse) + "Ns:+x");
  }
  /// Until there is a result of the list.
  static void Wait(Workbench& bench) {
    for (int i = 0; i < 6000; ++i) {
      bench.Update();
      if (bench.is_current()) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    FAIL() << "no result after a minute";
  }
  static std::string Bytes(const fs::path& file) {
    return ReadWholeFile(file).value();
  }

  const BenchFolder folder_{"workbench"};
};

TEST_F(WorkbenchTest, UndoOfAllIsTheStartAndRedoOfAllTheEnd) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::mt19937 random(seed);
    Workbench bench(Clip(), {});
    const std::string start = TextOf(bench);
    for (int i = 0; i < 60; ++i) DoAnything(random, bench);
    while (bench.Redo()) continue;
    const std::string end = TextOf(bench);
    int steps = 0;
    for (; bench.Undo(); ++steps) continue;
    EXPECT_EQ(TextOf(bench), start);
    EXPECT_FALSE(bench.can_undo());
    int again = 0;
    for (; bench.Redo(); ++again) continue;
    EXPECT_EQ(again, steps);
    EXPECT_EQ(TextOf(bench), end);
  }
}

TEST_F(WorkbenchTest, ADragIsOneStep) {
  Workbench bench(Clip(), {});
  bench.Add(Push(10));
  const std::string before = TextOf(bench);
  ListedEvent moved = bench.events().front();
  for (int i = 0; i < 30; ++i) {
    moved.event = MovedTo(moved.event, 0.5 + 0.01 * i);
    bench.Change(0, moved, i > 0);
  }
  bench.Undo();
  EXPECT_EQ(TextOf(bench), before);
  bench.Redo();
  EXPECT_NEAR(bench.events().front().event.time, 0.79, 1e-12);
}

TEST_F(WorkbenchTest, WhatMakesNoSenseIsRefusedAndChangesNothing) {
  Workbench bench(Clip(), folder_.folders());
  bench.Add(Push(10));
  const std::string before = TextOf(bench);
  ListedEvent late = Push(10);
  late.event.time = 1e3;
  EXPECT_THROW(bench.Add(late), std::invalid_argument);
  ListedEvent odd = Push(10);
  odd.event.segment = 1000;
  EXPECT_THROW(bench.Change(0, odd), std::invalid_argument);
  EXPECT_THROW(bench.Remove(1), std::invalid_argument);
  EXPECT_EQ(TextOf(bench), before);
  EXPECT_TRUE(bench.Undo());
  EXPECT_FALSE(bench.Undo());
}

// The file that the job writes from the saved events is the saved one, byte by
// byte, with events that are off in it and numbers without a short form.
TEST_F(WorkbenchTest, SavedEventsMakeTheSavedResult) {
  Workbench bench(Clip(), folder_.folders());
  ListedEvent push = Push(12.3456789);
  push.event.vector = Vector3(1.0 / 3.0, -2.0 / 7.0, 11.1);
  push.event.time = 1.0 / 3.0;
  bench.Add(push);
  bench.Add(Listed("--obstacle", "0s..2s:0,0.5,2:0.3,0.3,0.3"));
  ListedEvent turned = bench.events()[1];
  turned.event.heading = 0.1234567890123;
  bench.Change(1, turned);
  bench.Add(Push(500));
  bench.Switch(2, false);
  Wait(bench);
  ASSERT_NE(bench.result(), nullptr) << bench.problem();
  const auto saved = bench.SaveResult(".bvh");
  ASSERT_TRUE(saved.ok()) << saved.diagnostics().ToString();
  EXPECT_EQ(saved->result.filename(), "bow-edit-1.bvh");
  EXPECT_EQ(Bytes(saved->events), TextOf(bench));

  const auto read =
      ReadEvents(saved->events, {Clip().figure.get(), Clip().motion.get()});
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->size(), 2U);
  const std::vector<Event> events(read->begin(), read->end());
  const auto edited = Edit(*Clip().motion, events, {});
  ASSERT_TRUE(edited.ok());
  const fs::path other = folder_.folders().results / "other.bvh";
  ASSERT_FALSE(Save(edited->result.motion, other).has_errors());
  EXPECT_EQ(Bytes(other), Bytes(saved->result));
  // And it is not the clip.
  ASSERT_FALSE(Save(*Clip().motion, other).has_errors());
  EXPECT_NE(Bytes(other), Bytes(saved->result));
}

TEST_F(WorkbenchTest, OldResultStaysUntilTheNewOneIsThere) {
  Workbench bench(Clip(), {});
  bench.Add(Push(10));
  EXPECT_FALSE(bench.is_current());
  Wait(bench);
  const auto first = bench.result();
  ASSERT_NE(first, nullptr);
  bench.Add(Push(20));
  bench.Update();
  EXPECT_TRUE(bench.progress().has_value());
  EXPECT_EQ(bench.result(), first);
  EXPECT_EQ(bench.SaveResult().diagnostics().all().front().kind, "not-ready");
  Wait(bench);
  EXPECT_NE(bench.result(), first);
  EXPECT_FALSE(bench.progress().has_value());
  // Many lists in a row: only the last one's result comes.
  for (int i = 1; i < 20; ++i) {
    bench.Change(0, Push(10 + i), i > 1);
    bench.Update();
  }
  Wait(bench);
  EXPECT_EQ(bench.result()->events.front().vector.x(), 29.0);
  // Where nothing happens it is the clip.
  bench.Switch(0, false);
  bench.Switch(1, false);
  bench.Update();
  EXPECT_EQ(bench.result(), nullptr);
  EXPECT_TRUE(bench.is_current());
}

TEST_F(WorkbenchTest, WhatCannotBeComputedIsSaid) {
  Workbench bench(Clip(), folder_.folders());
  bench.Add(Push(1e12));
  Wait(bench);
  EXPECT_EQ(bench.result(), nullptr);
  EXPECT_THAT(bench.problem(), testing::Not(testing::IsEmpty()));
  EXPECT_FALSE(bench.SaveResult().ok());
  // The events can still be saved, and mended.
  EXPECT_TRUE(bench.SaveEvents().ok());
  bench.Change(0, Push(10));
  Wait(bench);
  EXPECT_EQ(bench.problem(), "");
  EXPECT_NE(bench.result(), nullptr);
}

TEST_F(WorkbenchTest, NothingIsOverwritten) {
  const fs::path results = folder_.folders().results;
  std::ofstream(results / "bow-edit-1.json") << "mine";
  std::ofstream(results / "bow-edit-2.bvh") << "mine too";
  Workbench bench(Clip(), folder_.folders());
  bench.Add(Push(10));
  Wait(bench);
  // The second number has no events yet, but a clip.
  const auto both = bench.SaveResult();
  ASSERT_TRUE(both.ok());
  EXPECT_EQ(both->events.filename(), "bow-edit-3.json");
  EXPECT_EQ(both->result.filename(), "bow-edit-3.bvh");
  EXPECT_EQ(bench.SaveEvents().value().events.filename(), "bow-edit-2.json");
  EXPECT_EQ(Bytes(results / "bow-edit-1.json"), "mine");
  EXPECT_EQ(Bytes(results / "bow-edit-2.bvh"), "mine too");
  EXPECT_THROW(bench.SaveResult(".xyz"), BadCall);
}

TEST_F(WorkbenchTest, CommandLineIsForAShell) {
  WorkbenchClip clip = Clip();
  clip.file = "my clips/it's.bvh";
  clip.figure_file = "fat_man";
  clip.load.unit = ParseUnit("cm");
  clip.load.rate_hz = 120.0;
  const Workbench bench(clip, {});
  EXPECT_EQ(bench.CommandLine("a.json", "b.glb"),
            "limber edit 'my clips/it'\\''s.bvh' --events a.json --figure "
            "fat_man --unit cm --rate 120 -o b.glb");
}

TEST_F(WorkbenchTest, UnsavedWorkIsOfferedSavedWorkIsNot) {
  std::string list;
  {
    Workbench bench(Clip(), folder_.folders());
    EXPECT_TRUE(bench.offered().empty());
    EXPECT_TRUE(bench.journal_file().empty());
    bench.Add(Push(10));
    bench.Add(Push(20));
    bench.Undo();
    list = TextOf(bench);
    // Somebody works on it: nobody else is offered it.
    const Workbench other(Clip(), folder_.folders());
    EXPECT_TRUE(other.offered().empty());
  }
  {
    Workbench bench(Clip(), folder_.folders());
    ASSERT_EQ(bench.offered().size(), 1U);
    EXPECT_EQ(bench.offered().front().num_steps, 3);
    EXPECT_TRUE(bench.events().empty());
    bench.TakeOffered();
    EXPECT_EQ(TextOf(bench), list);
    EXPECT_TRUE(bench.Redo());
    EXPECT_EQ(bench.events().size(), 2U);
    EXPECT_TRUE(bench.Undo());
    EXPECT_FALSE(bench.is_saved());
  }
  {
    // Not taken, it stays; work of one's own gets a journal of its own.
    Workbench bench(Clip(), folder_.folders());
    ASSERT_EQ(bench.offered().size(), 1U);
    bench.Add(Push(30));
  }
  {
    Workbench bench(Clip(), folder_.folders());
    ASSERT_EQ(bench.offered().size(), 2U);
    bench.TakeOffered();
    EXPECT_TRUE(bench.SaveEvents().ok());
    EXPECT_TRUE(bench.is_saved());
  }
  const Workbench bench(Clip(), folder_.folders());
  EXPECT_EQ(bench.offered().size(), 1U);
}

// Another clip of the same name, or another figure, is other work.
TEST_F(WorkbenchTest, AnotherClipIsNotOfferedTheWork) {
  {
    Workbench bench(Clip(), folder_.folders());
    bench.Add(Push(10));
  }
  WorkbenchClip other = Clip();
  other.file = "elsewhere/bow.bvh";
  EXPECT_TRUE(Workbench(other, folder_.folders()).offered().empty());
  other = Clip();
  other.figure_file = "fat_man";
  EXPECT_TRUE(Workbench(other, folder_.folders()).offered().empty());
  EXPECT_EQ(Workbench(Clip(), folder_.folders()).offered().size(), 1U);
}

// A journal that ends at any byte is the list after its last whole line, and
// goes on from there.
TEST_F(WorkbenchTest, AJournalCutAtAnyByteIsTheListAfterItsWholeLines) {
  const EditContext context{Clip().figure.get(), Clip().motion.get()};
  const JournalSubject subject{Clip().file, {}, Clip().motion->num_frames()};
  std::mt19937 random(3);
  std::vector<std::string> lists;
  std::vector<std::size_t> sizes;
  std::string whole;
  {
    Workbench bench(Clip(), folder_.folders());
    const auto note = [&] {
      lists.push_back(TextOf(bench));
      sizes.push_back(fs::file_size(bench.journal_file()));
    };
    bench.Add(Push(10));
    note();
    for (int i = 0; i < 25; ++i) {
      DoAnything(random, bench, note);
      note();
    }
    whole = Bytes(bench.journal_file());
  }
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    const auto found = ReplayJournal(std::string_view(whole).substr(0, size),
                                     subject, context);
    const auto after = std::upper_bound(sizes.begin(), sizes.end(), size);
    if (after == sizes.begin()) continue;
    ASSERT_TRUE(found) << size;
    EXPECT_FALSE(found->has_lost_lines);
    const auto done = static_cast<std::size_t>(after - sizes.begin()) - 1;
    ASSERT_EQ(FormatEvents(found->history.events(), *Clip().figure),
              lists[done])
        << size;
  }
}

TEST_F(WorkbenchTest, WorkGoesOnAfterABrokenEnd) {
  fs::path journal;
  {
    Workbench bench(Clip(), folder_.folders());
    bench.Add(Push(10));
    bench.Add(Push(20));
    journal = bench.journal_file();
  }
  fs::resize_file(journal, fs::file_size(journal) - 5);
  {
    Workbench bench(Clip(), folder_.folders());
    bench.TakeOffered();
    EXPECT_EQ(bench.events().size(), 1U);
    EXPECT_EQ(bench.journal_file(), journal);
    bench.Add(Push(30));
  }
  const Workbench bench(Clip(), folder_.folders());
  ASSERT_EQ(bench.offered().size(), 1U);
  EXPECT_EQ(bench.offered().front().history.events().size(), 2U);
  EXPECT_EQ(bench.offered().front().num_lost_bytes, 0);
}

// Whole lines that make no sense to this program are not thrown away.
TEST_F(WorkbenchTest, AJournalWithStrangeLinesStaysAsItIs) {
  fs::path journal;
  {
    Workbench bench(Clip(), folder_.folders());
    bench.Add(Push(10));
    journal = bench.journal_file();
  }
  std::ofstream(journal, std::ios::app) << "rotate 3\nundo\n";
  const std::string before = Bytes(journal);
  Workbench bench(Clip(), folder_.folders());
  bench.TakeOffered();
  EXPECT_EQ(bench.events().size(), 1U);
  EXPECT_NE(bench.journal_file(), journal);
  EXPECT_EQ(Bytes(journal), before);
}

TEST_F(WorkbenchTest, AJournalThatCannotBeWrittenIsSaidAndWorkGoesOn) {
  Workbench bench(Clip(), {folder_.folders().results, "/proc/nowhere"});
  bench.Add(Push(10));
  EXPECT_THAT(bench.problem(), HasSubstr("journal"));
  EXPECT_EQ(bench.events().size(), 1U);
}

}  // namespace
}  // namespace limber::jobs
