// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "dynamics/dantzig.h"
#include "dynamics/internal/lanes.h"
#include "dynamics/internal/small_algebra.h"

// The linear-time solver. Bodies of an island hang on each other as trees; the
// velocity of a body is that of its parent plus what its joint lets through,
//
//     V = X V_parent + offset + sum_k column_k q_k'
//
// and what is sought minimises
//
//     phi(V) = 1/2 (V - V_free)^T M (V - V_free) + sum of the rows' potentials.
//
// Eliminating the q_k' from the leaves to the root costs the same for every
// body. docs/dynamics_tree.md derives it in these letters.

namespace limber::dynamics::internal {

/// A row fits its state if it does so to this share of its speed or impulse,
/// and of the smallest that count [m/s or N s].
inline constexpr double kRowTolerance = 1e-12;
inline constexpr double kSmallestRow = 1e-3;

/// One direction of a joint that is not simply held: q' is its speed, lambda
/// the impulse along it. Up to three rows act on it: a main row (a drive, or a
/// locked row that gives way), and a lower and an upper limit of q',
///
///     main    e = q' - u + s lambda,             lo <= lambda <= hi
///     lower   e = q' - u_lower + s lambda,        lambda >= 0
///     upper   e = q' - u_upper + s lambda,        lambda <= 0
///
/// What all passes over the rows read of a limit is in two lines of the caches,
/// and what a drive of a ball joint needs comes first.
struct alignas(64) TreeCoordinate {
  Vec angular;         ///< Column, at the reference point of the node.
  double guess = 0.0;  ///< q' before the solve.
  double u = 0.0;
  double s = 0.0;
  double lo = 0.0;
  double hi = 0.0;

  // State: -1 at lo, 0 interior, 1 at hi; limit -1 lower holds, 1 upper holds.
  int main_state = 0;
  int limit_state = 0;
  /// The main row goes on in this one of TreeSolver::other_rows, or -1.
  int other = -1;
  int mode = kNoMode;  ///< The states that the numbers below are for.
  bool has_main = false;
  bool has_lower = false;
  bool has_upper = false;
  bool closes = false;  ///< Held by a limit in the closing.

  // What the state means: q' = q0, or lambda = c - d (q' - q0).
  bool locked = false;
  double q0 = 0.0;
  double d = 0.0;
  double c = 0.0;

  // Answer.
  double delta = 0.0;         ///< q' - q0.
  double rate = 0.0;          ///< q'.
  double lambda = 0.0;        ///< Sum over its rows.
  double main_impulse = 0.0;  ///< Part of the main row.
  double limit_impulse = 0.0;

  // Limits.
  double u_lower = 0.0;
  double u_upper = 0.0;
  double current = 0.0;  ///< q' of the line search's base.

  // Joints with shifts, and the factor of single directions.
  double s_limit = 0.0;
  Vec linear;  ///< Column.
  Vec U_linear;
  Vec U_angular;
  double inverse_D = 0.0;
  double y = 0.0;
  double s_lent = 0.0;   ///< Softness of hard limits beside contacts,
  double s_brake = 0.0;  ///< and of hard brakes.
  Vec row;  ///< Joints that only turn, but balls: q' = row . (w - w_parent).

  bool has_bounds() const {
    return has_main && (lo > -kInfiniteImpulse || hi < kInfiniteImpulse);
  }
  /// No row acts along it.
  bool Idle() const { return d == 0.0 && c == 0.0; }
  bool bounded() const { return has_lower || has_upper || has_bounds(); }
  static constexpr double kInfiniteImpulse = 1e300;
  static constexpr int kNoMode = -100;
};

/// A main row that begins at one of the bounds of that of a coordinate, which
/// then takes it in its place. Together they are a drive with friction.
struct TreeOtherRow {
  double u = 0.0;
  double s = 0.0;
  double lo = 0.0;
  double hi = 0.0;
};

/// A row on one body of the tree and bodies whose motion is given, soft.
struct TreeBodyRow {
  int node = 0;
  Vec linear;  ///< J at the reference point.
  Vec angular;
  double u = 0.0;  ///< The part of given motions taken off.
  double s = 0.0;  ///< Positive.
  double lo = 0.0;
  double hi = 0.0;
  int state = 0;
  double lambda = 0.0;
  double rate = 0.0;
  double current = 0.0;
  double push = 0.0;     ///< Displacement asked of the next closing,
  bool contact = false;  ///< in which contacts that press take part.
  double room = 0.0;     ///< Normals: what the step leaves between the bodies.
  bool in_cone = false;  ///< One of the two friction rows of a cone.
};

/// A point of contact: what its body rows obey together. With z = rate - u,
///
///     normal    lambda_0 = max(0, -z_0 / s)
///     cone      lambda_t = -z_t / s , shortened to |lambda_t| <= mu bound
///     others    lambda_k = -z_k / s_k within -+ mu_k bound
///
/// where the bound follows lambda_0.
struct TreeContact {
  enum class Friction { kLoose, kSticks, kSlides };

