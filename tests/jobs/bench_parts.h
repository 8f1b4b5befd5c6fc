// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// A clip to work on, folders that go away, and somebody who does anything.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <random>
#include <string>

#include "jobs/event_text.h"
#include "jobs/workbench.h"
#include "tests/support/test_data.h"

namespace limber::jobs {

/// The bundled bow as the program opens it.
inline WorkbenchClip BundledBow() {
  WorkbenchClip clip;
  clip.file = test::BundledData("clips/bow.bvh");
  clip.motion = std::make_shared<const figure::Motion>(
      std::move(LoadClip(clip.file)).value());
  clip.figure = FigureForClip(*clip.motion).value();
  return clip;
}

/// A folder with a place for results and one for journals.
class BenchFolder {
 public:
  explicit BenchFolder(const std::string& name)
      : path_(std::filesystem::temp_directory_path() /
              ("limber_bench_" + name + std::to_string(::getpid()))) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_ / "results");
  }
  ~BenchFolder() { std::filesystem::remove_all(path_); }
  WorkbenchFolders folders() const {
    return {path_ / "results", path_ / "journals"};
  }

 private:
  std::filesystem::path path_;
};

/// A push, throw, pull or change of strength with numbers that have no short
/// form.
inline ListedEvent AnyEvent(std::mt19937& random, const WorkbenchClip& clip) {
  using Kind = figure::EditEvent::Kind;
  std::uniform_real_distribution<double> share(0.0, 1.0);
  const auto vector = [&](double size) {
    return Vector3(size * (share(random) - 0.5), size * (share(random) - 0.5),
                   size * (share(random) - 0.5));
  };
  ListedEvent event;
  figure::EditEvent& e = event.event;
  e.time = share(random) * clip.motion->duration();
  e.segment =
      1 + static_cast<int>(share(random) * (clip.figure->num_segments() - 1));
  e.point_B = clip.figure->segments[std::size_t(e.segment)].p_JC;
  e.vector = vector(20.0);
  switch (static_cast<int>(4.0 * share(random))) {
    case 1:
      e.kind = Kind::kThrow;
      e.mass = 0.1 + share(random);
      break;
    case 2:
      e.kind = Kind::kReach;
      e.vector = Vector3::Zero();
      e.target = vector(2.0);
      e.duration = 0.3;
      break;
    case 3:
      e.kind = Kind::kStrength;
      e = {};
      e.kind = Kind::kStrength;
      e.time = share(random) * clip.motion->duration();
      e.strength = figure::Strength::Loose();
      e.duration = 0.2;
      e.segments = {1};
      break;
    default:
      break;
  }
  event.is_on = share(random) < 0.8;
  return event;
}

/// Does one thing of all that can be done to a list. A drag is several calls:
/// `between` follows each but the last.
inline void DoAnything(
    std::mt19937& random, Workbench& bench,
    const std::function<void()>& between = [] {}) {
  const std::size_t size = bench.events().size();
  const auto any = [&](std::size_t count) { return random() % count; };
  switch (size == 0 ? any(3) : any(8)) {
    case 0:
      if (bench.Undo()) return;
      [[fallthrough]];
    case 1:
      if (bench.Redo()) return;
      [[fallthrough]];
    case 2:
      return bench.Add(AnyEvent(random, bench.clip()));
    case 3:
      return bench.Change(any(size), AnyEvent(random, bench.clip()));
    case 4: {
      // A drag: many changes, one step.
      const std::size_t index = any(size);
      ListedEvent moved = bench.events()[index];
      for (int i = 0; i < 4; ++i) {
        moved.event = MovedTo(moved.event, 0.1 * i + 0.01);
        bench.Change(index, moved, i > 0);
        if (i < 3) between();
      }
      return;
    }
    case 5: {
      const std::size_t index = any(size);
      return bench.Switch(index, !bench.events()[index].is_on);
    }
    case 6:
      return bench.Remove(any(size));
    default:
      bench.Undo();
      return;
  }
}

/// The list as a file has it.
inline std::string TextOf(const Workbench& bench) {
  return FormatEvents(bench.events(), *bench.clip().figure);
}

}  // namespace limber::jobs
