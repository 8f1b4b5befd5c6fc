// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/solve/newton.h"

#include <algorithm>
#include <cmath>

#include "dynamics/solve/tolerances.h"

namespace limber::dynamics::solve {

using internal::Cross;
using internal::Dot;

namespace {

std::size_t Index(int i) { return static_cast<std::size_t>(i); }

double Length(const double t[2]) {
  return std::sqrt(t[0] * t[0] + t[1] * t[1]);
}

/// What a contact point does at z, by its law: the state, and lambda.
struct Law {
  Grip grip = Grip::kOpen;
  double lambda[3] = {};
};

// The impulse -z/s, brought to the nearest one within the cone. `z[0]` is that
// along the normal with the shift.
Law LawOf(const ContactPoint& contact, const double z[3]) {
  const double mu = contact.mu;
  const double size = mu > 0.0 ? Length(z + 1) : 0.0;
  Law law;
  if (mu * size - z[0] <= 0.0) return law;
  if (size * contact.s_n <= -mu * contact.s_t * z[0]) {
    law.grip = mu > 0.0 ? Grip::kSticks : Grip::kSlides;
    law.lambda[0] = -z[0] / contact.s_n;
    if (mu == 0.0) return law;
    law.lambda[1] = -z[1] / contact.s_t;
    law.lambda[2] = -z[2] / contact.s_t;
    return law;
  }
  law.grip = Grip::kSlides;
  law.lambda[0] = (mu * size - z[0]) / (contact.s_n + mu * mu * contact.s_t);
  const double share = size > 0.0 ? mu * law.lambda[0] / size : 0.0;
  law.lambda[1] = -share * z[1];
  law.lambda[2] = -share * z[2];
  return law;
}

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
void NewtonSolver::Rates(const Problem& problem) {
  const auto velocity = [&](int i) {
    const ProblemBody& body = problem.bodies[Index(i)];
    return std::pair(body.v, body.w);
  };
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const ContactPoint& contact = problem.contacts[i];
    const Vec rate = PointRate(contact, velocity);
    points_[i].z[0] = Dot(contact.n, rate) - contact.u[0];
    points_[i].z[1] = Dot(contact.t1, rate) - contact.u[1];
    points_[i].z[2] = Dot(contact.t2, rate) - contact.u[2];
  }
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    lines_[i].z = RowRate(problem.rows[i], velocity) - problem.rows[i].u;
  }
}

void NewtonSolver::SetBounds(Problem& problem) {
  for (BoundedRow& row : problem.rows) {
    if (row.contact < 0) continue;
    row.hi = row.mu * problem.contacts[Index(row.contact)].bound;
    row.lo = -row.hi;
  }
}

