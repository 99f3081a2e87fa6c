/// Nanoseconds for the force laws of compliant contact: to calibrate a law for a pair of materials, to prepare the
/// force of one contact when it closes, and to evaluate it; the same for friction; and Hertz's stiffness of a circular
/// and of an elliptical contact. CPU times, the best of several repeats.

#include <fmt/format.h>
#include <time.h>

#include <algorithm>

#include "carom/laws/friction/registry.h"
#include "carom/laws/normal_force/contact_stiffness.h"
#include "carom/laws/normal_force/registry.h"

#include "report.h"

namespace {

using carom::LawParameter;
using carom::LawParameters;

constexpr int kRepeats = 7;
constexpr int kEvaluations = 1'000'000;
constexpr int kPreparations = 100'000;
constexpr int kCalibrations = 20;

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

volatile double sink = 0.0;

/// The least CPU time of one `work(i)`, in nanoseconds.
template <class Work>
double nanoseconds(int items, const Work& work) {
  double best = 1e300;
  for (int repeat = 0; repeat < carom::bench::rounds(kRepeats); ++repeat) {
    double sum = 0.0;
    const double start = cpu_seconds();
    for (int i = 0; i < items; ++i) sum += work(i);
    best = std::min(best, cpu_seconds() - start);
    sink = sum;
  }
  return 1e9 * best / items;
}

LawParameters usual(const carom::NormalLaw& law) {
  LawParameters given;
  for (const LawParameter& parameter : law.parameters) {
    if (parameter.name == "restitution") given.set("restitution", std::max(0.8, parameter.low));
    if (parameter.name == "reference_speed") given.set("reference_speed", 1.0);
    if (parameter.name == "stiffness") given.set("stiffness", 1e9);
  }
  return given;
}

void measure(const carom::NormalLaw& law) {
  const LawParameters given = usual(law);
  const double calibrate = nanoseconds(kCalibrations, [&](int) { return normal_input(law, given).constant; });
  carom::NormalInput input = normal_input(law, given);
  input.reduced_mass = 0.1;
  const double prepare = nanoseconds(kPreparations, [&](int i) {
    input.approach_speed = 1.0 + 1e-6 * i;
    return law.prepare(input).damping;
  });
  const carom::NormalForce force = law.prepare(input);
  const double evaluate = nanoseconds(kEvaluations, [&](int i) { return force.evaluate(1e-5 + 1e-12 * i, 0.1).force; });
  fmt::print("{:<22}{:>12.0f}{:>12.1f}{:>12.2f}\n", law.name, calibrate, prepare, evaluate);
  carom::bench::tell(fmt::format("{}, calibrate", law.name), calibrate, "ns", carom::bench::Better::less);
  carom::bench::tell(fmt::format("{}, prepare", law.name), prepare, "ns", carom::bench::Better::less);
  carom::bench::tell(fmt::format("{}, evaluate", law.name), evaluate, "ns", carom::bench::Better::less);
}

void measure(const carom::FrictionLaw& law) {
  if (law.has_history) return;
  LawParameters given;
  for (const LawParameter& parameter : law.parameters)
    if (parameter.required || parameter.name == "coefficient") given.set(parameter.name, 0.2);
  const double prepare =
      nanoseconds(kPreparations / 100, [&](int) { return prepare_friction(law, given).over_speed(1.0); });
  const carom::Friction friction = prepare_friction(law, given);
  const double slow = nanoseconds(kEvaluations, [&](int i) { return friction.over_speed(1e-9 * i); });
  const double fast = nanoseconds(kEvaluations, [&](int i) { return friction.over_speed(0.1 + 1e-6 * i); });
  fmt::print("{:<22}{:>12.0f}{:>12.2f}{:>12.2f}\n", law.name, prepare, slow, fast);
  carom::bench::tell(fmt::format("{}, prepare", law.name), prepare, "ns", carom::bench::Better::less);
  carom::bench::tell(fmt::format("{}, slow", law.name), slow, "ns", carom::bench::Better::less);
  carom::bench::tell(fmt::format("{}, fast", law.name), fast, "ns", carom::bench::Better::less);
}

}  // namespace

int main(int count, char** words) {
  carom::bench::begin("force", count, words);
  fmt::print("{:<22}{:>12}{:>12}{:>12}   [ns]\n", "normal force", "calibrate", "prepare", "evaluate");
  for (const carom::NormalLaw* const law : carom::normal_laws()) measure(*law);
  fmt::print("\n{:<22}{:>12}{:>12}{:>12}   [ns]\n", "friction", "prepare", "v < v_r", "v > v_r");
  for (const carom::FrictionLaw* const law : carom::friction_laws()) measure(*law);
  const double circle = nanoseconds(kPreparations / 100, [](int i) {
    return carom::hertz_stiffness({1.0 + i, 1.0 + i}, 1e11, "these");
  });
  const double ellipse = nanoseconds(kPreparations / 100, [](int i) {
    return carom::hertz_stiffness({1.0, 1.5 + 0.01 * i}, 1e11, "these");
  });
  fmt::print("\nstiffness: circular {:.0f} ns, elliptical {:.0f} ns\n", circle, ellipse);
  carom::bench::tell("stiffness, circular", circle, "ns", carom::bench::Better::less);
  carom::bench::tell("stiffness, elliptical", ellipse, "ns", carom::bench::Better::less);
}
