# cpp-httplib as target Httplib::Httplib, in either of its two forms: header only, or, as Debian has it, a header and a
# library that was compiled with all options, which change the layout of its types and so have to be given again.
find_path(HTTPLIB_INCLUDE_DIR httplib.h)
find_library(HTTPLIB_LIBRARY NAMES cpp-httplib)
mark_as_advanced(HTTPLIB_INCLUDE_DIR HTTPLIB_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Httplib REQUIRED_VARS HTTPLIB_INCLUDE_DIR)

if(Httplib_FOUND AND NOT TARGET Httplib::Httplib)
  find_package(Threads REQUIRED)
  add_library(Httplib::Httplib INTERFACE IMPORTED)
  target_include_directories(Httplib::Httplib INTERFACE "${HTTPLIB_INCLUDE_DIR}")
  target_link_libraries(Httplib::Httplib INTERFACE Threads::Threads)
  if(HTTPLIB_LIBRARY)
    target_compile_definitions(Httplib::Httplib INTERFACE
      CPPHTTPLIB_OPENSSL_SUPPORT CPPHTTPLIB_ZLIB_SUPPORT CPPHTTPLIB_BROTLI_SUPPORT)
    target_link_libraries(Httplib::Httplib INTERFACE "${HTTPLIB_LIBRARY}")
  endif()
endif()
