/// Law `superposition`: every approaching contact gets the impulse that it would have alone, summed, once.
///
///   pᵢ = −(1+kᵢ)γᵢ/Dᵢᵢ
/// Exact iff D is diagonal. Otherwise it can create energy (ρ > 0) and leave a contact approaching (ρ < 0):
///   ΔT = −½Σ(1−kᵢ²)γᵢ²/Dᵢᵢ + Σ_{i<j}(1+kᵢ)(1+kⱼ)γᵢγⱼDᵢⱼ/(DᵢᵢDⱼⱼ).
/// It is here because the paper proposes it; the audit flags both defects. `average` divides by the number of active
/// contacts (dissipative by convexity), `repeat` applies it again until nothing approaches.

#include "carom/laws/impact/iteration.h"
#include "carom/laws/impact/registry.h"

namespace carom {

namespace {

constexpr LawParameter kParameters[] = {
    {.name = "repeat", .is_flag = true, .help = "apply the rule again until nothing approaches"},
    {.name = "average", .is_flag = true, .help = "divide the impulses by the number of approaching contacts"},
};
constexpr const LawParameter& kRepeat = kParameters[0];
constexpr const LawParameter& kAverage = kParameters[1];
/// A repeated superposition may blow up; beyond this growth of speed there is nothing to wait for.
constexpr double kBlowUp = 1e12;

void resolve(LawRun& run) {
  const int m = run.contacts();
  const bool repeat = run.option(kRepeat) != 0.0;
  const bool average = run.option(kAverage) != 0.0;
  double* alone = dense::ensure(run.scratch.real[0], m);
  while (goes_on(run)) {
    int active = 0;
    for (int i = 0; i < m; ++i) {
      alone[i] = -run.rate[i] > run.approach_threshold() ? -(1.0 + run.space.restitution()[i]) * run.rate[i] : 0.0;
      if (alone[i] != 0.0) ++active;
    }
    for (int i = 0; i < m; ++i)
      if (alone[i] != 0.0) push(run, i, average ? alone[i] / active : alone[i]);
    ++run.steps;
    if (!repeat) {
      run.stop = Stop::separated;
      return;
    }
    if (fastest_approach(run) > kBlowUp * run.space.reference_speed()) {
      run.stop = Stop::step_limit;
      return;
    }
  }
}

}  // namespace

const ImpactLaw kSuperpositionLaw{
    .name = "superposition",
    .summary = "each approaching contact gets the impulse it would have alone; can create energy",
    .source = "Stanescu & Pandrea, Simple and multi-collision of an ellipsoid with planar surfaces, 2017",
    .promises = {Promise::none, Promise::always, Promise::none},
    .needs = {},
    .parameters = kParameters,
    .order_option = {},
    .resolve = &resolve,
};

}  // namespace carom
