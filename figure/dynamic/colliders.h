// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "figure/dynamic/articulated_figure.h"
#include "figure/motion.h"

namespace limber::figure {

struct ColliderOptions {
  dynamics::ContactSurface surface;
  std::uint32_t group = 1;  ///< As in `dynamics::ColliderSpec`.
  std::uint32_t mask = ~0u;
  /// Whether segments of the figure touch each other. Pairs that are one joint
  /// or two apart, and pairs nearer than `allowed_gap` in the rest pose or in
  /// one of the poses given to `AddColliders`, never do: their shapes are
  /// rounder than the body, or grow out of one another.
  bool self_contact = false;
  double allowed_gap = 0.01;  ///< [m]
};

/// The shape of a segment's part, in its own frame S. An ellipsoid becomes the
/// hull of 42 of its points.
dynamics::ShapePointer MakeShape(const SegmentShape& shape);

/// Gives every segment of the figure its shapes as colliders.
/// @param at_ease  poses in which nothing shall touch, besides the rest pose.
/// @return one list per segment.
std::vector<std::vector<dynamics::ColliderId>> AddColliders(
    dynamics::World& world, const ArticulatedFigure& figure,
    const ColliderOptions& options = {}, std::span<const Pose> at_ease = {});

/// Height of the lowest point of the segments' shapes in each frame [m]; +inf
/// if no segment has a shape.
std::vector<double> LowestPoints(const FigureModel& model,
                                 const Motion& motion);

/// The same over floors that may slope, one a frame: each is the plane y = 0 of
/// its frame.
/// @throws std::invalid_argument if there are not as many as frames.
std::vector<double> LowestPoints(const FigureModel& model, const Motion& motion,
                                 std::span<const Transform> X_WF);

/// The height on which a figure stands in a clip: of the lowest point of its
/// segments' shapes in each frame, the median over the frames [m]. For clips in
/// which a foot is on the floor most of the time.
/// @throws std::invalid_argument if no segment has a shape or there are no
///         frames.
double FloorHeight(const FigureModel& model, const Motion& motion);

/// Force of all contacts of the last step on a body [N], mean over `h`.
Vector3 ContactForce(const dynamics::World& world, dynamics::BodyId body,
                     double h);

}  // namespace limber::figure
