// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/ode.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "dynamics/internal/check.h"

namespace limber::dynamics {
namespace {

using internal::CheckPositive;
using internal::ThrowBadValue;

// A frame is cut into whole steps even when its length in floating point is a
// hair above the multiple.
constexpr double kStepSlack = 1e-9;

// Shared by the one-step methods of constant step.
class FixedStepSolver : public OdeSolver {
 public:
  void Restart() override {}

 protected:
  using OdeSolver::OdeSolver;

  // y += the method's step from t over h.
  virtual void Step(OdeProblem& problem, double t, double h, VectorX& y,
                    OdeReport& report) = 0;

  void DoAdvance(OdeProblem& problem, double t0, double t1, VectorX& y,
                 OdeReport& report) override {
    const double wanted = (t1 - t0) / settings().step;
    const int num_steps =
        std::max(1, static_cast<int>(std::ceil(wanted * (1.0 - kStepSlack))));
    const double h = (t1 - t0) / num_steps;
    for (int i = 0; i < num_steps; ++i) {
      const double t = t0 + i * h;
      Step(problem, t, h, y, report);
      const double t_next = i + 1 == num_steps ? t1 : t0 + (i + 1) * h;
      FinishStep(problem, t, t_next, y, report);
      if (!y.allFinite()) {
        report.status = OdeStatus::kNotFinite;
        return;
      }
    }
  }
};

// y+ = y + h f_led(t, y), led by h/2.
class Euler : public FixedStepSolver {
 public:
  using FixedStepSolver::FixedStepSolver;
  OdeMethod method() const override { return OdeMethod::kEuler; }
  std::unique_ptr<OdeSolver> Clone() const override {
    return std::make_unique<Euler>(*this);
  }

 protected:
  void Resize(int n) override { k_.resize(n); }
  void Step(OdeProblem& problem, double t, double h, VectorX& y,
            OdeReport& report) override {
    problem.EvaluateLed(t, y, settings().lead ? h / 2.0 : 0.0, k_);
    y += h * k_;
    ++report.num_evaluations;
  }

 private:
  VectorX k_;
};

// Two Euler steps of h/2, each led by half of its own length.
class DoubleEuler : public Euler {
 public:
  using Euler::Euler;
  OdeMethod method() const override { return OdeMethod::kDoubleEuler; }
  std::unique_ptr<OdeSolver> Clone() const override {
    return std::make_unique<DoubleEuler>(*this);
  }

 protected:
  void Step(OdeProblem& problem, double t, double h, VectorX& y,
            OdeReport& report) override {
    Euler::Step(problem, t, h / 2.0, y, report);
    Euler::Step(problem, t + h / 2.0, h / 2.0, y, report);
  }
};

// y+ = y + h k2,  k2 = f(t + h/2, y + h/2 k1).
class Midpoint : public FixedStepSolver {
 public:
  using FixedStepSolver::FixedStepSolver;
  OdeMethod method() const override { return OdeMethod::kMidpoint; }
  std::unique_ptr<OdeSolver> Clone() const override {
    return std::make_unique<Midpoint>(*this);
  }

 protected:
  void Resize(int n) override {
    k_.resize(n);
    y_stage_.resize(n);
  }
  void Step(OdeProblem& problem, double t, double h, VectorX& y,
            OdeReport& report) override {
    problem.Evaluate(t, y, k_);
    y_stage_ = y + h / 2.0 * k_;
    problem.Evaluate(t + h / 2.0, y_stage_, k_);
    y += h * k_;
    report.num_evaluations += 2;
  }

 private:
  VectorX k_;
  VectorX y_stage_;
};

// y+ = y + h/2 (k1 + k2),  k2 = f(t + h, y + h k1).
class Heun : public FixedStepSolver {
 public:
  using FixedStepSolver::FixedStepSolver;
  OdeMethod method() const override { return OdeMethod::kHeun; }
  std::unique_ptr<OdeSolver> Clone() const override {
    return std::make_unique<Heun>(*this);
  }

 protected:
  void Resize(int n) override {
    k1_.resize(n);
    k2_.resize(n);
    y_stage_.resize(n);
  }
  void Step(OdeProblem& problem, double t, double h, VectorX& y,
            OdeReport& report) override {
    problem.Evaluate(t, y, k1_);
    y_stage_ = y + h * k1_;
    problem.Evaluate(t + h, y_stage_, k2_);
    y += h / 2.0 * (k1_ + k2_);
    report.num_evaluations += 2;
  }

