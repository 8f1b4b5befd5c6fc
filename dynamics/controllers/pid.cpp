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

}  // namespace limber::dynamics