// The states of the last solve, seen at the old velocities: what did not touch
// must be about to, and what friction alone could not stop slides.
void NewtonSolver::FirstStates(Problem& problem) {
  for (std::size_t i = 0; i < points_.size(); ++i) {
    ContactPoint& contact = problem.contacts[i];
    Point& point = points_[i];
    const double mu = contact.mu;
    const double limit = mu * contact.bound;
    const double slip = Length(point.z + 1);
    point.grip = Grip::kSticks;
    if (!contact.pressed && point.z[0] >= 0.0) {
      point.grip = Grip::kOpen;
      contact.bound = 0.0;
      point.shift = mu * slip;
    } else if (mu == 0.0) {
      point.grip = Grip::kSlides;
    } else if (slip > limit * contact.response) {
      SetSlide(contact, point, point.z + 1, contact.bound);
    } else if (contact.grip == Grip::kSlides) {
      SetSlide(contact, point, contact.slip, contact.bound);
    }
  }
  SetBounds(problem);
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    BoundedRow& row = problem.rows[i];
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

// Slides along `slip` under the given normal impulse.
void NewtonSolver::SetSlide(const ContactPoint& contact, Point& point,
                            const double slip[2], double normal) {
  const double size = Length(slip);
  const double limit = contact.mu * normal;
  point.grip = Grip::kSlides;
  point.along[0] = slip[0] / size;
  point.along[1] = slip[1] / size;
  point.across = std::min(limit / size, 1.0 / contact.s_t);
  point.shift = contact.mu * std::max(0.0, size - contact.s_t * limit);
}

void NewtonSolver::NextGrip(const ContactPoint& contact, Point& point,
                            bool whole_steps) {
  const double z[3] = {point.z[0] + point.shift, point.z[1], point.z[2]};
  const Law law = LawOf(contact, z);
  const bool slid = point.grip == Grip::kSlides;
  const double forward = point.along[0] * z[1] + point.along[1] * z[2];
  point.grip = law.grip;
  if (law.grip != Grip::kSlides || contact.mu == 0.0) return;
  // A slide that would turn round sticks first.
  if (whole_steps && slid && forward < 0.0) {
    point.grip = Grip::kSticks;
    return;
  }
  // One that fits keeps its blocks.
  if (whole_steps && slid && point.fits) return;
  const double shift = point.shift;
  SetSlide(contact, point, z + 1, law.lambda[0]);
  point.shift = shift;
}

void NewtonSolver::NextStates(Problem& problem, bool whole_steps) {
  for (std::size_t i = 0; i < points_.size(); ++i) {
    NextGrip(problem.contacts[i], points_[i], whole_steps);
  }
  SetBounds(problem);
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    BoundedRow& row = problem.rows[i];
    if (row.lo == row.hi) {
      row.state = -1;
      continue;
    }
    const double free = -lines_[i].z / row.s;
    const int next = free < row.lo ? -1 : free > row.hi ? 1 : 0;
    row.state = whole_steps && next * row.state < 0 ? 0 : next;
  }
}

// D x of a contact point in its state.
void NewtonSolver::TimesStiffness(const ContactPoint& contact,
                                  const Point& point, const double x[3],
                                  double product[3]) {
  product[0] = product[1] = product[2] = 0.0;
  if (point.grip == Grip::kSticks) {
    product[0] = x[0] / contact.s_n;
    product[1] = x[1] / contact.s_t;
    product[2] = x[2] / contact.s_t;
  } else if (point.grip == Grip::kSlides) {
    const double* e = point.along;
    const double mu = contact.mu;
    const double q = (x[0] - mu * (e[0] * x[1] + e[1] * x[2])) /
                     (contact.s_n + mu * mu * contact.s_t);
    const double across = point.across * (e[0] * x[2] - e[1] * x[1]);
    product[0] = q;
    product[1] = -mu * q * e[0] - across * e[1];
    product[2] = -mu * q * e[1] + across * e[0];
  }
}

// D in world axes.
void NewtonSolver::SetStiffness(std::size_t i, const ContactPoint& contact) {
  const Point& point = points_[i];
  PointStiffness& stiffness = point_stiffness_[i];
  const State state{point.grip, point.along[0], point.along[1], point.across};
  stiffness.changed = !(state == states_[i]);
  if (!stiffness.changed) return;
  states_[i] = state;
  const auto outer = [](double d, const Vec& e) {
    return Sym{d * e.x * e.x, d * e.x * e.y, d * e.x * e.z,
               d * e.y * e.y, d * e.y * e.z, d * e.z * e.z};
  };
  stiffness.K = Sym{};
  if (point.grip == Grip::kSticks) {
    // t1 t1^T + t2 t2^T = 1 - n n^T
    const double d = 1.0 / contact.s_t;
    stiffness.K = outer(1.0 / contact.s_n - d, contact.n);
    stiffness.K += Sym{d, 0.0, 0.0, d, 0.0, d};
  } else if (point.grip == Grip::kSlides) {
    const double mu = contact.mu;
    const Vec e = point.along[0] * contact.t1 + point.along[1] * contact.t2;
    stiffness.K =
        outer(1.0 / (contact.s_n + mu * mu * contact.s_t), contact.n - mu * e);
    stiffness.K += outer(point.across, point.along[0] * contact.t2 -
                                           point.along[1] * contact.t1);
  }
}

