# The script and style of the report: packages from npm, bundled by esbuild, written as a C++ file into the library. Packages
# are fetched when package-lock.json changes, and then only; bundling takes a second.
find_program(CDA_NODE NAMES node nodejs REQUIRED)
find_program(CDA_NPM npm REQUIRED)
set(web ${PROJECT_SOURCE_DIR}/web)
set(web_packages ${web}/node_modules/.package-lock.json)  # npm's own mark of a finished installation
set(report_assets ${PROJECT_BINARY_DIR}/generated/report_assets.cpp)
file(GLOB web_sources CONFIGURE_DEPENDS ${web}/*.ts ${web}/charts/*.ts ${web}/*.css)

add_custom_command(OUTPUT ${web_packages}
  COMMAND ${CDA_NPM} ci --silent
  COMMAND ${CMAKE_COMMAND} -E touch ${web_packages}
  DEPENDS ${web}/package-lock.json ${web}/package.json
  WORKING_DIRECTORY ${web} COMMENT "Fetching the packages of the report" VERBATIM)
add_custom_command(OUTPUT ${report_assets}
  COMMAND ${CDA_NODE} ${web}/build.mjs ${report_assets}
  DEPENDS ${web_packages} ${web}/build.mjs ${web_sources}
  WORKING_DIRECTORY ${web} COMMENT "Bundling the report" VERBATIM)

target_sources(cda PRIVATE ${report_assets})
set_source_files_properties(${report_assets} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
set_source_files_properties(src/report/page.cpp PROPERTIES COMPILE_DEFINITIONS CDA_WITH_REPORT)
