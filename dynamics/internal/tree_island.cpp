// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/internal/tree_island.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "dynamics/internal/leapfrog.h"
#include "dynamics/internal/tree_island_parts.h"

namespace limber::dynamics::internal {

using namespace tree_parts;

// Structure: the spanning forest of an island.

bool TreeIsland::Build(Data& data, const Island& island) {
  links_.clear();
  forms_.clear();
  outer_.clear();
  node_of_body_.Reset(island.bodies.size());
  has_damping_ = false;
  only_balls_ = true;
  for (const int b : island.bodies) {
    const Body& body = data.bodies[Index(b)];
    if (body.flow.is_one_dimensional()) return false;
    has_damping_ =
        has_damping_ || body.linear_damping > 0.0 || body.angular_damping > 0.0;
  }
  // Everything here grows with the island, not with the world. Constraints go
  // by their place in the island.
  const auto constraint_at = [&](int place) -> Constraint& {
    return *data.constraints[Index(island.constraints[Index(place)])];
  };
  BodyTable place_of_body;
  place_of_body.Reset(island.bodies.size());
  for (std::size_t i = 0; i < island.bodies.size(); ++i) {
    place_of_body.Set(island.bodies[i], static_cast<int>(i));
  }
  std::vector<std::vector<int>> joints_at(island.bodies.size());
  std::vector<bool> used(island.constraints.size(), false);
  bool has_joint = false;
  for (int k = 0; k < static_cast<int>(island.constraints.size()); ++k) {
    const auto* joint = dynamic_cast<Joint*>(&constraint_at(k));
    if (joint == nullptr) continue;
    has_joint = true;
    for (const int body : {joint->parent().value, joint->child().value}) {
      const int place = place_of_body[body];
      if (place >= 0) joints_at[Index(place)].push_back(k);
    }
  }
  // Single bodies are trees, too: their contacts are solved exactly.
  if (!has_joint && !island.constraints.empty() &&
      data.settings.solver != SolverKind::kTree) {
    return false;
  }

  std::vector<int> depth;
  const auto add = [&](int body, int place, int level) {
    Link link;
    link.body = body;
    link.constraint = place >= 0 ? island.constraints[Index(place)] : -1;
    if (place >= 0) {
      link.joint = static_cast<Joint*>(&constraint_at(place));
      link.sign = link.joint->child().value == body ? 1.0 : -1.0;
      link.parent_body = link.sign > 0.0 ? link.joint->parent().value
                                         : link.joint->child().value;
      link.joint_parent = link.joint->parent().value;
      link.joint_child = link.joint->child().value;
      link.p_PF = ToVec(link.joint->X_PF().p);
      link.p_BM = ToVec(link.joint->X_BM().p);
      const auto* ball = dynamic_cast<const BallJoint*>(link.joint);
      if (ball != nullptr && ball->axes() == BallJoint::Axes::kParentAxes &&
          ball->locked_rows_hard()) {
        link.ball = ball;
      }
      link.euler = ball != nullptr && link.ball == nullptr;
      if (ball != nullptr && ball->axes() == BallJoint::Axes::kEulerXyz) {
        link.sequence = ball;
      }
      used[Index(place)] = true;
      const auto arm = [&data](int b, const Vector3& point) {
        return (point - data.bodies[Index(b)].mass.p_BC).norm();
      };
      const double child_arm = arm(link.joint_child, link.joint->X_BM().p);
      const double parent_arm = arm(link.joint_parent, link.joint->X_PF().p);
      link.own_arm = link.sign > 0.0 ? child_arm : parent_arm;
      link.parent_arm = link.sign > 0.0 ? parent_arm : child_arm;
      if (link.ball == nullptr) link.own_arm = link.parent_arm = 1.0;
    }
    node_of_body_.Set(body, static_cast<int>(links_.size()));
    links_.push_back(std::move(link));
    depth.push_back(level);
  };
  // Breadth first, from the joints to given motions, then from bodies that
  // nothing holds.
  std::size_t next = 0;
  const auto spread = [&] {
    for (; next < links_.size(); ++next) {
      const int from = links_[next].body;
      const int level = depth[next] + 1;
      for (const int k : joints_at[Index(place_of_body[from])]) {
        const Joint& joint = static_cast<Joint&>(constraint_at(k));
        const int other = joint.parent().value == from ? joint.child().value
                                                       : joint.parent().value;
        if (used[Index(k)] || !data.bodies[Index(other)].dynamic() ||
            node_of_body_[other] >= 0) {
          continue;
        }
        add(other, k, level);
      }
    }
  };
  for (const int b : island.bodies) {
    for (const int k : joints_at[Index(place_of_body[b])]) {
      const Joint& joint = static_cast<Joint&>(constraint_at(k));
      const int other = joint.parent().value == b ? joint.child().value
                                                  : joint.parent().value;
      if (data.bodies[Index(other)].dynamic()) continue;
      add(b, k, 0);
      break;
    }
  }
  spread();
  for (const int b : island.bodies) {
    if (node_of_body_[b] >= 0) continue;
    add(b, -1, 0);
    spread();
  }

  // By depth: neighbours in the order do not wait for each other.
  std::vector<int> order(links_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return depth[Index(a)] < depth[Index(b)];
  });
  std::vector<Link> sorted;
  for (const int i : order) sorted.push_back(std::move(links_[Index(i)]));
  links_ = std::move(sorted);
  SetUpNodes(data);
  for (int k = 0; k < static_cast<int>(island.constraints.size()); ++k) {
    if (used[Index(k)]) continue;
    Outer& outer = outer_.emplace_back();
    outer.constraint = island.constraints[Index(k)];
    outer.limits = dynamic_cast<AngleLimits*>(&constraint_at(k));
    outer.force = dynamic_cast<ForceRows*>(&constraint_at(k)) != nullptr;
  }
  return true;
}

