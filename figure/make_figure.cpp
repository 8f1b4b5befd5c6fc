// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/make_figure.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <stdexcept>
#include <utility>

#include "core/angle.h"
#include "figure/internal/body_pieces.h"
#include "figure/internal/marker_sites.h"
#include "figure/pose.h"

namespace limber::figure {

namespace {

using internal::Body;
using internal::Piece;

/// A joint that a clip turns by less than this does not move.
constexpr double kStill = 1.0 * kRadiansPerDegree;
/// Room left beyond what a clip does.
constexpr double kLimitMargin = 2.0 * kRadiansPerDegree;
/// Limits of a ball's middle angle end before the sequence does.
constexpr double kWidestMiddle = 89.0 * kRadiansPerDegree;

std::size_t At(int index) { return static_cast<std::size_t>(index); }

void CheckOption(const char* field, double value) {
  if (!(value >= 0.0) || !std::isfinite(value)) {
    throw std::invalid_argument(std::string("FigureOptions: ") + field +
                                " must be zero or positive, is " +
                                std::to_string(value));
  }
}

/// The highest and lowest point of the rest pose along `up`.
std::pair<double, double> Extent(const Skeleton& skeleton, const Vector3& up,
                                 const std::vector<Vector3>& p_WJ) {
  double lo = std::numeric_limits<double>::infinity();
  double hi = -lo;
  const auto look = [&](const Vector3& p) {
    lo = std::min(lo, up.dot(p));
    hi = std::max(hi, up.dot(p));
  };
  for (const Vector3& p : p_WJ) look(p);
  for (const Site& site : skeleton.sites()) {
    look(p_WJ[At(site.joint)] + site.offset);
  }
  return {lo, hi};
}

class FigureBuilder {
 public:
  FigureBuilder(std::shared_ptr<const Skeleton> skeleton,
                const FigureOptions& options)
      : options_(options), skeleton_(std::move(skeleton)) {}

  Result<FigureModel> Build() {
    body_.skeleton = skeleton_.get();
    body_.roles =
        options_.roles.empty() ? RecogniseRoles(*skeleton_) : options_.roles;
    body_.axes = FindBodyAxes(*skeleton_, body_.roles);
    body_.p_WJ = internal::RestPlaces(*skeleton_);
    body_.sex = options_.sex;
    is_human_ = IsHumanoid(body_.roles);
    body_.height = options_.height > 0.0 ? options_.height
                                         : BodyHeight(*skeleton_, body_.roles);
    if (!(body_.height > 0.0) || !HasSize()) {
      diagnostics_.Error("no-size", {},
                         "no bone of the skeleton has a length: there is "
                         "nothing to make a body of");
      return Result<FigureModel>(diagnostics_);
    }
    body_.floor = Extent(*skeleton_, body_.axes.up, body_.p_WJ).first;
    body_.mass = options_.mass;
    if (is_human_ && !(body_.mass > 0.0)) {
      body_.mass = kUsualBodyMassIndex * body_.height * body_.height;
    }
    FindOwn();
    figure_.name = options_.name;
    figure_.skeleton = skeleton_;
    figure_.roles = body_.roles;
    std::vector<Piece> pieces =
        is_human_ ? internal::HumanPieces(body_) : internal::TreePieces(body_);
    if (!is_human_) {
      diagnostics_.Warning("not-human", {},
                           "no human body was recognised by the joints' names: "
                           "capsules along the bones, joints without limits");
      WeldLight(pieces);
    }
    MakeSegments();
    PutPieces(pieces);
    MakeAnchors();
    if (is_human_) {
      figure_.contacts = internal::ContactSites(body_);
      figure_.markers = internal::MarkerSites(body_);
    }
    if (options_.clip != nullptr) AdaptToClip();
    ReportWelded();
    CheckFigure(figure_);
    return Result<FigureModel>(std::move(figure_), diagnostics_);
  }