 private:
  VectorX k1_;
  VectorX k2_;
  VectorX y_stage_;
};

// y+ = y + h/6 (k1 + 2 k2 + 2 k3 + k4).
class RungeKutta4 : public FixedStepSolver {
 public:
  using FixedStepSolver::FixedStepSolver;
  OdeMethod method() const override { return OdeMethod::kRungeKutta4; }
  std::unique_ptr<OdeSolver> Clone() const override {
    return std::make_unique<RungeKutta4>(*this);
  }

 protected:
  void Resize(int n) override {
    for (VectorX& k : k_) k.resize(n);
    y_stage_.resize(n);
  }
  void Step(OdeProblem& problem, double t, double h, VectorX& y,
            OdeReport& report) override {
    problem.Evaluate(t, y, k_[0]);
    y_stage_ = y + h / 2.0 * k_[0];
    problem.Evaluate(t + h / 2.0, y_stage_, k_[1]);
    y_stage_ = y + h / 2.0 * k_[1];
    problem.Evaluate(t + h / 2.0, y_stage_, k_[2]);
    y_stage_ = y + h * k_[2];
    problem.Evaluate(t + h, y_stage_, k_[3]);
    y += h / 6.0 * (k_[0] + 2.0 * (k_[1] + k_[2]) + k_[3]);
    report.num_evaluations += 4;
  }

 private:
  std::array<VectorX, 4> k_;
  VectorX y_stage_;
};

// y+ = y + h ((1 + r/2) f_n - r/2 f_(n-1)),  r = h / h_(n-1); with equal steps
// h/2 (3 f_n - f_(n-1)). The first step is Heun's.
class AdamsBashforth2 : public FixedStepSolver {
 public:
  using FixedStepSolver::FixedStepSolver;
  OdeMethod method() const override { return OdeMethod::kAdamsBashforth2; }
  std::unique_ptr<OdeSolver> Clone() const override {
    return std::make_unique<AdamsBashforth2>(*this);
  }
  void Restart() override { h_last_ = 0.0; }

 protected:
  void Resize(int n) override {
    if (f_.size() != n) Restart();
    f_.resize(n);
    f_last_.resize(n);
    y_stage_.resize(n);
  }
  void Step(OdeProblem& problem, double t, double h, VectorX& y,
            OdeReport& report) override {
    problem.Evaluate(t, y, f_);
    ++report.num_evaluations;
    // Steps that do not join the last one in time start afresh.
    const bool joins = h_last_ > 0.0 && std::abs(t - t_end_) < 1e-6 * h;
    if (joins) {
      const double r = h / h_last_;
      y += h * ((1.0 + r / 2.0) * f_ - r / 2.0 * f_last_);
    } else {
      y_stage_ = y + h * f_;
      problem.Evaluate(t + h, y_stage_, f_last_);
      ++report.num_evaluations;
      y += h / 2.0 * (f_ + f_last_);
    }
    f_last_.swap(f_);
    h_last_ = h;
    t_end_ = t + h;
  }

 private:
  VectorX f_;
  VectorX f_last_;
  VectorX y_stage_;
  double h_last_ = 0.0;  // 0 = no derivative remembered
  double t_end_ = 0.0;
};

// [Dormand & Prince 1980], table of RK5(4)7M.
constexpr int kNumStages = 7;
constexpr double kC[kNumStages] = {0.0,       1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0,
                                   8.0 / 9.0, 1.0,       1.0};
constexpr double kA[kNumStages][kNumStages - 1] = {
    {},
    {1.0 / 5.0},
    {3.0 / 40.0, 9.0 / 40.0},
    {44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0},
    {19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0},
    {9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0,
     -5103.0 / 18656.0},
    {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0,
     11.0 / 84.0}};
// Order 5 minus order 4; the order-5 weights are the last row of A.
constexpr double kE[kNumStages] = {
    71.0 / 57600.0,      0.0,          -71.0 / 16695.0, 71.0 / 1920.0,
    -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0};

class DormandPrince : public OdeSolver {
 public:
  explicit DormandPrince(const OdeSettings& settings) : OdeSolver(settings) {
    Restart();
  }
  OdeMethod method() const override { return OdeMethod::kDormandPrince; }
  std::unique_ptr<OdeSolver> Clone() const override {
    return std::make_unique<DormandPrince>(*this);
  }
  void Restart() override { h_next_ = settings().step; }

