// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/scenes/foreign_rigs.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "mocap/io/bvh.h"

namespace limber::test {

namespace {

using figure::Channel;
using figure::ChannelKind;

/// One joint of a rig in the adult's T-pose.
struct RigJoint {
  std::string name;
  int parent = -1;
  Vector3 p_T = Vector3::Zero();  ///< In the world, in the T-pose [m].
  /// Turns as this joint of the adult, or a share of the way to `next`; -1: as
  /// its parent does, with a turn of its own.
  int follow = -1;
  int next = -1;
  double share = 0.0;
  /// The part of the turn from `follow` to `next` about the bone alone.
  bool twist_only = false;
  Vector3 own = Vector3::Zero();  ///< Its own turn at its most [rad].
  double phase = 0.0;             ///< Of its own turn [rad].
};

struct RigSite {
  int joint = -1;
  Vector3 p_T = Vector3::Zero();  ///< In the world, in the T-pose [m].
};

/// What the programs call the parts; %s is the side.
struct RigWords {
  std::string hips;
  std::vector<std::string> spine;
  std::vector<std::string> neck;  ///< The head last.
  std::string clavicle, upper_arm, forearm, hand, thigh, shank, foot, toes;
};

RigWords WordsOf(RigKind kind) {
  switch (kind) {
    case RigKind::kMixamo:
      return {"Hips",           {"Spine", "Spine1", "Spine2"},
              {"Neck", "Head"}, "%sShoulder",
              "%sArm",          "%sForeArm",
              "%sHand",         "%sUpLeg",
              "%sLeg",          "%sFoot",
              "%sToeBase"};
    case RigKind::kBandai:
      return {"Hips",        {"Spine", "Chest"}, {"Neck", "Head"},
              "Shoulder_%s", "UpperArm_%s",      "LowerArm_%s",
              "Hand_%s",     "UpperLeg_%s",      "LowerLeg_%s",
              "Foot_%s",     "Toes_%s"};
    case RigKind::kNeuron:
      return {"Hips",
              {"Spine", "Spine1", "Spine2", "Spine3"},
              {"Neck", "Head"},
              "%sShoulder",
              "%sArm",
              "%sForeArm",
              "%sHand",
              "%sUpLeg",
              "%sLeg",
              "%sFoot",
              ""};
    case RigKind::kDaz:
      return {"pelvis",
              {"abdomenLower", "abdomenUpper", "chestLower", "chestUpper"},
              {"neckLower", "neckUpper", "head"},
              "%sCollar",
              "%sShldrBend",
              "%sForearmBend",
              "%sHand",
              "%sThighBend",
              "%sShin",
              "%sFoot",
              "%sToe"};
  }
  return {};
}

/// The adult's joints by their names.
struct Adult {
  explicit Adult(const figure::Skeleton& skeleton) : skeleton(skeleton) {
    for (const figure::Joint& joint : skeleton.joints()) {
      p.push_back(joint.parent < 0 ? joint.offset
                                   : p[joint.parent] + joint.offset);
    }
  }
  int Find(const std::string& name) const { return skeleton.Find(name); }
  Vector3 At(const std::string& name) const { return p[Find(name)]; }

  const figure::Skeleton& skeleton;
  std::vector<Vector3> p;  ///< Places in the T-pose [m].
};

class RigBuilder {
 public:
  RigBuilder(const Adult& adult, const RigStyle& style)
      : adult_(adult), style_(style), words_(WordsOf(style.kind)) {
    int parent = -1;
    for (const std::string& root : style.roots) {
      parent = Add({root, parent, Vector3::Zero()});
      is_root_.resize(joints_.size(), true);
    }
    const int hips = adult.Find("Hips");
    if (style.kind == RigKind::kDaz) {
      parent = Add({"hip", parent, adult.p[hips], hips});
    }
    hips_ = Add({words_.hips, parent, adult.p[hips], hips});
    const int chest = AddSpine();
    AddHead(chest);
    for (const bool left : {true, false}) {
      AddArm(left, chest);
      AddLeg(left);
    }
    if (style.kind == RigKind::kDaz) AddFace();
    is_root_.resize(joints_.size(), false);
  }

  const std::vector<RigJoint>& joints() const { return joints_; }
  const std::vector<RigSite>& sites() const { return sites_; }
  bool is_root(std::size_t joint) const { return is_root_[joint]; }
  int hips() const { return hips_; }

