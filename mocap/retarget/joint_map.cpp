// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/retarget/joint_map.h"

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <utility>

#include "core/json_document.h"

namespace limber::mocap {

using figure::Role;
using figure::Skeleton;

namespace {

/// By name alone, or because of where it hangs.
PairReason ReasonOf(const Body& body, int joint) {
  const Role named = figure::RoleOfName(body.skeleton->joint(joint).name);
  return named == body.roles[joint] ? PairReason::kRole : PairReason::kTopology;
}

JointPair Pair(const Body& source, int from, const Body& target, int to) {
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

/// Joints that are no part of the body but have the same name and hang on
/// joints that follow each other: fingers' further joints, helpers, props.
void PairSameNames(const Body& source, const Body& target,
                   std::vector<JointPair>& pairs) {
  for (int joint = 0; joint < target.skeleton->num_joints(); ++joint) {
    if (pairs[joint].source >= 0) continue;
    const figure::Joint& to = target.skeleton->joint(joint);
    for (int from = 0; from < source.skeleton->num_joints(); ++from) {
      const figure::Joint& candidate = source.skeleton->joint(from);
      if (candidate.name != to.name ||
          (candidate.parent < 0) != (to.parent < 0)) {
        continue;
      }
      const bool parents_agree =
          to.parent < 0 || pairs[to.parent].source == candidate.parent ||
          source.skeleton->joint(candidate.parent).name ==
              target.skeleton->joint(to.parent).name;
      if (!parents_agree) continue;
      pairs[joint].source = from;
      pairs[joint].reason = PairReason::kSameName;
      pairs[joint].confidence = 0.9;
      break;
    }
  }
}

void FindUnused(const Body& source, JointMap& map) {
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

std::optional<Body> MakeBody(std::shared_ptr<const Skeleton> skeleton) {
  std::vector<Role> roles = figure::RecogniseRoles(*skeleton);
  return MakeBody(std::move(skeleton), std::move(roles));
}

std::optional<Body> MakeBody(std::shared_ptr<const Skeleton> skeleton,
                             std::vector<Role> roles) {
  std::optional<figure::BodyPlan> plan = figure::MakeBodyPlan(*skeleton, roles);
  if (!plan) return std::nullopt;
  return Body{std::move(skeleton), std::move(roles), std::move(*plan), nullptr};
}

std::optional<Body> MakeBody(
    std::shared_ptr<const figure::FigureModel> figure) {
  std::optional<Body> body = MakeBody(figure->skeleton, figure->roles);
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

JointMap MakeJointMap(const Body& source, const Body& target) {
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

void ApplyPairs(const Body& source, const Body& target, const MapFile& file,
                JointMap& map, Diagnostics& diagnostics) {
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
  }
  return "";
}

std::string ToText(const JointMap& map, const Body& source,
                   const Body& target) {
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
