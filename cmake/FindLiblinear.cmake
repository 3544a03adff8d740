# liblinear comes without a file that says where it is: gives the target Liblinear::liblinear.
find_path(Liblinear_INCLUDE_DIR linear.h PATH_SUFFIXES liblinear)
find_library(Liblinear_LIBRARY linear)
mark_as_advanced(Liblinear_INCLUDE_DIR Liblinear_LIBRARY)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Liblinear REQUIRED_VARS Liblinear_LIBRARY Liblinear_INCLUDE_DIR)
if(Liblinear_FOUND AND NOT TARGET Liblinear::liblinear)
  add_library(Liblinear::liblinear UNKNOWN IMPORTED)
  set_target_properties(Liblinear::liblinear PROPERTIES
    IMPORTED_LOCATION ${Liblinear_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${Liblinear_INCLUDE_DIR})
endif()
