#pragma once
/// What of a record is exported, and what came of it.

#include <cstddef>
#include <cstdint>
#include <functional>

#include "carom/analysis/quantity_reader.h"

namespace carom {

struct ExportChoice {
  TimeSpan span;          ///< samples and events outside are left out
  std::size_t every = 1;  ///< every so many samples, counted from the first within the span
};

struct ExportReport {
  std::size_t files = 0;
  std::uint64_t bytes = 0;  ///< of all of them
};

/// Told now and then: how much is done, from 0 to 1. What it throws ends the export.
using ExportProgress = std::function<void(double done)>;

}  // namespace carom
