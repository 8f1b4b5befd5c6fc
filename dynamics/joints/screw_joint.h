// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dynamics/joint.h"

namespace limber::dynamics {

/// Screw: M turns about the z axis of F and slides along it by `lead` metres
/// per turn; a positive lead is a right-handed thread. Coordinate: the angle
/// [rad].
///
/// The number of whole turns is read off the slide (the nearest thread), so the
/// joint has no memory and its slide error is at most half the lead.
class ScrewJoint : public Joint {
 public:
  /// @throws std::invalid_argument if `lead` is 0 or not finite.
  ScrewJoint(BodyId parent, const Transform& X_PF, BodyId child,
             const Transform& X_BM, double lead);

  double lead() const { return lead_; }  ///< [m/turn].

  void Evaluate(const BodyMotion& parent, const BodyMotion& child,
                JointForm& form) const override;

 private:
  double lead_;
};

}  // namespace limber::dynamics
