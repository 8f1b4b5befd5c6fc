// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/solve/body_system.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/index.h"
#include "dynamics/solve/tolerances.h"

namespace limber::dynamics::solve {

using internal::Cross;
using internal::Dot;

namespace {

double LawOf(const BoundedRow& row, double z) {
  return std::clamp(-z / row.s, row.lo, row.hi);
}

// Velocity of b against a at the point, of V or of a change of it.
template <typename Velocity>
Vec PointRate(const ContactPoint& contact, const Velocity& velocity) {
  Vec rate;
  if (contact.b >= 0) {
    const auto [v, w] = velocity(contact.b);
    rate += v + Cross(w, contact.arm_b);
  }
  if (contact.a >= 0) {
    const auto [v, w] = velocity(contact.a);
    rate -= v + Cross(w, contact.arm_a);
  }
  return rate;
}

template <typename Velocity>
double RowRate(const BoundedRow& row, const Velocity& velocity) {
  double rate = 0.0;
  if (row.a >= 0) {
    const auto [v, w] = velocity(row.a);
    rate += Dot(row.linear_a, v) + Dot(row.angular_a, w);
  }
  if (row.b >= 0) {
    const auto [v, w] = velocity(row.b);
    rate += Dot(row.linear_b, v) + Dot(row.angular_b, w);
  }
  return rate;
}

void AddTo(Six& sum, const Vec& f, const Vec& t) {
  sum.at[0] += f.x;
  sum.at[1] += f.y;
  sum.at[2] += f.z;
  sum.at[3] += t.x;
  sum.at[4] += t.y;
  sum.at[5] += t.z;
}
Vec LinearOf(const Six& six) { return {six.at[0], six.at[1], six.at[2]}; }
Vec AngularOf(const Six& six) { return {six.at[3], six.at[4], six.at[5]}; }

// sum += J^T lambda
void AddImpulse(const ContactPoint& contact, const double lambda[3],
                std::vector<Six>& sum) {
  const Vec F =
      lambda[0] * contact.n + lambda[1] * contact.t1 + lambda[2] * contact.t2;
  if (contact.b >= 0) AddTo(sum[Index(contact.b)], F, Cross(contact.arm_b, F));
  if (contact.a >= 0) AddTo(sum[Index(contact.a)], -F, Cross(F, contact.arm_a));
}
void AddImpulse(const BoundedRow& row, double lambda, std::vector<Six>& sum) {
  if (lambda == 0.0) return;
  if (row.a >= 0) {
    AddTo(sum[Index(row.a)], lambda * row.linear_a, lambda * row.angular_a);
  }
  if (row.b >= 0) {
    AddTo(sum[Index(row.b)], lambda * row.linear_b, lambda * row.angular_b);
  }
}

// Nothing turns a body about an axis that it does not have.
void Project(const ProblemBody& body, Six& sum) {
  if (!body.stiff) return;
  const Vec t = body.turns * AngularOf(sum);
  sum.at[3] = t.x;
  sum.at[4] = t.y;
  sum.at[5] = t.z;
}

}  // namespace

// z of every row at the present velocities.
void BodySystem::Rates() {
  const auto velocity = [&](int i) {
    const ProblemBody& body = problem_->bodies[Index(i)];
    return std::pair(body.v, body.w);
  };
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const ContactPoint& contact = problem_->contacts[i];
    const Vec rate = PointRate(contact, velocity);
    points_[i].z[0] = Dot(contact.n, rate) - contact.u[0];
    points_[i].z[1] = Dot(contact.t1, rate) - contact.u[1];
    points_[i].z[2] = Dot(contact.t2, rate) - contact.u[2];
  }
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    lines_[i].z = RowRate(problem_->rows[i], velocity) - problem_->rows[i].u;
  }
}

void BodySystem::SetBounds() {
  for (BoundedRow& row : problem_->rows) {
    if (row.contact < 0) continue;
    row.hi = row.mu * problem_->contacts[Index(row.contact)].bound;
    row.lo = -row.hi;
  }
}

void BodySystem::TakeFirstStates() {
  for (std::size_t i = 0; i < points_.size(); ++i) {
    points_[i].TakeFirstGrip(problem_->contacts[i]);
  }
  SetBounds();
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    BoundedRow& row = problem_->rows[i];
    if (row.lo == row.hi) row.state = -1;
    // A one-sided row that the present speed runs into holds.
    const double free = -lines_[i].z / row.s;
    const bool one_sided = std::isinf(row.lo) || std::isinf(row.hi);
    const bool runs_in = free > row.lo && free < row.hi;
    const bool endless = row.state < 0 ? std::isinf(row.lo)
                                       : row.state > 0 && std::isinf(row.hi);
    if (endless || (one_sided && runs_in)) row.state = 0;
  }
}

void BodySystem::TakeNextRowStates(bool whole_steps) {
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    BoundedRow& row = problem_->rows[i];
    if (row.lo == row.hi) {
      row.state = -1;
      continue;
    }
    const double free = -lines_[i].z / row.s;
    const int next = free < row.lo ? -1 : free > row.hi ? 1 : 0;
    row.state = whole_steps && next * row.state < 0 ? 0 : next;
  }
}

// lambda and D of all rows in their states.
void BodySystem::SetStiffness() {
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const Point& point = points_[i];
    const State state{point.grip, point.along[0], point.along[1], point.across};
    point_stiffness_[i].changed = !(state == states_[i]);
    if (!point_stiffness_[i].changed) continue;
    states_[i] = state;
    point_stiffness_[i].K = point.Stiffness(problem_->contacts[i]);
  }
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const BoundedRow& row = problem_->rows[i];
    const double d = row.state == 0 ? 1.0 / row.s : 0.0;
    row_stiffness_[i].changed = row_stiffness_[i].d != d;
    row_stiffness_[i].d = d;
    lines_[i].lambda = row.state == 0  ? -lines_[i].z / row.s
                       : row.state < 0 ? row.lo
                                       : row.hi;
  }
}

