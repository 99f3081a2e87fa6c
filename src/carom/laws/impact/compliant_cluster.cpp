#include "carom/laws/impact/compliant_cluster.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/laws/impact/compliant_closing.h"
#include "carom/laws/impact/compliant_integrator.h"
#include "carom/laws/impact/iteration.h"

namespace carom {

namespace {

/// Restitutions below this return a speed that is round-off.
constexpr double kLetsGo = 1e-12;

/// A phase that carries less of the contact's normal impulse than this is not listed.
constexpr double kListedPhase = 1e-9;

/// Steps after which it is asked whether an integration gets on.
constexpr long kStepsBetweenQuestions = 25;

/// Memory that describes a cluster in its own units.
struct Cluster {
  std::span<const int> members;  ///< movable contacts of the run
  CompliantSprings springs;
  double fastest = 0.0;       ///< unit of speed
  double* impulse = nullptr;  ///< written by the integration
  double* stored = nullptr;   ///< energies of springs
};

/// The work of the contacts on the bodies since the start: Σ q·½(u⁻ + u⁺) over all rows.
double contact_work(const CompliantSprings& springs, const CompliantMotion& motion) {
  const int m = springs.contacts;
  double sum = 0.0;
  for (int i = 0; i < m; ++i) {
    sum += 0.5 * motion.impulse[i] * (springs.rate[i] + motion.velocity[i]);
    for (int a = 0; a < springs.tangents[i]; ++a)
      sum += 0.5 * motion.impulse[(a + 1) * m + i] * (springs.slip[a * m + i] + motion.velocity[(a + 1) * m + i]);
  }
  return sum;
}

/// Tangential impulses, friction work and the history of modes: of the integration, or of the steps that have ended it.
void write_friction(LawRun& run, const Cluster& cluster, std::span<const CompliantStretch> stretches) {
  const CompliantMotion& motion = run.scratch.compliant.motion;
  const int m = cluster.springs.contacts;
  const FrictionSpace& friction = *run.friction;
  const double unit = cluster.fastest;
  for (int i = 0; i < m; ++i) {
    const int r = cluster.members[i];
    cluster.impulse[i] = motion.impulse[i];
    for (int a = 0; a < friction.tangents(r); ++a)
      run.local_impulse[friction.first_row(r) + 1 + a] = motion.impulse[(a + 1) * m + i] * unit;
    run.friction_work[r] = motion.work[i] * unit * unit;
  }
  for (const CompliantStretch& stretch : stretches) {
    const int r = cluster.members[stretch.contact];
    if (stretch.last - stretch.first <= kListedPhase * cluster.impulse[stretch.contact]) continue;
    // Opened and closed again in the same mode: one phase. Slip in a plane that has passed zero begins anew.
    if (run.modes[r] == stretch.mode && !stretch.anew) continue;
    run.modes[r] = stretch.mode;
    run.phases->push_back({.contact = r, .mode = stretch.mode});
  }
}

/// Whether an integration that has not ended should be left: it stands still or crawls, bodies ring between walls,
/// walls drive it, what is left is too little, or it has gone on for too long.
class Patience {
 public:
  Patience(LawRun& run, const Cluster& cluster, bool friction) : run_(run), cluster_(cluster) {
    const double m = cluster.springs.contacts;
    const double part = run.problem.options.closing_energy;
    if (part > 0.0) {
      longest_ = std::clamp(kBoundedWork / (m * m), kFewestBounded, kMostBounded);
      little_ = part;
      tail_ = 0.5 * longest_;
      most_compressions_ = kRings;
    } else {
      longest_ = std::clamp((friction ? kMostWorkWithFriction : kMostWork) / (m * m), kFewest, kMost);
      if (friction) slow_ = static_cast<double>(kStepsBetweenQuestions) / kMost;
    }
    const double speed = (friction ? run.friction->reference_speed() : run.space.reference_speed()) / cluster.fastest;
    reference_ = speed * speed;
  }

