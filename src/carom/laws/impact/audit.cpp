#include "carom/laws/impact/audit.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom {

using dense::dot;

namespace {

/// Energy created above this part of the energy before is flagged; where the works of the single contacts are larger
/// than that energy and cancel, above this part of them, since they cannot be added more exactly.
constexpr double kEnergyCreated = 1e-12;
/// Impulses that all but balance each other, in a wedge, may be as large as they like: their sums are good to round-off
/// of theirs, which does work at each of them.
constexpr double kRoundoff = std::numeric_limits<double>::epsilon();
/// A remaining approach or a pull above this part of the reference speed is flagged.
constexpr double kApproach = 1e-10;
constexpr double kPull = 1e-11;
/// Tangents that deviate by more from being orthonormal are remarked.
constexpr double kOrthonormal = 1e-9;

/// ½ aᵀG b
double half_product(const ImpactProblem& problem, const double* a, const double* b) {
  const int n = static_cast<int>(problem.velocity.size());
  double sum = 0.0;
  for (int i = 0; problem.diagonal && i < n; ++i) sum += a[i] * (problem.metric(i, i) * b[i]);
  for (int i = 0; !problem.diagonal && i < n; ++i)
    sum += a[i] * dot(problem.metric.data() + static_cast<std::ptrdiff_t>(i) * n, b, n);
  return 0.5 * sum;
}

/// Adds the generalised impulse of all contacts to `push` and books their work; returns the sum of its magnitudes.
double book_contacts(const LawRun& run, ImpactOutcome& outcome, double* push) {
  const ImpactProblem& problem = run.problem;
  const int n = run.space.dof();
  ImpactEnergy& energy = outcome.energy;
  std::size_t tangent_row = 0;
  double magnitude = 0.0;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const Contact& contact = problem.contacts[i];
    const double* normal = contact.normal.data();
    outcome.rate_before[i] = run.space.product(contact, normal, problem.velocity.data()) + contact.offset;
    outcome.rate_after[i] = run.space.product(contact, normal, outcome.velocity.data()) + contact.offset;
    const double p = outcome.impulses[i];
    if (p != 0.0) {
      energy.contact_work += 0.5 * p * (outcome.rate_before[i] + outcome.rate_after[i]);
      magnitude += 0.5 * std::abs(p) * (std::abs(outcome.rate_before[i]) + std::abs(outcome.rate_after[i]));
      energy.wall_work -= p * contact.offset;
      contact.visit_known(n, [&](int first, int count) { dense::add_scaled(p, normal + first, push + first, count); });
    }
    for (Eigen::Index t = 0; t < contact.tangents.rows(); ++t, ++tangent_row) {
      const double* row = contact.tangents.data() + t * n;
      const double offset = contact.tangent_offsets.size() > 0 ? contact.tangent_offsets[t] : 0.0;
      const double before = run.space.product(contact, row, problem.velocity.data()) + offset;
      const double after = run.space.product(contact, row, outcome.velocity.data()) + offset;
      outcome.slip_before.push_back(before);
      outcome.slip_after.push_back(after);
      const double q = outcome.tangential_impulses.empty() ? 0.0 : outcome.tangential_impulses[tangent_row];
      if (q == 0.0) continue;
      energy.contact_work += 0.5 * q * (before + after);
      magnitude += 0.5 * std::abs(q) * (std::abs(before) + std::abs(after));
      energy.wall_work -= q * offset;
      contact.visit_known(n, [&](int first, int count) { dense::add_scaled(q, row + first, push + first, count); });
    }
  }
  energy.change_from_impulses = energy.contact_work + energy.wall_work;
  return magnitude;
}

void book_energy(const LawRun& run, ImpactOutcome& outcome, double* work) {
  const int n = run.space.dof();
  const double* before = run.problem.velocity.data();
  const double* after = outcome.velocity.data();
  for (int i = 0; i < n; ++i) {
    work[i] = after[i] - before[i];
    work[n + i] = after[i] + before[i];
  }
  outcome.energy.before = half_product(run.problem, before, before);
  outcome.energy.after = half_product(run.problem, after, after);
  outcome.energy.change = half_product(run.problem, work, work + n);
}

