// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "dynamics/angle_limits.h"
#include "dynamics/internal/body_lanes.h"
#include "dynamics/internal/body_table.h"
#include "dynamics/internal/tree_solver.h"
#include "dynamics/joint.h"
#include "dynamics/joints/ball_joint.h"

namespace limber::dynamics::internal {

struct Data;
struct Island;
struct StateLanes;

/// One island as trees: which joint holds which body, and the leapfrog's two
/// solves, the kick and the closing, by the tree solver. In lines of the cache
/// of its own, since one thread steps it.
class alignas(64) TreeIsland {
 public:
  /// Finds the trees of `island`, whatever solver is used. False if its bodies
  /// or constraints do not suit the tree solver.
  bool Build(Data& data, const Island& island);

  /// The same for one body that no constraint acts on, and that suits the tree
  /// solver. Such a body leaves nothing here from step to step, so that one
  /// object serves all of them in turn. Does not allocate when it has served
  /// one before.
  void BuildLone(const Data& data, int body);

  /// The kick: changes velocities, impulses and the memory of the rows. False,
  /// with nothing changed, if no answer was found.
  bool Kick(Data& data, Island& island, double kick, double h);

  /// The kick in three parts, for islands that touch others: between them
  /// `AddLoad` gives bodies the impulses of such contacts.
  bool BeginKick(Data& data, Island& island, double kick, double h);
  bool SolveRows(Data& data, const Island& island);
  /// The rows once more, after a change of loads. Without one, what
  /// `SolveRows` began for islands that touch others is brought to an end.
  bool SolveLoaded(Data& data, const Island& island, bool changed);
  /// The rows of limits for the end of the step, loads as they are.
  bool LookAgain(Data& data, Island& island, double kick, double h);
  bool EndKick(Data& data, Island& island, double kick, double h);
  /// Also where the work of the joints could not be limited.
  void EndKickAnyway(Data& data, Island& island, double kick, double h);

  /// Impulse, and angular impulse about the mass centre, on a body.
  void AddLoad(int body, const Vec& linear, const Vec& angular);
  void TakeLoadsOff();
  /// Where the rows of contacts with other islands act: J of a row on a body,
  /// given at the mass centre, at the reference point of its node.
  Vector6 AtReference(int body, const Vec& linear, const Vec& angular) const;
  /// Velocity of that point, and spin, that the last solve gave.
  Vector6 Velocity(int body) const;
  /// Before the kick [J].
  double kinetic_energy() const { return energy_; }
  /// Nothing acts in the kick under way but joints, limits, dampers, contacts.
  bool passive() const { return solver_.touching; }
  int NodeOf(int body) const { return node_of_body_[body]; }
  /// See TreeSolver.
  void FindResponses(const std::vector<int>& nodes,
                     std::vector<Matrix6>& responses) {
    solver_.FindResponses(nodes, responses);
  }

  /// Moves the bodies for `h` seconds and closes the gaps of the hard rows.
  void DriftAndClose(Data& data, Island& island, double h);

  /// Whether a hard drive acts along every free direction. While all of them
  /// stay within their bounds, such an island cannot run away by itself, and
  /// its joints need no energy bank.
  bool FullyDriven() const;

  /// What rows ask of the place to which free drift would take the bodies.
  enum class Prediction { kNone, kRotations, kPoses };
  /// Sees which drives the joints have in this step; to be called before every
  /// kick. Returns what they ask for.
  Prediction ReadDrives();
  /// Fills `data.predicted` of the bodies.
  void Predict(Data& data, double h, bool rotations_only) const;

