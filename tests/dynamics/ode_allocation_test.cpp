// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
// Counts heap allocations, so it is a program of its own: malloc is replaced
// for the whole process (Eigen allocates with malloc, not with new).
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>

#include "dynamics/ode.h"
#include "dynamics/rotation_ode.h"

#if defined(__SANITIZE_ADDRESS__) || !defined(__GLIBC__)
#define LIMBER_CAN_COUNT 0
#else
#define LIMBER_CAN_COUNT 1
#endif

namespace {
long num_allocations = 0;
}  // namespace

#if LIMBER_CAN_COUNT
extern "C" {
void* __libc_malloc(std::size_t size);
void* malloc(std::size_t size) {
  ++num_allocations;
  return __libc_malloc(size);
}
}
#endif

namespace limber::dynamics {
namespace {

TEST(OdeSolver, StepsAfterTheFirstAllocateNothing) {
  if (!LIMBER_CAN_COUNT) GTEST_SKIP() << "malloc is not ours to count here";
  // The counter itself: a vector of seven costs at least one allocation.
  const long before_vector = num_allocations;
  VectorX y =
      RotationOde::MakeState(Quaternion::Identity(), Vector3(1.0, 0.5, 0.2));
  ASSERT_GT(num_allocations, before_vector);

  RotationOde top(Vector3(1.0, 2.0, 3.0));
  for (const OdeMethod method :
       {OdeMethod::kEuler, OdeMethod::kDoubleEuler, OdeMethod::kMidpoint,
        OdeMethod::kHeun, OdeMethod::kRungeKutta4, OdeMethod::kDormandPrince,
        OdeMethod::kAdamsBashforth2}) {
    const std::unique_ptr<OdeSolver> solver = MakeOdeSolver(method);
    solver->Advance(top, 0.0, 0.1, y);
    const long before = num_allocations;
    for (int i = 1; i < 100; ++i) {
      solver->Advance(top, 0.1 * i, 0.1 * (i + 1), y);
    }
    EXPECT_EQ(num_allocations, before) << NameOf(method);
  }
}

}  // namespace
}  // namespace limber::dynamics
