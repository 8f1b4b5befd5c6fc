// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/controllers/controller.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "dynamics/internal/arguments.h"

namespace limber::dynamics {
namespace {

std::vector<PidController::Stage> OneStage(std::unique_ptr<Sensor> sensor,
                                           const PidGains& gains) {
  std::vector<PidController::Stage> stages;
  stages.push_back({std::move(sensor), Pid(gains)});
  return stages;
}

}  // namespace

OpenLoopController::OpenLoopController(Reference signal,
                                       std::unique_ptr<Actuator> actuator)
    : signal_(std::move(signal)), actuator_(std::move(actuator)) {
  if (!signal_ || !actuator_) {
    throw std::invalid_argument(
        "OpenLoopController: needs a signal and an actuator");
  }
}

void OpenLoopController::AddForces(BodyMotions bodies, double time,
                                   double /*h*/, ForceBuffer& forces) {
  actuator_->Apply(signal_(time), bodies, forces);
}

void OpenLoopController::SaveMemory(std::vector<double>& memory) const {
  actuator_->SaveMemory(memory);
}

std::span<const double> OpenLoopController::RestoreMemory(
    std::span<const double> memory) {
  return actuator_->RestoreMemory(memory);
}

PidController::PidController(Reference reference,
                             std::unique_ptr<Sensor> sensor,
                             const PidGains& gains,
                             std::unique_ptr<Actuator> actuator)
    : PidController(std::move(reference), OneStage(std::move(sensor), gains),
                    std::move(actuator)) {}

PidController::PidController(Reference reference, std::vector<Stage> stages,
                             std::unique_ptr<Actuator> actuator)
    : reference_(std::move(reference)),
      stages_(std::move(stages)),
      actuator_(std::move(actuator)),
      errors_(stages_.size(), 0.0) {
  if (!reference_ || !actuator_ || stages_.empty()) {
    throw std::invalid_argument(
        "PidController: needs a reference, a stage and an actuator");
  }
  for (const Stage& stage : stages_) {
    if (!stage.sensor) {
      throw std::invalid_argument("PidController: a stage has no sensor");
    }
    RequireNotNegative(stage.output_limit, "PidController: output_limit");
  }
}

void PidController::set_reference(Reference reference) {
  if (!reference) {
    throw std::invalid_argument("PidController: reference is empty");
  }
  reference_ = std::move(reference);
}

void PidController::set_reference(double value) {
  reference_ = [value](double) { return value; };
}

void PidController::AddForces(BodyMotions bodies, double time, double h,
                              ForceBuffer& forces) {
  double wanted = reference_(time);
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    Stage& stage = stages_[i];
    errors_[i] = wanted - stage.sensor->Sense(bodies);
    wanted = std::clamp(stage.pid.Update(errors_[i], h), -stage.output_limit,
                        stage.output_limit);
  }
  actuator_->Apply(wanted, bodies, forces);
}

void PidController::SaveMemory(std::vector<double>& memory) const {
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    stages_[i].sensor->SaveMemory(memory);
    stages_[i].pid.SaveMemory(memory);
    memory.push_back(errors_[i]);
  }
  actuator_->SaveMemory(memory);
}

std::span<const double> PidController::RestoreMemory(
    std::span<const double> memory) {
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    memory = stages_[i].sensor->RestoreMemory(memory);
    memory = stages_[i].pid.RestoreMemory(memory);
    errors_[i] = memory[0];
    memory = memory.subspan(1);
  }
  return actuator_->RestoreMemory(memory);
}

}  // namespace limber::dynamics
