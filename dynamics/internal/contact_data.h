// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "dynamics/collision/broad_phase.h"
#include "dynamics/collision/manifold.h"
#include "dynamics/contact.h"
#include "dynamics/internal/small_algebra.h"
#include "dynamics/lcp.h"

namespace limber::dynamics::internal {

struct Data;
struct Island;

struct Collider {
  bool used = false;
  int body = 0;
  ShapePointer shape;
  Transform X_BS;
  ContactSurface surface;
  std::uint32_t group = 1;
  std::uint32_t mask = ~0u;
  int family = 0;
  int proxy = -1;
  /// No point of the shape is farther from the body's mass centre [m].
  double reach = 0.0;
  Transform X_WS;
  double speed = 0.0;   ///< No point of the shape is faster [m/s].
  BoundingBox reached;  ///< What a step may bring near it.
  bool stale = true;    ///< X_WS is not that of the body's present pose.
};

/// One point of contact and its rows. Row 0 acts along the normal, 1 and 2
/// along the tangents t, 3 about the normal, 4 and 5 about the tangents r:
///
///     e = J V+ - u + s lambda ,   lambda_0 >= 0 ,  |lambda_k| <= c_k lambda_0
struct Touch {
  static constexpr int kMostRows = 6;

  int body_a = 0, body_b = 0;
  int collider_a = 0, collider_b = 0;
  std::uint32_t feature = 0;
  bool dynamic_a = false, dynamic_b = false;
  bool sliding = false;
  bool bounced = false;
  int num_rows = 0;
  double age = 0.0;
  double distance = 0.0;
  Vec p, n, t1, t2, r1, r2;
  Vec arm_a, arm_b;            ///< From the mass centres,
  Vec last_arm_a, last_arm_b;  ///< and in the step before, if age > 0.

  double static_friction = 0.0, dynamic_friction = 0.0;
  double restitution = 0.0, restitution_speed = 0.0;
  double torsional_radius = 0.0, rolling_radius = 0.0;
  Vec surface_velocity;  ///< Of b's surface less a's.

  double u[kMostRows] = {};
  double s[kMostRows] = {};
  double c[kMostRows] = {};
  double lambda[kMostRows] = {};
  double response = 0.0;  ///< J W J^T along the normal.
  Vec slip;             ///< z_t that the trees found while sliding; else zero.
  double bound = 0.0;   ///< The lambda_0 that the friction bounds are taken of.
  Vec friction;         ///< Impulse in the surface, world axes.
  double push = 0.0;    ///< Displacement wanted from the closing.
  double impact = 0.0;  ///< Normal impulse of a bounce in this step,
  Vec impact_friction;  ///< and its friction.

  bool moving() const { return dynamic_a && dynamic_b; }
  const Vec& Direction(int k) const {
    return k == 0 || k == 3 ? n : k == 1 ? t1 : k == 2 ? t2 : k == 4 ? r1 : r2;
  }
  /// J of row k on body b (side 1) or a (side 0).
  void Jacobian(int k, int side, Vec& linear, Vec& angular) const {
    const double sign = side == 1 ? 1.0 : -1.0;
    const Vec d = sign * Direction(k);
    if (k >= 3) {
      linear = Vec{};
      angular = d;
    } else {
      linear = d;
      angular = Cross(side == 1 ? arm_b : arm_a, d);
    }
  }
};

/// What a point of contact lends to that of the next step. A quarter of a
/// Touch: worlds have as many of these as they have contacts.
struct PastTouch {
  int collider_a = 0, collider_b = 0;
  std::uint32_t feature = 0;
  bool sliding = false;
  double age = 0.0;
  double lambda[Touch::kMostRows] = {};
  Vec arm_a, arm_b;
  Vec friction;
  Vec slip;

