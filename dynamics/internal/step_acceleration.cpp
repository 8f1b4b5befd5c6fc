// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "core/index.h"
#include "dynamics/internal/world_data.h"

// Acceleration level: forces f = lambda with
//
//     C'' = J W (F + J^T lambda) + bias = demand of the row's policy
//
// inside the bounds; y' = (v, q', W F, torque) is handed to an ODE method.

namespace limber::dynamics::internal {

namespace {

// State of one body: p, q (w, x, y, z), v, L.
constexpr int kStates = 13;

void ReadState(const VectorX& y, int offset, Body& body) {
  body.p_WC = y.segment<3>(offset);
  body.q_WC =
      Quaternion(y[offset + 3], y[offset + 4], y[offset + 5], y[offset + 6])
          .normalized();
  body.v = y.segment<3>(offset + 7);
  body.L = y.segment<3>(offset + 10);
}

void WriteState(const Body& body, int offset, VectorX& y) {
  y.segment<3>(offset) = body.p_WC;
  y[offset + 3] = body.q_WC.w();
  y[offset + 4] = body.q_WC.x();
  y[offset + 5] = body.q_WC.y();
  y[offset + 6] = body.q_WC.z();
  y.segment<3>(offset + 7) = body.v;
  y.segment<3>(offset + 10) = body.L;
}

// The demand on C'' of a row as target and bounds of a solve for forces.
RowTarget AccelerationTarget(const RowBuffer::Row& row, double rate, double h) {
  using Policy = Stabilisation::Policy;
  const RowSettings& settings = row.settings;
  const Stabilisation& policy = settings.stabilisation;
  RowTarget target{0.0, settings.softness, settings.lo, settings.hi};
  // A one-sided row with room left does nothing.
  if (IsOneSided(settings) && policy.policy == Policy::kDefault &&
      (settings.hi > 0.0 ? row.error > 0.0 : row.error < 0.0)) {
    target.lo = target.hi = 0.0;
  }
  // Feedback slow enough not to disturb the order of the method, and stable
  // for all of them at coarse steps.
  constexpr double kGain = 20.0;  // [1/s]
  const double gain = std::min(kGain, 1.0 / (4.0 * h));
  double demand = 0.0;
  switch (policy.policy) {
    case Policy::kDefault:
      demand = -2.0 * gain * rate - gain * gain * row.error;
      break;
    case Policy::kNone:
      demand = -2.0 * gain * rate;
      break;
    case Policy::kImplicit:
      demand = -rate / h - row.error / (h * h);
      break;
    case Policy::kBaumgarte:
      demand =
          -2.0 * policy.alpha * rate - policy.beta * policy.beta * row.error;
      break;
    case Policy::kCriticallyDamped:
      demand = -2.0 / policy.tau * rate - row.error / (policy.tau * policy.tau);
      break;
    case Policy::kSpring:
    case Policy::kMeanSpring: {
      const double force =
          std::clamp(-policy.stiffness * row.error -
                         (policy.damping + policy.end_damping) * rate,
                     settings.lo, settings.hi);
      target.lo = target.hi = force;
      break;
    }
  }
  target.u = demand - row.acceleration_bias;
  // Forces must not jump within a step: friction grows over this speed.
  constexpr double kCreep = 0.01;  // [m/s or rad/s]
  if (settings.friction > 0.0) {
    const double speed = rate - row.rate_bias;
    const double steep = settings.friction_damping > 0.0
                             ? settings.friction_damping
                             : settings.friction / kCreep;
    const double friction =
        std::clamp(steep * speed, -settings.friction, settings.friction);
    target.lo -= friction;
    target.hi -= friction;
  }
  return target;
}

// The bodies of a world as an ODE.
class MotionProblem final : public OdeProblem {
 public:
  MotionProblem(Data& data, double h) : data_(data), h_(h) {
    start_time_ = data.time;
  }

  int num_states() const override {
    return kStates * static_cast<int>(data_.bodies.size());
  }

  void Evaluate(double t, const VectorX& y, VectorX& dydt) override {
    SetState(t, y);
    Accelerations();
    for (int b = 0; b < static_cast<int>(data_.bodies.size()); ++b) {
      const Body& body = data_.bodies[Index(b)];
      const int offset = kStates * b;
      dydt.segment<kStates>(offset).setZero();
      if (!body.dynamic()) continue;
      const Twist& a = data_.change[Index(b)];
      const Vector3 w = body.w;
      // q' = 1/2 (0, w) q
      const Quaternion dq = Quaternion(0.0, w.x(), w.y(), w.z()) * body.q_WC;
      dydt.segment<3>(offset) = body.v;
      dydt[offset + 3] = 0.5 * dq.w();
      dydt[offset + 4] = 0.5 * dq.x();
      dydt[offset + 5] = 0.5 * dq.y();
      dydt[offset + 6] = 0.5 * dq.z();
      dydt.segment<3>(offset + 7) = a.linear;
      dydt.segment<3>(offset + 10) = a.angular;
    }
  }

