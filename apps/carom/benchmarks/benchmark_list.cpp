#include "benchmarks/benchmark_list.h"

namespace carom::app {
namespace {

constexpr Benchmark kBenchmarks[] = {
    {"impact", "one impact under every law"},
    {"compliant", "one impact under the law compliant, and its error"},
    {"cluster", "impacts of heaps and stacks"},
    {"corner", "disks in a corner, one at a time and in batches"},
    {"force", "force laws of compliant contact"},
    {"rotation", "free rotation of a body"},
    {"distance", "the distance of two shapes"},
    {"search", "the search for the next contact in heaps"},
    {"stepper", "one step of every integrator"},
    {"event", "the event engine"},
    {"heap", "heaps, stacks and dominoes in the event engine"},
    {"smooth", "the compliant engine on shipped scenes"},
    {"mechanism", "mechanisms in both engines"},
    {"scale", "cost, memory and output against the number of bodies", true},
    {"record", "records of a million events"},
    {"sweep", "points of a sweep beside the engine alone"},
    {"atlas", "maps of the atlas"},
    {"filming", "a picture and a film", true},
    {"python", "the Python module on top of C++ and of the tool, and its memory", true},
    {"ode", "the gas of spheres of 'event' in the Open Dynamics Engine", false, "ODE", "libode-dev"},
    {"bullet", "the gas of spheres of 'event' in Bullet", false, "Bullet", "libbullet-dev"},
    {"mujoco", "the gas of spheres of 'event' in MuJoCo, with springs as contacts", false, "MuJoCo", "libmujoco-dev"},
    {"simbody", "the gas of spheres of 'event' in Simbody, with springs as contacts", false, "Simbody",
     "libsimbody-dev"},
    {"siconos", "the bouncing sphere of 'event' in Siconos, event-driven", false, "Siconos", "libsiconos-kernel-dev"},
    {"octave", "the bouncing sphere of 'event' in Octave: ode45 with events", false, "Octave", "octave"},
};

}  // namespace

std::span<const Benchmark> all_benchmarks() {
  return kBenchmarks;
}

std::vector<std::string_view> benchmark_names() {
  std::vector<std::string_view> names;
  for (const Benchmark& benchmark : kBenchmarks) names.push_back(benchmark.name);
  return names;
}

}  // namespace carom::app
