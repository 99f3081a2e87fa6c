/// Rows that depend on others, by how far they are from the span of those that are kept.

#include "carom/numerics/independent_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "carom/base/random.h"

namespace carom::test {
namespace {

void make_unit(std::vector<double>& rows, int n) {
  for (std::size_t first = 0; first < rows.size(); first += static_cast<std::size_t>(n)) {
    double square = 0.0;
    for (std::size_t k = first; k < first + static_cast<std::size_t>(n); ++k) square += rows[k] * rows[k];
    for (std::size_t k = first; k < first + static_cast<std::size_t>(n); ++k) rows[k] /= std::sqrt(square);
  }
}

TEST(IndependentRows, KeepsAsManyAsThereAreDirections) {
  Random random(5);
  for (int round = 0; round < 50; ++round) {
    const int n = 12, basis = random.integer(1, 8), more = random.integer(0, 6);
    std::vector<double> rows;
    for (int k = 0; k < basis * n; ++k) rows.push_back(random.uniform(-1.0, 1.0));
    for (int k = 0; k < more; ++k) {
      std::vector<double> sum(static_cast<std::size_t>(n), 0.0);
      for (int b = 0; b < basis; ++b) {
        const double part = random.uniform(-1.0, 1.0);
        for (int i = 0; i < n; ++i)
          sum[static_cast<std::size_t>(i)] += part * rows[static_cast<std::size_t>(b * n + i)];
      }
      rows.insert(rows.begin() + n * random.integer(0, basis + k), sum.begin(), sum.end());
    }
    make_unit(rows, n);
    IndependentRows independent;
    independent.choose(rows, basis + more, n, 1e-10);
    EXPECT_EQ(std::count(independent.left_out().begin(), independent.left_out().end(), 0), basis);
    EXPECT_GT(independent.least_distance(), 1e-10);
  }
}

TEST(IndependentRows, TellsDistancesOfWhichTheSquaresAreRoundOff) {
  for (const double distance : {1e-3, 1e-7, 1e-9, 1e-12}) {
    std::vector<double> rows{1.0, 0.0, 0.0, std::sqrt(0.5), std::sqrt(0.5), 0.0, std::sqrt(0.5), std::sqrt(0.5), 0.0};
    rows[8] = distance;
    IndependentRows independent;
    independent.choose(rows, 3, 3, 1e-8);
    EXPECT_EQ(std::count(independent.left_out().begin(), independent.left_out().end(), 1), distance > 1e-8 ? 0 : 1);
    if (distance > 1e-8) {
      EXPECT_NEAR(independent.least_distance(), distance, 0.5 * distance);
    }
  }
}

TEST(IndependentRows, LeavesOutTheRowWithoutWhichTheOthersAreFarthestApart) {
  // Of three rows in a plane two are all but parallel: the third is kept, though it comes last.
  std::vector<double> rows{1.0, 0.0, std::cos(1e-4), std::sin(1e-4), 0.0, 1.0};
  IndependentRows independent;
  independent.choose(rows, 3, 2, 1e-8);
  EXPECT_EQ(independent.left_out(), (std::vector<char>{0, 1, 0}));
  EXPECT_NEAR(independent.least_distance(), 1.0, 1e-12);
}

}  // namespace
}  // namespace carom::test
