# How targets of this project are compiled, and how a folder becomes a catalogue.

# Where ccache is installed nothing is compiled twice, in any clone: paths within one count from its top.
find_program(CDA_CCACHE ccache)
mark_as_advanced(CDA_CCACHE)
if(CDA_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CDA_CCACHE})
endif()

# Warnings, sanitizers, and floating point that adds up the same way on every machine.
function(cda_options target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wnon-virtual-dtor -ffp-contract=off
    -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
  if(CDA_UNITY)  # a local name may be one at the top of a neighbour
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local>)
  else()
    target_compile_options(${target} PRIVATE -Wshadow)
  endif()
  cda_unity(${target})
  # GCC need not tidy its memory up before 400 MB are full: less time for a third more memory.
  target_compile_options(${target} PRIVATE
    "$<$<CXX_COMPILER_ID:GNU>:SHELL:--param ggc-min-heapsize=400000>")
  # Eigen vectorises by itself; -O3 would double the time to build for no gain that the benchmarks show.
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O2>)
  if(CDA_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(CDA_SANITIZERS)
    target_compile_options(${target} PRIVATE -fsanitize=${CDA_SANITIZERS} -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE -fsanitize=${CDA_SANITIZERS})
  endif()
  if(CDA_FUZZERS)
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
    target_link_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
endfunction()

# A folder beside src/ as a library of its own, cda::<house>, on top of cda::cda; it sees what rooms of src/ offer.
function(cda_house house)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${house}/*.cpp)
  add_library(cda_${house} ${sources})
  add_library(cda::${house} ALIAS cda_${house})
  set_target_properties(cda_${house} PROPERTIES EXPORT_NAME ${house})
  target_include_directories(cda_${house} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
  target_link_libraries(cda_${house} PUBLIC cda::cda ${ARGN}
    PRIVATE fmt::fmt $<BUILD_INTERFACE:nlohmann_json::nlohmann_json> $<BUILD_INTERFACE:Boost::headers>)
  cda_options(cda_${house})
  install(TARGETS cda_${house} EXPORT cda-targets)
endfunction()

# What only talks: optimising CLI11 and the JSON library would be most of the build's time.
function(cda_talks target)
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/apps/cda)
  target_link_libraries(${target} PUBLIC
    cda::clusters cda::peers CLI11::CLI11 nlohmann_json::nlohmann_json fmt::fmt ${CMAKE_DL_LIBS})
  cda_options(${target})
  target_compile_options(${target} PRIVATE $<$<NOT:$<CONFIG:Debug>>:-O1>)
endfunction()

function(cda_program target name)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  cda_talks(${target})
  target_link_libraries(${target} PUBLIC cda_console)
  target_link_options(${target} PRIVATE LINKER:--wrap=malloc,--wrap=free)  # see out_of_memory.cpp
  install(TARGETS ${target})
endfunction()

# Each <folder>/<stem>.cpp defines CDA_PART(<interface>, <stem>). This writes the file that lists them as the catalogue
# cda::<name>(), so that adding a part is adding a file: nothing else has to be edited, and no static initialiser can be
# lost by the linker. With ADDED_BY <house> they are added to the catalogue, which is another's, by cda::add_<house>().
function(cda_catalogue target folder interface header name)
  cmake_parse_arguments(arg "" "ADDED_BY" "" ${ARGN})
  file(GLOB parts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
  set(declarations "")
  set(entries "")
  foreach(part IN LISTS parts)
    get_filename_component(stem ${part} NAME_WE)
    string(APPEND declarations "CDA_PART(${interface}, ${stem});\n")
    string(APPEND entries "      cda::named(\"${stem}\", cda_part_${interface}_${stem}()),\n")
  endforeach()
  string(REGEX REPLACE "s$" "" kind ${name})
  if(arg_ADDED_BY)
    set(generated ${PROJECT_BINARY_DIR}/generated/${arg_ADDED_BY}.cpp)
    string(APPEND declarations "\n#include \"cda/${arg_ADDED_BY}.hpp\"\n")
    set(definition "void cda::add_${arg_ADDED_BY}() {
  [[maybe_unused]] static const bool added = [] {
    for (const Catalogue<${interface}>::Entry& entry : {
${entries}    }) ${name}().add(entry);
    return true;
  }();
}")
  else()
    set(generated ${PROJECT_BINARY_DIR}/generated/${name}.cpp)
    set(definition "cda::Catalogue<cda::${interface}>& cda::${name}() {
  static Catalogue<${interface}> catalogue(\"${kind}\", {
${entries}  });
  return catalogue;
}")
  endif()
  file(CONFIGURE OUTPUT ${generated} @ONLY CONTENT
"// Generated from the files in ${folder}.
#include \"${header}\"
#include \"base/part.hpp\"

${declarations}
${definition}
")
  target_sources(${target} PRIVATE ${generated})
endfunction()
