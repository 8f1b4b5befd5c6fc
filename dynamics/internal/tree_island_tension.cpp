// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "dynamics/internal/leapfrog.h"
#include "dynamics/internal/tension_inertia.h"
#include "dynamics/internal/tree_island.h"
#include "dynamics/internal/tree_island_parts.h"

namespace limber::dynamics::internal {

using namespace tree_parts;

// Tension inertia: joint forces at arms are a stiffness against turning, which
// no explicit step may leave out. Four bodies at a time.

namespace {

// K = (f.r) 1 - (f r^T + r f^T)/2, and n: no eigenvalue of K is below -n.
struct StiffnessLanes {
  SymLanes K;
  Lane n;
};
inline StiffnessLanes StiffnessOf(const VecLanes& f, const VecLanes& r) {
  const Lane along = Dot(f, r);
  const Lane size = SquareRoot(Dot(f, f) * Dot(r, r));
  return {{along - f.x * r.x, -0.5 * (f.x * r.y + f.y * r.x),
           -0.5 * (f.x * r.z + f.z * r.x), along - f.y * r.y,
           -0.5 * (f.y * r.z + f.z * r.y), along - f.z * r.z},
          Larger(-along, 0.5 * (size - along))};
}

inline Sym OneOf(const SymLanes& S, std::size_t k) {
  return {S.xx[k], S.xy[k], S.xz[k], S.yy[k], S.yz[k], S.zz[k]};
}

inline void AddTo(VecLanes& sum, std::size_t k, const Vec& a) {
  sum.x[k] += a.x;
  sum.y[k] += a.y;
  sum.z[k] += a.z;
}

// Whether the symmetric array is positive definite.
inline LaneMask IsPositive(const SymLanes& B) {
  const Lane zero = AllLanes(0.0);
  const Lane minor = B.xx * B.yy - B.xy * B.xy;
  const Lane determinant = B.xx * (B.yy * B.zz - B.yz * B.yz) -
                           B.xy * (B.xy * B.zz - B.yz * B.xz) +
                           B.xz * (B.xy * B.yz - B.yy * B.xz);
  return (B.xx > zero) & (minor > zero) & (determinant > zero);
}

}  // namespace

// The force of a joint that is no `ball`, by the impulses of the last step.
Vec TreeIsland::LastForce(const Link& link) const {
  Vec f;
  if (link.form < 0) return f;
  const std::span<const double> impulses = link.joint->impulses();
  if (impulses.size() < Index(link.num_held)) return f;
  for (int k = 0; k < link.num_held; ++k) {
    f += impulses[Index(k)] *
         ToVec(forms_[Index(link.form)].now.locked[Index(k)].linear);
  }
  return link.sign * f;
}

void TreeIsland::AddTension(const Data& data, double h) {
  tight_.resize(blocks_.size());
  const double per_step = 1.0 / data.last_h;
  for (const OuterRow& outer : outer_rows_) {
    if (!outer.taut || outer.last_impulse == 0.0) continue;
    for (const RowBuffer::Entry& entry : data.rows.entries(outer.row)) {
      if (!data.bodies[Index(entry.body)].dynamic()) continue;
      const StiffnessLanes pull = StiffnessOf(
          AllLanes((outer.last_impulse * per_step) * ToVec(entry.linear)),
          AllLanes(ToVec(entry.arm)));
      Stiffness& sum = stiffness_[Index(node_of_body_[entry.body])];
      sum.K += OneOf(pull.K, 0);
      sum.n += pull.n[0];
    }
  }
  // From the leaves: what hangs on a body pulls at it first.
  for (std::size_t n = blocks_.size(); n-- > 0;) {
    AddTension(data, n, per_step, h);
  }
}

// The forces of the last step at their present places, on the bodies of block n
// and on those they hang on; then the inertias of the former.
void TreeIsland::AddTension(const Data& data, std::size_t n, double per_step,
                            double h) {
  const Block& block = blocks_[n];
  TightBlock& tight = tight_[n];
  tight.which = LaneMask{};
  // No eigenvalue of K exceeds the sum of |f| |r|: only bodies for which this
  // bound is not small are looked at.
  const auto concerned = [this](std::size_t i) {
    return taut_outer_rows_ || tension_[i] >= least_inertia_[i];
  };
  // The last node fills what is left of the last block, and is the same there.
  const std::size_t first = kLanes * n;
  const std::size_t count = std::min(kLanes, links_.size() - first);
  std::array<std::size_t, kLanes> at;
  std::array<int, kLanes> pulled;
  std::array<long long, kLanes> mask;
  bool any = false;
  ConstPlaces parents;
  for (std::size_t k = 0; k < kLanes; ++k) {
    const std::size_t i = at[k] = first + std::min(k, count - 1);
    mask[k] = concerned(i) ? -1 : 0;
    const int parent = solver_.nodes[i].parent;
    pulled[k] = parent >= 0 && concerned(Index(parent)) ? parent : -1;
    parents[k] = solver_.NumbersOf(parent >= 0 ? Index(parent) : i);
    any = any || mask[k] != 0 || pulled[k] >= 0;
  }
  if (!any) return;
  LaneMask own = {mask[0], mask[1], mask[2], mask[3]};

  VecLanes f = block.sign * (solver_.balls[n].R_WF * block.lambda);
  for (std::size_t k = 0; k < kLanes; ++k) {
    if (block.ball[k] == 0) SetOne(f, k, LastForce(links_[at[k]]));
  }
  f = per_step * f;
  const ConstPlaces places = Read(NodePlaces(n));
  const FourLanes a = Gather(places, kNodeR), b = Gather(places, kNodeL);
  const VecLanes r = {a.a, a.b, a.c};
  const VecLanes l = {b.a, b.b, b.c};
  const FourLanes r_P = Gather(parents, kNodeR);
  const StiffnessLanes pull =
      StiffnessOf(-f, l - VecLanes{r_P.a, r_P.b, r_P.c});
  for (std::size_t k = 0; k < count; ++k) {
    if (pulled[k] < 0) continue;
    Stiffness& sum = stiffness_[Index(pulled[k])];
    sum.K += OneOf(pull.K, k);
    sum.n += pull.n[k];
  }
  if (!Any(own)) return;

  StiffnessLanes sum = StiffnessOf(f, -r);
  // Numbers that were written one by one are read so.
  const Stiffness* others[] = {&stiffness_[at[0]], &stiffness_[at[1]],
                               &stiffness_[at[2]], &stiffness_[at[3]]};
  const auto four = [&](double Sym::*part) {
    return Lane{others[0]->K.*part, others[1]->K.*part, others[2]->K.*part,
                others[3]->K.*part};
  };
  sum.K += SymLanes{four(&Sym::xx), four(&Sym::xy), four(&Sym::xz),
                    four(&Sym::yy), four(&Sym::yz), four(&Sym::zz)};
  sum.n += Lane{others[0]->n, others[1]->n, others[2]->n, others[3]->n};
  std::fill_n(stiffness_.begin() + static_cast<std::ptrdiff_t>(first), count,
              Stiffness{});
  // pos(K) <= K + n 1: if I - h^2 beta (K + n 1) is positive definite, the
  // inertia stays as it is.
  const FourLanes i = Gather(places, kNodeInertia);
  const FourLanes j = Gather(places, kNodeInertia + 4);
  const SymLanes I = {i.a, i.b, i.c, i.d, j.a, j.b};
  const double g = h * h * kBeta;
  const SymLanes& K = sum.K;
  const LaneMask loose = IsPositive(
      {I.xx - g * (K.xx + sum.n), I.xy - g * K.xy, I.xz - g * K.xz,
       I.yy - g * (K.yy + sum.n), I.yz - g * K.yz, I.zz - g * (K.zz + sum.n)});
  own &= ~loose;
  if (!Any(own)) return;
  const ConstPlaces states = StatesAt(data, block.body);
  const FourLanes q = Gather(states, 0);
  const SymLanes added = AddedTensionInertia(
      block.inertia, ToMat(QuatLanes{q.d, q.a, q.b, q.c}), K, h);
  own &= added.xx + added.yy + added.zz > AllLanes(0.0);
  if (!Any(own)) return;
  any_tight_ = true;
  tight.which = own;
  tight.inertia = I;
  const FourLanes w = Gather(states, kStateW);
  tight.w_before = {w.a, w.b, w.c};
  for (std::size_t k = 0; k < count; ++k) {
    if (own[k] == 0) continue;
    Sym I_eff = OneOf(I, k);
    I_eff += OneOf(added, k);
    solver_.ChangeInertia(static_cast<int>(first + k), I_eff);
  }
}

// No torques but those of the outer rows.
void TreeIsland::StartTorques(const Data& data) {
  for (TightBlock& tight : tight_) tight.torque = AllLanes(Vec{});
  for (const OuterRow& outer : outer_rows_) {
    if (!outer.hard) continue;
    const double lambda = solver_.aux_rows[Index(outer.index)].lambda;
    for (const RowBuffer::Entry& entry : data.rows.entries(outer.row)) {
      if (!data.bodies[Index(entry.body)].dynamic()) continue;
      const std::size_t i = Index(node_of_body_[entry.body]);
      AddTo(tight_[i / kLanes].torque, i % kLanes,
            lambda * ToVec(entry.angular));
    }
  }
}

// Torques of the hard rows about the mass centres of the bodies of block n that
// are tight, and on those they hang on; to be called from the leaves. Returns
// what the tension inertia keeps back of the work.
Lane TreeIsland::ReadTightTorques(std::size_t n) {
  const std::size_t first = kLanes * n;
  const std::size_t count = std::min(kLanes, links_.size() - first);
  const std::vector<TreeNode>& nodes = solver_.nodes;
  TightBlock& tight = tight_[n];
  const ConstPlaces places = Read(NodePlaces(n));
  const FourLanes a = Gather(places, kNodeR);
  const FourLanes F = Gather(places, kNodeForce);
  VecLanes own = -Cross(VecLanes{a.a, a.b, a.c}, VecLanes{F.a, F.b, F.c});
  for (std::size_t k = 0; k < count; ++k) {
    const TreeNode& node = nodes[first + k];
    Vec force = node.F;
    Vec torque;
    if (blocks_[n].ball[k] == 0) {
      force = Vec{};
      const Link& link = links_[first + k];
      for (int row = 0; row < link.num_held; ++row) {
        const Form& form = forms_[Index(link.form)];
        const JointForm::Locked& locked = form.now.locked[Index(row)];
        const double lambda = link.sign * form.held[row].lambda;
        force += lambda * ToVec(locked.linear);
        torque += lambda * ToVec(locked.angular);
      }
      SetOne(own, k, torque - Cross(node.r, force));
    }
    if (node.parent < 0) continue;
    const std::size_t p = Index(node.parent);
    TightBlock& parent = tight_[p / kLanes];
    if (parent.which[p % kLanes] == 0) continue;
    AddTo(parent.torque, p % kLanes,
          -(torque + Cross(node.l - nodes[p].r, force)));
  }
  if (!Any(tight.which)) return AllLanes(0.0);
  // The last node fills what is left of the last block.
  for (std::size_t k = count; k < kLanes; ++k) {
    SetOne(tight.torque, k, OneOf(tight.torque, count - 1));
    SetOne(own, k, OneOf(own, count - 1));
  }
  tight.torque += own;
  return KeptBack(n, tight.torque, NewSpins(n));
}

// Spins that the last solve gave.
inline VecLanes TreeIsland::NewSpins(std::size_t n) const {
  const ConstPlaces places = {
      solver_.NumbersOf(kLanes * n), solver_.NumbersOf(kLanes * n + 1),
      solver_.NumbersOf(kLanes * n + 2), solver_.NumbersOf(kLanes * n + 3)};
  const FourLanes w = Gather(places, kNodeX + 3);
  const FourLanes dw = Gather(places, kNodeX + 9);
  return {w.a + dw.a, w.b + dw.b, w.c + dw.c};
}

void TreeIsland::KeepFirstTorques() {
  for (std::size_t n = 0; n < tight_.size() && any_tight_; ++n) {
    tight_[n].first_torque = tight_[n].torque;
    tight_[n].first_w = NewSpins(n);
  }
}

// w . (I I_eff^-1 - 1) torque, w the mean of the spins before and after.
Lane TreeIsland::KeptBack(std::size_t n, const VecLanes& torque,
                          const VecLanes& w_after) const {
  const TightBlock& tight = tight_[n];
  const ConstPlaces places = {
      solver_.NumbersOf(kLanes * n), solver_.NumbersOf(kLanes * n + 1),
      solver_.NumbersOf(kLanes * n + 2), solver_.NumbersOf(kLanes * n + 3)};
  const FourLanes i = Gather(places, kNodeInertia);
  const FourLanes j = Gather(places, kNodeInertia + 4);
  const SymLanes I_eff = {i.a, i.b, i.c, i.d, j.a, j.b};
  const VecLanes w = 0.5 * (tight.w_before + w_after);
  return tight.which & blocks_[n].real
             ? Dot(w, tight.inertia * (Inverse(I_eff) * torque) - torque)
             : AllLanes(0.0);
}

// What the tension inertia keeps back of the work of the hard rows.
double TreeIsland::TightWork(bool first_lambda, bool first_rate) const {
  Lane work = AllLanes(0.0);
  for (std::size_t n = 0; n < tight_.size() && any_tight_; ++n) {
    const TightBlock& tight = tight_[n];
    if (!Any(tight.which)) continue;
    work += KeptBack(n, first_lambda ? tight.first_torque : tight.torque,
                     first_rate ? tight.first_w : NewSpins(n));
  }
  return Sum(work);
}

// The inertia of a node without what tension adds.
Sym TreeIsland::PlainInertia(std::size_t i) const {
  if (any_tight_ && tight_[i / kLanes].which[i % kLanes] != 0) {
    return OneOf(tight_[i / kLanes].inertia, i % kLanes);
  }
  return solver_.nodes[i].inertia;
}

}  // namespace limber::dynamics::internal
