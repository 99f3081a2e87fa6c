#include "carom/laws/corner/batch.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "carom/base/error.h"
#include "carom/laws/corner/iteration.h"
#include "laws/corner/corner_cases.h"

namespace carom::corner::batch_test {
namespace {

struct Batch {
  std::vector<double> restitution, slope, x, y;
  std::vector<double> out_x, out_y;
  std::vector<std::int32_t> steps;
  std::vector<Stop> stop;

  void add(double e, double k, Velocity v) {
    restitution.push_back(e);
    slope.push_back(k);
    x.push_back(v.x);
    y.push_back(v.y);
  }
  void solve(const Thresholds& thresholds, Path path) {
    out_x.assign(x.size(), -7.0);
    out_y.assign(x.size(), -7.0);
    steps.assign(x.size(), -7);
    stop.assign(x.size(), Stop::step_limit);
    solve_batch({restitution, slope, x, y}, {out_x, out_y, steps, stop}, thresholds, path);
  }
};

std::vector<Path> available_paths() {
  std::vector<Path> paths;
  for (const Path path : {Path::automatic, Path::portable, Path::avx2, Path::avx512}) {
    if (available(path)) paths.push_back(path);
  }
  return paths;
}

std::uint64_t bits(double value) {
  return std::bit_cast<std::uint64_t>(value);
}

void expect_the_bits_of_the_scalar_algorithm(Batch& batch, const Thresholds& thresholds = {}) {
  std::vector<SlopeOutcome> expected;
  for (std::size_t i = 0; i < batch.x.size(); ++i) {
    expected.push_back(iterate({batch.slope[i], batch.restitution[i], {batch.x[i], batch.y[i]}, thresholds}));
  }
  for (const Path path : available_paths()) {
    batch.solve(thresholds, path);
    int wrong = 0;
    for (std::size_t i = 0; i < batch.x.size() && wrong < 5; ++i) {
      const SlopeOutcome& one = expected[i];
      const bool same = bits(one.velocity.x) == bits(batch.out_x[i]) && bits(one.velocity.y) == bits(batch.out_y[i]) &&
                        one.steps == batch.steps[i] && one.stop == batch.stop[i];
      if (same) continue;
      ++wrong;
      ADD_FAILURE() << path_name(path) << " problem " << i << ": restitution " << batch.restitution[i] << " slope "
                    << batch.slope[i] << " velocity " << batch.x[i] << ", " << batch.y[i] << " gives " << batch.out_x[i]
                    << ", " << batch.out_y[i] << " after " << batch.steps[i] << ", not " << one.velocity.x << ", "
                    << one.velocity.y << " after " << one.steps;
    }
  }
}

Batch ordinary(unsigned seed, int size) {
  CornerCases random(seed);
  Batch batch;
  for (int i = 0; i < size; ++i) {
    const CornerProblem p = random.problem();
    batch.add(p.restitution, std::tan(p.alpha), p.velocity);
  }
  return batch;
}

/// Problems on thresholds, with vanishing coefficients, and of extreme size.
Batch extreme(unsigned seed, int size) {
  CornerCases random(seed);
  Batch batch;
  const auto one_in = [&](int n) { return random.uniform(0.0, 1.0) * n < 1.0; };
  for (int i = 0; i < size; ++i) {
    double e = one_in(2) ? random.restitution() : std::pow(10.0, random.uniform(-20.0, 0.0));
    if (one_in(5)) e = 0.25;
    double k =
        one_in(3) ? std::pow(2.0, std::floor(random.uniform(-6.0, 6.0))) : std::pow(10.0, random.uniform(-12.0, 12.0));
    if (one_in(2)) k = std::tan(random.alpha());
    const double size_of_v = one_in(2) ? 1.0 : std::pow(10.0, random.uniform(-40.0, 40.0));
    Velocity v = random.direction();
    v = {size_of_v * v.x, size_of_v * v.y};
    if (one_in(6)) v.y = v.x * k * (1.0 + 0x1p-52 * std::floor(random.uniform(-4.0, 5.0)));
    if (one_in(10)) v.y = -v.x * k;
    if (one_in(10)) v.x = 0.0;
    if (one_in(10)) v.y = 0.0;
    if (one_in(20)) v.x *= 1e-290;
    if (one_in(20)) v.y *= 1e-300;
    batch.add(e, k, v);
  }
  return batch;
}

TEST(CornerBatch, HasTheBitsOfTheScalarAlgorithm) {
  Batch batch = ordinary(31, 60000);
  expect_the_bits_of_the_scalar_algorithm(batch);
}

TEST(CornerBatch, HasTheBitsOfTheScalarAlgorithmForExtremeInput) {
  Batch batch = extreme(32, 60000);
  expect_the_bits_of_the_scalar_algorithm(batch, {0x1p-51, 1e-12, 700});
}

TEST(CornerBatch, HasTheBitsOfTheScalarAlgorithmUnderOtherThresholds) {
  for (const Thresholds& thresholds :
       {Thresholds{0x1p-51, 1e-12, 0}, Thresholds{0x1p-51, 1e-12, 1}, Thresholds{0x1p-51, 1e-12, 8},
        Thresholds{0x1p-51, 1e-12, 9}, Thresholds{0x1p-51, 1e-12, 50}, Thresholds{0.0, 0.0, 200},
        Thresholds{0.0, 1e-12, 200}, Thresholds{1e-3, 1e-2, 200}, Thresholds{1e-12, 1e-6, 200},
        Thresholds{0x1p-51, 0x1p-60, 2000}}) {
    Batch batch = extreme(33, 3000);
    expect_the_bits_of_the_scalar_algorithm(batch, thresholds);
  }
}

TEST(CornerBatch, HasTheBitsOfTheScalarAlgorithmInNarrowCorners) {
  CornerCases random(34);
  Batch batch;
  for (int i = 0; i < 20000; ++i) {
    const double phi = random.uniform(-1.57, 1.57);
    batch.add(random.uniform(0.3, 1.0), std::tan(random.uniform(0.005, 0.06)), {std::cos(phi), std::sin(phi)});
  }
  expect_the_bits_of_the_scalar_algorithm(batch);
}

TEST(CornerBatch, TakesAnyNumberOfProblems) {
  for (int size = 0; size < 70; ++size) {
    Batch batch = ordinary(35, size);
    expect_the_bits_of_the_scalar_algorithm(batch);
  }
}

template <class Change>
void expect_refused(Kind kind, const std::string& field, Change change) {
  for (const Path path : available_paths()) {
    Batch batch = ordinary(36, 100);
    change(batch);
    try {
      batch.solve({}, path);
      ADD_FAILURE() << field << " was accepted by " << path_name(path);
    } catch (const InputError& error) {
      EXPECT_EQ(error.kind(), kind) << error.what();
      EXPECT_EQ(error.place().field, field);
    }
  }
}

TEST(CornerBatch, NamesTheFirstBadProblem) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  expect_refused(Kind::out_of_range, "restitution.17", [](Batch& b) { b.restitution[17] = 1.5; });
  expect_refused(Kind::out_of_range, "restitution.5", [](Batch& b) { b.restitution[5] = -1e-300; });
  expect_refused(Kind::out_of_range, "restitution.6", [](Batch& b) { b.restitution[6] = 1.0 + 0x1p-52; });
  expect_refused(Kind::out_of_range, "slope.99", [](Batch& b) { b.slope[99] = 0.0; });
  expect_refused(Kind::out_of_range, "slope.3", [](Batch& b) { b.slope[3] = b.slope[50] = 1e17; });
  expect_refused(Kind::not_finite, "restitution.0", [](Batch& b) { b.restitution[0] = nan; });
  expect_refused(Kind::not_finite, "x.40", [](Batch& b) { b.x[40] = infinity; });
  expect_refused(Kind::not_finite, "y.41", [](Batch& b) { b.y[41] = nan; });
  expect_refused(Kind::size_mismatch, "slope", [](Batch& b) { b.slope.pop_back(); });
}

TEST(CornerBatch, RefusesBadThresholds) {
  Batch batch = ordinary(37, 10);
  EXPECT_THROW(batch.solve({-1.0, 1e-12, 100}, Path::automatic), InputError);
  EXPECT_THROW(batch.solve({0.0, 1e-12, -1}, Path::automatic), InputError);
  EXPECT_THROW(batch.solve({0.0, 1e-12, std::int64_t{1} << 31}, Path::automatic), InputError);
}

}  // namespace
}  // namespace carom::corner::batch_test
