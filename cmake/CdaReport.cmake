# The report's script, style and licences become a C++ file of the library, byte by byte. They stand in web/bundle as
# web/build.mjs made them, so that nobody needs Node to build.
set(assets "")
foreach(file script.js style.css notices.txt)
  set(path ${PROJECT_SOURCE_DIR}/web/bundle/${file})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
  get_filename_component(name ${path} NAME_WE)
  file(READ ${path} bytes HEX)
  string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
  string(APPEND assets "const char ${name}_bytes[] = {${bytes}};\n"
    "const std::string_view ${name}(${name}_bytes, sizeof ${name}_bytes);\n")
endforeach()
set(report_assets ${PROJECT_BINARY_DIR}/generated/report_assets.cpp)
file(CONFIGURE OUTPUT ${report_assets} @ONLY CONTENT
"// Generated from the files in web/bundle.
#include \"report/assets.hpp\"

namespace cda::assets {

${assets}
}  // namespace cda::assets
")
target_sources(cda PRIVATE ${report_assets})
set_source_files_properties(${report_assets} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
