# Rrfp::libtorch: the C++ libraries of the Python package torch, so that C++ and Python share one copy.
#
# Torch's own CMake package asks for a CUDA toolkit as soon as the wheel was built with CUDA, even to
# run on a CPU. The three libraries below are all that a CPU program needs, with or without a toolkit.
set(RRFP_PYTHON "$ENV{RRFP_PYTHON}" CACHE FILEPATH "Python with torch (default: the cache's environment)")
set(_python "${RRFP_PYTHON}")
if(NOT _python)
  set(_python "${RRFP_CACHE_DIR}/python/bin/python")
elseif(IS_DIRECTORY "${_python}")
  set(_python "${_python}/bin/python")
endif()

# Finding the package without importing it takes milliseconds instead of seconds.
execute_process(
  COMMAND "${_python}" -c "import importlib.util as u; print(u.find_spec('torch').submodule_search_locations[0])"
  OUTPUT_VARIABLE RRFP_TORCH_ROOT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(RRFP_TORCH_ROOT AND EXISTS "${RRFP_TORCH_ROOT}/version.py")
  file(STRINGS "${RRFP_TORCH_ROOT}/version.py" _version REGEX "^__version__ = ")
  string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" RRFP_TORCH_VERSION "${_version}")
endif()
set(_include "${RRFP_TORCH_ROOT}/include")
set(_libraries "")
foreach(_name IN ITEMS torch_cpu c10)
  if(EXISTS "${RRFP_TORCH_ROOT}/lib/lib${_name}.so")
    list(APPEND _libraries "${RRFP_TORCH_ROOT}/lib/lib${_name}.so")
  endif()
endforeach()
list(LENGTH _libraries _found)
if(_found EQUAL 2)
  set(RRFP_TORCH_LIBRARIES "${_libraries}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  RrfpTorch
  REQUIRED_VARS RRFP_TORCH_ROOT RRFP_TORCH_LIBRARIES
  VERSION_VAR RRFP_TORCH_VERSION
  REASON_FAILURE_MESSAGE "Asked ${_python} for torch. Run scripts/setup, or set RRFP_PYTHON.")

if(RrfpTorch_FOUND AND NOT TARGET Rrfp::libtorch)
  add_library(Rrfp::libtorch INTERFACE IMPORTED)
  target_include_directories(
    Rrfp::libtorch SYSTEM INTERFACE "${_include}" "${_include}/torch/csrc/api/include")
  target_link_libraries(Rrfp::libtorch INTERFACE ${RRFP_TORCH_LIBRARIES})
  # Torch brings its own headers of fmt, which hide the system's: no library of that version is linked.
  target_compile_definitions(Rrfp::libtorch INTERFACE FMT_HEADER_ONLY)
endif()
