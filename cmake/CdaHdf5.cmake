# What reads HDF5 is a module, cda_hdf5.so, that the library loads when it meets such a file. So only the module links the
# HDF5 library, and it can be added to a build later: nothing else is compiled anew. Where that library is not found there
# is no module, and an error says so when such a file is read.
if(CDA_WITH_HDF5)
  pkg_check_modules(HDF5 IMPORTED_TARGET hdf5)
endif()

if(NOT CDA_WITH_HDF5 OR NOT HDF5_FOUND)
  message(STATUS "HDF5: not read")
  file(REMOVE ${PROJECT_BINARY_DIR}/cda_hdf5.so)  # one of an earlier time would be loaded
  return()
endif()

file(GLOB hdf5_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/files/hdf5/*.cpp)
add_library(cda_hdf5 MODULE ${hdf5_sources})
set_target_properties(cda_hdf5 PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
  CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
target_include_directories(cda_hdf5 PRIVATE ${PROJECT_SOURCE_DIR}/src)
# Newer versions of the library then offer the functions of 1.10, by the names used here.
target_compile_definitions(cda_hdf5 PRIVATE H5_USE_110_API)
target_link_libraries(cda_hdf5 PRIVATE cda::cda PkgConfig::HDF5 fmt::fmt)
# Its copy of the library is its own affair, and holds only what it calls.
target_link_options(cda_hdf5 PRIVATE LINKER:--exclude-libs,ALL,--gc-sections)
cda_options(cda_hdf5)
add_dependencies(cda_command cda_hdf5)
install(TARGETS cda_hdf5 LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/cda)
# Programs of the build in other folders find it, too.
foreach(folder examples benchmarks tests)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/${folder})
  file(CREATE_LINK ../cda_hdf5.so ${PROJECT_BINARY_DIR}/${folder}/cda_hdf5.so SYMBOLIC)
endforeach()
