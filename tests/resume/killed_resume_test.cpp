/// A run that is killed at any moment and resumed, again and again, leaves the record of one that nobody has disturbed.

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "carom/base/error.h"
#include "carom/base/random.h"
#include "carom/record/record_reader.h"
#include "carom/simulation/simulation.h"
#include "resume/same_record.h"
#include "support/places.h"
#include "support/scratch_folder.h"

namespace carom::test {
namespace {

/// Checkpoints as often as they may be.
constexpr RecordRhythm kOften{.seconds = 0.05, .checkpoint_seconds = 0.001};

Scene killed_scene(const std::string& name, const std::vector<std::string>& settings) {
  Scene scene = Scene::read(scene_path(name));
  for (const std::string& setting : settings) scene.set(setting);
  return scene;
}

/// Whether the record is whole: the process may have been killed after its last line.
bool has_ended(const std::string& path) {
  try {
    return RecordReader(path).info().complete;
  } catch (const InputError&) {
    return false;
  }
}

bool can_go_on(const std::string& path) {
  try {
    return RecordReader(path).checkpoint().has_value();
  } catch (const InputError&) {
    return false;  // there is no record yet
  }
}

/// Begins the run, or goes on with it, to its end.
[[noreturn]] void run_to_end_in_child(const Scene& scene, const std::string& path) {
  try {
    if (can_go_on(path)) {
      Simulation::resume(path, kOften).run();
    } else {
      Simulation simulation(scene);
      simulation.record(path, kOften);
      simulation.run();
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    ::_exit(1);
  }
  ::_exit(0);
}

struct Fate {
  bool ended = false;  ///< before it was killed
  bool well = true;
};

Fate kill_after(const Scene& scene, const std::string& path, std::optional<std::chrono::microseconds> delay) {
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) run_to_end_in_child(scene, path);
  if (delay) {
    std::this_thread::sleep_for(*delay);
    ::kill(child, SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return {WIFEXITED(status), !WIFEXITED(status) || WEXITSTATUS(status) == 0};
}

/// CAROM_KILLS: how often in a long form (tools/soak --kills); a few times otherwise.
int kills(int usual) {
  const char* const text = std::getenv("CAROM_KILLS");
  return text != nullptr ? std::atoi(text) : usual;
}

void kill_and_resume(const Scene& scene, std::uint64_t seed) {
  const ScratchFolder folder;
  const std::string path = folder.file("killed.h5"), whole = folder.file("whole.h5");
  {
    Simulation simulation(scene);
    simulation.record(whole);
    simulation.run();
  }
  Random random(seed);
  int resumed = 0;
  for (int left = kills(4); left > 0;) {
    if (can_go_on(path)) ++resumed;
    const Fate fate = kill_after(scene, path, std::chrono::microseconds(random.integer(0, 300'000)));
    ASSERT_TRUE(fate.well);
    if (!fate.ended) --left;
    if (!has_ended(path)) continue;
    ASSERT_EQ(record_difference(whole, path), "") << "with " << left << " kills to come";
    std::filesystem::remove(path);
  }
  if (!has_ended(path)) {
    ASSERT_TRUE(kill_after(scene, path, std::nullopt).well);
  }
  EXPECT_EQ(record_difference(whole, path), "") << "resumed " << resumed << " times";
}

TEST(KilledResume, BallsFallThroughPins) {
  kill_and_resume(killed_scene("galton-board", {"run.duration=0.9"}), 1);
}

TEST(KilledResume, AMechanismWithAScript) {
  kill_and_resume(killed_scene("trebuchet", {}), 2);
}

TEST(KilledResume, ACradleThatGivesWay) {
  kill_and_resume(killed_scene("cradle-smooth", {"run.duration=6", "run.output_step=0.01"}), 3);
}

}  // namespace
}  // namespace carom::test