// lambda and D of all rows in their states.
void NewtonSolver::Linearise(const Problem& problem) {
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const ContactPoint& contact = problem.contacts[i];
    Point& point = points_[i];
    const double z[3] = {point.z[0] + point.shift, point.z[1], point.z[2]};
    TimesStiffness(contact, point, z, point.lambda);
    for (double& lambda : point.lambda) lambda = -lambda;
    SetStiffness(i, contact);
  }
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const BoundedRow& row = problem.rows[i];
    const double d = row.state == 0 ? 1.0 / row.s : 0.0;
    row_stiffness_[i].changed = row_stiffness_[i].d != d;
    row_stiffness_[i].d = d;
    lines_[i].lambda = row.state == 0  ? -lines_[i].z / row.s
                       : row.state < 0 ? row.lo
                                       : row.hi;
  }
}

// p, and what it changes about every z.
void NewtonSolver::Direction(const Problem& problem, LinearSolver& linear) {
  for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
    const ProblemBody& body = problem.bodies[i];
    step_[i] = Six{};
    AddTo(step_[i], body.mass * (body.free_v - body.v),
          body.inertia * (body.free_w - body.w));
  }
  for (std::size_t i = 0; i < points_.size(); ++i) {
    AddImpulse(problem.contacts[i], points_[i].lambda, step_);
  }
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    AddImpulse(problem.rows[i], lines_[i].lambda, step_);
  }
  for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
    Project(problem.bodies[i], step_[i]);
  }
  linear.Factorise(problem, point_stiffness_, row_stiffness_);
  linear.Solve(step_);
  const auto velocity = [&](int i) {
    return std::pair(LinearOf(step_[Index(i)]), AngularOf(step_[Index(i)]));
  };
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const ContactPoint& contact = problem.contacts[i];
    Point& point = points_[i];
    const Vec rate = PointRate(contact, velocity);
    point.g[0] = Dot(contact.n, rate);
    point.g[1] = Dot(contact.t1, rate);
    point.g[2] = Dot(contact.t2, rate);
  }
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    lines_[i].g = RowRate(problem.rows[i], velocity);
  }
}

// By how much lambda after the whole step misses the law [V]: what one
// projected step would change, as `LcpResidual` has it.
double NewtonSolver::OffBy(const ContactPoint& contact, const Point& point) {
  const double s[3] = {contact.s_n, contact.s_t, contact.s_t};
  ContactPoint cone;
  cone.mu = contact.mu;
  cone.s_n = cone.s_t = 1.0;
  double z[3];
  for (int k = 0; k < 3; ++k) {
    double e = point.z[k] + point.g[k] + s[k] * point.linear[k];
    if (k == 0) e += point.shift;
    z[k] = e / contact.response - point.linear[k];
  }
  const Law law = LawOf(cone, z);
  double off = 0.0;
  for (int k = 0; k < 3; ++k) {
    off = std::max(off, std::abs(law.lambda[k] - point.linear[k]));
  }
  return contact.response * off;
}

// lambda after the whole step, and whether it is that of the laws.
bool NewtonSolver::Fits(const Problem& problem) {
  bool fits = true;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const ContactPoint& contact = problem.contacts[i];
    Point& point = points_[i];
    double change[3];
    TimesStiffness(contact, point, point.g, change);
    for (int k = 0; k < 3; ++k) point.linear[k] = point.lambda[k] - change[k];
    point.fits = OffBy(contact, point) <= problem.tolerance;
    fits = fits && point.fits;
  }
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const BoundedRow& row = problem.rows[i];
    Line& line = lines_[i];
    line.linear = line.lambda - row_stiffness_[i].d * line.g;
    const double e = line.z + line.g + row.s * line.linear;
    const double next =
        std::clamp(line.linear - e / row.response, row.lo, row.hi);
    const double off = row.response * std::abs(next - line.linear);
    fits = fits && off <= problem.tolerance;
  }
  return fits;
}

