// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "bench/peers/engine.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>

namespace limber::bench {

namespace {

using scenes::Drive;
using scenes::PeerScene;
using scenes::Root;
using scenes::Segment;

Vector3 JointPoint(const PeerScene& scene, std::size_t i,
                   const std::vector<SegmentState>& states, bool on_child) {
  const Segment& segment = scene.segments[i];
  if (on_child)
    return states[i].p + states[i].R * (segment.joint - segment.com);
  if (segment.parent < 0) return segment.joint;
  const std::size_t p = static_cast<std::size_t>(segment.parent);
  return states[p].p + states[p].R * (segment.joint - scene.segments[p].com);
}

double LargestGap(const PeerScene& scene,
                  const std::vector<SegmentState>& states) {
  double gap = 0.0;
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (scene.segments[i].parent < 0 && scene.root != Root::kBall) continue;
    gap = std::max(gap, (JointPoint(scene, i, states, true) -
                         JointPoint(scene, i, states, false))
                            .norm());
  }
  return gap;
}

double Energy(const PeerScene& scene, const std::vector<SegmentState>& states) {
  double energy = 0.0;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const Segment& segment = scene.segments[i];
    const Vector3 w = states[i].R.transpose() * states[i].w;
    energy += 0.5 * segment.mass * states[i].v.squaredNorm() +
              0.5 * w.dot(segment.inertia.cwiseProduct(w)) +
              segment.mass * kGravity * states[i].p.z();
  }
  return energy;
}

bool Diverged(const std::vector<SegmentState>& states) {
  return std::any_of(states.begin(), states.end(), [](const SegmentState& s) {
    return !s.p.allFinite() || !(s.p.norm() < 1e6) || !(s.v.norm() < 1e4);
  });
}

std::vector<JointTarget> JointTargets(const PeerScene& scene, double time) {
  constexpr double kDifference = 1e-4;
  std::vector<JointTarget> targets(scene.segments.size());
  for (std::size_t s = 0; s < targets.size(); ++s) {
    const int n = static_cast<int>(s);
    const Vector3 before = scenes::TrackingAngles(n, time - kDifference);
    const Vector3 now = scenes::TrackingAngles(n, time);
    const Vector3 after = scenes::TrackingAngles(n, time + kDifference);
    JointTarget& target = targets[s];
    target.angles = now;
    target.rates = (after - before) / (2.0 * kDifference);
    target.accelerations =
        (after - 2.0 * now + before) / (kDifference * kDifference);
    const Quaternion Rx(Eigen::AngleAxisd(now.x(), Vector3::UnitX()));
    const Quaternion Ry(Eigen::AngleAxisd(now.y(), Vector3::UnitY()));
    const Quaternion Rz(Eigen::AngleAxisd(now.z(), Vector3::UnitZ()));
    target.R = Rx * Ry * Rz;
    target.w_P = Vector3::UnitX() * target.rates.x() +
                 (Rx * Vector3::UnitY()) * target.rates.y() +
                 (Rx * Ry * Vector3::UnitZ()) * target.rates.z();
  }
  return targets;
}

// Targets of every step, made before the clock starts.
class TargetTable {
 public:
  TargetTable(const PeerScene& scene, int steps) {
    const bool tracks = scene.drive == Drive::kTrack;
    for (int i = 1; i <= steps; ++i) {
      const double time = i * scene.step;
      joints_.push_back(tracks ? JointTargets(scene, time)
                               : std::vector<JointTarget>());
      markers_.push_back(scenes::MarkerTargets(scene, time));
    }
  }
  StepTargets OfStep(int i) const {
    return {joints_[static_cast<std::size_t>(i)],
            markers_[static_cast<std::size_t>(i)]};
  }

 private:
  std::vector<std::vector<JointTarget>> joints_;
  std::vector<std::vector<Vector3>> markers_;
};

// Errors gathered over a run: their root mean square and the largest.
class ErrorSum {
 public:
  void Add(double error) {
    square_sum_ += error * error;
    largest_ = std::max(largest_, error);
    ++count_;
  }
  double rms() const {
    return std::sqrt(square_sum_ / static_cast<double>(count_));
  }
  double largest() const { return largest_; }
  bool empty() const { return count_ == 0; }

 private:
  double square_sum_ = 0.0;
  double largest_ = 0.0;
  long count_ = 0;
};

void AddJointErrors(const PeerScene& scene,
                    const std::vector<SegmentState>& states,
                    std::span<const JointTarget> targets, ErrorSum& sum) {
  for (std::size_t s = 0; s < targets.size(); ++s) {
    if (scene.segments[s].parent < 0) continue;
    const std::size_t p = static_cast<std::size_t>(scene.segments[s].parent);
    const Quaternion R(Matrix3(states[p].R.transpose() * states[s].R));
    sum.Add(AngleBetween(R, targets[s].R));
  }
}