void book_constraints(const LawRun& run, ContactSpace& space, ImpactOutcome& outcome, double* push) {
  const ImpactProblem& problem = run.problem;
  const int n = space.dof();
  Audit& audit = outcome.audit;
  audit.constraint_impulses.assign(space.constraints(), 0.0);
  audit.constraint_residual = 0.0;
  if (space.constraints() == 0) return;
  space.whiten(push, push);
  space.constraint_impulses(push, audit.constraint_impulses.data());
  if (!space.constraints_independent()) audit.flags.set(Flag::joint_forces_not_unique);
  for (int k = 0; k < space.constraints(); ++k)
    audit.constraint_residual = std::max(
        audit.constraint_residual,
        std::abs(dot(problem.persistent.data() + static_cast<std::ptrdiff_t>(k) * n, outcome.velocity.data(), n)));
  const double pull = kPull * space.reference_speed() * space.speed_unit();
  for (const int k : problem.supports)
    if (audit.constraint_impulses[k] * space.constraint_norm(k) < -pull) audit.flags.set(Flag::support_would_open);
}

/// A contact whose normal the constraints fix is a support: the constraint's answer along that normal must push.
/// With Aᵀλ the constraints' generalised impulse, its part along n is (n G⁻¹ Aᵀλ)/(n G⁻¹ nᵀ).
void check_fixed_contact(const LawRun& run, const Contact& contact, ImpactOutcome& outcome, double* work) {
  const ContactSpace& space = run.space;
  const int n = space.dof();
  double* answer = work;
  double* normal = work + n;
  std::fill_n(answer, n, 0.0);
  for (int k = 0; k < space.constraints(); ++k)
    dense::add_scaled(outcome.audit.constraint_impulses[k],
                      run.problem.persistent.data() + static_cast<std::ptrdiff_t>(k) * n, answer, n);
  space.whiten(answer, answer);
  space.whiten(contact.normal.data(), normal);
  const double along = dot(answer, normal, n) / std::sqrt(dot(normal, normal, n));
  if (along < -kPull * space.reference_speed() * space.speed_unit()) outcome.audit.flags.set(Flag::support_would_open);
}

void check_contacts(const LawRun& run, ImpactOutcome& outcome, double* work) {
  const ContactSpace& space = run.space;
  const ImpactProblem& problem = run.problem;
  Audit& audit = outcome.audit;
  const std::size_t m = problem.contacts.size();
  const double speed = space.reference_speed() * space.speed_unit();
  const double approach = std::max(kApproach, problem.options.rest) * speed;
  audit.min_impulse = m > 0 ? *std::min_element(outcome.impulses.begin(), outcome.impulses.end()) : 0.0;
  audit.min_gap_rate_after = m > 0 ? *std::min_element(outcome.rate_after.begin(), outcome.rate_after.end()) : 0.0;
  audit.restitution.resize(m);
  for (std::size_t i = 0; i < m; ++i) audit.restitution[i] = problem.restitution_of(problem.contacts[i]);
  audit.observed_restitution.assign(m, std::nullopt);
  audit.kinetic_cosines.assign(m * m, std::nullopt);

  int r = 0;
  for (std::size_t i = 0; i < m; ++i) {
    const bool movable = r < space.movable() && space.contact(r) == static_cast<int>(i);
    if (!movable) {
      audit.flags.set(Flag::contact_fixed_by_constraint);
      const double* normal = problem.contacts[i].normal.data();
      space.whiten(normal, work);
      const double root = std::sqrt(dot(work, work, space.dof()));
      if (outcome.rate_after[i] < -std::max(approach, 1e-9 * speed) * root) {
        audit.flags.set(Flag::still_approaching);
        outcome.stop = Stop::infeasible;
      }
      check_fixed_contact(run, problem.contacts[i], outcome, work);
      continue;
    }
    const double root = space.root_inertance(r);
    if (outcome.rate_after[i] < -approach * root) audit.flags.set(Flag::still_approaching);
    if (outcome.impulses[i] * root < -kPull * speed) audit.flags.set(Flag::negative_impulse);
    if (space.rate_before()[r] < -run.approach_threshold())
      audit.observed_restitution[i] = -outcome.rate_after[i] / outcome.rate_before[i];
    for (int s = 0; s < space.movable(); ++s) audit.kinetic_cosines[i * m + space.contact(s)] = space.cosine_row(r)[s];
    ++r;
  }
}

/// Whether coordinate `first` begins a free body: three equal masses, not coupled to anything else.
bool is_free_body(const ImpactProblem& problem, Eigen::Index first) {
  const Matrix& metric = problem.metric;
  const Eigen::Index begin = problem.diagonal ? first : 0, end = problem.diagonal ? first + 3 : metric.cols();
  for (Eigen::Index i = first; i < first + 3; ++i)
    for (Eigen::Index j = begin; j < end; ++j)
      if (metric(i, j) != (i == j ? metric(first, first) : 0.0)) return false;
  return true;
}

