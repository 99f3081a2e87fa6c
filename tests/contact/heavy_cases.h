#pragma once
/// The size of property tests whose single case is long: a run, a search, an integration.

#include <algorithm>

#include "support/property_cases.h"

namespace carom::test {

/// `usual`; where CAROM_PROPERTY_CASES asks for fewer than two thousand cases, in that proportion, but at least two.
inline int heavy_cases(int usual) {
  constexpr int kAll = 2000;
  return std::max(static_cast<int>(static_cast<long>(usual) * property_cases(kAll) / kAll), std::min(usual, 2));
}

}  // namespace carom::test
