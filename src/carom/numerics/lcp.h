#pragma once
/// The linear complementarity problem 0 ≤ p ⟂ M p + q ≥ 0 for a symmetric positive semidefinite M.
///
/// Three methods, the next where the one before does not end with a verified answer:
///   1. block principal pivoting (fast; needs the pivot blocks to be positive definite),
///   2. Lemke with lexicographic ratio test (singular and degenerate M; a ray proves infeasibility),
///   3. proximal points p ← solution of LCP(M + σI, q − σp) (each one definite), for what round-off leaves of 1 and 2.
/// An answer is accepted by its residual only. M should have a unit diagonal and q entries of order one: the callers
/// normalise contacts, so tolerances here are relative to max|q|.
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

class LcpSolver {
 public:
  /// A solution is accepted when its residual is below this part of max|q|.
  static constexpr double kResidual = 1e-10;

  /// Solves for p (size m, written). M is m×m, row-major.
  LcpStatus solve(const double* m_matrix, const double* q, int m, double* p);

  /// max over i of |min(p_i, (M p + q)_i)|, the natural residual of the last answer.
  [[nodiscard]] double residual() const { return residual_; }

 private:
  bool block_pivoting(const double* m_matrix, const double* q, int m, double* p);
  bool lemke(const double* m_matrix, const double* q, int m, double* p);
  bool proximal(const double* m_matrix, const double* q, int m, double* p);
  bool solve_on(const double* m_matrix, const double* q, int m, double* p);
  double natural_residual(const double* m_matrix, const double* q, int m, const double* p) const;
  bool proves_infeasible(const double* m_matrix, const double* q, int m, const double* u) const;

  double residual_ = 0.0;
  bool infeasible_ = false;
  std::vector<char> in_set_;
  std::vector<int> set_;
  std::vector<double> block_;
  std::vector<double> inverse_diagonal_;
  std::vector<double> rhs_;
  std::vector<double> shifted_matrix_;
  std::vector<double> shifted_q_;
  std::vector<double> trial_;
  Lemke lemke_;
};

/// Chooses one among several solutions of an LCP with singular M: the one of least Σ weight_i p_i².
/// All solutions share M p, so the choice does not move the velocities of the law that asked.
class LeastImpulse {
 public:
  enum class Uniqueness { unique, not_unique };

  /// Replaces the solution p of LCP(M, q) by the least one and says whether p was the only one. Where the choice
  /// cannot be verified p is left as it is.
  Uniqueness choose(const double* m_matrix, const double* q, int m, const double* weight, double* p);

 private:
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
