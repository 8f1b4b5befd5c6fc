// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "figure/flight_rate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace limber::figure {

namespace {

/// Of a leg's length: feet in flight are at least so far above the floor. Toes
/// of a walker swing lower, and floors of recordings are not level.
constexpr double kFlightHeight = 0.06;
/// A flight of fewer frames has no measurable curvature.
constexpr std::int64_t kFewestFrames = 8;
/// Of the height that a flight rises and falls: the path's distance from its
/// parabola (root mean square).
constexpr double kMostResidual = 0.15;

/// A point of the body a share of the way from one joint to another, and its
/// part of the mass [de Leva 1996, table 4, men].
struct MassPoint {
  int from, to;
  double share, mass;
};

std::vector<MassPoint> MassPoints(const BodyPlan& plan) {
  std::vector<MassPoint> points;
  const auto add = [&points](int from, int to, double share, double mass) {
    if (from >= 0 && to >= 0) points.push_back({from, to, share, mass});
  };
  const int chest = plan.spine.empty() ? plan.pelvis : plan.spine.back();
  const int head = plan.neck.empty() ? chest : plan.neck.back();
  for (int side = 0; side < 2; ++side) {
    const LegPlan& leg = plan.legs[side];
    const ArmPlan& arm = plan.arms[side];
    add(leg.thigh, leg.shank, 0.41, 0.1416);
    add(leg.shank, leg.foot, 0.446, 0.0433);
    add(leg.foot, leg.foot, 0.0, 0.0137);
    add(arm.upper_arm, arm.forearm, 0.577, 0.0271);
    add(arm.forearm, arm.hand >= 0 ? arm.hand : arm.forearm, 0.457, 0.0162);
    add(arm.hand, arm.hand, 0.0, 0.0061);
    // Half of the trunk on either side: from the shoulder to the hip.
    const int shoulder = arm.upper_arm >= 0 ? arm.upper_arm : chest;
    add(shoulder, leg.thigh, 0.51, 0.5 * 0.4346);
  }
  add(head, head, 0.0, 0.0694);
  return points;
}

/// Height of the mass centre [m].
double CentreHeight(const std::vector<MassPoint>& points,
                    const std::vector<Transform>& X_WJ) {
  double sum = 0.0;
  double mass = 0.0;
  for (const MassPoint& point : points) {
    sum += point.mass * ((1.0 - point.share) * X_WJ[point.from].p.y() +
                         point.share * X_WJ[point.to].p.y());
    mass += point.mass;
  }
  return sum / mass;
}

/// y = c0 + c1 t + c2 t² by least squares over t = -1 .. 1.
struct Parabola {
  double c2 = 0.0;
  double residual = 0.0;  ///< Root mean square.
};

Parabola Fit(const std::vector<double>& y) {
  const auto n = static_cast<Eigen::Index>(y.size());
  MatrixX A(n, 3);
  VectorX b(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const double t =
        2.0 * static_cast<double>(i) / static_cast<double>(n - 1) - 1.0;
    A.row(i) << 1.0, t, t * t;
    b[i] = y[static_cast<std::size_t>(i)];
  }
  const Vector3 c = (A.transpose() * A).ldlt().solve(A.transpose() * b);
  return {c[2], std::sqrt((A * c - b).squaredNorm() / static_cast<double>(n))};
}

/// Runs of frames in which both feet are in the air.
std::vector<Shot> FindFlights(const ClipTracks& tracks) {
  const double least = tracks.floor + kFlightHeight * tracks.leg_length;
  std::vector<Shot> flights;
  for (const Shot& shot : tracks.shots) {
    std::int64_t begin = -1;
    for (std::int64_t i = shot.begin; i <= shot.end; ++i) {
      const bool flies = i < shot.end && tracks.feet[0].lowest[i] > least &&
                         tracks.feet[1].lowest[i] > least;
      if (flies && begin < 0) begin = i;
      if (!flies && begin >= 0) {
        if (i - begin >= kFewestFrames) flights.push_back({begin, i});
        begin = -1;
      }
    }
  }
  return flights;
}

}  // namespace

FlightRate FindFlightRate(const Motion& motion, const BodyPlan& plan,
                          const ClipTracks& tracks) {
  FlightRate result;
  result.rate_hz = motion.rate_hz();
  const std::vector<MassPoint> points = MassPoints(plan);
  const double least = tracks.floor + kFlightHeight * tracks.leg_length;
  std::vector<double> gravities;
  Pose pose;
  std::vector<Transform> X_WJ;
  for (const Shot& flight : FindFlights(tracks)) {
    std::vector<double> heights;
    bool touches = false;
    for (std::int64_t i = flight.begin; i < flight.end && !touches; ++i) {
      motion.GetPose(i, pose);
      WorldTransforms(motion.skeleton(), pose, X_WJ);
      heights.push_back(CentreHeight(points, X_WJ));
      for (const ArmPlan& arm : plan.arms) {
        touches = touches || (arm.hand >= 0 && X_WJ[arm.hand].p.y() < least);
      }
    }
    if (touches) continue;
    // y falls by c2 within half a flight of (n - 1) / 2 frames.
    const Parabola path = Fit(heights);
    const double half = 0.5 * static_cast<double>(flight.size() - 1);
    const double gravity =
        -2.0 * path.c2 * std::pow(motion.rate_hz() / half, 2);
    if (path.residual > kMostResidual * std::abs(path.c2) ||
        gravity < 0.03 * kGravity) {
      continue;
    }
    gravities.push_back(gravity);
  }
  if (gravities.empty()) return result;
  result.num_flights = static_cast<int>(gravities.size());
  const auto middle =
      gravities.begin() + static_cast<std::ptrdiff_t>(gravities.size() / 2);
  std::ranges::nth_element(gravities, middle);
  result.gravity = *middle;
  // f² g: a body played at twice its rate falls four times as fast. What holds
  // a body unseen (a prop, a foot that counts as lifted) lets it fall slower
  // than g, but nothing makes it fall faster: only a rate that is too high
  // shows.
  double nearest = std::numeric_limits<double>::infinity();
  for (const double factor : {1.0, 0.5, 0.25}) {
    const double off =
        std::abs(std::log(factor * factor * result.gravity / kGravity));
    if (off >= nearest) continue;
    nearest = off;
    result.rate_hz = factor * motion.rate_hz();
  }
  return result;
}

Motion WithRate(const Motion& motion, double rate_hz) {
  if (motion.layout() == motion.source().channels) {
    std::vector<double> values;
    for (std::int64_t i = 0; i < motion.num_frames(); ++i) {
      const auto row = motion.row(i);
      values.insert(values.end(), row.begin(), row.end());
    }
    return Motion(motion.shared_skeleton(), rate_hz, motion.source(),
                  std::move(values));
  }
  Motion result(motion.shared_skeleton(), rate_hz, motion.source());
  Pose pose;
  for (std::int64_t i = 0; i < motion.num_frames(); ++i) {
    motion.GetPose(i, pose);
    result.Append(pose);
  }
  return result;
}

}  // namespace limber::figure
