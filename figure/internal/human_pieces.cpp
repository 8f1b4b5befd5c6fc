// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "figure/internal/body_pieces.h"

namespace limber::figure::internal {

namespace {

// Widths of trunk shapes as shares of the height: hip breadth [Drillis &
// Contini 1966] and chest breadth without the arms.
constexpr double kPelvisWidth = 0.191;
constexpr double kWaistWidth = 0.165;
constexpr double kChestWidth = 0.174;
constexpr double kFootWidth = 0.055;
constexpr double kHandWidth = 0.048;
// Share of the foot behind the ankle.
constexpr double kHeelBehindAnkle = 0.25;

std::size_t At(int index) { return static_cast<std::size_t>(index); }

class HumanBuilder {
 public:
  explicit HumanBuilder(const Body& body)
      : body_(body), neutral_(NeutralRotations(body)) {}

  std::vector<Piece> Build() {
    SharePartsOut();
    Trunk();
    Head();
    for (const bool left : {true, false}) {
      for (const Role role : {Role::kLeftUpperArm, Role::kLeftForearm,
                              Role::kLeftUpperLeg, Role::kLeftLowerLeg}) {
        Limb(left ? role : Mirrored(role));
      }
      Hand(left ? Role::kLeftHand : Role::kRightHand);
      Foot(left ? Role::kLeftFoot : Role::kRightFoot);
    }
    return pieces_;
  }

 private:
  bool Has(Role role) const { return body_.Find(role) >= 0; }
  const PartNumbers& Numbers(BodyPart part) const {
    return NumbersOf(part, body_.sex);
  }
  double& MassOf(Role role) { return mass_[static_cast<std::size_t>(role)]; }

  /// The mass that each role's part carries. The mass of a part that the
  /// skeleton lacks goes to what it hangs on.
  void SharePartsOut() {
    const auto part = [&](BodyPart p) { return Numbers(p).mass; };
    double sum = 0.0;
    for (int p = 0; p < kNumBodyParts; ++p) {
      const double share = Numbers(static_cast<BodyPart>(p)).mass;
      sum += share * (p >= static_cast<int>(BodyPart::kUpperArm) ? 2.0 : 1.0);
    }
    const double total = body_.mass / sum;
    const Role upper = Has(Role::kChest) ? Role::kChest : Role::kPelvis;
    MassOf(Role::kPelvis) += total * part(BodyPart::kLowerTrunk);
    MassOf(upper) += total * part(BodyPart::kUpperTrunk);
    const double middle = total * part(BodyPart::kMiddleTrunk);
    if (Has(Role::kSpine)) {
      MassOf(Role::kSpine) += middle;
    } else {
      MassOf(Role::kPelvis) += 0.5 * middle;
      MassOf(upper) += 0.5 * middle;
    }
    const double head = total * part(BodyPart::kHead);
    if (Has(Role::kNeck) && Has(Role::kHead)) {
      MassOf(Role::kNeck) += kNeckOfHead * head;
      MassOf(Role::kHead) += (1.0 - kNeckOfHead) * head;
    } else if (Has(Role::kHead)) {
      MassOf(Role::kHead) += head;
    } else if (Has(Role::kNeck)) {
      MassOf(Role::kNeck) += head;
    } else {
      loose_head_ = head;
    }
    for (const bool left : {true, false}) {
      const auto side = [&](Role role) { return left ? role : Mirrored(role); };
      const Role clavicle = side(Role::kLeftClavicle);
      if (Has(clavicle)) {
        const double share =
            kClavicleOfTrunk * total * part(BodyPart::kUpperTrunk);
        MassOf(clavicle) += share;
        MassOf(upper) -= share;
      }
      MassOf(side(Role::kLeftUpperArm)) += total * part(BodyPart::kUpperArm);
      MassOf(side(Role::kLeftForearm)) += total * part(BodyPart::kForearm);
      const Role hand = side(Role::kLeftHand);
      MassOf(Has(hand) ? hand : side(Role::kLeftForearm)) +=
          total * part(BodyPart::kHand);
      MassOf(side(Role::kLeftUpperLeg)) += total * part(BodyPart::kThigh);
      MassOf(side(Role::kLeftLowerLeg)) += total * part(BodyPart::kShank);
      const double foot_mass = total * part(BodyPart::kFoot);
      const Role foot = side(Role::kLeftFoot);
      const Role toes = side(Role::kLeftToes);
      if (!Has(foot)) {
        MassOf(side(Role::kLeftLowerLeg)) += foot_mass;
      } else if (!Has(toes) || !body_.is_own[At(body_.Find(toes))]) {
        MassOf(foot) += foot_mass;
      } else {
        MassOf(foot) += (1.0 - kToesOfFoot) * foot_mass;
        MassOf(toes) += kToesOfFoot * foot_mass;
      }
    }
  }

