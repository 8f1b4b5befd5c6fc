// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/retarget/joint_map.h"

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <utility>

#include "core/json_document.h"
#include "figure/normalised_names.h"

namespace limber::mocap {

using figure::Role;
using figure::Skeleton;

namespace {

/// By name alone, or because of where it hangs.
PairReason ReasonOf(const HumanBody& body, int joint) {
  const Role named = figure::RoleOfName(body.skeleton->joint(joint).name);
  return named == body.roles[joint] ? PairReason::kRole : PairReason::kTopology;
}

JointPair Pair(const HumanBody& source, int from, const HumanBody& target,
               int to) {
  JointPair pair;
  pair.source = from;
  const bool sure = ReasonOf(source, from) == PairReason::kRole &&
                    ReasonOf(target, to) == PairReason::kRole;
  pair.reason = sure ? PairReason::kRole : PairReason::kTopology;
  pair.confidence = sure ? 1.0 : 0.7;
  return pair;
}

/// Shares the turning of a chain of n joints above `base` over one of m: joint
/// k of the target (from 1) follows the source at place k n / m, where 0 is the
/// base, so that the ends agree and equal numbers give pairs.
void PairChain(const std::vector<int>& from, int base,
               const std::vector<int>& to, std::vector<JointPair>& pairs) {
  const auto n = static_cast<int>(from.size());
  const auto m = static_cast<int>(to.size());
  if (n == 0) return;
  for (int k = 1; k <= m; ++k) {
    const int whole = k * n / m;
    const int rest = k * n % m;
    JointPair& pair = pairs[to[k - 1]];
    pair.source = whole == 0 ? base : from[whole - 1];
    pair.reason = n == m ? PairReason::kRole : PairReason::kChain;
    pair.confidence = n == m ? 1.0 : 0.9;
    if (rest > 0) {
      pair.next = from[whole];
      pair.share = static_cast<double>(rest) / m;
    }
  }
}

/// The last joint of the thigh, upper arm or forearm above `below`: joints that
/// carry the twist lie between.
int LastBefore(const Skeleton& skeleton, int joint, int below) {
  int last = joint;
  for (int j = skeleton.joint(below).parent; j > joint;
       j = skeleton.joint(j).parent) {
    last = std::max(last, j);
  }
  return last;
}

/// The part of the body that a joint hangs on.
Role AnchorOf(const HumanBody& body, int joint) {
  do {
    joint = body.skeleton->joint(joint).parent;
  } while (joint >= 0 && body.roles[joint] == Role::kOther);
  return joint < 0 ? Role::kOther : body.roles[joint];
}

/// Joints that are no part of the body but have the same name but for prefix,
/// case and separators, and hang on the same part: helpers, jaw, eyes, props.
void PairSameNames(const HumanBody& source, const HumanBody& target,
                   std::vector<JointPair>& pairs) {
  const std::vector<std::string> names_s =
      figure::NormalisedNames(*source.skeleton);
  const std::vector<std::string> names_t =
      figure::NormalisedNames(*target.skeleton);
  std::vector<bool> used(names_s.size(), false);
  // The very same names come first: what is left of others may agree by chance.
  for (const bool exact : {true, false}) {
    for (int joint = 0; joint < target.skeleton->num_joints(); ++joint) {
      if (pairs[joint].source >= 0 || names_t[joint].empty()) continue;
      for (int from = 0; from < source.skeleton->num_joints(); ++from) {
        if (used[from] || names_s[from] != names_t[joint] ||
            source.roles[from] != Role::kOther ||
            (exact && source.skeleton->joint(from).name !=
                          target.skeleton->joint(joint).name) ||
            AnchorOf(source, from) != AnchorOf(target, joint)) {
          continue;
        }
        used[from] = true;
        pairs[joint].source = from;
        pairs[joint].reason = PairReason::kSameName;
        pairs[joint].confidence = 0.9;
        break;
      }
    }
  }
}

/// The joint's only child that is a joint, or -1.
int OnlyChild(const Skeleton& skeleton, int joint) {
  int child = -1;
  for (int j = joint + 1; j < skeleton.num_joints(); ++j) {
    if (skeleton.joint(j).parent != joint) continue;
    if (child >= 0) return -1;
    child = j;
  }
  return child;
}

/// The further joints of a finger follow in their order, whatever they are
/// called; where the target has more, the last ones follow none.
void PairFingers(const HumanBody& source, const HumanBody& target,
                 std::vector<JointPair>& pairs) {
  for (const Role left : {Role::kLeftThumb, Role::kLeftIndex, Role::kLeftMiddle,
                          Role::kLeftRing, Role::kLeftPinky}) {
    for (const Role role : {left, figure::Mirrored(left)}) {
      int from = figure::FindRole(source.roles, role);
      int to = figure::FindRole(target.roles, role);
      while (from >= 0 && to >= 0) {
        from = OnlyChild(*source.skeleton, from);
        to = OnlyChild(*target.skeleton, to);
        if (from < 0 || to < 0 || pairs[to].source >= 0) break;
        pairs[to].source = from;
        pairs[to].reason = PairReason::kFinger;
        pairs[to].confidence = 0.9;
      }
    }
  }
}

Vector3 RestPlace(const Skeleton& skeleton, int joint) {
  Vector3 p = Vector3::Zero();
  for (; joint >= 0; joint = skeleton.joint(joint).parent) {
    p += skeleton.joint(joint).offset;
  }
  return p;
}

/// A bone of the source and of the target: from a joint to the next one of the
/// limb, -1 where there is none.
struct LimbBone {
  int from_s, to_s;    ///< Source.
  int from_t, to_t;    ///< Target.
  int above_s;         ///< What the source's bone hangs on.
  bool twists_at_end;  ///< The hand twists the forearm, the hip the thigh.
};

/// Shares the twist of a limb out over the target's bones for it, where the
/// source has no such bones of the same name. With twist the turn about the
/// limb, i the place of a bone among the m that lie in line between the joint
/// (i = 0) and the next one, or u how far along the limb a bone hangs beside:
///
///     forearm, shank      R = R_forearm twist(forearm -> hand)^s
///                             s = i / (m + 1),  u
///     upper arm, thigh    R = R_upper twist(upper -> what it hangs on)^(1 - s)
///                             s = (i + 1) / (m + 1),  u
class TwistSharer {
 public:
  TwistSharer(const HumanBody& source, const HumanBody& target,
              const LimbBone& bone, std::vector<JointPair>& pairs)
      : source_(source), target_(target), bone_(bone), pairs_(pairs) {}

