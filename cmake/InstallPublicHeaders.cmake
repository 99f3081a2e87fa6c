# Installs the public headers: carom.h and what it includes, directly or through others. Everything else is internal.
# Found when it is installed, so that a changed include does not ask for a new configuration.
#   carom_sources, carom_generated   where headers are looked for
#   carom_include_folder             where they go, below the prefix
cmake_policy(VERSION 3.25)
cmake_path(ABSOLUTE_PATH carom_include_folder BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}" OUTPUT_VARIABLE destination)
set(known carom/carom.h)
set(waiting ${known})
while(waiting)
  list(POP_FRONT waiting name)
  find_file(header "${name}" PATHS "${carom_sources}" "${carom_generated}" NO_DEFAULT_PATH NO_CACHE REQUIRED)
  cmake_path(GET name PARENT_PATH folder)
  file(INSTALL "${header}" DESTINATION "${destination}/${folder}")
  file(STRINGS "${header}" lines REGEX "^#include \"carom/")
  unset(header)
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" included "${line}")
    if(NOT included IN_LIST known)
      list(APPEND known "${included}")
      list(APPEND waiting "${included}")
    endif()
  endforeach()
endwhile()