  template <class Integrator>
  bool ends(const Integrator& integrator) {
    const double since = integrator.elapsed() - last_elapsed_;
    last_elapsed_ = integrator.elapsed();
    stands_still_ = since < kStandstill ? stands_still_ + 1 : 0;
    crawls_ = since < slow_ ? crawls_ + 1 : 0;
    const auto steps = static_cast<double>(integrator.steps());
    held_back_ = stands_still_ >= kPatience || crawls_ >= kLongPatience;
    if (held_back_ || steps >= longest_) return true;
    if (integrator.most_compressions() > most_compressions_) return true;
    if (!asked_for_exit_ && steps >= kSuspicious) {
      asked_for_exit_ = true;
      if (has_no_interior(run_)) return true;
    }
    double stored = 0.0;
    integrator.write_energies(cluster_.stored);
    for (int i = 0; i < cluster_.springs.contacts; ++i) stored += cluster_.stored[i];
    const double fastest = integrator.fastest_approach();
    if (stored > kDriven * reference_) return true;
    return steps >= tail_ && cluster_.springs.contacts >= kMany && stored + fastest * fastest < little_;
  }
  /// Whether it ends because contacts of redundant friction hold every step back, and implicit steps are not too dear.
  [[nodiscard]] bool held_back() const { return held_back_ && slow_ > 0.0; }

 private:
  /// The steps from one question to the next take more time than this, or nothing moves; so often in a row.
  static constexpr double kStandstill = 2e-8;
  static constexpr int kPatience = 6;
  /// So often in a row at a pace at which the most steps of all would not cover the time of one collision: contacts of
  /// redundant friction stick and slip by turns.
  static constexpr int kLongPatience = 10;
  /// Steps after which it is asked whether contacts are held between others.
  static constexpr double kSuspicious = 300;
  /// Energy of springs, in that of the start, that only walls can have brought in that press from all sides.
  static constexpr double kDriven = 1e4;
  /// What may be left after this many steps among many contacts, as a part of the energy of the fastest approach.
  static constexpr double kTail = 1000;
  static constexpr double kLittle = 1e-12;
  static constexpr int kMany = 12;
  /// Steps, by how much one costs: with the square of the number of contacts.
  static constexpr double kMostWork = 3e7, kMostWorkWithFriction = 3e6;
  static constexpr double kFewest = 300, kMost = 20000;
  /// The same where the run says how much energy may be left.
  static constexpr double kBoundedWork = 4e5, kFewestBounded = 50, kMostBounded = 2000;

  /// And where a contact has been compressed more often than this, bodies ring between others.
  static constexpr int kRings = 10;

