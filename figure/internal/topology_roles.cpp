// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/internal/topology_roles.h"

#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "figure/internal/body_pieces.h"

namespace limber::figure::internal {

namespace {

std::size_t At(int index) { return static_cast<std::size_t>(index); }

/// Two limbs are alike if they are as long to this share.
constexpr double kAlike = 0.1;
/// A bone shorter than this share of its limb is a helper's.
constexpr double kShortBone = 0.12;

class ShapeReader {
 public:
  explicit ShapeReader(const Skeleton& skeleton)
      : skeleton_(skeleton),
        p_WJ_(RestPlaces(skeleton)),
        children_(At(skeleton.num_joints())),
        far_(p_WJ_),
        reach_(At(skeleton.num_joints()), 0.0) {
    for (int j = skeleton.num_joints() - 1; j >= 0; --j) {
      const int parent = skeleton.joint(j).parent;
      if (parent >= 0) children_[At(parent)].push_back(j);
    }
    for (const Site& site : skeleton.sites()) {
      Reach(site.joint, p_WJ_[At(site.joint)] + site.offset,
            site.offset.norm());
    }
    // Parents come before children, so one pass backwards sums the chains.
    for (int j = skeleton.num_joints() - 1; j > 0; --j) {
      const int parent = skeleton.joint(j).parent;
      if (parent >= 0) {
        Reach(parent, far_[At(j)],
              reach_[At(j)] + skeleton.joint(j).offset.norm());
      }
    }
  }

  std::vector<Role> Roles() {
    for (int j = 0; j < skeleton_.num_joints(); ++j) {
      roles_.assign(At(skeleton_.num_joints()), Role::kOther);
      if (TryPelvis(j) && IsHumanoid(roles_)) return roles_;
    }
    return {};
  }

 private:
  using Pair = std::pair<int, int>;

  /// `joint` reaches `point` over `length` of bones.
  void Reach(int joint, const Vector3& point, double length) {
    if (length <= reach_[At(joint)]) return;
    reach_[At(joint)] = length;
    far_[At(joint)] = point;
  }

  /// Of the children of `joint` two limbs alike that end on opposite sides.
  std::optional<Pair> LikePair(int joint, bool down) const {
    const std::vector<int>& limbs = children_[At(joint)];
    std::optional<Pair> best;
    double longest = 0.0;
    for (std::size_t a = 0; a < limbs.size(); ++a) {
      for (std::size_t b = a + 1; b < limbs.size(); ++b) {
        const double length_a = reach_[At(limbs[a])];
        const double length_b = reach_[At(limbs[b])];
        if (std::abs(length_a - length_b) > kAlike * length_a) continue;
        const Vector3 to_a = far_[At(limbs[a])] - p_WJ_[At(joint)];
        const Vector3 to_b = far_[At(limbs[b])] - p_WJ_[At(joint)];
        const bool goes_down =
            to_a.y() < -0.6 * length_a && to_b.y() < -0.6 * length_b;
        if (goes_down != down) continue;
        // Opposite sides: their difference is level, and not nothing.
        const Vector3 apart = to_a - to_b;
        if (apart.norm() < 0.05 * length_a ||
            std::abs(apart.y()) > 0.3 * apart.norm()) {
          continue;
        }
        if (length_a > longest) {
          longest = length_a;
          best = Pair(limbs[a], limbs[b]);
        }
      }
    }
    return best;
  }

  /// The joints of a limb from `first` on, each the way to its far end, without
  /// those whose bone is short.
  std::vector<int> Chain(int first) const {
    std::vector<int> chain;
    const double whole = reach_[At(first)];
    for (int j = first; j >= 0;) {
      int next = -1;
      for (const int child : children_[At(j)]) {
        if (next < 0 ||
            reach_[At(child)] + skeleton_.joint(child).offset.norm() >
                reach_[At(next)] + skeleton_.joint(next).offset.norm()) {
          next = child;
        }
      }
      const double bone =
          next >= 0 ? skeleton_.joint(next).offset.norm() : reach_[At(j)];
      if (bone > kShortBone * whole || chain.size() >= 2) chain.push_back(j);
      j = next;
    }
    return chain;
  }

