# What `cmake --install` lays down: the tool with its second program, the libraries, the headers, find_package and pkg-config files.
include(CMakePackageConfigHelpers)

get_property(rooms GLOBAL PROPERTY CAROM_ROOMS)
install(TARGETS ${rooms} carom_all EXPORT carom
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILE_SET lone_headers DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")

# find_package(carom): carom::carom is everything, carom::laws and so on one room each.
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/carom")
install(EXPORT carom NAMESPACE carom:: FILE caromTargets.cmake DESTINATION "${package_dir}")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/caromConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/caromConfig.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/caromConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/caromConfig.cmake" "${PROJECT_BINARY_DIR}/caromConfigVersion.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/FindHDF5C.cmake" "${PROJECT_SOURCE_DIR}/cmake/FindFFTW3.cmake"
  DESTINATION "${package_dir}")

# pkg-config carom: static libraries, so a room comes before those it uses.
set(CAROM_LIBRARY_FLAGS "")
foreach(room IN LISTS rooms)
  string(PREPEND CAROM_LIBRARY_FLAGS "-l${room} ")
endforeach()
string(STRIP "${CAROM_LIBRARY_FLAGS}" CAROM_LIBRARY_FLAGS)
file(RELATIVE_PATH CAROM_WAY_TO_PREFIX "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
string(REGEX REPLACE "/$" "" CAROM_WAY_TO_PREFIX "${CAROM_WAY_TO_PREFIX}")
configure_file("${PROJECT_SOURCE_DIR}/cmake/carom.pc.in" "${PROJECT_BINARY_DIR}/carom.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/carom.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

install(TARGETS carom carom-reproduce RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")

# The tool itself writes its completion for bash.
set(completion "${PROJECT_BINARY_DIR}/completions/carom")
add_custom_command(OUTPUT "${completion}"
  COMMAND "${CMAKE_COMMAND}" -E make_directory "${PROJECT_BINARY_DIR}/completions"
  COMMAND carom completion bash > "${completion}"
  DEPENDS carom VERBATIM)
add_custom_target(carom_completion ALL DEPENDS "${completion}")
install(FILES "${completion}" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")

install(FILES LICENSE README.md CHANGELOG.md CITATION.cff DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY docs/ DESTINATION "${CMAKE_INSTALL_DOCDIR}")