  int first_row = 0;
  int num_rows = 1;
  bool cone = true;       ///< Else rows 1 and 2 are bounded each on its own.
  double response = 0.0;  ///< J W J^T of the normal row for the body alone.
  double mu[6] = {};      ///< By row.
  double bound = 0.0;     ///< The lambda_0 that the bounds are taken of.
  Friction friction = Friction::kLoose;

  // The two rows of a cone along the axes they came with. While sliding the
  // first row is turned to the slip.
  Vec linear[2], angular[2];
  double u[2] = {};
  double s = 0.0;
  double cosine = 1.0, sine = 0.0;
  double current[2] = {};  ///< z_t of the line search's base.
};

/// Three rows along the world's axes on the velocity of one point of a body,
/// soft, equal and without bounds: lambda = (u - rate) / s.
struct TreePointRow {
  int node = 0;
  Vec arm;  ///< From the reference point.
  Vec rate_bias;
  Vec u;
  double s = 0.0;          ///< Positive.
  double stiffness = 0.0;  ///< 1/s.
  Vec lambda;
  Vec rate;
  Vec current;
};

/// A row that fits neither a joint of the tree nor one body: closes a loop,
/// joins two bodies in another way, is hard, or is bounded by another row.
struct TreeAuxRow {
  int first_entry = 0;
  int num_entries = 0;
  double u = 0.0;
  double s = 0.0;
  double lo = 0.0;
  double hi = 0.0;
  int normal = -1;
  double mu = 0.0;
  LcpRowState state = LcpRowState::kInterior;
  bool dependent = false;  ///< On the joints: it changes nothing.
  bool idle = false;       ///< One-sided, open, and left out of the last solve.
  double lambda = 0.0;
  double rate = 0.0;
  double current = 0.0;
};
struct TreeAuxEntry {
  int node = 0;
  Vec linear;
  Vec angular;
};

/// A body of the trees and how it hangs on its parent. A long chain does not
/// fit the caches, and each line touched counts: what the sweep up reads and
/// writes comes first, what the sweep down does overlaps it, and what limp ball
/// joints do not need is at the end. The passes in which node does not wait for
/// node read the numbers of four nodes at once, by the places below.
struct alignas(64) TreeNode {
  enum class Kind { kRigid, kFreeBall, kSoftBall, kMixed, kFreeRoot };

  // Set before a solve.
  double mass = 0.0;
  Sym inertia;  ///< About the mass centre, in world axes.
  Vec r;        ///< Mass centre - reference point.

  // f, t: momentum that V* lacks at the reference point, with that of all that
  // hangs on the node; after the sweep up without the joint's own directions.
  Vec t;

  // Structure.
  int parent = -1;
  int first_coordinate = 0;
  int num_coordinates = 0;
  Kind kind = Kind::kRigid;
  bool free_root = false;  ///< No joint to a parent.
  bool ball = false;   ///< Three coordinates that turn about orthogonal axes.
  bool turns = false;  ///< No coordinate shifts: their linear columns are 0.
  bool limp_ball = false;  ///< As `ball`, but nothing acts along them.
  /// As `ball`, with three drives that have one softness and are inside their
  /// bounds: held as one, or giving way as one. They have no coordinates, but
  /// stand in TreeSolver::balls, until one of them is not inside any more. Not
  /// in islands that touch something.
  bool simple = false;
  bool dirty = true;    ///< M is not that of the present rows.
  bool loaded = false;  ///< M holds what the children pass on.

  Vec f;
  Vec l;  ///< Joint point - reference point of the parent.

