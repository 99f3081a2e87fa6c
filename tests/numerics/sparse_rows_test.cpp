/// Products of sparse rows: the bits of the dense ones, and all of them.

#include "carom/numerics/sparse_rows.h"

#include <gtest/gtest.h>

#include <vector>

#include "carom/base/random.h"
#include "carom/numerics/dense.h"
#include "support/property_cases.h"

namespace carom {
namespace {

TEST(SparseRows, ProductsHaveTheBitsOfDenseOnesAndNeighboursAreAllThatAreNotZero) {
  Random random(3);
  SparseRows sparse;
  for (int k = 0; k < test::property_cases(200); ++k) {
    const int n = random.integer(1, 40);
    const int count = random.integer(1, 20);
    std::vector<double> rows(static_cast<std::size_t>(n * count), 0.0);
    for (double& entry : rows)
      if (random.uniform() < 0.15) entry = random.uniform(-1.0, 1.0);
    sparse.read(rows.data(), count, n);
    for (int a = 0; a < count; ++a) {
      std::vector<double> products(static_cast<std::size_t>(count), 0.0);
      sparse.visit_neighbours(a, [&](int b) { products[static_cast<std::size_t>(b)] = sparse.dot(a, b); });
      for (int b = 0; b <= a; ++b)
        EXPECT_EQ(products[static_cast<std::size_t>(b)], dense::dot(&rows[a * n], &rows[b * n], n)) << k;
      for (int b = a + 1; b < count; ++b) EXPECT_EQ(products[static_cast<std::size_t>(b)], 0.0) << k;
    }
  }
}

}  // namespace
}  // namespace carom