void AddMarkerErrors(const PeerScene& scene,
                     const std::vector<SegmentState>& states,
                     std::span<const Vector3> targets, ErrorSum& sum) {
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const scenes::Marker& marker = scene.markers[i];
    const SegmentState& state =
        states[static_cast<std::size_t>(marker.segment)];
    sum.Add((state.p + state.R * marker.p_SA - targets[i]).norm());
  }
}

// What one run of a scene showed.
struct Measure {
  int steps = 0;
  double mean_us = 0.0;
  double largest_us = 0.0;
  double gap = 0.0;
  double energy_drift = 0.0;
  ErrorSum angles;   // [rad]
  ErrorSum markers;  // [m]
  Vector3 tip = Vector3::Constant(std::numeric_limits<double>::quiet_NaN());
  bool diverged = false;
};

Measure Play(const PeerScene& scene, Engine& engine, const TargetTable& targets,
             int steps, bool measure, double budget) {
  using Clock = std::chrono::steady_clock;
  Measure result;
  std::vector<SegmentState> states(scene.segments.size());
  engine.ReadForEnergy(states);
  const double E0 = Energy(scene, states);
  double total = 0.0;
  for (int i = 0; i < steps; ++i) {
    const StepTargets now = targets.OfStep(i);
    const Clock::time_point start = Clock::now();
    engine.Step(now);
    const double us =
        std::chrono::duration<double, std::micro>(Clock::now() - start).count();
    total += us;
    result.largest_us = std::max(result.largest_us, us);
    ++result.steps;
    if (!measure) continue;
    const double time = (i + 1) * scene.step;
    const bool one_second = std::abs(time - 1.0) < 0.5 * scene.step;
    const int every = scene.segments.size() > 100 ? 8 : 1;
    if (i % every == 0 || i + 1 == steps || one_second) {
      engine.Read(states);
      if (Diverged(states)) {
        result.diverged = true;
        break;
      }
      result.gap = std::max(result.gap, LargestGap(scene, states));
      if (one_second) result.tip = states.back().p;
      if (time >= 1.0) {
        AddJointErrors(scene, states, now.joints, result.angles);
        AddMarkerErrors(scene, states, now.markers, result.markers);
      }
    }
    if (total > budget * 1e6 && result.steps >= 10) break;
  }
  if (measure && !result.diverged) {
    engine.ReadForEnergy(states);
    result.energy_drift =
        (Energy(scene, states) - E0) / scenes::EnergyScale(scene);
  }
  result.mean_us = total / result.steps;
  return result;
}

void Report(const PeerScene& scene, const Contender& contender,
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
      {"bodies", scene.segments.size()},
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
    if (!first.angles.empty()) {
      line["angle_rms_rad"] = first.angles.rms();
      line["angle_max_rad"] = first.angles.largest();
    }
    if (!first.markers.empty()) {
      line["marker_rms_mm"] = 1e3 * first.markers.rms();
      line["marker_max_mm"] = 1e3 * first.markers.largest();
    }
    if (scene.drive != Drive::kTrack && scene.markers.empty()) {
      line["energy_drift"] = first.energy_drift;
      const Vector3 tip = scenes::ReferenceTip(scene);
      const double error = (first.tip - tip).norm();
      if (std::isfinite(error)) line["tip_error_m"] = error;
    }
  }
  std::printf("%s\n", line.dump().c_str());
  std::fflush(stdout);
}

}  // namespace

Options ParseOptions(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--repeats" && i + 1 < argc) {
      options.repeats = std::atoi(argv[++i]);
    } else if (word == "--budget" && i + 1 < argc) {
      options.budget = std::atof(argv[++i]);
    } else {
      options.filter = word;
    }
  }
  return options;
}

int RunContenders(int argc, char** argv,
                  const std::vector<Contender>& contenders) {
  const Options options = ParseOptions(argc, argv);
  for (const PeerScene& scene : scenes::AllPeerScenes()) {
    if (scene.name.find(options.filter) == std::string::npos) continue;
    const int full_steps =
        static_cast<int>(std::lround(scene.length / scene.step));
    const TargetTable targets(scene, full_steps);
    for (const Contender& contender : contenders) {
      if (!contender.plays(scene)) continue;
      std::vector<Measure> runs;
      int steps = full_steps;
      for (int r = 0; r < options.repeats; ++r) {
        const std::unique_ptr<Engine> engine = contender.make(scene);
        if (!engine) break;
        runs.push_back(
            Play(scene, *engine, targets, steps, r == 0, options.budget));
        steps = runs.back().steps;
        if (runs.back().diverged) break;
      }
      if (!runs.empty()) Report(scene, contender, runs, full_steps);
    }
  }
  return 0;
}

}  // namespace limber::bench
