// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <Eigen/LU>
#include <cmath>
#include <stdexcept>
#include <string>

#include "core/index.h"
#include "dynamics/soft/elastic_force.h"

// F = sum x_i b_i^T, C = F^T F, J = det F. The discrete gradient in C: with
// F = (F0 + F1)/2, J = (J0 + J1)/2, D the mean of cof C on the way from C0 to
// C1, by Simpson's rule, which is exact for it,
//
//     det C1 - det C0 = D : (C1 - C0) ,   J1 - J0 = (det C1 - det C0)/(2 J)
//     S = mu 1 + lambda (J - alpha)/J D + viscosity (C1 - C0)/h
//     f_i = -V F S b_i ,   alpha = 1 + mu/lambda
//
// S is symmetric, so the torques balance. Where an element is inside out 1/J
// is no good; there the same is done with det F and the mean of cof F, whose
// torques balance but for the square of the step.

namespace limber::dynamics {

namespace {

Matrix3 Cofactor(const Matrix3& F) {
  Matrix3 cof;
  cof.col(0) = F.col(1).cross(F.col(2));
  cof.col(1) = F.col(2).cross(F.col(0));
  cof.col(2) = F.col(0).cross(F.col(1));
  return cof;
}

Matrix3 MeanCofactor(const Matrix3& A, const Matrix3& B) {
  return (Cofactor(A) + Cofactor(B) + 4.0 * Cofactor(0.5 * (A + B))) / 6.0;
}

Matrix3 CrossMatrix(const Vector3& w) {
  Matrix3 m;
  m << 0.0, -w.z(), w.y(), w.z(), 0.0, -w.x(), -w.y(), w.x(), 0.0;
  return m;
}

}  // namespace

TetrahedronNet::TetrahedronNet(std::vector<BodyId> nodes,
                               std::span<const Vector3> x,
                               std::span<const std::array<int, 4>> tetrahedra,
                               const Material& material)
    : ElasticForce(std::move(nodes)) {
  const auto require = [](bool good, const char* what, double value) {
    if (good) return;
    throw std::invalid_argument(std::string("material: ") + what + ", is " +
                                std::to_string(value));
  };
  require(material.young > 0.0 && std::isfinite(material.young),
          "young must be positive and finite", material.young);
  require(material.poisson >= 0.0 && material.poisson < 0.5,
          "poisson must be from 0 to below 0.5", material.poisson);
  require(material.damping >= 0.0 && std::isfinite(material.damping),
          "damping must be zero or positive", material.damping);
  const double nu = material.poisson;
  mu_ = material.young / (2.0 * (1.0 + nu));
  lambda_ = material.young * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)) + mu_;
  viscosity_ = mu_ * material.damping;
  elements_.reserve(tetrahedra.size());
  for (const std::array<int, 4>& nodes_of : tetrahedra) {
    const std::string where =
        "tetrahedron " + std::to_string(elements_.size()) + ": ";
    for (const int node : nodes_of) {
      if (node >= 0 && Index(node) < x.size()) continue;
      throw std::invalid_argument(where + "no node " + std::to_string(node) +
                                  ", there are " + std::to_string(x.size()));
    }
    Matrix3 edges;
    for (int k = 0; k < 3; ++k) {
      edges.col(k) = x[Index(nodes_of[Index(k + 1)])] - x[Index(nodes_of[0])];
    }
    const double volume = edges.determinant() / 6.0;
    if (!(volume > 0.0)) {
      throw std::invalid_argument(where + "its volume must be positive, is " +
                                  std::to_string(volume));
    }
    Element& element = elements_.emplace_back();
    element.node = nodes_of;
    element.volume = volume;
    const Matrix3 inverse = edges.inverse();
    element.b[0].setZero();
    for (int k = 0; k < 3; ++k) {
      element.b[Index(k + 1)] = inverse.row(k).transpose();
      element.b[0] -= element.b[Index(k + 1)];
    }
  }
}

