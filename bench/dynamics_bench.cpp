// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Cost and error of one step in the scenes that other engines play too.
//
//     dynamics_bench [part of a scene's name] [--solver
//     dense|tree|gauss-seidel]
//                    [--repeats n]

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "tests/scenes/peer_scenes.h"

#if defined(__linux__)
#include <sched.h>
#endif

namespace {

using limber::Quaternion;
using limber::Vector3;
using limber::dynamics::SolverKind;
using limber::dynamics::StepReport;
using limber::scenes::Drive;
using limber::scenes::Energy;
using limber::scenes::PeerScene;
using limber::scenes::PlayedScene;

struct Options {
  std::string filter;
  SolverKind solver = SolverKind::kAutomatic;
  int repeats = 5;
};

// Time this process ran, which other work on the machine does not lengthen.
double CpuMicroseconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) +
         1e-3 * static_cast<double>(now.tv_nsec);
}

// Returns the processor time of a step [us], 0 if the scene was not wanted.
double Run(const PeerScene& scene, const Options& options) {
  if (scene.name.find(options.filter) == std::string::npos) return 0.0;
  const int steps = static_cast<int>(std::lround(scene.length / scene.step));
  std::vector<std::vector<Quaternion>> targets;
  if (scene.drive == Drive::kTrack) {
    for (int i = 1; i <= steps; ++i) {
      targets.push_back(TrackingTargets(scene, i * scene.step));
    }
  }
  limber::dynamics::WorldSettings settings;
  settings.solver = options.solver;
  std::vector<double> means, cpu;
  double worst_step = 0.0;
  double gap = 0.0, tip_error = -1.0, drift = 0.0, drift_up = 0.0;
  double residual = 0.0, square = 0.0, worst_angle = 0.0;
  long angles = 0, factorisations = 0, solves = 0;
  for (int repeat = 0; repeat <= options.repeats; ++repeat) {
    PlayedScene played = Play(scene, settings);
    const double energy = Energy(played.world);
    const bool measure = repeat == 0;
    double total = 0.0;
    const double cpu_start = CpuMicroseconds();
    for (int i = 0; i < steps; ++i) {
      const auto start = std::chrono::steady_clock::now();
      if (!targets.empty()) {
        for (std::size_t j = 0; j < played.joints.size(); ++j) {
          if (played.joints[j] != nullptr) {
            played.joints[j]->set_target(
                targets[static_cast<std::size_t>(i)][j]);
          }
        }
      }
      const StepReport& report = played.world.Step(scene.step);
      const double us = std::chrono::duration<double, std::micro>(
                            std::chrono::steady_clock::now() - start)
                            .count();
      total += us;
      if (!measure) {
        worst_step = std::max(worst_step, us);
        continue;
      }
      factorisations += report.factorisations;
      solves += report.solves;
      residual = std::max(residual, report.residual);
      gap = std::max(gap, LargestGap(scene, played));
      drift_up = std::max(drift_up,
                          (Energy(played.world) - energy) / EnergyScale(scene));
      if (std::abs((i + 1) * scene.step - 1.0) < 1e-6) {
        const Vector3 reference = ReferenceTip(scene);
        if (reference.allFinite()) {
          tip_error =
              (played.world.motion(played.bodies.back()).p_WC - reference)
                  .norm();
        }
      }
      if (!targets.empty() && (i + 1) * scene.step >= 1.0) {
        for (std::size_t j = 0; j < played.joints.size(); ++j) {
          if (played.joints[j] == nullptr) continue;
          const Quaternion R_WP =
              played.world.X_WB(played.joints[j]->parent()).R;
          const Quaternion R_WB =
              played.world.X_WB(played.joints[j]->child()).R;
          const double angle = limber::AngleBetween(
              R_WP.conjugate() * R_WB, targets[static_cast<std::size_t>(i)][j]);
          square += angle * angle;
          worst_angle = std::max(worst_angle, angle);
          ++angles;
        }
      }
    }
    if (measure) {
      drift = (Energy(played.world) - energy) / EnergyScale(scene);
    } else {
      means.push_back(total / steps);
      cpu.push_back((CpuMicroseconds() - cpu_start) / steps);
    }
  }
  std::sort(means.begin(), means.end());
  std::sort(cpu.begin(), cpu.end());
  std::printf(
      "%-16s %8.2f us (min %7.2f, cpu %7.2f, worst step %7.1f) %5.2f fact "
      "%5.2f solves "
      "residual %.1e gap %.1e m dE %+.4f (up %.4f)",
      scene.name.c_str(), means.empty() ? 0.0 : means[means.size() / 2],
      means.empty() ? 0.0 : means.front(),
      cpu.empty() ? 0.0 : cpu[cpu.size() / 2], worst_step,
      static_cast<double>(factorisations) / steps,
      static_cast<double>(solves) / steps, residual, gap, drift, drift_up);
  if (tip_error >= 0.0) std::printf(" tip %.1e m", tip_error);
  if (angles > 0) {
    std::printf(" angle rms %.1e max %.1e rad",
                std::sqrt(square / static_cast<double>(angles)), worst_angle);
  }
  std::printf("\n");
  std::fflush(stdout);
  return cpu.empty() ? 0.0 : cpu.front();
}

