#include "carom/mechanics/near_pairs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "carom/base/random.h"
#include "support/property_cases.h"

namespace carom::test {
namespace {

using Pairs = std::multiset<std::pair<int, int>>;

Pairs found_pairs(const std::vector<Eigen::Vector3d>& centres, const std::vector<double>& radii) {
  Pairs pairs;
  NearPairs(centres, radii).visit([&pairs](int i, int j) {
    pairs.insert({i, j});
    return true;
  });
  return pairs;
}

TEST(NearPairs, AreThoseThatComparingAllWithAllFindsEachOnce) {
  Random random(3);
  for (int k = 0; k < property_cases(40); ++k) {
    const int count = random.integer(0, 60);
    const double decades = random.uniform(0.0, 3.0);
    std::vector<Eigen::Vector3d> centres;
    std::vector<double> radii;
    for (int i = 0; i < count; ++i) {
      centres.emplace_back(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0));
      radii.push_back(0.3 * std::pow(10.0, -decades * random.uniform()));
      if (random.uniform() < 0.02) radii.back() = std::numeric_limits<double>::infinity();
      if (random.uniform() < 0.02) radii.back() = 0.0;
    }
    Pairs expected;
    for (int i = 0; i < count; ++i)
      for (int j = i + 1; j < count; ++j) {
        const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
        if ((centres[a] - centres[b]).norm() <= radii[a] + radii[b]) expected.insert({i, j});
      }
    EXPECT_EQ(found_pairs(centres, radii), expected);
  }
}

TEST(NearPairs, FarFromTheOriginAndAtTheEdgesOfCellsNothingIsLost) {
  // Neighbours on a lattice whose distance is exactly the sum of their radii.
  for (const double offset : {0.0, 1e6, -1e9}) {
    std::vector<Eigen::Vector3d> centres;
    for (int i = 0; i < 5; ++i)
      for (int j = 0; j < 5; ++j) centres.emplace_back(offset + i, j, 0.0);
    EXPECT_EQ(found_pairs(centres, std::vector<double>(25, 0.5)).size(), 40u);
  }
}

TEST(NearPairs, TheSearchEndsWhenItIsToldTo) {
  const std::vector<Eigen::Vector3d> centres(10, Eigen::Vector3d::Zero());
  int seen = 0;
  NearPairs(centres, std::vector<double>(10, 1.0)).visit([&seen](int, int) { return ++seen < 7; });
  EXPECT_EQ(seen, 7);
}

}  // namespace
}  // namespace carom::test
