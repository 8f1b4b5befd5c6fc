// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "core/math.h"

namespace limber::dynamics {

/// A system y' = f(t, y) for an OdeSolver.
class OdeProblem {
 public:
  virtual ~OdeProblem() = default;

  virtual int num_states() const = 0;

  /// Writes f(t, y) into `dydt`, which has num_states() entries.
  virtual void Evaluate(double t, const VectorX& y, VectorX& dydt) = 0;

  /// The derivative with positions led by the velocities [Barenbrug 2000,
  /// App. B]: q' = v + lead v' instead of q' = v, so that a force moves the
  /// positions within the same Euler step. Problems without a second-order
  /// part leave it alone.
  /// @param lead  [s]; h/2 from Euler, h/4 from double Euler, else never asked.
  virtual void EvaluateLed(double t, const VectorX& y, double lead,
                           VectorX& dydt) {
    static_cast<void>(lead);
    Evaluate(t, y, dydt);
  }

  /// Called with the state after each accepted step, to renormalise
  /// quaternions or to project onto constraints. Returns whether it changed y.
  virtual bool Project(double t, VectorX& y) {
    static_cast<void>(t);
    static_cast<void>(y);
    return false;
  }
};

enum class OdeMethod {
  kEuler,           ///< Order 1, asks for a lead of h/2.
  kDoubleEuler,     ///< Two Euler half steps, each with a lead of h/4; order 1.
  kMidpoint,        ///< Order 2.
  kHeun,            ///< Runge-Kutta 2, order 2.
  kRungeKutta4,     ///< The classic one, order 4.
  kDormandPrince,   ///< 5(4) with error control, order 5.
  kAdamsBashforth2  ///< Order 2, one evaluation a step; starts with Heun.
};

std::string_view NameOf(OdeMethod method);

struct OdeSettings {
  /// Largest step of the fixed methods; first trial of the adaptive one [s].
  double step = 1.0 / 240.0;
  /// Adaptive: a step is accepted when for every entry of y
  ///     |local error| <= absolute_tolerance + relative_tolerance |y| .
  double absolute_tolerance = 1e-9;
  double relative_tolerance = 1e-9;
  /// Adaptive: carry on with the order-5 result (its error lies below the
  /// estimate), or with the order-4 result, whose error is the estimate.
  bool local_extrapolation = true;
  double min_step = 1e-12;   ///< Adaptive: gives up below this [s].
  int max_trials = 1000000;  ///< Adaptive: gives up after so many per Advance.
  /// Whether Euler and double Euler ask for the lead (see EvaluateLed).
  bool lead = true;
};

enum class OdeStatus {
  kDone,
  kStepTooSmall,  ///< The tolerance could not be met; stopped at report.t.
  kTooManySteps,  ///< max_trials were used up; stopped at report.t.
  kNotFinite      ///< The derivative or the state is not finite there.
};

/// What one Advance did.
struct OdeReport {
  OdeStatus status = OdeStatus::kDone;
  double t = 0.0;            ///< Time of the state handed back [s].
  int num_steps = 0;         ///< Accepted.
  int num_rejected = 0;      ///< Tried again with a smaller step.
  int num_evaluations = 0;   ///< Of f.
  double largest_error = 0;  ///< Adaptive: of accepted steps, 1 = tolerance.
};

/// One method with its work space. Not shared between threads.
class OdeSolver {
 public:
  explicit OdeSolver(const OdeSettings& settings) : settings_(settings) {}
  virtual ~OdeSolver() = default;

  /// Carries y from t0 to t1 >= t0 and lands on t1 exactly. Fixed methods take
  /// the fewest equal steps not longer than settings().step (a step may be
  /// longer by one part in 1e9 to let a frame hold a whole number of steps).
  /// The solver remembers the adaptive step length, and for Adams-Bashforth
  /// the last derivative, between calls that join in time: call Restart when
  /// y or f was changed from outside. No allocation once y has been seen with
  /// its size.
  /// @throws std::invalid_argument if t1 < t0 or y has another size than the
  ///         problem.
  OdeReport Advance(OdeProblem& problem, double t0, double t1, VectorX& y);

  /// Forgets what was remembered from earlier calls.
  virtual void Restart() = 0;
  /// A solver that would go on exactly as this one.
  virtual std::unique_ptr<OdeSolver> Clone() const = 0;

  virtual OdeMethod method() const = 0;
  int order() const;
  /// f such that the method samples forces on average at t + f h: 0 Euler,
  /// 1/4 double Euler, 1/2 the others.
  double average_sample_time() const;

  const OdeSettings& settings() const { return settings_; }

  /// Called after each accepted step with its start and its end; may be empty.
  using StepObserver =
      std::function<void(double t0, double t1, const VectorX& y1)>;
  void set_step_observer(StepObserver observer) {
    observer_ = std::move(observer);
  }

 protected:
  /// Sizes the work space; called before every Advance, cheap when unchanged.
  virtual void Resize(int num_states) = 0;
  /// Advances y to t1, fills `report`; t1 > t0, sizes checked.
  virtual void DoAdvance(OdeProblem& problem, double t0, double t1, VectorX& y,
                         OdeReport& report) = 0;
  /// Project, observer and count after an accepted step. Returns whether
  /// Project changed y.
  bool FinishStep(OdeProblem& problem, double t0, double t1, VectorX& y,
                  OdeReport& report);

 private:
  OdeSettings settings_;
  StepObserver observer_;
};

/// @throws std::invalid_argument naming the field and value of a setting that
///         is not finite and positive (a tolerance may be zero, not both).
std::unique_ptr<OdeSolver> MakeOdeSolver(OdeMethod method,
                                         const OdeSettings& settings = {});

}  // namespace limber::dynamics
