/// Thirty random scenes of each engine, in short form: they run to their end, and their records are in order.
/// tools/soak runs whole ones by the thousand.

#include <gtest/gtest.h>
#include <sys/time.h>

#include <atomic>
#include <csignal>
#include <string>

#include "carom/base/number.h"
#include "carom/simulation/simulation.h"
#include "contact/heavy_cases.h"
#include "soak/record/findings.h"
#include "soak/soak_scene.h"
#include "support/scratch_folder.h"

namespace carom::test {
namespace {

/// Part of the duration that a short form runs.
constexpr double kPart = 0.2;

Scene short_form(const std::string& kind, std::uint64_t seed, const std::string& engine) {
  Scene scene = Scene::parse(soak_scene(kind, seed, engine));
  const double duration = kPart * scene.get("run.duration").number();
  scene.set("run.duration", duration);
  scene.set("run.output_step", duration / 40.0);
  return scene;
}

std::atomic<bool> out_of_time{false};

/// Sets `out_of_time` when the process has used so much processor time from now on.
void allow_processor_time(int seconds) {
  out_of_time = false;
  std::signal(SIGPROF, [](int) { out_of_time = true; });
  const itimerval once{.it_interval = {}, .it_value = {.tv_sec = seconds, .tv_usec = 0}};
  setitimer(ITIMER_PROF, &once, nullptr);
}

/// Runs a scene; why it did not end or its record is not in order, empty where all went well. A scene that takes longer
/// than `seconds` of processor time is stopped.
std::string bad_end(const Scene& scene, int seconds) {
  const ScratchFolder folder;
  Simulation simulation(scene);
  simulation.record(folder.file("run.h5"));
  allow_processor_time(seconds);
  simulation.stop_while(out_of_time);
  const RunResult result = simulation.run();
  allow_processor_time(0);
  std::string reason;
  if (result.stop != RunStop::duration)
    reason = result.failure ? result.failure->reason : std::string(run_stop_name(result.stop));
  for (const std::string& complaint : soak::find_faults(soak::read_recorded_run(folder.file("run.h5"))).complaints)
    reason += " " + complaint;
  return reason;
}

/// Runs the scenes and returns those that end badly, each with its reason.
std::vector<std::string> bad_ends(const std::string& engine, int seconds) {
  const std::vector<std::string>& kinds = soak_kinds();
  std::vector<std::string> bad;
  for (std::size_t k = 0; k < static_cast<std::size_t>(heavy_cases(30)); ++k) {
    const std::string& kind = kinds[k % kinds.size()];
    const std::string reason = bad_end(short_form(kind, k, engine), seconds);
    if (!reason.empty()) bad.push_back(kind + " seed " + std::to_string(k) + ": " + reason);
  }
  return bad;
}

std::string lines_of(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += text + "\n";
  return all;
}

TEST(Soak, MostRandomScenesOfTheRigidEngineEndWell) {
  const std::vector<std::string> bad = bad_ends("event", 3);
  EXPECT_LE(bad.size(), 2u) << lines_of(bad);
}

TEST(Soak, RandomScenesOfTheCompliantEngineEndWell) {
  const std::vector<std::string> bad = bad_ends("smooth", 60);
  EXPECT_TRUE(bad.empty()) << lines_of(bad);
}

TEST(Soak, CrowdsAreNotPutBackOntoPlacesThatTheyHaveLeft) {
  // Edges whose crossing lies beyond their ends are deep in each other as lines: bodies were moved by as much.
  Scene scene = Scene::parse(soak_scene("odd-shapes", 8, "event"));
  scene.set("run.duration", 0.3);
  EXPECT_EQ(bad_end(scene, 60), "");
  EXPECT_EQ(bad_end(Scene::parse(soak_scene("hollow", 40007, "event")), 60), "");
}

TEST(Soak, HalfCylindersOfACrowdThatStandOnTheirEndsDoNotSinkIn) {
  if (test::property_cases(1000) < 1000) GTEST_SKIP() << "takes more than a minute in this build";
  Scene scene = Scene::parse(soak_scene("odd-shapes", 91016, "event"));
  scene.set("run.duration", 0.66);
  EXPECT_EQ(bad_end(scene, 60), "");
}

TEST(Soak, EveryKindWritesLegalScenesOfAtMostThirtyBodies) {
  for (const std::string& kind : soak_kinds())
    for (std::uint64_t seed = 100; seed < 100 + static_cast<std::uint64_t>(heavy_cases(40)); ++seed)
      for (const char* engine : {"event", "smooth"}) {
        SCOPED_TRACE(kind + " seed " + std::to_string(seed) + " under " + engine);
        const Simulation simulation(Scene::parse(soak_scene(kind, seed, engine)));
        EXPECT_LE(simulation.model().body_count(), 31);
        EXPECT_GE(simulation.model().body_count(), 1);
      }
}

TEST(Soak, TheSameSeedGivesTheSameScene) {
  EXPECT_EQ(soak_scene("ball-pile", 3, "event"), soak_scene("ball-pile", 3, "event"));
  EXPECT_NE(soak_scene("ball-pile", 3, "event"), soak_scene("ball-pile", 4, "event"));
  EXPECT_THROW(soak_scene("no-such-kind", 3, "event"), std::invalid_argument);
}

}  // namespace
}  // namespace carom::test
