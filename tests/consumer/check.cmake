# Installs the build into a scratch directory, then configures, builds and runs a project that knows only that place.
foreach(variable BUILD CONSUMER SCRATCH GENERATOR COMPILER)
  if(NOT ${variable})
    message(FATAL_ERROR "-D${variable}=... is missing")
  endif()
endforeach()

file(REMOVE_RECURSE ${SCRATCH})
foreach(step
    "${CMAKE_COMMAND};--install;${BUILD};--prefix;${SCRATCH}/installed"
    "${CMAKE_COMMAND};-S;${CONSUMER};-B;${SCRATCH}/build;-G;${GENERATOR};-DCMAKE_PREFIX_PATH=${SCRATCH}/installed;-DCMAKE_CXX_COMPILER=${COMPILER}"
    "${CMAKE_COMMAND};--build;${SCRATCH}/build"
    "${SCRATCH}/build/consumer"
    "${SCRATCH}/installed/bin/cda;--version")
  execute_process(COMMAND ${step} RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${step}\nended with ${code}:\n${text}")
  endif()
endforeach()

# The installed command finds the installed module, and the program of the studies.
execute_process(COMMAND ${SCRATCH}/installed/bin/cda list formats OUTPUT_VARIABLE text)
if(HDF5 AND text MATCHES "not installed")
  message(FATAL_ERROR "the module for HDF5 is not found:\n${text}")
endif()
execute_process(COMMAND ${SCRATCH}/installed/bin/cda experiment --help OUTPUT_VARIABLE text)
if(STUDIES AND NOT text MATCHES "recovery")
  message(FATAL_ERROR "the program of the studies is not found:\n${text}")
endif()
