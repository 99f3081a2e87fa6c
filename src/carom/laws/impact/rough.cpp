/// Law `rough`: collision without slip, Treschev & Zubelevich, for holonomic and rolling systems alike.
///
/// B stacks the rows that must vanish on the wall: the persistent constraints A, and the normals and tangents of the
/// approaching contacts. P = G⁻¹Bᵀ(BG⁻¹Bᵀ)⁺B projects G-orthogonally onto the complement of ker B, and
///   v⁺ = (I − (1+μ)P) v⁻,   ΔT = −(1−μ²)/2 · v⁻ᵀG P v⁻
/// μ = 1 is superelastic: energy is kept and (I−2P)² = I, so the collision is reversible. μ = 0 is plastic.
///
/// Here with a restitution per row, E = diag(e, e_t): v⁺ = v⁻ − G⁻¹BᵀM(I+E)(Bv⁻+w), M = (BG⁻¹Bᵀ)⁺, which is the rule
/// above when all are equal. It can create energy for some approach unless M − EME ⪰ 0; that is checked and flagged.
/// Rows of A are projected out beforehand (they carry A v⁻ = 0). Rank-revealing (row_space.h): dependent rows are
/// harmless. A contact that only grazes takes no part: its slip must not be reflected. Sources: Treschev & Zubelevich,
/// On collisions in nonholonomic systems; On weak solutions to the Lagrange–d'Alembert equation.

#include <algorithm>
#include <cmath>

#include "carom/laws/impact/iteration.h"
#include "carom/laws/impact/registry.h"

