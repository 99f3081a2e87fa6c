/// Properties of every run, over scenes with bodies of all shapes and of several parts.

#include <gtest/gtest.h>

#include <string>

#include "contact/heavy_cases.h"
#include "engine/conduct.h"
#include "engine/random_mixtures.h"

namespace carom::test {
namespace {

using Eigen::Vector3d;

TEST(RandomMixtures, BooksCloseNothingOverlapsAndTimeGoesOn) {
  for (int seed = 0; seed < heavy_cases(20); ++seed) {
    const RandomScene scene = random_mixture(static_cast<std::uint64_t>(seed));
    SCOPED_TRACE("seed " + std::to_string(seed) + ":" + scene.story);
    expect_good_conduct(scene);
  }
}

struct Momentum {
  Vector3d linear = Vector3d::Zero(), angular = Vector3d::Zero();
};

Momentum momentum_of(const Model& model, const State& state) {
  Momentum sum;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const Body& body = model.bodies[i];
    const BodyState& now = state.bodies[i];
    const Eigen::Quaterniond principal = now.orientation * body.principal_axes;
    const Vector3d spin = principal.conjugate() * now.angular_velocity;
    sum.linear += body.mass * now.velocity;
    sum.angular += body.mass * now.position.cross(now.velocity) + principal * body.inertia.cwiseProduct(spin);
  }
  return sum;
}

TEST(RandomMixtures, InEmptySpaceBothMomentaAreKept) {
  std::int64_t impacts = 0;
  for (int seed = 0; seed < heavy_cases(20); ++seed) {
    const RandomScene scene = random_swarm(static_cast<std::uint64_t>(seed));
    SCOPED_TRACE("seed " + std::to_string(seed) + ":" + scene.story);
    const Conduct conduct = expect_good_conduct(scene);
    const Momentum before = momentum_of(scene.model, scene.state);
    const Momentum after = momentum_of(scene.model, conduct.result.final_state);
    EXPECT_LT((after.linear - before.linear).norm(), 1e-10);
    EXPECT_LT((after.angular - before.angular).norm(), 1e-10);
    impacts += conduct.result.impacts;
  }
  EXPECT_GT(impacts, 0);
}

}  // namespace
}  // namespace carom::test
