#include "carom/geometry/touched_feature.h"

#include <gtest/gtest.h>

#include "carom/base/random.h"

namespace carom::test {
namespace {

using Eigen::Vector3d;
using Kind = TouchedFeature::Kind;

TEST(TouchedFeature, TheFlatFaceOfAHalfCylinderEndsInSharpEdgesAndCorners) {
  // Where it overlaps another body by a little, the point is off the border; the normal says that it is the border.
  const HalfCylinder half{0.3, 0.4};
  Random random(7);
  for (int k = 0; k < 1000; ++k) {
    const double deep = std::pow(10.0, random.uniform(-12.0, -2.0)), lean = std::pow(10.0, random.uniform(-3.0, -0.1));
    const Vector3d corner(0.3, 0.0, 0.4);
    const Vector3d to_the_side = Vector3d(lean, 1.0, 0.0).normalized(),
                   to_the_end(0.0, to_the_side.y(), to_the_side.x());
    const TouchedFeature border =
        touched_feature(half, Vector3d(0.3, 0.0, random.uniform(-0.4, 0.4)) - deep * to_the_side, to_the_side);
    EXPECT_EQ(border.kind, Kind::edge);
    EXPECT_EQ(border.direction, Vector3d::UnitZ());
    EXPECT_TRUE(border.sharp);
    const Vector3d oblique = (to_the_side + random.uniform(0.01, 1.0) * to_the_end).normalized();
    EXPECT_EQ(touched_feature(half, corner - deep * oblique, oblique).kind, Kind::vertex);
  }
}

TEST(TouchedFeature, TheRoundSideOfAHalfCylinderIsRound) {
  const HalfCylinder half{0.3, 0.4};
  const TouchedFeature side = touched_feature(half, {0.0, -0.3, 0.1}, -Vector3d::UnitY());
  EXPECT_EQ(side.kind, Kind::edge);
  EXPECT_FALSE(side.sharp);
  EXPECT_EQ(touched_feature(half, {0.0, -0.3, 0.4}, Vector3d(0.0, -1.0, 1.0).normalized()).kind, Kind::round);
  EXPECT_EQ(touched_feature(half, {0.1, 0.0, 0.1}, Vector3d::UnitY()).kind, Kind::face);
}

}  // namespace
}  // namespace carom::test
