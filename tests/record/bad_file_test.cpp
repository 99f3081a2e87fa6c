/// Files that are no records, places that cannot be written to, disks that are full: each its own message.

#include <hdf5.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "carom/base/error.h"
#include "record/fake_run.h"

namespace carom::test {
namespace {

void write_text(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

template <class Work>
void expect_refusal(Kind kind, const std::string& file, const std::string& part, const Work& work) {
  try {
    work();
    ADD_FAILURE() << "no error";
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    EXPECT_EQ(error.place().file, file);
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find(file), std::string::npos) << error.what();
  }
}

void expect_unreadable(const std::string& file, const std::string& part, Kind kind = Kind::file) {
  expect_refusal(kind, file, part, [&file] { const RecordReader record(file); });
}

void expect_unwritable(const std::string& file, const std::string& part) {
  expect_refusal(Kind::file, file, part, [&file] { const RecordWriter writer(file, fake_model(), fake_header()); });
}

/// A small complete record.
std::string make_record(const ScratchFolder& folder, const std::string& name) {
  RecordWriter writer(folder.file(name), fake_model(), fake_header());
  tell(writer, 0, 100);
  writer.finish(RunStop::duration, "{}");
  return folder.file(name);
}

TEST(BadRecord, WhatCannotBeReadIsRefusedWithItsReason) {
  const ScratchFolder folder;
  expect_unreadable(folder.file("none.h5"), "there is no such file");
  expect_unreadable(folder.file(""), "it is a folder");
  write_text(folder.file("text.h5"), "format = 1\n");
  expect_unreadable(folder.file("text.h5"), "it is not an HDF5 file");
  write_text(folder.file("empty.h5"), "");
  expect_unreadable(folder.file("empty.h5"), "it is not an HDF5 file");
}

TEST(BadRecord, AnHdf5FileOfSomebodyElseIsNoRecord) {
  const ScratchFolder folder;
  const std::string path = folder.file("foreign.h5");
  H5Fclose(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  expect_unreadable(path, "no record of carom");
  EXPECT_FALSE(is_record(path));
  expect_unwritable(path, "left as it is");
}

TEST(BadRecord, WhatCannotBeWrittenIsRefusedWithItsReason) {
  const ScratchFolder folder;
  expect_unwritable(folder.file("no-such-folder/run.h5"), "No such file or directory");
  expect_unwritable(folder.file(""), "it is a folder");
  write_text(folder.file("text"), "hello");
  expect_unwritable(folder.file("text/run.h5"), "Not a directory");
  expect_unwritable(folder.file("text"), "left as it is");
  EXPECT_EQ(text_of(folder.file("text")), "hello");
  expect_unwritable("/dev/null", "not an ordinary file");
}

TEST(BadRecord, AFolderWithoutRightsIsRefused) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  const ScratchFolder folder;
  std::filesystem::permissions(folder.file(""),
                               std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  expect_unwritable(folder.file("run.h5"), "Permission denied");
  std::filesystem::permissions(folder.file(""), std::filesystem::perms::owner_all);
}

TEST(BadRecord, RecordsAndEmptyFilesAreReplacedAlsoBehindLinks) {
  const ScratchFolder folder;
  const std::string path = make_record(folder, "run.h5");
  std::filesystem::create_symlink(path, folder.file("link.h5"));
  const RecordWriter writer(folder.file("link.h5"), fake_model(), fake_header());
  EXPECT_TRUE(std::filesystem::is_symlink(folder.file("link.h5")));
  EXPECT_FALSE(RecordReader(path).info().complete);
  write_text(folder.file("empty.h5"), "");
  EXPECT_NO_THROW(RecordWriter(folder.file("empty.h5"), fake_model(), fake_header()));
}

TEST(BadRecord, TwoWritersOfOneFileAreNoticed) {
  const ScratchFolder folder;
  const std::string path = folder.file("run.h5");
  RecordWriter first(path, fake_model(), fake_header());
  tell(first, 0, 10);
  first.flush();
  RecordWriter second(path, fake_model(), fake_header());
  tell(second, 0, 30);
  second.flush();
  tell(first, 10, 20);
  expect_refusal(Kind::file, path, "does another program write to it?", [&first] { first.flush(); });
  RecordReader record(path);
  EXPECT_EQ(expect_beginning_of_fake_run(record), 30);
}

/// Files may not grow beyond `bytes`; what exceeds that is an error of the write, as on a full disk.
void limit_file_size(rlim_t bytes) {
  ::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{bytes, bytes};
  if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(99);
}

TEST(BadRecord, AFullDiskIsAnErrorAndWhatWasWrittenStays) {
  const ScratchFolder folder;
  const std::string path = folder.file("run.h5");
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    limit_file_size(32u << 20);
    int code = 1;
    try {
      RecordWriter writer(path, fake_model(), fake_header(), {1e9, std::size_t{1} << 20});
      tell(writer, 0, 10'000'000);
    } catch (const InputError& error) {
      const bool said = std::string(error.what()).find("File too large") != std::string::npos;
      code = error.kind() == Kind::file && said ? 0 : 2;
    }
    std::exit(code);  // with all that the library does at the end of a process
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  RecordReader record(path);
  EXPECT_GT(expect_beginning_of_fake_run(record), 10'000);
  EXPECT_FALSE(record.info().complete);
}

}  // namespace
}  // namespace carom::test
