/// The disk in a corner against the table of Fassino and Pasquero (tests/data/corner_table.csv), through the engine.
///
/// In the paper's frame, as in the scene, the bisector is the x axis and points into the corner. The walls of half
/// angle α have the normals (−sin α, ∓cos α), so wall 1 is approached where ẋ tan α − ẏ > 0, as in the paper.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <numbers>
#include <sstream>

#include "scenes/scene_run.h"
#include "support/places.h"

namespace carom::test {
namespace {

using Eigen::Vector3d;

struct Row {
  std::string id, stop, final_x, final_y;
  double restitution = 0.0;
  int angle = 0, velocity = 0;  ///< α = π/angle; 1 to 7
};

std::vector<Row> read_table() {
  std::ifstream file(test_data("corner_table.csv"));
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line.substr(0, line.find('\r')), "id,eps,alpha_den,v0_index,x0,y0,xf,yf,norm_f,zone0,steps,stop");
  std::vector<Row> rows;
  while (std::getline(file, line)) {
    std::istringstream in(line.substr(0, line.find('\r')));
    std::vector<std::string> cells;
    for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
    EXPECT_EQ(cells.size(), 12u) << line;
    rows.push_back(
        {cells[0], cells[11], cells[6], cells[7], std::stod(cells[1]), std::stoi(cells[2]), std::stoi(cells[3])});
  }
  return rows;
}

Vector3d velocity_of(const Row& row) {
  const double k = std::tan(std::numbers::pi / row.angle);
  const Vector3d directions[] = {{1, 0, 0},     {1, k / 3, 0}, {1, 2 * k / 3, 0}, {1, k, 0},
                                 {1, 1 / k, 0}, {0, 1, 0},     {-1, k, 0}};
  return directions[row.velocity - 1].normalized();
}

/// The corner of the scene at another angle; the disk has radius 1 and touches both walls.
SceneRun run_corner(const Row& row, const std::string& law) {
  const double alpha = std::numbers::pi / row.angle;
  const Vector3d corner(1 / std::sin(alpha), 0, 0);
  scene::SceneFile scene = shipped_scene(
      "disk-in-a-corner", {"run.law=" + law, "run.duration=1e-3", setting("body.disk.velocity", velocity_of(row)),
                           setting("plane.upper wall.normal", Vector3d(-std::sin(alpha), -std::cos(alpha), 0)),
                           setting("plane.lower wall.normal", Vector3d(-std::sin(alpha), std::cos(alpha), 0)),
                           setting("plane.upper wall.point", corner), setting("plane.lower wall.point", corner)});
  scene.model.materials = {{.name = "one", .young = {}, .poisson = {}}};
  scene.model.rules = {{.restitution = row.restitution, .rough = false, .stiffness = {}}};
  scene.model.bodies[0].material = 0;
  for (Obstacle& wall : scene.model.obstacles) wall.material = 0;
  return run_scene(scene);
}

/// Half a unit of the last digit of a number printed as %.2e, and what round-off adds to a disk that nearly stops.
double printed_tolerance(const std::string& text) {
  const double value = std::abs(std::stod(text));
  return 1e-12 + (value == 0.0 ? 0.0 : 0.5000001e-2 * std::pow(10.0, std::floor(std::log10(value))));
}

TEST(DiskInACorner, LeavesWithTheTablesVelocityAtAllSevenAngles) {
  const std::vector<Row> rows = read_table();
  ASSERT_EQ(rows.size(), 343u);
  std::map<int, int> angles;
  for (std::size_t i = 0; i < rows.size(); i += quick() ? 5 : 1) {
    const Row& row = rows[i];
    SCOPED_TRACE(row.id);
    const SceneRun run = run_corner(row, "geometric");
    ASSERT_EQ(run.result.stop, RunStop::duration);
    ++angles[row.angle];
    const Vector3d& velocity = run.body("disk").velocity;
    EXPECT_NEAR(velocity.x(), std::stod(row.final_x), printed_tolerance(row.final_x));
    EXPECT_NEAR(velocity.y(), std::stod(row.final_y), printed_tolerance(row.final_y));
    EXPECT_LE(std::abs(run.result.energy.error()), 1e-15);
    for (const KeptEvent& event : run.impacts()) EXPECT_EQ(event.record.time, 0.0);
  }
  EXPECT_EQ(angles.size(), 7u);
}

TEST(DiskInACorner, StrikesBothWallsInOneEvent) {
  const SceneRun run = run_shipped("disk-in-a-corner");
  expect_sound(run);
  ASSERT_EQ(run.events.size(), 1u);
  EXPECT_EQ(run.events[0].record.time, 0.0);
  EXPECT_EQ(run.events[0].record.law, "geometric");
  // A disk of some thickness touches each wall along a line, by its two ends.
  EXPECT_EQ(run.events[0].contacts.size(), 4u);
  EXPECT_LE(difference(run.body("disk").velocity, Vector3d(-1, 0, 0)), 1e-15);
  EXPECT_LE(difference(run.body("disk").position, Vector3d(-2, 0, 0)), 1e-15);
}

TEST(DiskInACorner, NewtonsLawAndTheGeometricOneDifferAsThePaperSays) {
  // Row 1.2.3: ε = 1, α = π/6, third velocity.
  const Row row{.id = "1.2.3", .stop = {}, .final_x = {}, .final_y = {}, .restitution = 1.0, .angle = 6, .velocity = 3};
  const Vector3d geometric = run_corner(row, "geometric").body("disk").velocity;
  const Vector3d newton = run_corner(row, "newton").body("disk").velocity;
  EXPECT_LE(difference(geometric, Vector3d(-0.955, 0.295, 0)), 5.1e-4);
  EXPECT_LE(difference(newton, Vector3d(-0.933, -0.359, 0)), 5.1e-4);
}

}  // namespace
}  // namespace carom::test