  // Factor.
  Vec y;
  BlockInertia M;  ///< With all that hangs on the node; after the elimination
                   ///< without the joint's own directions (kFreeBall: A, and W
                   ///< and D^-1 in the places of H and C).

  Vec offset_linear;  ///< Of V, by the held directions.
  // Prediction V*, and the answer V - V*.
  Vec x, w;
  Vec dx, dw;
  Vec F;  ///< Impulse of the joint on the body, at the reference point.
  Vec free_v, free_w;  ///< V_free at the mass centre.
  Vec T;               ///< As F.
  Vec q0;              ///< Turn of simple drives, in world axes,
  double d = 0.0;      ///< and what they, or a soft ball, give way with.

  // What limp ball joints do not need.
  Sym inverse_D;
  Mat W;
  Vec c;
  Vec base_x, base_w;        ///< Given motion of a root's parent at the joint.
  Vec offset_angular;        ///< Of V, by the held directions.
  Vec current_v, current_w;  ///< The line search's base, at the mass centre.

  void Load(const BlockInertia& block) {
    if (loaded) {
      M += block;
    } else {
      M = block;
    }
    loaded = true;
  }

  /// Velocity of the mass centre and spin that the last solve gave.
  Vec NewSpin() const { return w + dw; }
  Vec NewVelocity() const { return x + dx + Cross(w + dw, r); }
};
inline constexpr std::size_t kNodeInertia = 1, kNodeR = 7, kNodeL = 19,
                             kNodeOffset = 46, kNodeX = 49, kNodeForce = 61,
                             kNodeFree = 64, kNodeTorque = 70, kNodeDrive = 73;
static_assert(offsetof(TreeNode, inertia) == kNodeInertia * sizeof(double));
static_assert(offsetof(TreeNode, r) == kNodeR * sizeof(double));
static_assert(offsetof(TreeNode, l) == kNodeL * sizeof(double));
static_assert(offsetof(TreeNode, offset_linear) ==
              kNodeOffset * sizeof(double));
static_assert(offsetof(TreeNode, x) == kNodeX * sizeof(double));
static_assert(offsetof(TreeNode, F) == kNodeForce * sizeof(double));
static_assert(offsetof(TreeNode, T) == kNodeTorque * sizeof(double));
static_assert(offsetof(TreeNode, free_v) == kNodeFree * sizeof(double));
static_assert(offsetof(TreeNode, q0) == kNodeDrive * sizeof(double));

/// Ball joints of four nodes in turn.
struct TreeBallBlock {
  MatLanes R_WF;  ///< Axes as columns.
  Lane sign;      ///< -1: the body is the joint's parent.
  // Drives of the nodes that are simple.
  LaneMask simple;
  VecLanes u;  ///< About the axes.
  Lane s;
  VecLanes most;    ///< Bounds of lambda are - and + this.
  VecLanes lambda;  ///< Answer.
};

/// Trees of one island, their rows, and the solver. Whoever steps fills the
/// nodes and rows anew for every solve; nothing here allocates once the sizes
/// are known.
class TreeSolver {
 public:
  std::vector<TreeNode> nodes;  ///< Parents before children, by depth.
  std::vector<TreeCoordinate> coordinates;
  std::vector<TreeOtherRow> other_rows;
  std::vector<TreeBallBlock> balls;  ///< Four nodes each.
  std::vector<TreeBodyRow> body_rows;
  std::vector<TreeContact> contacts;
  std::vector<TreePointRow> point_rows;
  std::vector<TreeAuxRow> aux_rows;
  std::vector<TreeAuxEntry> aux_entries;

  int factorisations = 0;
  int solves = 0;
  double residual = 0.0;  ///< Of the aux rows, as `LcpResidual`; the others
                          ///< have `RowsResidual`.
  LcpStatus status = LcpStatus::kSolved;
  /// To be set between `Start` and the first `StartNode`: the island touches
  /// something, and is solved as docs/contact_world.md says. Hard limits are
  /// lent some softness then.
  bool touching = false;
  int friction_rounds = 0;       ///< Of `contacts` in the last solve,
  bool friction_settled = true;  ///< and whether bounds and impulses agree.
  int capped = 0;                ///< Solves that ended before all rows fitted.

