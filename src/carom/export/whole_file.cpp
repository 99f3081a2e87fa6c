#include "carom/export/whole_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "carom/base/error.h"
#include "carom/base/utf8.h"

namespace carom {

WholeFile::WholeFile(std::string path) : path_(std::move(path)), target_(path_) {
  std::error_code error;
  if (std::filesystem::is_symlink(path_, error)) {
    const std::filesystem::path target = std::filesystem::weakly_canonical(path_, error);
    if (!error) target_ = target.string();
  }
  const bool special = std::filesystem::is_other(target_, error);
  if (!special) part_ = fmt::format("{}.{}.part", target_, ::getpid());
  if (std::filesystem::is_directory(target_, error)) fail(EISDIR);
  file_.reset(std::fopen(part_path().c_str(), "wb"));
  if (file_) return;
  const int reason = errno;
  part_.clear();
  fail(reason);
}

WholeFile::~WholeFile() {
  file_.reset();
  if (!part_.empty()) std::remove(part_.c_str());
}

void WholeFile::write(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) fail(errno);
  bytes_ += bytes.size();
}

void WholeFile::keep() {
  if (std::fclose(file_.release()) != 0) fail(errno);
  if (part_.empty()) return;
  if (std::rename(part_.c_str(), target_.c_str()) != 0) fail(errno);
  part_.clear();
}

void WholeFile::fail(int error) const {
  Place place;
  place.file = path_;
  throw InputError(Kind::file, place,
                   fmt::format("cannot write '{}': {}", printable(path_, 200), std::generic_category().message(error)));
}

}  // namespace carom
