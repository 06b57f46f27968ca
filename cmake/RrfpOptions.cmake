# What every target of this project is compiled with. Consumers of the installed package get none of it.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Kind of build" FORCE)
endif()

# One folder for what is run and one for what is loaded, in the build as in the installation.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")

# The command runs with no environment variable set: StarPU and libtorch are found by their path. What is
# built has the installed file's search path from the start: CMake would else pad it with an empty entry,
# by which the loader looks into the working directory.
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)

find_program(RRFP_CCACHE ccache)
mark_as_advanced(RRFP_CCACHE)
if(RRFP_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Paths within the checkout count as relative ones, so that another checkout finds what this one compiled.
  set(_launcher "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1
                "${RRFP_CCACHE}")
  set(CMAKE_C_COMPILER_LAUNCHER "${_launcher}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${_launcher}")
  unset(_launcher)
endif()

add_library(rrfp_warnings INTERFACE)
target_compile_options(
  rrfp_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
                           # Designated initialisers leave members out on purpose.
                           -Wno-missing-field-initializers
                          $<$<BOOL:${RRFP_WERROR}>:-Werror>)

if(RRFP_SANITIZE)
  # Undefined behaviour fails a test as the other findings do.
  add_compile_options(-fsanitize=${RRFP_SANITIZE} -fno-sanitize-recover=undefined
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${RRFP_SANITIZE})
endif()