 private:
  bool HasSize() const {
    const auto has_length = [](const auto& part) {
      return part.offset.norm() > 0.0;
    };
    bool has = std::ranges::any_of(skeleton_->sites(), has_length);
    for (const Joint& joint : skeleton_->joints()) {
      has = has || (joint.parent >= 0 && has_length(joint));
    }
    return has;
  }

  bool HasBone(int joint) const {
    return std::ranges::any_of(
        BonesOf(*skeleton_, joint), [&](const Bone& bone) {
          const Vector3& offset =
              bone.end_joint >= 0
                  ? skeleton_->joint(bone.end_joint).offset
                  : skeleton_->sites()[At(bone.end_site)].offset;
          return offset.norm() > 1e-6 * body_.height;
        });
  }

  /// Whether something lies apart from `joint` below it. CMU's hands end in two
  /// joints at one place.
  bool HasLengthBelow(int joint) const {
    for (int j = joint; j < skeleton_->num_joints(); ++j) {
      if (IsAncestor(joint, j) && HasBone(j)) return true;
    }
    return false;
  }

  /// Which joints are segments. Of a human body: the joints with a role, except
  /// fingers and those without bones; between neck and head also the others;
  /// helper joints in a limb where the clip turns them. Joints above the pelvis
  /// go with it. Of other trees: every joint with a bone.
  void FindOwn() {
    const int num_joints = skeleton_->num_joints();
    body_.is_own.assign(At(num_joints), false);
    const int pelvis = body_.Find(Role::kPelvis);
    if (is_human_) {
      is_above_.assign(At(num_joints), false);
      for (int j = skeleton_->joint(pelvis).parent; j >= 0;
           j = skeleton_->joint(j).parent) {
        is_above_[At(j)] = true;
      }
    }
    for (int j = 0; j < num_joints; ++j) {
      if (!is_human_) {
        body_.is_own[At(j)] = skeleton_->is_root(j) || HasBone(j);
        continue;
      }
      const Role role = body_.roles[At(j)];
      const bool is_finger =
          PartOf(role) == BodyPart::kHand && LeftOf(role) != Role::kLeftHand;
      if (j == pelvis) {
        body_.is_own[At(j)] = true;
      } else if (skeleton_->is_root(j)) {
        // A second root of a human body can only be a body of its own.
        body_.is_own[At(j)] = !is_above_[At(j)];
      } else if (role != Role::kOther) {
        body_.is_own[At(j)] = !is_finger && HasLengthBelow(j);
      } else {
        body_.is_own[At(j)] =
            HasBone(j) &&
            (IsBetween(Role::kNeck, j, Role::kHead) ||
             (options_.clip != nullptr && IsInLimb(j) && Moves(j)));
      }
    }
  }

  bool IsAncestor(int ancestor, int joint) const {
    while (joint >= 0 && joint != ancestor) {
      joint = skeleton_->joint(joint).parent;
    }
    return ancestor >= 0 && joint == ancestor;
  }
  bool IsBetween(Role upper, int joint, Role lower) const {
    return IsAncestor(body_.Find(upper), joint) &&
           IsAncestor(joint, body_.Find(lower));
  }
  bool IsInLimb(int joint) const {
    for (int i = 0; i < kNumRoles; ++i) {
      const Role role = static_cast<Role>(i);
      if (LeftOf(role) != Role::kLeftUpperArm &&
          LeftOf(role) != Role::kLeftForearm &&
          LeftOf(role) != Role::kLeftUpperLeg &&
          LeftOf(role) != Role::kLeftLowerLeg) {
        continue;
      }
      const int next = internal::NextOfLimb(body_, role);
      if (next >= 0 && IsAncestor(body_.Find(role), joint) &&
          IsAncestor(joint, next)) {
        return true;
      }
    }
    return false;
  }

  bool Moves(int joint) const {
    Pose pose;
    for (std::int64_t f = 0; f < options_.clip->num_frames(); ++f) {
      options_.clip->GetPose(f, pose);
      if (AngleBetween(pose.X_PJ[At(joint)].R, Quaternion::Identity()) >
          kStill) {
        return true;
      }
    }
    return false;
  }

