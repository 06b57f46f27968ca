# rrfp_add_library(<name> [EXCLUDE <regex>] [LINKS <target>...] [PRIVATE_LINKS <target>...])
#
# Makes the library rrfp_<name>, known as rrfp::<name>, of the .cpp files in the current folder and
# below. Its headers, those configured from a .h.in file included, are found, and later installed,
# under their path from the root of the project. A folder without a .cpp file is a header-only library.
# EXCLUDE keeps out files whose path from the current folder matches the expression.
function(rrfp_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "EXCLUDE" "LINKS;PRIVATE_LINKS")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" *.cpp)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" *.h)
  file(GLOB_RECURSE templates CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" *.h.in)
  if(arg_EXCLUDE)
    list(FILTER sources EXCLUDE REGEX "${arg_EXCLUDE}")
    list(FILTER headers EXCLUDE REGEX "${arg_EXCLUDE}")
  endif()

  set(target rrfp_${name})
  if(sources)
    set(scope PUBLIC)
    add_library(${target} STATIC ${sources})
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:rrfp_warnings> ${arg_PRIVATE_LINKS})
  else()
    set(scope INTERFACE)
    add_library(${target} INTERFACE)
  endif()
  add_library(rrfp::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(${target} ${scope} cxx_std_20)
  target_link_libraries(${target} ${scope} ${arg_LINKS})
  target_sources(${target} ${scope} FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}" FILES ${headers})

  # A set of its own, since the build folder may lie below the project's.
  set(generated "")
  set(generated_base "${PROJECT_BINARY_DIR}/generated")
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY "${PROJECT_SOURCE_DIR}"
             OUTPUT_VARIABLE folder)
  foreach(template IN LISTS templates)
    cmake_path(REMOVE_EXTENSION template LAST_ONLY OUTPUT_VARIABLE header)
    list(APPEND generated "${generated_base}/${folder}/${header}")
    configure_file(${template} "${generated_base}/${folder}/${header}" @ONLY)
  endforeach()
  target_sources(${target} ${scope} FILE_SET generated TYPE HEADERS BASE_DIRS "${generated_base}"
                                    FILES ${generated})
  install(
    TARGETS ${target} EXPORT rrfpTargets
    FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/rrfp
    FILE_SET generated DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/rrfp)
endfunction()