// Scenes that only time the step: a figure with its own targets.
template <typename Figure, typename Make>
void RunFigure(const char* name, const Make& make, const Options& options) {
  if (std::string(name).find(options.filter) == std::string::npos) return;
  constexpr int kSteps = 1200;
  constexpr double kStep = 1.0 / 240.0;
  limber::dynamics::WorldSettings settings;
  settings.solver = options.solver;
  std::vector<double> means, cpu;
  long factorisations = 0;
  int most = 0;
  int rows = 0;
  for (int repeat = 0; repeat <= options.repeats; ++repeat) {
    Figure figure = make(settings);
    double total = 0.0;
    double cpu_total = 0.0;
    for (int i = 0; i < kSteps; ++i) {
      figure.SetTargets((i + 1) * kStep);
      const double cpu_start = CpuMicroseconds();
      const auto start = std::chrono::steady_clock::now();
      const StepReport& report = figure.played.world.Step(kStep);
      total += std::chrono::duration<double, std::micro>(
                   std::chrono::steady_clock::now() - start)
                   .count();
      cpu_total += CpuMicroseconds() - cpu_start;
      if (repeat > 0) continue;
      factorisations += report.factorisations;
      most = std::max(most, report.factorisations);
      rows = report.num_rows;
    }
    if (repeat > 0) {
      means.push_back(total / kSteps);
      cpu.push_back(cpu_total / kSteps);
    }
  }
  std::sort(means.begin(), means.end());
  std::sort(cpu.begin(), cpu.end());
  std::printf(
      "%-16s %8.2f us (min %7.2f, cpu %7.2f) %5.2f fact (most %d) "
      "%d rows\n",
      name, means.empty() ? 0.0 : means[means.size() / 2],
      means.empty() ? 0.0 : means.front(),
      cpu.empty() ? 0.0 : cpu[cpu.size() / 2],
      static_cast<double>(factorisations) / kSteps, most, rows);
  std::fflush(stdout);
}

// Puts the calling thread on one core, where that can be done.
void StayOn([[maybe_unused]] int core) {
#if defined(__linux__)
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(core, &cores);
  sched_setaffinity(0, sizeof cores, &cores);
#endif
}

// Least time of a step with `count` figures of S3 in one world. The threads of
// the world stay on core 1 and the caller on core 0: on a busy machine both may
// be put on one core otherwise, where they only wait for each other.
template <typename Clock>
double CrowdMicroseconds(const Options& options, int count, int threads,
                         const Clock& now) {
  const PeerScene scene = limber::scenes::TrackedFigure();
  limber::dynamics::WorldSettings settings;
  settings.solver = options.solver;
  settings.threads = threads;
  settings.gravity = Vector3(0.0, 0.0, -limber::kGravity);
  StayOn(1);
  PlayedScene played{limber::dynamics::World(settings), {}, {}, {}};
  StayOn(0);
  for (int k = 0; k < count; ++k) {
    AddToWorld(scene, Vector3(2.0 * k, 0.0, 0.0), played.world, played.bodies,
               played.joints);
  }
  double best = 1e300;
  for (int i = 0; i < 1200; ++i) {
    const std::vector<Quaternion> targets =
        TrackingTargets(scene, (i + 1) * scene.step);
    for (std::size_t j = 0; j < played.joints.size(); ++j) {
      if (played.joints[j] != nullptr) {
        played.joints[j]->set_target(targets[j % targets.size()]);
      }
    }
    const double start = now();
    played.world.Step(scene.step);
    best = std::min(best, now() - start);
  }
  return best;
}

// V-15: twenty figures against one, and on two threads against one. Processor
// time for the first, time on the wall for the second: there an idle machine is
// wanted.
void RunCrowd(const Options& options) {
  if (std::string("figures-x20").find(options.filter) == std::string::npos) {
    return;
  }
  const auto least = [&](int count, int threads, const auto& now) {
    return std::min(CrowdMicroseconds(options, count, threads, now),
                    CrowdMicroseconds(options, count, threads, now));
  };
  const double one = least(1, 1, CpuMicroseconds);
  const double twenty = least(20, 1, CpuMicroseconds);
  std::printf("figures-x20      %8.2f us, one %.2f us, ratio %.2f\n", twenty,
              one, twenty / one);
  const auto wall = [] {
    return std::chrono::duration<double, std::micro>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
  };
  const double alone = least(20, 1, wall);
  const double shared = least(20, 2, wall);
  std::printf(
      "figures-x20      %8.2f us on two threads, %.2f us on one, "
      "ratio %.2f\n",
      shared, alone, alone / shared);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--solver" && i + 1 < argc) {
      const std::string name = argv[++i];
      options.solver = name == "dense"  ? SolverKind::kDense
                       : name == "tree" ? SolverKind::kTree
                                        : SolverKind::kGaussSeidel;
    } else if (word == "--repeats" && i + 1 < argc) {
      options.repeats = std::atoi(argv[++i]);
    } else {
      options.filter = word;
    }
  }
  double shortest = 0.0;
  double longest = 0.0;
  for (const int n : {8, 32, 127, 512, 2048}) {
    const double us = Run(limber::scenes::Chain(n), options);
    if (n == 32) shortest = us;
    if (n == 2048) longest = us;
  }
  if (shortest > 0.0 && longest > 0.0) {
    std::printf("chain: cost grows with exponent %.3f from 32 to 2048 links\n",
                std::log(longest / shortest) / std::log(2048.0 / 32.0));
  }
  Run(limber::scenes::SpringTree(), options);
  Run(limber::scenes::TrackedFigure(), options);
  using limber::dynamics::WorldSettings;
  RunFigure<limber::scenes::StandingFigure>(
      "standing-1e-2",
      [](const WorldSettings& s) {
        return limber::scenes::MakeStandingFigure(1e-2, s);
      },
      options);
  RunFigure<limber::scenes::StandingFigure>(
      "standing-1e-3",
      [](const WorldSettings& s) {
        return limber::scenes::MakeStandingFigure(1e-3, s);
      },
      options);
  RunFigure<limber::scenes::MarkerFigure>(
      "marker-figure",
      [](const WorldSettings& s) {
        return limber::scenes::MakeMarkerFigure(s);
      },
      options);
  RunCrowd(options);
}