 private:
  /// A hard locked row of a joint.
  struct HeldRow {
    double rate = 0.0;     ///< Before the kick.
    double u = 0.0;        ///< Its target,
    double share_u = 0.0;  ///< and the one in use.
    double lambda = 0.0;
  };
  /// How node i hangs on its parent. What a kick reads of ball joints is in the
  /// first line of the cache.
  struct alignas(64) Link {
    int body = 0;
    int parent_body = -1;  ///< -1: free root.
    Joint* joint = nullptr;
    const BallJoint* ball = nullptr;  ///< About the axes of F.
    int num_held = 0;                 ///< Hard locked rows.
    int num_drives = 0;  ///< Ball joints: free directions with a drive.
    bool aims = false;   ///< One of them asks for a position.
    bool alike = false;  ///< Three of one kind and softness.
    bool hard = false;   ///< Locked rows are hard.
    bool euler = false;  ///< A ball joint about the axes of a sequence.
    const BallJoint* sequence = nullptr;  ///< The same with angles.
    int form = -1;      ///< Joints that are no `ball`: index into forms_.
    double sign = 1.0;  ///< -1: the body is the joint's parent.
    int constraint = -1;
    int joint_parent = 0;  ///< Bodies of the joint.
    int joint_child = 0;
    bool slow = false;        ///< `euler`, and turns little in this step.
    bool from_kick = false;   ///< The closing knows its angles by the kick.
    Vec p_PF, p_BM;           ///< Of the joint.
    double own_arm = 0.0;     ///< Mass centre of the body to the joint,
    double parent_arm = 0.0;  ///< and mass centre of the parent.

    /// Where the joint is in the frames of the two bodies.
    const Vec& OwnPoint() const { return sign > 0.0 ? p_BM : p_PF; }
    const Vec& PointOfParent() const { return sign > 0.0 ? p_PF : p_BM; }
  };
  /// Four nodes in turn, for the work that every body and every ball joint does
  /// by itself. The last node fills what is left of the last block.
  struct Block {
    std::array<int, kLanes> body;
    std::array<int, kLanes> parent_body;   ///< Of a free root itself.
    std::array<int, kLanes> joint_parent;  ///< As Link's, or the body itself.
    std::array<int, kLanes> joint_child;
    LaneMask real;  ///< 0 for what only fills the block.
    FrameLanes frames;
    FlowLanes flow;
    Lane mass;         ///< 0 for what only fills the block.
    VecLanes inertia;  ///< Principal.
    // Where the joint is, from the mass centre and in the axes of C.
    VecLanes own_point;     ///< Of the body,
    VecLanes parent_point;  ///< and of that on which it hangs.

    // Ball joints: links that are `ball`.
    LaneMask ball;
    bool has_balls = false;
    bool backward = false;  ///< Some sign is -1.
    bool parallel = true;   ///< All R_CF = 1.
    Lane sign;
    Lane own_arm, parent_arm;  ///< As Link's.
    MatLanes R_CF;             ///< C of the joint's parent.
    QuatLanes q_PF, q_BM;
    // Drives that are alike about the three axes.
    LaneMask spring, position;
    Lane softness, stiffness, damping;
    VecLanes speed, most_force;
    // The kick under way: held rows, in axes of F.
    VecLanes rate, u;
    VecLanes lambda;  ///< Of the last step until the rows are solved.

    // The pose before a closing that may be taken back.
    QuatLanes q_before;
    VecLanes p_before;
  };
  /// Four nodes in turn, some of whose bodies tension inertia is added to.
  struct TightBlock {
    LaneMask which;
    SymLanes inertia;  ///< Without it.
    VecLanes w_before;
    VecLanes torque;  ///< Of all hard rows, about the mass centre.
    VecLanes first_torque, first_w;
  };
  /// Against turning, by forces that act on one body.
  struct Stiffness {
    Sym K;
    double n = 0.0;  ///< No eigenvalue of K is below -n.
  };
  /// What joints other than `ball` need besides.
  struct Form {
    JointForm now;
    Vec column_linear[6];
    Vec column_angular[6];
    HeldRow held[6];
    double first_lambda[6] = {};  ///< Where a solve is repeated.
  };
  /// What four ball joints are told at the start of a kick, by `EvaluateBalls`.
  struct BallStart {
    VecLanes from_parent;   ///< Reference point - mass centre of the parent.
    Lane force;             ///< h^2 beta |f| of the last step.
    VecLanes guess, error;  ///< Of the drives: q' now, C after free drift.
  };
  /// A constraint that is no link.
  struct Outer {
    int constraint = 0;
    int point = -1;       ///< Its row in point_rows, if it has this form.
    bool closes = false;  ///< May have rows whose gaps are closed.
    AngleLimits* limits = nullptr;  ///< Itself, if it is such,
    bool looked_at = false;         ///< and whether it turns fast.
    bool force = false;             ///< Rows of a force.
  };
  struct OuterRow {
    int row = 0;  ///< In Data::rows.
    bool aux = false;
    int index = 0;  ///< In aux_rows or body_rows.
    bool hard = false;
    bool taut = false;  ///< A joint or a stiff spring: see AddTension.
    double rate = 0.0;
    double u = 0.0;
    double last_impulse = 0.0;
    double rest = 0.0;  ///< The u that holds C' at 0.
    double first_lambda = 0.0;
  };

