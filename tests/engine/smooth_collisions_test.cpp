/// Collisions of the compliant engine: closed forms, oracles, order of convergence, energy.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "carom/base/error.h"
#include "carom/base/random.h"
#include "carom/numerics/stepper/integrators.h"
#include "contact/heavy_cases.h"
#include "engine/smooth_models.h"
#include "support/places.h"

namespace carom::test {
namespace {

using nlohmann::json;

json oracles() {
  std::ifstream file(test_data("compliant_oracles.json"));
  return json::parse(file);
}

/// Two balls that meet head on; returns the rebound over the approach.
double restitution_of(SmoothScene scene, double mass_a, double mass_b, double speed) {
  scene.add_ball(0.02, mass_a, {0.0, 0.0, 0.0}, {speed, 0.0, 0.0});
  scene.add_ball(0.03, mass_b, {0.0501, 0.0, 0.0});
  scene.options.duration = 1.0;
  scene.options.stop_when_apart = true;
  const RunResult result = scene.run();
  EXPECT_EQ(result.compliant->contacts_started, 1);
  return (result.final_state.bodies[1].velocity.x() - result.final_state.bodies[0].velocity.x()) / speed;
}

TEST(SmoothCollision, TheEffectiveRestitutionOfEveryHystereticLawIsTheOracle) {
  const json tables = oracles()["effective_restitution_HC_family"]["tables"];
  const std::pair<const char*, const char*> laws[] = {{"hunt-crossley", "HuntCrossley"},
                                                      {"herbert-mcwhannell", "HerbertMcWhannell"},
                                                      {"lee-wang", "LeeWang"},
                                                      {"lankarani-nikravesh", "LankaraniNikravesh"},
                                                      {"gonthier", "Gonthier_ZhangSharf_approx"},
                                                      {"flores", "Flores"},
                                                      {"hu-guo", "HuGuo"},
                                                      {"gharib-hurmuzlu", "GharibHurmuzlu"}};
  for (const auto& [law, name] : laws) {
    for (const char* const nominal : {"0.3", "0.7", "0.93"}) {
      SmoothScene scene;
      scene.set_law(law, std::stod(nominal));
      scene.options.rtol = 1e-12;
      EXPECT_NEAR(restitution_of(scene, 0.1, 0.7, 2.0), tables[name][nominal].get<double>(), 1e-9)
          << law << " " << nominal;
    }
  }
}

TEST(SmoothCollision, ExactHuntCrossleyFixedTsujiAndKelvinVoigtReboundAsAsked) {
  for (const double e : {0.2, 0.5, 0.9, 0.99}) {
    for (const char* const law : {"exact", "hunt-crossley-fixed", "tsuji", "kelvin-voigt"}) {
      SmoothScene scene;
      scene.set_law(law, e, std::string(law) == "hunt-crossley-fixed" ? 3.0 : 0.0);
      if (std::string(law) == "kelvin-voigt") scene.set_stiffness(1e6);
      scene.options.rtol = 1e-12;
      EXPECT_NEAR(restitution_of(scene, 0.1, 0.2, 3.0), e, 1e-9) << law;
    }
  }
}

TEST(SmoothCollision, AHertzCollisionLastsAsLongAsTheClosedFormSays) {
  struct Ends final : Observer {
    double start = -1.0, end = -1.0, impulse = 0.0;
    void sample(const State&, const EnergyBook&) override {}
    void progress(double, long) override {}
    void event(const EventRecord& event) override {
      (event.kind == EventKind::contact_start ? start : end) = event.time;
      impulse = event.contacts[0].impulse;
    }
  } ends;
  SmoothScene scene;
  scene.add_ball(0.028575, 0.17, {0.0, 0.0, 0.0}, {6.0, 0.0, 0.0});
  scene.add_ball(0.028575, 0.17, {0.06, 0.0, 0.0});
  scene.options.rtol = 1e-12;
  scene.options.duration = 0.01;
  const RunResult result = scene.run(&ends);
  EXPECT_NEAR(ends.start, (0.06 - 0.05715) / 6.0, 1e-15);
  EXPECT_NEAR(ends.end - ends.start, 0.00027244058480763124, 1e-13);
  EXPECT_NEAR(ends.impulse, 0.17 * 6.0, 1e-10);
  EXPECT_NEAR(result.final_state.bodies[1].velocity.x(), 6.0, 1e-10);
  EXPECT_NEAR(result.compliant->deepest * 0.028575, 0.0005553824927929171, 2e-6);
}

TEST(SmoothCollision, TouchingChainsPartAsTheOracleSays) {
  const json chains = oracles()["touching_chain_equal_masses_one_striker_v=1"];
  for (const double exponent : {1.5, 1.0}) {
    for (const int n : {3, 4, 5, 10}) {
      SmoothScene scene = touching_chain(n, exponent);
      scene.options.rtol = 1e-11;
      const RunResult result = scene.run();
      const json expected =
          chains["exponent " + std::string(exponent == 1.5 ? "1.5" : "1.0") + ", N=" + std::to_string(n)];
      for (int i = 0; i < n; ++i)
        EXPECT_NEAR(result.final_state.bodies[static_cast<std::size_t>(i)].velocity.x(),
                    expected["v"][static_cast<std::size_t>(i)].get<double>(), 1e-8)
            << "N " << n << " ball " << i;
    }
  }
}

TEST(SmoothCollision, ThePlanarBreakHasTheVelocitiesOfTheOracle) {
  const json velocities = oracles()["pool_break_2D_frictionless"]["velocities"];
  for (const bool elastic : {true, false}) {
    SmoothScene scene = planar_break(1e-4);
    if (!elastic) {
      scene.set_law("lankarani-nikravesh", 0.85);
      scene.model.rules[0].restitution = 0.93;
    }
    scene.options.rtol = 1e-12;
    scene.options.duration = 0.03;
    const RunResult result = scene.run();
    const json expected =
        velocities[elastic ? "alpha=1e-4 law=Hertz" : "alpha=1e-4 law=LN per-contact v0 c_r=.93, wall .85"];
    for (std::size_t i = 0; i < 16; ++i)
      for (std::size_t k = 0; k < 2; ++k)
        EXPECT_NEAR(result.final_state.bodies[i].velocity[static_cast<Eigen::Index>(k)],
                    expected["v_xy_balls0to15"][2 * i + k].get<double>(), 2e-9);
    EXPECT_NEAR(result.energy.error(), 0.0, 1e-9);
  }
}

TEST(SmoothCollision, AFallingBallReboundsAsAnotherIntegrationSays) {
  // By steps of 1 ns of the classical Runge–Kutta method; the oracles 0.795733914 and 0.68386921 agree to 3e-9.
  for (const auto& [c, expected] : {std::pair{0.7, 0.7957339116054}, std::pair{0.3, 0.6838692069939}}) {
    SmoothScene scene = dropped_ball(0.3);
    scene.set_law("lankarani-nikravesh", c);
    scene.options.rtol = 1e-12;
    scene.options.duration = 2.0;
    scene.options.stop_when_apart = true;
    const RunResult result = scene.run();
    EXPECT_NEAR(result.final_state.bodies[0].velocity.z() / std::sqrt(2.0 * 9.81 * 0.3), expected, 1e-11);
  }
}

TEST(SmoothCollision, TenElasticBouncesKeepTheEnergyToTheTolerance) {
  SmoothScene scene = dropped_ball(0.3);
  scene.options.rtol = 1e-8;
  scene.options.duration = 5.0;
  const RunResult result = scene.run();
  EXPECT_EQ(result.compliant->contacts_started, 10);
  EXPECT_LT(std::abs(result.energy.error() / result.energy.initial), 1e-7);
}

TEST(SmoothCollision, NoElasticDropGainsEnergy) {
  Random random(31);
  for (int i = 0; i < heavy_cases(300); ++i) {
    SmoothScene scene = dropped_ball(random.uniform(0.01, 2.0));
    scene.options.rtol = 1e-8;
    scene.options.duration = 2.0;
    const RunResult result = scene.run();
    EXPECT_LT(std::abs(result.energy.error()) / result.energy.initial, 1e-7) << "drop " << i;
  }
}

/// Error of the velocity after one elastic bounce without gravity, and the steps it took.
std::pair<double, double> bounce_error(const std::string& integrator, double rtol) {
  SmoothScene scene;
  scene.add_ball(0.028575, 0.17, {0.0, 0.0, 0.04}, {0.0, 0.0, -2.0});
  scene.add_plane({0.0, 0.0, 1.0}, Eigen::Vector3d::Zero());
  scene.options.rtol = rtol;
  scene.options.integrator = integrator;
  scene.options.duration = 0.05;
  const RunResult result = scene.run();
  return {std::abs(result.final_state.bodies[0].velocity.z() - 2.0), static_cast<double>(result.evaluations)};
}

TEST(SmoothCollision, DormandPrinceKeepsItsOrderThroughContacts) {
  // Error against work over four decades of tolerance, averaged over neighbouring tolerances.
  const auto mean = [](double rtol) {
    double error = 0.0, work = 0.0;
    for (int k = -2; k <= 2; ++k) {
      const auto [e, w] = bounce_error("dormand-prince", rtol * std::pow(1.3, k));
      error += std::log(e);
      work += std::log(w);
    }
    return std::pair{error / 5.0, work / 5.0};
  };
  const auto [coarse_error, coarse_work] = mean(1e-7);
  const auto [fine_error, fine_work] = mean(1e-12);
  const double order = (coarse_error - fine_error) / (fine_work - coarse_work);
  EXPECT_GT(order, 4.6);
}

TEST(SmoothCollision, EveryIntegratorLocatesItsContacts) {
  for (const Integrator& method : integrators()) {
    SmoothScene scene = dropped_ball(0.3);
    scene.options.integrator = std::string(method.name);
    scene.options.step = 1e-7;
    scene.options.rtol = 1e-9;
    scene.options.duration = 2.0;
    const RunResult result = scene.run();
    EXPECT_EQ(result.compliant->contacts_started, 4) << method.name;
    EXPECT_LT(std::abs(result.energy.error() / result.energy.initial), method.adaptive ? 1e-7 : 1e-6) << method.name;
  }
}

TEST(SmoothCollision, WithoutLocationEnergyIsGainedAsThePaperReports) {
  int gained = 0;
  double most = 0.0;
  for (int i = 0; i < 40; ++i) {
    SmoothScene scene = dropped_ball(0.2 + 0.01 * i);
    scene.options.rtol = 1e-3;
    scene.options.locate_events = false;
    scene.options.duration = 1.0;
    const RunResult result = scene.run();
    EXPECT_EQ(result.guarantee, Guarantee::sampled);
    const double change = (result.energy.now.total() - result.energy.initial) / result.energy.initial;
    if (change > 1e-6) ++gained;
    most = std::max(most, change);
  }
  EXPECT_GT(gained, 10);
  EXPECT_GT(most, 1e-4);
}

TEST(SmoothCollision, ClustersGiveWhatIntegratingEverythingTogetherGives) {
  SmoothScene scene = planar_break(1e-5);
  scene.set_law("hunt-crossley-fixed", 0.9, 1.0);
  scene.options.rtol = 1e-11;
  scene.options.duration = 0.05;
  const RunResult apart = scene.run();
  scene.options.clusters = false;
  const RunResult together = scene.run();
  for (std::size_t i = 0; i < 16; ++i)
    EXPECT_LT((apart.final_state.bodies[i].velocity - together.final_state.bodies[i].velocity).norm(), 1e-7);
}

TEST(SmoothCollision, ACentralBreakStaysMirrorSymmetric) {
  SmoothScene scene = planar_break(0.0);
  scene.state.bodies[0].position.y() = 0.635;
  scene.options.rtol = 1e-10;
  scene.options.duration = 0.02;
  const RunResult result = scene.run();
  // Rows are numbered across: mirror images are at the other end of their row.
  std::size_t first = 1;
  for (std::size_t row = 0; row < 5; ++row) {
    for (std::size_t k = 0; k <= row; ++k) {
      const Eigen::Vector3d a = result.final_state.bodies[first + k].velocity;
      const Eigen::Vector3d b = result.final_state.bodies[first + row - k].velocity;
      EXPECT_NEAR(a.x(), b.x(), 1e-6);
      EXPECT_NEAR(a.y(), -b.y(), 1e-6);
    }
    first += row + 1;
  }
}

TEST(SmoothCollision, MomentumIsKept) {
  SmoothScene scene = planar_break(1e-4);
  scene.model.obstacles.clear();
  scene.set_law("tsuji", 0.8);
  scene.set_friction("coulomb", {{"coefficient", 0.1}, {"vr", 1e-3}});
  scene.options.duration = 0.05;
  const RunResult result = scene.run();
  Eigen::Vector3d momentum = Eigen::Vector3d::Zero(), angular = Eigen::Vector3d::Zero();
  for (std::size_t i = 0; i < 16; ++i) {
    const BodyState& body = result.final_state.bodies[i];
    momentum += 0.17 * body.velocity;
    angular += 0.17 * body.position.cross(body.velocity) + scene.model.bodies[i].inertia[0] * body.angular_velocity;
  }
  EXPECT_NEAR(momentum.x(), 0.17 * 6.0, 1e-12);
  EXPECT_NEAR(momentum.y(), 0.0, 1e-12);
  EXPECT_NEAR(angular.z(), -0.17 * 6.0 * 0.636, 1e-7);
  EXPECT_NEAR(result.energy.error(), 0.0, 1e-6);
}

// ------------------------------------------------------------------------------------------------- refusals

TEST(SmoothRefusal, ALawWithApproachSpeedOnTouchingBodies) {
  SmoothScene scene = touching_chain(3, 1.5);
  scene.set_law("lankarani-nikravesh", 0.9);
  try {
    scene.run();
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.kind(), Kind::unsupported);
    EXPECT_NE(std::string(error.what()).find("hunt-crossley-fixed"), std::string::npos);
  }
}

TEST(SmoothRefusal, MissingStiffnessLawsAndOptions) {
  const auto kind_of = [](const SmoothScene& scene) {
    try {
      scene.run();
    } catch (const InputError& error) {
      return error.kind();
    }
    ADD_FAILURE() << "was accepted";
    return Kind::usage;
  };
  SmoothScene soft = dropped_ball(0.1);
  soft.model.materials[0].young.reset();
  EXPECT_EQ(kind_of(soft), Kind::missing_field);
  SmoothScene lossy = dropped_ball(0.1);
  lossy.model.rules[1].restitution = lossy.model.rules[2].restitution = 0.5;
  EXPECT_EQ(kind_of(lossy), Kind::missing_field);
  SmoothScene unknown = dropped_ball(0.1);
  unknown.model.forces[1].normal = unknown.model.forces[2].normal = "herz";
  EXPECT_EQ(kind_of(unknown), Kind::unknown_name);
  SmoothScene fixed = dropped_ball(0.1);
  fixed.options.integrator = "velocity-verlet";
  EXPECT_EQ(kind_of(fixed), Kind::missing_field);
  SmoothScene exact = dropped_ball(0.1);
  exact.options.rtol = 0.0;
  EXPECT_EQ(kind_of(exact), Kind::out_of_range);
}

TEST(SmoothRefusal, ABodyThatTunnelsIsAFailureThatNamesIt) {
  SmoothScene scene = dropped_ball(0.3);
  scene.options.integrator = "velocity-verlet";
  scene.options.step = 0.05;
  const RunResult result = scene.run();
  EXPECT_EQ(result.stop, RunStop::failed);
  ASSERT_TRUE(result.failure.has_value());
  EXPECT_NE(result.failure->reason.find("body0"), std::string::npos);
}

}  // namespace
}  // namespace carom::test