  PastTouch() = default;
  explicit PastTouch(const Touch& touch);
};

/// A point of contact of bodies that sleep: what it lends when they wake, and
/// what can be read of it meanwhile.
struct DormantTouch {
  PastTouch past;
  Contact readable;
};

/// Bodies that touch each other while moving: islands joined by contacts.
struct Pile {
  std::vector<int> islands;
  std::vector<int> touches;  ///< Between moving bodies.
  enum class Method { kDense, kFree, kFigures };
  Method method = Method::kDense;  ///< Of this step.
  bool free = false;               ///< Nothing acted from outside in the kick.
};

/// What the solver of piles without joints keeps; see contact_pile.cpp.
struct PileSolver;

/// Bodies of trees that other islands touch, as the sweeps see them.
struct TouchedBody {
  int body = 0;
  int island = 0;
  int row = -1;      ///< First of the sides of rows on it, in FigureSweeps.
  int answer = -1;   ///< Among the bodies of its island that answer, or -1.
  Vector6 velocity;  ///< Of its reference point, and spin.
};
/// The bodies of one island that answer to impulses, and how: R_cb for all of
/// them, c * num + b.
struct TouchedIsland {
  int island = 0;
  int first = 0, num = 0;  ///< In FigureSweeps::answering.
  std::vector<Matrix6> responses;
};
/// A row of a contact between islands, e = J V - u + s lambda. Its impulse
/// moves the rows from first_moved on, itself included, by `entries`.
struct FigureRow {
  int body[2] = {};  ///< In FigureSweeps::bodies.
  Vector6 J[2];      ///< At the reference points.
  int next[2] = {};  ///< The next side of a row on the same body, or -1.
  int normal = -1;
  int first_moved = 0, first_entry = 0, num_entries = 0;
  double inverse_response = 0.0;
  double u = 0.0, s = 0.0, c = 0.0;
  double lambda = 0.0;
};
struct FigureSweeps {
  std::vector<TouchedBody> bodies;
  std::vector<TouchedIsland> islands;
  int num_islands = 0;
  std::vector<int> answering;  ///< In `bodies`, island by island.
  std::vector<int> nodes;
  std::vector<char> live;  ///< By contact of the pile: takes part in sweeps.
  std::vector<FigureRow> rows;
  std::vector<double> errors;   ///< By row: e.
  std::vector<double> entries;  ///< de / dlambda, of the rows one row moves.
  std::vector<double> sums;     ///< By row.
  std::vector<int> reached;
  std::vector<int> local;  ///< By body: in `bodies`, or -1.
};

/// Everything about contacts in a world.
struct Contacts {
  std::vector<Collider> colliders;
  int num_colliders = 0;
  BroadPhase broad_phase{0.02};
  std::vector<int> collider_of_proxy;
  std::vector<std::vector<int>> colliders_of_body;
  /// Pairs of bodies that never touch; sorted.
  std::vector<std::pair<int, int>> user_blocked;
  std::vector<std::pair<int, int>> blocked;  ///< With those joined by joints.
  std::vector<int> blocked_end;  ///< By first body: where its pairs end.
  /// Pairs joined by a joint that touch nevertheless; sorted.
  std::vector<std::pair<int, int>> user_allowed;
  bool filters_known = false;

  ManifoldList manifolds;
  std::vector<Touch> touches;  ///< In the order of pairs of colliders.
  std::vector<PastTouch> last;
  std::vector<DormantTouch> dormant;  ///< Of sleeping bodies.
  std::vector<Contact> readable;
  bool readable_known = true;

  // Work space.
  std::shared_ptr<PileSolver> pile_solver;
  FigureSweeps figures;
  std::vector<int> impact_groups;
  std::vector<int> impact_touches;
  std::vector<double> impact_distance;
  std::vector<double> impact_acceleration;
  std::vector<char> impact_tried;
  std::vector<int> waking;  ///< Sleep groups.

  std::vector<Pile> piles;
  int num_piles = 0;
  bool grouped = false;  ///< Islands had contacts, or slept, in this step.
  std::vector<int> pile_of_island;
  std::vector<int> island_root;
  std::vector<double> fastest;  ///< By island: speed of what may strike it.

  bool any() const { return num_colliders > 0; }
};

/// Finds the contacts at the present poses for a step of h seconds; those of
/// the step before lend their impulses. Wakes what is touched.
void DetectContacts(Data& data, double h);

/// What is nearer than `margin` now, at most the broad phase's own.
void FindContactsNow(Data& data, double margin, std::vector<Contact>& found);

/// Gives every contact to its island, and joins islands to piles.
void GroupContacts(Data& data);

/// Axes, targets, softness and first bounds of every contact's rows.
void PrepareContacts(Data& data, double kick, double h);

/// Impacts with restitution: changes velocities (at t - h/2) and places.
void Bounce(Data& data, double kick, double h);

/// Appends the rows of the contacts of `island` to `data.rows`, with targets.
void AddContactRows(Data& data, Island& island);
/// Where a solver may start on these rows.
void ReadContactStates(const Data& data, const Island& island,
                       LcpRowState* states);
/// Takes the impulses of these rows back, in the order they were added.
void StoreContactRows(Data& data, const Island& island, const double* lambda);

/// After the kick: which of these contacts slide, and what the closing is to
/// push out.
void FinishContacts(Data& data, std::span<const int> touches, double h);

/// Kick of a pile whose bodies are free of constraints.
void KickPile(Data& data, Pile& pile, double kick, double h);
/// Kick of a pile whose islands are trees. False, with nothing changed, if it
/// does not suit.
bool KickFigures(Data& data, const Pile& pile, double kick, double h);
/// Pushes the overlapping bodies of such a pile apart, after the drift.
void ClosePile(Data& data, Pile& pile);

/// A contact as users see it.
Contact Readable(const Touch& touch);

/// Puts groups at rest to sleep after a step.
void FallAsleep(Data& data, double h);
/// Wakes what sleeps in one of the groups, given in ascending order.
void WakeGroups(Data& data, std::span<const int> groups);
/// Wakes the body and all that sleep with it.
void WakeGroup(Data& data, int body);
void WakeAll(Data& data);

}  // namespace limber::dynamics::internal
