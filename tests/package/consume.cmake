# Run by ctest with cmake -P: install, build the consumer, run it.
set(prefix "${WORK_DIR}/prefix")
file(REMOVE_RECURSE "${prefix}" "${WORK_DIR}/build" "${WORK_DIR}/optional")

set(components core simulation schedules)
if(WITH_STARPU)
  list(APPEND components starpu codelets collectives jobs)
endif()
if(WITH_STARPU AND WITH_TORCH)
  list(APPEND components autograd)
endif()

set(flags "")
if(SANITIZE)
  set(flags -fsanitize=${SANITIZE})
endif()

execute_process(COMMAND ${CMAKE_COMMAND} --install "${BUILD_DIR}" --prefix "${prefix}"
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(
  COMMAND ${CMAKE_COMMAND} -S "${CONSUMER_DIR}" -B "${WORK_DIR}/build" -G "${GENERATOR}"
          -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_CXX_COMPILER=${CXX_COMPILER}
          -D CMAKE_CXX_FLAGS=${flags} "-DCOMPONENTS=${components}"
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build "${WORK_DIR}/build" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${WORK_DIR}/build/stranger" COMMAND_ERROR_IS_FATAL ANY)
execute_process(
  COMMAND ${CMAKE_COMMAND} -S "${CONSUMER_DIR}/../optional" -B "${WORK_DIR}/optional" -G "${GENERATOR}"
          -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_CXX_COMPILER=${CXX_COMPILER}
          -D CMAKE_DISABLE_FIND_PACKAGE_StarPU=ON
  COMMAND_ERROR_IS_FATAL ANY)