  /// S_j: how each joint is turned in the rig's rest pose, against the T-pose.
  std::vector<Quaternion> RestTurns() const {
    std::vector<Quaternion> S(joints_.size(), Quaternion::Identity());
    for (std::size_t j = 0; j < joints_.size(); ++j) {
      if (style_.rest == RigRest::kBoneAxes) {
        S[j] = is_root_[j] ? Quaternion::Identity() : AlongX(j);
        continue;
      }
      if (joints_[j].parent >= 0) S[j] = S[joints_[j].parent];
      const bool left = static_cast<int>(j) == arms_[0];
      if (!left && static_cast<int>(j) != arms_[1]) continue;
      const double down = style_.rest == RigRest::kT   ? 0.0
                          : style_.rest == RigRest::kA ? kPi / 4.0
                                                       : 0.48 * kPi;
      S[j] =
          Quaternion(Eigen::AngleAxisd(left ? -down : down, Vector3::UnitZ()));
    }
    return S;
  }

 private:
  int Add(RigJoint joint) {
    if (!joint.name.empty()) joint.name = style_.prefix + joint.name;
    joints_.push_back(std::move(joint));
    return static_cast<int>(joints_.size()) - 1;
  }

  std::string Named(const std::string& word, bool left) const {
    std::string side;
    switch (style_.kind) {
      case RigKind::kMixamo:
      case RigKind::kNeuron:
        side = left ? "Left" : "Right";
        break;
      case RigKind::kBandai:
        side = left ? "L" : "R";
        break;
      case RigKind::kDaz:
        side = left ? "l" : "r";
        break;
    }
    std::string name = word;
    const std::size_t at = name.find("%s");
    return at == std::string::npos ? name : name.replace(at, 2, side);
  }

  /// Spine joints on the line from the hips to the chest; each turns its share
  /// of the way from the adult's hips to the chest.
  int AddSpine() {
    const auto n = static_cast<int>(words_.spine.size());
    const int hips = adult_.Find("Hips");
    const int spine = adult_.Find("Spine");
    const int chest = adult_.Find("Chest");
    int parent = hips_;
    for (int k = 0; k < n; ++k) {
      RigJoint joint{words_.spine[k], parent};
      const double at = n > 1 ? static_cast<double>(k) / (n - 1) : 1.0;
      joint.p_T = (1.0 - at) * adult_.p[spine] + at * adult_.p[chest];
      const double turned = 2.0 * (k + 1) / n;
      joint.follow = turned <= 1.0 ? hips : spine;
      joint.next = turned <= 1.0 ? spine : chest;
      joint.share = turned <= 1.0 ? turned : turned - 1.0;
      parent = Add(std::move(joint));
    }
    return parent;
  }

  void AddHead(int chest) {
    const auto n = static_cast<int>(words_.neck.size());
    const Vector3 from = adult_.At("Chest") + Vector3(0, 0.15, 0);
    const Vector3 to = adult_.At("Head");
    int parent = chest;
    for (int k = 0; k < n; ++k) {
      RigJoint joint{words_.neck[k], parent};
      joint.p_T = from + (to - from) * (static_cast<double>(k) / (n - 1));
      joint.follow = adult_.Find("Chest");
      joint.next = adult_.Find("Head");
      joint.share = static_cast<double>(k + 1) / n;
      parent = Add(std::move(joint));
    }
    head_ = parent;
    AddEnd(parent, to + Vector3(0, 0.2, 0), "HeadTop_End");
  }

  /// An end: a joint in the rigs that have those, a site in the others.
  void AddEnd(int parent, const Vector3& p_T, const std::string& name) {
    if (style_.kind == RigKind::kMixamo) {
      Add({name, parent, p_T});
    } else {
      sites_.push_back({parent, p_T});
    }
  }