// mu times the slip, but for what the softness of the contact takes.
double NewtonSolver::SlipOf(const ContactPoint& contact, const Point& point) {
  if (contact.mu == 0.0 || point.grip == Grip::kSticks) return 0.0;
  const double held = point.grip == Grip::kSlides
                          ? contact.mu * std::max(0.0, point.linear[0])
                          : 0.0;
  return contact.mu * std::max(0.0, Length(point.z + 1) - contact.s_t * held);
}

// Whether shifts are those of the slips found, and bounds those of the normal
// impulses.
bool NewtonSolver::Agrees(const Problem& problem) const {
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const Point& point = points_[i];
    // What stays open does not matter.
    if (point.grip == Grip::kOpen && point.z[0] >= -kSlipAgrees) continue;
    const double slip = SlipOf(problem.contacts[i], point);
    if (std::abs(point.shift - slip) > kSlipAgrees) return false;
  }
  for (const BoundedRow& row : problem.rows) {
    if (row.contact < 0) continue;
    const ContactPoint& contact = problem.contacts[Index(row.contact)];
    const double normal = std::max(0.0, points_[Index(row.contact)].linear[0]);
    const double margin =
        problem.tolerance / contact.response + kBoundsAgree * normal;
    if (std::abs(normal - contact.bound) > margin) return false;
  }
  return true;
}

void NewtonSolver::Follow(Problem& problem, double share) {
  for (std::size_t i = 0; i < points_.size(); ++i) {
    Point& point = points_[i];
    ContactPoint& contact = problem.contacts[i];
    const double slip = SlipOf(contact, point);
    point.shift += share * (slip - point.shift);
    const double normal = std::max(0.0, point.linear[0]);
    contact.bound += share * (normal - contact.bound);
  }
}

// Shifts that are too large let bodies sink in: they become those of the slips
// found. Those that are too small only part them.
bool NewtonSolver::LowerShifts(const Problem& problem) {
  bool any = false;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    Point& point = points_[i];
    const double slip = SlipOf(problem.contacts[i], point);
    if (point.grip == Grip::kOpen || point.shift <= slip + kSlipAgrees)
      continue;
    point.shift = slip;
    any = true;
  }
  return any;
}

void NewtonSolver::Advance(Problem& problem, double share) {
  for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
    problem.bodies[i].v += share * LinearOf(step_[i]);
    problem.bodies[i].w += share * AngularOf(step_[i]);
  }
  for (Point& point : points_) {
    for (int k = 0; k < 3; ++k) point.z[k] += share * point.g[k];
  }
  for (Line& line : lines_) line.z += share * line.g;
}

// Of the rows' part of the function along the step.
NewtonSolver::Slope NewtonSolver::SlopeAt(const Problem& problem,
                                          double share) const {
  Slope sum;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const ContactPoint& contact = problem.contacts[i];
    const Point& point = points_[i];
    const double* g = point.g;
    const double z[3] = {point.z[0] + point.shift + share * g[0],
                         point.z[1] + share * g[1], point.z[2] + share * g[2]};
    const Law law = LawOf(contact, z);
    sum.slope -=
        law.lambda[0] * g[0] + law.lambda[1] * g[1] + law.lambda[2] * g[2];
    Point at = point;
    at.grip = law.grip;
    if (law.grip == Grip::kSlides && contact.mu > 0.0) {
      SetSlide(contact, at, z + 1, law.lambda[0]);
    }
    double product[3];
    TimesStiffness(contact, at, g, product);
    sum.curvature += product[0] * g[0] + product[1] * g[1] + product[2] * g[2];
  }
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const BoundedRow& row = problem.rows[i];
    const Line& line = lines_[i];
    const double z = line.z + share * line.g;
    const double law = LawOf(row, z);
    sum.slope -= law * line.g;
    if (law == -z / row.s) sum.curvature += line.g * line.g / row.s;
  }
  return sum;
}

