# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
#
# cmake -D FOLDER=samples -P check_length.cmake: fails when a sample has 80
# lines or more, or when there are fewer than five; and when the main of the
# pendulum has more than eight.
file(GLOB programs ${FOLDER}/*/main.cpp)
list(LENGTH programs count)
if(count LESS 5)
  message(FATAL_ERROR "five samples expected, found ${count}")
endif()
foreach(program ${programs})
  file(READ ${program} text)
  string(REGEX MATCHALL "\n" ends "${text}")
  list(LENGTH ends num_lines)
  if(NOT num_lines LESS 80)
    message(FATAL_ERROR "${program} has ${num_lines} lines; 79 at most")
  endif()
endforeach()
file(READ ${FOLDER}/pendulum/main.cpp text)
string(REGEX REPLACE ".*int main\\(\\) {\n(.*)\n}\n" "\\1" body "${text}")
string(REGEX MATCHALL "\n" ends "${body}")
list(LENGTH ends num_ends)
if(NOT num_ends LESS 8)
  message(FATAL_ERROR "the pendulum's main has ${num_ends} + 1 lines; 8 at most")
endif()
