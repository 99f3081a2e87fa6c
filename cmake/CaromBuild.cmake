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
  # Without these remissions ccache keeps nothing that was compiled with a precompiled header. Paths are kept relative
  # to the project, so that another clone of it on the same machine finds what this one has compiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}"
      CCACHE_NOHASHDIR=1 "${CAROM_CCACHE}")
endif()

add_library(carom_settings INTERFACE)
# The same input gives the same bits in every build type: no fused operations behind the source's back. Nobody reads
# errno after a square root. No path of the machine that compiled it is left in a program.
target_compile_options(carom_settings INTERFACE
  -ffp-contract=off -fno-math-errno "-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=" -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # False alarms in std::string, GCC bugs 105329 and 105651.
  target_compile_options(carom_settings INTERFACE -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds)
endif()
if(CAROM_WARNINGS_AS_ERRORS)
  target_compile_options(carom_settings INTERFACE -Werror)
endif()
if(CAROM_PRECOMPILE AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # Else ccache finds every precompiled header changed.
  target_compile_options(carom_settings INTERFACE "SHELL:-Xclang -fno-pch-timestamp")
endif()
if(CAROM_SANITIZE_THREADS)
  target_compile_options(carom_settings INTERFACE -fsanitize=thread -fno-omit-frame-pointer)
  target_link_options(carom_settings INTERFACE -fsanitize=thread)
  set(CAROM_LIBRARY_OPTIONS -O1)
endif()
if(CAROM_SANITIZE)
  target_compile_options(carom_settings INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(carom_settings INTERFACE -fsanitize=address,undefined)
  # The tests spend their time in the rooms: a little optimisation costs less here than it saves there.
  set(CAROM_LIBRARY_OPTIONS -O1)
endif()

find_program(CAROM_MOLD mold)
if(CAROM_MOLD)
  check_linker_flag(CXX -fuse-ld=mold CAROM_LINKS_WITH_MOLD)
  if(CAROM_LINKS_WITH_MOLD)
    target_link_options(carom_settings INTERFACE -fuse-ld=mold)
  endif()
endif()

# Most of a build is the reading of headers. So the sources of one folder are compiled as one (CAROM_UNITY), and what
# nearly all of them include is read once (CAROM_PRECOMPILE); neither changes what is computed. Names in unnamed
# namespaces are therefore unique within a folder, but in folders that are said to be APART.
#
# carom_join_sources(TARGET APART ...): APART names the folders where every file has the same names by design, such as
# one law per file, and single files. Sources with flags of their own stay apart by themselves.
function(carom_join_sources target)
  cmake_parse_arguments(JOIN "" "" "APART" ${ARGN})
  if(NOT CAROM_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH folder)
    get_source_file_property(options ${source} COMPILE_OPTIONS)
    get_source_file_property(definitions ${source} COMPILE_DEFINITIONS)
    if(source MATCHES "\\.cpp$" AND NOT folder IN_LIST JOIN_APART AND NOT source IN_LIST JOIN_APART
       AND NOT options AND NOT definitions)
      string(REGEX REPLACE "[^a-z0-9]+" "_" group "${target}_${folder}")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# The headers that are precompiled for all rooms together; programs have other flags and precompile for themselves.
set(CAROM_COMMON_HEADERS <algorithm> <array> <cmath> <functional> <limits> <map> <memory> <optional> <span> <string>
    <string_view> <utility> <variant> <vector> <Eigen/Core> <Eigen/Geometry> <fmt/format.h>)

# gcc takes the parameters of its optimisers from a precompiled header, so those who differ in them do not share one.
function(carom_precompile_headers name)
  set_property(GLOBAL APPEND PROPERTY CAROM_COMPILED_TOGETHER carom_${name})
  file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/generated/${name}.cpp" CONTENT "")
  add_library(carom_${name} OBJECT "${PROJECT_BINARY_DIR}/generated/${name}.cpp")
  target_link_libraries(carom_${name} PRIVATE carom_settings Eigen3::Eigen fmt::fmt)
  target_precompile_headers(carom_${name} PRIVATE ${CAROM_COMMON_HEADERS})
  target_compile_options(carom_${name} PRIVATE ${CAROM_LIBRARY_OPTIONS} ${ARGN})
endfunction()

# gcc stops inlining where a source has grown by two fifths; joined sources would reach that before their hot loops.
set(CAROM_HOT_OPTIONS $<$<CXX_COMPILER_ID:GNU>:--param=inline-unit-growth=400>)
# What reads, writes and prints waits for files and people: it is compiled quickly instead of for speed.
set(CAROM_COLD_OPTIONS $<$<CONFIG:Release>:-O1> $<$<BOOL:${CAROM_SANITIZE}>:-O0>)
if(CAROM_PRECOMPILE)
  carom_precompile_headers(common_headers)
  carom_precompile_headers(hot_headers ${CAROM_HOT_OPTIONS})
  carom_precompile_headers(cold_headers ${CAROM_COLD_OPTIONS})
endif()

# carom_compile_together(TARGET HOT|COLD APART ...): a library's sources joined, with the common headers precompiled.
# HOT: its hot loops are to be inlined as those of separate sources. COLD: it has none.
function(carom_compile_together target)
  cmake_parse_arguments(TOGETHER "HOT;COLD" "" "APART" ${ARGN})
  set_property(GLOBAL APPEND PROPERTY CAROM_COMPILED_TOGETHER ${target})
  carom_join_sources(${target} APART ${TOGETHER_APART})
  target_compile_options(${target} PRIVATE ${CAROM_LIBRARY_OPTIONS})
  set(headers carom_common_headers)
  if(TOGETHER_HOT)
    target_compile_options(${target} PRIVATE ${CAROM_HOT_OPTIONS})
    set(headers carom_hot_headers)
  elseif(TOGETHER_COLD)
    target_compile_options(${target} PRIVATE ${CAROM_COLD_OPTIONS})
    set(headers carom_cold_headers)
  endif()
  # The lowest rooms include too little of the common headers to gain by them.
  if(CAROM_PRECOMPILE AND NOT target MATCHES "^carom_(base|numerics)$")
    target_precompile_headers(${target} REUSE_FROM ${headers})
    target_compile_definitions(${target} PRIVATE $<TARGET_PROPERTY:fmt::fmt,INTERFACE_COMPILE_DEFINITIONS>)
  endif()
endfunction()

# carom_add_room(NAME HOT|COLD SOURCES ... APART ... USES ...): one static library per room of src/carom.
# HOT, COLD, APART: see carom_compile_together and carom_join_sources. USES names the rooms it may include; tools/check_rooms
# holds the includes to the same arrows. LIBRARIES are those that its headers need, PRIVATE_LIBRARIES those of its
# sources alone.
function(carom_add_room room)
  cmake_parse_arguments(ROOM "HOT;COLD" "" "SOURCES;APART;USES;LIBRARIES;PRIVATE_LIBRARIES" ${ARGN})
  add_library(carom_${room} STATIC ${ROOM_SOURCES})
  target_include_directories(carom_${room} PUBLIC "${PROJECT_SOURCE_DIR}/src" "${PROJECT_BINARY_DIR}/generated")
  target_compile_features(carom_${room} PUBLIC cxx_std_20)
  target_link_libraries(carom_${room} PRIVATE carom_settings)
  foreach(other IN LISTS ROOM_USES)
    target_link_libraries(carom_${room} PUBLIC carom_${other})
  endforeach()
  target_link_libraries(carom_${room} PUBLIC ${ROOM_LIBRARIES} PRIVATE ${ROOM_PRIVATE_LIBRARIES})
  set_property(GLOBAL APPEND PROPERTY CAROM_ROOMS carom_${room})
  set(temperature "")
  if(ROOM_HOT)
    set(temperature HOT)
  elseif(ROOM_COLD)
    set(temperature COLD)
  endif()
  carom_compile_together(carom_${room} ${temperature} APART ${ROOM_APART})
endfunction()

# carom_add_header_check(): the target header_check compiles headers on their own. Most headers are seen to compile by
# the source of the same name, which includes them first (tools/check_rooms) and is compiled for itself by the preset
# clang; the target takes those without one.
function(carom_add_header_check)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/carom/*.h")
  set(sources)
  foreach(header IN LISTS headers)
    cmake_path(REPLACE_EXTENSION header LAST_ONLY cpp OUTPUT_VARIABLE own_source)
    if(NOT EXISTS "${own_source}")
      cmake_path(RELATIVE_PATH header BASE_DIRECTORY "${PROJECT_SOURCE_DIR}/src" OUTPUT_VARIABLE name)
      set(source "${PROJECT_BINARY_DIR}/header_check/${name}.cpp")
      file(GENERATE OUTPUT "${source}" CONTENT "#include \"${name}\"\n")
      list(APPEND sources "${source}")
    endif()
  endforeach()
  get_property(rooms GLOBAL PROPERTY CAROM_ROOMS)
  add_library(header_check OBJECT EXCLUDE_FROM_ALL ${sources})
  target_link_libraries(header_check PRIVATE carom_settings ${rooms})
endfunction()
