# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
#
# Headers that nearly every file includes are read once. Reading Eigen and the
# standard library takes three quarters of the time in which a file is compiled.
#
# Targets that are compiled with the same flags share one set, so there is one
# for libraries (position-independent) and one for test programs.
option(LIMBER_PCH "Precompile the headers that nearly every file includes"
       ${PROJECT_IS_TOP_LEVEL})

set(limber_common_headers <Eigen/Core> <Eigen/Geometry> <algorithm> <array>
  <cmath> <cstdint> <filesystem> <functional> <limits> <map> <memory>
  <optional> <span> <string> <string_view> <utility> <variant> <vector>)

if(LIMBER_PCH)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Tells ccache which precompiled header a file reads.
    target_compile_options(limber_options INTERFACE -fpch-preprocess)
  endif()
  set(limber_empty ${PROJECT_BINARY_DIR}/precompiled/empty.cpp)
  file(CONFIGURE OUTPUT ${limber_empty} CONTENT "")
  add_library(limber_pch STATIC ${limber_empty})
  target_compile_definitions(limber_pch PRIVATE EIGEN_MAX_ALIGN_BYTES=16)
  target_link_libraries(limber_pch PRIVATE Eigen3::Eigen limber_options)
  target_precompile_headers(limber_pch PRIVATE ${limber_common_headers})
endif()

# limber_precompile(TARGET): the target reads the common headers precompiled.
function(limber_precompile target)
  if(LIMBER_PCH)
    target_precompile_headers(${target} REUSE_FROM limber_pch)
  endif()
endfunction()

# GCC 12 forgets which precompiled headers are the system's, and takes
# concatenations of strings in them for overflows: no errors in this target.
function(limber_no_false_alarms target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND
     CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(${target} PRIVATE -Wno-error=stringop-overflow
      -Wno-error=array-bounds -Wno-error=stringop-overread)
  endif()
endfunction()

# `limber_precompile` for a test program, with GoogleTest.
function(limber_precompile_test target)
  if(NOT LIMBER_PCH)
    return()
  endif()
  if(NOT TARGET limber_test_pch)
    set(source ${PROJECT_BINARY_DIR}/precompiled/empty_main.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "int main() {}\n")
    add_executable(limber_test_pch ${source})
    target_compile_definitions(limber_test_pch PRIVATE EIGEN_MAX_ALIGN_BYTES=16)
    target_link_libraries(limber_test_pch PRIVATE Eigen3::Eigen limber_options
      GTest::gmock GTest::gtest)
    target_precompile_headers(limber_test_pch PRIVATE <gmock/gmock.h>
      <gtest/gtest.h> ${limber_common_headers})
  endif()
  target_precompile_headers(${target} REUSE_FROM limber_test_pch)
  limber_no_false_alarms(${target})
endfunction()
