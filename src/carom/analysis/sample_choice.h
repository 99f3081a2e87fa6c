#pragma once
/// Which samples of a record are used.

#include <cstddef>

#include "carom/analysis/quantity_reader.h"

namespace carom {

struct SampleChoice {
  TimeSpan span;          ///< samples and events outside are left out
  std::size_t every = 1;  ///< every so many samples, counted from the first within the span
};

}  // namespace carom
