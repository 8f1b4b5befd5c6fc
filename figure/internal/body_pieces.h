// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/math.h"
#include "figure/anthropometry.h"
#include "figure/figure_model.h"
#include "figure/joint_names.h"
#include "figure/skeleton.h"

/// The matter of a figure before it is sorted into segments. All in the axes of
/// the world with the skeleton in its rest pose, where joint frames are
/// parallel to the world.
namespace limber::figure::internal {

/// A lump of matter that moves with a joint.
struct Piece {
  int joint = 0;
  double mass = 0.0;                  ///< [kg]
  Vector3 centre = Vector3::Zero();   ///< p_WC [m].
  Matrix3 inertia = Matrix3::Zero();  ///< About C [kg m^2].
  std::vector<SegmentShape> shapes;   ///< X_JS holds X_WS.
};

/// What the pieces are made from.
struct Body {
  const Skeleton* skeleton = nullptr;
  std::vector<Role> roles;
  BodyAxes axes;
  std::vector<Vector3> p_WJ;  ///< Rest places of the joints [m].
  std::vector<bool> is_own;   ///< Joints that are segments of their own.
  double height = 0.0;        ///< [m]
  double mass = 0.0;          ///< [kg]
  double floor = 0.0;         ///< Of the rest pose along `axes.up` [m].
  Sex sex = Sex::kMale;

  int Find(Role role) const { return FindRole(roles, role); }
  /// Rest place of that role's joint. @pre it exists.
  const Vector3& Place(Role role) const;
};

std::vector<Vector3> RestPlaces(const Skeleton& skeleton);

/// The smallest rotation that takes the direction of `a` to that of `b`, also
/// for opposite ones.
Quaternion ShortestTurn(const Vector3& a, const Vector3& b);

/// Capsule from `a` to `b`, caps included, of this volume; a sphere where the
/// volume asks for more than the length holds.
SegmentShape CapsuleBetween(const Vector3& a, const Vector3& b, double volume);
/// Inertia about the centre of a solid of this mass, in world axes.
Matrix3 InertiaOf(const SegmentShape& shape, double mass);
double VolumeOf(const SegmentShape& shape);

/// The matter of a human body by the tables; masses sum to `body.mass`.
std::vector<Piece> HumanPieces(const Body& body);
/// Capsules along the bones of any tree, of the body's density; masses scaled
/// to `body.mass` if that is positive.
std::vector<Piece> TreePieces(const Body& body);

/// Rotation from the rest pose to the anatomical position, one per joint.
std::vector<Quaternion> NeutralRotations(const Body& body);

/// The next joint of the limb that `role` belongs to, or -1: forearm of the
/// upper arm and so on, head of the neck.
int NextOfLimb(const Body& body, Role role);
/// Where the part moved by `role` ends: the next joint of the limb, else the
/// farthest end of a bone below, else a usual length along the parent's
/// direction.
Vector3 EndOfPart(const Body& body, Role role);

/// Contact sites of feet and hands.
std::vector<FigureSite> ContactSites(const Body& body);

}  // namespace limber::figure::internal
