#include "carom/record/hdf5_superblock.h"

#include <fcntl.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "carom/base/error.h"

namespace carom::hdf5 {
namespace {

constexpr std::size_t kVersion = 8, kOffsetSize = 9, kMark = 11, kEndOfFile = 28, kChecksum = 44;

[[noreturn]] void refuse(const std::string& path, const std::string& reason) {
  Place place;
  place.file = path;
  throw InputError(Kind::file, place, "cannot write to '" + path + "': " + reason);
}

std::uint64_t little_endian(const unsigned char* bytes, int count) {
  std::uint64_t value = 0;
  for (int i = count - 1; i >= 0; --i) value = value << 8 | bytes[i];
  return value;
}

void put_little_endian(unsigned char* bytes, int count, std::uint64_t value) {
  for (int i = 0; i < count; ++i) bytes[i] = static_cast<unsigned char>(value >> 8 * i);
}

/// lookup3 of the 44 bytes before the checksum: three blocks of 12 bytes are mixed in, then the last 8.
std::uint32_t checksum(const unsigned char* bytes) {
  const auto word = [bytes](std::size_t index) {
    return static_cast<std::uint32_t>(little_endian(bytes + 4 * index, 4));
  };
  std::uint32_t a = 0xdeadbeefu + kChecksum, b = a, c = a;
  const auto mix = [](std::uint32_t& x, std::uint32_t& y, std::uint32_t& z, int turn) {
    x = (x - z) ^ std::rotl(z, turn);
    z += y;
  };
  for (std::size_t block = 0; block < 3; ++block) {
    a += word(3 * block);
    b += word(3 * block + 1);
    c += word(3 * block + 2);
    mix(a, b, c, 4);
    mix(b, c, a, 6);
    mix(c, a, b, 8);
    mix(a, b, c, 16);
    mix(b, c, a, 19);
    mix(c, a, b, 4);
  }
  a += word(9);
  b += word(10);
  const auto finish = [](std::uint32_t& x, std::uint32_t y, int turn) { x = (x ^ y) - std::rotl(y, turn); };
  finish(c, b, 14);
  finish(a, c, 11);
  finish(b, a, 25);
  finish(c, b, 16);
  finish(a, c, 4);
  finish(b, a, 14);
  finish(c, b, 24);
  return c;
}

/// A file descriptor, closed with this object.
class Descriptor {
 public:
  explicit Descriptor(const std::string& path) : number_(::open(path.c_str(), O_WRONLY | O_CLOEXEC)) {
    if (number_ < 0) refuse(path, std::generic_category().message(errno));
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { ::close(number_); }
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

}  // namespace

Superblock::Superblock(const std::string& path) : path_(path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse(path, std::generic_category().message(errno));
  file.read(reinterpret_cast<char*>(bytes_.data()), kSize);
  const bool known = file && std::memcmp(bytes_.data(), "\x89HDF\r\n\x1a\n", kVersion) == 0 && bytes_[kVersion] == 3 &&
                     bytes_[kOffsetSize] == 8 && bytes_[kMark] == 0;
  if (!known || little_endian(&bytes_[kChecksum], 4) != checksum(bytes_.data())) {
    refuse(path, "it is no longer the file that it was; does another program write to it?");
  }
}

std::uint64_t Superblock::end_of_file() const {
  return little_endian(&bytes_[kEndOfFile], 8);
}

void Superblock::reserve(std::size_t bytes) const {
#ifdef FALLOC_FL_KEEP_SIZE
  const Descriptor file(path_);
  const auto end = static_cast<off_t>(end_of_file());
  if (::fallocate(file.number(), FALLOC_FL_KEEP_SIZE, end, static_cast<off_t>(bytes)) == 0) return;
  if (errno == EOPNOTSUPP || errno == ENOSYS) return;
  const std::string reason = std::generic_category().message(errno);
  give_back();
  refuse(path_, reason);
#else
  (void)bytes;
#endif
}

void Superblock::extend_without_mark(std::size_t bytes) {
  const Descriptor file(path_);
  const std::uint64_t end = end_of_file() + bytes;
  if (::ftruncate(file.number(), static_cast<off_t>(end)) != 0) {
    refuse(path_, std::generic_category().message(errno));
  }
  put_little_endian(&bytes_[kEndOfFile], 8, end);
  put_little_endian(&bytes_[kChecksum], 4, checksum(bytes_.data()));
  if (::pwrite(file.number(), bytes_.data(), kSize, 0) != static_cast<ssize_t>(kSize)) {
    refuse(path_, std::generic_category().message(errno));
  }
}

void Superblock::give_back() const {
  const Descriptor file(path_);
  if (::ftruncate(file.number(), static_cast<off_t>(end_of_file())) != 0) {
    refuse(path_, std::generic_category().message(errno));
  }
}

}  // namespace carom::hdf5
