// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Signed distance of convex pairs: time per pair, apart and overlapped, and the
// error against a reference that tries everything in long double; then
// manifolds, the broad phase and surfaces.
//
//     collision_bench [part of a pair's name]
//
// With -D LIMBER_BENCH_PEERS=ON the same placements go to libccd, FCL and
// Bullet as well.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "bench/peers/distance_engine.h"
#include "dynamics/collision/broad_phase.h"
#include "dynamics/collision/collide.h"
#include "dynamics/collision/query.h"
#include "tests/scenes/reference_distance.h"

namespace {

using limber::ExpRotation;
using limber::Quaternion;
using limber::Transform;
using limber::Vector3;
using limber::bench::CollisionPair;
using limber::bench::DistanceEngine;
using limber::dynamics::BoundingBox;
using limber::dynamics::BroadPhase;
using limber::dynamics::Distance;
using limber::dynamics::ManifoldList;
using limber::dynamics::Shape;
using limber::dynamics::ShapeKind;
using limber::dynamics::ShapePointer;
using limber::scenes::RandomRotation;
using limber::scenes::RandomShape;
using limber::scenes::RandomUnit;

constexpr int kRuns = 7;
// Beyond this the answer is counted as wrong [m].
constexpr double kWrong = 1e-6;

class Limber : public DistanceEngine {
 public:
  std::string name() const override { return "Limber"; }
  void Prepare(const std::vector<CollisionPair>& pairs) override {
    pairs_ = pairs;
  }
  double SignedDistance(int i) override {
    const CollisionPair& p = pairs_[i];
    return Distance(*p.a, p.X_WA, *p.b, p.X_WB).distance;
  }

 private:
  std::vector<CollisionPair> pairs_;
};

// Runs `work` kRuns times; median and least nanoseconds per piece.
template <typename Work>
std::pair<double, double> Nanoseconds(std::size_t pieces, Work&& work) {
  std::vector<double> times;
  for (int run = 0; run < kRuns; ++run) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::nano> time =
        std::chrono::steady_clock::now() - start;
    times.push_back(time.count() / static_cast<double>(pieces));
  }
  std::ranges::sort(times);
  return {times[times.size() / 2], times.front()};
}

struct Family {
  std::string name;
  ShapeKind a;
  ShapeKind b;
  int hull_corners = 0;
};

ShapePointer MakeShape(ShapeKind kind, int corners, std::mt19937& random) {
  if (kind != ShapeKind::kConvexHull) return RandomShape(kind, 0.5, random);
  std::vector<Vector3> points;
  for (int i = 0; i < corners; ++i) points.push_back(0.5 * RandomUnit(random));
  return Shape::ConvexHull(points);
}

// Half apart by up to 0.3 m, half overlapped by up to 0.1 m.
std::vector<CollisionPair> Placements(const Family& family, bool apart) {
  std::mt19937 random(apart ? 41 : 42);
  std::uniform_real_distribution<double> real(0.0, 1.0);
  std::vector<CollisionPair> pairs;
  for (int i = 0; i < 1000; ++i) {
    CollisionPair pair;
    if (i % 20 == 0 || pairs.empty()) {
      pair.a = MakeShape(family.a, family.hull_corners, random);
      pair.b = MakeShape(family.b, family.hull_corners, random);
    } else {
      pair.a = pairs.back().a;
      pair.b = pairs.back().b;
    }
    pair.X_WA = {RandomRotation(random), RandomUnit(random)};
    pair.X_WB = {RandomRotation(random),
                 pair.X_WA.p + 2.0 * RandomUnit(random)};
    const limber::dynamics::SignedDistance d =
        Distance(*pair.a, pair.X_WA, *pair.b, pair.X_WB);
    const double wanted = apart ? 0.3 * real(random) : -0.1 * real(random);
    pair.X_WB.p -= (d.distance - wanted) * d.normal_W;
    pairs.push_back(pair);
  }
  return pairs;
}

void Compare(const Family& family,
             std::vector<std::unique_ptr<DistanceEngine>>& engines) {
  for (const bool apart : {true, false}) {
    const std::vector<CollisionPair> pairs = Placements(family, apart);
    const int n = static_cast<int>(pairs.size());
    std::vector<double> reference;
    for (const CollisionPair& p : pairs) {
      reference.push_back(
          limber::scenes::ReferenceDistance(*p.a, p.X_WA, *p.b, p.X_WB));
    }
    for (const std::unique_ptr<DistanceEngine>& engine : engines) {
      engine->Prepare(pairs);
      int none = 0;
      int wrong = 0;
      double worst = 0.0;
      for (int i = 0; i < n; ++i) {
        const double d = engine->SignedDistance(i);
        if (!std::isfinite(d)) {
          ++none;
          continue;
        }
        const double error = std::abs(d - reference[i]);
        worst = std::max(worst, error);
        if (error > kWrong) ++wrong;
      }
      double sum = 0.0;
      const auto [median, least] = Nanoseconds(pairs.size(), [&] {
        for (int i = 0; i < n; ++i) sum += engine->SignedDistance(i);
      });
      std::printf("%-16s %-10s %-16s %8.0f %8.0f %10.2g %7d %7d\n",
                  family.name.c_str(), apart ? "apart" : "overlapped",
                  engine->name().c_str(), median, least, worst, wrong, none);
    }
    ManifoldList list;
    std::size_t points = 0;
    const auto [median, least] = Nanoseconds(pairs.size(), [&] {
      points = 0;
      for (const CollisionPair& p : pairs) {
        list.clear();
        Collide(*p.a, p.X_WA, *p.b, p.X_WB, 0.02, list);
        for (const auto& m : list) points += m.num_points;
      }
    });
    std::printf("%-16s %-10s %-16s %8.0f %8.0f   %.2f points a pair\n",
                family.name.c_str(), apart ? "apart" : "overlapped",
                "Limber manifold", median, least,
                static_cast<double>(points) / n);
  }
}

