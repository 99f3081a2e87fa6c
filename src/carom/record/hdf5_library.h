#pragma once
/// What our calls of the HDF5 library share: silence, reasons of failures, types. Only for the sources of this room.

#include <hdf5.h>

#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "carom/record/hdf5.h"

namespace carom::hdf5 {

/// While it lives, the library prints no errors of its own, and other threads wait: not every HDF5 is made for several.
class Quiet {
 public:
  Quiet();
  ~Quiet();
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  std::unique_lock<std::recursive_mutex> one_at_a_time_;
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

/// Why the last call failed: what the operating system says where the library knows it, otherwise the library's own
/// words.
std::string last_reason();

/// Throws InputError (file): "cannot <doing> 'path': <reason>".
[[noreturn]] void fail(const std::string& path, std::string_view doing, const std::string& reason = last_reason());

/// The identifier, which is negative where the call failed.
Handle checked(hid_t id, const std::string& path, std::string_view doing);
/// The same for calls that return no identifier.
void check(herr_t status, const std::string& path, std::string_view doing);

/// A type of UTF-8 texts of that many bytes, padded with zeros.
Handle text_type(std::size_t size);
/// Such texts, one behind the other, without the zeros.
std::vector<std::string> split_texts(std::string_view bytes, std::size_t size);
Handle memory_type(const Element& element);

}  // namespace carom::hdf5
