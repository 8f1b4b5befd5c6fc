// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "dynamics/joint.h"

namespace limber::dynamics::test {

/// Checks what `JointForm` promises of any joint, for bodies anywhere:
///
///     num_locked + num_free = 6, and the six rows are independent
///     row_k . column_l = 1 if k = l, else 0; locked rows give 0 on columns
///     q_k' = row_k . twist for the motions the columns allow
///     AddRows has the rows of the form in the promised order, with their J
///     forces on parent and child cancel; their torques about the origin too
///         where `parent_point` and `child_point` coincide
///
/// J, errors and biases are left to `CheckConstraint`.
testing::AssertionResult CheckJointForm(const Joint& joint,
                                        const std::vector<BodyMotion>& bodies,
                                        double tolerance = 1e-9);

/// Puts the child where the frames stand as `X_FM` says.
void PlaceChild(const Joint& joint, const Transform& X_FM,
                std::vector<BodyMotion>& bodies);

}  // namespace limber::dynamics::test