  /// Joints of other trees whose bones are too light become part of their
  /// parent's segment.
  void WeldLight(const std::vector<Piece>& pieces) {
    std::vector<double> mass(At(skeleton_->num_joints()), 0.0);
    double sum = 0.0;
    for (const Piece& piece : pieces) {
      mass[At(piece.joint)] += piece.mass;
      sum += piece.mass;
    }
    body_.mass = sum;
    for (int j = 0; j < skeleton_->num_joints(); ++j) {
      if (!skeleton_->is_root(j) &&
          mass[At(j)] < options_.lightest_share * sum) {
        body_.is_own[At(j)] = false;
      }
    }
  }

  void MakeSegments() {
    std::set<std::string> names;
    std::vector<int>& segment_of_joint = figure_.segment_of_joint;
    segment_of_joint.assign(At(skeleton_->num_joints()), -1);
    for (int j = 0; j < skeleton_->num_joints(); ++j) {
      if (is_human_ && is_above_[At(j)]) continue;
      const int parent = skeleton_->joint(j).parent;
      const int parent_segment = parent < 0 ? -1 : segment_of_joint[At(parent)];
      if (!body_.is_own[At(j)] && parent_segment >= 0) {
        segment_of_joint[At(j)] = parent_segment;
        figure_.segments[At(parent_segment)].joints.push_back(j);
        continue;
      }
      // Hangs beside the pelvis on a joint above it.
      if (!body_.is_own[At(j)]) continue;
      FigureSegment segment;
      segment.name = skeleton_->joint(j).name;
      if (segment.name.empty()) segment.name = "joint " + std::to_string(j);
      const std::string stem = segment.name;
      for (int n = 2; !names.insert(segment.name).second; ++n) {
        segment.name = stem + " " + std::to_string(n);
      }
      segment.joint = j;
      segment.parent = parent_segment;
      segment.joints = {j};
      segment_of_joint[At(j)] = figure_.num_segments();
      figure_.segments.push_back(std::move(segment));
    }
    if (!is_human_) return;
    // Joints above and beside the pelvis, and below those beside it.
    const int pelvis = segment_of_joint[At(body_.Find(Role::kPelvis))];
    for (int j = 0; j < skeleton_->num_joints(); ++j) {
      if (segment_of_joint[At(j)] >= 0) continue;
      segment_of_joint[At(j)] = pelvis;
      figure_.segments[At(pelvis)].joints.push_back(j);
    }
  }

  void PutPieces(const std::vector<Piece>& pieces) {
    std::vector<std::vector<const Piece*>> parts(figure_.segments.size());
    double sum = 0.0;
    for (const Piece& piece : pieces) {
      parts[At(figure_.segment_of_joint[At(piece.joint)])].push_back(&piece);
      sum += piece.mass;
    }
    for (std::size_t s = 0; s < parts.size(); ++s) {
      FigureSegment& segment = figure_.segments[s];
      const Vector3& origin = body_.p_WJ[At(segment.joint)];
      Piece grain;
      if (parts[s].empty()) {
        // A joint without any matter that cannot be welded (a root): a ball.
        SegmentShape ball;
        ball.radius = 0.02 * body_.height;
        ball.X_JS.p = origin;
        grain.mass =
            std::max(0.05 * sum, kBodyDensity * internal::VolumeOf(ball));
        grain.centre = origin;
        grain.inertia = internal::InertiaOf(ball, grain.mass);
        grain.shapes = {ball};
        parts[s].push_back(&grain);
        diagnostics_.Warning(
            "thin-bones", {},
            "\"" + segment.name + "\" has no bone with a length; it is a ball");
      }
      Vector3 moment = Vector3::Zero();
      for (const Piece* piece : parts[s]) {
        segment.mass += piece->mass;
        moment += piece->mass * (piece->centre - origin);
      }
      segment.p_JC = moment / segment.mass;
      segment.I_JC.setZero();
      for (const Piece* piece : parts[s]) {
        // Parallel axes: I_C = Σ I_i + m_i (|d|² 1 - d dᵀ).
        const Vector3 d = piece->centre - origin - segment.p_JC;
        segment.I_JC += piece->inertia +
                        piece->mass * (d.squaredNorm() * Matrix3::Identity() -
                                       d * d.transpose());
        for (SegmentShape shape : piece->shapes) {
          shape.X_JS.p -= origin;
          segment.shapes.push_back(shape);
        }
      }
      segment.I_JC = 0.5 * (segment.I_JC + segment.I_JC.transpose()).eval();
    }
  }

