# Compiler settings shared by all rooms, and carom_add_room(), which makes one.

include(CheckLinkerFlag)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

find_program(CAROM_CCACHE ccache)
if(CAROM_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CAROM_CCACHE}")
endif()

add_library(carom_settings INTERFACE)
# The same input gives the same bits in every build type: no fused operations behind the source's back. Nobody reads
# errno after a square root.
target_compile_options(carom_settings INTERFACE
  -ffp-contract=off -fno-math-errno -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # False alarms in std::string, GCC bug 105651.
  target_compile_options(carom_settings INTERFACE -Wno-restrict)
endif()
if(CAROM_WARNINGS_AS_ERRORS)
  target_compile_options(carom_settings INTERFACE -Werror)
endif()
if(CAROM_SANITIZE)
  target_compile_options(carom_settings INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(carom_settings INTERFACE -fsanitize=address,undefined)
endif()

find_program(CAROM_MOLD mold)
if(CAROM_MOLD)
  check_linker_flag(CXX -fuse-ld=mold CAROM_LINKS_WITH_MOLD)
  if(CAROM_LINKS_WITH_MOLD)
    target_link_options(carom_settings INTERFACE -fuse-ld=mold)
  endif()
endif()

# carom_precompile(TARGET HEADERS...): with CAROM_PRECOMPILE, the headers that most of its sources include. The build
# with sanitizers takes it; the release build does without, and so sees includes that are missing.
function(carom_precompile target)
  if(CAROM_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE <algorithm> <cmath> <optional> <string> <variant> <vector> ${ARGN})
  endif()
endfunction()

# carom_add_room(NAME SOURCES ... USES ...): one static library per room of src/carom.
# USES names the rooms it may include; tools/check_rooms holds the includes to the same arrows. LIBRARIES are those that
# its headers need, PRIVATE_LIBRARIES those of its sources alone. All headers of its folder are installed.
function(carom_add_room room)
  cmake_parse_arguments(ROOM "" "" "SOURCES;USES;LIBRARIES;PRIVATE_LIBRARIES" ${ARGN})
  add_library(carom_${room} STATIC ${ROOM_SOURCES})
  add_library(carom::${room} ALIAS carom_${room})
  set_target_properties(carom_${room} PROPERTIES EXPORT_NAME ${room})
  # A header is seen to compile on its own by the source of the same name, which includes it first (tools/check_rooms);
  # those without one are compiled for themselves, target all_verify_interface_header_sets.
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.h")
  file(GLOB_RECURSE generated_headers "${PROJECT_BINARY_DIR}/generated/carom/${room}/*.h")
  set(lone_headers ${generated_headers})
  foreach(header IN LISTS headers)
    cmake_path(REPLACE_EXTENSION header LAST_ONLY cpp OUTPUT_VARIABLE source)
    if(NOT EXISTS "${source}")
      list(APPEND lone_headers "${header}")
    endif()
  endforeach()
  list(REMOVE_ITEM headers ${lone_headers})
  set(roots "${PROJECT_SOURCE_DIR}/src" "${PROJECT_BINARY_DIR}/generated")
  target_sources(carom_${room} PUBLIC
    FILE_SET HEADERS BASE_DIRS ${roots} FILES ${headers}
    FILE_SET lone_headers TYPE HEADERS BASE_DIRS ${roots} FILES ${lone_headers})
  set_target_properties(carom_${room} PROPERTIES INTERFACE_HEADER_SETS_TO_VERIFY lone_headers)
  target_compile_features(carom_${room} PUBLIC cxx_std_20)
  target_link_libraries(carom_${room} PRIVATE $<BUILD_INTERFACE:carom_settings>)
  foreach(other IN LISTS ROOM_USES)
    target_link_libraries(carom_${room} PUBLIC carom_${other})
  endforeach()
  target_link_libraries(carom_${room} PUBLIC ${ROOM_LIBRARIES} PRIVATE ${ROOM_PRIVATE_LIBRARIES})
  set_property(GLOBAL APPEND PROPERTY CAROM_ROOMS carom_${room})
  if(NOT room MATCHES "^(base|numerics)$")
    carom_precompile(carom_${room} <Eigen/Core> <Eigen/Geometry>)
  endif()
  if(CAROM_SANITIZE)
    # The tests spend their time in the rooms: a little optimisation costs less here than it saves there.
    target_compile_options(carom_${room} PRIVATE -O1)
  endif()
endfunction()
