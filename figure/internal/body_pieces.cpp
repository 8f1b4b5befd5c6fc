// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/internal/body_pieces.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "core/angle.h"

namespace limber::figure::internal {

namespace {

std::size_t At(int index) { return static_cast<std::size_t>(index); }

/// Farthest end of a bone in the subtree of `joint`, measured from it.
Vector3 FarthestBelow(const Body& body, int joint) {
  const Skeleton& skeleton = *body.skeleton;
  Vector3 farthest = body.p_WJ[At(joint)];
  double best = 0.0;
  const auto look = [&](const Vector3& p) {
    const double distance = (p - body.p_WJ[At(joint)]).norm();
    if (distance > best) {
      best = distance;
      farthest = p;
    }
  };
  std::vector<bool> below(At(skeleton.num_joints()), false);
  below[At(joint)] = true;
  for (int j = joint + 1; j < skeleton.num_joints(); ++j) {
    const int parent = skeleton.joint(j).parent;
    if (parent < 0 || !below[At(parent)]) continue;
    below[At(j)] = true;
    look(body.p_WJ[At(j)]);
  }
  for (const Site& site : skeleton.sites()) {
    if (below[At(site.joint)]) look(body.p_WJ[At(site.joint)] + site.offset);
  }
  return farthest;
}

}  // namespace

const Vector3& Body::Place(Role role) const { return p_WJ[At(Find(role))]; }

std::vector<Vector3> RestPlaces(const Skeleton& skeleton) {
  std::vector<Vector3> p_WJ;
  for (const Joint& joint : skeleton.joints()) {
    p_WJ.push_back(joint.parent < 0 ? joint.offset
                                    : p_WJ[At(joint.parent)] + joint.offset);
  }
  return p_WJ;
}

Quaternion ShortestTurn(const Vector3& a, const Vector3& b) {
  const Vector3 from = a.normalized();
  const Vector3 to = b.normalized();
  // (1 + cos, sin * axis) is twice the half angle's quaternion, times its cos.
  const double w = 1.0 + from.dot(to);
  if (w < 1e-9) {
    const Vector3 axis = AnyPerpendicular(from);
    return Quaternion(0.0, axis.x(), axis.y(), axis.z());
  }
  const Vector3 v = from.cross(to);
  return Quaternion(w, v.x(), v.y(), v.z()).normalized();
}

SegmentShape CapsuleBetween(const Vector3& a, const Vector3& b, double volume) {
  const double whole = (b - a).norm();
  // V = π r² (L - 2 r) + 4/3 π r³ grows with r up to the sphere r = L/2.
  const auto volume_of = [&](double r) {
    return kPi * r * r * (whole - 2.0 * r) + 4.0 / 3.0 * kPi * r * r * r;
  };
  double radius = std::cbrt(volume / (4.0 / 3.0 * kPi));
  if (radius < whole / 2) {
    double lo = 0.0;
    double hi = whole / 2;
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (lo + hi);
      (volume_of(middle) < volume ? lo : hi) = middle;
    }
    radius = hi;
  }
  SegmentShape shape;
  shape.kind = SegmentShape::Kind::kCapsule;
  shape.radius = radius;
  shape.length = std::max(0.0, whole - 2.0 * radius);
  shape.X_JS.p = 0.5 * (a + b);
  if (whole > 0.0) {
    shape.X_JS.R = ShortestTurn(Vector3::UnitY(), (b - a) / whole);
  }
  return shape;
}

double VolumeOf(const SegmentShape& shape) {
  switch (shape.kind) {
    case SegmentShape::Kind::kCapsule:
      return kPi * shape.radius * shape.radius *
             (shape.length + 4.0 / 3.0 * shape.radius);
    case SegmentShape::Kind::kBox:
      return shape.size.prod();
    case SegmentShape::Kind::kEllipsoid:
      return kPi / 6.0 * shape.size.prod();
  }
  return 0.0;
}

Matrix3 InertiaOf(const SegmentShape& shape, double mass) {
  Vector3 principal = Vector3::Zero();
  const Vector3 square = shape.size.cwiseAbs2();
  const Vector3 others(square.y() + square.z(), square.z() + square.x(),
                       square.x() + square.y());
  switch (shape.kind) {
    case SegmentShape::Kind::kCapsule: {
      // Cylinder of mass mc and two half balls of mass mh, whose mass centres
      // lie 3/8 r outside the ends.
      const double r = shape.radius;
      const double l = shape.length;
      const double volume = VolumeOf(shape);
      const double mc = mass * kPi * r * r * l / volume;
      const double mh = 0.5 * (mass - mc);
      const double along = 0.5 * mc * r * r + 2.0 * 0.4 * mh * r * r;
      const double across =
          mc * (l * l / 12.0 + r * r / 4.0) +
          2.0 * mh * (0.4 * r * r + l * l / 4.0 + 3.0 / 8.0 * l * r);
      principal = {across, along, across};
      break;
    }
    case SegmentShape::Kind::kBox:
      principal = mass / 12.0 * others;
      break;
    case SegmentShape::Kind::kEllipsoid:
      principal = mass / 20.0 * others;
      break;
  }
  const Matrix3 R = shape.X_JS.R.toRotationMatrix();
  return R * principal.asDiagonal() * R.transpose();
}

