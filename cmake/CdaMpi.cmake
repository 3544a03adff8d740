# One module for each implementation of MPI, since their binary interfaces differ: cda_openmpi.so, cda_mpich.so. The
# command itself links neither. They are found by pkg-config; MPICH's descendants (Intel MPI, MVAPICH, Cray) load the
# module of MPICH. Where none is found the command is built without them and says so when mpirun starts it.
pkg_check_modules(OPENMPI IMPORTED_TARGET ompi-c)
pkg_check_modules(MPICH IMPORTED_TARGET mpich)
set(modules "")
foreach(implementation OPENMPI MPICH)
  string(TOLOWER cda_${implementation} module)
  if(${implementation}_FOUND)
    add_library(${module} MODULE ${PROJECT_SOURCE_DIR}/apps/mpi/ranks.cpp)
    set_target_properties(${module} PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
      CXX_VISIBILITY_PRESET hidden)
    target_compile_definitions(${module} PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)  # their old C++ interfaces
    target_include_directories(${module} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/apps/cda)
    target_link_libraries(${module} PRIVATE Eigen3::Eigen PkgConfig::${implementation})
    cda_options(${module})
    add_dependencies(cda_command ${module})
    install(TARGETS ${module} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/cda)
    list(APPEND modules ${module})
  endif()
endforeach()
message(STATUS "Several machines: ${modules}")