  void MakeAnchors() {
    const std::vector<Quaternion> neutral = internal::NeutralRotations(body_);
    int num_spine = 0;
    for (const FigureSegment& segment : figure_.segments) {
      const Role role = body_.roles[At(segment.joint)];
      num_spine += role == Role::kSpine || role == Role::kChest ? 1 : 0;
    }
    for (FigureSegment& segment : figure_.segments) {
      Anchor& anchor = segment.anchor;
      if (segment.parent < 0) {
        anchor.kind = AnchorKind::kFree;
      } else if (is_human_) {
        const int parent = figure_.segments[At(segment.parent)].joint;
        anchor = HumanAnchor(segment.joint, neutral[At(parent)],
                             neutral[At(segment.joint)], num_spine);
      } else {
        anchor.kind = AnchorKind::kBall;
        for (AnchorAxis& axis : anchor.axes) {
          axis.max_torque = 3.0 * LiftTorque(segment);
        }
      }
    }
  }

  Anchor HumanAnchor(int joint, const Quaternion& neutral_P,
                     const Quaternion& neutral_J, int num_spine) const {
    Role role = body_.roles[At(joint)];
    const bool is_named = role != Role::kOther;
    if (!is_named) {
      int ancestor = joint;
      while (body_.roles[At(ancestor)] == Role::kOther) {
        ancestor = skeleton_->joint(ancestor).parent;
      }
      role = body_.roles[At(ancestor)];
    }
    const AnatomicalAxes axes = AxesOf(role);
    const JointNumbers numbers = NumbersOfJoint(role);
    Matrix3 R_WB;
    R_WB.col(0) = body_.axes.left;
    R_WB.col(1) = body_.axes.up;
    R_WB.col(2) = body_.axes.forward;
    const Quaternion A(Matrix3(R_WB * axes.R_BF));
    Anchor anchor;
    anchor.R_PF = (neutral_P.conjugate() * A).normalized();
    anchor.R_JM = (neutral_J.conjugate() * A * axes.angle_at_rest).normalized();
    anchor.kind = numbers.kind;
    const double strength =
        body_.mass * body_.height / (kStrengthMass * kStrengthHeight);
    const bool is_spine = role == Role::kSpine || role == Role::kChest;
    const double share = is_spine ? std::min(1.0, 2.0 / num_spine) : 1.0;
    for (std::size_t k = 0; k < 3; ++k) {
      AnchorAxis& axis = anchor.axes[k];
      axis.lower = share * numbers.lower_deg[k] * kRadiansPerDegree;
      axis.upper = share * numbers.upper_deg[k] * kRadiansPerDegree;
      axis.max_torque = strength * numbers.torque[k];
    }
    if (!is_named && PartOf(role) != BodyPart::kHead) {
      // A twist bone may turn any way.
      anchor.kind = AnchorKind::kBall;
      const double torque =
          strength * *std::ranges::max_element(numbers.torque);
      for (AnchorAxis& axis : anchor.axes)
        axis = AnchorAxis{.max_torque = torque};
    }
    return anchor;
  }

  /// The torque that holds what hangs on a joint, stretched out level [N m].
  double LiftTorque(const FigureSegment& lowest) const {
    double torque = 0.0;
    for (const FigureSegment& segment : figure_.segments) {
      if (!IsAncestor(lowest.joint, segment.joint)) continue;
      const Vector3 centre = body_.p_WJ[At(segment.joint)] + segment.p_JC;
      torque += segment.mass * kGravity *
                (centre - body_.p_WJ[At(lowest.joint)]).norm();
    }
    return torque;
  }