 protected:
  void Resize(int n) override {
    for (VectorX& k : k_) k.resize(n);
    y_new_.resize(n);
    error_.resize(n);
  }

  void DoAdvance(OdeProblem& problem, double t0, double t1, VectorX& y,
                 OdeReport& report) override {
    // The error of a step is phi h^5, so h (1/error)^(1/5) meets the
    // tolerance; aim a little below it and change h by a factor of at most 5.
    // After two accepted steps the trend of phi is carried on: phi changes by
    // (error/error_last) (h_last/h)^5 per step [Gustafsson 1994].
    constexpr double kSafety = 0.95;
    constexpr double kShrink = 0.2;
    constexpr double kGrow = 5.0;
    double t = t0;
    bool first_stage_known = false;
    double h_last = 0.0;  // 0 = no accepted step just before this one
    double error_last = 0.0;
    while (t < t1) {
      if (report.num_steps + report.num_rejected >= settings().max_trials) {
        report.status = OdeStatus::kTooManySteps;
        break;
      }
      // Two steps are left: make them equal rather than end on a splinter.
      const double left = t1 - t;
      const bool last = left <= h_next_ * (1.0 + kStepSlack);
      const double h =
          last ? left : (left < 2.0 * h_next_ ? left / 2.0 : h_next_);
      const double error = TryStep(problem, t, h, y, first_stage_known, report);
      first_stage_known = true;
      if (!(error <= 1.0)) {
        ++report.num_rejected;
        h_last = 0.0;
        const double shrink =
            std::isfinite(error) ? kSafety * std::pow(error, -0.2) : kShrink;
        h_next_ = h * std::clamp(shrink, kShrink, kSafety);
        if (h_next_ < settings().min_step) {
          report.status = std::isfinite(error) ? OdeStatus::kStepTooSmall
                                               : OdeStatus::kNotFinite;
          h_next_ = settings().step;
          break;
        }
        continue;
      }
      const double t_next = last ? t1 : t + h;
      y = y_new_;
      const bool changed = FinishStep(problem, t, t_next, y, report);
      t = t_next;
      report.largest_error = std::max(report.largest_error, error);
      // The last stage was taken at the order-5 result: it is the first stage
      // of the next step unless that starts elsewhere.
      first_stage_known = settings().local_extrapolation && !changed;
      if (first_stage_known) k_[0].swap(k_[kNumStages - 1]);
      double grow = error > 0.0 ? kSafety * std::pow(error, -0.2) : kGrow;
      if (h_last > 0.0 && error > 0.0 && error_last > 0.0) {
        grow *= h / h_last * std::pow(error_last / error, 0.2);
      }
      h_last = h;
      error_last = error;
      const double proposed = h * std::clamp(grow, kShrink, kGrow);
      // A step cut short at t1 says little: it may only lengthen the next one.
      h_next_ = h < h_next_ ? std::max(h_next_, proposed) : proposed;
    }
    report.t = t;
  }

 private:
  // Fills y_new_ and returns the largest error over its tolerance; NaN or
  // infinite when something is not finite.
  double TryStep(OdeProblem& problem, double t, double h, const VectorX& y,
                 bool first_stage_known, OdeReport& report) {
    if (!first_stage_known) {
      problem.Evaluate(t, y, k_[0]);
      ++report.num_evaluations;
    }
    for (int i = 1; i < kNumStages; ++i) {
      y_new_ = y;
      for (int j = 0; j < i; ++j) {
        if (kA[i][j] != 0.0) y_new_ += h * kA[i][j] * k_[j];
      }
      problem.Evaluate(t + kC[i] * h, y_new_, k_[i]);
      ++report.num_evaluations;
    }
    error_.setZero();
    for (int i = 0; i < kNumStages; ++i) {
      if (kE[i] != 0.0) error_ += h * kE[i] * k_[i];
    }
    if (!error_.allFinite() || !y_new_.allFinite()) {
      return std::numeric_limits<double>::infinity();
    }
    if (!settings().local_extrapolation) y_new_ -= error_;
    double worst = 0.0;
    for (Eigen::Index i = 0; i < y.size(); ++i) {
      const double size = std::max(std::abs(y[i]), std::abs(y_new_[i]));
      const double allowed =
          settings().absolute_tolerance + settings().relative_tolerance * size;
      // An entry that stays exactly zero needs no absolute tolerance.
      if (error_[i] != 0.0) {
        worst = std::max(worst, std::abs(error_[i]) / allowed);
      }
    }
    return worst;
  }

