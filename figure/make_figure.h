// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/result.h"
#include "figure/anthropometry.h"
#include "figure/figure_model.h"
#include "figure/motion.h"

namespace limber::figure {

/// What a skeleton does not say about its body.
struct FigureOptions {
  std::string name = "figure";
  double height = 0.0;  ///< Standing [m]; 0 = as the rest pose shows.
  double mass = 0.0;    ///< [kg]; 0 = of usual build for the height.
  Sex sex = Sex::kMale;
  /// One per joint; empty = recognised by names.
  std::vector<Role> roles = {};
  /// A part lighter than this share of the body is welded to its parent: a
  /// finger on a motor would need steps of microseconds.
  double lightest_share = 0.0015;
  /// A clip that the figure is to play: joints that it turns in ways that their
  /// kind cannot follow become balls, limits are widened to what it does, and
  /// helper joints that it moves become segments. May be null; must have the
  /// same skeleton.
  const Motion* clip = nullptr;
};

/// A body for a skeleton alone. A human body (`IsHumanoid`) gets masses, mass
/// centres and inertias of [de Leva 1996] scaled to mass and to the length of
/// the bones, shapes as thick as these masses are, anatomical joints, peak
/// torques, contact sites, and 41 marker sites. Any other tree gets capsules
/// along its bones, of body density unless the mass is given, and balls without
/// limits that can lift what hangs on them three times over.
///
/// Warning kinds: "welded" (joints that turn with their parent, by name),
/// "not-human", "thin-bones" (no bone of a part has a length). Error kind
/// "no-size": not one bone has a length, so there is nothing to make a body of.
/// @throws std::invalid_argument naming the field and its value if an option is
///         negative or not finite, or the clip or the roles are for another
///         number of joints.
Result<FigureModel> MakeFigure(std::shared_ptr<const Skeleton> skeleton,
                               const FigureOptions& options = {});

/// The height of the standing body as the skeleton shows it [m]: its bones from
/// the sole to the crown, straightened; for a tree that is no human body the
/// largest extent of the rest pose.
double BodyHeight(const Skeleton& skeleton, const std::vector<Role>& roles);

}  // namespace limber::figure
