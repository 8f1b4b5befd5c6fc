// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace limber::mocap::test {

/// A text format to be damaged: a small good file, and a reader that goes on
/// to use what it read (forward kinematics, and a write that must read back).
struct DamagedFormat {
  const char* name;
  std::string good;
  /// Reads `text` and returns whether it was accepted.
  bool (*read)(std::string_view text);
};

/// BVH, ASF and AMC.
const std::vector<DamagedFormat>& DamagedFormats();

/// Reads `text` and fails the test when that takes more than a second of
/// processor time or more memory than 20 times the text plus a small constant.
/// `what` names the damage in the failure. Returns whether the text was
/// accepted.
bool ReadDamaged(const DamagedFormat& format, std::string_view text,
                 const std::string& what);

}  // namespace limber::mocap::test
