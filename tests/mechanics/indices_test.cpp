#include "carom/mechanics/indices.h"

#include <gtest/gtest.h>

#include <type_traits>
#include <vector>

namespace carom {
namespace {

// Two kinds do not turn into each other; the number of a body is that of an object too, but not the other way round.
static_assert(!std::is_convertible_v<BodyIndex, MaterialIndex>);
static_assert(!std::is_convertible_v<MaterialIndex, BodyIndex>);
static_assert(!std::is_convertible_v<SpringIndex, LoadIndex>);
static_assert(!std::is_convertible_v<MaterialIndex, ObjectIndex>);
static_assert(!std::is_assignable_v<MaterialIndex&, BodyIndex>);
static_assert(std::is_convertible_v<BodyIndex, ObjectIndex>);
static_assert(!std::is_convertible_v<ObjectIndex, BodyIndex>);
static_assert(std::is_convertible_v<int, BodyIndex>);
static_assert(std::is_convertible_v<BodyIndex, int>);

TEST(Indices, AnIndexThatIsNotSetIsThatOfNothing) {
  EXPECT_EQ(BodyIndex(), kNone);
  EXPECT_EQ(ObjectIndex(), kNone);
}

TEST(Indices, ABodyKeepsItsNumberAmongTheObjects) {
  const BodyIndex body = 3;
  const ObjectIndex object = body;
  EXPECT_EQ(object, 3);
  EXPECT_EQ(as_body(object), body);
  EXPECT_EQ(body.slot(), 3u);
}

TEST(Indices, AVectorIsReadByItsIndexAndByThatOfAPart) {
  Indexed<ObjectIndex, double> sizes{0.5, 1.5, 2.5};
  EXPECT_EQ(sizes[ObjectIndex(1)], 1.5);
  EXPECT_EQ(sizes[BodyIndex(2)], 2.5);
  sizes[BodyIndex(2)] = 4.0;
  EXPECT_EQ(sizes.back(), 4.0);
}

TEST(Indices, GoThroughAVectorInOrder) {
  const Indexed<BodyIndex, char> bodies(3);
  std::vector<int> seen;
  for (const BodyIndex body : bodies.indices()) seen.push_back(body);
  EXPECT_EQ(seen, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(bodies.end_index(), 3);
  for (const BodyIndex body : IndexRange<BodyIndex>(2, 2)) ADD_FAILURE() << body << " is in an empty range";
}

}  // namespace
}  // namespace carom
