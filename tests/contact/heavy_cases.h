#pragma once
/// The size of property tests whose single case is long: a run, a search, an integration.

#include <algorithm>

#include "support/property_cases.h"

namespace carom::test {

/// `usual`, or a twentieth of it (at least two) where fewer property cases are asked for, as the slower builds do.
inline int heavy_cases(int usual) {
  constexpr int kMany = 1'000'000;
  return property_cases(kMany) < kMany ? std::max(usual / 20, 2) : usual;
}

}  // namespace carom::test
