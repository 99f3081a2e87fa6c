#include "carom/scene/value.h"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <array>
#include <limits>

#include "scene/expect_error.h"

namespace carom {
namespace {

using Type = Value::Type;

TEST(Value, PlainValuesKeepTheirType) {
  EXPECT_EQ(Value(true).type(), Type::boolean);
  EXPECT_EQ(Value(0).type(), Type::integer);
  EXPECT_EQ(Value(3U).integer(), 3);
  EXPECT_EQ(Value(0.0).type(), Type::real);
  EXPECT_EQ(Value(0.5F).number(), 0.5);
  EXPECT_EQ(Value("steel").text(), "steel");
  EXPECT_EQ(Value(std::string("steel")), Value(std::string_view("steel")));
  EXPECT_TRUE(Value().is_none());
  EXPECT_EQ(Value(std::numeric_limits<std::uint64_t>::max()).number(), 18446744073709551616.0);
  EXPECT_NE(Value(1), Value(1.0));
}

TEST(Value, BracesAreAListUnlessEveryEntryIsAKeyAndItsValue) {
  const Value vector = {0, 0, -9.81};
  ASSERT_EQ(vector.type(), Type::list);
  EXPECT_EQ(vector.list()[2], Value(-9.81));
  const Value names = {"rubber", "steel"};
  ASSERT_EQ(names.type(), Type::list);
  EXPECT_EQ(names.list()[1].text(), "steel");
  const Value matrix = {{0, 0}, {1, 0}, {0, 1}};
  ASSERT_EQ(matrix.type(), Type::list);
  EXPECT_EQ(matrix.list()[1], Value({1, 0}));
  const Value table = {{"kind", "sphere"}, {"radius", 0.1}};
  ASSERT_EQ(table.type(), Type::table);
  EXPECT_EQ(table.table().find("kind")->text(), "sphere");
  const Value one_field = {{"a", "b"}};
  EXPECT_EQ(one_field.type(), Type::table);
  const Value three_names = {{"a", "b"}, {"a", "b", "c"}};
  EXPECT_EQ(three_names.type(), Type::list);
  const Value names_of_names = {List{"a", "b"}, List{"c", "d"}};
  ASSERT_EQ(names_of_names.type(), Type::list);
  EXPECT_EQ(names_of_names.list()[1], Value({"c", "d"}));
}

TEST(Value, TablesNestAndKeepTheirOrder) {
  const Table ball = {{"shape", {{"kind", "sphere"}, {"radius", 1}}}, {"at", {0, 0, 1}}, {"names", {"a", "b"}}};
  ASSERT_EQ(ball.fields().size(), 3u);
  EXPECT_EQ(ball.fields()[0].key, "shape");
  EXPECT_EQ(ball.find("shape")->table().find("radius")->integer(), 1);
  EXPECT_EQ(ball.find("names")->type(), Type::list);
  EXPECT_EQ(ball.find("mass"), nullptr);
  Table changed = ball;
  changed.set("at", 5);
  changed.set("mass", 2.0);
  EXPECT_EQ(changed.fields()[1].value, Value(5));
  EXPECT_EQ(changed.fields()[3].key, "mass");
  EXPECT_NE(changed, ball);
}

TEST(Value, ContainersAndEigenVectorsAreLists) {
  EXPECT_EQ(Value(std::vector<double>{1, 2}), Value({1.0, 2.0}));
  EXPECT_EQ(Value(std::array<int, 2>{1, 2}), Value({1, 2}));
  EXPECT_EQ(Value(std::vector<std::string>{"a", "b"}), Value({"a", "b"}));
  EXPECT_EQ(Value(std::vector<std::vector<double>>{{1, 2}, {3, 4}}), Value({{1.0, 2.0}, {3.0, 4.0}}));
  EXPECT_EQ(Value(Eigen::Vector3d(1, 2, 3)), Value({1.0, 2.0, 3.0}));
  EXPECT_EQ(Value(-2.0 * Eigen::Vector3d::UnitZ()), Value({-0.0, -0.0, -2.0}));
  EXPECT_EQ(Value(Eigen::RowVector2d(1, 2)), Value({1.0, 2.0}));
  EXPECT_EQ(Value(Eigen::Matrix2d::Identity()), Value({{1.0, 0.0}, {0.0, 1.0}}));
}

TEST(Value, WhatItIsNotCannotBeTakenFromIt) {
  EXPECT_EQ(test::message_of([] { std::ignore = Value("a").number(); }), "the value is a text, expected a number");
  EXPECT_EQ(test::message_of([] { std::ignore = Value(1.5).integer(); }), "the value is a number, expected an integer");
  EXPECT_EQ(test::message_of([] { std::ignore = Value().list(); }), "the value is nothing, expected a list");
}

}  // namespace
}  // namespace carom
