#include "carom/laws/impact/compliant_cluster.h"

#include <algorithm>
#include <cmath>

#include "carom/laws/impact/compliant_integrator.h"
#include "carom/laws/impact/iteration.h"

namespace carom {

namespace {

/// Restitutions below this return a speed that is round-off.
constexpr double kLetsGo = 1e-12;

template <int W, int B>
Stop integrate(LawRun& run, const CompliantSprings& springs, double* impulse) {
  CompliantIntegrator<W, B> integrator(run.scratch.compliant);
  integrator.start(springs);
  const long limit = run.problem.options.max_steps;
  bool ended = integrator.run(std::min(kSuspiciousSteps, limit));
  Stop stop = Stop::step_limit;
  if (!ended && has_no_exit(run, integrator.steps())) {
    stop = Stop::no_exit_direction;
  } else if (ended || integrator.run(limit)) {
    stop = integrator.stop();
  }
  integrator.write_impulses(impulse);
  run.steps += integrator.steps();
  return stop;
}

}  // namespace

Stop integrate_cluster(LawRun& run, std::span<const int> members, const CompliantOptions& options) {
  const int m = static_cast<int>(members.size());
  double* matrix = dense::ensure(run.scratch.real[0], m, m);
  double* rate = dense::ensure(run.scratch.real[1], 4, m);
  double* stiffness = rate + m;
  double* restitution = stiffness + m;
  double* impulse = restitution + m;
  double fastest = 0.0;
  double stiffest = -1e300;
  for (int i = 0; i < m; ++i) {
    const int r = members[i];
    fastest = std::max(fastest, -run.rate[r]);
    // K̂ = K D^((1+η)/2); by logarithms, since only ratios matter and powers may overflow.
    stiffness[i] =
        std::log(run.space.stiffness()[r]) + (1.0 + options.exponent) * std::log(run.space.root_inertance(r));
    stiffest = std::max(stiffest, stiffness[i]);
  }
  const CompliantSprings springs{.contacts = m,
                                 .exponent = options.exponent,
                                 .tolerance = options.tolerance,
                                 .matrix = matrix,
                                 .rate = rate,
                                 .stiffness = stiffness,
                                 .restitution = restitution,
                                 .threshold = run.approach_threshold() / fastest,
                                 .rest = run.problem.options.rest * run.space.reference_speed() / fastest};
  for (int i = 0; i < m; ++i) {
    const int r = members[i];
    stiffness[i] = std::exp(stiffness[i] - stiffest);
    restitution[i] = run.space.restitution()[r] < kLetsGo ? 0.0 : run.space.restitution()[r];
    rate[i] = run.rate[r] / fastest;
    // Pure round-off beside an approach would neither open the contact nor let it store anything.
    if (std::abs(rate[i]) <= springs.threshold) rate[i] = 0.0;
    for (int j = 0; j < m; ++j) {
      const double cosine = run.space.cosine_row(r)[members[j]];
      matrix[i * m + j] = std::abs(cosine) <= kUncoupled ? 0.0 : cosine;
    }
  }
  const auto integrator = m <= 2 ? &integrate<2, 1> : m <= 4 ? &integrate<2, 2> : &integrate<2, 0>;
  const Stop stop = integrator(run, springs, impulse);
  for (int i = 0; i < m; ++i) push(run, members[i], impulse[i] * fastest);
  return stop;
}

}  // namespace carom
