// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include <memory>

#include "dynamics/constraints/link.h"
#include "dynamics/surface.h"

namespace limber::dynamics {

/// Point A of one body slides on a surface S(u, v) fixed in another (its
/// owner). One row, the signed distance along the normal n at the nearest point
/// of the surface, x the place of A seen from the owner:
///
///     C   = n . (x - S(u, v)),   C' = n . x'
///     C'' = n . x'' - b^T G^-1 B q',   (G - C B) q' = b = (S_u . x', S_v . x')
///
/// with G, B the first and second fundamental forms. The force f acts along n
/// on A; settings().lo = 0 lets A leave to the side of n. When A leaves the
/// domain the constraint switches itself off [Barenbrug 2000, 4.1.4].
class PointOnSurface : public Link {
 public:
  /// @throws std::invalid_argument if `surface` is null or both are on one
  ///         body.
  PointOnSurface(const BodyPoint& point, BodyId owner,
                 std::shared_ptr<const Surface> surface);

  /// Parameters (u, v) at the end of the last step; (0, 0) before the first.
  const Vector2& parameters() const { return parameters_; }
  bool left_domain() const { return left_domain_; }

  void AddRows(BodyMotions bodies, double time, RowBuffer& rows) const override;
  void AfterStep(BodyMotions bodies, double time) override;
  void SaveMemory(std::vector<double>& memory) const override;
  std::span<const double> RestoreMemory(
      std::span<const double> memory) override;

 private:
  double Curvature(const Vector2& uv, const Vector3& rate, double error) const;

  BodyPoint point_;
  BodyId owner_;
  std::shared_ptr<const Surface> surface_;
  Vector2 parameters_ = Vector2::Zero();
  bool left_domain_ = false;
};

}  // namespace limber::dynamics
