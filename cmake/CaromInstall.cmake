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

install(TARGETS carom carom-reproduce RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT tool)

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
install(FILES "${written}/carom" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions"
  COMPONENT tool)
install(FILES "${written}/_carom" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions"
  COMPONENT tool)
install(FILES "${written}/carom.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d"
  COMPONENT tool)
install(FILES "${written}/carom.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1"
  COMPONENT tool)

install(FILES LICENSE README.md CHANGELOG.md CITATION.cff DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT tool)
install(DIRECTORY docs/ DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT tool)
install(DIRECTORY scenes/ DESTINATION "${CMAKE_INSTALL_DATADIR}/carom/scenes" COMPONENT tool)

# cpack -G DEB makes the package of the tool for the Debian it is built on; tools/check_package tries it in a clean root.
set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL tool)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_TOOL_PACKAGE_NAME carom)
set(CPACK_DEBIAN_TOOL_FILE_NAME DEB-DEFAULT)
set(CPACK_PACKAGE_VENDOR "Carom")
set(CPACK_PACKAGE_CONTACT "Carom project")
set(CPACK_DEBIAN_TOOL_PACKAGE_SECTION science)
set(CPACK_DEBIAN_TOOL_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_TOOL_PACKAGE_RECOMMENDS gnuplot-nox)
set(CPACK_DEBIAN_TOOL_PACKAGE_SUGGESTS "chromium-headless-shell | chromium, ffmpeg")
set(CPACK_COMPONENT_TOOL_DESCRIPTION "${PROJECT_DESCRIPTION}\nThe command carom with its scenes, its pages and its completion.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
include(CPack)
