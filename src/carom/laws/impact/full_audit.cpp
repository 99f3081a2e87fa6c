#include "carom/laws/impact/full_audit.h"

#include <algorithm>
#include <cmath>

#include "carom/base/error.h"
#include "carom/base/random.h"

namespace carom {

namespace {

constexpr int kSamples = 12;
constexpr int kUlps = 4;
constexpr double kUlp = 0x1p-52;

double distance(const ImpactProblem& problem, const ImpactOutcome& a, const ImpactOutcome& b) {
  const Eigen::Index n = problem.velocity.size();
  const Eigen::Map<const Vector> va(a.velocity.data(), n);
  const Eigen::Map<const Vector> vb(b.velocity.data(), n);
  const Vector difference = va - vb;
  return std::sqrt(std::max(0.0, difference.dot(problem.metric * difference)));
}

/// Moves every entry by a whole number of ulp of the largest, zeros included: an exact zero is an accident too.
template <class Values>
void jitter(Values& values, Random& random) {
  const double unit = values.size() > 0 ? values.cwiseAbs().maxCoeff() * kUlp : 0.0;
  for (Eigen::Index i = 0; i < values.size(); ++i) values.data()[i] += unit * random.integer(-kUlps, kUlps);
}

ImpactProblem jittered(const ImpactProblem& problem, Random& random) {
  ImpactProblem moved = problem;
  if (problem.persistent.rows() == 0) {
    jitter(moved.velocity, random);
  } else {  // moving single entries would leave A v = 0: change the size only
    moved.velocity *= 1.0 + kUlp * random.integer(-kUlps, kUlps);
  }
  for (Eigen::Index i = 0; i < moved.metric.rows(); ++i)
    for (Eigen::Index j = 0; j <= i; ++j) {
      moved.metric(i, j) *= 1.0 + kUlp * random.integer(-kUlps, kUlps);
      moved.metric(j, i) = moved.metric(i, j);
    }
  for (Contact& contact : moved.contacts) {
    jitter(contact.normal, random);
    jitter(contact.tangents, random);
    contact.offset *= 1.0 + kUlp * random.integer(-kUlps, kUlps);
    contact.tangent_offsets *= 1.0 + kUlp * random.integer(-kUlps, kUlps);
  }
  return moved;
}

}  // namespace

void measure_spreads(ImpactSolver& solver, const ImpactProblem& problem, const ImpactLaw& law, ImpactOutcome& outcome) {
  const double speed = outcome.reference_speed;
  if (!(speed > 0.0)) {
    outcome.audit.order_spread = 0.0;
    outcome.audit.roundoff_spread = 0.0;
    return;
  }
  ImpactOutcome other;
  const auto spread_of = [&](const ImpactProblem& variant) {
    try {
      solver.solve(variant, law, other);
    } catch (const InputError&) {
      return 0.0;  // moved over the border of what is a problem at all: nothing to compare with
    }
    return distance(problem, outcome, other) / speed;
  };

  ImpactProblem reversed = problem;
  std::reverse(reversed.contacts.begin(), reversed.contacts.end());
  double order = spread_of(reversed);
  if (!law.order_option.empty()) {
    ImpactProblem opposite = problem;
    double& flag = opposite.options.by_law[std::string(law.order_option)];
    flag = flag == 0.0 ? 1.0 : 0.0;
    order = std::max(order, spread_of(opposite));
  }
  Random random(20190215);
  double roundoff = 0.0;
  for (int sample = 0; sample < kSamples; ++sample) roundoff = std::max(roundoff, spread_of(jittered(problem, random)));

  outcome.audit.order_spread = order;
  outcome.audit.roundoff_spread = roundoff;
  if (order > kSpread) outcome.audit.flags.set(Flag::order_dependent);
  if (roundoff > kSpread) outcome.audit.flags.set(Flag::roundoff_dependent);
}

}  // namespace carom
