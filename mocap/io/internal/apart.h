// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace limber::mocap::internal {

/// What became of work in a process of its own.
struct ApartResult {
  bool is_done = false;
  std::string bytes;  ///< What the work returned.
  std::string why;    ///< Why it is not done: "it took longer than 60 s".
};

/// Runs `work` in a copy of this process and hands back the bytes it returns.
/// Whatever becomes of the copy, a crash, a hang, no memory left, this process
/// goes on. An exception ends the copy and is told in `why`.
/// @param seconds      of processor time that the work may take.
/// @param extra_bytes  of memory that it may use beyond what there is now.
ApartResult RunApart(const std::function<std::string()>& work, int seconds,
                     std::size_t extra_bytes);

}  // namespace limber::mocap::internal
