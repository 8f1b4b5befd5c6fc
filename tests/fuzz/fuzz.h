// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
//
// What the fuzz targets share. A target is one function of bytes; libFuzzer
// changes the bytes and looks for a crash, a finding of a sanitizer, a hang or
// a property that does not hold.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/diagnostics.h"

namespace limber::fuzz {

inline std::string_view Text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Ends the target with a message where something does not hold.
inline void Demand(bool holds, const char* what,
                   const Diagnostics& diagnostics = {}) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n%s", what,
               diagnostics.ToString().c_str());
  std::abort();
}

/// Bytes as a file without a place on the disk, for readers that want a path.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes)
      : descriptor_(::memfd_create("limber_fuzz", MFD_CLOEXEC)) {
    Demand(
        descriptor_ >= 0 && ::write(descriptor_, bytes.data(), bytes.size()) ==
                                static_cast<ssize_t>(bytes.size()),
        "a file in memory can be made");
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const {
    return "/proc/self/fd/" + std::to_string(descriptor_);
  }

 private:
  int descriptor_;
};

}  // namespace limber::fuzz

/// A target's function; `bytes` is what is read.
#define LIMBER_FUZZ(bytes)                                        \
  static void Try(std::string_view bytes);                        \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, \
                                        std::size_t size) {       \
    Try(::limber::fuzz::Text(data, size));                        \
    return 0;                                                     \
  }                                                               \
  static void Try(std::string_view bytes)
