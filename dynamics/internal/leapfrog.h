// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "dynamics/internal/world_data.h"

// What the dense and the tree form of the leapfrog share.

namespace limber::dynamics::internal {

/// Share of the alternating part of C' that a step removes.
inline constexpr double kFilter = 0.2;
/// Tension inertia: h^2 kBeta times the stiffness of a tight joint.
inline constexpr double kBeta = 1.0 / 3.0;
/// How far the energy bank may be overdrawn, as a share of the kinetic energy.
inline constexpr double kCredit = 0.01;
/// Largest displacement of one closing [m, rad]: parts placed apart are brought
/// together bit by bit and not thrown.
inline constexpr double kMaxClosing = 0.3;
/// Closing is repeated, at most so often, while an error above this is left.
inline constexpr double kClosed = 1e-5;
inline constexpr int kMaxClosings = 12;  // Half a turn at kMaxClosing each.

/// The velocities of nodes are found to this share of their size: energy and
/// angular momentum are kept as exactly.
inline constexpr double kElasticSolved = 1e-12;
/// Or to what the rounding of places leaves of them, as a share of the distance
/// from the origin: some fifty units of the last digit.
inline constexpr double kPlaceRounding = 1e-14;
/// Rounds after which a kick of elements counts as unsolved.
inline constexpr int kMostElasticRounds = 50;

/// No position row asks for more than this turn in one step [rad]: a drive too
/// weak to hold would otherwise, once it gets through, whirl its limb about by
/// up to half a turn a step, which no step of this length can follow.
inline constexpr double kMostTurn = 0.25;

/// Share of kMostTurn (kMaxClosing for lengths) for which a position row may
/// ask while its bodies spin against each other with `spin2` = w^2 [rad^2/s^2],
/// about any axis: all of it up to half a radian a step, none from one radian
/// on. The error of a limb that whirls about says nothing of the next step: a
/// row that believes it pumps energy into the axes it does not hold, one that
/// only brakes cannot.
template <typename Scalar>
Scalar ShareOfSpin(const Scalar& spin2, double h) {
  constexpr double kAll = 0.5 * 0.5;
  const Scalar zero = 0.0 * spin2;
  const Scalar one = 1.0 + zero;
  const Scalar share = (one - h * h * spin2) * (1.0 / (1.0 - kAll));
  const Scalar capped = share < one ? share : one;
  return capped > zero ? capped : zero;
}

/// Share of their rate C'- that hard joints mirror, for bodies whose spins have
/// the squares `spin2`. Where nothing but joints acts it is all of it, however
/// fast they turn. Beside contacts, limits and other rows the mirror image of a
/// rate that belongs to arms a radian ago may point into what holds the body on
/// the other side, and both together throw it: only a row that does not mirror
/// cannot do that.
template <typename Scalar>
Scalar ShareOfMirror(const Scalar& spin2, double h, bool joints_alone) {
  return joints_alone ? 1.0 + 0.0 * spin2 : ShareOfSpin(spin2, h);
}

/// No one-sided row pushes back by more than this in one step [m, rad]: a limit
/// may find itself far on the wrong side at once, as where the angles of a
/// sequence of axes jump by half a turn, and must not throw the limb.
inline constexpr double kMostReturn = 0.02;

/// Target of a one-sided row, C >= 0 (`lower`) or C <= 0, with C now and Ce at
/// the end of the step but for h J V+: the room may be used up, and a violated
/// row keeps four fifths of its error.
inline double OneSidedTarget(double C, double Ce, bool lower, double h) {
  const bool violated = lower ? C < 0.0 : C > 0.0;
  const double u = -(Ce - (violated ? 0.8 * C : 0.0)) / h;
  const double most = kMostReturn / h;
  return lower ? std::min(u, most) : std::max(u, -most);
}

/// The inertia I_eff with which a body under tension takes part in the kick.
/// A joint force f at arm r is a stiffness against turning,
///
///     Kg = pos(sum (f.r) 1 - (f r^T + r f^T)/2)
///
/// which no explicit step may leave out when h^2 Kg exceeds the inertia:
///
///     S = I^-1/2 Kg I^-1/2 = E d E^T
///     I_eff = I^1/2 E max(1, h^2 beta d) E^T I^1/2
///
/// @param inertia    principal inertias, all positive.
/// @param stiffness  the sum, before pos().
/// @return false, and nothing written, if I_eff = I.
bool TensionInertia(const Vector3& inertia, const Matrix3& R_WC,
                    const Matrix3& stiffness, double h, Matrix3& I_eff);

/// The largest c of 0, 1/64, ... 1 with w0 + c linear + c^2 quadratic <=
/// allowed, else 0. Sixty-fourths: rounding does not show in the answer.
double LargestShare(double w0, double linear, double quadratic, double allowed);

/// u, softness and impulse bounds of a row that is no hard joint row.
/// @param speed      J V before the kick.
/// @param coasting   C'' without forces, see `CoastingAcceleration`.
/// @param predicted  C at the pose to which free drift leads, or null.
/// @param spin2      for `ShareOfSpin`.
RowTarget LeapfrogTarget(const RowBuffer::Row& row, double speed,
                         double coasting, const double* predicted, double spin2,
                         double kick, double h);

/// Whether row `r` of `data.rows` acts between dynamic bodies alone: its forces
/// and their torques sum up to nothing. Such rows keep both momenta.
bool IsInner(const Data& data, int r);

/// Whether all rows of `island` that held or pushed in a solve (`data.rows`,
/// `data.lambda`) are inner ones.
bool IsFree(const Data& data, const Island& island);

/// What an island has lost of its momenta.
struct MissingMomentum {
  Vec linear;   ///< [kg m/s].
  Vec angular;  ///< About the mass centre of its first body [kg m^2/s].
  /// Kinetic energy that it got with that, see `SpinEnergy` [J].
  double energy_gained = 0.0;
};

/// Closing and tension inertia take angular momentum from an island, or give
/// it, that no force has; rounding of the huge impulses of contradictory rows
/// does so with both momenta. Where nothing holds the island from outside this
/// adds the `lost` ones by a common motion about its mass centre c,
///
///     v += P/m + u x (p - c) ,   L += I u ,
///     u = A^-1 L_lost ,   A = sum I + m (r^2 1 - r r^T) ,  r = p - c
///
/// which no inner row notices.
/// @param at_kick  also corrects the velocities at the kick, by the half: the
///                 present ones are those after the kick.
void GiveMomentum(Data& data, const Island& island, const MissingMomentum& lost,
                  bool at_kick);

/// Kinetic energy of an island [J].
double KineticEnergyOf(const Data& data, const Island& island);

/// Kinetic energy of the turning of an island's bodies [J]. Closing turns them
/// with their L held, which changes it: little, but for limbs that whirl about
/// by a radian a step, whose gaps are as long as their arms.
double SpinEnergy(const Data& data, const Island& island);

/// What an island that something holds has gained so by closing is taken from
/// its motion, once it exceeds what its joints have lost by more than kCredit.
void PayForClosing(Data& data, const Island& island, double gained);

/// The kick of an island with all its rows in one matrix, and the closing of
/// its gaps after the drift.
void KickDense(Data& data, Island& island, double kick, double h);
enum class Closes { kJointsAndSprings, kSprings };
void CloseAll(Data& data, Island& island, Closes what, double h);

/// A row of a spring that was taken at the end of the step, as a closing sees
/// it. Its force stands for a length, f = -k C - d (C - start)/h, which the
/// drift missed by what the row is bent: by micrometres, which are joules where
/// k is 1e9.
struct SpringGap {
  double gap = 0.0;       ///< C less that length.
  double softness = 0.0;  ///< That of the kick.
};
/// False for other rows. Row `i` of `constraint` is `row` after the drift.
bool FindSpringGap(const Constraint& constraint, std::size_t i,
                   const RowBuffer::Row& row, double h, SpringGap& gap);

/// Fills `data.targets` for the rows of one constraint.
/// @param joints_alone  for `ShareOfMirror`.
void SetLeapfrogTargets(Data& data, const Constraint& constraint, int first,
                        int count, std::span<const double> last_rates,
                        double kick, double h, bool joints_alone);

}  // namespace limber::dynamics::internal
