# The first Python that can have the module: one with Python.h and numpy. Sets SERVING_PYTHON (the interpreter; empty:
# none), SERVING_PYTHON_INCLUDE, SERVING_PYTHON_SUFFIX (of compiled modules) and SERVING_PYTHON_WHY (of what was found).
#
# -DCAROM_PYTHON_EXECUTABLE=... names one; otherwise every python3 of the PATH is asked in its order, then Debian's.
# The python3 that a shell finds first is often one of a version manager, without headers and numpy.

set(CAROM_PYTHON_EXECUTABLE "" CACHE FILEPATH "The interpreter to build the Python module for; empty: the first that serves")

set(candidates "${CAROM_PYTHON_EXECUTABLE}")
if(NOT candidates)
  cmake_path(CONVERT "$ENV{PATH}" TO_CMAKE_PATH_LIST folders)
  foreach(folder IN LISTS folders ITEMS /usr/bin)
    if(EXISTS "${folder}/python3")
      list(APPEND candidates "${folder}/python3")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES candidates)
endif()

set(question [=[
import os, sys, sysconfig
include = sysconfig.get_path("include")
if not os.path.exists(os.path.join(include, "Python.h")): sys.exit("has no Python.h")
if sys.version_info < (3, 9): sys.exit("is older than 3.9")
try: import numpy
except ImportError: sys.exit("has no numpy")
print(include, sysconfig.get_config_var("EXT_SUFFIX"), sep=";", end="")
]=])

set(SERVING_PYTHON "")
set(SERVING_PYTHON_WHY "")
foreach(candidate IN LISTS candidates)
  execute_process(COMMAND "${candidate}" -c "${question}" OUTPUT_VARIABLE answer ERROR_VARIABLE reason RESULT_VARIABLE status
    TIMEOUT 60)
  string(REGEX REPLACE "^.*\n" "" answer "${answer}")  # a wrapper may say something first
  list(LENGTH answer parts)
  if("${status}" STREQUAL "0" AND parts EQUAL 2)
    set(SERVING_PYTHON "${candidate}")
    list(GET answer 0 SERVING_PYTHON_INCLUDE)
    list(GET answer 1 SERVING_PYTHON_SUFFIX)
    break()
  endif()
  string(STRIP "${reason}" reason)
  string(REGEX REPLACE "^.*\n" "" reason "${reason}")
  if(NOT reason)
    set(reason "does not run (${status})")
  endif()
  list(APPEND SERVING_PYTHON_WHY "${candidate} ${reason}")
endforeach()
if(NOT SERVING_PYTHON_WHY)
  set(SERVING_PYTHON_WHY "there is no python3")
endif()
list(JOIN SERVING_PYTHON_WHY ", " SERVING_PYTHON_WHY)