void TreeIsland::BuildLone(const Data& data, int b) {
  const Body& body = data.bodies[Index(b)];
  links_.assign(1, Link{});
  links_.front().body = b;
  forms_.clear();
  outer_.clear();
  node_of_body_.Reset(1);
  node_of_body_.Set(b, 0);
  has_damping_ = body.linear_damping > 0.0 || body.angular_damping > 0.0;
  only_balls_ = true;
  gap_left_ = gap_growth_ = 0.0;
  SetUpNodes(data);
}

// What is the same for every kick: the nodes of the solver and the blocks.
void TreeIsland::SetUpNodes(const Data& data) {
  solver_.nodes.assign(links_.size(), TreeNode{});
  tension_.assign(links_.size(), 0.0);
  least_inertia_.resize(links_.size());
  stiffness_.assign(links_.size(), Stiffness{});
  mass_ = longest_arm_ = 0.0;
  held_ = false;
  int num_coordinates = 0;
  for (int i = 0; i < static_cast<int>(links_.size()); ++i) {
    const int b = links_[Index(i)].body;
    node_of_body_.Set(b, i);
    least_inertia_[Index(i)] = data.bodies[Index(b)].flow.inertia().minCoeff();
    mass_ += data.bodies[Index(b)].mass.mass;
    longest_arm_ = std::max(
        {longest_arm_, links_[Index(i)].own_arm, links_[Index(i)].parent_arm});
  }
  for (int i = 0; i < static_cast<int>(links_.size()); ++i) {
    Link& link = links_[Index(i)];
    TreeNode& node = solver_.nodes[Index(i)];
    if (link.joint != nullptr && link.ball == nullptr) {
      link.form = static_cast<int>(forms_.size());
      forms_.emplace_back();
      only_balls_ = only_balls_ && link.euler;
    }
    node.free_root = link.constraint < 0;
    node.ball = node.turns = link.ball != nullptr;
    link.num_held = node.ball ? 3 : 0;
    node.mass = data.bodies[Index(link.body)].mass.mass;
    held_ = held_ || (link.constraint >= 0 &&
                      !data.bodies[Index(link.parent_body)].dynamic());
    node.parent = node.free_root ? -1 : node_of_body_[link.parent_body];
    node.first_coordinate = num_coordinates;
    num_coordinates += node.free_root ? 0 : link.ball != nullptr ? 3 : 6;
  }
  solver_.coordinates.assign(Index(num_coordinates), TreeCoordinate{});
  BuildBlocks(data);
}