  LawRun& run_;
  const Cluster& cluster_;
  bool asked_for_exit_ = false, held_back_ = false;
  int stands_still_ = 0, crawls_ = 0;
  double slow_ = 0.0;  ///< time that a question has to bring
  double last_elapsed_ = 0.0;
  double longest_ = 0.0;
  int most_compressions_ = std::numeric_limits<int>::max();
  double tail_ = kTail, little_ = kLittle;
  double reference_ = 0.0;
};

/// Implicit steps from where the integration has come to. False: they do not end either, or would create energy; then
/// the motion is as it was.
bool end_by_steps(LawRun& run, const Cluster& cluster, std::vector<CompliantStretch>& stretches) {
  CompliantMemory& memory = run.scratch.compliant;
  if (!CompliantStepping::can_follow(cluster.springs)) return false;
  memory.motion_before = memory.motion;
  const bool ended = memory.stepping.run(cluster.springs, memory.motion);
  run.steps += memory.stepping.steps();
  if (!ended || contact_work(cluster.springs, memory.motion) > 0.0) {
    memory.motion = memory.motion_before;
    return false;
  }
  for (int i = 0; i < cluster.springs.contacts; ++i) {
    if (cluster.springs.tangents[i] == 0) continue;
    stretches.push_back({.contact = i,
                         .mode = memory.stepping.mode(i),
                         .first = memory.stepping.since(i),
                         .last = memory.motion.impulse[i]});
  }
  return true;
}

template <int W, int B, bool WithFriction>
Stop integrate(LawRun& run, const Cluster& cluster) {
  CompliantIntegrator<W, B, WithFriction> integrator(run.scratch.compliant);
  integrator.start(cluster.springs);
  const long limit = run.problem.options.max_steps;
  Patience patience(run, cluster, WithFriction);
  bool ended = false;
  bool left = false;
  for (long steps = 0; !ended && !left && steps < limit;) {
    steps = std::min(steps + kStepsBetweenQuestions, limit);
    ended = integrator.run(steps);
    left = !ended && (integrator.broken() || (steps < limit && patience.ends(integrator)));
  }
  integrator.write_impulses(cluster.impulse);
  run.steps += integrator.steps();
  Stop stop = integrator.stop();
  if constexpr (WithFriction) {
    integrator.write_motion(run.scratch.compliant.motion);
    if (integrator.impulses_not_unique()) run.flags.set(Flag::impulses_not_unique);
    std::vector<CompliantStretch>& stretches = integrator.stretches();
    if (left && patience.held_back() && end_by_steps(run, cluster, stretches)) {
      ended = true;
      stop = Stop::separated;
    }
    write_friction(run, cluster, stretches);
  }
  if (!ended && !left) return Stop::step_limit;
  if (ended && !WithFriction) return stop;
  integrator.write_energies(cluster.stored);
  for (int i = 0; i < cluster.springs.contacts; ++i) {
    cluster.impulse[i] *= cluster.fastest;
    cluster.stored[i] *= cluster.fastest * cluster.fastest;
  }
  const CompliantState state{.members = cluster.members, .impulse = cluster.impulse, .stored = cluster.stored};
  if (!ended || (WithFriction && leaves_approach(run, state))) stop = close_by_impulses(run, state);
  for (int i = 0; i < cluster.springs.contacts; ++i) cluster.impulse[i] /= cluster.fastest;
  return stop;
}

/// The tangents of the cluster, where one of its contacts resists slip.
bool describe_friction(LawRun& run, Cluster& cluster) {
  if (run.friction == nullptr) return false;
  const FrictionSpace& friction = *run.friction;
  const int m = cluster.springs.contacts;
  int* tangents = dense::ensure(run.scratch.index[2], m);
  int most = 0;
  for (int i = 0; i < m; ++i) most = std::max(most, tangents[i] = friction.tangents(cluster.members[i]));
  if (most == 0) return false;
  double* rows = dense::ensure(run.scratch.real[2], 3 * m, 3 * m);
  double* slip = dense::ensure(run.scratch.real[3], 4, m);
  double* coefficient = slip + 2 * m;
  double* spring = slip + 3 * m;
  std::fill_n(rows, 9 * m * m, 0.0);
  std::fill_n(slip, 2 * m, 0.0);
  for (int i = 0; i < m; ++i) {
    const int r = cluster.members[i];
    const Contact& contact = run.problem.contacts[static_cast<std::size_t>(run.space.contact(r))];
    coefficient[i] = tangents[i] > 0 ? friction.friction(r) : 0.0;
    spring[i] = contact.rough ? std::numeric_limits<double>::infinity()
                              : contact.tangential_stiffness_ratio.value_or(std::numeric_limits<double>::infinity());
    for (int a = 0; a <= tangents[i]; ++a) {
      const int row = friction.first_row(r) + a;
      if (a > 0) slip[(a - 1) * m + i] = friction.rate_before()[row] / cluster.fastest;
      for (int j = 0; j < m; ++j)
        for (int b = 0; b <= tangents[j]; ++b) {
          const double entry = friction.matrix()[static_cast<std::ptrdiff_t>(row) * friction.rows() +
                                                 friction.first_row(cluster.members[j]) + b];
          rows[(a * m + i) * 3 * m + b * m + j] = std::abs(entry) <= kUncoupled ? 0.0 : entry;
        }
    }
  }
  cluster.springs.rows = rows;
  cluster.springs.slip = slip;
  cluster.springs.friction = coefficient;
  cluster.springs.spring = spring;
  cluster.springs.tangents = tangents;
  return true;
}

/// The unit of speed: the fastest approach, or slip that is to be taken away.
double fastest_of(const LawRun& run, std::span<const int> members) {
  double fastest = 0.0;
  for (const int r : members) fastest = std::max(fastest, -run.rate[r]);
  if (fastest > run.approach_threshold() || run.friction == nullptr) return fastest;
  for (const int r : members)
    for (int a = 1; std::isinf(run.friction->friction(r)) && a <= run.friction->tangents(r); ++a)
      fastest = std::max(fastest, std::abs(run.friction->rate_before()[run.friction->first_row(r) + a]));
  return fastest;
}

}  // namespace

Stop integrate_cluster(LawRun& run, std::span<const int> members, const CompliantOptions& options) {
  const int m = static_cast<int>(members.size());
  double* matrix = dense::ensure(run.scratch.real[0], m, m);
  double* rate = dense::ensure(run.scratch.real[1], 5, m);
  double* stiffness = rate + m;
  double* restitution = stiffness + m;
  Cluster cluster{.members = members,
                  .springs = {},
                  .fastest = fastest_of(run, members),
                  .impulse = restitution + m,
                  .stored = restitution + 2 * m};
  double stiffest = -1e300;
  for (int i = 0; i < m; ++i) {
    const int r = members[i];
    // K̂ = K D^((1+η)/2); by logarithms, since only ratios matter and powers may overflow.
    stiffness[i] =
        std::log(run.space.stiffness()[r]) + (1.0 + options.exponent) * std::log(run.space.root_inertance(r));
    stiffest = std::max(stiffest, stiffness[i]);
  }
  cluster.springs = {.contacts = m,
                     .exponent = options.exponent,
                     .tolerance = options.tolerance,
                     .matrix = matrix,
                     .rate = rate,
                     .stiffness = stiffness,
                     .restitution = restitution,
                     .threshold = run.approach_threshold() / cluster.fastest,
                     .rest = run.problem.options.rest * run.space.reference_speed() / cluster.fastest};
  for (int i = 0; i < m; ++i) {
    const int r = members[i];
    stiffness[i] = std::exp(stiffness[i] - stiffest);
    restitution[i] = run.space.restitution()[r] < kLetsGo ? 0.0 : run.space.restitution()[r];
    rate[i] = run.rate[r] / cluster.fastest;
    // Pure round-off beside an approach would neither open the contact nor let it store anything.
    if (std::abs(rate[i]) <= cluster.springs.threshold) rate[i] = 0.0;
    for (int j = 0; j < m; ++j) {
      const double cosine = run.space.cosine_row(r)[members[j]];
      matrix[i * m + j] = std::abs(cosine) <= kUncoupled ? 0.0 : cosine;
    }
  }
  const bool friction = describe_friction(run, cluster);
  const auto integrator = friction ? (m <= 2   ? &integrate<2, 1, true>
                                      : m <= 4 ? &integrate<2, 2, true>
                                               : &integrate<2, 0, true>)
                                   : (m <= 2   ? &integrate<2, 1, false>
                                      : m <= 4 ? &integrate<2, 2, false>
                                               : &integrate<2, 0, false>);
  const Stop stop = integrator(run, cluster);
  for (int i = 0; i < m; ++i) push(run, members[i], cluster.impulse[i] * cluster.fastest);
  return stop;
}

}  // namespace carom