  /// A new problem: `Start`, then `StartNode` for every node in turn once it is
  /// filled, then the rows beside the joints.
  void Start();
  void StartNode(int i);
  void StartLimpBall(TreeNode& node);
  /// Another inertia of a node after `StartNode`.
  void ChangeInertia(int i, const Sym& inertia);
  /// Finds states and impulses of all rows, starting from the states they
  /// carry. False if it did not get there; whoever calls then takes the dense
  /// solver. `changed`: free velocities are not those that `StartNode` saw.
  bool SolveBounded(bool changed = false);

  /// One solve in the states the rows carry, for a first answer and a factor;
  /// `touching` only. `SolveGuessed` goes on from there.
  bool Guess(bool changed = false);
  bool SolveGuessed() { return SolveTouching(Begin::kSolved); }

  /// The same problem with other bounds of body rows, from the states and with
  /// the factor there are.
  bool SolveOtherBounds();

  /// The same problem with other offsets and targets, all states as they are:
  /// one more solve with the factor there is. False if the states do not fit.
  bool Resolve();

  /// (dx, dw) of the nodes `touched` for a unit impulse on each, at their
  /// reference points, with the factor and in the states of the last solve.
  /// That of node c for one on node b stands at c * touched.size() + b. Zero
  /// where all is held; aux rows do not answer.
  void FindResponses(const std::vector<int>& touched,
                     std::vector<Matrix6>& responses);

  /// V that the offsets alone ask for, all other rows at rest: closes gaps.
  /// With the factor of the last solve, or a new one for the nodes as they are
  /// now. False if the aux rows have no answer. `predicted`: `StartClosing` has
  /// been called for every node in turn, offsets as now.
  /// The answer of a node is there once `FinishClosing` has been called for it
  /// and all before it.
  bool SolveClosing(bool factorise, bool predicted);
  void FinishClosing(int first, int end) {
    if (closing_pending_) SweepDown(first, end, true);
  }
  void StartClosing(int i);

  /// The numbers of node i; of the last one if there are not as many.
  const double* NumbersOf(std::size_t i) const {
    const TreeNode& node = nodes[std::min(i, nodes.size() - 1)];
    return reinterpret_cast<const double*>(&node);
  }
  double* NumbersOf(std::size_t i) {
    TreeNode& node = nodes[std::min(i, nodes.size() - 1)];
    return reinterpret_cast<double*>(&node);
  }

  /// z_t of a cone that the last solve left, along the axes the rows came with.
  void SlipOf(const TreeContact& contact, double z[2]) const;

  /// How far the rows of the trees are from their laws; 0 is exact.
  double RowsResidual() const;

  /// Everything held and nothing free: no factor is needed.
  bool all_held() const { return all_held_; }

 private:
  struct Root {
    double L[6][6] = {};
    double D[6] = {};
  };

