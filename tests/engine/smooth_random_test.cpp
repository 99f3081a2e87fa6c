/// Random scenes under the compliant engine: none hangs or breaks, energy is accounted for, nobody leaves the room.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "carom/base/random.h"
#include "carom/engine/run.h"
#include "carom/engine/smooth/smooth_engine.h"
#include "contact/heavy_cases.h"
#include "engine/random_scenes.h"

namespace carom::test {
namespace {

/// Force laws for the materials of a random scene.
void add_force_laws(RandomScene& scene, Random& random) {
  Model& model = scene.model;
  for (Body& body : model.bodies) body.material = std::max(body.material, MaterialIndex(0));
  model.forces.resize(4);
  constexpr const char* kLaws[] = {"hunt-crossley-fixed", "tsuji", "kuwabara-kono", "kelvin-voigt"};
  for (const std::size_t k : {0u, 1u, 3u}) {
    PairRule& rule = model.rules[k];
    ForceRule& force = model.forces[k];
    rule.stiffness = std::pow(10.0, random.uniform(5.0, 7.0));
    rule.restitution = std::max(rule.restitution.at_rest(), 0.05);
    if (!rule.restitution.is_elastic()) {
      force.normal = kLaws[random.integer(0, 3)];
      if (force.normal == "hunt-crossley-fixed" || force.normal == "kuwabara-kono")
        force.normal_parameters.set("reference_speed", 3.0);
    }
    if (rule.rough) {
      const bool spring = random.uniform() < 0.3;
      force.friction = spring ? "tangential-spring" : "coulomb";
      force.friction_parameters.set("coefficient", random.uniform(0.1, 1.0));
      force.friction_parameters.set(spring ? "stiffness" : "vr", spring ? 1e5 : 0.02);
      if (random.uniform() < 0.5) force.friction_parameters.set("rolling", 0.01);
    }
  }
  model.rules[2] = model.rules[1];
  model.forces[2] = model.forces[1];
}

struct Scale final : Observer {
  double energy = 0.0;
  void sample(const State&, const EnergyBook& book) override {
    energy = std::max({energy, std::abs(book.now.total()), book.now.kinetic});
  }
  void event(const EventRecord&) override {}
  void progress(double, long) override {}
};

/// A step may err by rtol of the energy, and the errors of many steps partly cancel: what a run misses is some rtol (13
/// at most in 600 scenes).
constexpr double kUsual = 10.0, kWorst = 30.0;

struct Missed {
  RunResult result;
  double energy;  ///< error of the book, in rtol of the energies that passed through it
};

/// Runs a scene with forces to its end.
Missed run_with_forces(RandomScene& scene, int seed) {
  Random random(static_cast<std::uint64_t>(seed) + 77);
  add_force_laws(scene, random);
  SmoothOptions options;
  options.duration = 0.5;
  options.rtol = 1e-7;
  Scale scale;
  RunResult result =
      run_to_end(std::make_unique<SmoothEngine>(std::make_shared<const Model>(scene.model), scene.state, options),
                 {.output_step = 0.01}, &scale);
  EXPECT_EQ(result.stop, RunStop::duration) << (result.failure ? result.failure->reason : "");
  const double passed = std::max(scale.energy, std::abs(result.energy.wall_work));
  const double error = std::abs(result.energy.error());
  return {std::move(result), error == 0.0 ? 0.0 : error / (options.rtol * passed)};
}

TEST(SmoothRandomScenes, AllRunThroughWithTheirEnergyAccountedFor) {
  const int seeds = heavy_cases(200);
  int unusual = 0;
  for (int seed = 0; seed < seeds; ++seed) {
    RandomScene scene = random_scene(static_cast<std::uint64_t>(seed));
    SCOPED_TRACE("seed " + std::to_string(seed) + ":" + scene.story);
    const Missed missed = run_with_forces(scene, seed);
    EXPECT_LE(missed.energy, kWorst);
    if (missed.energy > kUsual) ++unusual;
    const bool driven = std::any_of(scene.model.obstacles.begin(), scene.model.obstacles.end(),
                                    [](const Obstacle& obstacle) { return obstacle.driven(); });
    if (driven) continue;
    for (const BodyState& body : missed.result.final_state.bodies)
      EXPECT_LT(body.position.cwiseAbs().maxCoeff(), kRoom);
  }
  EXPECT_LE(unusual, seeds / 100);
}

TEST(SmoothRandomScenes, InAShakenRoomTheDriveIsInTheBook) {
  for (int seed = 0; seed < heavy_cases(40); ++seed) {
    RandomScene scene = shaken_scene(static_cast<std::uint64_t>(seed));
    SCOPED_TRACE("seed " + std::to_string(seed) + ":" + scene.story);
    EXPECT_LE(run_with_forces(scene, seed).energy, kWorst);
  }
}

}  // namespace
}  // namespace carom::test
