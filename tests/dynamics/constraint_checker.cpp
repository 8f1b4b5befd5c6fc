// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/dynamics/constraint_checker.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace limber::dynamics::test {
namespace {

// Step of the differences [s]. With five points the cut-off error is of order
// kStep^4 and round-off of order 1e-16 / kStep^2: both near 1e-10.
constexpr double kStep = 1.5e-3;
constexpr int kNumPaths = 3;

double FirstDifference(double m2, double m1, double p1, double p2) {
  return (8.0 * (p1 - m1) - (p2 - m2)) / (12.0 * kStep);
}

double SecondDifference(double m2, double m1, double zero, double p1,
                        double p2) {
  return (16.0 * (p1 + m1) - (p2 + m2) - 30.0 * zero) / (12.0 * kStep * kStep);
}

Vector3 Gaussian(std::mt19937& random, double scale) {
  std::normal_distribution<double> normal(0.0, scale);
  const double x = normal(random);
  const double y = normal(random);
  return {x, y, normal(random)};
}

// Left Jacobian of the exponential map: w = Jl(a) a' for R = Exp(a(s)) R(0).
Vector3 AngularVelocity(const Vector3& a, const Vector3& a_rate) {
  const double t = a.squaredNorm();
  double first = 0.5 - t / 24.0 + t * t / 720.0;
  double second = 1.0 / 6.0 - t / 120.0 + t * t / 5040.0;
  if (t > 1e-2) {
    const double angle = std::sqrt(t);
    first = (1.0 - std::cos(angle)) / t;
    second = (angle - std::sin(angle)) / (t * angle);
  }
  return a_rate + first * a.cross(a_rate) + second * a.cross(a.cross(a_rate));
}

// Rows of one constraint at five points along a path.
struct Samples {
  RowBuffer rows[5];
  std::vector<BodyMotion> bodies[5];
};

class Checker {
 public:
  Checker(const Constraint& constraint, const std::vector<BodyMotion>& bodies,
          double time, const ConstraintCheck& check)
      : constraint_(constraint), bodies_(bodies), time_(time), check_(check) {
    constraint.AddRows(bodies, time, rows_);
  }

  testing::AssertionResult Run() {
    if (rows_.size() == 0) return testing::AssertionFailure() << "no rows";
    CheckBodies();
    CheckJacobian();
    CheckRateBias();
    CheckVelocitiesDoNotMatter();
    std::mt19937 random(check_.seed);
    for (int i = 0; i < kNumPaths; ++i) CheckPath(random);
    if (num_faults_ == 0) return testing::AssertionSuccess();
    return testing::AssertionFailure() << faults_.str();
  }

 private:
  std::ostream& Fault(int row) {
    ++num_faults_;
    return faults_ << "\nrow " << row << ": ";
  }

  void Compare(int row, const std::string& what, double given,
               double differences) {
    const double error = std::abs(given - differences);
    // Written so that NaN fails.
    if (error <= check_.tolerance * (1.0 + std::abs(differences))) return;
    Fault(row) << what << " is " << given << ", differences say "
               << differences;
  }

  bool HasError(int row) const {
    return !check_.rows_without_error.contains(row);
  }

  bool Sample(const std::vector<Vector6>& accelerations,
              const std::vector<BodyMotion>& start, bool time_runs,
              Samples& samples) {
    for (int i = 0; i < 5; ++i) {
      const double s = (i - 2) * kStep;
      samples.bodies[i] = Moved(start, accelerations, s);
      samples.rows[i].Clear();
      constraint_.AddRows(samples.bodies[i], time_runs ? time_ + s : time_,
                          samples.rows[i]);
      if (samples.rows[i].size() != rows_.size()) {
        Fault(rows_.size()) << "the number of rows changes along a path to "
                            << samples.rows[i].size();
        return false;
      }
    }
    return true;
  }

  static double ErrorRate(const Samples& samples, int row) {
    return FirstDifference(
        samples.rows[0].row(row).error, samples.rows[1].row(row).error,
        samples.rows[3].row(row).error, samples.rows[4].row(row).error);
  }

  void CheckBodies() {
    const std::span<const BodyId> named = constraint_.bodies();
    for (int row = 0; row < rows_.size(); ++row) {
      for (const RowBuffer::Entry& entry : rows_.entries(row)) {
        const bool known =
            entry.body == kGround.value ||
            std::any_of(named.begin(), named.end(), [&](const BodyId& body) {
              return body.value == entry.body;
            });
        if (!known) Fault(row) << "touches unnamed body " << entry.body;
      }
    }
  }

  std::vector<BodyMotion> AtRest() const {
    std::vector<BodyMotion> still = bodies_;
    for (BodyMotion& body : still) {
      body.v_WC.setZero();
      body.w_WB.setZero();
    }
    return still;
  }

  void CheckJacobian() {
    const std::vector<Vector6> none(bodies_.size(), Vector6::Zero());
    Samples samples;
    for (std::size_t b = 1; b < bodies_.size(); ++b) {
      for (int axis = 0; axis < 6; ++axis) {
        std::vector<BodyMotion> start = AtRest();
        (axis < 3 ? start[b].v_WC : start[b].w_WB) = Vector3::Unit(axis % 3);
        if (!Sample(none, start, false, samples)) return;
        for (int row = 0; row < rows_.size(); ++row) {
          if (!HasError(row)) continue;
          double given = 0.0;
          for (const RowBuffer::Entry& entry : rows_.entries(row)) {
            if (entry.body != static_cast<int>(b)) continue;
            given += (axis < 3 ? entry.linear : entry.angular)[axis % 3];
          }
          Compare(row,
                  "J of body " + std::to_string(b) + " along " +
                      std::to_string(axis),
                  given, ErrorRate(samples, row));
        }
      }
    }
  }