  void ReadBallDrives(std::size_t i);
  Lane StartBodies(const Data& data, std::size_t n, const StateLanes& state,
                   const MatLanes& R_WC, double kick);
  bool EvaluateBalls(const Data& data, std::size_t n, const StateLanes& own,
                     const MatLanes& own_R, double tension_scale, double kick,
                     double h, BallStart& start);
  bool StartBall(const Data& data, std::size_t i, const BallStart& start);
  void StartDrives(const Data& data, std::size_t i, const BallStart& start,
                   double kick, double h);
  void StartFriction(const PoweredAxis& axis, double last_force, double kick,
                     TreeCoordinate& q);
  void ReadBallImpulses();
  double BallWork(bool first_lambda, bool first_rate) const;
  void ApplyBallTargets();
  int StoreBall(std::size_t i, double kept);
  void TakeVelocities(const Data& data, std::size_t n, double h,
                      StateLanes& state) const;
  void StoreBodies(Data& data, std::size_t n, double h, StateLanes& state);
  void StoreJoints(Data& data, std::size_t n, double h);
  void KeepInstants(Data& data, const Block& block, const VecLanes& v_before,
                    const VecLanes& w_before, const StateLanes& state) const;
  Places NodePlaces(std::size_t n) {
    return {solver_.NumbersOf(kLanes * n), solver_.NumbersOf(kLanes * n + 1),
            solver_.NumbersOf(kLanes * n + 2),
            solver_.NumbersOf(kLanes * n + 3)};
  }
  ConstPlaces NodePlaces(std::size_t n) const {
    return {solver_.NumbersOf(kLanes * n), solver_.NumbersOf(kLanes * n + 1),
            solver_.NumbersOf(kLanes * n + 2),
            solver_.NumbersOf(kLanes * n + 3)};
  }
  void EvaluateJoint(const Data& data, int i, bool history, double kick,
                     double h);
  void SetBase(const Data& data, int i, const Vec& reference);
  int AddPointRow(const Data& data, const Constraint& constraint, double h);
  void AddOuterRows(Data& data, Island& island, double kick, double h);
  void AddContactRows(const Data& data, const Island& island);
  bool TurnsFast(const Data& data, const AngleLimits& limits, double h) const;
  void GoAhead(Data& data, double h) const;
  void AddLookedAt(Data& data, double time, RowBuffer& rows) const;
  bool AddForeseen(Data& data, Island& island, double kick, double h);
  bool BendTargets(Data& data, double h);
  bool IsPassive() const;
  bool SettleFriction(Data& data, const Island& island);
  void ReportFriction(Data& data) const;
  void StoreContacts(Data& data, const Island& island);
  bool SetPushes(Data& data, const Island& island);
  void SetRooms(const Data& data, const Island& island, double h);
  bool MeetContacts();
  Vec LastForce(const Link& link) const;
  void AddTension(const Data& data, double h);
  void AddTension(const Data& data, std::size_t n, double per_step, double h);
  Lane ReadTightTorques(std::size_t n);
  void StartTorques(const Data& data);
  Lane KeptBack(std::size_t n, const VecLanes& torque,
                const VecLanes& w_after) const;
  void KeepFirstTorques();
  double TightWork(bool first_lambda, bool first_rate) const;
  Sym PlainInertia(std::size_t i) const;
  VecLanes NewSpins(std::size_t n) const;
  void ApplyTargets(double share);
  void ReadImpulses(const Data& data);
  bool LimitWork(Data& data, Island& island);
  double Work(bool first_lambda, bool first_rate) const;
  double KeptShare(const Data& data, const Link& link, double h) const;
  int StoreLink(const Data& data, std::size_t i, double h);
  void StoreOuterRows(Data& data);
  bool IsFree(const Data& data, const Island& island) const;
  /// When the gaps are looked at: after the drift, after a closing with the
  /// kick's factor, or for one with a new factor.
  enum class Closing { kFirst, kAgain, kAnew };
  double SetClosing(Data& data, Island& island, Closing closing, double h);
  double AddClosingRow(const Data& data, const Outer& outer, int r, int i,
                       double h);
  /// Whether joints may mirror the rates of limbs that whirl: nothing acts
  /// beside them and their drives, or the island is passive, whose solver sees
  /// to its energy.
  bool JointsAlone() const {
    return outer_.empty() && (!beside_contacts_ || solver_.touching);
  }
  double LargestWaitingGap(double h) const;
  double Drift(Data& data, double h, bool asks);
  struct Moved {
    double largest = 0.0;  ///< Square of the largest shift or turn,
    double turn = 0.0;     ///< and of the largest turn.
    double height = 0.0;   ///< m g . shift [J].
    Vec missing;           ///< Angular momentum that the shifts took.
  };
  void MoveBodies(double share, Data& data, Moved& moved);
  void SetUpNodes(const Data& data);
  void BuildBlocks(const Data& data);
  Lane BallGap(const Block& block, const Data& data, const QuatLanes& q_WC,
               const VecLanes& p_WC, VecLanes& offset) const;
  double Move(bool factorise, bool predicted, Data& data, Island& island);
  void MoveBack(Data& data);
  void RefreshBodies(Data& data);
  void CloseGaps(double gap, bool pushes, bool predicted, Data& data,
                 Island& island, double h);

