// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "core/index.h"
#include "dynamics/soft/elastic_force.h"

// U = k/2 (l - l0)^2 is kept by the tension at the mean of the two lengths,
// along the mean of the two lines: with l = (l0 + l1)/2, d = (d0 + d1)/2
//
//     f = -(k (l - rest) + c (l1 - l0)/h)/l d ,   d . (d1 - d0) = l (l1 - l0)

namespace limber::dynamics {

SpringNet::SpringNet(std::vector<BodyId> nodes, std::vector<Spring> springs)
    : ElasticForce(std::move(nodes)), springs_(std::move(springs)) {
  const int num = static_cast<int>(bodies().size());
  for (std::size_t k = 0; k < springs_.size(); ++k) {
    const Spring& spring = springs_[k];
    const std::string where = "spring " + std::to_string(k) + ": ";
    for (const int node : {spring.a, spring.b}) {
      if (node >= 0 && node < num) continue;
      throw std::invalid_argument(where + "no node " + std::to_string(node) +
                                  ", there are " + std::to_string(num));
    }
    if (spring.a == spring.b) {
      throw std::invalid_argument(where + "both ends are node " +
                                  std::to_string(spring.a));
    }
    const auto check = [&](double value, const char* name) {
      if (value >= 0.0 && std::isfinite(value)) return;
      throw std::invalid_argument(where + name +
                                  " must be zero or positive, is " +
                                  std::to_string(value));
    };
    check(spring.rest_length, "rest_length");
    check(spring.stiffness, "stiffness");
    check(spring.damping, "damping");
  }
}

double SpringNet::Energy(std::span<const Vector3> x) const {
  double sum = 0.0;
  for (const Spring& spring : springs_) {
    const double length = (x[Index(spring.b)] - x[Index(spring.a)]).norm();
    const double stretch = length - spring.rest_length;
    sum += 0.5 * spring.stiffness * stretch * stretch;
  }
  return sum;
}

namespace {

// Mean line and length, and tension over length.
struct Pull {
  Vector3 d = Vector3::Zero();
  double length = 0.0;
  double over_length = 0.0;  ///< [N/m].
};

Pull PullOf(const SpringNet::Spring& spring, std::span<const Vector3> x0,
            std::span<const Vector3> x1, double h) {
  const Vector3 d0 = x0[Index(spring.b)] - x0[Index(spring.a)];
  const Vector3 d1 = x1[Index(spring.b)] - x1[Index(spring.a)];
  const double l0 = d0.norm(), l1 = d1.norm();
  Pull pull;
  pull.d = 0.5 * (d0 + d1);
  pull.length = 0.5 * (l0 + l1);
  // Without a line there is nothing to pull along.
  if (pull.length == 0.0) return pull;
  pull.over_length = (spring.stiffness * (pull.length - spring.rest_length) +
                      spring.damping * (l1 - l0) / h) /
                     pull.length;
  return pull;
}

}  // namespace

void SpringNet::AddKick(std::span<const Vector3> x0,
                        std::span<const Vector3> x1, double h,
                        std::span<Vector3> f) const {
  for (const Spring& spring : springs_) {
    const Pull pull = PullOf(spring, x0, x1, h);
    const Vector3 force = pull.over_length * pull.d;
    f[Index(spring.a)] += force;
    f[Index(spring.b)] -= force;
  }
}

void SpringNet::AddStiffness(std::span<const Vector3> x0,
                             std::span<const Vector3> x1, double h, bool safe,
                             StiffnessSink& sink) const {
  for (const Spring& spring : springs_) {
    const Pull pull = PullOf(spring, x0, x1, h);
    const double size2 = pull.d.squaredNorm();
    Matrix3 along = Matrix3::Zero();
    if (size2 > 0.0) along = pull.d * pull.d.transpose() / size2;
    // A spring under pressure pushes on across.
    const double across =
        0.5 * (safe ? std::max(0.0, pull.over_length) : pull.over_length);
    const Matrix3 K =
        across * Matrix3::Identity() +
        (0.5 * spring.stiffness + spring.damping / h - across) * along;
    sink.Add(spring.a, spring.a, K);
    sink.Add(spring.b, spring.b, K);
    sink.Add(spring.a, spring.b, -K);
  }
}

}  // namespace limber::dynamics
