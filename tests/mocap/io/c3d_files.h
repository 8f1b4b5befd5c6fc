// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "mocap/io/c3d.h"

namespace limber::mocap::test {

inline constexpr C3dByteOrder kPc = C3dByteOrder::kPc;
inline constexpr std::size_t kDataStartAt = 16;
inline constexpr std::size_t kSectionAt = 512;

inline std::string Bytes(const MarkerTake& take,
                         const C3dWriteOptions& options = {}) {
  return FormatC3d(take, options).value();
}

inline Result<MarkerTake> Read(const std::string& bytes,
                               const C3dReadOptions& options = {}) {
  return ReadC3d(bytes, "a.c3d", options);
}

/// Where the parameter NAME has its first data byte in files of the writer.
inline std::size_t DataOf(const std::string& bytes, std::string_view name,
                          std::size_t from = kSectionAt) {
  const std::size_t at = bytes.find(name, from);
  EXPECT_NE(at, std::string::npos) << name;
  const std::size_t head = at + name.size() + 2;
  return head + 2 + static_cast<unsigned char>(bytes[head + 1]);
}

}  // namespace limber::mocap::test