/// Whether the two tangents of a contact are at right angles and as long as each other and the normal. Only the
/// translational parts of free bodies (six coordinates each) can say so; of other rows nothing is known.
/// `is_free` has an entry for each six coordinates, above zero for free bodies.
bool tangents_are_orthonormal(const ImpactProblem& problem, const Contact& contact, const double* is_free) {
  if (problem.velocity.size() % 6 != 0 || contact.tangents.rows() != 2) return true;
  bool orthonormal = true;
  const auto check = [&](Eigen::Index first) {
    const Eigen::Vector3d n = contact.normal.segment<3>(first);
    const Eigen::Vector3d a = contact.tangents.row(0).segment<3>(first);
    const Eigen::Vector3d b = contact.tangents.row(1).segment<3>(first);
    const double square = n.squaredNorm();
    if (square == 0.0 && a.isZero(0.0) && b.isZero(0.0)) return;
    for (const double off : {a.squaredNorm() - square, b.squaredNorm() - square, a.dot(b), a.dot(n), b.dot(n)})
      orthonormal = orthonormal && !(std::abs(off) > kOrthonormal * square);
  };
  contact.visit_known(static_cast<int>(problem.velocity.size()), [&](int begin, int count) {
    for (Eigen::Index first = begin - begin % 6; first < begin + count; first += 6)
      if (is_free[first / 6] > 0.0) check(first);
  });
  return orthonormal;
}

/// A contact that neither approaches nor separates and slides so that friction would drive it in: μ b·ŝ > a.
bool is_jammed(const LawRun& run, int r) {
  const FrictionSpace& space = *run.friction;
  const int f = space.first_row(r);
  const double threshold = std::max(run.approach_threshold(), kApproach * run.space.reference_speed());
  if (std::abs(space.rate_before()[f]) > threshold || !std::isfinite(space.friction(r))) return false;
  const double* row = space.matrix() + static_cast<std::ptrdiff_t>(f) * space.rows() + f;
  double slip = 0.0;
  double along = 0.0;
  for (int t = 1; t <= space.tangents(r); ++t) {
    slip = std::hypot(slip, space.rate_before()[f + t]);
    along += row[t] * space.rate_before()[f + t];
  }
  return slip > threshold && space.friction(r) * along > row[0] * slip;
}

void check_friction(const LawRun& run, ImpactOutcome& outcome, double* work) {
  for (Eigen::Index first = 0; first + 6 <= run.problem.velocity.size(); first += 6)
    work[first / 6] = is_free_body(run.problem, first) ? 1.0 : 0.0;
  for (int r = 0; r < run.contacts(); ++r) {
    if (run.friction->tangents(r) == 0) continue;
    const Contact& contact = run.problem.contacts[static_cast<std::size_t>(run.space.contact(r))];
    if (!tangents_are_orthonormal(run.problem, contact, work))
      outcome.audit.flags.set(Flag::tangent_rows_not_orthogonal);
    if (is_jammed(run, r)) outcome.audit.flags.set(Flag::painleve_jam);
  }
}

}  // namespace

void audit_outcome(const LawRun& run, ContactSpace& space, ImpactOutcome& outcome, double* work) {
  const int n = space.dof();
  const std::size_t m = run.problem.contacts.size();
  Audit& audit = outcome.audit;
  audit.flags = run.flags;
  audit.order_spread.reset();
  audit.roundoff_spread.reset();
  audit.complementarity_residual.reset();
  if (run.complementarity_residual >= 0.0)
    audit.complementarity_residual = run.complementarity_residual * space.speed_unit();
  outcome.energy = {};
  outcome.rate_before.resize(m);
  outcome.rate_after.resize(m);
  outcome.slip_before.clear();
  outcome.slip_after.clear();

  book_energy(run, outcome, work);
  double* push = work;
  std::fill_n(push, n, 0.0);
  const double magnitude = book_contacts(run, outcome, push);
  book_constraints(run, space, outcome, push);
  check_contacts(run, outcome, work + n);
  if (run.friction != nullptr) check_friction(run, outcome, work);
  const double speed = space.reference_speed();
  double squares = 0.0;
  for (const double impulse : run.impulse) squares += impulse * impulse;
  const double reference = std::max(0.5 * kEnergyCreated * speed * speed, kRoundoff * squares);
  const double unit = space.speed_unit() * space.speed_unit();
  if (outcome.energy.contact_work > std::max(reference * unit, kEnergyCreated * magnitude))
    audit.flags.set(Flag::energy_created);
}

}  // namespace carom
