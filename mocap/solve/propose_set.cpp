// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/propose_set.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "mocap/solve/actor.h"
#include "mocap/solve/body.h"

namespace limber::mocap {

namespace {

struct Point {
  std::string label;
  Vector3 p_W;
};

/// The frame that shows most markers.
std::vector<Point> FullestFrame(const MarkerTake& take) {
  std::vector<Point> best;
  std::size_t most = 0;
  for (std::int64_t t = 0; t < take.num_frames(); ++t) {
    std::size_t count = 0;
    for (int m = 0; m < take.num_markers(); ++m) {
      count += take.kind(m) == PointKind::kMarker && take.IsVisible(t, m) &&
               !take.labels()[m].starts_with('*');
    }
    if (count <= most) continue;
    most = count;
    best.clear();
    for (int m = 0; m < take.num_markers(); ++m) {
      if (take.kind(m) == PointKind::kMarker && take.IsVisible(t, m) &&
          !take.labels()[m].starts_with('*')) {
        const std::string& label = take.labels()[m];
        best.push_back({label.substr(SubjectOf(label).empty()
                                         ? 0
                                         : SubjectOf(label).size() + 1),
                        take.Position(t, m)});
      }
    }
  }
  return best;
}

/// How thick a segment is about its bone: a marker one thickness off is on the
/// skin [m]. Zero for segments that a proposal does not use.
double Thickness(int segment) {
  switch (segment) {
    case kPelvis:
    case kChest:
      return 0.13;
    case kHead:
      return 0.11;
    case kLeftUpperLeg:
    case kRightUpperLeg:
      return 0.08;
    case kSpine:
    case kNeck:
    case kLeftToes:
    case kRightToes:
      return 0.0;
    default:
      return 0.05;
  }
}

/// The reference body of unit scale in a standing pose.
struct StandingBody {
  BodyKinematics kinematics;
  std::array<Vector3, kNumSegments> end;  ///< World place of each bone's end.

  explicit StandingBody(bool arms_hang) {
    BodyPose pose = BodyPose::Rest();
    if (arms_hang) {
      constexpr double kHang = 80 * kPi / 180;
      pose.R_PJ[kLeftUpperArm] = ExpRotation({0, 0, -kHang});
      pose.R_PJ[kRightUpperArm] = ExpRotation({0, 0, kHang});
    }
    BodyOffsets p_PJ;
    for (int j = 0; j < kNumSegments; ++j) p_PJ[j] = Body()[j].offset;
    kinematics.Update(p_PJ, pose);
    for (int j = 0; j < kNumSegments; ++j) {
      end[j] = kinematics.p_WJ[j] + kinematics.R_WJ[j] * Body()[j].end;
    }
    // A bone ends where its main child begins; the spine continues the trunk.
    for (int j = kNumSegments - 1; j > 0; --j) {
      end[Body()[j].parent] = kinematics.p_WJ[j];
    }
    end[kPelvis] = kinematics.p_WJ[kSpine];
    end[kChest] = kinematics.p_WJ[kNeck];
  }

  /// Distance from a bone over its thickness.
  double Distance(int j, const Vector3& p) const {
    const Vector3& a = kinematics.p_WJ[j];
    const Vector3 bone = end[j] - a;
    const double along = std::clamp(
        (p - a).dot(bone) / std::max(bone.squaredNorm(), 1e-9), 0.0, 1.0);
    return (a + along * bone - p).norm() / Thickness(j);
  }

  /// Places where nearness misleads: thighs end at the hips, shanks at the
  /// ankles, heads at the skull's base; a hand that hangs beside the hip is not
  /// on the pelvis.
  bool IsOutside(int j, const Vector3& p) const {
    constexpr double kPelvisReach = 0.19;  // [m], half its breadth.
    switch (j) {
      case kPelvis:
        return std::abs(p.x()) > kPelvisReach;
      case kLeftUpperLeg:
      case kRightUpperLeg:
        return p.y() > kinematics.p_WJ[j].y();
      case kLeftLowerLeg:
      case kRightLowerLeg:
        return p.y() < kinematics.p_WJ[j + 1].y() - 0.02;
      case kHead:
        return p.y() < kinematics.p_WJ[kHead].y();
      default:
        return false;
    }
  }

  int Nearest(const Vector3& p, double& distance) const {
    int best = kPelvis;
    distance = std::numeric_limits<double>::infinity();
    for (int j = 0; j < kNumSegments; ++j) {
      if (Thickness(j) == 0.0) continue;
      if (IsOutside(j, p)) continue;
      const double d = Distance(j, p);
      if (d < distance) {
        distance = d;
        best = j;
      }
    }
    return best;
  }
};

/// From the axes of the take to those of the body: p_body = R (p − origin) / s.
struct Placement {
  Matrix3 R = Matrix3::Identity();
  Vector3 origin = Vector3::Zero();
  double scale = 1.0;

