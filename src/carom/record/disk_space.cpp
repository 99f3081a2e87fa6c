#include "carom/record/disk_space.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "carom/base/error.h"

namespace carom {
namespace {

[[noreturn]] void refuse(const std::string& path, int reason) {
  Place place;
  place.file = path;
  throw InputError(Kind::file, place, "cannot write to '" + path + "': " + std::generic_category().message(reason));
}

/// A file descriptor, closed with this object.
class Descriptor {
 public:
  explicit Descriptor(const std::string& path) : number_(::open(path.c_str(), O_WRONLY | O_CLOEXEC)) {
    if (number_ < 0) refuse(path, errno);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { ::close(number_); }
  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] off_t size(const std::string& path) const {
    struct stat status {};
    if (::fstat(number_, &status) != 0) refuse(path, errno);
    return status.st_size;
  }

 private:
  int number_;
};

}  // namespace

void reserve_space(const std::string& path, std::size_t bytes) {
  const Descriptor file(path);
  const off_t end = file.size(path);
  const auto reserved = static_cast<off_t>(bytes);
  // Limits to the size of a file do not show in a reservation.
  if (::ftruncate(file.number(), end + reserved) != 0 || ::ftruncate(file.number(), end) != 0) refuse(path, errno);
#ifdef FALLOC_FL_KEEP_SIZE
  if (::fallocate(file.number(), FALLOC_FL_KEEP_SIZE, end, reserved) == 0) return;
  if (errno != EOPNOTSUPP && errno != ENOSYS) refuse(path, errno);
#endif
}

void give_back_space(const std::string& path) {
  const Descriptor file(path);
  if (::ftruncate(file.number(), file.size(path)) != 0) refuse(path, errno);
}

}  // namespace carom
