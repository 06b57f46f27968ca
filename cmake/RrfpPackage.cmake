# The installed package: find_package(rrfp COMPONENTS core simulation ...).
include(CMakePackageConfigHelpers)
set(_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/rrfp)
configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/rrfpConfig.cmake.in" "${PROJECT_BINARY_DIR}/rrfpConfig.cmake"
  INSTALL_DESTINATION ${_package_dir})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/rrfpConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/rrfpConfig.cmake" "${PROJECT_BINARY_DIR}/rrfpConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/FindStarPU.cmake" "${PROJECT_SOURCE_DIR}/cmake/FindDLPack.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/FindRrfpTorch.cmake"
        DESTINATION ${_package_dir})
install(EXPORT rrfpTargets NAMESPACE rrfp:: DESTINATION ${_package_dir})
