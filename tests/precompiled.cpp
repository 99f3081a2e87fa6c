// The headers that are precompiled for all tests stand in CMakeLists.txt.
