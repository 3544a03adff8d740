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

# Each <folder>/<stem>.cpp defines CDA_PART(<interface>, <stem>). This writes the file that lists them as the catalogue
# cda::<name>(), so that adding a part is adding a file: nothing else has to be edited, and no static initialiser can be
# lost by the linker.
function(cda_catalogue target folder interface header name)
  file(GLOB parts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
  set(declarations "")
  set(entries "")
  foreach(part IN LISTS parts)
    get_filename_component(stem ${part} NAME_WE)
    string(APPEND declarations "CDA_PART(${interface}, ${stem});\n")
    string(APPEND entries "      cda::named(\"${stem}\", cda_part_${interface}_${stem}()),\n")
  endforeach()
  string(REGEX REPLACE "s$" "" kind ${name})
  set(generated ${PROJECT_BINARY_DIR}/generated/${name}.cpp)
  file(CONFIGURE OUTPUT ${generated} @ONLY CONTENT
"// Generated from the files in ${folder}.
#include \"${header}\"
#include \"base/part.hpp\"

${declarations}
cda::Catalogue<cda::${interface}>& cda::${name}() {
  static Catalogue<${interface}> catalogue(\"${kind}\", {
${entries}  });
  return catalogue;
}
")
  target_sources(${target} PRIVATE ${generated})
endfunction()