  /// The table's inertia of a part of length `length` whose long axis is
  /// `along` and that faces `forward`.
  Matrix3 TableInertia(BodyPart part, double mass, double length,
                       const Vector3& along, const Vector3& forward) const {
    const PartNumbers& numbers = Numbers(part);
    const Vector3 radii = length * Vector3(numbers.r_transverse, numbers.r_long,
                                           numbers.r_sagittal);
    Matrix3 R;
    R.col(1) = along;
    R.col(2) = (forward - along * along.dot(forward)).normalized();
    R.col(0) = R.col(1).cross(R.col(2));
    return R * (mass * radii.cwiseAbs2()).asDiagonal() * R.transpose();
  }

  void Add(int joint, double mass, const Vector3& centre,
           const Matrix3& inertia, std::vector<SegmentShape> shapes) {
    pieces_.push_back({joint, mass, centre, inertia, std::move(shapes)});
  }

  /// A capsule that lies across the trunk.
  SegmentShape Across(const Vector3& centre, double width, double mass) const {
    const Vector3 half = 0.5 * width * body_.height * body_.axes.left;
    return CapsuleBetween(centre - half, centre + half, mass / kBodyDensity);
  }

  /// Landmarks of the table on the line from the middle of the hips to the
  /// base of the neck, as shares of its length.
  void Trunk() {
    const double lower = Numbers(BodyPart::kLowerTrunk).length;
    const double middle = Numbers(BodyPart::kMiddleTrunk).length;
    const double upper = Numbers(BodyPart::kUpperTrunk).length;
    const double whole = lower + middle + upper;
    const Vector3 hips = 0.5 * (body_.Place(Role::kLeftUpperLeg) +
                                body_.Place(Role::kRightUpperLeg));
    Vector3 neck;
    if (Has(Role::kNeck)) {
      neck = body_.Place(Role::kNeck);
    } else if (Has(Role::kHead)) {
      neck = body_.Place(Role::kHead);
    } else {
      neck = 0.5 * (body_.Place(Role::kLeftUpperArm) +
                    body_.Place(Role::kRightUpperArm));
    }
    Vector3 line = neck - hips;
    if (line.norm() < 0.1 * body_.height) {
      line = whole * body_.height * body_.axes.up;
    }
    const double length = line.norm();
    const Vector3 along = line / length;
    const Vector3& forward = body_.axes.forward;
    const auto height_of = [&](BodyPart part, double bottom, double size) {
      return (bottom + (1.0 - Numbers(part).centre) * size) / whole;
    };

    const double pelvis_mass = MassOf(Role::kPelvis);
    const Vector3 pelvis_centre =
        hips + line * height_of(BodyPart::kLowerTrunk, 0.0, lower);
    Add(body_.Find(Role::kPelvis), pelvis_mass, pelvis_centre,
        TableInertia(BodyPart::kLowerTrunk, pelvis_mass, length * lower / whole,
                     along, forward),
        {Across(pelvis_centre, kPelvisWidth, pelvis_mass)});

    if (Has(Role::kSpine)) Spine(hips, line, lower / whole, middle / whole);

    if (Has(Role::kChest)) {
      const double chest_mass = MassOf(Role::kChest);
      const Vector3 chest_centre =
          hips + line * height_of(BodyPart::kUpperTrunk, lower + middle, upper);
      Add(body_.Find(Role::kChest), chest_mass, chest_centre,
          TableInertia(BodyPart::kUpperTrunk, chest_mass,
                       length * upper / whole, along, forward),
          {Across(chest_centre, kChestWidth, chest_mass)});
    }
    for (const Role role : {Role::kLeftClavicle, Role::kRightClavicle}) {
      if (!Has(role)) continue;
      const int joint = body_.Find(role);
      Rod(joint, body_.p_WJ[At(joint)], EndOfPart(body_, role), MassOf(role));
    }
  }