// The minimum along the step: its slope grows, piecewise smooth.
double NewtonSolver::LineSearch(const Problem& problem) {
  double curvature = 0.0;
  double slope = 0.0;
  for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
    const ProblemBody& body = problem.bodies[i];
    const Vec v = LinearOf(step_[i]);
    const Vec w = AngularOf(step_[i]);
    curvature += body.mass * Dot(v, v) + Dot(w, body.inertia * w);
    slope += body.mass * Dot(v, body.v - body.free_v) +
             Dot(w, body.inertia * (body.w - body.free_w));
  }
  double low = 0.0, high = 1.0, share = 1.0;
  constexpr int kMostRounds = 60;  // Halving alone reaches rounding.
  for (int round = 0; round < kMostRounds; ++round) {
    Slope at = SlopeAt(problem, share);
    at.slope += slope + share * curvature;
    at.curvature += curvature;
    if (round == 0 && at.slope <= 0.0) return 1.0;
    (at.slope > 0.0 ? high : low) = share;
    double next = share - at.slope / at.curvature;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const bool done = std::abs(next - share) < kSearchEnd * share;
    share = next;
    if (done) break;
  }
  return share;
}

// Impulses, and the velocities that they give: whatever bodies do to each other
// is opposite to the last bit.
void NewtonSolver::Finish(Problem& problem, bool solved) {
  for (Six& sum : step_) sum = Six{};
  for (std::size_t i = 0; i < points_.size(); ++i) {
    ContactPoint& contact = problem.contacts[i];
    const Point& point = points_[i];
    if (solved) {
      std::copy(point.linear, point.linear + 3, contact.lambda);
    } else {
      const double z[3] = {point.z[0] + point.shift, point.z[1], point.z[2]};
      const Law law = LawOf(contact, z);
      std::copy(law.lambda, law.lambda + 3, contact.lambda);
    }
    contact.lambda[0] = std::max(0.0, contact.lambda[0]);
    contact.grip = point.grip;
    contact.shift = point.shift;
    const bool slides = point.grip == Grip::kSlides && contact.mu > 0.0;
    contact.slip[0] = slides ? point.z[1] : 0.0;
    contact.slip[1] = slides ? point.z[2] : 0.0;
    AddImpulse(contact, contact.lambda, step_);
  }
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    BoundedRow& row = problem.rows[i];
    row.lambda = solved ? lines_[i].linear : LawOf(row, lines_[i].z);
    AddImpulse(row, row.lambda, step_);
  }
  if (!solved) return;
  for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
    ProblemBody& body = problem.bodies[i];
    Project(body, step_[i]);
    body.v = body.free_v + (1.0 / body.mass) * LinearOf(step_[i]);
    body.w = body.free_w + Inverse(body.inertia) * AngularOf(step_[i]);
  }
}

NewtonSolver::Report NewtonSolver::Solve(Problem& problem,
                                         LinearSolver& linear) {
  Report report;
  points_.assign(problem.contacts.size(), Point{});
  lines_.assign(problem.rows.size(), Line{});
  point_stiffness_.assign(points_.size(), PointStiffness{});
  row_stiffness_.assign(lines_.size(), RowStiffness{});
  step_.assign(problem.bodies.size(), Six{});
  states_.assign(points_.size(), State{});
  linear.Start(problem);
  Rates(problem);
  FirstStates(problem);
  bool whole_steps = true;
  int lowerings = 0;
  while (report.solves < kMostSolves) {
    const int round = report.solves++;
    Linearise(problem);
    Direction(problem, linear);
    const bool fits = Fits(problem);
    double share = 1.0;
    if (!fits && !whole_steps) {
      share = LineSearch(problem);
      ++report.searches;
    }
    Advance(problem, share);
    const bool follows = round < kFollowing;
    report.agrees = Agrees(problem);
    if (fits && (report.agrees || !follows)) {
      const bool lower = !report.agrees && lowerings++ < kLowerings;
      if (!lower || !LowerShifts(problem)) {
        report.solved = true;
        break;
      }
    }
    if (follows) {
      // Less and less: all of the way goes to and fro in jammed piles.
      Follow(problem, 1.0 / ++report.rounds);
    }
    whole_steps = whole_steps && round < kWholeSteps;
    NextStates(problem, whole_steps);
  }
  Finish(problem, report.solved);
  return report;
}

}  // namespace limber::dynamics::solve
