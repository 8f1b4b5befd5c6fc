// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// The contact solver in scenes, and on the problems that their steps pose:
//
//     contact_bench [part of a name] [--starts n] [--seed n] [--replay]
//
// Of every scene: time and solves of a step, at rest and in all (of figures:
// factorisations), steps that were not solved, and what the scene is judged by.
// With --replay also: the recorded problems of piles solved once more, with the
// time (the least of three), solves, and the energy that answers gain.
// tests/dynamics/solve/corpus_test.cpp judges laws and momenta.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "dynamics/collision/shape.h"
#include "dynamics/internal/recorder.h"
#include "dynamics/scene/scene.h"
#include "dynamics/solve/body_system.h"
#include "dynamics/solve/free_bodies.h"
#include "tests/dynamics/contact_worlds.h"
#include "tests/scenes/ragdoll_scenes.h"

namespace {

using limber::ExpRotation;
using limber::Quaternion;
using limber::Transform;
using limber::Vector3;
using limber::dynamics::LcpStatus;
using limber::dynamics::StepReport;
using limber::dynamics::World;
using limber::dynamics::internal::Recorder;
using limber::dynamics::internal::recorder;
using limber::scenes::PlayedRagdolls;
using limber::scenes::RagdollScene;
namespace dynamics = limber::dynamics;
namespace solve = limber::dynamics::solve;

struct Options {
  std::string filter;
  int starts = 1;
  unsigned seed = 1;
  bool replay = false;
};

double Microseconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) +
         1e-3 * static_cast<double>(now.tv_nsec);
}

/// Of numbers that come one by one.
struct Numbers {
  std::vector<double> all;
  void Add(double x) { all.push_back(x); }
  double Mean() const {
    double sum = 0.0;
    for (const double x : all) sum += x;
    return all.empty() ? 0.0 : sum / static_cast<double>(all.size());
  }
  double Part(double share) {
    if (all.empty()) return 0.0;
    std::sort(all.begin(), all.end());
    const auto last = static_cast<double>(all.size() - 1);
    return all[static_cast<std::size_t>(share * last)];
  }
};

/// What the steps of a world took.
struct Steps {
  Numbers time, solves, resting;
  int unsolved = 0, unsettled = 0;

  void Play(World& world, double h, bool rests) {
    recorder->solves = 0;
    const double before = Microseconds();
    world.Step(h);
    time.Add(Microseconds() - before);
    const StepReport& report = world.report();
    const int number =
        recorder->solves > 0 ? recorder->solves : report.factorisations;
    solves.Add(number);
    if (rests) resting.Add(number);
    unsolved += report.status != LcpStatus::kSolved;
    unsettled += !report.friction_settled;
  }
  void Print(const std::string& name) {
    std::printf(
        "%-18s %8.1f us a step; solves %.2f, p90 %.0f, most %.0f; "
        "unsolved %d, unsettled %d of %zu\n",
        name.c_str(), time.Mean(), solves.Mean(), solves.Part(0.9),
        solves.Part(1.0), unsolved, unsettled, time.all.size());
  }
};

// ---- The recorded problems, solved once more --------------------------------

struct Replay {
  Numbers time, solves, energy;
  int unsolved = 0, unsettled = 0, searches = 0;

  void Add(const solve::Report& report) {
    solves.Add(report.solves);
    unsolved += !report.solved;
    unsettled += !report.agrees;
    searches += report.searches;
  }
  void Print() {
    if (time.all.empty()) return;
    std::printf(
        "  %zu problems again: %.1f us; solves %.2f, p90 %.0f, most "
        "%.0f; searches %d; unsolved %d, unsettled %d; energy gained "
        "at most %.1e\n",
        time.all.size(), time.Mean(), solves.Mean(), solves.Part(0.9),
        solves.Part(1.0), searches, unsolved, unsettled, energy.Part(1.0));
  }
};

/// What contacts did: V . M (V - V_free) less what their targets ask for, as a
/// share of the energy before.
double Gained(double work, double energy,
              std::span<const solve::ContactPoint> contacts) {
  for (const solve::ContactPoint& contact : contacts) {
    for (int k = 0; k < 3; ++k) {
      work -= std::max(0.0, contact.lambda[k] * contact.u[k]);
    }
  }
  return energy > 0.0 ? work / energy : 0.0;
}

void ReplayPile(const solve::Problem& recorded, Replay& sums) {
  double least = 1e300;
  for (int round = 0; round < 3; ++round) {
    solve::Problem problem = recorded;
    solve::BodySystem system;
    solve::FreeBodies linear;
    const double before = Microseconds();
    const solve::Report report = system.Solve(problem, linear);
    least = std::min(least, Microseconds() - before);
    if (round > 0) continue;
    sums.Add(report);
    double work = 0.0, energy = 0.0;
    for (const solve::ProblemBody& body : problem.bodies) {
      work += body.mass * Dot(body.v, body.v - body.free_v) +
              Dot(body.inertia * body.w, body.w - body.free_w);
      energy += 0.5 * body.mass * Dot(body.free_v, body.free_v) +
                0.5 * Dot(body.free_w, body.inertia * body.free_w);
    }
    sums.energy.Add(Gained(work, energy, problem.contacts));
  }
  sums.time.Add(least);
}

void PrintReplay(const Recorder& kept) {
  Replay sums;
  for (const solve::Problem& problem : kept.problems) {
    ReplayPile(problem, sums);
  }
  sums.Print();
}

// ---- Scenes -----------------------------------------------------------------

