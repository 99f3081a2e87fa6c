#include "carom/record/writer_lock.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "carom/base/error.h"

namespace carom {
namespace {

constexpr off_t kLockedByte = off_t{1} << 60;

/// False where somebody has it already.
bool lock(int descriptor, short kind) {
  struct flock range {};
  range.l_type = kind;
  range.l_whence = SEEK_SET;
  range.l_start = kLockedByte;
  range.l_len = 1;
  return ::fcntl(descriptor, F_OFD_SETLK, &range) == 0 || (errno != EAGAIN && errno != EACCES);
}

/// Whether the path still means the file that is open.
bool is_file_of(int descriptor, const std::string& path) {
  struct stat open {
  }, named{};
  return ::fstat(descriptor, &open) == 0 && ::stat(path.c_str(), &named) == 0 && open.st_dev == named.st_dev &&
         open.st_ino == named.st_ino;
}

}  // namespace

WriterLock WriterLock::of_writer(const std::string& path) {
  WriterLock own(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (own.descriptor_ >= 0) lock(own.descriptor_, F_RDLCK);
  return own;
}

WriterLock WriterLock::to_go_on(const std::string& path) {
  for (;;) {
    WriterLock own(::open(path.c_str(), O_RDWR | O_CLOEXEC));
    if (own.descriptor_ < 0) return own;  // whoever writes it next says why
    const bool locked = lock(own.descriptor_, F_WRLCK);
    if (!is_file_of(own.descriptor_, path)) continue;  // somebody has replaced it meanwhile
    if (locked) return own;
    Place place;
    place.file = path;
    throw InputError(Kind::file, place, "the record '" + path + "' is being written by another process");
  }
}

WriterLock::WriterLock(WriterLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

WriterLock& WriterLock::operator=(WriterLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

WriterLock::~WriterLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace carom
