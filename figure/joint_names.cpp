// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/joint_names.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <unordered_map>

#include "figure/internal/name_words.h"
#include "figure/internal/topology_roles.h"
#include "figure/normalised_names.h"

namespace limber::figure {

namespace {

using internal::ReadJointName;
using internal::ReadName;
using internal::SideOfWord;
using internal::WithoutSpace;
using internal::WordsOf;

constexpr int kFirstLeft = static_cast<int>(Role::kLeftClavicle);
constexpr int kFirstRight = static_cast<int>(Role::kRightClavicle);

constexpr std::array<std::string_view, kNumRoles> kRoleWords = {
    "other",
    "pelvis",
    "spine",
    "chest",
    "neck",
    "head",
    "left-clavicle",
    "left-upper-arm",
    "left-forearm",
    "left-hand",
    "left-thumb",
    "left-index",
    "left-middle",
    "left-ring",
    "left-pinky",
    "left-upper-leg",
    "left-lower-leg",
    "left-foot",
    "left-toes",
    "right-clavicle",
    "right-upper-arm",
    "right-forearm",
    "right-hand",
    "right-thumb",
    "right-index",
    "right-middle",
    "right-ring",
    "right-pinky",
    "right-upper-leg",
    "right-lower-leg",
    "right-foot",
    "right-toes",
};

Role OnSide(Role left, Side side) {
  return side == Side::kRight ? Mirrored(left) : left;
}

/// The words that nearly every joint's name begins with ("Anna_Hips",
/// "Anna_Spine"): a name space without a colon. Empty where there is none.
std::string CommonPrefix(const Skeleton& skeleton) {
  constexpr int kFewest = 6;
  if (skeleton.num_joints() < kFewest) return "";
  // Of the second half of the joints any name will do: roots may be called
  // otherwise.
  const std::string& some = skeleton.joint(skeleton.num_joints() / 2).name;
  const std::size_t separator = some.find_first_of("_-. ");
  if (separator == std::string::npos) return "";
  const std::string prefix = some.substr(0, separator + 1);
  if (SideOfWord(WordsOf(prefix).empty() ? "" : WordsOf(prefix)[0]) !=
      Side::kMiddle) {
    return "";
  }
  int count = 0;
  for (const Joint& joint : skeleton.joints()) {
    count += joint.name.starts_with(prefix) ? 1 : 0;
  }
  // One in ten may be a root, a prop or a camera.
  return 10 * count >= 9 * skeleton.num_joints() ? prefix : "";
}

/// Names without what all of them begin with.
std::vector<std::string> OwnNames(const Skeleton& skeleton) {
  const std::string prefix = CommonPrefix(skeleton);
  std::vector<std::string> names;
  for (const Joint& joint : skeleton.joints()) {
    names.push_back(joint.name.starts_with(prefix)
                        ? joint.name.substr(prefix.size())
                        : joint.name);
  }
  return names;
}

/// Roles by names, with the words that have two meanings decided by the limb's
/// chain and every role given once.
class NameReader {
 public:
  explicit NameReader(const Skeleton& skeleton) {
    for (const std::string& name : OwnNames(skeleton)) {
      names_.push_back(ReadJointName(name));
    }
    for (const Joint& joint : skeleton.joints()) {
      parents_.push_back(joint.parent);
    }
  }

