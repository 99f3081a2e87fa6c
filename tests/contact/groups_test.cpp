#include "carom/contact/groups.h"

#include <gtest/gtest.h>

namespace carom::contact {
namespace {

TEST(Groups, EveryBodyIsAloneAtFirst) {
  const std::vector<BodyIndex> bodies{2, 3, 5};
  Groups groups(bodies);
  EXPECT_EQ(groups.count(), 3u);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(groups.number_of(bodies[k]), k);
}

TEST(Groups, AreCountedInTheOrderOfTheirFirstBodies) {
  const std::vector<BodyIndex> bodies{2, 3, 5, 7, 9};
  Groups groups(bodies);
  groups.join(9, 5);
  groups.join(7, 3);
  EXPECT_EQ(groups.count(), 3u);
  EXPECT_EQ(groups.number_of(2), 0u);
  EXPECT_EQ(groups.number_of(3), 1u);
  EXPECT_EQ(groups.number_of(7), 1u);
  EXPECT_EQ(groups.number_of(5), 2u);
  EXPECT_EQ(groups.number_of(9), 2u);
}

TEST(Groups, JoinThroughOthersAndAreCountedAnew) {
  const std::vector<BodyIndex> bodies{0, 1, 2, 3, 4, 5};
  Groups groups(bodies);
  groups.join(5, 4);
  groups.join(4, 3);
  groups.join(1, 2);
  EXPECT_EQ(groups.count(), 3u);
  EXPECT_EQ(groups.number_of(5), 2u);
  groups.join(2, 5);
  groups.join(2, 3);  // they are together already
  EXPECT_EQ(groups.count(), 2u);
  EXPECT_EQ(groups.number_of(0), 0u);
  for (const BodyIndex body : {1, 2, 3, 4, 5}) EXPECT_EQ(groups.number_of(body), 1u);
}

}  // namespace
}  // namespace carom::contact