  void CheckVelocitiesDoNotMatter() {
    RowBuffer still;
    constraint_.AddRows(AtRest(), time_, still);
    for (int row = 0; row < std::min(rows_.size(), still.size()); ++row) {
      if (still.row(row).error != rows_.row(row).error) {
        Fault(row) << "the error depends on the velocities";
      }
    }
  }

  void CheckRateBias() {
    const std::vector<Vector6> none(bodies_.size(), Vector6::Zero());
    Samples samples;
    if (!Sample(none, AtRest(), true, samples)) return;
    for (int row = 0; row < rows_.size(); ++row) {
      if (!HasError(row)) continue;
      Compare(row, "rate_bias", rows_.row(row).rate_bias,
              ErrorRate(samples, row));
    }
  }

  void CheckPath(std::mt19937& random) {
    std::vector<Vector6> accelerations(bodies_.size(), Vector6::Zero());
    std::vector<BodyMotion> rates(bodies_.size());
    for (std::size_t b = 1; b < bodies_.size(); ++b) {
      rates[b].v_WC = Gaussian(random, 2.0);
      rates[b].w_WB = Gaussian(random, 2.0);
      accelerations[b].head<3>() = rates[b].v_WC;
      accelerations[b].tail<3>() = rates[b].w_WB;
    }
    Samples samples;
    if (!Sample(accelerations, bodies_, true, samples)) return;
    for (int row = 0; row < rows_.size(); ++row) {
      const double given =
          rows_.Speed(row, rates) + rows_.row(row).acceleration_bias;
      double speed[5];
      double error[5];
      for (int i = 0; i < 5; ++i) {
        speed[i] = samples.rows[i].Speed(row, samples.bodies[i]) +
                   samples.rows[i].row(row).rate_bias;
        error[i] = samples.rows[i].row(row).error;
      }
      Compare(row, "J V' + acceleration_bias (against J V)", given,
              FirstDifference(speed[0], speed[1], speed[3], speed[4]));
      if (!HasError(row)) continue;
      Compare(row, "J V + rate_bias", speed[2],
              FirstDifference(error[0], error[1], error[3], error[4]));
      Compare(
          row, "J V' + acceleration_bias (against C)", given,
          SecondDifference(error[0], error[1], error[2], error[3], error[4]));
    }
  }

  const Constraint& constraint_;
  const std::vector<BodyMotion>& bodies_;
  double time_;
  const ConstraintCheck& check_;
  RowBuffer rows_;
  std::ostringstream faults_;
  int num_faults_ = 0;
};

}  // namespace

testing::AssertionResult CheckConstraint(const Constraint& constraint,
                                         const std::vector<BodyMotion>& bodies,
                                         double time,
                                         const ConstraintCheck& check) {
  return Checker(constraint, bodies, time, check).Run();
}

void SetPose(BodyMotion& body, const Transform& X_WB) {
  const Vector3 p_BC = body.R_WB.transpose() * (body.p_WC - body.p_WB);
  body.q_WB = X_WB.R.normalized();
  body.R_WB = body.q_WB.toRotationMatrix();
  body.p_WB = X_WB.p;
  body.p_WC = X_WB.p + body.R_WB * p_BC;
}

std::vector<BodyMotion> RandomMotions(int num_bodies, std::mt19937& random) {
  std::vector<BodyMotion> bodies(static_cast<std::size_t>(num_bodies) + 1);
  for (std::size_t b = 1; b < bodies.size(); ++b) {
    BodyMotion& body = bodies[b];
    body.p_WC = Gaussian(random, 0.3);
    body.v_WC = Gaussian(random, 1.0);
    body.w_WB = Gaussian(random, 1.0);
    const Vector3 turn = Gaussian(random, 2.0);
    SetPose(body, {ExpRotation(turn), Gaussian(random, 1.0)});
  }
  return bodies;
}

std::vector<BodyMotion> Moved(const std::vector<BodyMotion>& bodies,
                              const std::vector<Vector6>& accelerations,
                              double s) {
  std::vector<BodyMotion> moved = bodies;
  for (std::size_t b = 1; b < bodies.size(); ++b) {
    const BodyMotion& start = bodies[b];
    BodyMotion& body = moved[b];
    const Vector3 a = accelerations[b].head<3>();
    const Vector3 alpha = accelerations[b].tail<3>();
    // p = p0 + v s + a s^2/2 and R = Exp(w s + alpha s^2/2) R0: at s = 0 the
    // velocities are v and w, their derivatives a and alpha.
    const Vector3 angle = s * start.w_WB + 0.5 * s * s * alpha;
    const Quaternion turn = ExpRotation(angle);
    const Vector3 p_CB_W = turn * (start.p_WB - start.p_WC);
    body.p_WC = start.p_WC + s * start.v_WC + 0.5 * s * s * a;
    body.q_WB = (turn * start.q_WB).normalized();
    body.R_WB = body.q_WB.toRotationMatrix();
    body.p_WB = body.p_WC + p_CB_W;
    body.v_WC = start.v_WC + s * a;
    body.w_WB = AngularVelocity(angle, start.w_WB + s * alpha);
  }
  return moved;
}

}  // namespace limber::dynamics::test