  void Give(const std::vector<int>& chain, std::size_t from,
            const std::vector<Role>& left_roles, bool left) {
    for (std::size_t i = 0; i < left_roles.size() && from + i < chain.size();
         ++i) {
      roles_[At(chain[from + i])] =
          left ? left_roles[i] : Mirrored(left_roles[i]);
    }
  }

  bool TryPelvis(int pelvis) {
    const std::optional<Pair> legs = LikePair(pelvis, true);
    if (!legs) return false;
    // Forward is where the feet point.
    const std::vector<int> leg = Chain(legs->first);
    if (leg.size() < 2) return false;
    Vector3 forward = Vector3::UnitZ();
    if (leg.size() > 2) {
      Vector3 foot = far_[At(leg[2])] - p_WJ_[At(leg[2])];
      foot.y() = 0.0;
      if (foot.norm() > 0.02 * reach_[At(leg[0])]) forward = foot.normalized();
    }
    const Vector3 left = Vector3::UnitY().cross(forward);
    const auto is_left = [&](const Pair& pair) {
      return left.dot(far_[At(pair.first)] - far_[At(pair.second)]) > 0.0;
    };
    roles_[At(pelvis)] = Role::kPelvis;
    const std::vector<Role> leg_roles = {Role::kLeftUpperLeg,
                                         Role::kLeftLowerLeg, Role::kLeftFoot,
                                         Role::kLeftToes};
    Give(leg, 0, leg_roles, is_left(*legs));
    Give(Chain(legs->second), 0, leg_roles, !is_left(*legs));
    // Up the spine to the arms.
    for (const int child : children_[At(pelvis)]) {
      if (child == legs->first || child == legs->second) continue;
      std::vector<int> spine;
      for (int j = child; j >= 0;) {
        spine.push_back(j);
        const std::optional<Pair> arms = LikePair(j, false);
        if (arms && Arms(*arms, is_left(*arms))) {
          for (const int s : spine) roles_[At(s)] = Role::kSpine;
          roles_[At(j)] = Role::kChest;
          Head(j, *arms);
          return true;
        }
        j = children_[At(j)].size() == 1 ? children_[At(j)][0] : -1;
      }
    }
    return false;
  }

  bool Arms(const Pair& arms, bool first_is_left) {
    const std::vector<int> chain = Chain(arms.first);
    if (chain.size() < 2) return false;
    // A clavicle is clearly shorter than the bone after it.
    std::vector<Role> roles = {Role::kLeftUpperArm, Role::kLeftForearm,
                               Role::kLeftHand};
    if (chain.size() > 2 && Bone(chain, 0) < 0.65 * Bone(chain, 1)) {
      roles.insert(roles.begin(), Role::kLeftClavicle);
    }
    Give(chain, 0, roles, first_is_left);
    Give(Chain(arms.second), 0, roles, !first_is_left);
    return true;
  }

  double Bone(const std::vector<int>& chain, std::size_t i) const {
    return (p_WJ_[At(chain[i + 1])] - p_WJ_[At(chain[i])]).norm();
  }

  void Head(int chest, const Pair& arms) {
    for (const int child : children_[At(chest)]) {
      if (child == arms.first || child == arms.second) continue;
      if (far_[At(child)].y() <= p_WJ_[At(chest)].y()) continue;
      std::vector<int> chain;
      for (int j = child; j >= 0;
           j = children_[At(j)].size() == 1 ? children_[At(j)][0] : -1) {
        chain.push_back(j);
      }
      if (chain.size() > 1) roles_[At(chain.front())] = Role::kNeck;
      roles_[At(chain.back())] = Role::kHead;
      return;
    }
  }

  const Skeleton& skeleton_;
  std::vector<Vector3> p_WJ_;
  std::vector<std::vector<int>> children_;
  std::vector<Vector3> far_;   ///< End of the longest chain below.
  std::vector<double> reach_;  ///< Its length [m].
  std::vector<Role> roles_;
};

}  // namespace

std::vector<Role> RolesByTopology(const Skeleton& skeleton) {
  return ShapeReader(skeleton).Roles();
}

}  // namespace limber::figure::internal