  void Run() {
    if (bone_.from_s < 0 || bone_.to_s < 0 || bone_.from_t < 0 ||
        bone_.to_t < 0) {
      return;
    }
    axis_ = RestPlace(*source_.skeleton, bone_.to_s) -
            RestPlace(*source_.skeleton, bone_.from_s);
    const Skeleton& skeleton = *target_.skeleton;
    const Vector3 start = RestPlace(skeleton, bone_.from_t);
    const Vector3 along = RestPlace(skeleton, bone_.to_t) - start;
    if (along.norm() <= 0.0 || axis_.norm() <= 0.0) return;
    std::vector<int> in_line;
    for (int joint = bone_.from_t + 1; joint < skeleton.num_joints(); ++joint) {
      if (target_.roles[joint] != Role::kOther || pairs_[joint].source >= 0 ||
          AnchorOf(target_, joint) != target_.roles[bone_.from_t]) {
        continue;
      }
      if (figure::IsAbove(skeleton, joint, bone_.to_t)) {
        in_line.push_back(joint);
      } else if (figure::IsTwistName(skeleton.joint(joint).name)) {
        const double u = (RestPlace(skeleton, joint) - start).dot(along) /
                         along.squaredNorm();
        Set(joint, std::clamp(u, 0.0, 1.0));
      }
    }
    const auto m = static_cast<double>(in_line.size());
    for (std::size_t i = 0; i < in_line.size(); ++i) {
      const double place = static_cast<double>(i) + 1.0;
      Set(in_line[i], (bone_.twists_at_end ? place : place + 1.0) / (m + 1.0));
    }
    if (!in_line.empty() && !bone_.twists_at_end) {
      Set(bone_.from_t, 1.0 / (m + 1.0));
    }
  }

 private:
  void Set(int joint, double s) {
    JointPair& pair = pairs_[joint];
    pair.source = LastBefore(*source_.skeleton, bone_.from_s, bone_.to_s);
    pair.next = bone_.twists_at_end ? bone_.to_s : bone_.above_s;
    pair.share = bone_.twists_at_end ? s : 1.0 - s;
    pair.twist_axis = axis_.normalized();
    if (joint == bone_.from_t) return;
    pair.reason = PairReason::kTwist;
    pair.confidence = 0.9;
  }

