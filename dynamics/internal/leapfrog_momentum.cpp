// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "core/index.h"
#include "dynamics/internal/leapfrog.h"

namespace limber::dynamics::internal {

namespace {

// A^+ b. What turns about an axis without inertia is left out: bodies in a line
// that have no extent across it.
Vec SolveTurn(const Sym& A, const Vec& b) {
  const double trace = A.xx + A.yy + A.zz;
  const double determinant = A.xx * (A.yy * A.zz - A.yz * A.yz) -
                             A.xy * (A.xy * A.zz - A.yz * A.xz) +
                             A.xz * (A.xy * A.yz - A.yy * A.xz);
  constexpr double kThinnest = 1e-12;
  if (determinant > kThinnest * trace * trace * trace) return Inverse(A) * b;
  Matrix3 full;
  full << A.xx, A.xy, A.xz, A.xy, A.yy, A.yz, A.xz, A.yz, A.zz;
  const Eigen::SelfAdjointEigenSolver<Matrix3> axes(full);
  Vector3 along = axes.eigenvectors().transpose() * ToEigen(b);
  for (int i = 0; i < 3; ++i) {
    const double inertia = axes.eigenvalues()[i];
    along[i] = inertia > kThinnest * trace ? along[i] / inertia : 0.0;
  }
  return ToVec(axes.eigenvectors() * along);
}

// Largest share of the energy of the inner motion that is taken at once.
constexpr double kMostDue = 0.5;

Sym InertiaOf(const Body& body) {
  return AlongAxes(ToMat(ToQuat(body.q_WC)), ToVec(body.flow.inertia()));
}

// What the inner motion has to pay now for the energy `gain` that was given to
// an island: what exceeds, by more than a credit, the energy that the joints
// have taken.
double Due(double gain, double debt, double T) {
  return std::min(gain, debt - kCredit * T);
}

// Takes `due`, or as much of it as may be taken at once, from an inner motion
// of the energy `T_inner`, and returns the share s of its speed that is left:
//     s^2 = 1 - due / T_inner
double Pay(double due, double T_inner, double& given) {
  due = std::min(due, kMostDue * T_inner);
  if (due <= 0.0) return 1.0;
  given -= due;
  return std::sqrt(1.0 - due / T_inner);
}

void Add(Vector3& to, const Vec& change) {
  to.x() += change.x;
  to.y() += change.y;
  to.z() += change.z;
}

}  // namespace

bool IsInner(const Data& data, int r) {
  Vec force, torque;
  double size = 0.0;
  double arm = 0.0;
  bool first = true;
  Vec origin;
  for (const RowBuffer::Entry& entry : data.rows.entries(r)) {
    const Body& body = data.bodies[Index(entry.body)];
    if (!body.dynamic()) return false;
    const Vec p = ToVec(body.p_WC);
    if (first) origin = p;
    first = false;
    const Vec linear = ToVec(entry.linear);
    const Vec angular = ToVec(entry.angular);
    const Vec r = p - origin;
    force += linear;
    torque += angular + Cross(r, linear);
    const double length = std::sqrt(Dot(linear, linear));
    size += length;
    arm += std::sqrt(Dot(angular, angular)) + length * std::sqrt(Dot(r, r));
  }
  constexpr double kRounding = 1e-6;
  return Dot(force, force) <= kRounding * kRounding * size * size &&
         Dot(torque, torque) <= kRounding * kRounding * arm * arm;
}

bool IsFree(const Data& data, const Island& island) {
  for (int i = 0; i < island.num_rows; ++i) {
    const int r = island.first_row + i;
    const bool acts = data.lambda[i] != 0.0 || IsHardJointRow(data.rows.row(r));
    if (acts && !IsInner(data, r)) return false;
  }
  return true;
}

void GiveMomentum(Data& data, const Island& island, const MissingMomentum& lost,
                  bool at_kick) {
  const Vec& missing_P = lost.linear;
  if (Dot(missing_P, missing_P) == 0.0 &&
      Dot(lost.angular, lost.angular) == 0.0 && lost.energy_gained == 0.0) {
    return;
  }
  // Sums about the first body, then shifted to the mass centre c:
  //     A = sum I + m (r^2 1 - r r^T) ,   L = sum m r x v + I w
  const Vec origin = ToVec(data.bodies[Index(island.bodies.front())].p_WC);
  double mass = 0.0;
  Vec moment, P, L;
  Sym A;
  for (const int b : island.bodies) {
    const Body& body = data.bodies[Index(b)];
    const double m = body.mass.mass;
    const Vec r = ToVec(body.p_WC) - origin;
    const Vec mr = m * r;
    const Vec v = ToVec(body.v);
    mass += m;
    moment += mr;
    P += m * v;
    L += Cross(mr, v) + ToVec(body.L);
    A += InertiaOf(body);
    A += Sym{mr.y * r.y + mr.z * r.z, -mr.x * r.y, -mr.x * r.z,
             mr.x * r.x + mr.z * r.z, -mr.y * r.z, mr.x * r.x + mr.y * r.y};
  }
  const Vec c = (1.0 / mass) * moment;
  A += Sym{-moment.y * c.y - moment.z * c.z,
           moment.x * c.y,
           moment.x * c.z,
           -moment.x * c.x - moment.z * c.z,
           moment.y * c.z,
           -moment.x * c.x - moment.y * c.y};
  L -= Cross(c, P);
  const Vec missing = lost.angular - Cross(c, missing_P);
  const Vec u = SolveTurn(A, missing);
  const Vec shift = (1.0 / mass) * missing_P;

  // The turn adds the energy u . (L + missing/2), which is mostly what was lost
  // with the momentum, or the surplus that velocities at half steps have; turns
  // of bodies with their L held add some, too. The inner motion V - V_whole
  // pays, where V_whole is that of the frozen island.
  const std::size_t home = Index(island.bodies.front());
  const double turned = Dot(u, L + 0.5 * missing);
  const double gain = turned + lost.energy_gained;
  double& given = data.given_energy[home];
  given += turned;
  data.energy_bank[home] += lost.energy_gained;
  const double debt = given + data.energy_bank[home];
  Vec w_c;
  double s = 1.0;
  if (gain > 0.0 && debt > 0.0) {
    w_c = SolveTurn(A, L);
    const double T_about_c =
        KineticEnergyOf(data, island) - 0.5 * Dot(P, P) / mass;
    const double T_inner = std::max(0.0, T_about_c - 0.5 * Dot(w_c, L));
    s = Pay(Due(gain, debt, T_about_c), T_inner, given);
  }

  const Vec v_c = (1.0 / mass) * P;
  for (const int b : island.bodies) {
    Body& body = data.bodies[Index(b)];
    const Vec r = ToVec(body.p_WC) - origin - c;
    const Sym I = InertiaOf(body);
    Vec dv = shift + Cross(u, r);
    Vec dL = I * u;
    if (s < 1.0) {
      dv -= (1.0 - s) * (ToVec(body.v) - v_c - Cross(w_c, r));
      dL -= (1.0 - s) * (ToVec(body.L) - I * w_c);
    }
    Add(body.v, dv);
    Add(body.L, dL);
    if (!at_kick) continue;
    const double* i = body.inverse_inertia_W.data();
    const Vec w = Sym{i[0], i[1], i[2], i[4], i[5], i[8]} * ToVec(body.L);
    Add(data.at_kick[Index(b)].v, 0.5 * dv);
    Add(data.at_kick[Index(b)].w, 0.5 * (w - ToVec(body.w)));
    body.w = ToEigen(w);
  }
  if (!at_kick) RefreshBodies(data, island.bodies);
}

void PayForClosing(Data& data, const Island& island, double gained) {
  if (gained == 0.0) return;
  const std::size_t home = Index(island.bodies.front());
  double& bank = data.energy_bank[home];
  bank += gained;
  if (gained < 0.0 || bank < 0.0) return;
  const double T = KineticEnergyOf(data, island);
  const double s = Pay(Due(gained, bank, T), T, bank);
  if (s == 1.0) return;
  for (const int b : island.bodies) {
    Body& body = data.bodies[Index(b)];
    body.v *= s;
    body.L *= s;
  }
  RefreshBodies(data, island.bodies);
}

double KineticEnergyOf(const Data& data, const Island& island) {
  double energy = 0.0;
  for (const int b : island.bodies) {
    const Body& body = data.bodies[Index(b)];
    energy +=
        0.5 * (body.v.squaredNorm() / body.inverse_mass + body.w.dot(body.L));
  }
  return energy;
}

double SpinEnergy(const Data& data, const Island& island) {
  double energy = 0.0;
  for (const int b : island.bodies) {
    const Body& body = data.bodies[Index(b)];
    energy += 0.5 * body.w.dot(body.L);
  }
  return energy;
}

}  // namespace limber::dynamics::internal
