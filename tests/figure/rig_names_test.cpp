// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// Rigs as the exporters of other programs write them: each joint's part is
// written beside its name.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "figure/joint_names.h"
#include "tests/scenes/named_rigs.h"

namespace limber::test {

void PrintTo(const NamedRig& rig, std::ostream* out) { *out << rig.name; }

namespace {

using namespace figure;

class RigNames : public testing::TestWithParam<NamedRig> {};

TEST_P(RigNames, GiveEveryJointItsPart) {
  const BuiltRig built = Build(GetParam());
  const auto skeleton = Skeleton::Make(built.joints);
  const std::vector<Role> roles = RecogniseRoles(*skeleton);
  for (std::size_t i = 0; i < roles.size(); ++i) {
    EXPECT_EQ(ToString(roles[i]), built.parts[i])
        << GetParam().name << ": " << built.joints[i].name;
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, RigNames, testing::ValuesIn(NamedRigs()));

}  // namespace
}  // namespace limber::test
