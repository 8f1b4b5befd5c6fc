// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <memory>

#include "dynamics/ode.h"
#include "dynamics/rotation_ode.h"
#include "tests/dynamics/allocation_count.h"

namespace limber::dynamics {
namespace {

using limber::test::AllocationCount;

TEST(OdeSolver, StepsAfterTheFirstAllocateNothing) {
  VectorX y =
      RotationOde::MakeState(Quaternion::Identity(), Vector3(1.0, 0.5, 0.2));
  RotationOde top(Vector3(1.0, 2.0, 3.0));
  for (const OdeMethod method :
       {OdeMethod::kEuler, OdeMethod::kDoubleEuler, OdeMethod::kMidpoint,
        OdeMethod::kHeun, OdeMethod::kRungeKutta4, OdeMethod::kDormandPrince,
        OdeMethod::kAdamsBashforth2}) {
    const std::unique_ptr<OdeSolver> solver = MakeOdeSolver(method);
    solver->Advance(top, 0.0, 0.1, y);
    const long before = AllocationCount();
    for (int i = 1; i < 100; ++i) {
      solver->Advance(top, 0.1 * i, 0.1 * (i + 1), y);
    }
    const long after = AllocationCount();
    EXPECT_EQ(after, before) << NameOf(method);
  }
}

}  // namespace
}  // namespace limber::dynamics
