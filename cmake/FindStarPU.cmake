# StarPU::StarPU and StarPU::MPI, read from the pkg-config files of one prefix:
# RRFP_STARPU_PREFIX (variable or environment) if set, else the one that scripts/setup built.
#
# StarPU_HAS_PROGRESS_HOOKS tells whether StarPU-MPI has the hooks of cmake/../scripts/patches.
set(RRFP_STARPU_PREFIX "$ENV{RRFP_STARPU_PREFIX}" CACHE PATH "Prefix of another StarPU (default: the cache's)")
if(RRFP_STARPU_PREFIX)
  set(_prefix_link "${RRFP_STARPU_PREFIX}")
else()
  set(_prefix_link "${RRFP_CACHE_DIR}/starpu/current")
endif()
file(REAL_PATH "${_prefix_link}" _prefix)

# A set-up that rebuilds StarPU moves the link: configure again, and forget what was found before.
if(EXISTS "${_prefix_link}/lib")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${_prefix_link}/lib")
endif()
if(NOT "${_prefix}" STREQUAL "${_rrfp_starpu_found_in}")
  get_cmake_property(_variables CACHE_VARIABLES)
  list(FILTER _variables INCLUDE REGEX "^(__pkg_config_checked_|pkgcfg_lib_)?rrfp_starpu(mpi)?(_|$)")
  foreach(_variable IN LISTS _variables)
    unset(${_variable} CACHE)
  endforeach()
endif()
set(_rrfp_starpu_found_in "${_prefix}" CACHE INTERNAL "Prefix that the StarPU variables belong to")

find_package(PkgConfig QUIET)
set(_pkg_config_path "$ENV{PKG_CONFIG_PATH}")
set(ENV{PKG_CONFIG_PATH} "${_prefix}/lib/pkgconfig:${_pkg_config_path}")
pkg_check_modules(rrfp_starpu QUIET IMPORTED_TARGET starpu-1.4)
pkg_check_modules(rrfp_starpumpi QUIET IMPORTED_TARGET starpumpi-1.4)
set(ENV{PKG_CONFIG_PATH} "${_pkg_config_path}")

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  StarPU
  REQUIRED_VARS rrfp_starpu_LINK_LIBRARIES rrfp_starpumpi_LINK_LIBRARIES
  VERSION_VAR rrfp_starpu_VERSION
  REASON_FAILURE_MESSAGE "Looked in ${_prefix_link}. Run scripts/setup, or set RRFP_STARPU_PREFIX.")

if(StarPU_FOUND AND NOT TARGET StarPU::StarPU)
  add_library(StarPU::StarPU INTERFACE IMPORTED)
  target_link_libraries(StarPU::StarPU INTERFACE PkgConfig::rrfp_starpu)
  add_library(StarPU::MPI INTERFACE IMPORTED)
  target_link_libraries(StarPU::MPI INTERFACE PkgConfig::rrfp_starpumpi StarPU::StarPU)
endif()
