// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/internal/marker_sites.h"

#include <cstddef>
#include <string>

namespace limber::figure::internal {

namespace {

std::size_t At(int index) { return static_cast<std::size_t>(index); }

/// A marker of the left side on a limb, as it lies in the anatomical position:
/// a share of the way along the part, then off it to the left (outside), up and
/// forward in shares of the height.
struct LimbMarker {
  const char* name;  // without the letter of the side
  Role role;
  double along;
  Vector3 off;
};

const std::vector<LimbMarker>& LimbMarkers() {
  static const std::vector<LimbMarker> markers = {
      {"UPA", Role::kLeftUpperArm, 0.5, {0.028, 0.0, 0.0}},
      {"ELB", Role::kLeftUpperArm, 1.0, {0.024, 0.0, 0.0}},
      {"FRM", Role::kLeftForearm, 0.5, {0.023, 0.0, 0.0}},
      {"WRA", Role::kLeftForearm, 0.97, {0.0, 0.0, 0.02}},
      {"WRB", Role::kLeftForearm, 0.97, {0.0, 0.0, -0.02}},
      {"FIN", Role::kLeftHand, 0.45, {0.012, 0.0, 0.006}},
      {"THI", Role::kLeftUpperLeg, 0.55, {0.05, 0.0, 0.01}},
      {"KNE", Role::kLeftUpperLeg, 1.0, {0.034, 0.0, 0.0}},
      {"SHN", Role::kLeftLowerLeg, 0.5, {0.03, 0.0, 0.015}},
      {"ANK", Role::kLeftLowerLeg, 1.0, {0.024, 0.0, 0.0}},
  };
  return markers;
}

/// A marker of the trunk: height on the line from the middle of the hips (0) to
/// the base of the neck (1), then off it as above.
struct TrunkMarker {
  const char* name;
  Role role;
  double height;
  Vector3 off;
};

const std::vector<TrunkMarker>& TrunkMarkers() {
  static const std::vector<TrunkMarker> markers = {
      {"C7", Role::kChest, 1.0, {0.0, 0.0, -0.035}},
      {"T10", Role::kChest, 0.62, {0.0, 0.0, -0.065}},
      {"CLAV", Role::kChest, 0.92, {0.0, 0.0, 0.05}},
      {"STRN", Role::kChest, 0.66, {0.0, 0.0, 0.07}},
      {"RBAC", Role::kChest, 0.82, {-0.05, 0.0, -0.06}},
      {"LFWT", Role::kPelvis, 0.15, {0.075, 0.0, 0.055}},
      {"RFWT", Role::kPelvis, 0.15, {-0.075, 0.0, 0.055}},
      {"LBWT", Role::kPelvis, 0.17, {0.04, 0.0, -0.06}},
      {"RBWT", Role::kPelvis, 0.17, {-0.04, 0.0, -0.06}},
  };
  return markers;
}

/// Markers of the head: share of the way from its joint to the top.
const std::vector<TrunkMarker>& HeadMarkers() {
  static const std::vector<TrunkMarker> markers = {
      {"LFHD", Role::kHead, 0.68, {0.038, 0.0, 0.048}},
      {"RFHD", Role::kHead, 0.68, {-0.038, 0.0, 0.048}},
      {"LBHD", Role::kHead, 0.7, {0.038, 0.0, -0.048}},
      {"RBHD", Role::kHead, 0.7, {-0.038, 0.0, -0.048}},
  };
  return markers;
}

class MarkerPlacer {
 public:
  explicit MarkerPlacer(const Body& body)
      : body_(body), neutral_(NeutralRotations(body)) {
    R_WB_.col(0) = body.axes.left;
    R_WB_.col(1) = body.axes.up;
    R_WB_.col(2) = body.axes.forward;
  }

