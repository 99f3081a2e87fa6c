#include "carom/export/whole_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "carom/base/error.h"
#include "record/fake_run.h"

namespace carom {
namespace {

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

class WholeFileTest : public testing::Test {
 protected:
  WholeFileTest() : path_(folder_.file("a.txt")) { std::ofstream(path_) << "old"; }
  [[nodiscard]] std::size_t files() const {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.file(""))) count += entry.exists() ? 1 : 0;
    return count;
  }
  test::ScratchFolder folder_;
  std::string path_;
};

TEST_F(WholeFileTest, AppearsWhenItIsKept) {
  WholeFile file(path_);
  file.write("new");
  EXPECT_EQ(read_text(path_), "old");
  file.keep();
  EXPECT_EQ(read_text(path_), "new");
  EXPECT_EQ(file.bytes_written(), 3u);
  EXPECT_EQ(files(), 1u);
}

TEST_F(WholeFileTest, IsRemovedWhenItIsNotKept) {
  {
    WholeFile file(path_);
    WholeFile moved(std::move(file));
    moved.write("new");
    EXPECT_EQ(files(), 2u);
  }
  EXPECT_EQ(read_text(path_), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(WholeFileTest, FollowsALink) {
  std::filesystem::create_symlink(path_, folder_.file("link"));
  WholeFile file(folder_.file("link"));
  file.write("new");
  file.keep();
  EXPECT_TRUE(std::filesystem::is_symlink(folder_.file("link")));
  EXPECT_EQ(read_text(path_), "new");
}

TEST_F(WholeFileTest, WritesToADeviceAtOnce) {
  WholeFile file("/dev/null");
  file.write("away");
  file.keep();
  EXPECT_FALSE(std::filesystem::is_regular_file("/dev/null"));
}

TEST_F(WholeFileTest, SaysWhereItCannotWrite) {
  const auto expect = [](const std::string& path, const std::string& part) {
    try {
      WholeFile file(path);
      file.write(std::string(1 << 20, 'x'));
      file.keep();
      ADD_FAILURE() << path;
    } catch (const InputError& error) {
      EXPECT_EQ(error.kind(), Kind::file);
      EXPECT_EQ(error.place().file, path);
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  expect(folder_.file("no/such.txt"), "No such file or directory");
  expect(folder_.file(""), "Is a directory");
  if (std::filesystem::exists("/dev/full")) expect("/dev/full", "No space left on device");
}

}  // namespace
}  // namespace carom
