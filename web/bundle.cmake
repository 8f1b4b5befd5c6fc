# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
#
# cmake -D NPM=... -D NODE=... -D SOURCE=web -D WORK=... -D OUTPUT=... -P
# Makes the player's script. Where npm cannot bring its parts the script is
# empty: the program is built all the same, and its pages show strips.
file(MAKE_DIRECTORY ${WORK})
file(COPY ${SOURCE}/package.json ${SOURCE}/package-lock.json
  ${SOURCE}/bundle.mjs ${SOURCE}/src DESTINATION ${WORK})
execute_process(COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund
  WORKING_DIRECTORY ${WORK} RESULT_VARIABLE failed OUTPUT_QUIET
  ERROR_VARIABLE errors)
if(failed)
  message("The pages will not move: npm could not bring three.js and esbuild. "
    "Build again after \"touch web/package.json\" when it can.\n${errors}")
  file(WRITE ${OUTPUT} "")
  return()
endif()
execute_process(COMMAND ${NODE} bundle.mjs ${OUTPUT} WORKING_DIRECTORY ${WORK}
  COMMAND_ERROR_IS_FATAL ANY)
