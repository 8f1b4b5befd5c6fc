// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "dynamics/joint.h"

namespace limber::dynamics {

/// Base of the joints that allow no turning. The angular errors are the three
/// components of the rotation vector of R_FM in F: they lead to R_FM = 1 the
/// shortest way from every orientation; exactly half a turn apart, either way.
class FixedOrientationJoint : public Joint {
 public:
  void Evaluate(const BodyMotion& parent, const BodyMotion& child,
                JointForm& form) const final;

 protected:
  /// Translation along axis i of F is free where `free_translation[i]`.
  FixedOrientationJoint(BodyId parent, const Transform& X_PF, BodyId child,
                        const Transform& X_BM,
                        const std::array<bool, 3>& free_translation);

 private:
  std::array<bool, 3> free_translation_;
};

}  // namespace limber::dynamics
