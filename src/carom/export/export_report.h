#pragma once
/// What came of an export, and how far it is.

#include <cstddef>
#include <cstdint>
#include <functional>

namespace carom {

struct ExportReport {
  std::size_t files = 0;
  std::uint64_t bytes = 0;  ///< of all of them
};

/// Called now and then with how much is done, from 0 to 1. What it throws ends the export.
using ExportProgress = std::function<void(double done)>;

}  // namespace carom
