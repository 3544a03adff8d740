# What `cmake --install` puts down, and how another project finds it: find_package(cda) gives the target cda::cda.
include(CMakePackageConfigHelpers)

set(config_directory ${CMAKE_INSTALL_LIBDIR}/cmake/cda)
get_target_property(CDA_LIBRARY_TYPE cda TYPE)

install(TARGETS cda EXPORT cda-targets)
install(TARGETS cda_command)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/cda DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT cda-targets NAMESPACE cda:: DESTINATION ${config_directory})
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/cda-config.cmake.in ${PROJECT_BINARY_DIR}/cda-config.cmake
  INSTALL_DESTINATION ${config_directory})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cda-config-version.cmake COMPATIBILITY SameMinorVersion)
install(
  FILES ${PROJECT_BINARY_DIR}/cda-config.cmake ${PROJECT_BINARY_DIR}/cda-config-version.cmake
    ${PROJECT_SOURCE_DIR}/cmake/FindLiblinear.cmake
  DESTINATION ${config_directory})
