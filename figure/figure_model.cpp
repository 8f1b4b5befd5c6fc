// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/figure_model.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <sstream>
#include <stdexcept>

namespace limber::figure {

namespace {

constexpr double kUnitTolerance = 1e-6;

std::size_t At(int index) { return static_cast<std::size_t>(index); }

template <typename T>
[[noreturn]] void Refuse(const std::string& field, const T& value,
                         const std::string& wanted) {
  std::ostringstream text;
  text << field << " must be " << wanted << ", is " << value;
  throw std::invalid_argument(text.str());
}

void CheckRotation(const std::string& field, const Quaternion& R) {
  const double off = R.norm() - 1.0;
  if (!(std::abs(off) <= kUnitTolerance)) {
    Refuse(field, R.norm(), "a unit quaternion; its length");
  }
}

void CheckShape(const std::string& field, const SegmentShape& shape) {
  CheckRotation(field + ": rotation", shape.X_JS.R);
  if (!shape.X_JS.p.allFinite()) {
    Refuse(field + ": centre", shape.X_JS.p.transpose(), "finite");
  }
  if (shape.kind == SegmentShape::Kind::kCapsule) {
    if (!(shape.radius > 0.0) || !std::isfinite(shape.radius)) {
      Refuse(field + ": radius", shape.radius, "positive");
    }
    if (!(shape.length >= 0.0) || !std::isfinite(shape.length)) {
      Refuse(field + ": length", shape.length, "zero or positive");
    }
  } else if (!shape.size.allFinite() || !(shape.size.minCoeff() > 0.0)) {
    Refuse(field + ": size", shape.size.transpose(), "positive");
  }
}

void CheckAnchor(const std::string& field, const Anchor& anchor) {
  CheckRotation(field + ": R_PF", anchor.R_PF);
  CheckRotation(field + ": R_JM", anchor.R_JM);
  for (int k = 0; k < anchor.num_axes(); ++k) {
    const AnchorAxis& axis = anchor.axes[At(k)];
    const std::string name = field + ": axis " + std::to_string(k);
    if (!(axis.lower <= axis.upper)) {
      Refuse(name + ": lower", axis.lower, "at most upper");
    }
    if (!(axis.max_torque >= 0.0)) {
      Refuse(name + ": max_torque", axis.max_torque, "zero or positive");
    }
  }
  if (anchor.kind == AnchorKind::kBall && anchor.has_limits()) {
    const AnchorAxis& middle = anchor.axes[1];
    if (!(middle.lower > -kPi / 2 && middle.upper < kPi / 2)) {
      Refuse(field + ": axis 1 of a ball with limits", middle.upper,
             "limited to less than 90 degrees both ways");
    }
  }
}

void CheckMass(const std::string& field, const FigureSegment& segment) {
  if (!(segment.mass > 0.0) || !std::isfinite(segment.mass)) {
    Refuse(field + ": mass", segment.mass, "positive");
  }
  if (!segment.p_JC.allFinite()) {
    Refuse(field + ": mass centre", segment.p_JC.transpose(), "finite");
  }
  if (!segment.I_JC.allFinite()) {
    Refuse(field + ": inertia", segment.I_JC, "finite");
  }
  const double scale = segment.I_JC.cwiseAbs().maxCoeff();
  if ((segment.I_JC - segment.I_JC.transpose()).cwiseAbs().maxCoeff() >
      1e-9 * scale) {
    Refuse(field + ": inertia", segment.I_JC, "symmetric");
  }
  const Vector3 principal =
      Eigen::SelfAdjointEigenSolver<Matrix3>(segment.I_JC).eigenvalues();
  if (!(principal[0] > 0.0)) {
    Refuse(field + ": principal inertias", principal.transpose(), "positive");
  }
  if (principal[2] > (principal[0] + principal[1]) * (1.0 + 1e-9)) {
    Refuse(field + ": principal inertias", principal.transpose(),
           "none above the sum of the other two");
  }
}

void CheckSegments(const FigureModel& figure) {
  const Skeleton& skeleton = *figure.skeleton;
  std::vector<int> owner(At(skeleton.num_joints()), -1);
  for (int s = 0; s < figure.num_segments(); ++s) {
    const FigureSegment& segment = figure.segments[At(s)];
    const std::string field = "segment \"" + segment.name + "\"";
    if (segment.joints.empty() || segment.joints[0] != segment.joint) {
      Refuse(field + ": first of its joints", segment.joint, "its own joint");
    }
    for (const int joint : segment.joints) {
      if (joint < 0 || joint >= skeleton.num_joints()) {
        Refuse(field + ": joint", joint, "a joint of the skeleton");
      }
      if (owner[At(joint)] >= 0) {
        Refuse(field + ": joint", skeleton.joint(joint).name,
               "in one segment only");
      }
      owner[At(joint)] = s;
    }
    // Up to the next joint of another segment.
    int parent_joint = skeleton.joint(segment.joint).parent;
    while (parent_joint >= 0 && owner[At(parent_joint)] == s) {
      parent_joint = skeleton.joint(parent_joint).parent;
    }
    const int parent = parent_joint < 0 ? -1 : owner[At(parent_joint)];
    if (segment.parent != parent || parent >= s) {
      Refuse(field + ": parent", segment.parent,
             "the segment of the parent joint, listed before");
    }
    if (segment.anchor.kind == AnchorKind::kWeld && parent >= 0) {
      Refuse(field + ": kind", "weld",
             "another one: welded joints belong to their parent's segment");
    }
    CheckAnchor(field, segment.anchor);
    CheckMass(field, segment);
    for (const SegmentShape& shape : segment.shapes) CheckShape(field, shape);
  }
  for (int joint = 0; joint < skeleton.num_joints(); ++joint) {
    if (owner[At(joint)] < 0) {
      Refuse("joint", skeleton.joint(joint).name, "in a segment");
    }
    if (figure.segment_of_joint[At(joint)] != owner[At(joint)]) {
      Refuse("segment_of_joint of " + skeleton.joint(joint).name,
             figure.segment_of_joint[At(joint)], "the segment that lists it");
    }
  }
}

void CheckSites(const FigureModel& figure, const std::string& kind,
                const std::vector<FigureSite>& sites) {
  for (const FigureSite& site : sites) {
    if (site.joint < 0 || site.joint >= figure.skeleton->num_joints()) {
      Refuse(kind + " \"" + site.name + "\": joint", site.joint,
             "a joint of the skeleton");
    }
    if (!site.offset.allFinite()) {
      Refuse(kind + " \"" + site.name + "\": offset", site.offset.transpose(),
             "finite");
    }
  }
}

Quaternion Turn(int axis, double angle) {
  return Quaternion(Eigen::AngleAxisd(angle, Vector3::Unit(axis)));
}

}  // namespace

int Anchor::num_axes() const {
  switch (kind) {
    case AnchorKind::kBall:
      return 3;
    case AnchorKind::kUniversal:
      return 2;
    case AnchorKind::kHinge:
      return 1;
    case AnchorKind::kFree:
    case AnchorKind::kWeld:
      return 0;
  }
  return 0;
}

bool Anchor::has_limits() const {
  for (int k = 0; k < num_axes(); ++k) {
    if (std::isfinite(axes[At(k)].lower) || std::isfinite(axes[At(k)].upper)) {
      return true;
    }
  }
  return false;
}

double FigureModel::total_mass() const {
  double sum = 0.0;
  for (const FigureSegment& segment : segments) sum += segment.mass;
  return sum;
}

int FigureModel::SegmentOf(Role role) const {
  const int joint = FindRole(roles, role);
  return joint < 0 ? -1 : segment_of_joint[At(joint)];
}

int FigureModel::FindSegment(std::string_view segment_name) const {
  for (int s = 0; s < num_segments(); ++s) {
    if (segments[At(s)].name == segment_name) return s;
  }
  return -1;
}

Vector3 PlaceInSegment(const FigureModel& figure, int joint) {
  const int origin =
      figure.segments[At(figure.segment_of_joint[At(joint)])].joint;
  // From both up to the root of the skeleton: what they share cancels.
  Vector3 p_SJ = Vector3::Zero();
  for (int j = joint; j >= 0; j = figure.skeleton->joint(j).parent) {
    p_SJ += figure.skeleton->joint(j).offset;
  }
  for (int j = origin; j >= 0; j = figure.skeleton->joint(j).parent) {
    p_SJ -= figure.skeleton->joint(j).offset;
  }
  return p_SJ;
}

AnchorAngles MeasureAnchor(const Anchor& anchor, const Quaternion& R_PJ) {
  const Quaternion R = anchor.R_PF.conjugate() * R_PJ * anchor.R_JM;
  const Matrix3 m = R.toRotationMatrix();
  AnchorAngles angles;
  switch (anchor.kind) {
    case AnchorKind::kBall:
      // R = Rx(q0) Ry(q1) Rz(q2):  m02 = sin q1, m12 = -sin q0 cos q1,
      // m22 = cos q0 cos q1, m01 = -cos q1 sin q2, m00 = cos q1 cos q2.
      angles.q[1] = std::asin(std::clamp(m(0, 2), -1.0, 1.0));
      angles.q[0] = std::atan2(-m(1, 2), m(2, 2));
      angles.q[2] = std::atan2(-m(0, 1), m(0, 0));
      break;
    case AnchorKind::kUniversal:
      // The nearest Rx(q0) Rz(e) Ry(q1): the error e is the middle turn, as
      // dynamics::UniversalJoint measures it.  m01 = -sin e, m11 = cos q0
      // cos e, m21 = sin q0 cos e, m00 = cos e cos q1, m02 = cos e sin q1.
      angles.q[0] = std::atan2(m(2, 1), m(1, 1));
      angles.q[1] = std::atan2(m(0, 2), m(0, 0));
      break;
    case AnchorKind::kHinge:
      // The turn about z of the swing-twist split.
      angles.q[0] = 2.0 * std::atan2(R.z(), R.w());
      if (angles.q[0] > kPi) angles.q[0] -= 2.0 * kPi;
      if (angles.q[0] < -kPi) angles.q[0] += 2.0 * kPi;
      break;
    case AnchorKind::kFree:
    case AnchorKind::kWeld:
      break;
  }
  if (anchor.kind != AnchorKind::kFree) {
    angles.rest = AngleBetween(R_PJ, RotationOfAnchor(anchor, angles.q));
  }
  return angles;
}

Quaternion RotationOfAnchor(const Anchor& anchor,
                            const std::array<double, 3>& q) {
  Quaternion R_FM = Quaternion::Identity();
  switch (anchor.kind) {
    case AnchorKind::kBall:
      R_FM = Turn(0, q[0]) * Turn(1, q[1]) * Turn(2, q[2]);
      break;
    case AnchorKind::kUniversal:
      R_FM = Turn(0, q[0]) * Turn(1, q[1]);
      break;
    case AnchorKind::kHinge:
      R_FM = Turn(2, q[0]);
      break;
    case AnchorKind::kFree:
    case AnchorKind::kWeld:
      break;
  }
  return anchor.R_PF * R_FM * anchor.R_JM.conjugate();
}

std::vector<Bone> BonesOf(const Skeleton& skeleton, int joint) {
  std::vector<Bone> bones;
  for (int child = joint + 1; child < skeleton.num_joints(); ++child) {
    if (skeleton.joint(child).parent == joint) bones.push_back({joint, child});
  }
  for (std::size_t site = 0; site < skeleton.sites().size(); ++site) {
    if (skeleton.sites()[site].joint == joint) {
      bones.push_back({joint, -1, static_cast<int>(site)});
    }
  }
  return bones;
}

void CheckFigure(const FigureModel& figure) {
  if (figure.skeleton == nullptr) Refuse("skeleton", "null", "set");
  const std::size_t num_joints = At(figure.skeleton->num_joints());
  if (figure.roles.size() != num_joints) {
    Refuse("roles", figure.roles.size(), "one per joint");
  }
  if (figure.segment_of_joint.size() != num_joints) {
    Refuse("segment_of_joint", figure.segment_of_joint.size(), "one per joint");
  }
  CheckSegments(figure);
  CheckSites(figure, "contact", figure.contacts);
  CheckSites(figure, "marker", figure.markers);
}

}  // namespace limber::figure