  /// R_PJ between segments: the product over the joints welded in between.
  Quaternion BetweenSegments(const Pose& pose,
                             const FigureSegment& segment) const {
    const int origin = figure_.segments[At(segment.parent)].joint;
    Quaternion R = pose.X_PJ[At(segment.joint)].R;
    for (int j = skeleton_->joint(segment.joint).parent; j != origin;
         j = skeleton_->joint(j).parent) {
      R = pose.X_PJ[At(j)].R * R;
    }
    return R;
  }

  void AdaptToClip() {
    for (FigureSegment& segment : figure_.segments) {
      if (segment.parent < 0) continue;
      Anchor& anchor = segment.anchor;
      if (LargestRest(segment) > kStill) FreeAllTurning(anchor);
      if (anchor.has_limits()) WidenLimits(segment);
    }
  }

  double LargestRest(const FigureSegment& segment) const {
    double largest = 0.0;
    Pose pose;
    for (std::int64_t f = 0; f < options_.clip->num_frames(); ++f) {
      options_.clip->GetPose(f, pose);
      largest = std::max(
          largest,
          MeasureAnchor(segment.anchor, BetweenSegments(pose, segment)).rest);
    }
    return largest;
  }

  /// Hinge and universal joint become balls in the same frames; the new axes
  /// are as strong as the strongest and as wide as the clip makes them.
  static void FreeAllTurning(Anchor& anchor) {
    const std::array<AnchorAxis, 3> old = anchor.axes;
    double torque = 0.0;
    for (int k = 0; k < anchor.num_axes(); ++k) {
      torque = std::max(torque, old[At(k)].max_torque);
    }
    anchor.axes.fill(AnchorAxis{0.0, 0.0, torque});
    if (anchor.kind == AnchorKind::kHinge) {
      anchor.axes[2] = old[0];
    } else if (anchor.kind == AnchorKind::kUniversal) {
      anchor.axes[0] = old[0];
      anchor.axes[1] = old[1];
      anchor.axes[1].lower = std::max(old[1].lower, -kWidestMiddle);
      anchor.axes[1].upper = std::min(old[1].upper, kWidestMiddle);
    }
    anchor.kind = AnchorKind::kBall;
  }

  void WidenLimits(FigureSegment& segment) const {
    Anchor& anchor = segment.anchor;
    Pose pose;
    bool is_wild = false;
    for (std::int64_t f = 0; f < options_.clip->num_frames(); ++f) {
      options_.clip->GetPose(f, pose);
      const AnchorAngles angles =
          MeasureAnchor(anchor, BetweenSegments(pose, segment));
      for (int k = 0; k < anchor.num_axes(); ++k) {
        AnchorAxis& axis = anchor.axes[At(k)];
        const double q = angles.q[At(k)];
        axis.lower = std::min(axis.lower, q - kLimitMargin);
        axis.upper = std::max(axis.upper, q + kLimitMargin);
        const bool is_middle = anchor.kind == AnchorKind::kBall && k == 1;
        const double widest = is_middle ? kWidestMiddle : kPi;
        is_wild = is_wild || axis.lower < -widest || axis.upper > widest;
      }
    }
    if (!is_wild) return;
    // The sequence's angles jump: limits on them would mean nothing.
    for (AnchorAxis& axis : anchor.axes) {
      axis = AnchorAxis{.max_torque = axis.max_torque};
    }
  }

  void ReportWelded() {
    std::string names;
    int count = 0;
    for (const FigureSegment& segment : figure_.segments) {
      for (const int joint : segment.joints) {
        if (joint == segment.joint || !HasBone(joint)) continue;
        ++count;
        if (count <= 8) {
          names += (names.empty() ? "" : ", ") + skeleton_->joint(joint).name;
        }
      }
    }
    if (count == 0) return;
    diagnostics_.Warning("welded", {},
                         std::to_string(count) +
                             " joints turn with their parent (too light, or "
                             "helpers): " +
                             names + (count > 8 ? ", ..." : ""));
  }

