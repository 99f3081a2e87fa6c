#pragma once
/// Who writes a record says so, so that nobody goes on with it at the same time.
///
/// A lock on a byte far behind the end of the file (open file description locks of Linux): it ends with the process,
/// however that ends, and stands in nobody's way who reads. File systems without locks have none.

#include <string>

namespace carom {

class WriterLock {
 public:
  WriterLock() = default;
  /// For the file that one writes: others can tell.
  static WriterLock of_writer(const std::string& path);
  /// For the file that one wants to go on with. Throws InputError (file) where a living process writes it.
  static WriterLock to_go_on(const std::string& path);

  WriterLock(WriterLock&& other) noexcept;
  WriterLock& operator=(WriterLock&& other) noexcept;
  ~WriterLock();

 private:
  explicit WriterLock(int descriptor) : descriptor_(descriptor) {}

  int descriptor_ = -1;
};

}  // namespace carom
