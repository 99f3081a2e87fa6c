#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "carom/analysis/sweep/sweep_plan.h"
#include "carom/analysis/sweep/variation.h"
#include "carom/base/error.h"

namespace carom::sweep {
namespace {

InputError variation_error(const std::string& text) {
  try {
    (void)read_variation(text);
  } catch (const InputError& error) {
    return error;
  }
  ADD_FAILURE() << text << " was read";
  return {Kind::usage, "", ""};
}

SweepPlan plan(const std::vector<std::string>& texts, Design design = Design::grid, std::size_t count = 0,
               std::uint64_t seed = 0) {
  PlanRequest request;
  for (const std::string& text : texts) request.variations.push_back(read_variation(text));
  request.design = design;
  request.count = count;
  request.seed = seed;
  return SweepPlan(std::move(request));
}

TEST(SweepVariation, HasBothEndsAsTheyWereWritten) {
  const Variation even = read_variation("body.ball.mass=lin(0.1,0.7,7)");
  EXPECT_EQ(even.path, "body.ball.mass");
  EXPECT_EQ(even.at(0).number(), 0.1);
  EXPECT_EQ(even.at(6).number(), 0.7);
  EXPECT_NEAR(even.at(3).number(), 0.4, 1e-15);
  const Variation decades = read_variation("run.rtol = log(1e-4, 1e-10, 7)");
  EXPECT_EQ(decades.at(0).number(), 1e-4);
  EXPECT_EQ(decades.at(6).number(), 1e-10);
  EXPECT_NEAR(decades.at(3).number(), 1e-7, 1e-20);
  EXPECT_NEAR(read_variation("x=log(-1,-100,3)").at(1).number(), -10.0, 1e-13);
  EXPECT_EQ(read_variation("x=lin(-1e308,1e308,3)").at(1).number(), 0.0);
}

TEST(SweepVariation, WholeNumbersStayWhole) {
  const Variation counts = read_variation("cradle.0.count=lin(3,7,5)");
  EXPECT_TRUE(counts.at(1).is(Value::Type::integer));
  EXPECT_EQ(counts.at(4).integer(), 7);
  EXPECT_TRUE(read_variation("x=lin(0,1,3)").at(0).is(Value::Type::real));
  EXPECT_TRUE(read_variation("x=lin(1.0,3.0,3)").at(0).is(Value::Type::real));
}

TEST(SweepVariation, ListsAreAnyToml) {
  const Variation mixed = read_variation("p=newton, 1.5,true,[0, 0, 1],\"a, b\"");
  ASSERT_EQ(mixed.count, 5u);
  EXPECT_EQ(mixed.at(0).text(), "newton");
  EXPECT_EQ(mixed.at(1).number(), 1.5);
  EXPECT_TRUE(mixed.at(2).boolean());
  EXPECT_EQ(mixed.at(3).list().size(), 3u);
  EXPECT_EQ(mixed.at(4).text(), "a, b");
  const Variation marks = read_variation(R"(title="a \", b",'c \',d)");
  ASSERT_EQ(marks.count, 3u);
  EXPECT_EQ(marks.at(0).text(), "a \", b");
  EXPECT_EQ(marks.at(1).text(), "c \\");
}

TEST(SweepVariation, UnderlinesItsMistakes) {
  const InputError error = variation_error("mass=lin(1,two,3)");
  EXPECT_EQ(error.kind(), Kind::syntax);
  EXPECT_EQ(error.place().column, 12);
  EXPECT_EQ(error.place().length, 3);
  EXPECT_EQ(variation_error("mass").kind(), Kind::usage);
  EXPECT_EQ(variation_error("=1").kind(), Kind::usage);
  EXPECT_EQ(variation_error("mass=").kind(), Kind::usage);
  EXPECT_EQ(variation_error("mass=lin(1,2").kind(), Kind::syntax);
  EXPECT_EQ(variation_error("mass=lin(1)").kind(), Kind::size_mismatch);
  EXPECT_EQ(variation_error("mass=lin(1,2,0)").kind(), Kind::out_of_range);
  EXPECT_EQ(variation_error("mass=lin(1,2,2.5)").kind(), Kind::out_of_range);
  EXPECT_EQ(variation_error("mass=log(0,1,3)").kind(), Kind::out_of_range);
  EXPECT_EQ(variation_error("mass=log(-1,1,3)").kind(), Kind::out_of_range);
  EXPECT_EQ(variation_error("mass=lni(1,2,3)").kind(), Kind::unknown_name);
  EXPECT_EQ(variation_error("mass=1,,2").kind(), Kind::syntax);
  EXPECT_EQ(variation_error("mass=lin(1,1e999,3)").kind(), Kind::not_finite);
}

TEST(SweepPlan, TheLastPathOfAGridChangesFastest) {
  const SweepPlan grid = plan({"a=1,2,3", "b=10,20"});
  ASSERT_EQ(grid.size(), 6u);
  std::vector<std::pair<double, double>> seen;
  for (std::size_t i = 0; i < 6; ++i) seen.emplace_back(grid.value(i, 0).number(), grid.value(i, 1).number());
  EXPECT_EQ(seen, (std::vector<std::pair<double, double>>{{1, 10}, {1, 20}, {2, 10}, {2, 20}, {3, 10}, {3, 20}}));
}

TEST(SweepPlan, ZipTakesValuesTogether) {
  const SweepPlan zipped = plan({"a=1,2,3", "b=lin(0,1,3)"}, Design::zip);
  ASSERT_EQ(zipped.size(), 3u);
  EXPECT_EQ(zipped.value(1, 0).number(), 2.0);
  EXPECT_EQ(zipped.value(1, 1).number(), 0.5);
  EXPECT_THROW(plan({"a=1,2", "b=1,2,3"}, Design::zip), InputError);
}

TEST(SweepPlan, APermutationHasEveryNumberOnce) {
  for (const std::size_t size : {1u, 2u, 3u, 16u, 17u, 1000u}) {
    std::set<std::size_t> seen;
    for (std::size_t i = 0; i < size; ++i) seen.insert(permuted(i, size, 42));
    EXPECT_EQ(seen.size(), size);
    EXPECT_EQ(*seen.rbegin(), size - 1);
  }
}

TEST(SweepPlan, ALatinHypercubeHasOnePointInEachPartOfEachRange) {
  const std::size_t size = 100;
  const SweepPlan latin = plan({"a=lin(0,100)", "b=log(1,1e100)"}, Design::latin, size, 7);
  std::set<int> of_a, of_b;
  for (std::size_t i = 0; i < size; ++i) {
    of_a.insert(static_cast<int>(latin.value(i, 0).number()));
    of_b.insert(static_cast<int>(std::log10(latin.value(i, 1).number())));
  }
  EXPECT_EQ(of_a.size(), size);
  EXPECT_EQ(of_b.size(), size);
}

TEST(SweepPlan, RandomPointsFillTheRangeAndDependOnTheSeed) {
  const std::size_t size = 4000;
  const SweepPlan one = plan({"a=lin(-1,3)", "w=red,green"}, Design::random, size, 1);
  const SweepPlan two = plan({"a=lin(-1,3)", "w=red,green"}, Design::random, size, 2);
  double sum = 0.0, product = 0.0;
  int red = 0, same = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const double a = one.value(i, 0).number();
    EXPECT_GE(a, -1.0);
    EXPECT_LT(a, 3.0);
    sum += a;
    const bool is_red = one.value(i, 1).text() == "red";
    red += is_red ? 1 : 0;
    product += is_red ? a - 1.0 : 0.0;
    same += a == two.value(i, 0).number() ? 1 : 0;
  }
  // Of the mean of n: (b − a)/√12n; five times that.
  EXPECT_NEAR(sum / size, 1.0, 5 * 4.0 / std::sqrt(12.0 * size));
  EXPECT_NEAR(red, size / 2.0, 5 * std::sqrt(size) / 2);
  EXPECT_NEAR(product / size, 0.0, 5 * 4.0 / std::sqrt(12.0 * size));
  EXPECT_EQ(same, 0);
}

TEST(SweepPlan, TooManyPointsAreRefusedWithTheirNumber) {
  try {
    plan({"a=lin(0,1,1000000)", "b=lin(0,1,1000000)"});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), Kind::limit);
    EXPECT_NE(std::string(error.what()).find("1e+12 points (1000000 × 1000000)"), std::string::npos) << error.what();
  }
}

TEST(SweepPlan, RefusesWhatMakesNoSense) {
  EXPECT_THROW(plan({}), InputError);
  EXPECT_THROW(plan({"a=1,2", "a=3,4"}), InputError);
  EXPECT_THROW(plan({"a=lin(0,1)"}), InputError);
}

}  // namespace
}  // namespace carom::sweep