namespace carom {

namespace {

/// A tangent is fixed by the constraints when less than this of its inertance is left.
constexpr double kFixed = 1e-14;
constexpr double kEnergyCondition = 1e-10;

/// The rows that take part, normalised like the contacts.
struct Rows {
  double* unit;  ///< count×n
  double* rate;  ///< normalised rate before
  double* restitution;
  double* root;  ///< √ inertance of a tangent row
  int* target;   ///< movable contact, or −1 − (index of the tangent row in the problem)
  int count = 0;
};

void add_tangent(LawRun& run, Rows& rows, const Contact& contact, int tangent, int problem_row) {
  const int n = run.space.dof();
  const double* row = contact.tangents.data() + static_cast<std::ptrdiff_t>(tangent) * n;
  double* y = rows.unit + static_cast<std::ptrdiff_t>(rows.count) * n;
  run.space.whiten(row, y);
  const double free_inertance = dense::dot(y, y, n);
  run.space.remove_constrained(y);
  const double inertance = dense::dot(y, y, n);
  if (!(inertance > kFixed * free_inertance)) return;
  const double root = std::sqrt(inertance);
  for (int i = 0; i < n; ++i) y[i] /= root;
  const double offset = contact.tangent_offsets.size() > 0 ? contact.tangent_offsets[tangent] : 0.0;
  rows.rate[rows.count] = (dense::dot(row, run.space.velocity(), n) + offset / run.space.speed_unit()) / root;
  rows.restitution[rows.count] = run.problem.tangential_restitution_of(contact);
  rows.root[rows.count] = root;
  rows.target[rows.count] = -1 - problem_row;
  ++rows.count;
}

Rows collect_rows(LawRun& run) {
  const int n = run.space.dof();
  std::size_t capacity = 0;
  for (const Contact& contact : run.problem.contacts) capacity += 1 + static_cast<std::size_t>(contact.tangents.rows());
  Rows rows{dense::ensure(run.scratch.real[0], capacity * static_cast<std::size_t>(n)),
            dense::ensure(run.scratch.real[1], capacity), dense::ensure(run.scratch.real[2], capacity),
            dense::ensure(run.scratch.real[3], capacity), dense::ensure(run.scratch.index[0], capacity)};
  int r = 0;
  int problem_row = 0;
  for (std::size_t i = 0; i < run.problem.contacts.size(); ++i) {
    const Contact& contact = run.problem.contacts[i];
    const int tangents = static_cast<int>(contact.tangents.rows());
    if (r < run.contacts() && run.space.contact(r) == static_cast<int>(i)) {
      if (-run.rate[r] > run.approach_threshold()) {
        std::copy_n(run.space.unit_row(r), n, rows.unit + static_cast<std::ptrdiff_t>(rows.count) * n);
        rows.rate[rows.count] = run.rate[r];
        rows.restitution[rows.count] = run.space.restitution()[r];
        rows.target[rows.count] = r;
        ++rows.count;
        for (int t = 0; t < tangents; ++t) add_tangent(run, rows, contact, t, problem_row + t);
      }
      ++r;
    }
    problem_row += tangents;
  }
  return rows;
}

/// M − E M E ⪰ 0 on the rates that can occur (the range of the rows).
bool energy_condition_holds(LawRun& run, const Rows& rows) {
  const double first = rows.restitution[0];
  if (std::all_of(rows.restitution, rows.restitution + rows.count, [first](double e) { return e == first; }))
    return true;
  RowSpace& space = run.scratch.row_space;
  const int count = rows.count;
  const int rank = space.rank();
  const auto size = static_cast<std::size_t>(count) * static_cast<std::size_t>(count);
  double* m = dense::ensure(run.scratch.real[4], 2 * size + static_cast<std::size_t>(count));
  double* reduced = m + size;
  double* unit = m + 2 * size;
  double* z = dense::ensure(run.scratch.real[5], run.space.dof());
  double largest = 0.0;
  for (int j = 0; j < count; ++j) {
    std::fill_n(unit, count, 0.0);
    unit[j] = 1.0;
    space.solve_rows(unit, z);
    space.solve_columns(z, m + static_cast<std::ptrdiff_t>(j) * count);
    for (int i = 0; i < count; ++i) largest = std::max(largest, std::abs(m[j * count + i]));
  }
  for (int a = 0; a < rank; ++a)
    for (int b = 0; b < rank; ++b) {
      double sum = 0.0;
      for (int i = 0; i < count; ++i)
        for (int j = 0; j < count; ++j)
          sum += space.range_basis(a)[i] * m[i * count + j] * (1.0 - rows.restitution[i] * rows.restitution[j]) *
                 space.range_basis(b)[j];
      reduced[a * rank + b] = sum;
    }
  run.scratch.cholesky.compute(reduced, rank, 1e-13);
  return run.scratch.cholesky.remainder <= kEnergyCondition * largest;
}

void resolve(LawRun& run) {
  const int n = run.space.dof();
  const Rows rows = collect_rows(run);
  if (rows.count == 0) return;
  run.steps = 1;

  RowSpace& space = run.scratch.row_space;
  space.compute(rows.unit, rows.count, n);
  if (space.rank() < rows.count) run.flags.set(Flag::impulses_not_unique);
  if (space.doubtful() || run.space.constraint_rank_doubtful()) run.flags.set(Flag::rank_ambiguous);
  if (!energy_condition_holds(run, rows)) run.flags.set(Flag::energy_condition_violated);

  double* target = dense::ensure(run.scratch.real[4], 2 * rows.count);
  double* impulse = target + rows.count;
  for (int r = 0; r < rows.count; ++r) target[r] = -(1.0 + rows.restitution[r]) * rows.rate[r];
  space.solve_rows(target, run.change.data());
  space.solve_columns(run.change.data(), impulse);
  for (int r = 0; r < rows.count; ++r) {
    if (rows.target[r] >= 0)
      run.impulse[rows.target[r]] = impulse[r];
    else
      run.tangential_impulse[-1 - rows.target[r]] = impulse[r] / rows.root[r];
  }
}

}  // namespace

const ImpactLaw kRoughLaw{
    .name = "rough",
    .summary = "collision without slip at rough contacts (reversible at restitution 1)",
    .source =
        "Treschev & Zubelevich, On collisions in nonholonomic systems; On weak solutions to the "
        "Lagrange-d'Alembert equation",
    .promises = {Promise::when_restitutions_equal, Promise::none, Promise::none},
    .needs = {.takes = TakesContacts::approaching, .tangents = true},
    .parameters = {},
    .order_option = {},
    .resolve = &resolve,
};

}  // namespace carom
