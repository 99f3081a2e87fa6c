/// Law `sequential`: one contact at a time, the fastest approach first, Newton at each, until nothing approaches.
///
/// Contacts whose −γᵢ/√Dᵢᵢ agree to 1e-9 are struck together by the complementarity problem of `newton`, so that
/// relabelling and mirror symmetry hold. Always dissipative; the outcome depends on the order (`slowest_first` takes
/// the opposite one, and the audit compares the two). Two contacts with ρ < 0 go on for ever iff ρ² ≥
/// (√k₁+√k₂)²/((1+k₁)(1+k₂)), coming to rest; elastic ones end after at most ⌈π/α⌉ hits, cos α = −ρ.
/// With friction each hit is the energetic incremental impact of that contact alone (single_contact.h); contacts that
/// tie and act on each other are one cone problem of `newton`, or, where that would create energy, the two
/// of `poisson`.

#include <algorithm>

#include "carom/laws/impact/contact_path.h"
#include "carom/laws/impact/coupled.h"
#include "carom/laws/impact/coupled_friction.h"
#include "carom/laws/impact/registry.h"

namespace carom {

namespace {

constexpr LawParameter kParameters[] = {
    {.name = "slowest_first", .is_flag = true, .help = "strike the slowest approaching contact first, not the fastest"},
};
constexpr double kTie = 1e-9;
/// Entries of the inertance matrix below this do not couple.
constexpr double kUncoupled = 1e-14;
/// Energy below this part of the square of the speed is round-off.
constexpr double kNoWork = 1e-13;

/// Strikes the contacts listed in `tied` together: newton on their block of ρ.
bool strike(LawRun& run, const int* tied, int count) {
  const auto size = static_cast<std::size_t>(count);
  double* block = dense::ensure(run.scratch.real[0], size * size);
  double* q = dense::ensure(run.scratch.real[1], size);
  double* p = dense::ensure(run.scratch.real[2], size);
  for (int a = 0; a < count; ++a) {
    for (int b = 0; b < count; ++b) block[a * count + b] = run.space.cosine_row(tied[a])[tied[b]];
    q[a] = (1.0 + run.space.restitution()[tied[a]]) * run.rate[tied[a]];
  }
  if (!solve_coupled(run, {block, q, count, 0.0}, tied, p)) return false;
  for (int a = 0; a < count; ++a) push(run, tied[a], p[a]);
  return true;
}

/// The contacts to strike next: the fastest (or slowest) approaching one and those that tie with it.
int next_contacts(const LawRun& run, bool slowest_first, int* tied) {
  const int m = run.contacts();
  double chosen = slowest_first ? fastest_approach(run) : 0.0;
  for (int i = 0; i < m; ++i) {
    const double approach = -run.rate[i];
    if (approach > run.approach_threshold())
      chosen = slowest_first ? std::min(chosen, approach) : std::max(chosen, approach);
  }
  int count = 0;
  for (int i = 0; i < m; ++i)
    if (-run.rate[i] > run.approach_threshold() && std::abs(-run.rate[i] - chosen) <= kTie * chosen) tied[count++] = i;
  return count;
}

/// Whether two contacts act on each other.
bool coupled(const FrictionSpace& space, int a, int b) {
  for (int i = space.first_row(a); i < space.first_row(a + 1); ++i)
    for (int j = space.first_row(b); j < space.first_row(b + 1); ++j)
      if (std::abs(space.matrix()[i * space.rows() + j]) > kUncoupled) return true;
  return false;
}

/// Brings those of `tied` that are coupled to the first, directly or through others, to the front; returns how many.
int group_of_first(const FrictionSpace& space, int* tied, int count) {
  int size = 1;
  for (int seen = 0; seen < size; ++seen)
    for (int k = size; k < count; ++k)
      if (coupled(space, tied[seen], tied[k])) std::swap(tied[size++], tied[k]);
  return size;
}

/// The rates of the rows of some contacts, one after the other; the normal ones times 1 + e where they are to be
/// reflected.
void gather_rates(const LawRun& run, std::span<const int> contacts, const double* rates, bool reflected,
                  double* gathered) {
  const FrictionSpace& space = *run.friction;
  for (const int r : contacts) {
    *gathered++ = (reflected ? 1.0 + run.space.restitution()[r] : 1.0) * rates[space.first_row(r)];
    for (int t = 1; t <= space.tangents(r); ++t) *gathered++ = rates[space.first_row(r) + t];
  }
}

/// The work of impulses q at some contacts from the present rates: q·u + ½qᵀSq.
double work_of(LawRun& run, std::span<const int> contacts, const double* rates, const double* q) {
  const FrictionSpace& space = *run.friction;
  double* change = dense::ensure(run.scratch.friction.velocity, space.rows());
  std::fill_n(change, space.rows(), 0.0);
  const double* next = q;
  for (const int r : contacts)
    for (int k = space.first_row(r); k < space.first_row(r + 1); ++k)
      dense::add_scaled(*next++, space.matrix() + static_cast<std::ptrdiff_t>(k) * space.rows(), change, space.rows());
  double work = 0.0;
  for (const int r : contacts)
    for (int k = space.first_row(r); k < space.first_row(r + 1); ++k) work += *q++ * (rates[k] + 0.5 * change[k]);
  return work;
}

void push_all(LawRun& run, std::span<const int> contacts, const double* q, double* rates) {
  for (const int r : contacts) {
    push_rows(run, r, q, rates);
    if (run.modes[r] != FrictionMode::none && run.modes[r] != FrictionMode::open)
      run.phases->push_back({r, run.modes[r]});
    q += 1 + run.friction->tangents(r);
  }
}

/// Strikes contacts that act on each other and tie: the cone problem of `newton`. Where that would create energy, the
/// two of `poisson` with the least restitution among them, which cannot.
bool strike_together(LawRun& run, std::span<const int> tied, double* rates) {
  const FrictionSpace& space = *run.friction;
  FrictionScratch& scratch = run.scratch.friction;
  double* offset = dense::ensure(scratch.offset, space.rows());
  double* q = dense::ensure(scratch.impulse, space.rows());
  gather_rates(run, tied, rates, true, offset);
  if (!solve_cones(run, {.contacts = tied, .offset = offset}, q)) return false;
  const double speed = space.reference_speed();
  if (!(work_of(run, tied, rates, q) > kNoWork * speed * speed)) {
    push_all(run, tied, q, rates);
    return true;
  }
  gather_rates(run, tied, rates, false, offset);
  if (!solve_cones(run, {.contacts = tied, .offset = offset}, q)) return false;
  double e = 1.0;
  for (const int r : tied) e = std::min(e, run.space.restitution()[r]);
  double* least = dense::ensure(scratch.least, tied.size());
  const double* pressure = q;
  for (std::size_t i = 0; i < tied.size(); ++i) {
    least[i] = e * *pressure;
    pressure += 1 + space.tangents(tied[i]);
  }
  push_all(run, tied, q, rates);
  gather_rates(run, tied, rates, false, offset);
  if (!solve_cones(run, {.contacts = tied, .offset = offset, .least = least}, q)) return false;
  push_all(run, tied, q, rates);
  return true;
}

void resolve_friction(LawRun& run, bool slowest_first) {
  const FrictionSpace& space = *run.friction;
  double* rates = dense::ensure(run.scratch.friction.state, space.rows());
  std::copy_n(space.rate_before().data(), space.rows(), rates);
  int* tied = dense::ensure(run.scratch.index[0], run.contacts());
  run.follows_path = true;
  while (goes_on(run)) {
    int count = next_contacts(run, slowest_first, tied);
    for (int* next = tied; count > 0;) {
      const int size = group_of_first(space, next, count);
      if (size > 1) run.follows_path = false;
      if (size == 1 ? !strike_contact(run, *next, RestitutionRule::energetic, rates)
                    : !strike_together(run, {next, static_cast<std::size_t>(size)}, rates))
        return;
      next += size;
      count -= size;
    }
    ++run.steps;
  }
  if (!finished(run.stop)) return;
  if (run.flags.has(Flag::wedged)) run.stop = Stop::wedged;
  remove_spurious_friction_energy(run);
}

void resolve(LawRun& run) {
  const int m = run.contacts();
  const bool slowest_first = run.option(kParameters[0]) != 0.0;
  if (run.friction != nullptr) return resolve_friction(run, slowest_first);
  int* tied = dense::ensure(run.scratch.index[0], m);
  while (goes_on(run)) {
    const int count = next_contacts(run, slowest_first, tied);
    if (count == 1) {
      push(run, tied[0], -(1.0 + run.space.restitution()[tied[0]]) * run.rate[tied[0]]);
    } else if (!strike(run, tied, count)) {
      return;
    }
    ++run.steps;
  }
  if (finished(run.stop)) remove_spurious_energy(run);
}

}  // namespace

const ImpactLaw kSequentialLaw{
    .name = "sequential",
    .summary = "one contact at a time, the fastest approach first; ties together; depends on order",
    .source = "Chatterjee & Ruina, A new algebraic rigid-body collision law, 1998 (sequential collisions)",
    .promises = {Promise::always, Promise::always, Promise::always, Promise::always},
    .needs = {.friction = true},
    .parameters = kParameters,
    .order_option = "slowest_first",
    .resolve = &resolve,
};

}  // namespace carom
