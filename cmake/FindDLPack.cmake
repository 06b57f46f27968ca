# DLPack::DLPack: <dlpack/dlpack.h>, the copy of libtorch's header that scripts/setup lays down.
# (Debian's own dlpack package is too old: no bool tensors, and the same include guard.)
find_path(DLPACK_INCLUDE_DIR dlpack/dlpack.h HINTS "${RRFP_CACHE_DIR}/include" NO_DEFAULT_PATH)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(DLPack REQUIRED_VARS DLPACK_INCLUDE_DIR
                                  REASON_FAILURE_MESSAGE "Run scripts/setup, or set RRFP_CACHE.")
if(DLPack_FOUND AND NOT TARGET DLPack::DLPack)
  add_library(DLPack::DLPack INTERFACE IMPORTED)
  target_include_directories(DLPack::DLPack INTERFACE "${DLPACK_INCLUDE_DIR}")
endif()
mark_as_advanced(DLPACK_INCLUDE_DIR)
