#include "carom/laws/impact/coupled_friction.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/random.h"

namespace carom {

namespace {

/// A residual of the cones that is accepted where none smaller is found, relative to the speeds at hand.
constexpr double kGoodResidual = 1e-6;
/// The same where an accuracy is asked for: an engine asks again for what is left of an approach.
constexpr double kUsefulResidual = 1e-2;

/// Starts of the search for other solutions, and how far apart two must be, as a part of the reference speed.
constexpr int kStarts = 24;
constexpr double kOther = 1e-8;
constexpr double kFrictionTrifle = 1e-11;
/// Slip above this part of the reference speed is slip.
constexpr double kModeSlip = 1e-10;
/// Work of impulses above this, in squares of the reference speed, is none that dissipating forces can do.
constexpr double kEndless = 1e-6;

/// A cone problem gathered from the rows of a run.
struct Gathered {
  ConeData data{};
  int rows = 0;
  int* row = nullptr;  ///< of the friction space, for each row of the problem
};

Gathered gather(LawRun& run, const ConeQuestion& question) {
  const FrictionSpace& space = *run.friction;
  FrictionScratch& scratch = run.scratch.friction;
  Gathered gathered;
  for (const int r : question.contacts) gathered.rows += 1 + space.tangents(r);
  const int n = gathered.rows;
  gathered.row = dense::ensure(scratch.row, n);
  double* matrix = dense::ensure(scratch.matrix, n, n);
  scratch.contacts.clear();
  int k = 0;
  for (std::size_t i = 0; i < question.contacts.size(); ++i) {
    const int r = question.contacts[i];
    scratch.contacts.push_back({.tangents = space.tangents(r),
                                .friction = question.friction != nullptr ? question.friction[i] : space.friction(r),
                                .least = question.least != nullptr ? question.least[i] : 0.0,
                                .stiffness = run.space.stiffness()[r]});
    for (int t = 0; t <= space.tangents(r); ++t) gathered.row[k++] = space.first_row(r) + t;
  }
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < n; ++b) matrix[a * n + b] = space.matrix()[gathered.row[a] * space.rows() + gathered.row[b]];
  gathered.data = {matrix, question.offset, scratch.contacts, space.reference_speed(), run.problem.options.accuracy};
  return gathered;
}

/// Adds q to the solutions listed in the scratch unless one of them has the same velocities.
void list_solution(LawRun& run, const Gathered& problem, const double* q) {
  FrictionScratch& scratch = run.scratch.friction;
  const int n = problem.rows;
  const int known = static_cast<int>(scratch.solutions.size()) / n;
  double* u = dense::ensure(scratch.velocity, n);
  for (int k = 0; k < known; ++k) {
    double distance = 0.0;
    for (int i = 0; i < n; ++i) {
      u[i] = 0.0;
      for (int j = 0; j < n; ++j) u[i] += problem.data.matrix[i * n + j] * (q[j] - scratch.solutions[k * n + j]);
      distance = std::max(distance, std::abs(u[i]));
    }
    if (distance <= kOther * problem.data.scale) return;
  }
  scratch.solutions.insert(scratch.solutions.end(), q, q + n);
}

/// All solutions that can be found; the one in q first.
void list_solutions(LawRun& run, const Gathered& problem, const double* q) {
  FrictionScratch& scratch = run.scratch.friction;
  const int n = problem.rows;
  scratch.solutions.clear();
  list_solution(run, problem, q);
  if (ConeSolver::can_enumerate(problem.data)) {
    const int count = run.scratch.cone.enumerate(problem.data);
    for (int k = 0; k < count; ++k) list_solution(run, problem, run.scratch.cone.solution(k));
    return;
  }
  if (!run.choices->several_starts) return;
  Random random(20230907);
  double* start = dense::ensure(scratch.start, 2 * n);
  double* u = dense::ensure(scratch.velocity, n);
  for (int k = 0; k < kStarts; ++k) {
    for (int i = 0; i < n; ++i) start[i] = 2.0 * problem.data.scale * random.uniform(-1.0, 1.0);
    const ConeResult result = run.scratch.cone.solve(problem.data, start + n, u, scratch.modes.data(), start);
    if (result.status == ConeStatus::solved) list_solution(run, problem, start + n);
  }
}

FrictionMode mode_of(const ConeContact& contact, ConeMode mode, const double* u) {
  if (contact.tangents == 0) return FrictionMode::none;
  if (mode == ConeMode::open) return FrictionMode::open;
  if (mode == ConeMode::stick) return FrictionMode::stick;
  if (contact.tangents == 2) return FrictionMode::slip;
  return u[1] > 0.0 ? FrictionMode::slip_positive : FrictionMode::slip_negative;
}

}  // namespace

