/// Ellipsoids and planes against oracles of 50 digits (tests/data/ellipsoid_impact_oracles.json), each through a scene.
///
/// `toi`: the first contact of a tumbling ellipsoid. `impact`: bodies that touch planes at the start and run into them.

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "carom/base/number.h"
#include "carom/mechanics/attitude.h"
#include "scenes/scene_run.h"
#include "support/places.h"

namespace carom::test {
namespace {

using Eigen::Vector3d;
using Json = nlohmann::json;

Json cases_of_kind(const std::string& kind) {
  std::ifstream file(test_data("ellipsoid_impact_oracles.json"));
  const Json document = Json::parse(file);
  Json found = Json::array();
  for (const Json& entry : document.at("cases")) {
    if (entry.at("kind") == kind) found.push_back(entry);
  }
  return found;
}

Vector3d vector(const Json& numbers) {
  return {numbers.at(0).get<double>(), numbers.at(1).get<double>(), numbers.at(2).get<double>()};
}

std::string text(const Vector3d& v) {
  return "[" + format_number(v.x()) + ", " + format_number(v.y()) + ", " + format_number(v.z()) + "]";
}

/// The input of a case as a scene: plane i is called `i` and has its own material.
std::string scene_text(const Json& input, const std::string& law, double duration) {
  std::ostringstream out;
  out << "format = 1\n[run]\nlaw = '" << law << "'\nduration = " << format_number(duration) << "\n";
  if (input.contains("gravity")) out << "[world]\ngravity = " << text(vector(input.at("gravity"))) << "\n";
  out << "[[material]]\nname = 'body'\n[[body]]\nname = 'ellipsoid'\nmaterial = 'body'\nmass = "
      << format_number(input.at("mass").get<double>())
      << "\nshape = { kind = 'ellipsoid', semi_axes = " << text(vector(input.at("semi_axes")))
      << " }\ninertia = " << text(vector(input.at("J"))) << "\nposition = " << text(vector(input.at("center")))
      << "\norientation = { bryan_rad = " << text(vector(input.at("bryan_rad")))
      << " }\nvelocity = " << text(vector(input.at("V_fixed")))
      << "\nangular_velocity_body = " << text(vector(input.at("omega_body"))) << "\n";
  int index = 0;
  for (const Json& plane : input.at("planes_abgd")) {
    const Vector3d normal = vector(plane);
    const std::string name = std::to_string(index);
    const double restitution = input.contains("restitution") ? input["restitution"].at(index).get<double>() : 1.0;
    out << "[[material]]\nname = '" << name << "'\n[[pair]]\nmaterials = ['body', '" << name
        << "']\nrestitution = " << format_number(restitution) << "\n[[plane]]\nname = '" << name << "'\nmaterial = '"
        << name << "'\nnormal = " << text(normal)
        << "\npoint = " << text(-normal * (plane.at(3).get<double>() / normal.squaredNorm())) << "\n";
    ++index;
  }
  return out.str();
}

TEST(EllipsoidOracles, FirstContactsComeWhenTheyShould) {
  int hits = 0, misses = 0;
  for (const Json& entry : cases_of_kind("toi")) {
    const Json& expected = entry.at("expected");
    SCOPED_TRACE(entry.at("id").get<std::string>());
    const SceneRun run =
        run_scene(scene_from_text(scene_text(entry.at("input"), "newton", entry["input"].at("t_max").get<double>())));
    EXPECT_EQ(run.result.guarantee, Guarantee::proven);
    if (!expected.at("hit").get<bool>()) {
      EXPECT_TRUE(run.events.empty());
      ++misses;
      continue;
    }
    ++hits;
    ASSERT_FALSE(run.events.empty());
    const KeptEvent& first = run.events.front();
    EXPECT_NEAR(first.record.time, expected.at("t").get<double>(), 1e-10);
    ASSERT_EQ(first.contacts.size(), 1u);
    EXPECT_EQ(run.scene.model.name(first.contacts[0].b), std::to_string(expected.at("plane").get<int>()));
    EXPECT_LE(difference(first.contacts[0].point, vector(expected.at("contact_fixed"))), 1e-9);
    EXPECT_NEAR(first.contacts[0].rate_before, expected.at("vn").get<double>(), 1e-9);
    EXPECT_LE(difference(first.jumps.at(0).velocity_before, vector(expected.at("V_fixed"))), 1e-9);
    const Vector3d bryan = vector(expected.at("bryan_rad"));
    const Vector3d spin = attitude_from_bryan({bryan.x(), bryan.y(), bryan.z()}) * vector(expected.at("omega_body"));
    EXPECT_LE(difference(first.jumps[0].angular_velocity_before, spin), 1e-9);
  }
  EXPECT_GE(hits, 4);
  EXPECT_GE(misses, 1);
}

/// Impulse and velocities of the first round under the law against the oracle of that name.
void compare_impact(const Json& entry, const std::string& law, const std::string& oracle) {
  if (!entry.at("expected").contains(oracle)) return;
  const Json& expected = entry["expected"][oracle];
  if (!expected.contains("V_fixed")) return;
  SCOPED_TRACE(entry.at("id").get<std::string>() + " " + law);
  const Json& input = entry.at("input");
  const SceneRun run = run_scene(scene_from_text(scene_text(input, law, 1e-6)));
  const Vector3d velocity = vector(expected.at("V_fixed"));
  const double scale = vector(input.at("V_fixed")).norm() + vector(input.at("omega_body")).norm();
  if (run.events.empty()) {
    EXPECT_LE(difference(run.body("ellipsoid").velocity, velocity), 1e-12 * scale);
    return;
  }
  const KeptEvent& first = run.events.front();
  EXPECT_EQ(first.record.kind, EventKind::impact);
  EXPECT_EQ(first.record.time, 0.0);
  ASSERT_EQ(first.jumps.size(), 1u);
  EXPECT_LE(difference(first.jumps[0].velocity_after, velocity), 1e-12 * scale);
  const Vector3d bryan = vector(input.at("bryan_rad"));
  const Vector3d spin = attitude_from_bryan({bryan.x(), bryan.y(), bryan.z()}) * vector(expected.at("omega_body"));
  EXPECT_LE(difference(first.jumps[0].angular_velocity_after, spin), 1e-12 * scale);
}

TEST(EllipsoidOracles, EveryLawAnswersAsTheOracleOfItsName) {
  const Json cases = cases_of_kind("impact");
  ASSERT_EQ(cases.size(), 10u);
  for (const Json& entry : cases) {
    const std::string id = entry.at("id").get<std::string>();
    compare_impact(entry, "superposition", "superposition");
    compare_impact(entry, "poisson", "poisson_lcp");
    // M14: Newton's law has no answer between parallel planes.
    if (id != "M14") compare_impact(entry, "newton", "newton_lcp");
    // M06 was made with another rule for ties; M14 goes on for ever and was cut off at another place.
    if (id != "M06" && id != "M14") compare_impact(entry, "sequential", "sequential_most_violated");
  }
}

}  // namespace
}  // namespace carom::test
