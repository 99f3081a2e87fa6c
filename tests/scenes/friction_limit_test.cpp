/// The scenes with friction under the compliant engine: the stiffer the contacts and the sharper the friction, the
/// nearer it comes to the rigid engine.

#include <gtest/gtest.h>

#include "scenes/friction_scene.h"

namespace carom::test {
namespace {

/// How a scene is compared: until when, and what the compliant engine is told, with {K} for the stiffness of contacts
/// and {v} for the speed at which friction is fully there.
struct Limit {
  const char* scene;
  double duration;
  std::vector<std::string> settings;
  double smaller = 0.2;  ///< the difference has to become, hundred times as stiff
  std::size_t bodies = 100;
};

std::string filled(std::string text, const std::string& name, double value) {
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name))
    text.replace(at, name.size(), fmt::format("{}", value));
  return text;
}

std::vector<std::string> pair_settings(int pair, bool rubs = true) {
  std::vector<std::string> all{fmt::format("pair.{}.restitution=0.1", pair),
                               fmt::format("pair.{}.stiffness={{K}}", pair)};
  if (rubs) all.push_back(fmt::format("pair.{}.friction.vr={{v}}", pair));
  return all;
}
std::vector<std::string> joined(std::vector<std::string> all, const std::vector<std::string>& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

std::vector<Limit> limits() {
  const std::vector<std::string> usual = pair_settings(0);
  std::vector<std::string> lanes;
  for (int pair = 0; pair < 7; ++pair) lanes.push_back(fmt::format("pair.{}.stiffness={{K}}", pair));
  for (int pair = 2; pair < 6; ++pair) lanes.push_back(fmt::format("pair.{}.friction.vr={{v}}", pair));
  return {
      {"billiard-ball-with-draw", 1.2, usual},
      {"block-on-an-incline", 1.0, usual},
      {"stick-slip-belt",
       1.5,
       {"pair.0.restitution=0.1", "pair.0.stiffness={K}",
        "pair.0.friction_smooth={law=\"bengisu-akay\",static=0.4,kinetic=0.25,v0={v},decay={1/v}}"},
       0.6},
      {"ball-on-a-turntable", 1.0, usual},
      {"ladder", 0.5, usual},
      {"falling-box-slips", 0.7, usual},
      {"painleve-rod", 0.05, {"pair.0.restitution=0.01", "pair.0.stiffness={K}", "pair.0.friction.vr={v}"}, 0.3},
      {"box-tips-or-slides", 0.3, usual, 0.3},
      {"cube-caught-at-its-edge",
       0.1,
       {"pair.0.restitution=0.05", "pair.0.stiffness={K}",
        "pair.0.friction_smooth={law=\"tangential-spring\",coefficient=1000,stiffness={K}}"}},
      {"block-on-a-wedge", 0.2, joined(joined(pair_settings(0), pair_settings(1)), pair_settings(2, false)), 0.3},
      {"masse-shot", 2.0, joined(pair_settings(0), {"pair.1.stiffness={K}"})},
      {"throw-of-the-object-ball", 0.5, joined(pair_settings(1), {"pair.0.stiffness={K}", "pair.0.friction.vr={v}"}),
       0.3},
      {"superballs-from-smooth-to-rough", 0.3, lanes, 0.3, 5},  // a superball needs a spring of its own
      {"rolling-disk-and-hoop", 0.5, usual},
  };
}

TEST(FrictionScenes, TheCompliantEngineComesNearerTheStifferItsContacts) {
  for (const Limit& limit : limits()) {
    const std::vector<std::string> until{setting("run.duration", limit.duration), "run.stop_at_rest=false"};
    const SceneRun rigid = run_shipped(limit.scene, until);
    std::vector<double> differences;
    for (const double stiff : {1.0, 100.0}) {
      std::vector<std::string> settings = joined(until, {"run.engine=smooth", "run.rtol=1e-9"});
      for (const std::string& one : limit.settings)
        settings.push_back(filled(filled(filled(one, "{K}", 1e5 * stiff), "{v}", 1e-2 / stiff), "{1/v}", 1e2 * stiff));
      const SceneRun soft = run_shipped(limit.scene, settings);
      expect_ended(soft);
      double largest = 0.0;
      for (std::size_t k = 0; k < std::min(limit.bodies, rigid.result.final_state.bodies.size()); ++k) {
        const BodyState& a = rigid.result.final_state.bodies[static_cast<int>(k)];
        const BodyState& b = soft.result.final_state.bodies[static_cast<int>(k)];
        largest = std::max({largest, difference(a.position, b.position), difference(a.velocity, b.velocity)});
      }
      differences.push_back(largest);
    }
    EXPECT_LT(differences[1], limit.smaller * differences[0]) << limit.scene;
    EXPECT_LT(differences[1], 0.05) << limit.scene;
  }
}

}  // namespace
}  // namespace carom::test
