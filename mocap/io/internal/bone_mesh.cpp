// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/io/internal/bone_mesh.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "figure/body_plan.h"
#include "figure/joint_names.h"
#include "figure/pose.h"

namespace limber::mocap::internal {

namespace {

constexpr int kSides = 12;
/// Rings of a capsule: half a ball at each end.
constexpr int kRingsPerEnd = 4;
/// Thickness of a bone beside its length, and its least and greatest beside
/// the height of the body: fingers stay visible, thighs stay legs.
constexpr double kThickness = 0.16;
constexpr double kThinnest = 0.006;
constexpr double kThickest = 0.035;

class MeshMaker {
 public:
  /// A capsule of radius r round the line from a to b, carried by `joint`.
  ///
  ///     x = c + r (n cos(phi) + d sin(phi)),   c = a for phi < 0, else b
  void AddCapsule(const Vector3& a, const Vector3& b, double r, int joint) {
    const Vector3 line = b - a;
    const Vector3 d =
        line.norm() > 1e-12 ? Vector3(line.normalized()) : Vector3::UnitY();
    const Vector3 u = AnyPerpendicular(d);
    const Vector3 v = d.cross(u);
    const auto first = std::uint32_t(mesh.joints.size());
    constexpr int kRings = 2 * kRingsPerEnd;
    for (int ring = 0; ring < kRings; ++ring) {
      const bool at_a = ring < kRingsPerEnd;
      const int step = at_a ? kRingsPerEnd - 1 - ring : ring - kRingsPerEnd;
      const double phi = (at_a ? -0.5 : 0.5) * kPi * step / (kRingsPerEnd - 1);
      for (int side = 0; side < kSides; ++side) {
        const double angle = 2.0 * kPi * side / kSides;
        const Vector3 n = std::cos(angle) * u + std::sin(angle) * v;
        const Vector3 out = std::cos(phi) * n + std::sin(phi) * d;
        AddCorner((at_a ? a : b) + r * out, out, joint);
      }
    }
    for (int ring = 0; ring + 1 < kRings; ++ring) {
      for (int side = 0; side < kSides; ++side) {
        const int next = (side + 1) % kSides;
        const auto corner = [&](int at_ring, int at_side) {
          return first + std::uint32_t(at_ring * kSides + at_side);
        };
        const std::array<std::uint32_t, 4> quad = {
            corner(ring, side), corner(ring, next), corner(ring + 1, next),
            corner(ring + 1, side)};
        // The rings at the poles are points: half of their quads is nothing.
        if (ring > 0) AddTriangle(quad[0], quad[1], quad[2]);
        if (ring + 2 < kRings) AddTriangle(quad[0], quad[2], quad[3]);
      }
    }
  }

  BoneMesh mesh;

 private:
  void AddCorner(const Vector3& p, const Vector3& n, int joint) {
    for (int axis = 0; axis < 3; ++axis) {
      mesh.positions.push_back(float(p[axis]));
      mesh.normals.push_back(float(n[axis]));
    }
    mesh.joints.push_back(joint);
  }
  void AddTriangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    mesh.indices.insert(mesh.indices.end(), {a, b, c});
  }
};

/// Which joints are part of a body: of a person those from the pelvis on. A
/// root above it may stay behind where the clip began, and so may the handles
/// of a rig. All joints where there is no person.
std::vector<bool> BodyJoints(const figure::Skeleton& skeleton) {
  const std::vector<figure::Role> roles = figure::RecogniseRoles(skeleton);
  const int pelvis = figure::IsHumanoid(roles)
                         ? figure::FindRole(roles, figure::Role::kPelvis)
                         : -1;
  std::vector<bool> is_body;
  for (int joint = 0; joint < skeleton.num_joints(); ++joint) {
    is_body.push_back(pelvis < 0 || figure::IsAbove(skeleton, pelvis, joint));
  }
  return is_body;
}

}  // namespace

BoneMesh MakeBoneMesh(const figure::Skeleton& skeleton) {
  const std::vector<Transform> X_WJ =
      figure::WorldTransforms(skeleton, figure::RestPose(skeleton));
  const double height = figure::RestExtent(skeleton).maxCoeff();
  const auto radius = [height](double length) {
    return std::clamp(kThickness * length, kThinnest * height,
                      std::max(kThickest * height, 1e-3));
  };
  MeshMaker maker;
  std::vector<bool> has_bone(std::size_t(skeleton.num_joints()), false);
  const auto add = [&](int joint, const Vector3& end) {
    const Vector3& begin = X_WJ[std::size_t(joint)].p;
    has_bone[std::size_t(joint)] = true;
    maker.AddCapsule(begin, end, radius((end - begin).norm()), joint);
  };
  const std::vector<bool> is_body = BodyJoints(skeleton);
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    const int parent = skeleton.joint(j).parent;
    if (parent >= 0 && is_body[std::size_t(parent)]) {
      add(parent, X_WJ[std::size_t(j)].p);
    }
  }
  for (const figure::Site& site : skeleton.sites()) {
    if (!is_body[std::size_t(site.joint)]) continue;
    add(site.joint, X_WJ[std::size_t(site.joint)].p + site.offset);
  }
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    if (has_bone[std::size_t(j)] || !is_body[std::size_t(j)]) continue;
    const Vector3& p = X_WJ[std::size_t(j)].p;
    maker.AddCapsule(p, p, radius(0.0), j);
  }
  return std::move(maker.mesh);
}

}  // namespace limber::mocap::internal
