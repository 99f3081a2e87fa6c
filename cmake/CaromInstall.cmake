# What `cmake --install` lays down: the tool, the libraries, the headers, find_package and pkg-config files.