  void AddArm(bool left, int chest) {
    const std::string side = left ? "Left" : "Right";
    const double sign = left ? 1.0 : -1.0;
    const int upper = adult_.Find(side + "Arm");
    const int forearm = adult_.Find(side + "ForeArm");
    const int hand = adult_.Find(side + "Hand");
    const Vector3 shoulder = adult_.p[upper];
    const int collar =
        Add({Named(words_.clavicle, left), chest,
             shoulder - Vector3(0.13 * sign, 0, 0), adult_.Find("Chest")});
    const bool twists = style_.kind == RigKind::kDaz;
    int joint =
        AddLimb(words_.upper_arm, left, collar, upper,
                twists ? std::optional(forearm) : std::nullopt, "%sShldrTwist");
    arms_[left ? 0 : 1] = twists ? joint - 1 : joint;
    joint =
        AddLimb(words_.forearm, left, joint, forearm,
                twists ? std::optional(hand) : std::nullopt, "%sForearmTwist");
    joint = Add({Named(words_.hand, left), joint, adult_.p[hand], hand});
    if (style_.kind == RigKind::kBandai) {
      const Vector3 along(0.19 * sign, 0, 0);
      sites_.push_back(
          {joint, adult_.p[hand] +
                      (style_.hand_sites_down ? Vector3(0, -0.19, 0) : along)});
    } else {
      AddFingers(left, joint, adult_.p[hand]);
    }
  }

  /// A joint of a limb, with a bone for the twist below it where `below` is
  /// said: half of the twist of what hangs on it.
  int AddLimb(const std::string& word, bool left, int parent, int follow,
              std::optional<int> below, const std::string& twist) {
    const int joint =
        Add({Named(word, left), parent, adult_.p[follow], follow});
    if (!below) return joint;
    RigJoint bone{Named(twist, left), joint};
    bone.p_T = 0.5 * (adult_.p[follow] + adult_.p[*below]);
    bone.follow = follow;
    bone.next = *below;
    bone.share = 0.5;
    bone.twist_only = true;
    return Add(std::move(bone));
  }

  void AddFingers(bool left, int hand, const Vector3& wrist) {
    const double sign = left ? 1.0 : -1.0;
    struct Finger {
      std::string mixamo, daz, carpal;
      double z, length;
    };
    const std::array<Finger, 5> fingers = {
        {{"Thumb", "Thumb", "", 0.04, 0.03},
         {"Index", "Index", "1", 0.03, 0.09},
         {"Middle", "Mid", "2", 0.01, 0.09},
         {"Ring", "Ring", "3", -0.01, 0.085},
         {"Pinky", "Pinky", "4", -0.03, 0.08}}};
    for (std::size_t f = 0; f < fingers.size(); ++f) {
      const Finger& finger = fingers[f];
      int parent = hand;
      const bool is_daz = style_.kind == RigKind::kDaz;
      if (!finger.carpal.empty() && style_.kind != RigKind::kMixamo) {
        parent = Add({is_daz ? Named("%sCarpal", left) + finger.carpal
                             : Named("%sInHand", left) + finger.mixamo,
                      parent, wrist + Vector3(0.03 * sign, 0, 0.5 * finger.z)});
      }
      for (int k = 1; k <= 3; ++k) {
        const std::string number = std::to_string(k);
        RigJoint joint;
        joint.name = is_daz ? Named("%s", left) + finger.daz + number
                            : Named("%sHand", left) + finger.mixamo + number;
        joint.parent = parent;
        joint.p_T = wrist + Vector3((finger.length + 0.025 * (k - 1)) * sign, 0,
                                    finger.z);
        joint.own = Vector3(0, 0, -0.4 * sign);
        joint.phase = 0.3 * static_cast<double>(f) + 0.2 * k;
        parent = Add(std::move(joint));
      }
      AddEnd(parent,
             wrist + Vector3((finger.length + 0.07) * sign, 0, finger.z),
             Named("%sHand", left) + finger.mixamo + "4");
    }
  }

