#pragma once
/// For tests of pictures: skipped where gnuplot is not installed.

#include <gtest/gtest.h>

#include "apps/tool.h"

namespace carom::test {

inline bool has_gnuplot() {
  static const bool found = shell("gnuplot --version").code == 0;
  return found;
}

}  // namespace carom::test

#define NEEDS_GNUPLOT() \
  if (!has_gnuplot()) GTEST_SKIP() << "gnuplot is not installed"
