// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Every number of the contact solver that is chosen and not derived.

namespace limber::dynamics::solve {

/// Rows may miss their law by this [m/s, rad/s]: a tenth of a micrometre in a
/// step of 1/100 s.
inline constexpr double kSpeedTolerance = 1e-5;

/// The same where the unknowns are displacements [m, rad].
inline constexpr double kPlaceTolerance = 1e-7;

/// Softness of a contact that closes an overlap, as a share of that in the
/// kick: there the impulses of the last step make up for it, here nothing does.
/// `Pile.HeavyTopsStandWithinAMillimetre` is 1.8 mm deep with 1, 0.5 with 0.1.
inline constexpr double kPlaceSoftness = 0.1;

/// Softness of friction about an axis (torsion, rolling) as a multiple of that
/// of contacts. So stiff as they are, these rows act by their signs alone, and
/// the line search stops at every change: two steps of the pool are not solved.
inline constexpr double kAxialSoftness = 30.0;

/// The shift of a contact is that of its slip within this [m/s]: so fast it may
/// part or sink in while it slides.
inline constexpr double kSlipAgrees = 1e-3;

/// Bounds of rows and the normal impulses they follow agree within this share.
inline constexpr double kBoundsAgree = 0.05;

/// Solves after which shifts and bounds follow. Later ones leave them alone, so
/// that the rest is one convex problem.
inline constexpr int kFollowing = 3;

/// Times that shifts which are too large are lowered after that.
inline constexpr int kLowerings = 1;

/// Solves by whole steps before the line search takes over.
inline constexpr int kWholeSteps = 8;

/// Solves after which a step counts as unsolved.
inline constexpr int kMostSolves = 60;

/// The line search ends when it moves by less than this share.
inline constexpr double kSearchEnd = 1e-3;

}  // namespace limber::dynamics::solve
