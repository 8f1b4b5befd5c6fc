// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Numbers of the step that are chosen and not derived, by the phase that uses
// them. Those of the contact problem of `solve/` stand in solve/tolerances.h.

namespace limber::dynamics::internal {

// ---- Rows of trees: tree_solver_active_set.cpp ------------------------------

/// Softness lent to hard rows with bounds by a line search [rad/s per N m s,
/// m/s per N s]: phi has a continuous slope then, and one or two solves with
/// the factor at hand take it back.
inline constexpr double kLentSoftness = 1e-7;

// ---- Contact rows: contact_rows.cpp ----------------------------------------

/// The share of its softness that a row takes out from step to step: what holds
/// neither sinks nor creeps, and impulses that only work against each other die
/// away. Softness is a share of what the body alone would answer, which for a
/// light foot that carries a figure is far more than it does: with the first
/// share alone it creeps and sinks by a millimetre a second. Contacts that have
/// lasted [s] take more out; in blows that would make the rows too hard. Limits
/// and brakes beside contacts take the first share out.
inline constexpr double kMemory = 0.9;
inline constexpr double kLastingMemory = 0.94;
inline constexpr double kLasting = 0.5;

/// Share of an overlap, or of a limit passed, that a step removes.
inline constexpr double kPushOut = 0.2;

/// Slower slip counts as sticking for the choice of axes and of a new contact's
/// friction coefficient [m/s].
inline constexpr double kSlowSlip = 1e-2;

/// An arm or a spin that turned by more than this share of itself in the last
/// drift tells nothing of the next one.
inline constexpr double kMostArmTurn = 0.3;

/// The second axis of a cone that sticks keeps this share of its bound, so that
/// the impulse may turn.
inline constexpr double kLeastChord = 0.02;

/// Friction this near its bound, as a share, is at the bound.
inline constexpr double kAtBound = 1e-6;

/// Softness alone lets a row that holds creep slower than this [m/s].
inline constexpr double kStill = 1e-3;

// ---- Passive islands that touch something: tree_solver_contacts.cpp --------

namespace passive {

/// Rows may be off by this much: contacts [m/s], limits of joints [rad/s, m/s].
inline constexpr double kSpeed = 1e-4;
inline constexpr double kLimitSpeed = 1e-3;
/// Softness lent to hard limits, as a share of what the body alone answers.
inline constexpr double kLentShare = 3e-4;
/// The same for hard brakes; ten times more, since many of them change states
/// in a step (with 3e-4 seven in a hundred steps of a fall reached the cap).
inline constexpr double kBrakeShare = 3e-3;
/// The most that a limit which held takes out of its softness in the next step
/// [rad/s, m/s].
inline constexpr double kMostMemory = 0.2;
/// Where the line search goes by less than this share of the way cones become
/// softer by this factor, and drives with bounds are lent some softness.
inline constexpr double kShortStep = 0.5;
inline constexpr double kSofterCones = 30.0;
/// Islands that are faster keep the softer cones [m/s]; in the others they
/// become hard again.
inline constexpr double kFast = 0.2;
/// Rows may be off by up to this factor more where cones are or were softer,
/// and in islands faster than kSlow [m/s].
inline constexpr double kLooser = 10.0;
inline constexpr double kSlow = 0.1;
/// Friction and its bound agree if they differ by less than this share; where
/// rows may be off by more so may it, up to the second.
inline constexpr double kSettled = 0.02;
inline constexpr double kMostSettled = 0.1;
/// Solves at most.
inline constexpr int kMostSolves = 40;
/// Cones that became hard again and have not settled after so many become soft
/// for good, since soft ones did settle; not in what is slower than kSlow.
inline constexpr int kMostHardSolves = 16;
/// Solves after which the bounds need not agree, in slow islands and fast ones.
inline constexpr int kMostFollowing = 4;
inline constexpr int kMostFollowingFast = 2;
/// A cone is turned, or its softness changed, where it is off by more.
inline constexpr double kTurned = 0.02;
inline constexpr double kSofter = 0.1;
/// A capped answer may have this share more energy than it should.
inline constexpr double kAllowed = 1e-3;
/// With other targets rows may be off by this factor more than after a search
/// for their states.
inline constexpr double kLooserAgain = 30.0;

}  // namespace passive

// ---- Piles of trees: contact_figures.cpp -----------------------------------

namespace piles {

/// Bodies that overlap here part by a velocity, at most this fast [m/s].
inline constexpr double kMostPush = 0.3;
/// Passes over responses, sweeps and islands, at most, and where rows are still
/// off by kFar [m/s]: those beyond the first go half of the way.
inline constexpr int kMostPasses = 3;
inline constexpr int kMostHardPasses = 5;
inline constexpr double kFar = 0.5;
/// Rows whose e differs by less from what the sweeps saw are the same: this
/// share of the mean speed of the bodies, within these bounds [m/s].
inline constexpr double kSame = 2e-2;
inline constexpr double kMostSame = 0.1;
inline constexpr double kSameShare = 0.2;
/// Sweeps at most, in multiples of what the settings say: here they are cheap.
inline constexpr int kMoreSweeps = 5;
/// Contacts may do no more work than this share of the kinetic energy of what
/// they act on; where they would their impulses are halved so many times, and
/// left out if that is not enough.
inline constexpr double kMostWork = 1e-3;
inline constexpr int kMostHalvings = 3;
/// Sweeps end when no row changes its speed by more [m/s].
inline constexpr double kConverged = 1e-3;
/// A contact that closes the room between the bodies this much more slowly than
/// there is time for takes no part [m/s].
inline constexpr double kNear = 0.5;

}  // namespace piles

// ---- Position projection: tree_island_closing.cpp --------------------------

namespace projection {

/// Gaps below this are closed [m].
inline constexpr double kSmallGap = 1e-6;
/// The same beside contacts, which resist and give way in the next steps [m].
inline constexpr double kSmallBesideContacts = 1e-4;
/// Gaps wait until they have grown to this beside contacts [m].
inline constexpr double kWaitingBesideContacts = 3e-5;
/// A limit that was open is taken back at once if it is passed by more [rad or
/// m].
inline constexpr double kSurprise = 5e-3;
/// Projections of larger gaps turn bodies so far that limits beside the joints
/// have to be kept [m], and those count that are nearer than this [rad]. Of a
/// gap as large a new factor leaves no more.
inline constexpr double kTurningGap = 5e-4;
inline constexpr double kNearLimit = 0.2;
/// Limits farther away than this after the kick are not reached by what its
/// linear answer errs by, for joints that turn less than this [rad].
inline constexpr double kFarLimit = 0.1;
inline constexpr double kFastTurn = 0.15;
/// Most of a passed limit that is taken back at once [rad or m].
inline constexpr double kMostAtOnce = 0.5;
/// Share of a gap that the factor of the kick may leave.
inline constexpr double kShareLeft = 0.05;
/// A contact that was open in the kick and that a projection makes so deep
/// takes part in the next one [m].
inline constexpr double kDeep = 2e-3;

}  // namespace projection

// ---- Limits at the end of the step: tree_island_second_look.cpp ------------

namespace end_limits {

/// Joints that turn less in a step are not looked at again [rad].
inline constexpr double kFast = 0.02;
/// Nor are those that turn more: nothing is to be foreseen there [rad].
inline constexpr double kWild = 1.5;
/// Nor are rows solved again for less than this [rad].
inline constexpr double kPassed = 4e-3;
/// Most looks in a step.
inline constexpr int kMostLooks = 4;
/// Most that a bend may ask for in a step [rad].
inline constexpr double kMostBend = 0.1;

}  // namespace end_limits

}  // namespace limber::dynamics::internal