// A swarm of boxes that drift: one step of updates and pairs.
void RunBroadPhase(int n) {
  std::mt19937 random(43);
  BroadPhase phase(0.02);
  std::vector<Vector3> at;
  const double side = std::cbrt(static_cast<double>(n));
  std::uniform_real_distribution<double> real(-side, side);
  const auto box = [](const Vector3& p) {
    return BoundingBox{p - Vector3::Constant(0.3), p + Vector3::Constant(0.3)};
  };
  for (int i = 0; i < n; ++i) {
    const double x = real(random);
    const double y = real(random);
    at.emplace_back(x, y, real(random));
    phase.Add(box(at.back()));
  }
  std::size_t pairs = 0;
  const auto [median, least] = Nanoseconds(static_cast<std::size_t>(n), [&] {
    for (int i = 0; i < n; ++i) {
      at[i] += 0.01 * RandomUnit(random);
      phase.Update(i, box(at[i]));
    }
    pairs = phase.Pairs().size();
  });
  std::printf("broad phase, %5d boxes, %6zu pairs: %8.0f %8.0f ns a box\n", n,
              pairs, median, least);
}

void RunSurface() {
  const int n = 64;
  std::mt19937 random(44);
  std::uniform_real_distribution<double> real(0.0, 1.0);
  std::vector<double> heights;
  for (int i = 0; i < n * n; ++i) heights.push_back(0.02 * real(random));
  const ShapePointer field = Shape::HeightField(n, n, 0.1, heights);
  for (const auto& [name, shape] :
       {std::pair("sphere", Shape::Sphere(0.1)),
        std::pair("capsule", Shape::Capsule(0.1, 0.2)),
        std::pair("box", Shape::Box({0.15, 0.1, 0.2}))}) {
    std::vector<Transform> poses;
    for (int i = 0; i < 1000; ++i) {
      const double x = 1.0 + 4.0 * real(random);
      const double y = 0.05 + 0.1 * real(random);
      poses.push_back(
          {RandomRotation(random), Vector3(x, y, 1.0 + 4.0 * real(random))});
    }
    ManifoldList list;
    const auto [median, least] = Nanoseconds(poses.size(), [&] {
      for (const Transform& X : poses) {
        list.clear();
        Collide(*field, {}, *shape, X, 0.01, list);
      }
    });
    std::printf("rough height field, %-8s: %8.0f %8.0f ns a pair\n", name,
                median, least);
  }
  std::size_t hits = 0;
  const auto [median, least] = Nanoseconds(1000, [&] {
    for (int i = 0; i < 1000; ++i) {
      limber::dynamics::Ray ray;
      ray.origin_W = {6.3 * real(random), 1.0, 6.3 * real(random)};
      hits += CastRay(*field, {}, ray).has_value() ? 1 : 0;
    }
  });
  std::printf("rough height field, ray     : %8.0f %8.0f ns a ray\n", median,
              least);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string filter = argc > 1 ? argv[1] : "";
  std::vector<std::unique_ptr<DistanceEngine>> engines;
  engines.push_back(std::make_unique<Limber>());
#ifdef LIMBER_DISTANCE_PEERS
  for (auto& engine : limber::bench::PeerDistanceEngines()) {
    engines.push_back(std::move(engine));
  }
#endif
  std::printf("%-16s %-10s %-16s %8s %8s %10s %7s %7s\n", "pair", "", "engine",
              "median ns", "min ns", "worst [m]", ">1e-6", "none");
  const ShapeKind hull = ShapeKind::kConvexHull;
  for (const Family& family :
       {Family{"sphere-sphere", ShapeKind::kSphere, ShapeKind::kSphere},
        Family{"sphere-box", ShapeKind::kSphere, ShapeKind::kBox},
        Family{"capsule-capsule", ShapeKind::kCapsule, ShapeKind::kCapsule},
        Family{"capsule-box", ShapeKind::kCapsule, ShapeKind::kBox},
        Family{"box-box", ShapeKind::kBox, ShapeKind::kBox},
        Family{"box-hull8", ShapeKind::kBox, hull, 8},
        Family{"hull16-hull16", hull, hull, 16},
        Family{"hull32-hull32", hull, hull, 32},
        Family{"hull64-hull64", hull, hull, 64}}) {
    if (family.name.find(filter) != std::string::npos) {
      Compare(family, engines);
    }
  }
  if (filter.empty()) {
    for (const int n : {100, 1000, 10000}) RunBroadPhase(n);
    RunSurface();
  }
  return 0;
}
