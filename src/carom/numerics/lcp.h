#pragma once
/// The linear complementarity problem 0 ≤ p ⟂ M p + q ≥ 0 for a symmetric positive semidefinite M.
///
/// Three methods, the next where the one before does not end with a verified answer:
///   1. block principal pivoting (fast; needs the pivot blocks to be positive definite),
///   2. Lemke with lexicographic ratio test (singular and degenerate M; a ray proves infeasibility),
///   3. proximal points p ← solution of LCP(M + σI, q − σp) (each one definite), for what round-off leaves of 1 and 2,
///      with a smaller σ from step to step where little is gained: the wedge of an angle θ needs one of θ²;
///      before 2 where there are many rows or some accuracy is enough: few steps get there, however many rows depend on
///      each other.
/// An answer is accepted by its residual only. M should have a unit diagonal (the callers normalise contacts);
/// tolerances are relative to max|q| and to `scale`, the speed that counts as large in the problem at hand: a q of pure
/// round-off must not be taken for a question.
/// Sources: Júdice & Pires 1994 (block pivoting); Cottle, Pang & Stone 1992; Rockafellar 1976 (proximal points).

#include <vector>

#include "carom/numerics/dense.h"
#include "carom/numerics/lemke.h"

namespace carom {

enum class LcpStatus {
  solved,
  infeasible,  ///< proved by u ≥ 0 with M u = 0 and q·u < 0
  failed,      ///< no verified answer; the residual says how far off the returned one is
};

/// One problem: M (m×m, row-major), q (m), and the speed that counts as large.
struct LcpData {
  const double* matrix;
  const double* q;
  int m;
  double scale;
  /// 0: to LcpSolver::kResidual. Above: the residual, relative to the same, that is enough.
  double accuracy = 0.0;
};

/// max over i of |min(p_i, slack_i)|: zero for a solution, and continuous.
double natural_residual(const LcpData& problem, const double* p);

class LcpSolver {
 public:
  /// A solution is accepted when its residual is below this part of the larger of max|q| and scale.
  static constexpr double kResidual = 1e-10;

  /// Solves for p (size m, written). M is m×m, row-major.
  LcpStatus solve(const LcpData& problem, double* p);

  /// The natural residual of the last answer.
  [[nodiscard]] double residual() const { return residual_; }

 private:
  void find_bounds(const LcpData& problem);
  /// (M p)_i, (M p + q)_i and the natural residual, with the bounds of the rows at hand.
  [[nodiscard]] double product(const LcpData& problem, const double* p, int i) const;
  [[nodiscard]] double slack(const LcpData& problem, const double* p, int i) const;
  [[nodiscard]] double worst_residual(const LcpData& problem, const double* p) const;
  void begin_set(const LcpData& problem, double* p);
  bool block_pivoting(const LcpData& problem, double* p);
  bool pivot_from_set(const LcpData& problem, double* p);
  bool lemke(const LcpData& problem, double* p);
  bool proximal(const LcpData& problem, double* p);
  bool factorise(const LcpData& problem);
  bool solve_on(const LcpData& problem, double* p);
  [[nodiscard]] double enough(const LcpData& problem) const;
  bool proves_infeasible(const LcpData& problem, const double* u) const;

  double residual_ = 0.0;
  double scale_ = 0.0;  // the larger of max|q| and the caller's scale
  bool infeasible_ = false;
  std::vector<char> in_set_, factorised_;  // the latter: the set whose block is factorised, of this matrix
  const double* factorised_matrix_ = nullptr;
  int set_size_ = 0;
  std::vector<int> set_, first_, begin_, end_;
  std::vector<double> block_;
  std::vector<double> inverse_diagonal_;
  std::vector<double> rhs_;
  std::vector<double> correction_;
  std::vector<double> shifted_matrix_;
  std::vector<double> shifted_q_;
  std::vector<double> trial_;
  std::vector<double> best_;
  Lemke lemke_;
};

/// Chooses one among several solutions of an LCP with singular M: the one of least Σ weight_i p_i².
/// All solutions share M p, so the choice does not move the velocities of the law that asked.
class LeastImpulse {
 public:
  enum class Uniqueness { unique, not_unique };

  /// Replaces the solution p of LCP(M, q) by the least one and says whether p was the only one. Where the choice
  /// cannot be verified p is left as it is.
  Uniqueness choose(const LcpData& problem, const double* weight, double* p);

 private:
  void refine(const LcpData& problem, int count, double* p);
  bool null_direction_exists(int free_count, int support_count);

  LcpSolver lcp_;
  dense::PivotedCholesky cholesky_;
  std::vector<int> free_;
  std::vector<double> block_;
  std::vector<double> null_;
  std::vector<double> gram_;
  std::vector<double> projector_;
  std::vector<double> work_;
  std::vector<double> multiplier_;
  std::vector<double> diagonal_;
};

}  // namespace carom