  void AddLeg(bool left) {
    const std::string side = left ? "Left" : "Right";
    const int thigh = adult_.Find(side + "UpLeg");
    const int shank = adult_.Find(side + "Leg");
    const int foot = adult_.Find(side + "Foot");
    const int toes = adult_.Find(side + "ToeBase");
    const bool twists = style_.kind == RigKind::kDaz;
    int joint =
        AddLimb(words_.thigh, left, hips_, thigh,
                twists ? std::optional(shank) : std::nullopt, "%sThighTwist");
    joint = Add({Named(words_.shank, left), joint, adult_.p[shank], shank});
    const int ankle =
        Add({Named(words_.foot, left), joint, adult_.p[foot], foot});
    const Vector3 tip = adult_.p[toes] + Vector3(0, -0.015, 0.07);
    if (words_.toes.empty()) {
      sites_.push_back({ankle, adult_.p[toes] + Vector3(0, -0.015, 0)});
      return;
    }
    int last = ankle;
    if (twists) {
      last = Add({Named("%sMetatarsals", left), ankle,
                  0.5 * (adult_.p[foot] + adult_.p[toes]), foot});
    }
    last = Add({Named(words_.toes, left), last, adult_.p[toes], toes});
    AddEnd(last, tip, Named("%sToe_End", left));
    if (!twists) return;
    for (int k = 1; k <= 4; ++k) {
      const std::string name = Named("%sSmallToe", left) + std::to_string(k);
      const Vector3 p =
          adult_.p[toes] + Vector3(0.012 * k * (left ? 1 : -1), -0.01, 0.02);
      const int toe = Add({name, last, p});
      Add({name + "_2", toe, p + Vector3(0, 0, 0.02)});
    }
  }

  /// A jaw that opens, eyes that turn, and small bones up to 170 joints.
  void AddFace() {
    const Vector3 p = adult_.At("Head");
    RigJoint jaw{"lowerJaw", head_, p + Vector3(0, 0.02, 0.04)};
    jaw.own = Vector3(0.3, 0, 0);
    Add(std::move(jaw));
    for (const bool left : {true, false}) {
      RigJoint eye{Named("%sEye", left), head_,
                   p + Vector3(left ? 0.03 : -0.03, 0.1, 0.07)};
      eye.own = Vector3(0, 0.3, 0);
      Add(std::move(eye));
    }
    constexpr std::size_t kNumJoints = 170;
    for (int k = 0; joints_.size() < kNumJoints; ++k) {
      Add({"face" + std::to_string(k), head_,
           p + Vector3(0.002 * (k % 20), 0.005 * (k / 20), 0.09)});
    }
  }

  /// Brings the bone of joint `j` to +X, on the right side to -X.
  Quaternion AlongX(std::size_t j) const {
    std::optional<Vector3> end;
    for (const RigJoint& child : joints_) {
      if (!end && child.parent == static_cast<int>(j)) end = child.p_T;
    }
    for (const RigSite& site : sites_) {
      if (!end && site.joint == static_cast<int>(j)) end = site.p_T;
    }
    const double sign = joints_[j].p_T.x() < -1e-9 ? -1.0 : 1.0;
    const Vector3 bone =
        end ? Vector3(*end - joints_[j].p_T) : Vector3(sign * Vector3::UnitX());
    return Quaternion::FromTwoVectors(bone, sign * Vector3::UnitX());
  }

