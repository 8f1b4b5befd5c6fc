# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
#
# Script of the test Install.OutsideProjectFindsBuildsAndRuns.

# Runs a command; the test fails with its output when the command fails.
function(must_run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code
    OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nended with ${code}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
must_run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)

# Headers that are not an interface stay at home.
file(GLOB_RECURSE headers RELATIVE ${WORK}/prefix/include
  ${WORK}/prefix/include/*.h)
foreach(header IN LISTS headers)
  if(header MATCHES "/internal/" OR NOT header MATCHES "^limber/")
    message(FATAL_ERROR "installed by mistake: ${header}")
  endif()
endforeach()

set(flags "")
if(SANITIZE)
  # A sanitized static library needs the sanitizers' runtime in the program.
  set(flags -D CMAKE_CXX_FLAGS=-fsanitize=address,undefined)
endif()
# The copy proves that nothing is found by lying near the source tree.
file(COPY ${PROJECT}/ DESTINATION ${WORK}/project)
configure_file(${SOURCE}/samples/solve_retarget_push/main.cpp
  ${WORK}/project/sample.cpp COPYONLY)
must_run(${CMAKE_COMMAND} -S ${WORK}/project -B ${WORK}/build -G ${GENERATOR}
  -D CMAKE_PREFIX_PATH=${WORK}/prefix -D CMAKE_CXX_COMPILER=${COMPILER}
  -D CMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER} ${flags})
must_run(${CMAKE_COMMAND} --build ${WORK}/build)
must_run(${WORK}/build/uses_limber)
if(NOT output MATCHES "2 frames of 1 joint")
  message(FATAL_ERROR "the outside program said: ${output}")
endif()
# Each job is one call, and the figure is found by its name.
must_run(${WORK}/build/solve_retarget_push ${SOURCE}/data/takes/march.c3d
  ${WORK}/pushed.bvh)
if(NOT output MATCHES "retargeted: looks right" OR NOT EXISTS ${WORK}/pushed.bvh)
  message(FATAL_ERROR "the sample said: ${output}")
endif()

# What comes with Limber is found by its name, far from the source tree.
must_run(${WORK}/prefix/bin/limber simulate coupled_pendula --duration 0.1)
must_run(${WORK}/prefix/bin/limber --version)
if(NOT output MATCHES "${VERSION}")
  message(FATAL_ERROR "the installed program is not ${VERSION}: ${output}")
endif()
