// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "mocap/solve/internal/cloud_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "core/angle.h"
#include "mocap/solve/internal/first_actor.h"
#include "mocap/solve/internal/frame_fit.h"

namespace limber::mocap::internal {

namespace {

/// How far places of a set are from those of a person [m], and from how many
/// of these a point is not this marker's.
constexpr double kSigma = 0.025;
constexpr double kRobust = 4.0;
/// What a point without a marker costs, and a marker without a point: as much
/// as one that is far away, and half of it, since markers are left out or lost.
constexpr double kUnexplained = 0.5 * kRobust * kRobust;
constexpr double kUnused = 0.5 * kUnexplained;
/// Directions that are tried [rad], and how many starts go on to be fitted.
constexpr int kDirections = 16;
constexpr std::size_t kMostStarts = 40;

/// A standing pose of the reference body.
BodyPose Standing(int arms, double yaw) {
  BodyPose pose = BodyPose::Rest();
  constexpr double kHang = Radians(75);
  constexpr double kBent = Radians(80);
  for (const int arm : {kLeftUpperArm, kRightUpperArm}) {
    const double side = arm == kLeftUpperArm ? 1.0 : -1.0;
    if (arms > 0) pose.R_PJ[arm] = ExpRotation({0, 0, -side * kHang});
    // Forearms forward, palms to each other.
    if (arms > 1) pose.R_PJ[arm + 1] = ExpRotation({0, -side * kBent, 0});
  }
  pose.R_PJ[kPelvis] = ExpRotation({0, yaw, 0});
  return pose;
}

std::vector<Vector3> PlacesOf(const Actor& actor,
                              const BodyKinematics& kinematics) {
  std::vector<Vector3> places;
  for (const ActorMarker& marker : actor.markers) {
    places.push_back(kinematics.p_WJ[marker.segment] +
                     kinematics.R_WJ[marker.segment] * marker.p_JM);
  }
  return places;
}

/// Points to places one to one, nearest first, within `reach`.
std::vector<int> Assign(const std::vector<Vector3>& places,
                        std::span<const Vector3> points, double reach) {
  struct Pair {
    double distance;
    int place;
    int point;
  };
  std::vector<Pair> pairs;
  for (std::size_t m = 0; m < places.size(); ++m) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (!IsSeen(points[i])) continue;
      const double distance = (places[m] - points[i]).norm();
      if (distance < reach) {
        pairs.push_back({distance, static_cast<int>(m), static_cast<int>(i)});
      }
    }
  }
  std::ranges::sort(pairs, {}, &Pair::distance);
  std::vector<int> point_of(places.size(), -1);
  std::vector<char> is_taken(points.size(), 0);
  for (const Pair& pair : pairs) {
    if (point_of[std::size_t(pair.place)] >= 0 ||
        is_taken[std::size_t(pair.point)]) {
      continue;
    }
    point_of[std::size_t(pair.place)] = pair.point;
    is_taken[std::size_t(pair.point)] = 1;
  }
  return point_of;
}

struct Extent {
  double low = 0.0;
  double high = 0.0;
  Vector3 middle = Vector3::Zero();  ///< Median.
  int count = 0;
};

Extent ExtentOf(std::span<const Vector3> points) {
  Extent extent;
  std::array<std::vector<double>, 3> values;
  for (const Vector3& p : points) {
    if (!IsSeen(p)) continue;
    for (int k = 0; k < 3; ++k) values[std::size_t(k)].push_back(p[k]);
  }
  extent.count = static_cast<int>(values[0].size());
  if (extent.count == 0) return extent;
  for (int k = 0; k < 3; ++k) {
    std::vector<double>& v = values[std::size_t(k)];
    std::ranges::sort(v);
    extent.middle[k] = v[v.size() / 2];
  }
  extent.low = values[1].front();
  extent.high = values[1].back();
  return extent;
}

