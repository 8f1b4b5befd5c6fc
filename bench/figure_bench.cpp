// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// What one figure costs: the bundled walk at 240 Hz with bounded motors, in the
// air and on its own feet, with everything that belongs to a step (controllers,
// motors, contacts, records); and, in the same run, scene S3 of bench/peers
// (17 motors, no contact), by which the times of other engines are compared.
// Processor time; the least of the repeats is the figure to compare.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <vector>

#include "tests/scenes/figure_scenes.h"
#include "tests/scenes/peer_scenes.h"

namespace {

using limber::Quaternion;
using limber::Vector3;
using limber::scenes::PeerScene;

constexpr int kRepeats = 5;

double CpuMicroseconds() {
  std::timespec now = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) +
         1e-3 * static_cast<double>(now.tv_nsec);
}

void Print(const char* name, std::vector<double> means, double rows) {
  std::sort(means.begin(), means.end());
  std::printf("%-18s %8.2f us a step (least %7.2f), %.0f rows\n", name,
              means[means.size() / 2], means.front(), rows);
}

double PlayWalk(const char* name, bool ground) {
  const limber::figure::Motion clip = limber::scenes::LoadClip(
      std::filesystem::path(LIMBER_SOURCE_DIR) / "data/clips/walk.bvh");
  const auto body = limber::scenes::BodyFor(clip);
  std::vector<double> means;
  double rows = 0.0;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    limber::scenes::PlayOptions options;
    options.ground = ground;
    limber::scenes::PlayedClip played =
        limber::scenes::Play(clip, body, options);
    const int steps = static_cast<int>(played.duration() * options.rate_hz);
    rows = 0.0;
    const double start = CpuMicroseconds();
    for (int i = 0; i < steps; ++i) {
      played.stage->Step();
      rows += played.stage->world().report().num_rows;
    }
    means.push_back((CpuMicroseconds() - start) / steps);
    rows /= steps;
  }
  Print(name, means, rows);
  return *std::min_element(means.begin(), means.end());
}

double PlayTracked() {
  std::vector<double> means;
  double rows = 0.0;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    const PeerScene scene = limber::scenes::TrackedFigure();
    limber::scenes::PlayedScene played = limber::scenes::Play(scene);
    constexpr int kSteps = 1200;
    double total = 0.0;
    for (int i = 0; i < kSteps; ++i) {
      const std::vector<Quaternion> targets =
          TrackingTargets(scene, (i + 1) * scene.step);
      for (std::size_t j = 0; j < played.joints.size(); ++j) {
        if (played.joints[j] != nullptr) {
          played.joints[j]->set_target(targets[j]);
        }
      }
      const double start = CpuMicroseconds();
      played.world.Step(scene.step);
      total += CpuMicroseconds() - start;
    }
    rows = played.world.report().num_rows;
    means.push_back(total / kSteps);
  }
  Print("S3-figure-track", means, rows);
  return *std::min_element(means.begin(), means.end());
}

}  // namespace

int main() {
  const double tracked = PlayTracked();
  PlayWalk("walk in the air", false);
  const double walk = PlayWalk("walk on the ground", true);
  std::printf("walk on the ground / S3: %.2f\n", walk / tracked);
  return 0;
}
