# What `cmake --install` puts down, and how another project finds it: find_package(cda) gives the targets cda::cda,
# cda::peers, cda::clusters and, where they are built, cda::studies.
include(CMakePackageConfigHelpers)

set(config_directory ${CMAKE_INSTALL_LIBDIR}/cmake/cda)
get_target_property(CDA_LIBRARY_TYPE cda TYPE)

install(TARGETS cda EXPORT cda-targets)

# The manual and the completion scripts say what the command just built can do. One built for another machine cannot be
# asked.
if(NOT CMAKE_CROSSCOMPILING)
  set(spoken ${PROJECT_BINARY_DIR}/spoken)
  file(MAKE_DIRECTORY ${spoken})
  add_custom_command(TARGET cda_command POST_BUILD
    COMMAND cda_command man > ${spoken}/cda.1
    COMMAND cda_command completion bash > ${spoken}/cda
    COMMAND cda_command completion zsh > ${spoken}/_cda
    COMMAND cda_command completion fish > ${spoken}/cda.fish)
  install(FILES ${spoken}/cda.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${spoken}/cda DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${spoken}/_cda DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${spoken}/cda.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
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