/// Frames of different heights of the cloud, from the highest, where arms may
/// be raised, down to the middle, each as full as any about as high.
std::vector<std::int64_t> UprightFrames(const Observations& tracks) {
  struct Rated {
    double height;
    int count;
    std::int64_t frame;
  };
  std::vector<Rated> rated;
  for (std::int64_t t = 0; t < tracks.num_frames(); ++t) {
    const Extent extent = ExtentOf(tracks.frame(t));
    rated.push_back({extent.high - extent.low, extent.count, t});
  }
  std::ranges::sort(rated, std::ranges::greater{}, &Rated::height);
  std::vector<std::int64_t> frames;
  const std::size_t part = std::max<std::size_t>(1, rated.size() / 10);
  for (const double place : {0.0, 0.25, 0.5, 0.75}) {
    const auto begin = static_cast<std::size_t>(place * double(rated.size()));
    const std::size_t end = std::min(rated.size(), begin + part);
    if (begin >= end) continue;
    const auto fullest = std::max_element(
        rated.begin() + std::ptrdiff_t(begin),
        rated.begin() + std::ptrdiff_t(end),
        [](const Rated& a, const Rated& b) { return a.count < b.count; });
    frames.push_back(fullest->frame);
  }
  return frames;
}

/// A place to begin from.
struct Start {
  std::size_t set = 0;
  std::int64_t frame = 0;
  double scale = 1.0;
  BodyPose pose;
  double rating = 0.0;  ///< Mean distance of points from places, cut [m].
};

class CloudFitter {
 public:
  CloudFitter(std::span<const MarkerSet> sets, const Observations& tracks)
      : sets_(sets), tracks_(tracks) {}

  std::vector<Start> Starts() {
    std::vector<Start> starts;
    for (const std::int64_t frame : UprightFrames(tracks_)) {
      for (std::size_t k = 0; k < sets_.size(); ++k) {
        AddStarts(k, frame, starts);
      }
    }
    std::ranges::sort(starts, {}, &Start::rating);
    // The best of every set goes on, then the best of all.
    std::vector<Start> chosen;
    std::vector<std::size_t> count(sets_.size(), 0);
    for (const Start& start : starts) {
      const std::size_t share =
          std::max<std::size_t>(2, kMostStarts / sets_.size());
      if (count[start.set]++ < share) chosen.push_back(start);
    }
    return chosen;
  }

  CloudFit Fit(const Start& start) {
    const MarkerSet& set = sets_[start.set];
    const std::span<const Vector3> points = tracks_.frame(start.frame);
    CloudFit fit;
    fit.set = start.set;
    fit.frame = start.frame;
    fit.scale = start.scale;
    fit.pose = start.pose;
    Actor actor = MakeFirstActor(set.markers, fit.scale);
    Weighting weighting;
    weighting.sigma_marker = kSigma;
    std::vector<Vector3> observed(set.markers.size());
    BodyKinematics kinematics;
    // From the length of a forearm down to what a place may be off.
    for (const double reach : {0.30, 0.25, 0.22, 0.20, 0.18, 0.16, 0.14, 0.12,
                               0.11, 0.10, 0.10, 0.10}) {
      kinematics.Update(actor.p_PJ, fit.pose);
      fit.tracks =
          Assign(PlacesOf(actor, kinematics), points, reach * fit.scale);
      for (std::size_t m = 0; m < observed.size(); ++m) {
        observed[m] =
            fit.tracks[m] < 0 ? Unseen() : points[std::size_t(fit.tracks[m])];
      }
      const std::optional<SimilarityFit> size =
          FitRestPose(set.markers, observed);
      constexpr double kLike = 0.2;
      if (size && size->misfit < kLike && reach < 0.23) {
        fit.scale = size->scale;
        actor = MakeFirstActor(set.markers, fit.scale);
      }
      weighting.robust_scale = std::max(kRobust, reach / kSigma);
      fitter_.Fit(actor, observed, weighting, nullptr, {}, 8, 1e-3, fit.pose);
    }
    weighting.robust_scale = kRobust;
    fit.num_assigned = static_cast<int>(
        std::ranges::count_if(fit.tracks, [](int i) { return i >= 0; }));
    const int seen = static_cast<int>(std::ranges::count_if(points, IsSeen));
    fit.cost =
        FrameCost(actor, fitter_.kinematics(), fit.pose, observed, weighting) +
        kUnexplained * (seen - fit.num_assigned);
    fit.cost += kUnused * (double(fit.tracks.size()) - fit.num_assigned);
    fit.cost /= std::max(1, seen);
    return fit;
  }