  const FigureOptions& options_;
  std::shared_ptr<const Skeleton> skeleton_;
  Body body_;
  bool is_human_ = false;
  std::vector<bool> is_above_;
  FigureModel figure_;
  Diagnostics diagnostics_;
};

}  // namespace

double BodyHeight(const Skeleton& skeleton, const std::vector<Role>& roles) {
  if (!IsHumanoid(roles)) return RestExtent(skeleton).maxCoeff();
  Body body;
  body.skeleton = &skeleton;
  body.roles = roles;
  body.axes = FindBodyAxes(skeleton, roles);
  body.p_WJ = internal::RestPlaces(skeleton);
  const auto part_length = [](BodyPart part) {
    return NumbersOf(part, Sex::kMale).length;
  };
  const Vector3& hip = body.Place(Role::kLeftUpperLeg);
  const Vector3& knee = body.Place(Role::kLeftLowerLeg);
  const double thigh = (knee - hip).norm();
  body.height = thigh / part_length(BodyPart::kThigh);
  const Role top = body.Find(Role::kNeck) >= 0 ? Role::kNeck : Role::kHead;
  if (body.Find(Role::kLeftFoot) < 0 || body.Find(top) < 0) return body.height;
  // The bones of a straightened body: leg, trunk, neck and head; below the
  // ankle what the rest pose shows where its feet are flat, else the usual.
  const Vector3& ankle = body.Place(Role::kLeftFoot);
  const double legs = thigh + (ankle - knee).norm();
  body.height =
      legs / (part_length(BodyPart::kThigh) + part_length(BodyPart::kShank));
  const Vector3 hips = 0.5 * (hip + body.Place(Role::kRightUpperLeg));
  const Vector3& neck = body.Place(top);
  const int head = body.Find(Role::kHead);
  const Vector3 crown =
      internal::EndOfPart(body, head >= 0 ? Role::kHead : Role::kNeck);
  double above = (neck - hips).norm();
  if (head >= 0) above += (body.Place(Role::kHead) - neck).norm();
  const double head_length =
      (crown - (head >= 0 ? body.Place(Role::kHead) : neck)).norm();
  // A head whose bone ends at the eyes counts as long as heads are.
  above +=
      std::max(head_length, 0.5 * part_length(BodyPart::kHead) * body.height);
  const double sole =
      body.axes.up.dot(ankle) - Extent(skeleton, body.axes.up, body.p_WJ).first;
  constexpr double kUsualAnkle = 0.039;
  const bool is_flat = sole > 0.01 * body.height && sole < 0.08 * body.height;
  return legs + above + (is_flat ? sole : kUsualAnkle * body.height);
}

Result<FigureModel> MakeFigure(std::shared_ptr<const Skeleton> skeleton,
                               const FigureOptions& options) {
  if (skeleton == nullptr) {
    throw std::invalid_argument("MakeFigure: skeleton is null");
  }
  CheckOption("height", options.height);
  CheckOption("mass", options.mass);
  CheckOption("lightest_share", options.lightest_share);
  if (!options.roles.empty() &&
      options.roles.size() != At(skeleton->num_joints())) {
    throw std::invalid_argument(
        "MakeFigure: " + std::to_string(options.roles.size()) + " roles for " +
        std::to_string(skeleton->num_joints()) + " joints");
  }
  if (options.clip != nullptr &&
      options.clip->skeleton().num_joints() != skeleton->num_joints()) {
    throw std::invalid_argument(
        "MakeFigure: clip has " +
        std::to_string(options.clip->skeleton().num_joints()) +
        " joints, the skeleton " + std::to_string(skeleton->num_joints()));
  }
  return FigureBuilder(std::move(skeleton), options).Build();
}

}  // namespace limber::figure
