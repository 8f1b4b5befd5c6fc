// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/math.h"
#include "figure/joint_names.h"
#include "figure/skeleton.h"

namespace limber::figure {

/// A solid of a segment, in a frame S fixed to the segment's joint J.
struct SegmentShape {
  enum class Kind { kCapsule, kBox, kEllipsoid };

  Kind kind = Kind::kCapsule;
  Transform X_JS;       ///< Centre and axes of the solid.
  double radius = 0.0;  ///< Capsule [m].
  /// Capsule: the straight part along y of S; caps come on top; 0 is a sphere
  /// [m].
  double length = 0.0;
  /// Box and ellipsoid: whole extent along x, y, z of S [m].
  Vector3 size = Vector3::Zero();
};

/// How a segment hangs on its parent segment.
enum class AnchorKind { kFree, kBall, kUniversal, kHinge, kWeld };

/// One coordinate q of an anchor: maps one to one onto a dynamics PoweredAxis.
struct AnchorAxis {
  double lower = -std::numeric_limits<double>::infinity();  ///< [rad]
  double upper = std::numeric_limits<double>::infinity();   ///< [rad]
  double max_torque = 0.0;  ///< Strength of the motor, both ways [N m].
};

/// The joint J between parent segment P and segment B, as the joints of
/// dynamics are built: frame F fixed in P, frame M fixed in B, both with their
/// origin at J. The body frames of P and B are the frames of their joints, so
/// that for a pose with X_PJ (from joint of P to J; over welded joints in
/// between their product)
///
///     R_FM = R_PFᵀ R_PJ R_JM
///
/// In figures made by `MakeFigure` F = M in the anatomical position (arms hang,
/// palms to the thighs, feet forward), except for upper arms: anthropometry.h.
///
///     kind        R_FM                       axes   built as
///     kBall       Rx(q0) Ry(q1) Rz(q2)       3      BallJoint, kEulerXyz
///     kUniversal  Rx(q0) Ry(q1)              2      UniversalJoint
///     kHinge      Rz(q0)                     1      HingeJoint
///     kWeld       1                          0      (merged; see FigureModel)
///     kFree       anything, with p_FM        0      FreeJoint (roots)
///
/// Limits of a ball are those of the x-y-z sequence, with |q1| < 90 degrees. A
/// ball whose six limits are all infinite is free to turn; build it with
/// kParentAxes.
struct Anchor {
  AnchorKind kind = AnchorKind::kBall;
  Quaternion R_PF = Quaternion::Identity();
  Quaternion R_JM = Quaternion::Identity();
  std::array<AnchorAxis, 3> axes;

  int num_axes() const;
  /// Whether any of the axes in use has a finite limit.
  bool has_limits() const;
};

/// A rigid part of the body: joint J with all its outgoing bones, and the
/// joints welded to it with theirs. Its frame is that of J. Numbers in J axes.
struct FigureSegment {
  std::string name;         ///< Of joint J, made unique.
  int joint = 0;            ///< J.
  int parent = -1;          ///< Index of the parent segment; -1 = the world.
  std::vector<int> joints;  ///< Joints that move with it, J first.
  Anchor anchor;
  double mass = 0.0;                   ///< [kg], positive.
  Vector3 p_JC = Vector3::Zero();      ///< Mass centre [m].
  Matrix3 I_JC = Matrix3::Identity();  ///< About C [kg m^2].
  std::vector<SegmentShape> shapes;    ///< May be empty.
};

/// A named point on a joint: marker or contact site.
struct FigureSite {
  std::string name;
  int joint = 0;                     ///< Of the skeleton.
  Vector3 offset = Vector3::Zero();  ///< p_JS [m].
};

/// A skeleton with a body: what the physical figure, the marker solver, the
/// retargeter and the viewer share. Made by `MakeFigure` from a skeleton alone
/// or read from a figure file; plain data, checked by `CheckFigure`.
///
/// Segments: parents come before children; every joint belongs to exactly one
/// (`segment_of_joint`). A joint without outgoing bones, and one whose part is
/// too light to be a body of its own (fingers), is welded to the segment of its
/// parent and keeps its place there as in the rest pose. Joints above the
/// pelvis (a "Reference" node) belong to the segment of the pelvis, whose
/// parent is the world: they only carry it.
struct FigureModel {
  std::string name;
  std::shared_ptr<const Skeleton> skeleton;
  std::vector<Role> roles;  ///< Per joint.
  std::vector<FigureSegment> segments;
  std::vector<int> segment_of_joint;  ///< Per joint.
  /// Points that may touch the floor or a prop: heels, balls of the feet, toe
  /// tips, palms. Their names begin with the role's word: "left-foot heel".
  std::vector<FigureSite> contacts;
  std::vector<FigureSite> markers;  ///< By marker label.

  int num_segments() const { return static_cast<int>(segments.size()); }
  /// Sum over the segments [kg].
  double total_mass() const;
  /// The segment that the joint of `role` belongs to, or -1.
  int SegmentOf(Role role) const;
  /// The first segment of that name, or -1.
  int FindSegment(std::string_view segment_name) const;
};

/// Where `joint` lies in the frame of its segment in the rest pose: p_SJ [m].
Vector3 PlaceInSegment(const FigureModel& figure, int joint);

/// The coordinates q of an anchor for R_PJ, and the rotation that they leave
/// unexpressed [rad] (hinge and universal joints). q1 of a ball is in [-pi/2,
/// pi/2], the others in [-pi, pi].
struct AnchorAngles {
  std::array<double, 3> q = {0.0, 0.0, 0.0};
  double rest = 0.0;
};
AnchorAngles MeasureAnchor(const Anchor& anchor, const Quaternion& R_PJ);
/// The R_PJ of coordinates q; the inverse of `MeasureAnchor`.
Quaternion RotationOfAnchor(const Anchor& anchor,
                            const std::array<double, 3>& q);

/// The bones of a segment: pairs of joint and end point, where the end is a
/// child joint or a site of the skeleton (exactly one of the two is not -1).
struct Bone {
  int joint = 0;
  int end_joint = -1;
  int end_site = -1;

  friend bool operator==(const Bone&, const Bone&) = default;
};
/// All bones that leave `joint`, in the order of the skeleton.
std::vector<Bone> BonesOf(const Skeleton& skeleton, int joint);

/// @throws std::invalid_argument naming segment, field and value if the model
///         breaks a promise above: order, coverage, a mass that is not
///         positive, an inertia that no body has, lower > upper, a size that is
///         not positive, a site on no joint.
void CheckFigure(const FigureModel& figure);

}  // namespace limber::figure
