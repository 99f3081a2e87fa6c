#pragma once
/// Space on the disk, reserved before it is written to: a disk that is full is noticed before the HDF5 library, which
/// does not cope with it when it closes a file.

#include <cstddef>
#include <string>

namespace carom {

/// Reserves `bytes` behind the end of a file, whose size stays as it is. Throws InputError (file) with the reason. File
/// systems that cannot reserve do without.
void reserve_space(const std::string& path, std::size_t bytes);

/// Gives back what was reserved and not written to.
void give_back_space(const std::string& path);

}  // namespace carom
