#pragma once
/// The first 48 bytes of an HDF5 file (superblock, version 3), and why we write them ourselves while a file grows.
///
/// The library marks a file that is open for writing, and plain readers refuse a marked file, for ever if its writer
/// was killed. As the order of writes in single-writer mode leaves the file readable all the time, the mark can go.
/// What plain readers need besides is an end of file beyond everything that is referred to, and a file of that size.
/// So:
///   1. before the library opens the file, room for the rows is reserved on the disk (a full disk is noticed here,
///      before anything has changed; file systems that cannot reserve do without);
///   2. when it is open, the file is made longer by that room (unseen by the library, which would cut it off too
///   early),
///      and the superblock is written without mark and with the new end;
///   3. the library writes its own superblock when it closes the file; then what was not needed is given back.
///
/// Layout: HDF5 File Format Specification 3.0, section II.A; checksum: Jenkins' lookup3.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace carom::hdf5 {

class Superblock {
 public:
  /// Reads that of a closed file. Throws InputError (file) where there is none of version 3 or its checksum is wrong.
  explicit Superblock(const std::string& path);

  /// Step 1. Throws InputError (file) with the reason.
  void reserve(std::size_t bytes) const;
  /// Step 2. Throws likewise.
  void extend_without_mark(std::size_t bytes);
  /// Step 3.
  void give_back() const;

 private:
  static constexpr std::size_t kSize = 48;
  [[nodiscard]] std::uint64_t end_of_file() const;

  std::string path_;
  std::array<unsigned char, kSize> bytes_{};
};

}  // namespace carom::hdf5
