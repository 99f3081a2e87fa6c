#include "carom/geometry/half_width.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "carom/geometry/polyhedron.h"

namespace carom {
namespace {

TEST(HalfWidth, IsThatOfTheNarrowestSlotThatAShapeGoesThrough) {
  EXPECT_EQ(half_width(Sphere{2}), 2.0);
  EXPECT_EQ(half_width(Ellipsoid{{4, 1, 3}}), 1.0);
  EXPECT_EQ(half_width(Box{{2, 3, 6}}), 2.0);
  EXPECT_EQ(half_width(Cylinder{3, 4}), 3.0);
  EXPECT_EQ(half_width(Cylinder{3, 2}), 2.0);
  EXPECT_DOUBLE_EQ(half_width(Prism{{{{0, 0}, {3, 0}, {0, 4}}}, 4}), 1.2);
  EXPECT_EQ(half_width(Prism{{{{0, 0}, {3, 0}, {0, 4}}}, 0.5}), 0.5);
  EXPECT_EQ(half_width(HalfSpace{}), std::numeric_limits<double>::infinity());
  EXPECT_EQ(half_width(Capsule{1, 2}), 1.0);
  EXPECT_EQ(half_width(Cone{3, 2}), 1.0);
  EXPECT_DOUBLE_EQ(half_width(Cone{3, 40}), 3.0 * 40.0 / std::hypot(3.0, 40.0));
  EXPECT_EQ(half_width(HalfCylinder{4, 3}), 2.0);
  EXPECT_EQ(half_width(Rod{2}), 2.0);
  const std::vector<Eigen::Vector3d> corners = {{-1, -2, -3}, {1, -2, -3}, {-1, 2, -3}, {1, 2, -3},
                                                {-1, -2, 3},  {1, -2, 3},  {-1, 2, 3},  {1, 2, 3}};
  EXPECT_DOUBLE_EQ(half_width(Convex{std::make_shared<const Polyhedron>(corners, "corners")}), 1.0);
}

}  // namespace
}  // namespace carom
