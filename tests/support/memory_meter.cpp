// SPDX-FileCopyrightText: 2026 The Limber authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/memory_meter.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

// Bytes held through operator new, and the most since the last reset. Plain
// variables: the programs that measure have one thread.
std::ptrdiff_t held = 0;
std::ptrdiff_t peak = 0;

// The block handed out starts `shift` bytes after the one from malloc; size
// and shift stand right before it. malloc aligns to 16, so a header of 16
// serves alignments up to that.
struct Header {
  std::size_t size;
  std::size_t shift;
};
static_assert(sizeof(Header) == 16);

void* Allocate(std::size_t size, std::size_t alignment) {
  const std::size_t slack =
      std::max(alignment, sizeof(Header)) + sizeof(Header);
  if (size > SIZE_MAX - slack) throw std::bad_alloc();
  char* raw = static_cast<char*>(std::malloc(size + slack));
  if (raw == nullptr) throw std::bad_alloc();
  const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(raw);
  const std::uintptr_t mask = std::max(alignment, sizeof(Header)) - 1;
  const std::size_t shift =
      ((address + sizeof(Header) + mask) & ~mask) - address;
  char* block = raw + shift;
  *(reinterpret_cast<Header*>(block) - 1) = {size, shift};
  held += static_cast<std::ptrdiff_t>(size);
  peak = std::max(peak, held);
  return block;
}

void Release(void* block) noexcept {
  if (block == nullptr) return;
  const Header header = *(static_cast<Header*>(block) - 1);
  held -= static_cast<std::ptrdiff_t>(header.size);
  std::free(static_cast<char*>(block) - header.shift);
}

}  // namespace

void* operator new(std::size_t size) { return Allocate(size, 16); }
void* operator new[](std::size_t size) { return Allocate(size, 16); }
// A sanitizer has its own of these two, which does not ask those above.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  try {
    return Allocate(size, 16);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void* operator new[](std::size_t size, const std::nothrow_t& nothrow) noexcept {
  return ::operator new(size, nothrow);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return Allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return Allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* block) noexcept { Release(block); }
void operator delete[](void* block) noexcept { Release(block); }
void operator delete(void* block, std::size_t) noexcept { Release(block); }
void operator delete[](void* block, std::size_t) noexcept { Release(block); }
void operator delete(void* block, std::align_val_t) noexcept { Release(block); }
void operator delete[](void* block, std::align_val_t) noexcept {
  Release(block);
}
void operator delete(void* block, std::size_t, std::align_val_t) noexcept {
  Release(block);
}
void operator delete[](void* block, std::size_t, std::align_val_t) noexcept {
  Release(block);
}

namespace limber::test {

PeakMemory::PeakMemory() : start_(held) { peak = held; }

std::size_t PeakMemory::peak_bytes() const {
  return static_cast<std::size_t>(peak - start_);
}

std::ptrdiff_t PeakMemory::held_bytes() const { return held - start_; }

}  // namespace limber::test
