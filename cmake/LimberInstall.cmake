# SPDX-FileCopyrightText: 2026 The Limber authors
# SPDX-License-Identifier: Apache-2.0
#
# `cmake --install` gives a package that find_package(Limber) finds.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(limber_libraries GLOBAL PROPERTY LIMBER_LIBRARIES)
install(TARGETS ${limber_libraries} EXPORT LimberTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY core dynamics figure jobs mocap viewer
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/limber
        FILES_MATCHING PATTERN "*.h" PATTERN "internal" EXCLUDE
        REGEX "/dynamics/solve$" EXCLUDE)
set(limber_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Limber)
install(EXPORT LimberTargets NAMESPACE Limber:: DESTINATION ${limber_package_dir})
set(limber_data_dir ${CMAKE_INSTALL_DATADIR}/limber)
configure_package_config_file(cmake/LimberConfig.cmake.in
  ${PROJECT_BINARY_DIR}/LimberConfig.cmake
  INSTALL_DESTINATION ${limber_package_dir}
  PATH_VARS limber_data_dir)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/LimberConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/LimberConfig.cmake
  ${PROJECT_BINARY_DIR}/LimberConfigVersion.cmake
  DESTINATION ${limber_package_dir})
if(TARGET limber)
  install(TARGETS limber RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
# `--to fat_man` and `simulate umbrella` find them (jobs/data_path.h); scenes
# play the clips.
install(DIRECTORY data/clips data/figures data/marker_sets data/scenes
        DESTINATION ${CMAKE_INSTALL_DATADIR}/limber)
