# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
#
# One way to declare a library, a test and a benchmark.

set_property(GLOBAL PROPERTY LIMBER_LIBRARIES "")

# limber_library(NAME SOURCES ... [LINKS ...])
# Target limber_NAME, alias and installed name Limber::NAME.
function(limber_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS;PRIVATE_LINKS" ${ARGN})
  add_library(limber_${name} STATIC ${arg_SOURCES})
  add_library(Limber::${name} ALIAS limber_${name})
  set_target_properties(limber_${name} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(limber_${name} PUBLIC cxx_std_20)
  target_include_directories(limber_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
    $<INSTALL_INTERFACE:include>
    $<INSTALL_INTERFACE:include/limber>)
  target_link_libraries(limber_${name} PUBLIC ${arg_LINKS}
    PRIVATE ${arg_PRIVATE_LINKS} $<BUILD_INTERFACE:limber_options>)
  limber_precompile(limber_${name})
  set_property(GLOBAL APPEND PROPERTY LIMBER_LIBRARIES limber_${name})
endfunction()

# limber_test(NAME SOURCES ... LINKS ... [SLOW])
# A GoogleTest program; SLOW ones run with `./run check` only.
function(limber_test name)
  cmake_parse_arguments(arg "SLOW" "" "SOURCES;LINKS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LINKS} limber_test_support
    limber_options GTest::gmock GTest::gtest_main)
  limber_precompile_test(${name})
  set(label fast)
  if(arg_SLOW)
    set(label slow)
  endif()
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST
    PROPERTIES LABELS ${label} TIMEOUT 1200)
endfunction()

# limber_benchmark(NAME SOURCES ... LINKS ...)
# A program that `./run bench` runs; it prints median, minimum and an error or
# a ratio.
function(limber_benchmark name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ${arg_LINKS} limber_options)
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench/programs)
endfunction()
