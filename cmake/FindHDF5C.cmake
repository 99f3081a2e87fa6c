# The serial HDF5 library with its C interface and the dimension scales of its high-level part, as target HDF5C::HDF5C.
# CMake's own FindHDF5 wants a C compiler in every project that uses an installed carom; a header and two libraries are
# all that is needed.
find_path(HDF5C_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial)
find_library(HDF5C_LIBRARY NAMES hdf5_serial hdf5 PATH_SUFFIXES hdf5/serial)
find_library(HDF5C_HL_LIBRARY NAMES hdf5_serial_hl hdf5_hl PATH_SUFFIXES hdf5/serial)
mark_as_advanced(HDF5C_INCLUDE_DIR HDF5C_LIBRARY HDF5C_HL_LIBRARY)

if(HDF5C_INCLUDE_DIR AND EXISTS "${HDF5C_INCLUDE_DIR}/H5public.h")
  file(STRINGS "${HDF5C_INCLUDE_DIR}/H5public.h" lines REGEX "#define H5_VERS_(MAJOR|MINOR|RELEASE) ")
  string(REGEX REPLACE "[^0-9]*H5_VERS_[A-Z]+[ \t]+([0-9]+)[^;]*" "\\1" numbers "${lines}")
  string(REPLACE ";" "." HDF5C_VERSION "${numbers}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(HDF5C REQUIRED_VARS HDF5C_LIBRARY HDF5C_HL_LIBRARY HDF5C_INCLUDE_DIR
  VERSION_VAR HDF5C_VERSION)

if(HDF5C_FOUND AND NOT TARGET HDF5C::HDF5C)
  add_library(HDF5C::HDF5C UNKNOWN IMPORTED)
  set_target_properties(HDF5C::HDF5C PROPERTIES
    IMPORTED_LOCATION "${HDF5C_HL_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${HDF5C_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${HDF5C_LIBRARY}")
endif()
