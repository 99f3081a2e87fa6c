/// That VTK itself can read the files is checked by check_vtk_files.py; here is what does not need it.
#include "carom/export/vtk.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "analysis/scene_run.h"
#include "carom/base/error.h"

namespace carom::vtk_export_test {
namespace {

using test::ScratchFolder;

constexpr const char* kScene = R"(
format = 1
[world]
gravity = [0, 0, -10]
[run]
duration = 1
output_step = 0.1
[[body]]
name = "ball"
shape = { kind = "sphere", radius = 0.1 }
mass = 1
position = [0, 0, 1.1]
[[plane]]
name = "floor"
normal = [0, 0, 1]
)";

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::size_t count_files(const std::string& folder) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files += entry.exists() ? 1 : 0;
  return files;
}

class VtkExport : public testing::Test {
 protected:
  VtkExport() : scene_(test::record_scene(kScene, folder_.file("run.h5"))), record_(folder_.file("run.h5")) {}
  ScratchFolder folder_;
  scene::SceneFile scene_;
  RecordReader record_;
};

TEST_F(VtkExport, EveryFrameHasItsFilesAndTheCollectionNamesThem) {
  const std::string folder = folder_.file("vtk");
  const ExportReport report = export_vtk(record_, scene_, folder);
  const std::size_t frames = record_.sample_count();
  EXPECT_EQ(frames, 11u);
  EXPECT_EQ(report.files, 3 * frames + 2);
  EXPECT_EQ(count_files(folder), report.files);
  const std::string collection = read_text(folder + "/run.pvd");
  std::size_t entries = 0;
  for (std::size_t at = collection.find("file=\""); at != std::string::npos; at = collection.find("file=\"", at + 1)) {
    const std::string name = collection.substr(at + 6, collection.find('"', at + 6) - at - 6);
    EXPECT_TRUE(std::filesystem::exists(folder + "/" + name)) << name;
    ++entries;
  }
  EXPECT_EQ(entries, 4 * frames);
}

TEST_F(VtkExport, AShorterExportRemovesTheFramesOfALongerOneAndNothingElse) {
  const std::string folder = folder_.file("vtk");
  export_vtk(record_, scene_, folder);
  std::ofstream(folder + "/mine.vtp") << "mine";
  std::ofstream(folder + "/bodies_of_mine_000000.vtp") << "mine";
  const ExportReport report = export_vtk(record_, scene_, folder, {{0.0, 0.5}, 2});
  EXPECT_EQ(report.files, 3 * 3u + 2);
  EXPECT_EQ(count_files(folder), report.files + 2);
  EXPECT_EQ(read_text(folder + "/mine.vtp"), "mine");
}

TEST_F(VtkExport, AnExportThatIsStoppedLeavesNoHalfFilesAndTheOldCollection) {
  const std::string folder = folder_.file("vtk");
  export_vtk(record_, scene_, folder);
  const std::string collection = read_text(folder + "/run.pvd");
  const std::size_t files = count_files(folder);
  struct Stop {};
  EXPECT_THROW(export_vtk(record_, scene_, folder, {}, [](double) { throw Stop{}; }), Stop);
  EXPECT_EQ(read_text(folder + "/run.pvd"), collection);
  EXPECT_EQ(count_files(folder), files);
  EXPECT_THROW(export_vtk(record_, scene_, folder, {{}, 0}), InputError);
  EXPECT_THROW(export_vtk(record_, scene_, folder + "/run.pvd"), InputError);
}

}  // namespace
}  // namespace carom::vtk_export_test
