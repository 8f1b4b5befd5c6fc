// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "dynamics/controllers/actuator.h"
#include "dynamics/controllers/pid.h"
#include "dynamics/controllers/sensor.h"
#include "dynamics/force.h"

namespace limber::dynamics {

/// A value to follow, as a function of time: a constant, a kinematic curve, a
/// recorded signal.
using Reference = std::function<double(double time)>;

/// Open loop: applies `signal` without looking.
class OpenLoopController : public Force {
 public:
  /// @throws std::invalid_argument if one is missing.
  OpenLoopController(Reference signal, std::unique_ptr<Actuator> actuator);
  Actuator& actuator() { return *actuator_; }
  void AddForces(BodyMotions bodies, double time, double h,
                 ForceBuffer& forces) override;
  void SaveMemory(std::vector<double>& memory) const override;
  std::span<const double> RestoreMemory(
      std::span<const double> memory) override;

 private:
  Reference signal_;
  std::unique_ptr<Actuator> actuator_;
};

/// Closed loop: one PID stage, or a cascade in which the output of a stage,
/// within the stage's limit, is the reference of the next one and that of the
/// last stage drives the actuator:
///
///     reference -> [sensor 0, PID 0] -> [sensor 1, PID 1] -> ... -> actuator
///
/// `set_enabled(false)` deactivates it: it then applies nothing, and goes on
/// from the state it had when enabled again.
class PidController : public Force {
 public:
  struct Stage {
    std::unique_ptr<Sensor> sensor;
    Pid pid;
    double output_limit = kInfinity;  ///< On |output|, zero or positive.
  };

  /// @throws std::invalid_argument if something is missing.
  PidController(Reference reference, std::unique_ptr<Sensor> sensor,
                const PidGains& gains, std::unique_ptr<Actuator> actuator);
  PidController(Reference reference, std::vector<Stage> stages,
                std::unique_ptr<Actuator> actuator);

  void set_reference(Reference reference);
  void set_reference(double value);
  int num_stages() const { return static_cast<int>(stages_.size()); }
  Pid& pid(int stage = 0) {
    return stages_[static_cast<std::size_t>(stage)].pid;
  }
  Actuator& actuator() { return *actuator_; }
  /// Error of a stage at the last step: reference - sensed.
  double error(int stage = 0) const {
    return errors_[static_cast<std::size_t>(stage)];
  }

  void AddForces(BodyMotions bodies, double time, double h,
                 ForceBuffer& forces) override;
  void SaveMemory(std::vector<double>& memory) const override;
  std::span<const double> RestoreMemory(
      std::span<const double> memory) override;

 private:
  Reference reference_;
  std::vector<Stage> stages_;
  std::unique_ptr<Actuator> actuator_;
  std::vector<double> errors_;
};

}  // namespace limber::dynamics