  // Hard rows that have bounds are lent some softness by Newton's method.
  double Softness(const TreeCoordinate& q) const {
    if (q.s > 0.0 || !q.bounded()) return q.s;
    return touching && q.has_bounds() ? q.s_brake : soften_;
  }
  double LimitSoftness(const TreeCoordinate& q) const {
    return q.s_limit > 0.0 ? q.s_limit : touching ? q.s_lent : soften_;
  }
  /// What the states of the coordinate mean for it.
  void SetMode(TreeCoordinate& q) const;
  void KeepMode(TreeCoordinate& q) const {
    const int mode =
        3 * q.main_state + q.limit_state + (soften_ == 0.0 ? 0 : 10);
    if (mode == q.mode) return;
    SetMode(q);
    q.mode = mode;
  }
  TreeNode::Kind KindOf(TreeNode& node);
  void MarkDirty(int node);
  void MarkAllDirty();
  static void Admit(TreeCoordinate& q);
  bool IsDirty(const TreeNode& node) const { return all_dirty_ || node.dirty; }
  void PredictNode(TreeNode& node);
  void Predict();
  void PredictClosing();
  void Factorise(bool homogeneous);
  void Eliminate(TreeNode& node, const BlockInertia& M);
  struct Passed;
  void Reduce(TreeNode& node, bool homogeneous, Vec& f, Vec& t);
  /// How node i passes motions and impulses on: tree_solver_responses.cpp.
  struct Propagator {
    Matrix6 X, E;
    Matrix6 R;      ///< Work space: the answer to the impulse at hand.
    int last = -1;  ///< Of the touched nodes, that hangs on this one; or -1.
    bool above = false;
  };
  void SetPropagator(int i);
  void SetMixedPropagator(const TreeNode& node, Propagator& own) const;
  void SetTurningPropagator(const TreeNode& node, Propagator& own) const;
  void FactorRoot(const TreeNode& node, Root& root) const;
  void SolveRoot(const Root& root, TreeNode& node) const;
  void LoadRightSide();
  bool HasBodyRows() const { return !body_rows.empty() || !point_rows.empty(); }
  void AddBodyBlocks();
  void AddBodyRows();
  void FinishBodyRows();
  void SweepUp(bool homogeneous);
  void SweepDown(bool homogeneous);
  void SweepDown(int first, int end, bool homogeneous);
  template <typename Visit>
  void VisitRows(const Visit& visit) const;
  bool LoadClosing(bool factorise, bool predicted);
  bool SolveClosingAux();
  bool SolveLinear();
  bool SolvePredicted();
  bool SolveAux(bool all = false);
  static bool IsOpen(const TreeAuxRow& row, double e);
  double FreeResponse(const TreeAuxRow& row) const;
  void ApplyAux();
  bool WantsRefinement() const;
  void Refine();
  void FinishCoordinates(const TreeNode& node);
  void FinishRows();
  bool SimpleDrivesFit();
  void ExpandSimpleDrives();
  int CheckRows(bool flip);
  int CountWrong();
  /// The states that fit the last answer, up to the margins.
  void FittingStates(const TreeCoordinate& q, double speed_margin,
                     double impulse_margin, int& main_state, int& limit_state);
  /// Whether `rate` belongs to the other main row of a coordinate that has one.
  bool LiesOnOther(const TreeCoordinate& q, double rate, double margin) const;
  void TakeOther(TreeCoordinate& q);
  bool FlipUntilSolved(int most, int patience, bool predicted = false);
  bool Newton();
  bool SearchLent();
  bool TakeSoftnessBack();
  double LineSearch();
  void TakeCurrent(double alpha);
  void StatesFromCurrent();

  // Contacts: tree_solver_contacts.cpp.
  void LendSoftness(const TreeNode& node, TreeCoordinate& q) const;
  void StartContacts();
  /// What of its first solve has been done before.
  enum class Begin { kNothing, kPredicted, kSolved };
  bool SolveTouching(Begin begin);
  bool SolveOnce(Begin begin);
  void SoftenContacts();
  double ConeSoftness(const TreeContact& contact) const {
    return softer_cones_ * contact.s;
  }
  bool FitsContacts(double looser = 1.0);
  bool FollowNormals(double looser, bool half_way);
  void SetFriction(TreeContact& contact, const double z[2]);
  void SetBounds(TreeContact& contact);
  void StartCurrent();
  void ContactsFromCurrent(bool keep_sticking);
  void AnswerCurrent();

  std::vector<Root> roots_;              ///< By node; only free roots are used.
  std::vector<Propagator> propagators_;  ///< By node; empty if not asked for.
  std::vector<int> used_nodes_;
  bool all_held_ = false;
  bool nodes_held_ = false;       ///< The same for the joints alone.
  bool has_coordinates_ = false;  ///< A joint has rows of its own.
  bool has_simple_ = false;       ///< A node is `simple`.
  bool any_dirty_ = true;
  bool all_dirty_ = true;
  bool closing_pending_ = false;  ///< The way down is left to do.
  bool answered_ = false;         ///< The last solve had an answer.
  bool conflict_ = false;         ///< A rigid drive against a limit.
  double soften_ = 0.0;           ///< Softness lent to hard bounded rows.
  double softer_cones_ = 1.0;     ///< Factor on the softness of cones.
  MatrixX G_;
  VectorX aux_c_, aux_lo_, aux_hi_;
  std::vector<int> aux_normal_;
  std::vector<double> aux_mu_;
  std::vector<LcpRowState> aux_states_;
  std::vector<Vec> saved_;
  struct LineRow {
    double lambda, g, stiffness, lo, hi;
  };
  std::vector<LineRow> line_;
  struct LineCone {
    double z[2], g[2];
    double s, bound;
  };
  std::vector<LineCone> line_cones_;
  std::vector<double> targets_;  ///< By coordinate: u, while it is shifted.
  DantzigSolver dantzig_;
};

}  // namespace limber::dynamics::internal