/// Falls of limp figures from starts turned by up to half a radian (one figure)
/// or moved by a hundredth of a millimetre (many).
void PlayFalls(const RagdollScene& original, const Options& options) {
  constexpr double kRestTime = 1.0;  // The last second [s].
  std::mt19937 random(options.seed);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  Steps all;
  Numbers resting;
  double gap = 0.0, depth = 0.0, limit = 0.0, speed = 0.0;
  int restless = 0;
  for (int start = 0; start < options.starts; ++start) {
    RagdollScene scene = original;
    const bool one = scene.figures.size() == 1;
    for (Transform& figure : scene.figures) {
      if (options.starts == 1) break;
      const double x = unit(random), y = unit(random), z = unit(random);
      const Vector3 by(x, y, z);
      if (one) {
        figure.R = ExpRotation(0.5 * by) * figure.R;
      } else {
        figure.p += 1e-5 * by;
      }
    }
    PlayedRagdolls played = limber::scenes::Play(scene);
    Steps own;
    const int steps = static_cast<int>(std::lround(scene.length / scene.step));
    for (int i = 0; i < steps; ++i) {
      own.Play(played.world, scene.step,
               (i + 1) * scene.step > scene.length - kRestTime);
      gap = std::max(gap, LargestGap(scene, played));
      depth = std::max(depth, GroundPenetration(scene, played));
      limit = std::max(limit, LimitViolation(scene, played));
    }
    speed = std::max(speed, RestSpeed(scene, played));
    resting.Add(own.resting.Mean());
    restless += own.resting.Mean() > 1.5;
    for (const double x : own.time.all) all.time.Add(x);
    for (const double x : own.solves.all) all.solves.Add(x);
    all.unsolved += own.unsolved;
    all.unsettled += own.unsettled;
  }
  all.Print(original.name);
  std::printf(
      "  gap %.2f mm, depth %.2f mm, limit %.2f deg, last speed %.2f "
      "mm/s; solves in the last second %.2f, most %.2f, above 1.5 in "
      "%d of %d starts\n",
      1e3 * gap, 1e3 * depth, 57.2957795 * limit, 1e3 * speed, resting.Mean(),
      resting.Part(1.0), restless, options.starts);
}

/// Balls, and boxes in turn with them, without joints, that fall on the ground,
/// one layer upon the other.
void PlayHeap(const std::string& name, int number, bool boxes, double seconds,
              unsigned seed) {
  using dynamics::test::AddFloor;
  using dynamics::test::AddSolid;
  constexpr double kHalf = 0.1;  // [m]
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  dynamics::WorldSettings settings;
  settings.contact.sleeping = false;
  World world(settings);
  AddFloor(world);
  const int side = static_cast<int>(std::ceil(std::cbrt(number)));
  for (int i = 0; i < number; ++i) {
    const double x = unit(random), y = unit(random), z = unit(random);
    Transform X_WB;
    X_WB.p = 2.5 * kHalf *
                 Vector3(i % side, 1 + i / (side * side), i / side % side) +
             0.2 * kHalf * Vector3(x, y, z);
    const bool box = boxes && i % 2 == 0;
    AddSolid(world,
             box ? dynamics::Shape::Box(Vector3::Constant(0.8 * kHalf))
                 : dynamics::Shape::Sphere(kHalf),
             500.0, X_WB);
  }
  Steps steps;
  double depth = 0.0;
  const double h = dynamics::test::kStep;
  for (int i = 0; i < static_cast<int>(seconds / h); ++i) {
    steps.Play(world, h, false);
    depth = std::max(depth, dynamics::test::Penetration(world));
  }
  steps.Print(name);
  std::printf("  depth %.2f mm\n", 1e3 * depth);
}

/// A scene file of the repository.
void PlayFile(const std::string& name) {
  auto read = dynamics::ReadScene(std::string(LIMBER_SOURCE_DIR) +
                                  "/data/scenes/" + name + ".json");
  if (!read.ok()) {
    std::fprintf(stderr, "%s cannot be read\n", name.c_str());
    std::exit(1);
  }
  dynamics::Scene& scene = read.value();
  Steps steps;
  const int number = static_cast<int>(std::lround(scene.duration / scene.step));
  for (int i = 0; i < number; ++i) {
    steps.Play(scene.world, scene.step, false);
  }
  steps.Print(name);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool more = i + 1 < argc;
    if (word == "--starts" && more) {
      options.starts = std::max(1, std::atoi(argv[++i]));
    } else if (word == "--seed" && more) {
      options.seed = static_cast<unsigned>(std::atoi(argv[++i]));
    } else if (word == "--replay") {
      options.replay = true;
    } else {
      options.filter = word;
    }
  }
  const auto play = [&](const std::string& name,
                        const std::function<void()>& scene) {
    if (name.find(options.filter) == std::string::npos) return;
    constexpr std::size_t kMost = 2000;
    Recorder kept;
    kept.most = options.replay ? kMost : 0;
    kept.every = 3;
    recorder = &kept;
    scene();
    recorder = nullptr;
    PrintReplay(kept);
  };
  const RagdollScene drop = limber::scenes::RagdollDrop();
  const RagdollScene stairs = limber::scenes::RagdollsOnStairs();
  play(drop.name, [&] { PlayFalls(drop, options); });
  play(stairs.name, [&] { PlayFalls(stairs, options); });
  const unsigned seed = options.seed;
  play("50-balls", [&] { PlayHeap("50-balls", 50, false, 2.0, seed); });
  play("500-land", [&] { PlayHeap("500-land", 500, true, 0.6, seed); });
  for (const char* name : {"pool", "sunk_stack", "struck_desk",
                           "critical_contacts", "simultaneous_impacts"}) {
    play(name, [&] { PlayFile(name); });
  }
  return 0;
}
