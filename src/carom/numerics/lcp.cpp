#include "carom/numerics/lcp.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/base/activity.h"

namespace carom {

using dense::dot;
using dense::ensure;

namespace {

/// Pivot blocks with a smaller relative pivot are left to Lemke.
constexpr double kSingularBlock = 1e-12;
/// From this many rows on, so many sweeps tell with which set pivoting begins: every block that it tries has to be
/// factorised, and with the negative q alone many are. From there on Lemke, with a pivot of all rows for every contact
/// that closes or opens, comes last.
constexpr int kSweptRows = 40, kFirstSweeps = 30;
/// Signs are decided with this tolerance, relative to max|q|.
constexpr double kSign = 1e-13;

/// What proximal points add to the diagonal, first and last; the factor for the next where a step leaves more than this
/// part of the residual before; and most of their steps.
constexpr double kFirstShift = 1e-4, kLastShift = 1e-11, kNextShift = 0.1, kFastEnough = 0.5;
constexpr int kMostShiftedSteps = 2000;

double largest_magnitude(const double* q, int m) {
  double largest = 0.0;
  for (int i = 0; i < m; ++i) largest = std::max(largest, std::abs(q[i]));
  return largest;
}

}  // namespace

double natural_residual(const LcpData& problem, const double* p) {
  double worst = 0.0;
  for (int i = 0; i < problem.m; ++i) {
    const double* row = problem.matrix + static_cast<std::ptrdiff_t>(i) * problem.m;
    const double gap = std::abs(std::min(p[i], problem.q[i] + dot(row, p, problem.m)));
    if (!(gap <= worst)) worst = gap;  // NaN counts as the worst
  }
  return worst;
}

/// Contacts of bodies that do not touch have nothing to do with each other: most of a row of M is zero. Its bounds
/// leave the bits of its products as they are.
void LcpSolver::find_bounds(const LcpData& problem) {
  const int m = problem.m;
  const auto not_zero = [](double entry) { return entry != 0.0; };
  for (int i = 0; i < m; ++i) {
    const double* row = problem.matrix + static_cast<std::ptrdiff_t>(i) * m;
    const auto begin = static_cast<int>(std::find_if(row, row + m, not_zero) - row);
    int end = m;
    while (end > begin && row[end - 1] == 0.0) --end;
    const int rounded = (end + 3) / 4 * 4;
    begin_[i] = std::min(begin, end) / 4 * 4;
    end_[i] = rounded <= m ? rounded : m;
  }
}

double LcpSolver::product(const LcpData& problem, const double* p, int i) const {
  const double* row = problem.matrix + static_cast<std::ptrdiff_t>(i) * problem.m;
  return dot(row + begin_[i], p + begin_[i], end_[i] - begin_[i]);
}

double LcpSolver::slack(const LcpData& problem, const double* p, int i) const {
  return problem.q[i] + product(problem, p, i);
}

double LcpSolver::worst_residual(const LcpData& problem, const double* p) const {
  double worst = 0.0;
  for (int i = 0; i < problem.m; ++i) {
    const double gap = std::abs(std::min(p[i], slack(problem, p, i)));
    if (!(gap <= worst)) worst = gap;  // NaN counts as the worst
  }
  return worst;
}

bool LcpSolver::proves_infeasible(const LcpData& problem, const double* u) const {
  const int m = problem.m;
  double norm = 0.0;
  for (int i = 0; i < m; ++i) {
    if (u[i] < 0.0) return false;
    norm += u[i];
  }
  if (!(norm > 0.0)) return false;
  double square = 0.0;  // uᵀMu
  for (int i = 0; i < m; ++i) {
    const double image = product(problem, u, i);
    if (std::abs(image) > 1e-9 * norm) return false;
    square += u[i] * image;
  }
  // With M = N Nᵀ and q = N v the product q·u is (Nᵀu)·v: a u that is null to round-off only proves what is more than
  // |Nᵀu| = √(uᵀMu) can make.
  return dot(problem.q, u, m) < -(1e-9 * norm + 4.0 * std::sqrt(std::max(square, 0.0))) * scale_;
}

/// M_FF of the set F.
bool LcpSolver::factorise(const LcpData& problem) {
  int size = 0;
  for (int i = 0; i < problem.m; ++i)
    if (in_set_[i]) set_[size++] = i;
  set_size_ = size;
  for (int a = 0; a < size; ++a) {
    double* row = block_.data() + static_cast<std::ptrdiff_t>(a) * size;
    for (int b = 0; b <= a; ++b) row[b] = problem.matrix[set_[a] * problem.m + set_[b]];
    const auto begin = std::find_if(row, row + a, [](double entry) { return entry != 0.0; }) - row;
    first_[a] = static_cast<int>(begin - begin % 4);
  }
  const bool definite =
      dense::cholesky(block_.data(), inverse_diagonal_.data(), size, kSingularBlock, first_.data()) < 0;
  factorised_matrix_ = definite ? problem.matrix : nullptr;
  if (definite) factorised_ = in_set_;
  return definite;
}

bool LcpSolver::solve_on(const LcpData& problem, double* p) {
  // M_FF p_F = −q_F on the set F, p = 0 elsewhere; refined once, since the blocks may be ill-conditioned.
  if (!(factorised_matrix_ == problem.matrix && factorised_ == in_set_) && !factorise(problem)) return false;
  const int size = set_size_;
  for (int a = 0; a < size; ++a) rhs_[a] = -problem.q[set_[a]];
  const auto apply_inverse = [&](double* x) {
    dense::solve_lower(block_.data(), inverse_diagonal_.data(), x, size, first_.data());
    dense::solve_lower_transposed(block_.data(), inverse_diagonal_.data(), x, size, first_.data());
  };
  apply_inverse(rhs_.data());
  std::fill_n(p, problem.m, 0.0);
  for (int a = 0; a < size; ++a) p[set_[a]] = rhs_[a];
  double worst = 0.0;
  for (int a = 0; a < size; ++a) {
    correction_[a] = -slack(problem, p, set_[a]);
    worst = std::max(worst, std::abs(correction_[a]));
  }
  if (worst > 1e-15 * scale_) {
    apply_inverse(correction_.data());
    for (int a = 0; a < size; ++a) p[set_[a]] += correction_[a];
  }
  return true;
}

/// The set that pivoting begins with.
void LcpSolver::begin_set(const LcpData& problem, double* p) {
  const int m = problem.m;
  std::fill_n(p, m, 0.0);
  for (int sweep = 0; m >= kSweptRows && sweep < kFirstSweeps; ++sweep)
    for (int i = 0; i < m; ++i)
      p[i] = std::max(0.0, p[i] - slack(problem, p, i) / problem.matrix[static_cast<std::ptrdiff_t>(i) * (m + 1)]);
  for (int i = 0; i < m; ++i) in_set_[i] = m >= kSweptRows ? p[i] > 0.0 : problem.q[i] < 0.0;
}

bool LcpSolver::block_pivoting(const LcpData& problem, double* p) {
  begin_set(problem, p);
  return pivot_from_set(problem, p);
}

bool LcpSolver::pivot_from_set(const LcpData& problem, double* p) {
  const int m = problem.m;
  const double tolerance = kSign * scale_;
  int fewest = m + 1;
  int patience = 5;
  const int limit = 10 * m + 20;
  for (int step = 0; step < limit; ++step) {
    Activity::tick();
    if (!solve_on(problem, p)) return false;
    int wrong = 0;
    int last = -1;
    for (int i = 0; i < m; ++i) {
      const bool bad = in_set_[i] ? p[i] < -tolerance : slack(problem, p, i) < -tolerance;
      trial_[i] = bad ? 1.0 : 0.0;
      if (bad) {
        ++wrong;
        last = i;
      }
    }
    if (wrong == 0) {
      for (int i = 0; i < m; ++i) p[i] = std::max(p[i], 0.0);
      return true;
    }
    // Exchange all wrong ones while that makes progress, otherwise the last one only (Murty's rule, finite).
    if (wrong < fewest) {
      fewest = wrong;
      patience = 5;
    } else {
      --patience;
    }
    for (int i = 0; i < m; ++i)
      if (trial_[i] != 0.0 && (patience > 0 || i == last)) in_set_[i] = !in_set_[i];
  }
  return false;
}

bool LcpSolver::lemke(const LcpData& problem, double* p) {
  const int m = problem.m;
  const Lemke::End end = lemke_.solve(problem.matrix, problem.q, m, 50L * m + 1000);
  if (end == Lemke::End::ray) {
    infeasible_ = proves_infeasible(problem, lemke_.ray.data());
    return infeasible_;
  }
  if (end != Lemke::End::solution) return false;
  // The tableau has gathered round-off: solve once more on the basic set, and keep the better of the two.
  std::copy_n(lemke_.solution.data(), m, trial_.data());
  const double from_tableau = worst_residual(problem, trial_.data());
  for (int i = 0; i < m; ++i) in_set_[i] = lemke_.basic[i];
  bool refined = solve_on(problem, p);
  if (refined) {
    for (int i = 0; i < m; ++i) p[i] = std::max(p[i], 0.0);
    refined = worst_residual(problem, p) <= from_tableau;
  }
  if (!refined) std::copy_n(trial_.data(), m, p);
  return true;
}

bool LcpSolver::proximal(const LcpData& problem, double* p) {
  const int m = problem.m;
  const auto size = static_cast<std::size_t>(m) * static_cast<std::size_t>(m);
  double* matrix = ensure(shifted_matrix_, size);
  double* shifted = ensure(shifted_q_, 2 * m);
  double* previous = shifted + m;
  std::copy_n(problem.matrix, size, matrix);
  double sigma = kFirstShift;
  const auto shift = [&] {
    for (int i = 0; i < m; ++i) matrix[i * m + i] = problem.matrix[i * m + i] + sigma;
    factorised_matrix_ = nullptr;
  };
  shift();
  const LcpData definite{matrix, shifted, m, problem.scale, problem.accuracy};
  std::fill_n(previous, m, 0.0);
  double before = residual_;
  for (int step = 0; step < kMostShiftedSteps; ++step) {
    for (int i = 0; i < m; ++i) shifted[i] = problem.q[i] - sigma * previous[i];
    // The answer before tells most of the set, and mostly all of it: then the factor is there already.
    if (step == 0) begin_set(definite, p);
    if (!pivot_from_set(definite, p)) return false;
    const double residual = worst_residual(problem, p);
    if (residual <= enough(problem)) return true;
    for (int i = 0; i < m; ++i) trial_[i] = std::max(0.0, p[i] - previous[i]);
    if (step > 4 && proves_infeasible(problem, trial_.data())) {
      infeasible_ = true;
      return true;
    }
    std::copy_n(p, m, previous);
    if (residual > kFastEnough * before && sigma > kLastShift) {
      sigma *= kNextShift;
      shift();
    }
    before = residual;
  }
  return false;
}

double LcpSolver::enough(const LcpData& problem) const {
  return std::max(kResidual, problem.accuracy) * scale_;
}

LcpStatus LcpSolver::solve(const LcpData& problem, double* p) {
  const int m = problem.m;
  const auto count = static_cast<std::size_t>(m);
  in_set_.resize(count);
  ensure(set_, count);
  ensure(first_, count);
  ensure(block_, count * count);
  ensure(begin_, count);
  ensure(end_, count);
  for (std::vector<double>* field : {&inverse_diagonal_, &rhs_, &correction_, &trial_}) ensure(*field, count);
  find_bounds(problem);
  factorised_matrix_ = nullptr;
  std::fill_n(p, m, 0.0);
  infeasible_ = false;
  scale_ = std::max(problem.scale, largest_magnitude(problem.q, m));
  residual_ = worst_residual(problem, p);
  if (residual_ <= kSign * scale_) return LcpStatus::solved;

  using Method = bool (LcpSolver::*)(const LcpData&, double*);
  std::array<Method, 3> methods = {&LcpSolver::block_pivoting, &LcpSolver::lemke, &LcpSolver::proximal};
  if (problem.accuracy > 0.0 || m >= kSweptRows) std::swap(methods[1], methods[2]);
  double* best = ensure(best_, count);
  std::fill_n(best, m, 0.0);
  for (const Method method : methods) {
    // What a method that gave up has come to may be near enough, or the nearest there is: nearly dependent contacts
    // keep signs from being decided.
    if (!(this->*method)(problem, p))
      for (int i = 0; i < m; ++i) p[i] = std::max(p[i], 0.0);
    if (infeasible_) {
      std::fill_n(p, m, 0.0);
      residual_ = worst_residual(problem, p);
      return LcpStatus::infeasible;
    }
    const double residual = worst_residual(problem, p);
    if (!(residual < residual_)) continue;
    residual_ = residual;
    if (residual_ <= enough(problem)) return LcpStatus::solved;
    std::copy_n(p, m, best);
  }
  std::copy_n(best, m, p);
  return LcpStatus::failed;
}

}  // namespace carom
