#include "support/places.h"

namespace carom::test {

std::string project_file(const std::string& path) {
  const std::string root = CAROM_PROJECT_FOLDER;
  return path.empty() ? root : root + "/" + path;
}

std::string test_data(const std::string& path) {
  return project_file("tests/data/" + path);
}

std::string scene_path(const std::string& name) {
  return project_file("scenes/" + name + ".toml");
}

std::string tool_path() {
  return CAROM_TOOL_PATH;
}

}  // namespace carom::test
