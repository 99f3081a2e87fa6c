#pragma once
/// The size of property tests.

#include <cstdlib>

namespace carom::test {

/// How many random cases a property test runs: `usual`, or the environment variable CAROM_PROPERTY_CASES if smaller.
inline int property_cases(int usual) {
  const char* text = std::getenv("CAROM_PROPERTY_CASES");
  const int wanted = text == nullptr ? usual : std::atoi(text);
  return wanted > 0 && wanted < usual ? wanted : usual;
}

}  // namespace carom::test
