#include <algorithm>
#include <cmath>

#include "carom/numerics/lcp.h"

namespace carom {

using dense::dot;
using dense::ensure;

namespace {
/// Relative size of a pivot of M below which contacts are dependent: 1e-13 of the diagonal, that is a distance of
/// 3e-7 between a unit row and the span of the others.
constexpr double kDependent = 1e-13;
/// Pivots above this, in whatever order, leave no doubt.
constexpr double kIndependent = 1e-9;
}  // namespace

bool LeastImpulse::null_direction_exists(int free_count, int support_count) {
  // Free contacts are ordered with the support (p > 0) first. With M_SS definite, another solution exists iff some
  // d ≥ 0, d ≠ 0 on the rest Z has (M_ZZ − M_ZS M_SS⁻¹ M_SZ) d = 0, that is iff LCP(Schur, −1) is infeasible.
  const int rest = free_count - support_count;
  if (rest == 0) return false;
  double* schur = ensure(gram_, rest, rest);
  const auto size = static_cast<std::size_t>(support_count) * static_cast<std::size_t>(support_count);
  double* factor = ensure(projector_, size);
  double* inverse = ensure(diagonal_, free_count);
  for (int a = 0; a < support_count; ++a)
    for (int b = 0; b <= a; ++b) factor[a * support_count + b] = block_[a * free_count + b];
  if (dense::cholesky(factor, inverse, support_count, kDependent) >= 0) return true;
  double* columns = ensure(null_, static_cast<std::size_t>(rest) * static_cast<std::size_t>(support_count) + 1);
  for (int z = 0; z < rest; ++z) {
    double* column = columns + static_cast<std::ptrdiff_t>(z) * support_count;
    for (int a = 0; a < support_count; ++a) column[a] = block_[(support_count + z) * free_count + a];
    dense::solve_lower(factor, inverse, column, support_count);
  }
  for (int y = 0; y < rest; ++y)
    for (int z = 0; z < rest; ++z)
      schur[y * rest + z] = block_[(support_count + y) * free_count + support_count + z] -
                            dot(columns + static_cast<std::ptrdiff_t>(y) * support_count,
                                columns + static_cast<std::ptrdiff_t>(z) * support_count, support_count);
  // A contact that depends on the support alone is such a direction; the others are scaled to a unit diagonal.
  for (int z = 0; z < rest; ++z)
    if (!(schur[z * rest + z] > kDependent)) return true;
  double* scale = ensure(multiplier_, rest);
  for (int z = 0; z < rest; ++z) scale[z] = 1.0 / std::sqrt(schur[z * rest + z]);
  for (int y = 0; y < rest; ++y)
    for (int z = 0; z < rest; ++z) schur[y * rest + z] *= scale[y] * scale[z];
  double* minus_one = ensure(work_, 2 * rest);
  std::fill_n(minus_one, rest, -1.0);
  return lcp_.solve({schur, minus_one, rest, 1.0}, minus_one + rest) == LcpStatus::infeasible;
}

void LeastImpulse::refine(const LcpData& problem, int count, double* p) {
  // Newton's correction on the independent contacts: their slack goes to zero, the choice among solutions stays.
  const int rank = cholesky_.rank;
  double* correction = ensure(work_, rank);
  const double* factor = cholesky_.factor.data();
  for (int a = 0; a < rank; ++a) {
    const int i = free_[cholesky_.permutation[a]];
    double value = -(problem.q[i] + dot(problem.matrix + static_cast<std::ptrdiff_t>(i) * problem.m, p, problem.m));
    for (int b = 0; b < a; ++b) value -= factor[a * count + b] * correction[b];
    correction[a] = value / factor[a * count + a];
  }
  for (int a = rank - 1; a >= 0; --a) {
    for (int b = a + 1; b < rank; ++b) correction[a] -= factor[b * count + a] * correction[b];
    correction[a] /= factor[a * count + a];
  }
  // Keep it only if it helps: a correction cut off at p = 0 may not.
  double* refined = ensure(multiplier_, problem.m);
  std::copy_n(p, problem.m, refined);
  for (int a = 0; a < rank; ++a) {
    double& value = refined[free_[cholesky_.permutation[a]]];
    value = std::max(0.0, value + correction[a]);
  }
  if (natural_residual(problem, refined) < natural_residual(problem, p)) std::copy_n(refined, problem.m, p);
}

LeastImpulse::Uniqueness LeastImpulse::choose(const LcpData& problem, const double* weight, double* p) {
  const double* const m_matrix = problem.matrix;
  const double* const q = problem.q;
  const int m = problem.m;
  double scale = problem.scale;
  for (int i = 0; i < m; ++i) scale = std::max(scale, std::abs(q[i]));
  if (!(scale > 0.0)) return Uniqueness::unique;
  const double zero = 1e-9 * scale;

  // The contacts that may carry an impulse: those with no slack; the ones that carry one come first.
  int* free = ensure(free_, m);
  int count = 0;
  for (int pass = 0; pass < 2; ++pass)
    for (int i = 0; i < m; ++i) {
      const bool carries = p[i] > zero;
      const double slack = q[i] + dot(m_matrix + static_cast<std::ptrdiff_t>(i) * m, p, m);
      if (pass == 0 ? carries : (!carries && slack < zero)) free[count++] = i;
    }
  int support = 0;
  while (support < count && p[free[support]] > zero) ++support;
  const auto size = static_cast<std::size_t>(count) * static_cast<std::size_t>(count);
  double* block = ensure(block_, size);
  for (int a = 0; a < count; ++a)
    for (int b = 0; b < count; ++b) block[a * count + b] = m_matrix[free[a] * m + free[b]];
  // Contacts that are clearly independent, as they are most of the time, need no rank.
  double* factor = ensure(projector_, size);
  std::copy_n(block, size, factor);
  if (dense::cholesky(factor, ensure(diagonal_, count), count, kIndependent) < 0) return Uniqueness::unique;
  cholesky_.compute(block, count, kDependent);
  const int nullity = count - cholesky_.rank;
  if (nullity == 0 || !null_direction_exists(count, support)) return Uniqueness::unique;

  // p' = p + N t, least Σ h p'² with p' ≥ 0. With multipliers μ ≥ 0 of p' ≥ 0:
  //   p' = p − N(NᵀHN)⁻¹NᵀHp + N(NᵀHN)⁻¹Nᵀ μ, an LCP in (μ, p').
  double* basis = ensure(null_, nullity, count);
  for (int j = 0; j < nullity; ++j) cholesky_.null_vector(j, basis + static_cast<std::ptrdiff_t>(j) * count);
  double* gram = ensure(gram_, nullity, nullity);
  double* inverse = ensure(diagonal_, std::max(nullity, count));
  for (int j = 0; j < nullity; ++j)
    for (int k = 0; k < nullity; ++k) {
      double sum = 0.0;
      for (int a = 0; a < count; ++a) sum += basis[j * count + a] * weight[free[a]] * basis[k * count + a];
      gram[j * nullity + k] = sum;
    }
  if (dense::cholesky(gram, inverse, nullity, 0.0) >= 0) return Uniqueness::not_unique;
  // Rows of L⁻¹Nᵀ in place: then N(NᵀHN)⁻¹Nᵀ = (L⁻¹Nᵀ)ᵀ(L⁻¹Nᵀ).
  double* work = ensure(work_, 4 * count + nullity);
  for (int a = 0; a < count; ++a) {
    for (int j = 0; j < nullity; ++j) work[j] = basis[j * count + a];
    dense::solve_lower(gram, inverse, work, nullity);
    for (int j = 0; j < nullity; ++j) basis[j * count + a] = work[j];
  }
  double* projector = ensure(projector_, size);
  for (int a = 0; a < count; ++a)
    for (int b = 0; b < count; ++b) {
      double sum = 0.0;
      for (int j = 0; j < nullity; ++j) sum += basis[j * count + a] * basis[j * count + b];
      projector[a * count + b] = sum;
    }
  double* start = work;
  double* chosen = work + count;
  double* weighted = work + 2 * count;
  for (int a = 0; a < count; ++a) weighted[a] = weight[free[a]] * p[free[a]];
  for (int a = 0; a < count; ++a) start[a] = p[free[a]] - dot(projector + a * count, weighted, count);
  double* multiplier = ensure(multiplier_, count);
  double largest = 0.0;
  for (int a = 0; a < count; ++a) largest = std::max(largest, p[free[a]]);
  if (lcp_.solve({projector, start, count, largest}, multiplier) != LcpStatus::solved) return Uniqueness::not_unique;
  for (int a = 0; a < count; ++a) chosen[a] = std::max(0.0, start[a] + dot(projector + a * count, multiplier, count));

  // Take it only if it leaves M p as it was.
  for (int a = 0; a < count; ++a) {
    double change = 0.0;
    for (int b = 0; b < count; ++b) change += block[a * count + b] * (chosen[b] - p[free[b]]);
    if (std::abs(change) > LcpSolver::kResidual * scale) return Uniqueness::not_unique;
  }
  for (int a = 0; a < count; ++a) p[free[a]] = chosen[a];
  refine(problem, count, p);
  return Uniqueness::not_unique;
}

}  // namespace carom