Matrix3 TetrahedronNet::Gradient(const Element& element,
                                 std::span<const Vector3> x) const {
  // Differences first: far from the origin nothing is lost.
  const Vector3& origin = x[Index(element.node[0])];
  Matrix3 F = Matrix3::Zero();
  for (std::size_t i = 1; i < 4; ++i) {
    F += (x[Index(element.node[i])] - origin) * element.b[i].transpose();
  }
  return F;
}

double TetrahedronNet::Energy(std::span<const Vector3> x) const {
  double sum = 0.0;
  const double alpha = 1.0 + mu_ / lambda_;
  for (const Element& element : elements_) {
    const Matrix3 F = Gradient(element, x);
    const double j = F.determinant() - alpha;
    sum += element.volume * (0.5 * mu_ * (F.squaredNorm() - 3.0) +
                             0.5 * lambda_ * j * j - 0.5 * mu_ * mu_ / lambda_);
  }
  return sum;
}

void TetrahedronNet::AddKick(std::span<const Vector3> x0,
                             std::span<const Vector3> x1, double h,
                             std::span<Vector3> f) const {
  const double alpha = 1.0 + mu_ / lambda_;
  for (const Element& element : elements_) {
    const Matrix3 F0 = Gradient(element, x0);
    const Matrix3 F1 = Gradient(element, x1);
    const Matrix3 F = 0.5 * (F0 + F1);
    const Matrix3 C0 = F0.transpose() * F0;
    const Matrix3 C1 = F1.transpose() * F1;
    const double J0 = F0.determinant(), J1 = F1.determinant();
    const double J = 0.5 * (J0 + J1);
    Matrix3 S = mu_ * Matrix3::Identity();
    if (viscosity_ > 0.0) S += viscosity_ / h * (C1 - C0);
    Matrix3 P;
    if (J0 > 0.0 && J1 > 0.0) {
      S += lambda_ * (J - alpha) / J * MeanCofactor(C0, C1);
      P = F * S;
    } else {
      P = F * S + lambda_ * (J - alpha) * MeanCofactor(F0, F1);
    }
    Vector3 rest = Vector3::Zero();
    for (std::size_t i = 1; i < 4; ++i) {
      const Vector3 force = -element.volume * (P * element.b[i]);
      f[Index(element.node[i])] += force;
      rest -= force;
    }
    f[Index(element.node[0])] += rest;
  }
}

// Half of the Hessian of W at the mean,
//
//     mu b_i.b_j 1 + lambda g_i g_j^T - lambda (J - alpha) [F (b_i x b_j)]x ,
//     g_i = cof F b_i
//
// and what the damper adds. The third part can be negative; without it twice
// the first is not smaller than all.
void TetrahedronNet::AddStiffness(std::span<const Vector3> x0,
                                  std::span<const Vector3> x1, double h,
                                  bool safe, StiffnessSink& sink) const {
  const double alpha = 1.0 + mu_ / lambda_;
  for (const Element& element : elements_) {
    const Matrix3 F = 0.5 * (Gradient(element, x0) + Gradient(element, x1));
    const Matrix3 cof = Cofactor(F);
    const double pressure = lambda_ * (F.determinant() - alpha);
    const Matrix3 FF = F * F.transpose();
    const double V = element.volume;
    std::array<Vector3, 4> g, Fb;
    for (std::size_t i = 0; i < 4; ++i) {
      g[i] = cof * element.b[i];
      Fb[i] = F * element.b[i];
    }
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = i; j < 4; ++j) {
        const double bb = element.b[i].dot(element.b[j]);
        Matrix3 K = (safe ? 2.0 : 1.0) * mu_ * bb * Matrix3::Identity() +
                    lambda_ * g[i] * g[j].transpose();
        if (!safe && i != j) {
          K -= pressure * CrossMatrix(F * element.b[i].cross(element.b[j]));
        }
        K *= 0.5 * V;
        if (viscosity_ > 0.0) {
          K += V * viscosity_ / h * (bb * FF + Fb[j] * Fb[i].transpose());
        }
        sink.Add(element.node[i], element.node[j], K);
      }
    }
  }
}

}  // namespace limber::dynamics
