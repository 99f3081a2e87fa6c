/// The same input gives the same bits: every shipped scene under its engine has the fingerprint of tests/data. One that
/// has to change is explained in CHANGELOG.md; CAROM_WRITE_FINGERPRINTS=FILE writes all of them anew.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "scenes/fingerprint.h"
#include "support/places.h"

namespace carom::test {
namespace {

/// Of the first part of the scene, which slow builds run too, and of the whole scene.
struct Fingerprints {
  std::string beginning, whole;
};

/// scene,beginning,whole
std::map<std::string, Fingerprints> known() {
  std::ifstream file(test_data("fingerprints.csv"));
  std::map<std::string, Fingerprints> all;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::string name;
    Fingerprints one;
    std::getline(cells, name, ',');
    std::getline(cells, one.beginning, ',');
    std::getline(cells, one.whole, ',');
    all[name] = one;
  }
  return all;
}

std::string of_beginning(const std::string& name) {
  double part = std::min(shipped_scene(name).run.duration, 1.0);
  if (name.starts_with("bearing")) part = 0.001;
  if (name == "pool-table") part = 0.2;
  if (name == "thousand-spheres") part = 0.05;
  if (name == "brick-wall") part = 0.02;
  if (name == "fifty-dominoes" || name == "ball-pit") part = 0.3;
  return fingerprint(run_shipped(name, {setting("run.duration", part), setting("run.output_step", part)}));
}

std::string of_whole(const std::string& name) {
  return fingerprint(run_shipped(name));
}

TEST(Fingerprints, EverySceneHasOne) {
  const auto all = known();
  const std::vector<std::string> names = scene_names();
  EXPECT_EQ(all.size(), names.size());
  for (const std::string& name : names) EXPECT_EQ(all.count(name), 1u) << name;
}

class Fingerprint : public testing::TestWithParam<std::string> {};

TEST_P(Fingerprint, OfTheBeginningIsUnchanged) {
  EXPECT_EQ(of_beginning(GetParam()), known()[GetParam()].beginning);
}

/// Those whose beginning shows the same engine at work in a small part of the time.
bool takes_seconds(const std::string& name) {
  return name.starts_with("bearing") || name == "brick-wall" || name == "fifty-dominoes" || name == "ball-pit" ||
         name == "shaken-stack";
}

TEST_P(Fingerprint, OfTheWholeSceneIsUnchanged) {
  if (quick()) GTEST_SKIP() << "whole scenes take long in this build; see the beginning";
  if (takes_seconds(GetParam()) && std::getenv("CAROM_EVERY_SCENE") == nullptr)
    GTEST_SKIP() << "takes seconds; ./test --all runs it whole";
  EXPECT_EQ(of_whole(GetParam()), known()[GetParam()].whole);
}

INSTANTIATE_TEST_SUITE_P(Scenes, Fingerprint, testing::ValuesIn(scene_names()), [](const auto& tested) {
  std::string name = tested.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Fingerprints, AreWrittenOnDemand) {
  const char* const path = std::getenv("CAROM_WRITE_FINGERPRINTS");
  if (path == nullptr) GTEST_SKIP() << "CAROM_WRITE_FINGERPRINTS is not set";
  std::ofstream file(path);
  file << "scene,beginning,whole\n";
  for (const std::string& name : scene_names())
    file << name << ',' << of_beginning(name) << ',' << of_whole(name) << '\n';
  EXPECT_TRUE(file.good());
}

}  // namespace
}  // namespace carom::test