  const HumanBody& source_;
  const HumanBody& target_;
  const LimbBone& bone_;
  std::vector<JointPair>& pairs_;
  Vector3 axis_ = Vector3::Zero();
};

void FindUnused(const HumanBody& source, JointMap& map) {
  std::vector<bool> used(source.skeleton->num_joints(), false);
  for (const JointPair& pair : map.pairs) {
    if (pair.source >= 0) used[pair.source] = true;
    if (pair.next >= 0) used[pair.next] = true;
  }
  map.unused_sources.clear();
  for (int joint = 0; joint < source.skeleton->num_joints(); ++joint) {
    if (!used[joint]) map.unused_sources.push_back(joint);
  }
}

}  // namespace

void StraightenHands(const Skeleton& skeleton, figure::BodyPlan& plan) {
  // No rest pose bends its wrists by more.
  constexpr double kMostBend = 0.8;  // cos 37 degrees
  for (figure::ArmPlan& arm : plan.arms) {
    if (arm.hand < 0) continue;
    const Vector3 forearm =
        RestPlace(skeleton, arm.hand) - RestPlace(skeleton, arm.forearm);
    const double lengths = forearm.norm() * arm.palm.p_JQ.norm();
    if (lengths > 0.0 && forearm.dot(arm.palm.p_JQ) <= kMostBend * lengths) {
      arm.palm.p_JQ = forearm.normalized() * arm.palm.p_JQ.norm();
    }
  }
}

std::optional<HumanBody> MakeBody(std::shared_ptr<const Skeleton> skeleton) {
  std::vector<Role> roles = figure::RecogniseRoles(*skeleton);
  return MakeBody(std::move(skeleton), std::move(roles));
}

std::optional<HumanBody> MakeBody(std::shared_ptr<const Skeleton> skeleton,
                                  std::vector<Role> roles) {
  std::optional<figure::BodyPlan> plan = figure::MakeBodyPlan(*skeleton, roles);
  if (!plan) return std::nullopt;
  StraightenHands(*skeleton, *plan);
  return HumanBody{std::move(skeleton), std::move(roles), std::move(*plan),
                   nullptr};
}

std::optional<HumanBody> MakeBody(
    std::shared_ptr<const figure::FigureModel> figure) {
  std::optional<HumanBody> body = MakeBody(figure->skeleton, figure->roles);
  if (!body) return body;
  for (figure::LegPlan& leg : body->plan.legs) {
    std::vector<figure::BodyPoint> sole;
    for (const figure::FigureSite& site : figure->contacts) {
      if (figure::IsAbove(*figure->skeleton, leg.foot, site.joint)) {
        sole.push_back({site.joint, site.offset});
      }
    }
    if (!sole.empty()) figure::SetSole(*figure->skeleton, sole, leg);
  }
  body->figure = std::move(figure);
  return body;
}

JointMap MakeJointMap(const HumanBody& source, const HumanBody& target) {
  JointMap map;
  map.pairs.resize(target.skeleton->num_joints());
  for (int joint = 0; joint < target.skeleton->num_joints(); ++joint) {
    const Role role = target.roles[joint];
    if (role == Role::kOther || role == Role::kSpine) continue;
    const int from = figure::FindRole(source.roles, role);
    if (from >= 0) map.pairs[joint] = Pair(source, from, target, joint);
  }
  PairChain(source.plan.spine, source.plan.pelvis, target.plan.spine,
            map.pairs);
  const auto top = [](const figure::BodyPlan& plan) {
    return plan.spine.empty() ? plan.pelvis : plan.spine.back();
  };
  PairChain(source.plan.neck, top(source.plan), target.plan.neck, map.pairs);
  PairFingers(source, target, map.pairs);
  PairSameNames(source, target, map.pairs);

  // Where the source has joints for the twist and the target has none, the
  // whole turn is that of the last of them.
  for (int side = 0; side < 2; ++side) {
    const figure::LegPlan& leg_s = source.plan.legs[side];
    const figure::LegPlan& leg_t = target.plan.legs[side];
    const figure::ArmPlan& arm_s = source.plan.arms[side];
    const figure::ArmPlan& arm_t = target.plan.arms[side];
    const auto take_last = [&](int from, int below, int to, int to_below) {
      if (from < 0 || below < 0 || to < 0 || to_below < 0) return;
      if (LastBefore(*target.skeleton, to, to_below) != to) return;
      map.pairs[to].source = LastBefore(*source.skeleton, from, below);
    };
    take_last(leg_s.thigh, leg_s.shank, leg_t.thigh, leg_t.shank);
    take_last(leg_s.shank, leg_s.foot, leg_t.shank, leg_t.foot);
    take_last(arm_s.upper_arm, arm_s.forearm, arm_t.upper_arm, arm_t.forearm);
    take_last(arm_s.forearm, arm_s.hand, arm_t.forearm, arm_t.hand);
    const auto above = [&source](int joint) {
      return joint < 0 ? -1 : source.skeleton->joint(joint).parent;
    };
    for (const LimbBone& bone :
         {LimbBone{leg_s.thigh, leg_s.shank, leg_t.thigh, leg_t.shank,
                   above(leg_s.thigh), false},
          LimbBone{leg_s.shank, leg_s.foot, leg_t.shank, leg_t.foot,
                   above(leg_s.shank), true},
          LimbBone{arm_s.upper_arm, arm_s.forearm, arm_t.upper_arm,
                   arm_t.forearm, above(arm_s.upper_arm), false},
          LimbBone{arm_s.forearm, arm_s.hand, arm_t.forearm, arm_t.hand,
                   above(arm_s.forearm), true}}) {
      TwistSharer(source, target, bone, map.pairs).Run();
    }
  }
  FindUnused(source, map);
  return map;
}

Result<MapFile> ReadMapFile(const std::filesystem::path& path) {
  const Result<JsonValue> json = ReadJson(path);
  if (!json.ok()) return Result<MapFile>(json.diagnostics());
  Diagnostics diagnostics = json.diagnostics();
  MapFile file;
  file.file = path.string();
  std::vector<std::string_view> words;
  for (int role = 0; role < figure::kNumRoles; ++role) {
    words.push_back(figure::ToString(static_cast<Role>(role)));
  }
  JsonObject object(*json, "a joint map", diagnostics);
  const auto read_roles = [&](const char* name,
                              std::vector<MapFile::NamedRole>& roles) {
    const JsonValue* members = object.Object(name);
    if (members == nullptr) return;
    for (const JsonValue& value : members->items) {
      const int word = WordOf(value, value.key, words, diagnostics);
      if (word < 0) continue;
      roles.push_back({value.key, static_cast<Role>(word), value.key_place});
    }
  };
  read_roles("source_roles", file.source_roles);
  read_roles("target_roles", file.target_roles);
  if (const JsonValue* pairs = object.Object("pairs")) {
    for (const JsonValue& value : pairs->items) {
      MapFile::NamedPair pair{value.key, std::nullopt, value.key_place};
      if (value.kind != JsonValue::Kind::kNull) {
        if (!CheckKind(value, value.key, JsonValue::Kind::kText, diagnostics)) {
          continue;
        }
        pair.source = value.text;
      }
      file.pairs.push_back(std::move(pair));
    }
  }
  object.Finish();
  return {std::move(file), std::move(diagnostics)};
}

std::vector<Role> ApplyRoles(const Skeleton& skeleton, std::vector<Role> roles,
                             const std::vector<MapFile::NamedRole>& named,
                             Diagnostics& diagnostics) {
  for (const MapFile::NamedRole& one : named) {
    const int joint = skeleton.Find(one.joint);
    if (joint < 0) {
      diagnostics.Error("unknown-joint", one.place,
                        "no joint is called \"" + one.joint + "\"");
      continue;
    }
    if (one.role != Role::kSpine) {
      std::ranges::replace(roles, one.role, Role::kOther);
    }
    roles[joint] = one.role;
  }
  return roles;
}

void ApplyPairs(const HumanBody& source, const HumanBody& target,
                const MapFile& file, JointMap& map, Diagnostics& diagnostics) {
  for (const MapFile::NamedPair& named : file.pairs) {
    const int to = target.skeleton->Find(named.target);
    const int from = named.source ? source.skeleton->Find(*named.source) : -1;
    if (to < 0 || (named.source && from < 0)) {
      diagnostics.Error(
          "unknown-joint", named.place,
          to < 0
              ? "no joint of the target is called \"" + named.target + "\""
              : "no joint of the source is called \"" + *named.source + "\"");
      continue;
    }
    map.pairs[to] = {};
    map.pairs[to].source = from;
    map.pairs[to].reason = PairReason::kFile;
    map.pairs[to].confidence = 1.0;
  }
  FindUnused(source, map);
}

const char* ToString(PairReason reason) {
  switch (reason) {
    case PairReason::kNone:
      return "none";
    case PairReason::kFile:
      return "by the map file";
    case PairReason::kRole:
      return "by name";
    case PairReason::kTopology:
      return "by topology";
    case PairReason::kChain:
      return "shared out";
    case PairReason::kSameName:
      return "same name";
    case PairReason::kFinger:
      return "along the finger";
    case PairReason::kTwist:
      return "shares the twist";
  }
  return "";
}

std::string ToText(const JointMap& map, const HumanBody& source,
                   const HumanBody& target) {
  std::string text;
  for (int joint = 0; joint < target.skeleton->num_joints(); ++joint) {
    const JointPair& pair = map.pairs[joint];
    text += target.skeleton->joint(joint).name + " <- ";
    if (pair.source < 0) {
      text += "(nothing)\n";
      continue;
    }
    text += source.skeleton->joint(pair.source).name;
    if (pair.next >= 0) text += "/" + source.skeleton->joint(pair.next).name;
    char number[16];
    std::snprintf(number, sizeof(number), "%.2f", pair.confidence);
    text += "  " + std::string(figure::ToString(target.roles[joint])) + ", " +
            ToString(pair.reason) + ", " + number + "\n";
  }
  if (map.unused_sources.empty()) return text;
  text += "not used:";
  for (const int joint : map.unused_sources) {
    text += " " + source.skeleton->joint(joint).name;
  }
  return text + "\n";
}

}  // namespace limber::mocap
