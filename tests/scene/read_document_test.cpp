#include "carom/scene/document/read_document.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "scene/expect_error.h"

namespace carom::scene {
namespace {

class ReadDocument : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(::testing::TempDir()) / ("carom_" + std::string(test->name()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    std::string path = (folder_ / name).string();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  std::filesystem::path folder_;
};

TEST_F(ReadDocument, ABraceAtTheBeginningMeansJson) {
  EXPECT_EQ(parse_document("-", " \r\n\t{\"a\": 1}").syntax, Syntax::json);
  EXPECT_EQ(parse_document("-", "\xEF\xBB\xBF{}").syntax, Syntax::json);
  EXPECT_EQ(parse_document("-", "a = 1").syntax, Syntax::toml);
  EXPECT_EQ(parse_document("-", "").syntax, Syntax::toml);
}

TEST_F(ReadDocument, FilesAreReadAsTheyAre) {
  const Document document = read_document(write("a.json", "{\"a\": \"b\"}\n"));
  EXPECT_EQ(document.root.find("a")->string(), "b");
  EXPECT_EQ(document.source.text(), "{\"a\": \"b\"}\n");
}

TEST_F(ReadDocument, MissingFilesAndDirectoriesAreFileErrors) {
  const std::string missing = (folder_ / "missing.json").string();
  EXPECT_EQ(test::error_of([&] { read_document(missing); }), "file 0:0");
  EXPECT_EQ(test::message_of([&] { read_document(missing); }),
            "cannot read '" + missing + "': No such file or directory");
  EXPECT_EQ(test::error_of([&] { read_document(folder_.string()); }), "file 0:0");
  EXPECT_EQ(test::error_of([] { read_document(""); }), "file 0:0");
}

TEST_F(ReadDocument, TooLargeFilesAreRefused) {
  const std::string path = write("large.toml", "");
  std::filesystem::resize_file(path, kLargestInput + 1);  // a hole, not bytes on the disk
  EXPECT_EQ(test::error_of([&] { read_document(path); }), "limit 0:0");
}

TEST_F(ReadDocument, ErrorsCarryTheFileAndTheLine) {
  const std::string path = write("a.toml", "a = 1\nb = [1, x]\n");
  try {
    read_document(path);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.place().file, path);
    EXPECT_EQ(error.place().line, 2);
    EXPECT_EQ(error.place().column, 9);
    EXPECT_EQ(error.place().text, "b = [1, x]");
  }
}

TEST(Source, PlacesAtTheEndsOfLinesAreDefined) {
  const Source source("f", "ab\r\ncd\n");
  EXPECT_EQ(source.place(make_mark(0, 7)).length, 2);
  EXPECT_EQ(source.place(make_mark(2, 3)).column, 3);
  EXPECT_EQ(source.place(make_mark(3, 4)).column, 3);
  EXPECT_EQ(source.place(make_mark(6, 6)).column, 3);
  EXPECT_EQ(source.place(make_mark(7, 7)).line, 3);
  EXPECT_EQ(source.place(make_mark(7, 7)).length, 1);
  EXPECT_EQ(source.describe(make_mark(5, 6)), "line 2, column 2");
}

}  // namespace
}  // namespace carom::scene
