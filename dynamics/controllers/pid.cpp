// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/controllers/pid.h"

namespace limber::dynamics {

double Pid::Update(double error, double h) {
  if (h > 0.0) {
    rate_ = 0.0;
    if (last_error_) {
      const double d = (error - *last_error_) / h;
      rate_ = last_difference_ ? d + 0.5 * (d - *last_difference_) : d;
      last_difference_ = d;
    }
    last_error_ = error;
    integral_ += h * error;
  }
  const double mean =
      gains_.predict_half_step ? error + 0.5 * h * rate_ : error;
  return gains_.proportional * mean + gains_.integral * integral_ +
         gains_.derivative * rate_;
}

void Pid::Reset() {
  last_error_.reset();
  last_difference_.reset();
  integral_ = 0.0;
  rate_ = 0.0;
}

void Pid::SaveMemory(std::vector<double>& memory) const {
  for (const std::optional<double>* value : {&last_error_, &last_difference_}) {
    memory.push_back(value->has_value() ? 1.0 : 0.0);
    memory.push_back(value->value_or(0.0));
  }
  memory.push_back(integral_);
  memory.push_back(rate_);
}

std::span<const double> Pid::RestoreMemory(std::span<const double> memory) {
  Reset();
  if (memory[0] != 0.0) last_error_ = memory[1];
  if (memory[2] != 0.0) last_difference_ = memory[3];
  integral_ = memory[4];
  rate_ = memory[5];
  return memory.subspan(6);
}

}  // namespace limber::dynamics
