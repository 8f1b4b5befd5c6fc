// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// A joint type of one's own: a toothed wheel on a rack. See README.md.
#include <cmath>
#include <cstdio>

#include "dynamics/joint.h"
#include "dynamics/world.h"

using namespace limber;
using namespace limber::dynamics;

/// M turns about the z axis of F and rolls along its x axis, x = -r q. The one
/// coordinate is the angle q; motor and limits of `axis(0)` come by themselves.
class RackJoint : public Joint {
 public:
  RackJoint(BodyId parent, const Transform& X_PF, BodyId child,
            const Transform& X_BM, double radius)
      : Joint(parent, X_PF, child, X_BM, 1), r_(radius) {}

  void Evaluate(const BodyMotion& parent, const BodyMotion& child,
                JointForm& form) const override {
    const Matrix3 F = parent.R_WB * R_PF();  // Columns: axes in the world.
    const Matrix3 M = child.R_WB * R_BM();
    const Vector3 p_WM = child.Point(X_BM().p);
    const Vector3 p = F.transpose() * (p_WM - parent.Point(X_PF().p));
    // Whole turns are read off the way along the rack.
    double q = std::atan2(M.col(0).dot(F.col(1)), M.col(0).dot(F.col(0)));
    q += 2.0 * kPi * std::round((-p.x() / r_ - q) / (2.0 * kPi));

    form.parent_point = form.child_point = p_WM;
    form.num_locked = 5;
    const Vector3 none = Vector3::Zero();
    // C = x + r q: it rolls; C = y, C = z: it stays on the rack.
    form.locked[0] = {F.col(0), r_ * M.col(2), p.x() + r_ * q, 0.0, false};
    form.locked[1] = {F.col(1), none, p.y(), 0.0, false};
    form.locked[2] = {F.col(2), none, p.z(), 0.0, false};
    // C = x and y parts of z_F x z_M: the axes stay aligned.
    form.locked[3] = {none, F.col(1).cross(M.col(2)), -M.col(2).dot(F.col(1)),
                      0.0, true};
    form.locked[4] = {none, M.col(2).cross(F.col(0)), M.col(2).dot(F.col(0)),
                      0.0, true};
    form.num_free = 1;
    form.free[0] = {-r_ * F.col(0), M.col(2), none, M.col(2), q, 0.0,
                    true,           true};
  }

 private:
  double r_;
};

int main() {
  // A full cylinder rolls down a slope: x = g sin(slope) t^2 / 3.
  constexpr double kRadius = 0.1, kSlope = 0.3, kStep = 1.0 / 240.0;
  World world;
  BodySpec wheel;
  wheel.mass = MassOfCylinder(kRadius, 0.05, Material::WithMass(2.0));
  const Transform down{ExpRotation({0.0, 0.0, -kSlope}), Vector3::Zero()};
  const Transform axle = FrameAlong(Vector3::Zero(), Vector3::UnitY());
  wheel.X_WB = down * axle.Inverse();
  const BodyId body = world.AddBody(wheel);
  const RackJoint& rack =
      world.Add(RackJoint(kGround, down, body, axle, kRadius));
  for (int i = 0; i < 240; ++i) world.Step(kStep);
  const double rolled = -kRadius * rack.Position(world.motions(), 0);
  const double exact = kGravity * std::sin(kSlope) / 3.0;
  std::printf("after %.2f s: %.5f m and %.2f turns, exact %.5f m\n",
              world.time(), rolled, rolled / (2.0 * kPi * kRadius), exact);
  return std::abs(rolled - exact) < 0.01 * exact ? 0 : 1;
}
