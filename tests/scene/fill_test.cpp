#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "carom/mechanics/initial_gaps.h"
#include "carom/scene/scene_file.h"
#include "scene/expect_error.h"

namespace carom::scene::fill_test {
namespace {

using Eigen::Vector3d;

std::string fill_text(const std::string& keys) {
  return "format = 1\n[run]\nduration = 1\n[[fill]]\nname = 'gas'\nmass = 2\n" + keys;
}

SceneFile read(const std::string& keys) {
  return read_scene_file(parse_document("s", fill_text(keys)));
}

const std::string kBalls = "shape = { kind = 'sphere', radius = 0.05 }\nbox = [[0, 0, 0], [1, 1, 1]]\n";

TEST(Fill, BodiesStandInTheBoxWithoutOverlap) {
  for (const char* const keys : {"count = 1", "count = 7", "count = 100\njitter = 1", "count = 1000", "count = 999"}) {
    const SceneFile scene = read(kBalls + keys);
    EXPECT_NO_THROW(require_no_overlap(scene.model, scene.state)) << keys;
    std::set<std::string> names;
    for (std::size_t i = 0; i < scene.model.bodies.size(); ++i) {
      const Vector3d& position = scene.state.bodies[i].position;
      EXPECT_GE(position.minCoeff(), 0.05 - 1e-15) << keys;
      EXPECT_LE(position.maxCoeff(), 0.95 + 1e-15) << keys;
      names.insert(scene.model.bodies[i].name);
    }
    EXPECT_EQ(names.size(), scene.model.bodies.size());
  }
  EXPECT_EQ(read(kBalls + "count = 999").model.bodies.size(), 999u);
}

TEST(Fill, ACubeNumberInACubeMakesACubicLattice) {
  const SceneFile scene = read(kBalls + "count = 8");
  EXPECT_TRUE(scene.state.bodies[0].position.isApprox(Vector3d(0.25, 0.25, 0.25)));
  EXPECT_TRUE(scene.state.bodies[1].position.isApprox(Vector3d(0.75, 0.25, 0.25)));
  EXPECT_TRUE(scene.state.bodies[7].position.isApprox(Vector3d(0.75, 0.75, 0.75)));
  EXPECT_EQ(scene.model.bodies[7].name, "gas-7");
  EXPECT_EQ(scene.model.bodies[7].mass, 2.0);
}

TEST(Fill, BodiesMayFillTheBoxExactly) {
  EXPECT_EQ(read(kBalls + "count = 1000").model.bodies.size(), 1000u);
  EXPECT_EQ(test::error_of([] { read(kBalls + "count = 1001"); }), "out-of-range 8:7 fill.gas.box");
  EXPECT_EQ(test::message_of([] { read(kBalls + "count = 1001"); }),
            "fill.gas.box holds 1000 of these bodies on a lattice, expected room for 1001");
}

TEST(Fill, AFlatBoxHoldsOneLayer) {
  const SceneFile scene =
      read("shape = { kind = 'sphere', radius = 0.5 }\nbox = [[0, 0, 1.4], [10, 10, 0]]\ncount = 90\n");
  for (const BodyState& body : scene.state.bodies) EXPECT_NEAR(body.position.z(), 0.7, 1e-15);
  EXPECT_NO_THROW(require_no_overlap(scene.model, scene.state));
  EXPECT_EQ(test::error_of([] {
              read("shape = { kind = 'sphere', radius = 0.5 }\nbox = [[0, 0, 0.9], [10, 10, 0]]\ncount = 1\n");
            }),
            "out-of-range 8:7 fill.gas.box");
}

struct Moments {
  Vector3d momentum = Vector3d::Zero();
  double square = 0.0;  ///< mean of v²
  double largest = 0.0, least = 1e300;
};

Moments moments(const SceneFile& scene) {
  Moments result;
  for (const BodyState& body : scene.state.bodies) {
    result.momentum += body.velocity;
    result.square += body.velocity.squaredNorm() / static_cast<double>(scene.state.bodies.size());
    result.largest = std::max(result.largest, body.velocity.norm());
    result.least = std::min(result.least, body.velocity.norm());
  }
  return result;
}

TEST(Fill, TemperatureIsTheMeanOfTheEnergyAndMomentumVanishes) {
  const Moments gas = moments(read(kBalls + "count = 1000\ntemperature = 5\n"));
  EXPECT_LT(gas.momentum.norm(), 1e-11);
  EXPECT_NEAR(2.0 * gas.square, 15.0, 1e-12);  // ⟨m v²⟩ = 3 T
  // Of a thousand Maxwellian speeds the largest is near 4 σ, the least near 0.15 σ.
  EXPECT_GT(gas.largest, 3.0 * std::sqrt(2.5));
  EXPECT_LT(gas.least, 0.5 * std::sqrt(2.5));
}

TEST(Fill, SpeedIsTheRootMeanSquareAndNearlyThatOfEach) {
  const Moments gas = moments(read(kBalls + "count = 1000\nspeed = 3\n"));
  EXPECT_LT(gas.momentum.norm(), 1e-11);
  EXPECT_NEAR(gas.square, 9.0, 1e-12);
  // Taking away the mean, of size 1/√1000, changes each speed by so much at most.
  EXPECT_LT(gas.largest, 3.0 * 1.1);
  EXPECT_GT(gas.least, 3.0 * 0.9);
}

TEST(Fill, ASingleBodyKeepsItsSpeed) {
  EXPECT_NEAR(moments(read(kBalls + "count = 1\nspeed = 3\n")).square, 9.0, 1e-12);
}

TEST(Fill, TheSeedDecides) {
  const auto first = [](const std::string& keys) { return read(kBalls + keys).state.bodies[0].velocity; };
  EXPECT_EQ(first("count = 9\nspeed = 1\nseed = 4"), first("count = 9\nspeed = 1\nseed = 4"));
  EXPECT_NE(first("count = 9\nspeed = 1\nseed = 4"), first("count = 9\nspeed = 1\nseed = 5"));
  const std::string text = fill_text(kBalls + "count = 9\nspeed = 1");
  std::string seeded = text;
  seeded.replace(seeded.find("duration = 1"), 12, "duration = 1\nseed = 4");
  EXPECT_EQ(read_scene_file(parse_document("s", seeded)).state.bodies[0].velocity,
            first("count = 9\nspeed = 1\nseed = 4"));
}

TEST(Fill, BadOnesAreRefused) {
  const auto error = [](const std::string& keys) { return test::error_of([&keys] { read(keys); }); };
  EXPECT_EQ(error(kBalls + "count = 0"), "out-of-range 9:9 fill.gas.count");
  EXPECT_EQ(error(kBalls + "count = 2.5"), "wrong-type 9:9 fill.gas.count");
  EXPECT_EQ(error(kBalls + "count = 1e9"), "out-of-range 9:9 fill.gas.count");
  EXPECT_EQ(error(kBalls + "count = 2\nspeed = 1\ntemperature = 1"), "duplicate-name 10:9 fill.gas.speed");
  EXPECT_EQ(error(kBalls + "count = 2\nspeed = -1"), "out-of-range 10:9 fill.gas.speed");
  EXPECT_EQ(error(kBalls), "missing-field 4:1 fill.gas.count");
  EXPECT_EQ(error(kBalls + "count = 2\n[[body]]\nname = 'gas-1'\nmass = 1\nshape = {kind = 'sphere', radius = 1}\n"),
            "duplicate-name 5:8 fill.gas.name");
}

TEST(Fill, ItsBodiesMeetEachOtherAndNeedAPair) {
  EXPECT_EQ(test::error_of([] { read(kBalls + "count = 2\nmaterial = 'a'\n[[material]]\nname = 'a'\n"); }),
            "missing-field 10:12 fill.gas.material");
  EXPECT_EQ(test::error_of([] { read(kBalls + "count = 1\nmaterial = 'a'\n[[material]]\nname = 'a'\n"); }), "accepted");
}

}  // namespace
}  // namespace carom::scene::fill_test