  Vector3 operator()(const Vector3& p) const {
    return R * (p - origin) / scale;
  }
};

/// Labels that begin with L minus those that begin with R on the left, and the
/// other way round on the right: positive when the sides are right.
int SideVotes(const std::vector<Point>& points, const Placement& place) {
  int votes = 0;
  for (const Point& point : points) {
    // "LKNE", and the L of "Skeleton_LThigh1".
    const std::size_t bar = point.label.find('_');
    const bool has_beginning = bar != std::string::npos && bar > 1;
    const std::string plain =
        PlainLabel(has_beginning ? point.label.substr(bar + 1) : point.label);
    const char first = plain.empty() ? ' ' : plain.front();
    const double x = place(point.p_W).x();
    if (first == 'L') votes += x > 0 ? 1 : -1;
    if (first == 'R') votes += x < 0 ? 1 : -1;
  }
  return votes;
}

}  // namespace

Result<MarkerSet> ProposeMarkerSet(const MarkerTake& take,
                                   const std::string& file,
                                   const std::string& name) {
  Diagnostics diagnostics(file);
  const std::vector<Point> points = FullestFrame(take);
  const auto refuse = [&](const std::string& reason) {
    diagnostics.Error("no-standing-pose", {}, reason);
    return Result<MarkerSet>(std::move(diagnostics));
  };
  if (points.size() < 8) {
    return refuse("expected at least 8 markers in one frame, found " +
                  std::to_string(points.size()));
  }
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const Point& point : points) {
    low = std::min(low, point.p_W.y());
    high = std::max(high, point.p_W.y());
  }
  Placement place;
  // The highest marker of a head is some centimetres below the crown, the
  // lowest of a foot some above the sole.
  constexpr double kMarkedHeight = 1.66;  // On the reference body [m].
  place.scale = (high - low) / kMarkedHeight;
  const double stature = place.scale * kReferenceHeight;
  if (stature < 0.6 || stature > 2.6) {
    return refuse("the markers reach over " + std::to_string(high - low) +
                  " m in height; expected a standing person, +Y up inside "
                  "(--up, --unit)");
  }
  // Sideways is where the points spread most on the floor.
  Vector3 mean = Vector3::Zero();
  Vector3 middle = Vector3::Zero();
  int num_middle = 0;
  for (const Point& point : points) {
    mean += point.p_W / double(points.size());
    const double share = (point.p_W.y() - low) / (high - low);
    if (share > 0.45 && share < 0.65) {
      middle += point.p_W;
      ++num_middle;
    }
  }
  middle = num_middle > 0 ? Vector3(middle / num_middle) : mean;
  Eigen::Matrix2d spread = Eigen::Matrix2d::Zero();
  for (const Point& point : points) {
    const Vector2 d(point.p_W.x() - mean.x(), point.p_W.z() - mean.z());
    spread += d * d.transpose();
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> axes(spread);
  const Vector2 side = axes.eigenvectors().col(1);
  Vector3 left(side.x(), 0, side.y());
  Vector3 forward = left.cross(Vector3::UnitY());
  // The feet reach out before the legs.
  double feet = 0.0;
  double legs = 0.0;
  int num_feet = 0;
  int num_legs = 0;
  for (const Point& point : points) {
    const double share = (point.p_W.y() - low) / (high - low);
    const double ahead = (point.p_W - mean).dot(forward);
    if (share < 0.025) {
      feet += ahead;
      ++num_feet;
    } else if (share > 0.08 && share < 0.45) {
      legs += ahead;
      ++num_legs;
    }
  }
  const bool has_feet = num_feet >= 2 && num_legs >= 2;
  const bool feet_behind = has_feet && feet / num_feet < legs / num_legs;
  if (feet_behind) {
    left = -left;
    forward = -forward;
  }
  place.R.row(0) = left;
  place.R.row(1) = Vector3::UnitY();
  place.R.row(2) = forward;
  // The hips of the reference body are 0.93 m above the sole.
  constexpr double kHipHeight = 0.93 - 0.03;
  place.origin = {middle.x(), low + kHipHeight * place.scale, middle.z()};
  const int votes = SideVotes(points, place);
  if (votes < 0) {
    if (has_feet) {
      diagnostics.Warning("side-doubtful", {},
                          "the feet point one way, but labels that begin with "
                          "L and R say the other; the labels were believed");
    }
    place.R.row(0) = -place.R.row(0);
    place.R.row(2) = -place.R.row(2);
  }

  // Arms level or hanging, whichever fits.
  std::optional<StandingBody> best;
  double best_sum = std::numeric_limits<double>::infinity();
  for (const bool arms_hang : {false, true}) {
    const StandingBody body(arms_hang);
    double sum = 0.0;
    for (const Point& point : points) {
      double distance = 0.0;
      body.Nearest(place(point.p_W), distance);
      sum += distance;
    }
    if (sum < best_sum) {
      best_sum = sum;
      best = body;
    }
  }
  MarkerSet set;
  set.name = name;
  set.description = "proposed from " + file + "; read the segments over";
  int num_pelvis = 0;
  for (const Point& point : points) {
    double distance = 0.0;
    const Vector3 p = place(point.p_W);
    SetMarker marker;
    marker.label = point.label;
    marker.segment = best->Nearest(p, distance);
    marker.at = best->kinematics.R_WJ[marker.segment].transpose() *
                (p - best->kinematics.p_WJ[marker.segment]);
    marker.spread = 0.05;
    num_pelvis += marker.segment == kPelvis;
    // Far from everybody: a prop, a force plate's corner.
    constexpr double kTooFar = 4.0;
    if (distance > kTooFar) {
      diagnostics.Warning(
          "left-out", {},
          "marker " + point.label + " is far from the body and was left out");
      continue;
    }
    set.markers.push_back(std::move(marker));
  }
  if (num_pelvis < 2) {
    return refuse("expected at least 2 markers on the pelvis, found " +
                  std::to_string(num_pelvis) +
                  "; does the person stand in a T-pose or with hanging arms?");
  }
  return {std::move(set), std::move(diagnostics)};
}

}  // namespace limber::mocap
