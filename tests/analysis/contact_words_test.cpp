/// Which corner, edge or end touches, and who pushes.

#include <gtest/gtest.h>

#include "analysis/scene_run.h"
#include "carom/analysis/contact_words.h"
#include "carom/geometry/feature_words.h"

namespace carom {
namespace {

using Eigen::Vector3d;
using test::ScratchFolder;

TEST(FeatureWords, NameCornersEdgesFacesAndEnds) {
  const Shape box = Box{{0.1, 0.2, 0.3}};
  EXPECT_EQ(feature_words(box, {0.1, -0.2, 0.3}, Vector3d(1, -1, 1).normalized()), "corner +x-y+z");
  EXPECT_EQ(feature_words(box, {0.1, 0.05, -0.3}, Vector3d(1, 0, -1).normalized()), "edge +x-z");
  EXPECT_EQ(feature_words(box, {0.02, 0.05, -0.3}, -Vector3d::UnitZ()), "face -z");
  const Shape cylinder = Cylinder{0.1, 0.5};
  EXPECT_EQ(feature_words(cylinder, {0.1, 0, -0.5}, -Vector3d::UnitZ()), "rim -z");
  EXPECT_EQ(feature_words(cylinder, {0.02, 0, 0.5}, Vector3d::UnitZ()), "end +z");
  EXPECT_EQ(feature_words(cylinder, {0, 0.1, 0.1}, Vector3d::UnitY()), "side");
  EXPECT_EQ(feature_words(Capsule{0.1, 0.5}, {0, 0, 0.6}, Vector3d::UnitZ()), "end +z");
  EXPECT_EQ(feature_words(Cone{0.1, 0.5}, {0, 0, 0.5}, Vector3d::UnitZ()), "tip");
  EXPECT_EQ(feature_words(Rod{0.5}, {0, 0, -0.5}, -Vector3d::UnitZ()), "end -z");
  EXPECT_EQ(feature_words(Sphere{0.1}, {0, 0, 0.1}, Vector3d::UnitZ()), "");
  const Shape prism = Prism{{Eigen::Vector2d(0, 0), {1, 0}, {0, 1}}, 0.5};
  EXPECT_EQ(feature_words(prism, {1, 0, 0.5}, Vector3d(1, 0, 1).normalized()), "corner 2 +z");
  EXPECT_EQ(feature_words(prism, {0.5, 0, 0}, -Vector3d::UnitY()), "face");
}

TEST(ContactWords, ACubeFallsOnItsCornerAndPushesTheFloor) {
  const ScratchFolder folder;
  // The corner +x-y-z is the lowest: turned by 0.4 rad about (0.5, 0.8, 0).
  test::record_scene(R"(
format = 1
[world]
gravity = [0, 0, -9.81]
[run]
duration = 0.5
output_step = 0.07
[[body]]
name = "block"
shape = { kind = "box", half_sizes = [0.1, 0.1, 0.1] }
mass = 1
position = [0, 0, 1]
orientation = { quaternion = [0.9800665778412416, 0.10529453473252356, 0.1684712555720377, 0] }
[[plane]]
name = "floor"
normal = [0, 0, 1]
)",
                     folder.file("run.h5"));
  RecordReader record(folder.file("run.h5"));
  const EventBlock block = record.events(0, 1);
  ASSERT_EQ(block.events.size(), 1u);
  ContactTeller teller(record);
  const ContactWords words = teller.about(block.events[0].contacts[0], block.events[0].time);
  EXPECT_EQ(words.feature_a, "corner +x-y-z");
  EXPECT_EQ(words.feature_b, "");
  EXPECT_EQ(words.pushing, block.events[0].contacts[0].a);
}

}  // namespace
}  // namespace carom
