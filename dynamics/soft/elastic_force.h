// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "dynamics/force.h"

namespace limber::dynamics {

/// Takes blocks of a symmetric matrix, one row of blocks a node.
class StiffnessSink {
 public:
  virtual ~StiffnessSink() = default;
  /// Adds `block` at row `i` and column `j` and, where these differ, its
  /// transpose at the mirrored place. An element adds its blocks in an order
  /// that does not depend on the motion.
  virtual void Add(int i, int j, const Matrix3& block) = 0;
};

/// Elements (springs, tetrahedra) between the mass centres of bodies, the
/// nodes. Under Scheme::kLeapfrog they are part of the kick: the mass matrix of
/// the island becomes M + kick h/2 K, so that joints, ropes, motors and
/// contacts act on nodes as on any body. docs/soft.md has the equations. The
/// other schemes take the force of the start of the step.
///
/// The force of a kick is a *discrete gradient*: with x0 and x1 the places of
/// the nodes in the middle of the drifts before and after it,
///
///     f . (x1 - x0) = -(U(x1) - U(x0)) - what dampers take ,
///     sum f = 0 ,   sum (x0 + x1)/2 x f = 0
///
/// whatever x0 and x1 are. So neither energy nor momentum is made.
class ElasticForce : public Force {
 public:
  /// The nodes; elements name them by their place in this list.
  std::span<const BodyId> bodies() const override { return nodes_; }

  /// Elastic energy with the nodes at `x` [J].
  virtual double Energy(std::span<const Vector3> x) const = 0;
  /// Adds the f of a kick of `h` seconds to `f`, one entry a node [N].
  virtual void AddKick(std::span<const Vector3> x0, std::span<const Vector3> x1,
                       double h, std::span<Vector3> f) const = 0;
  /// Adds -df/dx1, symmetric and nearly right, which is all that the iteration
  /// needs. With `safe` it is positive semidefinite and not smaller than the
  /// right one.
  virtual void AddStiffness(std::span<const Vector3> x0,
                            std::span<const Vector3> x1, double h, bool safe,
                            StiffnessSink& sink) const = 0;

  /// Elastic energy at the present poses [J].
  double Energy(BodyMotions bodies) const;
  /// The same with the nodes half a step of `h` seconds before the present
  /// poses: under the leapfrog this one and the kinetic energy of `motion`
  /// belong together, and their sum is kept.
  double MeanEnergy(BodyMotions bodies, double h) const;

  void AddForces(BodyMotions bodies, double time, double h,
                 ForceBuffer& forces) override;

 protected:
  explicit ElasticForce(std::vector<BodyId> nodes) : nodes_(std::move(nodes)) {}

 private:
  std::vector<BodyId> nodes_;
};

/// Springs with dampers between nodes: tension k (l - l0) + d l' [N].
class SpringNet final : public ElasticForce {
 public:
  struct Spring {
    int a = 0, b = 0;          ///< Nodes.
    double rest_length = 0.0;  ///< l0 [m].
    double stiffness = 0.0;    ///< k [N/m].
    double damping = 0.0;      ///< d [N s/m].
  };
  /// @throws std::invalid_argument naming the spring and what is wrong.
  SpringNet(std::vector<BodyId> nodes, std::vector<Spring> springs);
  const std::vector<Spring>& springs() const { return springs_; }

  using ElasticForce::Energy;
  double Energy(std::span<const Vector3> x) const override;
  void AddKick(std::span<const Vector3> x0, std::span<const Vector3> x1,
               double h, std::span<Vector3> f) const override;
  void AddStiffness(std::span<const Vector3> x0, std::span<const Vector3> x1,
                    double h, bool safe, StiffnessSink& sink) const override;

 private:
  std::vector<Spring> springs_;
};

/// Linear tetrahedra of a stable neo-Hookean material [Smith et al. 2018]:
/// per rest volume, with F the deformation gradient and J = det F,
///
///     W = mu/2 (|F|^2 - 3) + lambda/2 (J - 1 - mu/lambda)^2 - mu^2/(2 lambda)
///
/// Nothing happens at J = 0: an element may be turned inside out and comes
/// back.
class TetrahedronNet final : public ElasticForce {
 public:
  struct Material {
    double young = 1e5;    ///< E, positive [Pa].
    double poisson = 0.3;  ///< nu, from 0 to below 0.5.
    double damping = 0.0;  ///< tau: viscosity as a share of mu [s].
  };
  /// @param x  the rest shape, one place a node.
  /// @throws std::invalid_argument naming the tetrahedron and what is wrong.
  TetrahedronNet(std::vector<BodyId> nodes, std::span<const Vector3> x,
                 std::span<const std::array<int, 4>> tetrahedra,
                 const Material& material);

  using ElasticForce::Energy;
  double Energy(std::span<const Vector3> x) const override;
  void AddKick(std::span<const Vector3> x0, std::span<const Vector3> x1,
               double h, std::span<Vector3> f) const override;
  void AddStiffness(std::span<const Vector3> x0, std::span<const Vector3> x1,
                    double h, bool safe, StiffnessSink& sink) const override;

 private:
  struct Element {
    std::array<int, 4> node;
    std::array<Vector3, 4> b;  ///< Gradients of the shape functions [1/m].
    double volume = 0.0;       ///< At rest [m^3].
  };
  Matrix3 Gradient(const Element& element, std::span<const Vector3> x) const;

  std::vector<Element> elements_;
  double mu_ = 0.0;         ///< [Pa].
  double lambda_ = 0.0;     ///< That of W: Lame's and mu [Pa].
  double viscosity_ = 0.0;  ///< [Pa s].
};

}  // namespace limber::dynamics