  std::array<VectorX, kNumStages> k_;
  VectorX y_new_;
  VectorX error_;
  double h_next_ = 0.0;
};

}  // namespace

std::string_view NameOf(OdeMethod method) {
  switch (method) {
    case OdeMethod::kEuler:
      return "euler";
    case OdeMethod::kDoubleEuler:
      return "double-euler";
    case OdeMethod::kMidpoint:
      return "midpoint";
    case OdeMethod::kHeun:
      return "heun";
    case OdeMethod::kRungeKutta4:
      return "runge-kutta-4";
    case OdeMethod::kDormandPrince:
      return "dormand-prince";
    case OdeMethod::kAdamsBashforth2:
      return "adams-bashforth-2";
  }
  return "";
}

int OdeSolver::order() const {
  switch (method()) {
    case OdeMethod::kEuler:
    case OdeMethod::kDoubleEuler:
      return 1;
    case OdeMethod::kMidpoint:
    case OdeMethod::kHeun:
    case OdeMethod::kAdamsBashforth2:
      return 2;
    case OdeMethod::kRungeKutta4:
      return 4;
    case OdeMethod::kDormandPrince:
      return settings_.local_extrapolation ? 5 : 4;
  }
  return 0;
}

double OdeSolver::average_sample_time() const {
  switch (method()) {
    case OdeMethod::kEuler:
      return 0.0;
    case OdeMethod::kDoubleEuler:
      return 0.25;
    default:
      return 0.5;
  }
}

OdeReport OdeSolver::Advance(OdeProblem& problem, double t0, double t1,
                             VectorX& y) {
  if (!std::isfinite(t0)) ThrowBadValue("t0", "finite", t0);
  if (!(t1 >= t0) || !std::isfinite(t1)) {
    ThrowBadValue("t1", "finite and at least t0 = " + internal::ToText(t0), t1);
  }
  if (y.size() != problem.num_states()) {
    ThrowBadValue(
        "y",
        std::to_string(problem.num_states()) + " long like the problem's state",
        std::to_string(y.size()));
  }
  OdeReport report;
  report.t = t0;
  if (t1 == t0) return report;
  Resize(problem.num_states());
  DoAdvance(problem, t0, t1, y, report);
  return report;
}

bool OdeSolver::FinishStep(OdeProblem& problem, double t0, double t1,
                           VectorX& y, OdeReport& report) {
  const bool changed = problem.Project(t1, y);
  ++report.num_steps;
  report.t = t1;
  if (observer_) observer_(t0, t1, y);
  return changed;
}

std::unique_ptr<OdeSolver> MakeOdeSolver(OdeMethod method,
                                         const OdeSettings& settings) {
  CheckPositive("step", settings.step);
  CheckPositive("min_step", settings.min_step);
  if (settings.max_trials < 1) {
    ThrowBadValue("max_trials", "at least 1",
                  std::to_string(settings.max_trials));
  }
  if (settings.absolute_tolerance != 0.0 ||
      settings.relative_tolerance == 0.0) {
    CheckPositive("absolute_tolerance", settings.absolute_tolerance);
  }
  if (settings.relative_tolerance != 0.0) {
    CheckPositive("relative_tolerance", settings.relative_tolerance);
  }
  switch (method) {
    case OdeMethod::kEuler:
      return std::make_unique<Euler>(settings);
    case OdeMethod::kDoubleEuler:
      return std::make_unique<DoubleEuler>(settings);
    case OdeMethod::kMidpoint:
      return std::make_unique<Midpoint>(settings);
    case OdeMethod::kHeun:
      return std::make_unique<Heun>(settings);
    case OdeMethod::kRungeKutta4:
      return std::make_unique<RungeKutta4>(settings);
    case OdeMethod::kDormandPrince:
      return std::make_unique<DormandPrince>(settings);
    case OdeMethod::kAdamsBashforth2:
      return std::make_unique<AdamsBashforth2>(settings);
  }
  ThrowBadValue("method", "one of OdeMethod",
                std::to_string(static_cast<int>(method)));
}

}  // namespace limber::dynamics