// The right side: J^T lambda - M (V - V_free).
void BodySystem::Load() {
  for (std::size_t i = 0; i < problem_->bodies.size(); ++i) {
    const ProblemBody& body = problem_->bodies[i];
    step_[i] = Six{};
    AddTo(step_[i], body.mass * (body.free_v - body.v),
          body.inertia * (body.free_w - body.w));
  }
  for (std::size_t i = 0; i < points_.size(); ++i) {
    AddImpulse(problem_->contacts[i], points_[i].lambda, step_);
  }
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    AddImpulse(problem_->rows[i], lines_[i].lambda, step_);
  }
  for (std::size_t i = 0; i < problem_->bodies.size(); ++i) {
    Project(problem_->bodies[i], step_[i]);
  }
}

// p, and what it changes about every z.
bool BodySystem::Direction() {
  SetStiffness();
  Load();
  linear_->Factorise(*problem_, point_stiffness_, row_stiffness_);
  linear_->Solve(step_);
  const auto velocity = [&](int i) {
    return std::pair(LinearOf(step_[Index(i)]), AngularOf(step_[Index(i)]));
  };
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const ContactPoint& contact = problem_->contacts[i];
    const Vec rate = PointRate(contact, velocity);
    points_[i].g[0] = Dot(contact.n, rate);
    points_[i].g[1] = Dot(contact.t1, rate);
    points_[i].g[2] = Dot(contact.t2, rate);
  }
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    lines_[i].g = RowRate(problem_->rows[i], velocity);
  }
  return true;
}

bool BodySystem::RowsFit() {
  bool fits = true;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const BoundedRow& row = problem_->rows[i];
    Line& line = lines_[i];
    line.linear = line.lambda - row_stiffness_[i].d * line.g;
    const double e = line.z + line.g + row.s * line.linear;
    const double next =
        std::clamp(line.linear - e / row.response, row.lo, row.hi);
    const double off = row.response * std::abs(next - line.linear);
    fits = fits && off <= problem_->tolerance;
  }
  return fits;
}

bool BodySystem::RowsAgree() const {
  for (const BoundedRow& row : problem_->rows) {
    if (row.contact < 0) continue;
    const ContactPoint& contact = problem_->contacts[Index(row.contact)];
    const double normal = std::max(0.0, points_[Index(row.contact)].linear[0]);
    const double margin =
        problem_->tolerance / contact.response + kBoundsAgree * normal;
    if (std::abs(normal - contact.bound) > margin) return false;
  }
  return true;
}

void BodySystem::Advance(double share) {
  for (std::size_t i = 0; i < problem_->bodies.size(); ++i) {
    problem_->bodies[i].v += share * LinearOf(step_[i]);
    problem_->bodies[i].w += share * AngularOf(step_[i]);
  }
  for (Line& line : lines_) line.z += share * line.g;
}

void BodySystem::StartSearch() {
  quadratic_ = {};
  for (std::size_t i = 0; i < problem_->bodies.size(); ++i) {
    const ProblemBody& body = problem_->bodies[i];
    const Vec v = LinearOf(step_[i]);
    const Vec w = AngularOf(step_[i]);
    quadratic_.curvature += body.mass * Dot(v, v) + Dot(w, body.inertia * w);
    quadratic_.slope += body.mass * Dot(v, body.v - body.free_v) +
                        Dot(w, body.inertia * (body.w - body.free_w));
  }
}

System::Slope BodySystem::SlopeAt(double share) const {
  Slope sum = quadratic_;
  sum.slope += share * quadratic_.curvature;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const BoundedRow& row = problem_->rows[i];
    const Line& line = lines_[i];
    const double z = line.z + share * line.g;
    const double law = LawOf(row, z);
    sum.slope -= law * line.g;
    if (law == -z / row.s) sum.curvature += line.g * line.g / row.s;
  }
  return sum;
}

// Impulses, and the velocities that they give: whatever bodies do to each other
// is opposite to the last bit.
void BodySystem::Finish(bool solved) {
  for (Six& sum : step_) sum = Six{};
  for (std::size_t i = 0; i < points_.size(); ++i) {
    ContactPoint& contact = problem_->contacts[i];
    points_[i].Store(contact, solved);
    AddImpulse(contact, contact.lambda, step_);
  }
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    BoundedRow& row = problem_->rows[i];
    row.lambda = solved ? lines_[i].linear : LawOf(row, lines_[i].z);
    AddImpulse(row, row.lambda, step_);
  }
  if (!solved) return;
  for (std::size_t i = 0; i < problem_->bodies.size(); ++i) {
    ProblemBody& body = problem_->bodies[i];
    Project(body, step_[i]);
    body.v = body.free_v + (1.0 / body.mass) * LinearOf(step_[i]);
    body.w = body.free_w + Inverse(body.inertia) * AngularOf(step_[i]);
  }
}

Report BodySystem::Solve(Problem& problem, LinearSolver& linear) {
  problem_ = &problem;
  linear_ = &linear;
  points_.assign(problem.contacts.size(), Point{});
  lines_.assign(problem.rows.size(), Line{});
  point_stiffness_.assign(points_.size(), PointStiffness{});
  row_stiffness_.assign(lines_.size(), RowStiffness{});
  step_.assign(problem.bodies.size(), Six{});
  states_.assign(points_.size(), State{});
  linear.Start(problem);
  Rates();
  TakeFirstStates();
  const Report report = solve::Solve(*this);
  Finish(report.solved);
  return report;
}

}  // namespace limber::dynamics::solve
