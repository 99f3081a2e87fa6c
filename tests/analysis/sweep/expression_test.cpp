#include "carom/analysis/sweep/expression.h"

#include <gtest/gtest.h>

#include <numbers>

namespace carom::sweep {
namespace {

/// a = 2, b = 3, a-b = 100, energy.final = 7, position."my ball".z = 11.
constexpr std::string_view kKnown[] = {"a", "b", "a-b", "energy.final", "position.\"my ball\".z"};
const std::vector<double> kValues{2.0, 3.0, 100.0, 7.0, 11.0};

const Names& names() {
  static const Names known{[](std::string_view name) {
                             const auto* const found = std::find(std::begin(kKnown), std::end(kKnown), name);
                             return found == std::end(kKnown) ? -1 : static_cast<int>(found - std::begin(kKnown));
                           },
                           [](std::string_view name) { return "unknown " + std::string(name); }};
  return known;
}

double value_of(const std::string& text) {
  return Expression({"--measure", text}, text, names()).value(kValues);
}

InputError error_of(const std::string& text) {
  try {
    (void)Expression({"--measure", text}, text, names());
  } catch (const InputError& error) {
    return error;
  }
  ADD_FAILURE() << text << " was read";
  return {Kind::usage, "", ""};
}

TEST(SweepExpression, FollowsTheRulesOfArithmetic) {
  EXPECT_EQ(value_of("1 + 2*3"), 7.0);
  EXPECT_EQ(value_of("(1+2)*3"), 9.0);
  EXPECT_EQ(value_of("8/4/2"), 1.0);
  EXPECT_EQ(value_of("10-4-3"), 3.0);
  EXPECT_EQ(value_of("2^3^2"), 512.0);
  EXPECT_EQ(value_of("-2^2"), -4.0);
  EXPECT_EQ(value_of("2^-1"), 0.5);
  EXPECT_EQ(value_of("--3"), 3.0);
  EXPECT_EQ(value_of("1.5e1+.5"), 15.5);
  EXPECT_EQ(value_of("2*pi"), 2.0 * std::numbers::pi);
}

TEST(SweepExpression, KnowsNamesAndFunctions) {
  EXPECT_EQ(value_of("a+b"), 5.0);
  EXPECT_EQ(value_of("energy.final/a"), 3.5);
  EXPECT_EQ(value_of("position.\"my ball\".z"), 11.0);
  EXPECT_EQ(value_of("max(a, min(b, 10))"), 3.0);
  EXPECT_EQ(value_of("hypot(3,4) + sqrt(a*2) - abs(-b)"), 4.0);
  EXPECT_EQ(value_of("atan2(1,1)"), std::numbers::pi / 4);
  EXPECT_EQ(value_of("sign(-5)"), -1.0);
}

TEST(SweepExpression, TakesTheLongestNameThatIsKnown) {
  EXPECT_EQ(value_of("a-b"), 100.0);
  EXPECT_EQ(value_of("a - b"), -1.0);
  EXPECT_EQ(value_of("b-a"), 1.0);
  EXPECT_EQ(value_of("energy.final-1"), 6.0);
}

TEST(SweepExpression, SaysWhetherItIsASingleName) {
  EXPECT_EQ(Expression({"", "b"}, "b", names()).single_name(), 1);
  const std::string sum = "b+0";
  EXPECT_EQ(Expression({"", sum}, sum, names()).single_name(), -1);
}

TEST(SweepExpression, UnderlinesItsMistakes) {
  const InputError unknown = error_of("a + energy.finl");
  EXPECT_EQ(unknown.kind(), Kind::unknown_name);
  EXPECT_EQ(unknown.place().column, 5);
  EXPECT_EQ(unknown.place().length, 11);
  EXPECT_EQ(unknown.place().text, "a + energy.finl");
  EXPECT_EQ(error_of("sqrtt(2)").kind(), Kind::unknown_name);
  for (const char* const text : {"", "a+", "(a", "a)", "max(a)", "a b", "1..2", "*a", "sqrt(", "a,b", "1e999"}) {
    const InputError error = error_of(text);
    EXPECT_TRUE(error.kind() == Kind::syntax || error.kind() == Kind::not_finite) << text;
    EXPECT_EQ(error.place().line, 1) << text;
  }
  EXPECT_EQ(error_of("a)").place().column, 2);
}

TEST(SweepExpression, RefusesAbsurdNesting) {
  EXPECT_EQ(error_of(std::string(100000, '(') + "a").kind(), Kind::limit);
  std::string tower = "2";
  for (int i = 0; i < 100000; ++i) tower += "^2";
  EXPECT_EQ(error_of(tower).kind(), Kind::limit);
}

}  // namespace
}  // namespace carom::sweep
