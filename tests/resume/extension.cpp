#include "resume/extension.h"

#include "carom/base/random.h"
#include "carom/record/record_reader.h"
#include "carom/simulation/simulation.h"
#include "resume/relay.h"
#include "resume/same_record.h"
#include "support/scratch_folder.h"

namespace carom::test {

namespace {

void run_into(const Scene& scene, const std::string& path) {
  Simulation simulation(scene);
  simulation.record(path);
  simulation.run();
}

}  // namespace

std::string extension_difference(const Scene& full, std::uint64_t seed, int events) {
  const ScratchFolder folder;
  const std::string whole = folder.file("whole.h5"), extended = folder.file("extended.h5");
  Scene scene = shortened(full, events);
  const Simulation known(scene);
  const double end = known.end_time();
  scene.set("run.output_step", known.options().output_step);
  run_into(scene, whole);
  Random random(seed);
  const double first = end * random.uniform(0.1, 0.5), second = end * random.uniform(0.5, 0.9);
  scene.set("run.duration", first);
  run_into(scene, extended);
  for (const double time : {second, end}) {
    if (RecordReader(extended).info().stop != "duration") break;  // by its script, which the longer run obeys too
    Simulation::resume(extended).advance_to(time);
  }
  return record_difference(whole, extended, Durations::extended);
}

}  // namespace carom::test