bool solve_cones(LawRun& run, const ConeQuestion& question, double* q) {
  const Gathered problem = gather(run, question);
  FrictionScratch& scratch = run.scratch.friction;
  const int n = problem.rows;
  dense::ensure(scratch.modes, question.contacts.size());
  double* u = dense::ensure(scratch.rate, n);
  const ConeResult result = run.scratch.cone.solve(problem.data, q, u, scratch.modes.data());
  run.complementarity_residual = std::max(run.complementarity_residual, result.residual);
  // Many contacts, all but dependent, cost digits: the audit shows the residual.
  const double allowed = problem.data.accuracy > 0.0 ? kUsefulResidual : kGoodResidual;
  const bool good = result.status == ConeStatus::failed && result.residual <= allowed * problem.data.scale;
  if (result.status != ConeStatus::solved && !good) {
    run.stop = Stop::infeasible;
    return false;
  }
  if (!result.impulses_unique) run.flags.set(Flag::impulses_not_unique);
  if (!result.velocities_unique) run.flags.set(Flag::outcome_not_unique);
  if (run.choices != nullptr) {
    OutcomeChoices& choices = *run.choices;
    list_solutions(run, problem, q);
    const int count = static_cast<int>(scratch.solutions.size()) / n;
    const std::size_t asked = choices.found.size();
    const int chosen = asked < choices.chosen.size() ? choices.chosen[asked] : 0;
    choices.found.push_back(count);
    if (count > 1) run.flags.set(Flag::outcome_not_unique);
    if (chosen > 0 && chosen < count)
      std::copy_n(scratch.solutions.data() + static_cast<std::ptrdiff_t>(chosen) * n, n, q);
  }
  int first = 0;
  for (int i = 0; i < n; ++i) u[i] = question.offset[i] + dense::dot(problem.data.matrix + i * n, q, n);
  for (std::size_t i = 0; i < question.contacts.size(); ++i) {
    const ConeContact& contact = scratch.contacts[i];
    const ConeMode mode = cone_mode(contact, q + first, u + first, kModeSlip * problem.data.scale);
    run.modes[question.contacts[i]] = mode_of(contact, mode, u + first);
    first += 1 + contact.tangents;
  }
  return true;
}

void note_phase(LawRun& run, int r, FrictionMode mode) {
  const auto latest = std::find_if(run.phases->rbegin(), run.phases->rend(),
                                   [r](const FrictionPhase& phase) { return phase.contact == r; });
  if (latest != run.phases->rend() && latest->mode == mode) return;
  run.phases->push_back({r, mode});
}

void note_modes_as_phases(LawRun& run) {
  for (int r = 0; r < run.contacts(); ++r)
    if (run.modes[r] != FrictionMode::none) note_phase(run, r, run.modes[r]);
}

void note_modes_of_impulses(LawRun& run) {
  const FrictionSpace& space = *run.friction;
  const int n = space.rows();
  const double* q = run.local_impulse.data();
  double* u = dense::ensure(run.scratch.friction.rate, n);
  for (int i = 0; i < n; ++i)
    u[i] = space.rate_before()[i] + dense::dot(space.matrix() + static_cast<std::ptrdiff_t>(i) * n, q, n);
  for (int r = 0; r < run.contacts(); ++r) {
    const int first = space.first_row(r);
    const ConeContact contact{.tangents = space.tangents(r), .friction = space.friction(r)};
    const ConeMode mode = cone_mode(contact, q + first, u + first, kModeSlip * space.reference_speed());
    run.modes[r] = mode_of(contact, mode, u + first);
  }
  note_modes_as_phases(run);
}

namespace {

/// The work of all impulses, q·u⁻ + ½ qᵀSq, by its two parts.
struct ImpulseWork {
  double linear = 0.0;
  double quadratic = 0.0;
  double size = 0.0;  ///< of the terms, all taken positive

  explicit ImpulseWork(const LawRun& run) {
    const FrictionSpace& space = *run.friction;
    const int n = space.rows();
    for (int i = 0; i < n; ++i) {
      if (run.local_impulse[i] == 0.0) continue;
      const double first = run.local_impulse[i] * space.rate_before()[i];
      const double second = run.local_impulse[i] * dense::dot(space.matrix() + static_cast<std::ptrdiff_t>(i) * n,
                                                              run.local_impulse.data(), n);
      linear += first;
      quadratic += second;
      size += std::abs(first) + std::abs(second);
    }
  }
  [[nodiscard]] double total() const { return linear + 0.5 * quadratic; }
};

}  // namespace

void remove_spurious_friction_energy(LawRun& run) {
  const ImpulseWork work(run);
  const double speed = run.friction->reference_speed();
  if (!(work.total() > 0.0 && work.total() < kFrictionTrifle * speed * speed && work.quadratic > 0.0)) return;
  const double factor = -2.0 * work.linear / work.quadratic;
  for (double& impulse : run.local_impulse) impulse *= factor;
}

void refuse_endless_impulses(LawRun& run) {
  const ImpulseWork work(run);
  const double speed = run.friction->reference_speed();
  const double allowed = kEndless * speed * speed;
  // Where the terms are so large that their sum is round-off, they have grown without end as well.
  const double roundoff = std::numeric_limits<double>::epsilon() * work.size;
  if (work.total() <= allowed && roundoff <= allowed) return;
  run.stop = Stop::no_exit_direction;
  std::fill(run.local_impulse.begin(), run.local_impulse.end(), 0.0);
}

}  // namespace carom