  std::vector<Role> Roles() {
    for (const Side side : {Side::kLeft, Side::kRight}) {
      // "Shoulder" is the clavicle when an upper arm hangs on it, else the
      // upper arm; "Leg" is the lower leg when there is an upper one.
      Decide(side, "shoulder", Role::kLeftUpperArm, Role::kLeftUpperArm);
      Decide(side, "leg", Role::kLeftUpperLeg, Role::kLeftUpperLeg);
      // The middle of the foot is its front where there are no toes.
      if (Has(side, "metatarsals", Role::kLeftToes)) {
        for (ReadName& name : names_) {
          if (name.text == "metatarsals") name.part = Role::kOther;
        }
      }
      // Below an ankle the foot is its front (SMPL's bodies).
      if (!Has(side, "foot", Role::kLeftToes)) FootBelowAnkle(side);
      // CMU's hip joint is a helper between pelvis and upper leg.
      if (Has(side, "hipjoint", Role::kLeftUpperLeg)) {
        for (ReadName& name : names_) {
          if (name.text == "hipjoint") name.part = Role::kOther;
        }
      }
    }
    std::vector<Role> roles;
    for (const ReadName& name : names_) {
      roles.push_back(OnSide(name.part, name.side));
    }
    KeepFirst(roles);
    return roles;
  }

 private:
  /// Whether a joint of that side with another name than `word` is `part`.
  bool Has(Side side, std::string_view word, Role part) const {
    return std::ranges::any_of(names_, [&](const ReadName& name) {
      return name.side == side && name.part == part && name.text != word;
    });
  }

  /// Joints called `word` become `part` when no other joint of that side has
  /// the role `needed` as its part.
  void Decide(Side side, std::string_view word, Role part, Role needed) {
    if (Has(side, word, needed)) return;
    for (ReadName& name : names_) {
      if (name.side == side && name.text == word) name.part = part;
    }
  }

  void FootBelowAnkle(Side side) {
    for (std::size_t j = 0; j < names_.size(); ++j) {
      if (parents_[j] < 0 || names_[j].side != side) continue;
      const ReadName& above = names_[static_cast<std::size_t>(parents_[j])];
      if (names_[j].text == "foot" && above.text == "ankle" &&
          above.side == side) {
        names_[j].part = Role::kLeftToes;
      }
    }
  }

  /// Of joints with one role the one nearest to the root keeps it. The spine
  /// may have several; of several chests the last one is the chest.
  void KeepFirst(std::vector<Role>& roles) const {
    int chest = -1;
    for (std::size_t j = 0; j < roles.size(); ++j) {
      if (roles[j] == Role::kChest) chest = static_cast<int>(j);
    }
    std::array<bool, kNumRoles> seen = {};
    for (std::size_t j = 0; j < roles.size(); ++j) {
      Role& role = roles[j];
      if (role == Role::kOther || role == Role::kSpine) continue;
      if (role == Role::kChest) {
        if (static_cast<int>(j) != chest) role = Role::kSpine;
        continue;
      }
      bool& was = seen[static_cast<std::size_t>(role)];
      if (was) role = Role::kOther;
      was = true;
    }
  }

