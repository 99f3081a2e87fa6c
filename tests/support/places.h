#pragma once

#include <string>

/// Where the tests find their files. The folders of the clone stand in one source, so that the tests themselves compile
/// to the same in every clone.

namespace carom::test {

/// A file of the project, by its path from the root; the root itself without one.
std::string project_file(const std::string& path = {});

/// A file of tests/data.
std::string test_data(const std::string& path);

/// A shipped scene by its name, without folder and ending.
std::string scene_path(const std::string& name);

/// The tool that was built with the tests; only for those that depend on it.
std::string tool_path();

}  // namespace carom::test
