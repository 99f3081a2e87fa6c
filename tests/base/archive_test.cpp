/// Values go into an archive and come back with every bit; what does not fit is refused.

#include "carom/base/archive.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <limits>

#include "carom/base/error.h"

namespace carom::test {
namespace {

struct Node {
  int number = 0;
  std::shared_ptr<const Node> next;

  void transfer(Archive& archive) {
    archive(number);
    archive.shared(next, [] { return std::make_shared<Node>(); });
  }
};

enum class Colour : std::uint8_t { red, green };

struct Everything {
  double real = 0.0;
  bool flag = false;
  Colour colour = Colour::red;
  std::string text;
  std::vector<double> numbers;
  std::vector<std::vector<int>> nested;
  std::optional<double> maybe, not_there;
  std::variant<int, std::string> either;
  std::array<std::pair<int, double>, 2> pairs{};
  std::unordered_map<std::uint64_t, double> map;
  Eigen::Vector3d vector = Eigen::Vector3d::Zero();
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
  Eigen::VectorXd growing;

  void transfer(Archive& archive) {
    archive(real, flag, colour, text, numbers, nested, maybe, not_there, either, pairs, map, vector, turn, growing);
  }
};

Everything filled() {
  Everything all;
  all.real = -0.0;
  all.flag = true;
  all.colour = Colour::green;
  all.text = "Kräfte";
  all.numbers = {std::numeric_limits<double>::quiet_NaN(), 5e-324, std::numeric_limits<double>::infinity()};
  all.nested = {{1, 2}, {}, {3}};
  all.maybe = 0.1;
  all.either = std::string("text");
  all.pairs = {{{1, 0.5}, {2, 0.25}}};
  all.map = {{7, 0.7}, {3, 0.3}};
  all.vector = {1, 2, 3};
  all.turn = Eigen::Quaterniond(0.5, 0.5, 0.5, 0.5);
  all.growing = Eigen::VectorXd::LinSpaced(4, 0.0, 1.0);
  return all;
}

std::vector<std::byte> bytes_of(Everything all) {
  Archive archive;
  archive(all);
  return archive.take();
}

TEST(Archive, EverythingComesBackWithEveryBit) {
  const std::vector<std::byte> bytes = bytes_of(filled());
  Everything back;
  back.numbers = {1, 2, 3, 4, 5};
  back.not_there = 1.0;
  Archive archive(bytes);
  archive(back);
  archive.finish();
  EXPECT_EQ(bytes_of(back), bytes);
  EXPECT_TRUE(std::signbit(back.real));
  EXPECT_EQ(back.nested, filled().nested);
  EXPECT_EQ(std::get<std::string>(back.either), "text");
  EXPECT_EQ(back.map, filled().map);
  EXPECT_EQ(back.growing, filled().growing);
  EXPECT_FALSE(back.not_there);
}

TEST(Archive, WhatIsSharedIsSharedAgain) {
  const auto common = std::make_shared<Node>(Node{7, nullptr});
  Node first{1, common}, second{2, common};
  Archive out;
  out(first, second);
  const std::vector<std::byte> bytes = out.take();
  Node one, other;
  Archive in(bytes);
  in(one, other);
  in.finish();
  EXPECT_EQ(one.next, other.next);
  EXPECT_EQ(one.next->number, 7);
  EXPECT_EQ(one.next->next, nullptr);
}

TEST(Archive, BytesThatEndTooEarlyOrAreOfOtherPartsAreRefused) {
  const std::vector<std::byte> bytes = bytes_of(filled());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    Everything back;
    const std::span<const std::byte> beginning(bytes.data(), size);
    Archive archive(beginning);
    EXPECT_THROW(archive(back), InputError) << size;
  }
  Archive named;
  named.section("one");
  const std::vector<std::byte> section = named.take();
  Archive other(section);
  EXPECT_THROW(other.section("two"), InputError);
  const Archive unread(section);
  EXPECT_THROW(unread.finish(), InputError);
}

TEST(Archive, ListsLongerThanTheBytesAskForNoMemory) {
  Archive out;
  std::uint64_t claimed = std::uint64_t{1} << 60;
  out(claimed);
  const std::vector<std::byte> bytes = out.take();
  std::vector<double> list;
  Archive in(bytes);
  EXPECT_THROW(in(list), InputError);
}

}  // namespace
}  // namespace carom::test