void TreeIsland::BuildBlocks(const Data& data) {
  const std::size_t num_blocks = (links_.size() + kLanes - 1) / kLanes;
  blocks_.resize(num_blocks);
  // Lone bodies seldom need these; they get them when they do.
  const std::size_t num_held = solver_.coordinates.empty() ? 0 : num_blocks;
  tight_.resize(num_held);
  first_lambda_.resize(num_held);
  solver_.balls.resize(num_blocks);
  // Numbers that nobody sets must not be there by chance.
  std::memset(static_cast<void*>(blocks_.data()), 0,
              num_blocks * sizeof(Block));
  std::memset(static_cast<void*>(solver_.balls.data()), 0,
              num_blocks * sizeof(TreeBallBlock));
  for (std::size_t n = 0; n < blocks_.size(); ++n) {
    Block& block = blocks_[n];
    block.parallel = true;
    const auto from_centre = [&](int b, const Vec& point) {
      const Body& body = data.bodies[Index(b)];
      const Vector3 p = ToEigen(point) - body.mass.p_BC;
      return ToVec(body.turned ? Vector3(body.q_BC.conjugate() * p) : p);
    };
    std::array<const Body*, kLanes> bodies;
    for (std::size_t k = 0; k < kLanes; ++k) {
      const std::size_t i = kLanes * n + k;
      const Link& link = links_[std::min(i, links_.size() - 1)];
      const Body& body = data.bodies[Index(link.body)];
      bodies[k] = &body;
      block.body[k] = link.body;
      block.parent_body[k] =
          link.joint != nullptr ? link.parent_body : link.body;
      block.joint_parent[k] =
          link.joint != nullptr ? link.joint_parent : link.body;
      block.joint_child[k] =
          link.joint != nullptr ? link.joint_child : link.body;
      block.real[k] = i < links_.size() ? -1 : 0;
      block.mass[k] = i < links_.size() ? body.mass.mass : 0.0;
      SetOne(block.inertia, k, ToVec(body.flow.inertia()));
      SetOne(block.own_point, k, from_centre(link.body, link.OwnPoint()));
      SetOne(block.parent_point, k,
             from_centre(block.parent_body[k], link.PointOfParent()));
      const bool ball = link.ball != nullptr;
      block.ball[k] = ball ? -1 : 0;
      block.has_balls = block.has_balls || ball;
      Matrix3 R_CF = Matrix3::Identity();
      if (ball) {
        const Body& joint_parent = data.bodies[Index(link.joint_parent)];
        R_CF = link.joint->R_PF();
        if (joint_parent.turned) {
          R_CF = joint_parent.q_BC.conjugate().toRotationMatrix() * R_CF;
        }
      }
      SetOne(block.R_CF, k, ToMat(R_CF));
      block.parallel = block.parallel && R_CF == Matrix3::Identity();
      block.sign[k] = link.sign;
      block.backward = block.backward || link.sign < 0.0;
      block.own_arm[k] = link.own_arm;
      block.parent_arm[k] = link.parent_arm;
      SetOne(block.q_PF, k, ball ? ToQuat(link.joint->X_PF().R) : Quat{});
      SetOne(block.q_BM, k, ball ? ToQuat(link.joint->X_BM().R) : Quat{});
      block.damping[k] = 1.0;
    }
    block.frames = FramesOf(bodies);
    block.flow = FlowsOf(bodies);
    solver_.balls[n].sign = block.sign;
  }
}

void TreeIsland::Predict(Data& data, double h, bool rotations_only) const {
  for (const Block& block : blocks_) {
    const std::array<Body*, kLanes> bodies = BodiesOf(data, block.body);
    PredictFour(ReadState(StatesOf(bodies)), block.flow, block.frames, bodies,
                h, rotations_only, MotionsAt(data.predicted, block.body));
  }
}

TreeIsland::Prediction TreeIsland::ReadDrives() {
  bool aims = false;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    Link& link = links_[i];
    if (link.joint == nullptr) continue;
    const bool hard = link.joint->locked_rows_hard();
    if (hard != link.hard) link.hard = hard;
    if (link.ball == nullptr) continue;
    ReadBallDrives(i);
    aims = aims || link.aims;
  }
  if (!outer_.empty() || !forms_.empty()) return Prediction::kPoses;
  return aims ? Prediction::kRotations : Prediction::kNone;
}

bool TreeIsland::FullyDriven() const {
  using Drive = PoweredAxis::Drive;
  for (const Link& link : links_) {
    if (link.joint == nullptr) return false;
    for (int k = 0; k < link.joint->num_free(); ++k) {
      const PoweredAxis& axis = link.joint->axis(k);
      if (axis.softness > 0.0 ||
          (axis.drive != Drive::kSpeed && axis.drive != Drive::kPosition)) {
        return false;
      }
    }
  }
  return outer_.empty() && !links_.empty();
}

}  // namespace limber::dynamics::internal
