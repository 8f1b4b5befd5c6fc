# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
#
# Compiler settings shared by every target of the project.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")

find_program(LIMBER_CCACHE ccache)
mark_as_advanced(LIMBER_CCACHE)
if(LIMBER_CCACHE AND PROJECT_IS_TOP_LEVEL)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${LIMBER_CCACHE})
endif()

# x86-64-v3 (AVX2, FMA) when this machine has it. Wider is not faster here:
# AVX-512 slows the general-axis elimination of the tree solver by half.
set(limber_arch_default "")
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64" AND EXISTS /proc/cpuinfo)
  file(STRINGS /proc/cpuinfo limber_cpu_flags REGEX "^flags" LIMIT_COUNT 1)
  if(limber_cpu_flags MATCHES " avx2 " AND limber_cpu_flags MATCHES " fma "
     AND limber_cpu_flags MATCHES " bmi2 ")
    set(limber_arch_default x86-64-v3)
  endif()
endif()
set(LIMBER_ARCH "${limber_arch_default}" CACHE STRING
    "Value for -march; empty for the compiler's own default")

add_library(limber_options INTERFACE)
target_compile_options(limber_options INTERFACE -Wall -Wextra -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # Warns of a std::string that is prepended to, without reason (GCC bug 105651).
  target_compile_options(limber_options INTERFACE -Wno-restrict)
endif()
if(LIMBER_ARCH)
  target_compile_options(limber_options INTERFACE -march=${LIMBER_ARCH})
endif()
if(LIMBER_SANITIZE)
  target_compile_options(limber_options INTERFACE -O1 -fno-omit-frame-pointer
    -fsanitize=address,undefined -fno-sanitize-recover=all)
  target_link_options(limber_options INTERFACE -fsanitize=address,undefined)
endif()
if(LIMBER_SANITIZE_THREAD)
  target_compile_options(limber_options INTERFACE -O1 -fno-omit-frame-pointer
    -fsanitize=thread)
  target_link_options(limber_options INTERFACE -fsanitize=thread)
endif()
if(LIMBER_BUILD_FUZZ)
  # Counts branches, for the fuzzer that the targets link.
  target_compile_options(limber_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