  std::vector<ReadName> names_;
  std::vector<int> parents_;
};

bool IsAncestor(const Skeleton& skeleton, int ancestor, int joint) {
  while (joint >= 0 && joint != ancestor) joint = skeleton.joint(joint).parent;
  return joint == ancestor;
}

int CommonAncestor(const Skeleton& skeleton, int a, int b) {
  while (a >= 0 && !IsAncestor(skeleton, a, b)) a = skeleton.joint(a).parent;
  return a;
}

/// Joints above the chest that are called after the spine are neck and head,
/// where no others are; and what the head hangs on is the neck, whatever it is
/// called.
void NameNeckAndHead(const Skeleton& skeleton, int chest,
                     std::vector<Role>& roles) {
  std::vector<int> above;
  for (int j = 0; j < skeleton.num_joints(); ++j) {
    if (roles[static_cast<std::size_t>(j)] == Role::kSpine && j != chest &&
        IsAncestor(skeleton, chest, j)) {
      above.push_back(j);
    }
  }
  for (const int j : above) {
    roles[static_cast<std::size_t>(j)] = Role::kOther;
  }
  if (FindRole(roles, Role::kHead) < 0 && !above.empty()) {
    roles[static_cast<std::size_t>(above.back())] = Role::kHead;
  }
  const int head = FindRole(roles, Role::kHead);
  if (head < 0 || FindRole(roles, Role::kNeck) >= 0 ||
      !IsAncestor(skeleton, chest, head)) {
    return;
  }
  int neck = head;
  while (skeleton.joint(neck).parent != chest) {
    neck = skeleton.joint(neck).parent;
  }
  if (neck != head) roles[static_cast<std::size_t>(neck)] = Role::kNeck;
}

}  // namespace

Side SideOf(Role role) {
  const int index = static_cast<int>(role);
  if (index < kFirstLeft) return Side::kMiddle;
  return index < kFirstRight ? Side::kLeft : Side::kRight;
}

Role LeftOf(Role role) {
  return SideOf(role) == Side::kRight ? Mirrored(role) : role;
}

Role Mirrored(Role role) {
  const int index = static_cast<int>(role);
  const int shift = kFirstRight - kFirstLeft;
  switch (SideOf(role)) {
    case Side::kLeft:
      return static_cast<Role>(index + shift);
    case Side::kRight:
      return static_cast<Role>(index - shift);
    case Side::kMiddle:
      break;
  }
  return role;
}

std::string_view ToString(Role role) {
  return kRoleWords[static_cast<std::size_t>(role)];
}

std::optional<Role> RoleFromString(std::string_view word) {
  const auto found = std::ranges::find(kRoleWords, word);
  if (found == kRoleWords.end()) return std::nullopt;
  return static_cast<Role>(found - kRoleWords.begin());
}

Role RoleOfName(std::string_view name) {
  const ReadName read = ReadJointName(name);
  return OnSide(read.part, read.side);
}

bool IsTwistName(std::string_view name) {
  const std::vector<std::string> words = WordsOf(WithoutSpace(name));
  return std::ranges::any_of(words, [](const std::string& word) {
    return word == "twist" || word == "roll";
  });
}

std::vector<std::string> NormalisedNames(const Skeleton& skeleton) {
  // What different programs call the same thing.
  static const std::unordered_map<std::string_view, std::string_view> kSame = {
      {"lowerjaw", "jaw"}, {"mandible", "jaw"}, {"jawroot", "jaw"},
      {"eyeball", "eye"},  {"eyes", "eye"},     {"midfinger", "middle"}};
  std::vector<std::string> result;
  for (const std::string& name : OwnNames(skeleton)) {
    const ReadName read = ReadJointName(name);
    std::string text = read.text;
    const Side side = read.side;
    const std::string_view bare = WithoutSpace(name);
    if (const auto same = kSame.find(text); same != kSame.end()) {
      text = same->second;
    }
    std::string number;
    for (const char c : bare) {
      if (c >= '0' && c <= '9' && !(number.empty() && c == '0')) number += c;
    }
    result.push_back((side == Side::kLeft    ? "left-"
                      : side == Side::kRight ? "right-"
                                             : "") +
                     text + number);
  }
  return result;
}

int FindRole(const std::vector<Role>& roles, Role role) {
  const auto found = std::ranges::find(roles, role);
  return found == roles.end() ? -1 : static_cast<int>(found - roles.begin());
}

bool IsHumanoid(const std::vector<Role>& roles) {
  for (const Role role :
       {Role::kPelvis, Role::kLeftUpperLeg, Role::kLeftLowerLeg,
        Role::kRightUpperLeg, Role::kRightLowerLeg, Role::kLeftUpperArm,
        Role::kLeftForearm, Role::kRightUpperArm, Role::kRightForearm}) {
    if (FindRole(roles, role) < 0) return false;
  }
  return true;
}

std::vector<Role> RecogniseRoles(const Skeleton& skeleton) {
  std::vector<Role> roles = NameReader(skeleton).Roles();
  const auto find = [&](Role role) { return FindRole(roles, role); };
  // What the legs hang on is the pelvis, whatever it is called.
  const int left_leg = find(Role::kLeftUpperLeg);
  const int right_leg = find(Role::kRightUpperLeg);
  if (find(Role::kPelvis) < 0 && left_leg >= 0 && right_leg >= 0) {
    const int fork = CommonAncestor(skeleton, left_leg, right_leg);
    if (fork >= 0 && fork != left_leg && fork != right_leg) {
      roles[static_cast<std::size_t>(fork)] = Role::kPelvis;
    }
  }
  // What the arms hang on is the chest; joints between it and the pelvis are
  // the spine.
  const int left_arm = find(Role::kLeftUpperArm);
  const int right_arm = find(Role::kRightUpperArm);
  int pelvis = find(Role::kPelvis);
  if (left_arm >= 0 && right_arm >= 0 && pelvis >= 0) {
    const int fork = CommonAncestor(skeleton, left_arm, right_arm);
    // A pelvis beside the spine hangs with it on what carries the body.
    const int carrier =
        fork >= 0 ? CommonAncestor(skeleton, pelvis, fork) : pelvis;
    if (carrier >= 0 && carrier != pelvis && carrier != fork) {
      roles[static_cast<std::size_t>(pelvis)] = Role::kOther;
      roles[static_cast<std::size_t>(carrier)] = Role::kPelvis;
      pelvis = carrier;
    }
    if (fork >= 0 && fork != pelvis && IsAncestor(skeleton, pelvis, fork)) {
      const int named = find(Role::kChest);
      if (named >= 0) roles[static_cast<std::size_t>(named)] = Role::kSpine;
      for (int j = fork; j != pelvis; j = skeleton.joint(j).parent) {
        roles[static_cast<std::size_t>(j)] = Role::kSpine;
      }
      roles[static_cast<std::size_t>(fork)] = Role::kChest;
      NameNeckAndHead(skeleton, fork, roles);
    }
  }
  if (!IsHumanoid(roles)) {
    std::vector<Role> by_shape = internal::RolesByTopology(skeleton);
    if (!by_shape.empty()) return by_shape;
  }
  return roles;
}

BodyAxes FindBodyAxes(const Skeleton& skeleton,
                      const std::vector<Role>& roles) {
  BodyAxes axes;
  std::vector<Vector3> p_WJ;
  for (const Joint& joint : skeleton.joints()) {
    p_WJ.push_back(joint.parent < 0
                       ? joint.offset
                       : p_WJ[static_cast<std::size_t>(joint.parent)] +
                             joint.offset);
  }
  const auto place = [&](Role role) -> std::optional<Vector3> {
    const int joint = FindRole(roles, role);
    if (joint < 0) return std::nullopt;
    return p_WJ[static_cast<std::size_t>(joint)];
  };
  Vector3 left = Vector3::Zero();
  for (const Role role : {Role::kLeftUpperLeg, Role::kLeftUpperArm,
                          Role::kLeftLowerLeg, Role::kLeftForearm}) {
    const std::optional<Vector3> a = place(role);
    const std::optional<Vector3> b = place(Mirrored(role));
    if (a && b) left += *a - *b;
  }
  Vector3 up = Vector3::UnitY();
  const std::optional<Vector3> pelvis = place(Role::kPelvis);
  std::optional<Vector3> top = place(Role::kHead);
  if (!top) top = place(Role::kNeck);
  if (!top) top = place(Role::kChest);
  if (pelvis && top && (*top - *pelvis).norm() > 0.0) {
    const Vector3 trunk = (*top - *pelvis).normalized();
    // Less upright than 45 degrees: the figure lies in its rest pose.
    if (trunk.y() < std::sqrt(0.5)) up = trunk;
  }
  left -= up * up.dot(left);
  if (left.norm() < 1e-9) {
    left = Vector3::UnitX() - up * up.x();
    if (left.norm() < 1e-6) return axes;
  }
  axes.up = up;
  axes.left = left.normalized();
  axes.forward = axes.left.cross(axes.up);
  return axes;
}

}  // namespace limber::figure
