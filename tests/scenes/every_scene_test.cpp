/// What holds for every file in scenes/, also for one that is added.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <sstream>

#include "scenes/scene_run.h"
#include "support/places.h"

namespace carom::test {
namespace {

std::string text_of(const std::string& file) {
  std::ifstream in(project_file("scenes/" + file));
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

/// Shorter where the shipped one takes its time, and in a slow build.
std::vector<std::string> shortened(const std::string& name) {
  if (name == "thousand-spheres") return {"run.duration=0.05", "run.output_step=0.01"};
  const double duration = shipped_scene(name).run.duration;
  double shorter = std::min(duration, quick() ? 1.0 : 50.0);
  if (name.starts_with("bearing")) shorter = quick() ? 0.001 : 0.01;
  if (name == "pool-table") shorter = quick() ? 0.2 : 0.5;
  if (name == "shaken-stack") shorter = 0.1;
  if (name == "brick-wall") shorter = 0.02;
  if (name == "fifty-dominoes" || name == "ball-pit") shorter = 0.4;
  return {setting("run.duration", shorter), setting("run.output_step", shorter / 50.0)};
}

/// Scenes of lasting friction, whose bodies land without rebound.
bool slides_without_rebound(const std::string& name) {
  constexpr std::array kNames = {"ball-on-a-turntable",
                                 "billiard-ball-with-draw",
                                 "block-on-a-wedge",
                                 "block-on-an-incline",
                                 "box-tips-or-slides",
                                 "cube-caught-at-its-edge",
                                 "falling-box-slips",
                                 "ladder",
                                 "painleve-rod",
                                 "stick-slip-belt",
                                 "masse-shot",
                                 "throw-of-the-object-ball",
                                 "rolling-disk-and-hoop",
                                 "rattleback",
                                 "rimless-wheel",
                                 "tippe-top"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

/// Structures of many faces on faces.
bool is_structure(const std::string& name) {
  constexpr std::array kNames = {"ball-pit",         "brick-wall",   "card-house",
                                 "fifty-dominoes",   "galton-board", "masonry-arch",
                                 "pyramid-of-balls", "shaken-stack", "tower-of-cylinders"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

/// The scene under the other engine; none where a ring moves, which only the compliant engine can do.
std::vector<std::string> under_the_other_engine(const std::string& name) {
  if (name.starts_with("bearing-")) return {};
  const std::string other = shipped_scene(name).run.engine == "smooth" ? "event" : "smooth";
  std::vector<std::string> settings{"run.engine=" + other};
  // A collision without any rebound needs infinite damping.
  std::istringstream lines(text_of(name + ".toml"));
  int pair = -1;
  for (std::string line; std::getline(lines, line);) {
    if (line == "[[pair]]") ++pair;
    if (line == "restitution = 0" || line == "restitution = 0.0")
      settings.push_back("pair." + std::to_string(pair) + ".restitution=0.3");
  }
  return settings;
}

TEST(EveryScene, SaysWhatToLookForAndHowToRunIt) {
  const std::vector<std::string> names = scene_names();
  EXPECT_GE(names.size(), 20u);
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    const std::string text = text_of(name + ".toml");
    EXPECT_EQ(text.substr(0, 2), "# ");
    const std::string comment = text.substr(0, text.find("format = 1"));
    EXPECT_NE(comment.find("Look at"), std::string::npos);
    EXPECT_NE(comment.find("#   carom run scenes/" + name + ".toml"), std::string::npos);
    EXPECT_FALSE(shipped_scene(name).title.empty());
    // A key may be for the other engine, but not for none.
    const std::vector<std::string> settings = under_the_other_engine(name);
    const std::vector<std::string> unused =
        settings.empty() ? std::vector<std::string>() : shipped_scene(name, settings).unused;
    if (settings.empty()) {
      EXPECT_TRUE(shipped_scene(name).unused.empty());
    }
    for (const std::string& key : shipped_scene(name).unused) {
      EXPECT_EQ(std::count(unused.begin(), unused.end(), key), 0) << key;
    }
  }
}

TEST(EveryScene, IsInTheIndex) {
  const std::string index = text_of("README.md");
  for (const std::string& name : scene_names()) {
    EXPECT_NE(index.find("[" + name + "](" + name + ".toml)"), std::string::npos) << name;
  }
}

TEST(EveryScene, RunsWithForcesToo) {
  for (const std::string& name : scene_names()) {
    if (shipped_scene(name).run.engine == "smooth") continue;
    SCOPED_TRACE(name);
    std::vector<std::string> settings = shortened(name);
    double duration = std::min(shipped_scene(name, settings).run.duration, quick() ? 0.5 : 2.0);
    if (name == "drum-with-boxes") duration = 0.1;  // boxes in a bore are followed point by point
    if (slides_without_rebound(name) || is_structure(name)) duration = 0.005;  // so are these
    if (name == "block-slides-off-a-table") duration = 0.01;  // face on face is followed point by point
    for (const std::string& one : under_the_other_engine(name)) settings.push_back(one);
    settings.push_back(setting("run.duration", duration));
    const SceneRun run = run_shipped(name, settings);
    EXPECT_EQ(run_stop_name(run.result.stop), "duration")
        << (run.result.failure ? run.result.failure->reason : std::string());
    EXPECT_LE(std::abs(run.result.energy.error()), 1e-5 * run.energy_scale);
  }
}

/// All numbers of a run, bit by bit.
std::vector<double> numbers(const SceneRun& run) {
  std::vector<double> all;
  const auto add = [&all](const Eigen::Vector3d& v) { all.insert(all.end(), {v.x(), v.y(), v.z()}); };
  for (const State& sample : run.samples) {
    all.push_back(sample.time);
    for (const BodyState& body : sample.bodies) {
      add(body.position);
      add(body.velocity);
      add(body.angular_velocity);
      add(body.orientation.vec());
      all.push_back(body.orientation.w());
    }
  }
  for (const KeptEvent& event : run.events) {
    all.push_back(event.record.time);
    for (const ContactRecord& contact : event.contacts) {
      add(contact.point);
      all.push_back(contact.impulse);
    }
  }
  return all;
}

TEST(EveryScene, RunsToItsEndWithItsEnergyBalanceClosedAndTheSameBitsTwice) {
  for (const std::string& name : scene_names()) {
    SCOPED_TRACE(name);
    const SceneRun run = run_shipped(name, shortened(name));
    // The gaps of a polyhedron that rocks on its edges, of boxes in a bore and of a box that slides on two planes are
    // looked at between steps only.
    const bool sampled = name == "die" || name == "drum-with-boxes" || name == "block-on-a-wedge" || name == "ladder" ||
                         name == "galton-board" || name == "brick-wall" || name == "fifty-dominoes";
    sampled ? expect_ended(run) : expect_sound(run);
    double last = 0.0;
    for (const KeptEvent& event : run.events) {
      EXPECT_GE(event.record.time, last);
      last = event.record.time;
    }
    const std::vector<double> first = numbers(run), second = numbers(run_shipped(name, shortened(name)));
    ASSERT_EQ(first.size(), second.size());
    EXPECT_EQ(std::memcmp(first.data(), second.data(), first.size() * sizeof(double)), 0);
  }
}

}  // namespace
}  // namespace carom::test
