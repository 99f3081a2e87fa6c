/// The check of records is checked: its gaps against those of the engines' geometry, its complaints by records of runs
/// that were tampered with.

#include "soak/record/solids.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/geometry/pair_table.h"
#include "geometry/random_shapes.h"
#include "soak/record/findings.h"
#include "soak/record/solid_mass.h"
#include "support/property_cases.h"

namespace carom::test {
namespace {

using Eigen::Vector3d;

/// A random solid in both worlds.
struct Twin {
  Shape shape;
  soak::Solid solid;
  Vector3d centroid = Vector3d::Zero();  ///< in the frame of the shape: the origin of the solid

  [[nodiscard]] soak::Placed at(const Pose& pose) const { return {&solid, pose.to_world(centroid), pose.orientation}; }
};

Twin random_twin(Random& random) {
  const auto length = [&] { return random.uniform(0.2, 1.0); };
  const double x = length(), y = length(), z = length();
  Twin twin;
  switch (random.integer(0, 6)) {
    case 0:
      twin.shape = Sphere{x};
      twin.solid.kind = soak::Solid::Kind::sphere;
      twin.solid.sizes.setConstant(x);
      break;
    case 1:
      twin.shape = Box{{x, y, z}};
      twin.solid.kind = soak::Solid::Kind::box;
      twin.solid.sizes = {x, y, z};
      break;
    case 2:
      twin.shape = Ellipsoid{{x, y, z}};
      twin.solid.kind = soak::Solid::Kind::ellipsoid;
      twin.solid.sizes = {x, y, z};
      break;
    case 3:
      twin.shape = Cylinder{x, z};
      twin.solid.kind = soak::Solid::Kind::cylinder;
      twin.solid.sizes = {x, x, z};
      break;
    case 4:
      twin.shape = Cone{x, z};
      twin.centroid = {0.0, 0.0, 0.25 * z};
      twin.solid.kind = soak::Solid::Kind::cone;
      twin.solid.sizes = {x, x, z};
      break;
    case 5:
      twin.shape = HalfCylinder{x, z};
      twin.centroid = {0.0, -soak::half_disc_centroid(x), 0.0};
      twin.solid.kind = soak::Solid::Kind::half_cylinder;
      twin.solid.sizes = {x, x, z};
      break;
    default:
      twin.shape = Capsule{x, z};
      twin.solid.kind = soak::Solid::Kind::capsule;
      twin.solid.sizes = {x, x, z};
  }
  return twin;
}

TEST(RecordCheck, GapsAgreeWithTheGeometryOfTheEngines) {
  Random random(5);
  for (int k = 0; k < property_cases(2000); ++k) {
    const Twin a = random_twin(random), b = random_twin(random);
    const Pose still{.position = Vector3d::Zero(), .orientation = random_rotation(random)};
    Pose moved{.position = 3.0 * random_direction(random), .orientation = random_rotation(random)};
    // Brought to a small gap or overlap along the line of centres.
    const double wanted = random.uniform(-1e-3, 1e-3);
    double distance = 0.0;
    for (int round = 0; round < 20; ++round) {
      const Proximity found = proximity(one_part(a.shape), moved, one_part(b.shape), still);
      distance = found.distance;
      moved.position += (wanted - distance) * found.normal;
    }
    distance = proximity(one_part(a.shape), moved, one_part(b.shape), still).distance;
    const double own = soak::gap(a.at(moved), b.at(still));
    SCOPED_TRACE(std::string(shape_name(a.shape)) + " and " + std::string(shape_name(b.shape)));
    if (distance > 0.0) {
      EXPECT_GE(own, -1e-9);
      EXPECT_LE(own, distance + 1e-9);
    } else {
      // The direction of the way out is that of the solids shrunk by as much as they overlap.
      EXPECT_GE(own, 1.5 * distance - 1e-9);
      EXPECT_LE(own, distance + 1e-9);
    }
  }
}

TEST(RecordCheck, SizesAreHalfOfTheLeastWidths) {
  Random random(6);
  for (int k = 0; k < property_cases(100); ++k) {
    const soak::Solid solid = random_twin(random).solid;
    // The direction of the least width by chance, nearer and nearer to the best one so far.
    double least = 1e300;
    Vector3d best = Vector3d::Zero();
    for (double wide = 10.0; wide > 1e-4; wide *= 0.99) {
      const Vector3d direction = (best + wide * random_direction(random)).normalized();
      const double width = direction.dot(solid.support(direction) - solid.support(-direction));
      if (width < least) best = direction;
      least = std::min(least, width);
    }
    EXPECT_GE(least, 2.0 * solid.size() * (1.0 - 1e-12));
    EXPECT_LE(least, 2.0 * solid.size() * 1.1) << static_cast<int>(solid.kind);
  }
}

TEST(RecordCheck, HollowsHaveTheirGaps) {
  soak::Solid box;
  box.kind = soak::Solid::Kind::box;
  box.sizes = {0.3, 0.4, 0.5};
  const soak::Placed placed{&box, {0.1, 0.0, 0.0}, Eigen::Quaterniond::Identity()};
  EXPECT_NEAR(soak::gap_inside(placed, Vector3d::Zero(), 1.0, nullptr), 1.0 - Vector3d(0.4, 0.4, 0.5).norm(), 1e-12);
  const Vector3d axis = Vector3d::UnitZ();
  EXPECT_NEAR(soak::gap_inside(placed, Vector3d::Zero(), 1.0, &axis), 1.0 - std::hypot(0.4, 0.4), 1e-12);
  EXPECT_NEAR(soak::gap_to_plane(placed, Vector3d::UnitX(), {-0.5, 0.0, 0.0}), 0.3, 1e-12);
}

TEST(RecordCheck, AHullHasTheMassOfTheBoxWhoseCornersItHas) {
  soak::Solid box;
  box.kind = soak::Solid::Kind::box;
  box.sizes = {0.3, 0.4, 0.5};
  box.offset = {1.0, -2.0, 0.5};
  box.turn = Eigen::Quaterniond(0.5, 0.5, 0.1, -0.3).normalized();
  soak::Solid hull = box;
  hull.kind = soak::Solid::Kind::hull;
  hull.offset += box.turn * Vector3d(0.1, 0.0, -0.2);  // its corners need not be about their middle
  for (int corner = 0; corner < 8; ++corner)
    hull.corners.push_back(Vector3d(corner & 1 ? 0.3 : -0.3, corner & 2 ? 0.4 : -0.4, corner & 4 ? 0.5 : -0.5) -
                           Vector3d(0.1, 0.0, -0.2));
  const soak::SolidMass one = soak::homogeneous(box), other = soak::homogeneous(hull);
  EXPECT_NEAR(other.volume, 8.0 * 0.3 * 0.4 * 0.5, 1e-14);
  EXPECT_NEAR((one.centroid - other.centroid).norm(), 0.0, 1e-14);
  EXPECT_NEAR((one.inertia - other.inertia).norm(), 0.0, 1e-14);
}

constexpr const char* kScene = R"(
format = 1
world.gravity = [0, 0, -10]
body = [
  { name = "low", shape = { kind = "box", half_sizes = [1, 1, 1] }, mass = 2, position = [0, 0, 1] },
  { name = "high", shape = { kind = "sphere", radius = 1 }, mass = 3, position = [0, 0, 3] },
]
plane = [{ name = "floor", normal = [0, 0, 1] }]
)";

/// Two bodies at rest on each other, with the energies that belong to them.
soak::RecordedRun resting() {
  soak::RecordedRun run;
  run.scene = kScene;
  run.engine = "event";
  run.law = "newton";
  run.stop = "duration";
  run.objects = {"low", "high", "floor"};
  run.bodies = 2;
  for (const double time : {0.0, 1.0, 2.0}) {
    run.time.push_back(time);
    const soak::BodySample low{{0.0, 0.0, 1.0}, Vector3d::Zero(), Vector3d::Zero(), Eigen::Quaterniond::Identity()};
    soak::BodySample high = low;
    high.position.z() = 3.0;
    run.samples.push_back({low, high});
  }
  for (const char* column :
       {"kinetic", "gravity", "springs", "loads", "contacts", "initial", "impacts", "damping", "cut_off",
        "contact_damping", "friction", "swallowed", "wall_work", "torque_work", "motor_work"})
    run.energy[column] = std::vector<double>(3, 0.0);
  run.energy["gravity"] = run.energy["initial"] = std::vector<double>(3, 110.0);
  return run;
}

TEST(RecordCheck, HasNothingToSayAboutBodiesThatRestOnEachOther) {
  const soak::Findings found = soak::find_faults(resting());
  EXPECT_TRUE(found.complaints.empty()) << found.complaints.front();
  EXPECT_TRUE(found.at_rest);
}

TEST(RecordCheck, NoticesOverlap) {
  soak::RecordedRun run = resting();
  for (auto& sample : run.samples) sample[1].position.z() -= 1e-4;
  const soak::Findings found = soak::find_faults(run);
  EXPECT_NEAR(found.overlap, 1e-4, 1e-9);
  EXPECT_EQ(found.complaints.size(), 1u);
}

TEST(RecordCheck, NoticesWhatFloats) {
  soak::RecordedRun run = resting();
  for (auto& sample : run.samples) sample[1].position.z() += 1e-3;
  const soak::Findings found = soak::find_faults(run);
  EXPECT_EQ(found.floating, 1);
  EXPECT_EQ(found.complaints.size(), 1u);
}

TEST(RecordCheck, NoticesEnergyThatIsNotThatOfTheMotion) {
  soak::RecordedRun run = resting();
  run.samples[1][1].velocity.x() = 2.0;                          // 6 J that are in no column
  EXPECT_NEAR(soak::find_faults(run).energy, 6.0 / 50.0, 1e-8);  // of m g a, all that there is otherwise
  run.energy["kinetic"][1] = 6.0;                                // in its column, but from nowhere
  const soak::Findings open = soak::find_faults(run);
  EXPECT_EQ(open.energy, 0.0);
  EXPECT_NEAR(open.book, 6.0 / 50.0, 1e-8);
  run.energy["impacts"][1] = -6.0;  // from an impact that creates energy
  const soak::Findings created = soak::find_faults(run);
  EXPECT_EQ(created.book, 0.0);
  EXPECT_NEAR(created.created, 6.0 / 50.0, 1e-8);
  EXPECT_FALSE(created.complaints.empty());
}

TEST(RecordCheck, NoticesABookWithoutNumbers) {
  soak::RecordedRun run = resting();
  run.energy["impacts"][2] = std::nan("");
  EXPECT_EQ(soak::find_faults(run).complaints.size(), 1u);
}

TEST(RecordCheck, SaysWhatItDoesNotKnow) {
  soak::RecordedRun run = resting();
  run.scene += "[[fill]]\nname = \"gas\"\n";
  EXPECT_THROW(soak::find_faults(run), soak::NotUnderstood);
}

}  // namespace
}  // namespace carom::test
