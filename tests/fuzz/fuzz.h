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
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostics.h"

namespace limber::fuzz {

inline std::string_view Text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Ends the target with a message where something does not hold: the fuzzer
/// wants an abort, the test that replays files a thrown error.
inline void Demand(bool holds, const std::string& what,
                   const Diagnostics& diagnostics = {}) {
  if (holds) return;
#ifdef LIMBER_FUZZ_REPLAY
  throw std::logic_error("does not hold: " + what + "\n" +
                         diagnostics.ToString());
#else
  std::fprintf(stderr, "does not hold: %s\n%s", what.c_str(),
               diagnostics.ToString().c_str());
  std::abort();
#endif
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

/// A target by its name, for the test that replays files.
struct Target {
  std::string name;
  void (*run)(std::string_view bytes) = nullptr;
};
inline std::vector<Target>& Targets() {
  static std::vector<Target> targets;
  return targets;
}
inline bool Register(const char* name, void (*run)(std::string_view bytes)) {
  Targets().push_back({name, run});
  return true;
}

}  // namespace limber::fuzz

/// A target's function; `bytes` is what is read.
#ifdef LIMBER_FUZZ_REPLAY
#define LIMBER_FUZZ(name, bytes)                       \
  static void Try_##name(std::string_view bytes);      \
  [[maybe_unused]] static const bool is_known_##name = \
      ::limber::fuzz::Register(#name, Try_##name);     \
  static void Try_##name(std::string_view bytes)
#else
#define LIMBER_FUZZ(name, bytes)                                  \
  static void Try_##name(std::string_view bytes);                 \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, \
                                        std::size_t size) {       \
    Try_##name(::limber::fuzz::Text(data, size));                 \
    return 0;                                                     \
  }                                                               \
  static void Try_##name(std::string_view bytes)
#endif
