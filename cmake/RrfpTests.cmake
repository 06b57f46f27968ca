# Test helpers.
include(GoogleTest)

# Open MPI refuses to start as root, which containers are, unless told twice. What it allocates once and
# never frees, and the locks that sanitizers do not see in libraries built without them, are known.
set(_support "${PROJECT_SOURCE_DIR}/tests/support")
# Random tests draw the same cases in each run.
set(RRFP_TEST_ENVIRONMENT
    RC_PARAMS=seed=20261130
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    # Whose memory it is shows only further down the stack, in libraries without frame pointers.
    ASAN_OPTIONS=fast_unwind_on_malloc=0
    "LSAN_OPTIONS=suppressions=${_support}/lsan.supp:print_suppressions=0"
    "TSAN_OPTIONS=suppressions=${_support}/tsan.supp")
unset(_support)

# Seconds after which a test has failed. Programs with a sanitizer run several times slower.
set(RRFP_TEST_PATIENCE 1)
if(RRFP_SANITIZE)
  set(RRFP_TEST_PATIENCE 5)
endif()
math(EXPR RRFP_TEST_TIMEOUT "60 * ${RRFP_TEST_PATIENCE}")

# rrfp_add_test(NAME <name> COMMAND <target or program> [<argument>...] [RANKS <n>] [TIMEOUT <seconds>]
#               [LABELS <label>...] [SERIAL])
#
# Adds one ctest test. With RANKS it runs under mpirun. SERIAL keeps other tests away while it runs, for
# what measures time. The time-out, which sanitizers prolong, ends mpirun, and mpirun its ranks.
function(rrfp_add_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "SERIAL" "NAME;RANKS;TIMEOUT" "COMMAND;LABELS")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 60)
  endif()
  math(EXPR arg_TIMEOUT "${arg_TIMEOUT} * ${RRFP_TEST_PATIENCE}")
  list(POP_FRONT arg_COMMAND program)
  if(TARGET ${program})
    set(program $<TARGET_FILE:${program}>)
  endif()
  set(launcher "")
  set(processors 1)
  if(arg_RANKS)
    # Ranks may outnumber cores, so nothing is bound to a core.
    set(launcher ${MPIEXEC_EXECUTABLE} --oversubscribe --bind-to none -n ${arg_RANKS})
    set(processors 2)
  endif()
  add_test(NAME ${arg_NAME} COMMAND ${launcher} ${program} ${arg_COMMAND})
  set_tests_properties(${arg_NAME} PROPERTIES TIMEOUT ${arg_TIMEOUT} PROCESSORS ${processors}
                                              LABELS "${arg_LABELS}" ENVIRONMENT "${RRFP_TEST_ENVIRONMENT}")
  if(arg_SERIAL)
    set_tests_properties(${arg_NAME} PROPERTIES RUN_SERIAL ON)
  endif()
endfunction()

# rrfp_add_test_folder(<layer> [LINKS <target>...])
#
# Makes tests of the current folder and below: all *_test.cpp in one program, <layer>_tests, whose cases
# ctest knows one by one; each <name>_ranks<N>_test.cpp a program of its own that runs on N ranks.
# The target test_<layer> builds them all.
function(rrfp_add_test_folder layer)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINKS")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp)
  set(rank_sources "${sources}")
  list(FILTER rank_sources INCLUDE REGEX "_ranks[0-9]+_test\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "_ranks[0-9]+_test\\.cpp$")

  set(programs "")
  if(sources)
    list(APPEND programs ${layer}_tests)
    add_executable(${layer}_tests ${sources})
    target_include_directories(${layer}_tests PRIVATE "${PROJECT_SOURCE_DIR}")
    target_link_libraries(${layer}_tests PRIVATE ${arg_LINKS} GTest::gmock GTest::gtest_main rrfp_warnings)
    gtest_discover_tests(
      ${layer}_tests TEST_PREFIX ${layer}. DISCOVERY_TIMEOUT 60
      PROPERTIES TIMEOUT ${RRFP_TEST_TIMEOUT} LABELS ${layer} ENVIRONMENT "${RRFP_TEST_ENVIRONMENT}")
  endif()
  foreach(source IN LISTS rank_sources)
    cmake_path(GET source STEM name)
    string(REGEX MATCH "_ranks([0-9]+)_test$" _ ${name})
    set(ranks ${CMAKE_MATCH_1})
    list(APPEND programs ${name})
    add_executable(${name} ${source})
    target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
    target_link_libraries(${name} PRIVATE ${arg_LINKS} rrfp_ranks_main rrfp_warnings)
    rrfp_add_test(NAME ${layer}.${name} COMMAND ${name} RANKS ${ranks} TIMEOUT 60 LABELS ${layer})
  endforeach()
  add_custom_target(test_${layer} DEPENDS ${programs})
endfunction()
