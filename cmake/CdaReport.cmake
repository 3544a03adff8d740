# The script and style of the report: packages from npm, bundled by esbuild, written as a C++ file into the library. Packages
# are fetched when package-lock.json changes, and then only; bundling takes a second.
find_program(CDA_NODE NAMES node nodejs)
find_program(CDA_NPM npm)
if(NOT CDA_NODE OR NOT CDA_NPM)
  message(FATAL_ERROR "The report needs Node (18 or later) and npm to build. Without them: -DCDA_WITH_REPORT=OFF")
endif()
set(web ${PROJECT_SOURCE_DIR}/web)
set(report_assets ${PROJECT_BINARY_DIR}/generated/report_assets.cpp)
file(GLOB web_sources CONFIGURE_DEPENDS ${web}/*.ts ${web}/charts/*.ts ${web}/*.css)

add_custom_command(OUTPUT ${report_assets}
  COMMAND ${CDA_NODE} ${web}/build.mjs ${report_assets} ${CDA_NPM}
  DEPENDS ${web}/package-lock.json ${web}/build.mjs ${web_sources}
  COMMENT "Bundling the report" VERBATIM)

target_sources(cda PRIVATE ${report_assets})
set_source_files_properties(src/report/page.cpp PROPERTIES COMPILE_DEFINITIONS CDA_WITH_REPORT)