int NextOfLimb(const Body& body, Role role) {
  Role next = Role::kOther;
  switch (LeftOf(role)) {
    case Role::kNeck:
      return body.Find(Role::kHead);
    case Role::kLeftClavicle:
      next = Role::kLeftUpperArm;
      break;
    case Role::kLeftUpperArm:
      next = Role::kLeftForearm;
      break;
    case Role::kLeftForearm:
      next = Role::kLeftHand;
      break;
    case Role::kLeftUpperLeg:
      next = Role::kLeftLowerLeg;
      break;
    case Role::kLeftLowerLeg:
      next = Role::kLeftFoot;
      break;
    case Role::kLeftFoot:
      next = Role::kLeftToes;
      break;
    default:
      return -1;
  }
  return body.Find(SideOf(role) == Side::kRight ? Mirrored(next) : next);
}

Vector3 EndOfPart(const Body& body, Role role) {
  const int joint = body.Find(role);
  const Vector3& start = body.p_WJ[At(joint)];
  const double tiny = 1e-6 * body.height;
  const int next = NextOfLimb(body, role);
  if (next >= 0 && (body.p_WJ[At(next)] - start).norm() > tiny) {
    return body.p_WJ[At(next)];
  }
  const Vector3 end = FarthestBelow(body, joint);
  if ((end - start).norm() > tiny) return end;
  // Nothing below: a hand goes on as the forearm, a head upward, toes forward.
  const double usual = NumbersOf(PartOf(role), body.sex).length * body.height;
  Vector3 direction = body.axes.up;
  if (PartOf(role) == BodyPart::kFoot) direction = body.axes.forward;
  if (PartOf(role) == BodyPart::kHand || PartOf(role) == BodyPart::kForearm ||
      PartOf(role) == BodyPart::kShank) {
    const int parent = body.skeleton->joint(joint).parent;
    const Vector3 along = start - body.p_WJ[At(parent)];
    direction = along.norm() > tiny ? along.normalized() : -body.axes.up;
  }
  return start + usual * direction;
}

std::vector<Quaternion> NeutralRotations(const Body& body) {
  const Skeleton& skeleton = *body.skeleton;
  std::vector<Quaternion> neutral(At(skeleton.num_joints()),
                                  Quaternion::Identity());
  // A foot whose rest direction is farther than this from forward is taken for
  // a foot that points along the leg.
  const double steep = std::cos(Radians(75.0));
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    const Role role = body.roles[At(j)];
    const int parent = skeleton.joint(j).parent;
    switch (LeftOf(role)) {
      case Role::kLeftUpperArm:
      case Role::kLeftForearm:
      case Role::kLeftHand:
      case Role::kLeftUpperLeg:
      case Role::kLeftLowerLeg: {
        const Vector3 along = EndOfPart(body, role) - body.p_WJ[At(j)];
        neutral[At(j)] = ShortestTurn(along.normalized(), -body.axes.up);
        break;
      }
      case Role::kLeftFoot:
      case Role::kLeftToes: {
        const Vector3 along =
            (EndOfPart(body, role) - body.p_WJ[At(j)]).normalized();
        if (along.dot(body.axes.forward) < steep) {
          neutral[At(j)] = ShortestTurn(along, body.axes.forward);
        }
        break;
      }
      case Role::kOther:
        if (parent >= 0) neutral[At(j)] = neutral[At(parent)];
        break;
      default:
        break;
    }
  }
  return neutral;
}

std::vector<FigureSite> ContactSites(const Body& body) {
  std::vector<FigureSite> sites;
  const BodyAxes& axes = body.axes;
  const auto add = [&](Role role, const std::string& what, const Vector3& p_W) {
    const int joint = body.Find(role);
    sites.push_back({std::string(ToString(role)) + " " + what, joint,
                     p_W - body.p_WJ[At(joint)]});
  };
  const auto on_floor = [&](const Vector3& p_W) {
    return Vector3(p_W + axes.up * (body.floor - axes.up.dot(p_W)));
  };
  for (const bool left : {true, false}) {
    const auto side = [&](Role role) { return left ? role : Mirrored(role); };
    const Role foot = side(Role::kLeftFoot);
    if (body.Find(foot) >= 0) {
      const double foot_length =
          NumbersOf(BodyPart::kFoot, body.sex).length * body.height;
      const Vector3& ankle = body.Place(foot);
      add(foot, "heel", on_floor(ankle - 0.25 * foot_length * axes.forward));
      const Vector3 outward =
          (left ? 1.0 : -1.0) * 0.16 * foot_length * axes.left;
      const Role toes = side(Role::kLeftToes);
      const bool has_toes = body.Find(toes) >= 0;
      const Vector3 ball =
          has_toes ? body.Place(toes)
                   : Vector3(ankle + 0.45 * foot_length * axes.forward);
      add(foot, "ball inside", on_floor(ball - outward));
      add(foot, "ball outside", on_floor(ball + outward));
      const Role last = has_toes ? toes : foot;
      add(last, "tip", on_floor(EndOfPart(body, last)));
    }
    const Role hand = side(Role::kLeftHand);
    if (body.Find(hand) >= 0) {
      const Vector3& wrist = body.Place(hand);
      const double usual =
          NumbersOf(BodyPart::kHand, body.sex).length * body.height;
      const Vector3 along = (EndOfPart(body, hand) - wrist).normalized();
      add(hand, "palm", wrist + 0.45 * usual * along);
      add(hand, "tip", wrist + usual * along);
    }
  }
  return sites;
}

}  // namespace limber::figure::internal
