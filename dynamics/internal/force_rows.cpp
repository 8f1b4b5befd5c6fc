// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "dynamics/internal/force_rows.h"

#include <algorithm>
#include <array>

#include "dynamics/internal/world_data.h"

namespace limber::dynamics::internal {

namespace {

class BodyMobility final : public Mobility {
 public:
  // `scale`: infinite for a scheme that follows no swing.
  BodyMobility(const std::vector<Body>& bodies, double scale)
      : bodies_(bodies), scale_(scale) {}

  // The largest one over all turns of the body: a force must not change its
  // mind while the body turns.
  double AtPoint(BodyId id, const Vector3& p_WA,
                 const Vector3& direction) const override {
    const Body& body = bodies_[static_cast<std::size_t>(id.value)];
    if (!body.dynamic()) return 0.0;
    return scale_ * direction.squaredNorm() *
           (body.inverse_mass + (p_WA - body.p_WC).squaredNorm() *
                                    body.flow.inverse_inertia().maxCoeff());
  }

  double About(BodyId id, const Vector3& axis) const override {
    const Body& body = bodies_[static_cast<std::size_t>(id.value)];
    if (!body.dynamic()) return 0.0;
    return scale_ * axis.squaredNorm() * body.flow.inverse_inertia().maxCoeff();
  }

 private:
  const std::vector<Body>& bodies_;
  double scale_;
};

}  // namespace

bool IsImplicit(const Data& data, const Force& force) {
  const Scheme scheme = data.settings.scheme;
  if (dynamic_cast<const ElasticForce*>(&force) != nullptr) {
    return scheme == Scheme::kLeapfrog;
  }
  return scheme != Scheme::kAcceleration && !force.bodies().empty();
}

void SwitchForceRows(Data& data) {
  for (ForceRows* rows : data.shared.force_rows) {
    rows->set_enabled(rows->force().enabled() &&
                      IsImplicit(data, rows->force()));
  }
}

void BeginForceRows(Data& data, double h) {
  if (data.shared.force_rows.empty()) return;
  // Euler's method errs by h w of the energy of a swing: it lets all die away.
  const BodyMobility mobility(
      data.bodies, data.settings.scheme == Scheme::kEuler ? kInfinity : 1.0);
  for (const ForceRows* rows : data.shared.force_rows) {
    if (rows->enabled()) rows->force().BeginStep(data.motions, mobility, h);
  }
}

void EndForceRows(Data& data, double kick) {
  std::array<double, 6> forces;
  for (const ForceRows* rows : data.shared.force_rows) {
    const std::span<const double> impulses = rows->impulses();
    if (!rows->enabled() || impulses.empty()) continue;
    const std::size_t count = std::min(impulses.size(), forces.size());
    for (std::size_t i = 0; i < count; ++i) forces[i] = impulses[i] / kick;
    rows->force().TakeForces({forces.data(), count});
  }
}

}  // namespace limber::dynamics::internal
