# What `cmake --install` lays down: the tool with its second program, the library with its public headers, find_package
# and pkg-config files.
include(CMakePackageConfigHelpers)

install(TARGETS carom_all EXPORT carom ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(CODE "
  set(carom_sources \"${PROJECT_SOURCE_DIR}/src\")
  set(carom_generated \"${PROJECT_BINARY_DIR}/generated\")
  set(carom_include_folder \"${CMAKE_INSTALL_INCLUDEDIR}\")")
install(SCRIPT "${PROJECT_SOURCE_DIR}/cmake/InstallPublicHeaders.cmake")

# find_package(carom): the target carom::carom.
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/carom")
install(EXPORT carom NAMESPACE carom:: FILE caromTargets.cmake DESTINATION "${package_dir}")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/caromConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/caromConfig.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/caromConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/caromConfig.cmake" "${PROJECT_BINARY_DIR}/caromConfigVersion.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/FindHDF5C.cmake" "${PROJECT_SOURCE_DIR}/cmake/FindFFTW3.cmake" DESTINATION "${package_dir}")

# pkg-config carom.
file(RELATIVE_PATH CAROM_WAY_TO_PREFIX "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
string(REGEX REPLACE "/$" "" CAROM_WAY_TO_PREFIX "${CAROM_WAY_TO_PREFIX}")
configure_file("${PROJECT_SOURCE_DIR}/cmake/carom.pc.in" "${PROJECT_BINARY_DIR}/carom.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/carom.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

install(TARGETS carom carom-reproduce RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")

# The tool itself writes its completion and its manual page.
set(written "${PROJECT_BINARY_DIR}/completions")
add_custom_command(OUTPUT "${written}/carom" "${written}/_carom" "${written}/carom.fish" "${written}/carom.1"
  COMMAND "${CMAKE_COMMAND}" -E make_directory "${written}"
  COMMAND carom completion bash > "${written}/carom"
  COMMAND carom completion zsh > "${written}/_carom"
  COMMAND carom completion fish > "${written}/carom.fish"
  COMMAND carom help --man > "${written}/carom.1"
  DEPENDS carom VERBATIM)
add_custom_target(carom_completion ALL
  DEPENDS "${written}/carom" "${written}/_carom" "${written}/carom.fish" "${written}/carom.1")
install(FILES "${written}/carom" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
install(FILES "${written}/_carom" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
install(FILES "${written}/carom.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
install(FILES "${written}/carom.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")

install(FILES LICENSE README.md CHANGELOG.md CITATION.cff DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY docs/ DESTINATION "${CMAKE_INSTALL_DOCDIR}")