  /// The middle trunk goes to the spine's segments: the table's inertia where
  /// there is one, equal slices of it where there are several.
  void Spine(const Vector3& hips, const Vector3& line, double bottom,
             double size) {
    std::vector<int> joints;
    for (int j = 0; j < body_.skeleton->num_joints(); ++j) {
      if (body_.roles[At(j)] == Role::kSpine && body_.is_own[At(j)]) {
        joints.push_back(j);
      }
    }
    if (joints.empty()) joints.push_back(body_.Find(Role::kSpine));
    const double count = static_cast<double>(joints.size());
    const double mass = MassOf(Role::kSpine) / count;
    const double length = line.norm();
    for (std::size_t i = 0; i < joints.size(); ++i) {
      const double centre = 1.0 - Numbers(BodyPart::kMiddleTrunk).centre;
      const double share =
          joints.size() == 1 ? centre : (static_cast<double>(i) + 0.5) / count;
      const Vector3 p_WC = hips + line * (bottom + share * size);
      const SegmentShape shape = Across(p_WC, kWaistWidth, mass);
      const Matrix3 inertia =
          joints.size() == 1
              ? TableInertia(BodyPart::kMiddleTrunk, mass, length * size,
                             line / length, body_.axes.forward)
              : InertiaOf(shape, mass);
      Add(joints[i], mass, p_WC, inertia, {shape});
    }
  }

  /// A capsule that carries its own inertia.
  void Rod(int joint, const Vector3& from, const Vector3& to, double mass) {
    const SegmentShape shape = CapsuleBetween(from, to, mass / kBodyDensity);
    Add(joint, mass, shape.X_JS.p, InertiaOf(shape, mass), {shape});
  }

  void Head() {
    const bool has_both = Has(Role::kNeck) && Has(Role::kHead);
    if (has_both) {
      const int neck = body_.Find(Role::kNeck);
      const int head = body_.Find(Role::kHead);
      const std::vector<int> chain = OwnChain(neck, head);
      const double mass =
          MassOf(Role::kNeck) / static_cast<double>(chain.size());
      for (std::size_t i = 0; i < chain.size(); ++i) {
        const int next = i + 1 < chain.size() ? chain[i + 1] : head;
        Rod(chain[i], body_.p_WJ[At(chain[i])], body_.p_WJ[At(next)], mass);
      }
    }
    const Role role = Has(Role::kHead) ? Role::kHead : Role::kNeck;
    if (!Has(role)) {
      LooseHead();
      return;
    }
    const int joint = body_.Find(role);
    const double mass = MassOf(role);
    const Vector3& base = body_.p_WJ[At(joint)];
    Vector3 top = EndOfPart(body_, role);
    // A nose or an eye is no vertex: the head goes on as long as heads are.
    const double usual = Numbers(BodyPart::kHead).length * body_.height *
                         (has_both ? 0.65 : 1.0);
    if ((top - base).norm() < 0.5 * usual) top = base + usual * body_.axes.up;
    const double length = (top - base).norm();
    const Vector3 along = (top - base) / length;
    const PartNumbers& numbers = Numbers(BodyPart::kHead);
    const Vector3 centre = has_both
                               ? Vector3(0.5 * (top + base))
                               : Vector3(top - numbers.centre * (top - base));
    const SegmentShape shape =
        CapsuleBetween(has_both ? base : Vector3(base + 0.25 * (top - base)),
                       top, mass / kBodyDensity);
    Add(joint, mass, centre,
        has_both ? InertiaOf(shape, mass)
                 : TableInertia(BodyPart::kHead, mass, length, along,
                                body_.axes.forward),
        {shape});
  }

  /// The head of a skeleton without a joint for it sits above the shoulders of
  /// the upper trunk.
  void LooseHead() {
    const int joint =
        body_.Find(Has(Role::kChest) ? Role::kChest : Role::kPelvis);
    const PartNumbers& numbers = Numbers(BodyPart::kHead);
    const double length = numbers.length * body_.height;
    const Vector3& up = body_.axes.up;
    const Vector3 base = 0.5 * (body_.Place(Role::kLeftUpperArm) +
                                body_.Place(Role::kRightUpperArm)) +
                         0.25 * length * up;
    const SegmentShape shape =
        CapsuleBetween(base + 0.25 * length * up, base + length * up,
                       loose_head_ / kBodyDensity);
    Add(joint, loose_head_, base + (1.0 - numbers.centre) * length * up,
        TableInertia(BodyPart::kHead, loose_head_, length, up,
                     body_.axes.forward),
        {shape});
  }