  bool Project(double /*t*/, VectorX& y) override {
    for (int b = 0; b < static_cast<int>(data_.bodies.size()); ++b) {
      y.segment<4>(kStates * b + 3).normalize();
    }
    return true;
  }

  void SetState(double t, const VectorX& y) {
    data_.time = t;
    for (int b = 0; b < static_cast<int>(data_.bodies.size()); ++b) {
      Body& body = data_.bodies[Index(b)];
      if (body.dynamic()) {
        ReadState(y, kStates * b, body);
      } else if (body.kind == BodyKind::kKinematic && !body.removed) {
        // y keeps the pose at the start of the step.
        Body start = body;
        ReadState(y, kStates * b, start);
        body.p_WC = start.p_WC + (t - start_time_) * body.v;
        body.q_WC = ExpRotation((t - start_time_) * body.w) * start.q_WC;
      }
    }
    RefreshAll(data_);
  }

 private:
  // Accelerations v' and L' of all bodies into data.change.
  void Accelerations() {
    CollectForces(data_, 0.0);
    data_.free_motion.resize(data_.bodies.size());
    data_.change.resize(data_.bodies.size());
    for (std::size_t b = 0; b < data_.bodies.size(); ++b) {
      const Body& body = data_.bodies[b];
      Twist& a = data_.free_motion[b];
      a = Twist{};
      data_.change[b] = Twist{};
      if (!body.dynamic()) continue;
      // w' without constraints: L = I w, so I w' = t - w x L.
      a.linear = data_.settings.gravity + body.inverse_mass * body.force -
                 body.linear_damping * body.v;
      a.angular =
          body.inverse_inertia_W *
          (body.torque - body.angular_damping * body.L - body.w.cross(body.L));
    }
    data_.rows.Clear();
    for (int n = 0; n < data_.num_islands; ++n) {
      Island& island = data_.islands[Index(n)];
      AddIslandRows(data_, island);
      for (int i = 0; i < island.num_rows; ++i) {
        const int r = island.first_row + i;
        const double rate =
            data_.rows.Speed(r, data_.motions) + data_.rows.row(r).rate_bias;
        data_.targets[Index(r)] =
            AccelerationTarget(data_.rows.row(r), rate, h_);
      }
      SolveIsland(data_, island, data_.free_motion, false, data_.change);
      StoreImpulses(data_, island, data_.lambda);
      for (const int b : island.bodies) {
        const Body& body = data_.bodies[Index(b)];
        Twist& change = data_.change[Index(b)];
        change.linear += data_.free_motion[Index(b)].linear;
        change.angular = body.flow.Admissible(
            body.q_WC,
            body.torque - body.angular_damping * body.L +
                body.flow.AngularMomentum(body.q_WC, change.angular));
      }
    }
    data_.report.num_rows = data_.rows.size();
  }

  Data& data_;
  double h_;
  double start_time_;
};

}  // namespace

void StepAcceleration(Data& data, double h) {
  const WorldSettings& settings = data.settings;
  if (!data.ode || data.ode->method() != settings.ode_method ||
      data.ode->settings().step != h ||
      data.ode->settings().absolute_tolerance != settings.ode_tolerance) {
    OdeSettings ode;
    ode.step = h;
    ode.absolute_tolerance = settings.ode_tolerance;
    ode.relative_tolerance = settings.ode_tolerance;
    ode.lead = false;
    data.ode = MakeOdeSolver(settings.ode_method, ode);
  }
  MotionProblem problem(data, h);
  VectorX& y = data.ode_state;
  y.resize(problem.num_states());
  for (int b = 0; b < static_cast<int>(data.bodies.size()); ++b) {
    WriteState(data.bodies[Index(b)], kStates * b, y);
  }
  const double start = data.time;
  const OdeReport report = data.ode->Advance(problem, start, start + h, y);
  if (report.status != OdeStatus::kDone) {
    data.report.status = LcpStatus::kIterationLimit;
  }
  problem.SetState(start + h, y);
  // Forces of the last stage are averages over it: an impulse is h times them.
  for (const auto& constraint : data.constraints) {
    for (double& impulse : ConstraintAccess::impulses(*constraint)) {
      impulse *= h;
    }
  }
  data.time = start;
  data.has_at_kick = false;
}

}  // namespace limber::dynamics::internal
