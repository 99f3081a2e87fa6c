# The Fourier transforms of FFTW 3 in double precision, as target FFTW3::FFTW3. The configuration that FFTW itself
# installs names no include folder; a header and a library are all that is needed.
find_path(FFTW3_INCLUDE_DIR fftw3.h)
find_library(FFTW3_LIBRARY NAMES fftw3)
mark_as_advanced(FFTW3_INCLUDE_DIR FFTW3_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(FFTW3 REQUIRED_VARS FFTW3_LIBRARY FFTW3_INCLUDE_DIR)

if(FFTW3_FOUND AND NOT TARGET FFTW3::FFTW3)
  add_library(FFTW3::FFTW3 UNKNOWN IMPORTED)
  set_target_properties(FFTW3::FFTW3 PROPERTIES
    IMPORTED_LOCATION "${FFTW3_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${FFTW3_INCLUDE_DIR}")
endif()
