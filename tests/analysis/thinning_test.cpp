#include "carom/analysis/thinning.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace carom {
namespace {

TEST(Thinning, LeavesShortSeriesAlone) {
  EXPECT_EQ(thinned({3.0, 1.0, 2.0}, 3), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_TRUE(thinned({}, 3).empty());
}

TEST(Thinning, KeepsWhatStandsOut) {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<double> values(20000 + trial);
    for (double& value : values) value = std::sin(static_cast<double>(random() % 1000));
    const std::size_t peak = random() % values.size(), trough = random() % values.size(),
                      gap = random() % values.size();
    values[gap] = std::nan("");
    values[trough] = -7.0;
    values[peak] = 5.0;
    const std::vector<std::size_t> kept = thinned(values, 1000);
    EXPECT_LE(kept.size(), 1000u);
    EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end()));
    EXPECT_EQ(std::adjacent_find(kept.begin(), kept.end()), kept.end());
    EXPECT_EQ(kept.front(), 0u);
    EXPECT_EQ(kept.back(), values.size() - 1);
    for (const std::size_t index : {peak, trough, gap}) {
      if (std::isnan(values[gap]) || index != gap) {
        EXPECT_TRUE(std::binary_search(kept.begin(), kept.end(), index)) << index;
      }
    }
  }
}

TEST(Thinning, APathKeepsItsShapeWithinTheResolution) {
  std::vector<double> x, y;
  for (int i = 0; i < 100000; ++i) {
    x.push_back(std::cos(1e-3 * i));
    y.push_back(2.0 * std::sin(1e-3 * i));
  }
  const std::vector<std::size_t> kept = thinned_path(x, y, 0.01);
  EXPECT_LT(kept.size(), 20000u);
  EXPECT_EQ(kept.front(), 0u);
  EXPECT_EQ(kept.back(), x.size() - 1);
  for (std::size_t k = 0; k + 1 < kept.size(); ++k) {
    for (std::size_t i = kept[k]; i < kept[k + 1]; ++i) {
      EXPECT_LE(std::abs(x[i] - x[kept[k]]), 0.0201);
      EXPECT_LE(std::abs(y[i] - y[kept[k]]), 0.0401);
    }
  }
}

TEST(Thinning, OfAPathThatStandsStillTheEndsStay) {
  const std::vector<double> still(100, 1.0);
  EXPECT_EQ(thinned_path(still, still, 0.01), (std::vector<std::size_t>{0, 99}));
}

}  // namespace
}  // namespace carom