  std::vector<Link> links_;
  std::vector<Block> blocks_;
  std::vector<double> tension_;        ///< By node: bound of h^2 beta K.
  std::vector<double> least_inertia_;  ///< By node.
  std::vector<Stiffness> stiffness_;   ///< By node; 0 between kicks.
  std::vector<TightBlock> tight_;
  std::vector<VecLanes> first_lambda_;  ///< By block.
  std::vector<Form> forms_;
  JointForm predicted_;     ///< Work space.
  BodyTable node_of_body_;  ///< -1 outside.
  std::vector<Outer> outer_;
  std::vector<OuterRow> outer_rows_;  ///< Of all but the point rows.
  RowBuffer middle_rows_;             ///< Work space of a second look.
  bool hard_outer_rows_ = false;
  bool taut_outer_rows_ = false;
  std::size_t first_contact_row_ = 0;  ///< Of the body rows.
  bool has_history_ = false;           ///< Of the kick under way.
  bool beside_contacts_ = false;
  bool keeps_limits_ = false;    ///< The closing under way knows `limits`.
  bool limit_surprise_ = false;  ///< The drift passed a limit that was open.
  struct Free {
    Vec v, w;
  };
  std::vector<Free> unloaded_;  ///< V_free by node; empty without loads.
  bool has_damping_ = false;
  bool only_balls_ = true;  ///< Joints let turn about all axes, and no more.
  bool any_tight_ = false;
  double mass_ = 0.0;             ///< Of all bodies.
  double energy_ = 0.0;           ///< Kinetic, before the kick.
  double impulse_squares_ = 0.0;  ///< Of the links' hard rows,
  double plain_work_ = 0.0;       ///< and the work of the joints.
  double share_ = 1.0;            ///< Of the targets of the hard rows.
  double kick_ = 0.0;             ///< Length of the last kick [s].
  bool stored_ = false;           ///< Its velocities are with the bodies.
  double gap_left_ = 0.0;         ///< Largest that waits to be closed [m],
  double gap_growth_ = 0.0;       ///< and what the last step added to it.
  bool closing_started_ = false;  ///< The drift set out on the closing,
  bool refreshed_ = false;        ///< or took the bodies for done.
  double largest_turn_ = 0.0;     ///< h |w| of the last kick.
  double longest_arm_ = 0.0;      ///< Of a ball joint.
  bool held_ = false;             ///< A joint goes to a body that is given.
  Vec missing_;                   ///< Angular momentum that the closing took.
  double closing_gain_ = 0.0;     ///< Energy that its turns gave [J].
  int kick_factorisations_ = 0;
  int kick_solves_ = 0;
  TreeSolver solver_;
};

}  // namespace limber::dynamics::internal