  const Adult& adult_;
  const RigStyle& style_;
  RigWords words_;
  std::vector<RigJoint> joints_;
  std::vector<RigSite> sites_;
  std::vector<bool> is_root_;
  int hips_ = -1;
  int head_ = -1;
  std::array<int, 2> arms_ = {-1, -1};
};

/// Of `turn` the part about `axis`.
Quaternion TwistOf(const Quaternion& turn, const Vector3& axis) {
  const double along = turn.vec().dot(axis.normalized());
  const Vector3 v = along * axis.normalized();
  Quaternion twist(turn.w(), v.x(), v.y(), v.z());
  if (twist.norm() < 1e-9) return Quaternion::Identity();
  return twist.normalized();
}

}  // namespace

RigStyle MixamoLike() {
  RigStyle style;
  style.prefix = "mixamorig:";
  return style;
}

RigStyle BandaiLike() {
  RigStyle style;
  style.kind = RigKind::kBandai;
  style.rest = RigRest::kBoneAxes;
  style.roots = {"joint_Root"};
  style.positions_everywhere = true;
  return style;
}

RigStyle NeuronLike() {
  RigStyle style;
  style.kind = RigKind::kNeuron;
  style.positions_everywhere = true;
  return style;
}

RigStyle DazLike() {
  RigStyle style;
  style.kind = RigKind::kDaz;
  style.rest = RigRest::kA;
  return style;
}

figure::Motion OnRig(const figure::Motion& clip, const RigStyle& style) {
  const Adult adult(clip.skeleton());
  const RigBuilder rig(adult, style);
  const std::vector<RigJoint>& joints = rig.joints();
  const std::vector<Quaternion> S = rig.RestTurns();
  const auto turned = [&S](int joint, const Vector3& p) -> Vector3 {
    return joint < 0 ? p : S[joint] * p;
  };
  // Offsets in the rig's rest pose, in which its joint frames are parallel.
  std::vector<Vector3> offsets;
  for (const RigJoint& joint : joints) {
    const Vector3 p =
        joint.parent < 0 ? joint.p_T : joint.p_T - joints[joint.parent].p_T;
    offsets.push_back(style.size * turned(joint.parent, p));
  }
  std::vector<figure::Joint> rig_joints;
  std::vector<Channel> channels;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const bool moves = joints[j].parent < 0 || style.positions_everywhere ||
                       static_cast<int>(j) <= rig.hips();
    rig_joints.push_back(
        {joints[j].name, joints[j].parent,
         style.zero_offsets ? Vector3(Vector3::Zero()) : offsets[j]});
    const auto index = static_cast<std::int32_t>(j);
    for (std::uint8_t axis = 0; axis < 3 && moves; ++axis) {
      channels.push_back({index, ChannelKind::kTranslation, axis});
    }
    for (const std::uint8_t axis : {2, 0, 1}) {
      channels.push_back({index, ChannelKind::kRotation, axis});
    }
  }
  std::vector<figure::Site> sites;
  for (const RigSite& site : rig.sites()) {
    const Vector3 p = site.p_T - joints[site.joint].p_T;
    sites.push_back({"", site.joint, style.size * turned(site.joint, p)});
  }
  figure::MotionSource form;
  form.format = "BVH";
  form.metres_per_unit = 0.01;
  form.channels = std::make_shared<const figure::ChannelLayout>(
      static_cast<int>(joints.size()), std::move(channels));
  figure::Motion motion(
      figure::Skeleton::Make(std::move(rig_joints), std::move(sites)),
      clip.rate_hz(), std::move(form));

  std::vector<Quaternion> R_T(joints.size());  // Against the T-pose.
  for (std::int64_t frame = 0; frame < clip.num_frames(); ++frame) {
    const std::vector<Transform> X_WA =
        figure::WorldTransforms(clip.skeleton(), clip.pose(frame));
    const double time = static_cast<double>(frame) / clip.rate_hz();
    figure::Pose pose = figure::RestPose(motion.skeleton());
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const RigJoint& joint = joints[j];
      const Quaternion R_P =
          joint.parent < 0 ? Quaternion::Identity() : R_T[joint.parent];
      if (joint.follow < 0) {
        const double u = 0.5 - 0.5 * std::cos(4.0 * time + joint.phase);
        R_T[j] = R_P * ExpRotation(u * joint.own);
      } else {
        R_T[j] = X_WA[joint.follow].R;
      }
      if (joint.next >= 0) {
        Quaternion turn = R_T[j].conjugate() * X_WA[joint.next].R;
        if (joint.twist_only) {
          turn = TwistOf(turn, adult.p[joint.next] - adult.p[joint.follow]);
        }
        R_T[j] = R_T[j] * Quaternion::Identity().slerp(joint.share, turn);
      }
      // R_WJ = R_T Sᵀ
      const Quaternion R_WP =
          joint.parent < 0 ? R_P : R_P * S[joint.parent].conjugate();
      Transform& X_PJ = pose.X_PJ[j];
      X_PJ.R = (R_WP.conjugate() * R_T[j] * S[j].conjugate()).normalized();
      X_PJ.p = offsets[j];
      if (static_cast<int>(j) == rig.hips() ||
          joints[j].name == style.prefix + "hip") {
        const bool is_first = joint.parent < 0 || rig.is_root(joint.parent);
        if (is_first) X_PJ.p = style.size * X_WA[0].p;
      }
    }
    if (style.root_travels) {
      const int top = rig.hips() - 1;
      Vector3& p = pose.X_PJ[rig.hips()].p;
      pose.X_PJ[top].p += Vector3(p.x(), 0.0, p.z());
      p = Vector3(0.0, p.y(), 0.0);
    }
    motion.Append(pose);
  }
  return motion;
}

figure::Motion ReadBack(const figure::Motion& motion) {
  return mocap::ReadBvh(mocap::WriteBvh(motion).value(),
                        {motion.source().metres_per_unit, motion.source().up})
      .value();
}

}  // namespace limber::test
