# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
#
# `cpack -G DEB` in the build folder of the preset `package` (./run package).
set(CPACK_PACKAGE_NAME limber)
set(CPACK_PACKAGE_VENDOR "The Limber authors")
set(CPACK_PACKAGE_CONTACT "The Limber authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_SOURCE_DIR}/out/package)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
# The shared libraries of the program are found in it; drawing without a screen
# takes these programs, and the installed CMake package its headers.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS
  "xvfb, xauth, libgl1-mesa-dri, fonts-dejavu-core")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
  "g++, cmake, libeigen3-dev, ffmpeg, blender")
include(CPack)