  std::vector<FigureSite> Place() {
    const Vector3 hips = 0.5 * (body_.Place(Role::kLeftUpperLeg) +
                                body_.Place(Role::kRightUpperLeg));
    const Role top = Has(Role::kNeck) ? Role::kNeck : Role::kHead;
    const Vector3 neck =
        Has(top) ? body_.Place(top)
                 : Vector3(0.5 * (body_.Place(Role::kLeftUpperArm) +
                                  body_.Place(Role::kRightUpperArm)));
    const Role head = Has(Role::kHead) ? Role::kHead : Role::kNeck;
    if (Has(head)) {
      const Vector3& base = body_.Place(head);
      const Vector3 up = EndOfPart(body_, head) - base;
      for (const TrunkMarker& marker : HeadMarkers()) {
        Add(marker.name, head, base + marker.height * up + Off(marker.off));
      }
    }
    for (const TrunkMarker& marker : TrunkMarkers()) {
      const Role role = Has(marker.role) ? marker.role : Role::kPelvis;
      Add(marker.name, role,
          hips + marker.height * (neck - hips) + Off(marker.off));
    }
    for (const bool left : {true, false}) Side(left);
    return sites_;
  }

 private:
  bool Has(Role role) const { return body_.Find(role) >= 0; }
  Vector3 Off(const Vector3& off) const { return body_.height * (R_WB_ * off); }
  void Add(const std::string& name, Role role, const Vector3& p_WM) {
    const int joint = body_.Find(role);
    sites_.push_back({name, joint, p_WM - body_.p_WJ[At(joint)]});
  }

  void Side(bool left) {
    const std::string letter = left ? "L" : "R";
    const auto side = [&](Role role) { return left ? role : Mirrored(role); };
    const Role arm = side(Role::kLeftUpperArm);
    const Role clavicle = side(Role::kLeftClavicle);
    const Role chest = Has(Role::kChest) ? Role::kChest : Role::kPelvis;
    Add(letter + "SHO", Has(clavicle) ? clavicle : chest,
        body_.Place(arm) + Off({0.0, 0.035, 0.0}));
    for (const LimbMarker& marker : LimbMarkers()) {
      const Role role = side(marker.role);
      if (!Has(role)) continue;
      const Vector3& start = body_.Place(role);
      Vector3 way = EndOfPart(body_, role) - start;
      if (marker.role == Role::kLeftHand) {
        way = way.normalized() * NumbersOf(BodyPart::kHand, body_.sex).length *
              body_.height;
      }
      Vector3 off = marker.off;
      if (!left) off.x() = -off.x();
      Add(letter + marker.name, role,
          start + marker.along * way +
              neutral_[At(body_.Find(role))].conjugate() * Off(off));
    }
    const Role foot = side(Role::kLeftFoot);
    if (!Has(foot)) return;
    const Vector3& up = body_.axes.up;
    const auto above_floor = [&](const Vector3& p, double height) {
      return Vector3(p +
                     up * (body_.floor + height * body_.height - up.dot(p)));
    };
    const double length =
        NumbersOf(BodyPart::kFoot, body_.sex).length * body_.height;
    const Vector3& ankle = body_.Place(foot);
    const Vector3& forward = body_.axes.forward;
    const Role toes = side(Role::kLeftToes);
    const Vector3 ball = Has(toes) ? body_.Place(toes)
                                   : Vector3(ankle + 0.45 * length * forward);
    const double out = left ? 1.0 : -1.0;
    Add(letter + "HEE", foot,
        above_floor(ankle - 0.27 * length * forward, 0.025));
    Add(letter + "TOE", foot, above_floor(ball, 0.032));
    Add(letter + "MT5", foot,
        above_floor(ball - 0.06 * length * forward, 0.014) +
            Off({out * 0.028, 0.0, 0.0}));
  }

  const Body& body_;
  std::vector<Quaternion> neutral_;
  Matrix3 R_WB_;
  std::vector<FigureSite> sites_;
};

}  // namespace

std::vector<FigureSite> MarkerSites(const Body& body) {
  return MarkerPlacer(body).Place();
}

}  // namespace limber::figure::internal