 private:
  void AddStarts(std::size_t k, std::int64_t frame,
                 std::vector<Start>& starts) {
    const MarkerSet& set = sets_[k];
    const std::span<const Vector3> points = tracks_.frame(frame);
    const Extent extent = ExtentOf(points);
    const Actor unit = MakeFirstActor(set.markers, 1.0);
    BodyKinematics kinematics;
    for (int arms = 0; arms < 3; ++arms) {
      kinematics.Update(unit.p_PJ, Standing(arms, 0.0));
      const std::vector<Vector3> rest = PlacesOf(unit, kinematics);
      double low = std::numeric_limits<double>::infinity();
      double high = -low;
      for (const Vector3& p : rest) {
        low = std::min(low, p.y());
        high = std::max(high, p.y());
      }
      const double scale = (extent.high - extent.low) / (high - low);
      // From children of 0.9 m to giants of 2.3 m.
      if (scale < 0.5 || scale > 1.3) continue;
      for (int turn = 0; turn < kDirections; ++turn) {
        Start start;
        start.set = k;
        start.frame = frame;
        start.scale = scale;
        start.pose = Standing(arms, 2 * kPi * turn / kDirections);
        start.pose.p_WR = {extent.middle.x(), extent.low - scale * low,
                           extent.middle.z()};
        Rate(set, points, start);
        starts.push_back(start);
      }
    }
  }

  /// How near the points are to the places, a far one counting as this [m].
  void Rate(const MarkerSet& set, std::span<const Vector3> points,
            Start& start) {
    constexpr double kFar = 0.25;
    const Actor actor = MakeFirstActor(set.markers, start.scale);
    BodyKinematics kinematics;
    kinematics.Update(actor.p_PJ, start.pose);
    const std::vector<Vector3> places = PlacesOf(actor, kinematics);
    double sum = 0.0;
    int count = 0;
    for (const Vector3& p : points) {
      if (!IsSeen(p)) continue;
      double nearest = kFar;
      for (const Vector3& place : places) {
        nearest = std::min(nearest, (place - p).norm());
      }
      sum += nearest;
      ++count;
    }
    for (const Vector3& place : places) {
      double nearest = kFar;
      for (const Vector3& p : points) {
        if (IsSeen(p)) nearest = std::min(nearest, (place - p).norm());
      }
      sum += nearest * double(count) / double(places.size());
    }
    start.rating = sum / std::max(1, 2 * count);
  }

  std::span<const MarkerSet> sets_;
  const Observations& tracks_;
  FrameFitter fitter_;
};

}  // namespace

std::vector<CloudFit> FitCloud(std::span<const MarkerSet> sets,
                               const Observations& tracks, std::size_t most) {
  CloudFitter fitter(sets, tracks);
  std::vector<CloudFit> fits;
  for (const Start& start : fitter.Starts()) fits.push_back(fitter.Fit(start));
  std::ranges::sort(fits, {}, &CloudFit::cost);
  // The segment of each track tells whether two fits are the same.
  const auto segments = [&](const CloudFit& fit) {
    std::vector<int> of(std::size_t(tracks.num_markers), -1);
    for (std::size_t m = 0; m < fit.tracks.size(); ++m) {
      if (fit.tracks[m] >= 0) {
        of[std::size_t(fit.tracks[m])] = sets[fit.set].markers[m].segment;
      }
    }
    return of;
  };
  std::vector<CloudFit> chosen;
  for (CloudFit& fit : fits) {
    if (chosen.size() == most) break;
    const std::vector<int> own = segments(fit);
    const bool is_known = std::ranges::any_of(
        chosen, [&](const CloudFit& other) { return segments(other) == own; });
    if (!is_known) chosen.push_back(std::move(fit));
  }
  return chosen;
}

}  // namespace limber::mocap::internal
