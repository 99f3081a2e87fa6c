/// Layouts of what the others leave out: bodies of several parts, hulls and prisms; courses of fixed obstacles that
/// bodies fall through; the layouts of the other rooms with surfaces that differ from pair to pair.

#include <array>
#include <cmath>
#include <numbers>

#include "soak/layouts.h"

namespace carom::test {

namespace {

using Eigen::Vector3d;

double usual_reach(Random& random) {
  return std::round(1000.0 * random.uniform(0.04, 0.15)) / 1000.0;
}

/// A body of several parts, a hull, a prism, or one of the plain shapes, within a sphere of this radius.
ShapeText any_part_shape(double reach, Random& random) {
  switch (random.integer(0, 8)) {
    case 0: return hammer(reach);
    case 1: return dumbbell(reach);
    case 2: return cross(reach);
    case 3: return angle_iron(reach);
    case 4: return rock(reach, random.integer(4, 12), random);
    case 5: return rock(reach, 4, random);
    case 6: return wedge(0.7 * reach, 0.6 * reach, random);
    case 7: return brick(reach * Vector3d(0.5, 0.4, random.uniform(0.1, 0.6)));
    default: return ball(reach * random.uniform(0.4, 1.0));
  }
}

/// Bodies in cells of twice their reach from the height `z` on, columns × rows in a layer.
template <class Make>
void drop_in_layers(SceneText& scene, Random& random, int count, int columns, int rows, double reach, double z,
                    Make make) {
  const double width = 2.1 * reach;
  for (int k = 0; k < count; ++k) {
    BodyText body{make()};
    body.position = {width * (k % columns - 0.5 * (columns - 1)), width * (k / columns % rows - 0.5 * (rows - 1)),
                     z + width * (k / (columns * rows) + 0.5)};
    body.orientation = random_turn(random);
    scene.add(body);
  }
}

/// A beam of the obstacles: a box or a cylinder along y, or a ball, none larger than `half` across.
std::string any_peg(double half, double length, Random& random) {
  switch (random.integer(0, 3)) {
    case 0: return brick({half, length, half}).toml;
    case 1: return ball(half).toml;
    case 2: return trough(half, length).toml;
    default: return drum(half, length).toml;
  }
}

}  // namespace

void lay_compounds(SceneText& scene, Random& random) {
  const double reach = usual_reach(random);
  const int columns = random.integer(1, 3), rows = random.integer(1, 2);
  scene.add_open_box(1.1 * reach * columns, 1.1 * reach * rows);
  drop_in_layers(scene, random, random.integer(2, 12), columns, rows, reach, 0.0,
                 [&] { return any_part_shape(reach, random); });
}

void lay_course(SceneText& scene, Random& random) {
  if (chance(random, 0.7)) scene.mix_materials(random.integer(2, 3), random);
  const double reach = usual_reach(random), wide = 4.2 * reach, deep = 2.2 * reach;
  scene.add_open_box(wide, deep);
  double top = 0.0;
  for (int level = random.integer(1, 3); level > 0; --level) {
    const int pegs = random.integer(1, 3);
    const bool turned = chance(random, 0.6);
    top += 3.5 * reach;
    for (int k = 0; k < pegs; ++k) {
      const double x = 2.0 * wide * (k + 0.5) / pegs - wide;
      std::string more =
          "orientation = { bryan_deg = [90, " + format_number(turned ? random.integer(0, 90) : 0) + ", 0] }\n";
      scene.add_obstacle(any_peg(0.4 * reach, 0.4 * reach, random), {x, 0.0, top}, more);
    }
  }
  if (chance(random, 0.5)) {
    // A trough of two slopes.
    const double slope = std::tan(std::numbers::pi / 180.0 * random.integer(5, 40));
    scene.add_plane({slope, 0.0, 1.0}, Vector3d::Zero());
    scene.add_plane({-slope, 0.0, 1.0}, Vector3d::Zero());
    top += slope * wide;
  }
  const bool parts = chance(random, 0.5);
  drop_in_layers(scene, random, random.integer(3, 24), 4, 2, reach, top + 1.5 * reach,
                 [&] { return parts ? any_part_shape(reach, random) : ball(reach * random.uniform(0.4, 1.0)); });
}

void lay_mixed_surfaces(SceneText& scene, Random& random) {
  constexpr std::array kLayouts{lay_ball_pile, lay_box_pile,  lay_mixed_pile,   lay_odd_shapes, lay_full_floor,
                                lay_pyramid,   lay_box_stack, lay_ball_pyramid, lay_cylinders,  lay_dominoes,
                                lay_corner,    lay_line,      lay_driven_walls, lay_hollow,     lay_compounds};
  scene.mix_materials(random.integer(2, 4), random);
  kLayouts.at(static_cast<std::size_t>(random.integer(0, static_cast<int>(kLayouts.size()) - 1)))(scene, random);
}

}  // namespace carom::test