  /// `first` and the joints between it and `last` that are segments.
  std::vector<int> OwnChain(int first, int last) const {
    std::vector<int> chain;
    for (int j = last; j >= 0 && j != first;
         j = body_.skeleton->joint(j).parent) {
      if (j != last && body_.is_own[At(j)]) chain.push_back(j);
    }
    chain.push_back(first);
    std::ranges::reverse(chain);
    return chain;
  }

  void Limb(Role role) {
    const int joint = body_.Find(role);
    const Vector3& start = body_.p_WJ[At(joint)];
    const Vector3 end = EndOfPart(body_, role);
    const double mass = MassOf(role);
    const int next = NextOfLimb(body_, role);
    const std::vector<int> chain =
        next < 0 ? std::vector<int>{joint} : OwnChain(joint, next);
    if (chain.size() > 1) {
      // Twist bones that move share the limb by length.
      for (std::size_t i = 0; i < chain.size(); ++i) {
        const Vector3& from = body_.p_WJ[At(chain[i])];
        const Vector3& to =
            i + 1 < chain.size() ? body_.p_WJ[At(chain[i + 1])] : end;
        double sum = 0.0;
        for (std::size_t k = 0; k + 1 < chain.size(); ++k) {
          sum +=
              (body_.p_WJ[At(chain[k + 1])] - body_.p_WJ[At(chain[k])]).norm();
        }
        sum += (end - body_.p_WJ[At(chain.back())]).norm();
        Rod(chain[i], from, to, mass * (to - from).norm() / sum);
      }
      return;
    }
    const double length = (end - start).norm();
    const Vector3 along = (end - start) / length;
    SegmentShape shape = CapsuleBetween(start, end, mass / kBodyDensity);
    if (LeftOf(role) == Role::kLeftUpperLeg) {
      // Thighs meet in the middle and no farther.
      const double apart =
          (body_.Place(Role::kLeftUpperLeg) - body_.Place(Role::kRightUpperLeg))
              .norm();
      shape.radius =
          std::max(std::min(shape.radius, 0.48 * apart), 0.1 * shape.radius);
      shape.length = std::max(0.0, length - 2.0 * shape.radius);
    }
    Add(joint, mass, start + Numbers(PartOf(role)).centre * (end - start),
        TableInertia(PartOf(role), mass, length, along, Facing(joint, along)),
        {shape});
  }

  /// The direction in the rest pose that faces forward in the anatomical
  /// position.
  Vector3 Facing(int joint, const Vector3& along) const {
    const Vector3 facing = neutral_[At(joint)].conjugate() * body_.axes.forward;
    return facing.cross(along).norm() > 1e-3 ? facing : AnyPerpendicular(along);
  }

  void Hand(Role role) {
    if (!Has(role)) return;
    const int joint = body_.Find(role);
    const double mass = MassOf(role);
    const Vector3& wrist = body_.p_WJ[At(joint)];
    const Vector3 along = (EndOfPart(body_, role) - wrist).normalized();
    const PartNumbers& numbers = Numbers(BodyPart::kHand);
    const double length = std::max((EndOfPart(body_, role) - wrist).norm(),
                                   numbers.length * body_.height);
    const Vector3 forward = Facing(joint, along);
    SegmentShape box;
    box.kind = SegmentShape::Kind::kBox;
    Matrix3 R;
    R.col(1) = along;
    R.col(2) = (forward - along * along.dot(forward)).normalized();
    R.col(0) = R.col(1).cross(R.col(2));
    box.X_JS.R = Quaternion(R);
    // Fingers taper: the box is the palm's width and 0.9 of the length.
    const double width = kHandWidth * body_.height;
    box.size = {0.0, 0.9 * length, width};
    box.size.x() = mass / kBodyDensity / (box.size.y() * width);
    box.X_JS.p = wrist + 0.45 * length * along;
    Add(joint, mass, wrist + numbers.centre * length * along,
        TableInertia(BodyPart::kHand, mass, length, along, forward), {box});
  }

