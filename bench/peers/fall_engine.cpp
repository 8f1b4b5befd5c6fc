// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/peers/fall_engine.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

namespace limber::bench {

namespace {

using scenes::RagdollScene;
using scenes::RagdollSegment;

// What one run of a scene showed.
struct Measure {
  int steps = 0;
  double mean_us = 0.0;
  double largest_us = 0.0;
  double gap = 0.0;
  double penetration = 0.0;  // into the ground, from the step after impact on
  double excess = 0.0;       // of a joint over its limits [rad]
  double rest_speed = 0.0;
  bool diverged = false;
};

double LargestGap(const RagdollScene& scene,
                  const std::vector<SegmentState>& states) {
  double gap = 0.0;
  const std::size_t n = scene.segments.size();
  for (std::size_t b = 0; b < states.size(); ++b) {
    const RagdollSegment& segment = scene.segments[b % n];
    if (segment.parent < 0) continue;
    const std::size_t p = static_cast<std::size_t>(segment.parent);
    const SegmentState& parent = states[b - b % n + p];
    gap = std::max(
        gap, (states[b].p + states[b].R * (segment.joint - segment.com) -
              parent.p - parent.R * (segment.joint - scene.segments[p].com))
                 .norm());
  }
  return gap;
}

double LargestExcess(const RagdollScene& scene,
                     const std::vector<SegmentState>& states) {
  double excess = 0.0;
  const std::size_t n = scene.segments.size();
  for (std::size_t b = 0; b < states.size(); ++b) {
    const RagdollSegment& segment = scene.segments[b % n];
    if (segment.parent < 0) continue;
    const std::size_t p = b - b % n + static_cast<std::size_t>(segment.parent);
    const Matrix3 R = states[p].R.transpose() * states[b].R;
    const Vector3 angles(std::atan2(-R(1, 2), R(2, 2)),
                         std::asin(std::clamp(R(0, 2), -1.0, 1.0)),
                         std::atan2(-R(0, 1), R(0, 0)));
    excess = std::max({excess, (segment.lower - angles).maxCoeff(),
                       (angles - segment.upper).maxCoeff()});
  }
  return excess;
}

double Depth(const RagdollSegment& segment, const SegmentState& state) {
  const double reach =
      segment.box
          ? state.R.row(2).cwiseAbs().dot(segment.half_extents.transpose())
          : segment.radius +
                segment.half_length * std::abs(state.R(2, segment.axis));
  return reach - state.p.z();
}

// A segment that was in the ground a step before has had its impact.
double Penetration(const RagdollScene& scene,
                   const std::vector<SegmentState>& states,
                   std::vector<char>& touched) {
  double depth = 0.0;
  for (std::size_t b = 0; b < states.size(); ++b) {
    const double own =
        Depth(scene.segments[b % scene.segments.size()], states[b]);
    if (touched[b]) depth = std::max(depth, own);
    touched[b] = own > 0.0;
  }
  return depth;
}

Measure Play(const RagdollScene& scene, FallEngine& engine, int steps,
             bool measure, double budget) {
  using Clock = std::chrono::steady_clock;
  Measure result;
  const std::size_t n = scene.segments.size();
  std::vector<SegmentState> states(n * scene.figures.size());
  std::vector<char> touched(states.size(), 0);
  double total = 0.0;
  for (int i = 0; i < steps; ++i) {
    const Clock::time_point start = Clock::now();
    engine.Step();
    const double us =
        std::chrono::duration<double, std::micro>(Clock::now() - start).count();
    total += us;
    result.largest_us = std::max(result.largest_us, us);
    ++result.steps;
    if (!measure) continue;
    engine.Read(states);
    result.diverged =
        std::any_of(states.begin(), states.end(), [](const SegmentState& s) {
          return !s.p.allFinite() || !(s.v.norm() < 1e4);
        });
    if (result.diverged) break;
    result.gap = std::max(result.gap, LargestGap(scene, states));
    result.excess = std::max(result.excess, LargestExcess(scene, states));
    result.penetration =
        std::max(result.penetration, Penetration(scene, states, touched));
    if (total > budget * 1e6 && result.steps >= 10) break;
  }
  if (measure) {
    double sum = 0.0, mass = 0.0;
    for (std::size_t b = 0; b < states.size(); ++b) {
      sum += scene.segments[b % n].mass * states[b].v.squaredNorm();
      mass += scene.segments[b % n].mass;
    }
    result.rest_speed = std::sqrt(sum / mass);
  }
  result.mean_us = total / result.steps;
  return result;
}

void Report(const RagdollScene& scene, const FallContender& contender,
            const std::vector<Measure>& runs, int full_steps) {
  std::vector<double> means, peaks;
  for (const Measure& run : runs) {
    means.push_back(run.mean_us);
    peaks.push_back(run.largest_us);
  }
  std::sort(means.begin(), means.end());
  std::sort(peaks.begin(), peaks.end());
  const Measure& first = runs.front();
  nlohmann::json line = {
      {"engine", contender.name},
      {"remark", contender.remark},
      {"scene", scene.name},
      {"bodies", scene.segments.size() * scene.figures.size()},
      {"step_s", scene.step},
      {"steps", first.steps},
      {"full_steps", full_steps},
      {"repeats", runs.size()},
      {"us_per_step_median", means[means.size() / 2]},
      {"us_per_step_min", means.front()},
      {"us_largest_step", peaks[peaks.size() / 2]},
      {"diverged", first.diverged},
  };
  if (!first.diverged) {
    line["largest_gap_m"] = first.gap;
    line["penetration_m"] = first.penetration;
    line["limit_excess_deg"] = first.excess * 180.0 / kPi;
    line["rest_speed_m_s"] = first.rest_speed;
  }
  std::printf("%s\n", line.dump().c_str());
  std::fflush(stdout);
}

}  // namespace

Transform StartOf(const RagdollScene& scene, std::size_t figure,
                  std::size_t segment) {
  const Transform& X_WF = scene.figures[figure];
  return {X_WF.R, X_WF * scene.segments[segment].com};
}

Vector3 JointOf(const RagdollScene& scene, std::size_t figure,
                std::size_t segment) {
  return scene.figures[figure] * scene.segments[segment].joint;
}

int RunFalls(int argc, char** argv,
             const std::vector<FallContender>& contenders) {
  const Options options = ParseOptions(argc, argv);
  for (const RagdollScene& scene :
       {scenes::RagdollDrop(), scenes::RagdollsOnStairs()}) {
    if (scene.name.find(options.filter) == std::string::npos) continue;
    const int full_steps =
        static_cast<int>(std::lround(scene.length / scene.step));
    for (const FallContender& contender : contenders) {
      std::vector<Measure> runs;
      int steps = full_steps;
      for (int r = 0; r < options.repeats; ++r) {
        const std::unique_ptr<FallEngine> engine = contender.make(scene);
        runs.push_back(Play(scene, *engine, steps, r == 0, options.budget));
        steps = runs.back().steps;
        if (runs.back().diverged) break;
      }
      if (!runs.empty()) Report(scene, contender, runs, full_steps);
    }
  }
  return 0;
}

}  // namespace limber::bench
