// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "core/math.h"
#include "figure/figure_model.h"
#include "figure/pose.h"
#include "mocap/retarget/joint_map.h"

namespace limber::mocap {

/// Where a point of a limb is wanted.
struct PointGoal {
  int joint = -1;                  ///< J, of the limb.
  Vector3 p_JQ = Vector3::Zero();  ///< [m]
  Vector3 p_WQ = Vector3::Zero();  ///< [m]
  double weight = 1.0;             ///< [rad/m]
  /// Only the height counts, and only while the point is lower.
  bool is_floor = false;
};

/// What a limb is to do.
struct LimbGoals {
  std::vector<PointGoal> points;
  int turned_joint = -1;  ///< How this one is turned counts, or -1.
  Quaternion R_WJ = Quaternion::Identity();
  double turn_weight = 1.0;
  double keep_weight = 0.3;  ///< Of every coordinate's change.
  /// Where all points are nearer than this in the end they go to their goals
  /// exactly, by the least change of coordinates [m].
  double exact_within = 0.0;
};

/// How near a limb got to its goals.
struct LimbReach {
  double off = 0.0;   ///< The largest distance of a point from its goal [m].
  double cost = 0.0;  ///< The sum that was made small.
};

/// A chain of joints of a figure, from `first` down to `last`, that reaches for
/// goals within its limits. With x the coordinates of its anchors, x0 where
/// they begin (brought into the limits), p and R places and rotations:
///
///     min Σ w² |p_goal - p(x)|² + w_R² |log R(x)ᵀ R_goal|² + w_0² |x - x0|²
///     lower <= x <= upper
///
/// by damped Gauss-Newton steps [Nocedal 2006, §10.3], coordinates at a limit
/// that pull outwards held there. No step makes the sum larger, and steps end
/// where they gain nothing, so the answer is as smooth in time as what goes in.
class LimitedLimb {
 public:
  /// Joints between that are no segment, or have no limits, stay as they are.
  /// @throws std::invalid_argument if `last` is not below `first`.
  LimitedLimb(const HumanBody& body, int first, int last);

  bool has_limits() const { return num_coordinates_ > 0; }
  int num_coordinates() const { return num_coordinates_; }
  const std::vector<int>& joints() const { return joints_; }

  /// How far the farthest joint of the chain is beyond its limits [rad].
  double Violation(const figure::Pose& pose) const;

  /// Changes R_PJ of the chain's joints in `pose`. X_WP is the parent of the
  /// first.
  ///
  /// A knee on the floor may be turned to either side, and limits may let the
  /// search end on one side in one frame and on the other in the next. Where
  /// the answer is farther from `neighbour`, the pose of the frame before or
  /// after, than limbs move, the search begins from there, too, and the better
  /// answer counts. `neighbour` may be null.
  LimbReach Reach(const Transform& X_WP, const LimbGoals& goals,
                  figure::Pose& pose,
                  const figure::Pose* neighbour = nullptr) const;

  /// The coordinates of the chain's anchors, and back. What hinges and
  /// universal joints cannot express stays.
  void GetCoordinates(const figure::Pose& pose, double* x) const;
  void SetCoordinates(const double* x, figure::Pose& pose) const;

  static constexpr int kMost = 16;  ///< Coordinates of a chain.

 private:
  class Search;
  struct Link {
    int joint = -1;
    const figure::Anchor* anchor = nullptr;  ///< Null where it has no limits.
    int first = 0;                           ///< Its coordinates in x.
  };

  std::shared_ptr<const figure::FigureModel> figure_;
  std::vector<Link> links_;
  std::vector<int> joints_;
  int num_coordinates_ = 0;
  std::array<double, kMost> lower_ = {};
  std::array<double, kMost> upper_ = {};
};

/// R_PJ with its coordinates changed to `q`; what the anchor cannot express
/// stays as it is in R_PJ.
Quaternion WithCoordinates(const figure::Anchor& anchor, const Quaternion& R_PJ,
                           const std::array<double, 3>& q);

/// The coordinates within the limits of `anchor` whose rotation is nearest to
/// R_PJ, searched from `start`.
std::array<double, 3> NearestWithinLimits(const figure::Anchor& anchor,
                                          const Quaternion& R_PJ,
                                          const std::array<double, 3>& start);

}  // namespace limber::mocap