  /// Foot and toes: boxes on the floor from heel to ball and from ball to tip.
  void Foot(Role role) {
    if (!Has(role)) return;
    const int joint = body_.Find(role);
    const bool left = SideOf(role) == Side::kLeft;
    const Role toes = left ? Role::kLeftToes : Role::kRightToes;
    const bool own_toes = Has(toes) && body_.is_own[At(body_.Find(toes))];
    const BodyAxes& axes = body_.axes;
    const Vector3& ankle = body_.p_WJ[At(joint)];
    const double usual = Numbers(BodyPart::kFoot).length * body_.height;
    const Vector3 tip = EndOfPart(body_, Has(toes) ? toes : role);
    Vector3 forward = tip - ankle;
    forward -= axes.up * axes.up.dot(forward);
    forward =
        forward.norm() > 0.1 * usual ? forward.normalized() : axes.forward;
    const double ankle_height =
        std::clamp(axes.up.dot(ankle) - body_.floor, 0.01 * body_.height,
                   0.08 * body_.height);
    const double back = kHeelBehindAnkle * usual;
    const double front = std::max(forward.dot(tip - ankle), 0.4 * usual);
    const double ball =
        own_toes ? forward.dot(body_.Place(toes) - ankle) : front;
    const double foot_length = back + front;
    const double width = kFootWidth * body_.height;
    const auto box = [&](double from, double to, double height) {
      SegmentShape shape;
      shape.kind = SegmentShape::Kind::kBox;
      Matrix3 R;
      R.col(1) = axes.up;
      R.col(2) = forward;
      R.col(0) = axes.up.cross(forward);
      shape.X_JS.R = Quaternion(R);
      shape.size = {width, height, to - from};
      shape.X_JS.p = ankle + 0.5 * (from + to) * forward +
                     (0.5 * height - ankle_height) * axes.up;
      return shape;
    };
    const PartNumbers& numbers = Numbers(BodyPart::kFoot);
    const double mass = MassOf(role);
    const SegmentShape sole = box(-back, ball, ankle_height);
    // The table's centre of the whole foot, less the toes.
    const double whole_mass = mass + (own_toes ? MassOf(toes) : 0.0);
    const double whole_centre = -back + numbers.centre * foot_length;
    const double toe_centre = 0.5 * (ball + front);
    const double centre =
        own_toes
            ? (whole_mass * whole_centre - MassOf(toes) * toe_centre) / mass
            : whole_centre;
    const Vector3 down = -0.6 * ankle_height * axes.up;
    Add(joint, mass, ankle + centre * forward + down,
        TableInertia(BodyPart::kFoot, mass, back + ball, forward, axes.up),
        {sole});
    if (!own_toes) return;
    const double toe_mass = MassOf(toes);
    const SegmentShape toe_box =
        box(ball, std::max(front, ball + 0.1 * usual), 0.4 * ankle_height);
    Add(body_.Find(toes), toe_mass, toe_box.X_JS.p,
        InertiaOf(toe_box, toe_mass), {toe_box});
  }

  const Body& body_;
  std::vector<Quaternion> neutral_;
  std::array<double, kNumRoles> mass_ = {};
  double loose_head_ = 0.0;  // [kg]
  std::vector<Piece> pieces_;
};

}  // namespace

std::vector<Piece> HumanPieces(const Body& body) {
  return HumanBuilder(body).Build();
}

std::vector<Piece> TreePieces(const Body& body) {
  // A bone is a capsule a seventh as thick as long.
  constexpr double kRadiusOfLength = 1.0 / 14.0;
  const Skeleton& skeleton = *body.skeleton;
  std::vector<Piece> pieces;
  double sum = 0.0;
  const auto add = [&](int joint, const Vector3& end) {
    const Vector3& start = body.p_WJ[At(joint)];
    const double length = (end - start).norm();
    if (!(length > 1e-6 * body.height)) return;
    const double r = kRadiusOfLength * length;
    const double volume =
        kPi * r * r * (length - 2.0 * r) + 4.0 / 3.0 * kPi * r * r * r;
    Piece piece;
    piece.joint = joint;
    const SegmentShape shape = CapsuleBetween(start, end, volume);
    piece.mass = kBodyDensity * volume;
    piece.centre = shape.X_JS.p;
    piece.inertia = InertiaOf(shape, piece.mass);
    piece.shapes = {shape};
    sum += piece.mass;
    pieces.push_back(piece);
  };
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    if (skeleton.joint(j).parent >= 0) {
      add(skeleton.joint(j).parent, body.p_WJ[At(j)]);
    }
  }
  for (const Site& site : skeleton.sites()) {
    add(site.joint, body.p_WJ[At(site.joint)] + site.offset);
  }
  if (body.mass > 0.0) {
    for (Piece& piece : pieces) {
      piece.mass *= body.mass / sum;
      piece.inertia *= body.mass / sum;
    }
  }
  return pieces;
}

}  // namespace limber::figure::internal
