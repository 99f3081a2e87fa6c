#pragma once
/// Accelerations and forces of a system that rests, slides or rolls on contacts: complementarity for accelerations.
///
/// Given at one instant, with gaps and gap rates of all contacts zero:
///   G  (n×n)           metric,             f (n)  generalised force: G v̇ = f + Aᵀκ + Nᵀλ + Tᵀτ
///   A  (k×n), a (k)    bilateral rows:     A v̇ + a = 0
///   N  (m×n), b (m)    contacts:           0 ≤ λ_i ⟂ N_i v̇ + b_i ≥ 0          (presses, or opens)
///   T  (t×n), c (t)    tangent rows, none, one or two of a contact: the rate of its slip is u̇_i = T_i v̇ + c_i
///   slip u_i ≠ 0, direction ê:  τ_i = −μ_k λ_i ê
///   u_i = 0:                    u̇_i = 0 with |τ_i| ≤ μ_s λ_i (stick), or τ_i = −μ_k λ_i u̇_i/|u̇_i| (slip begins)
/// The biases are d/dt(row)·v, less the acceleration of a driven wall. A contact without a limit of friction (μ = ∞)
/// sticks as long as it does not open.
///
/// Method: with G = L Lᵀ, u = Lᵀv and rows y = L⁻¹rowᵀ of unit length the metric disappears, and A is eliminated by a
/// rank-revealing factorisation (dependent rows are normal: a rolling body on a plane it also touches). Without
/// tangents the rest is an LCP in the normal forces (numerics/lcp.h). With them it is one problem of cones over all
/// contacts (numerics/cone_problem.h, accepted by its residual), with μ_s at first; contacts that slip in its answer
/// have μ_k from then on, and it is solved again. Their number only grows: it ends after m rounds at the latest. Where
/// all contacts without limit can stick together, with forces that are unique and push, that is the answer at once.
///
/// Where the forces are not unique (a block on four corners) those of least Σλ² within the cones are returned. With
/// sliding contacts v̇ need not be unique either (acceleration_unique()). Mathematics that does not work out is a
/// status. Allocates only where a problem is larger than any before. docs/theory/sustained-friction.md

#include <span>
#include <vector>

#include "carom/numerics/cone_problem.h"
#include "carom/numerics/lcp.h"
#include "carom/numerics/row_space.h"

namespace carom {

/// Friction of one contact.
struct ContactFriction {
  double static_friction = kNoSlip;   ///< μ_s
  double kinetic_friction = kNoSlip;  ///< μ_k
  bool slides = false;                ///< it slips already,
  double direction[2] = {0.0, 0.0};   ///< along ê, unit, in its tangent rows
  bool lets_go = false;               ///< its force has reached μ_s λ: it may not stick any more but with μ_k
};

/// The input; matrices are row-major and belong to the caller.
struct AccelerationProblem {
  int n = 0;
  const double* metric = nullptr;           ///< G; the lower triangle is read
  const double* diagonal_metric = nullptr;  ///< instead: the n entries of a diagonal G
  const double* force = nullptr;            ///< f
  int constraints = 0;                      ///< k
  const double* constraint_rows = nullptr;
  const double* constraint_bias = nullptr;
  /// What the forces of bilateral rows push along, C: G v̇ = f + Cᵀκ. Null: the rows themselves. Of a sliding contact
  /// that stays closed n − μ_k ê·T. Only without one-sided contacts.
  const double* constraint_columns = nullptr;
  int contacts = 0;  ///< m
  const double* normal_rows = nullptr;
  const double* normal_bias = nullptr;
  int tangents = 0;  ///< t
  const double* tangent_rows = nullptr;
  const double* tangent_bias = nullptr;
  const int* tangent_contact = nullptr;       ///< the contact that row j belongs to, 0 … m − 1, ascending
  const ContactFriction* friction = nullptr;  ///< of each contact; null: no limit
};

enum class AccelerationStatus {
  solved,
  metric_not_positive_definite,
  inconsistent,  ///< bilateral and sticking rows contradict each other; least-squares acceleration
  infeasible,    ///< no forces λ ≥ 0 keep all contacts from closing
  undecided,     ///< a contact without limit can neither stick (it would pull) nor open; the answer is that it slides
  failed,        ///< the LCP was not solved to its tolerance, or the input is not finite
};

class ContactDynamics {
 public:
  /// Gap accelerations below this part of the largest acceleration at hand are zero: neither opening nor closing.
  static constexpr double kZero = 1e-10;

  /// Solves for all the outputs below; they stay valid until the next call.
  AccelerationStatus solve(const AccelerationProblem& problem);

  /// v̇, λ, τ and μ.
  [[nodiscard]] std::span<const double> acceleration() const { return {acceleration_.data(), size(n_)}; }
  [[nodiscard]] std::span<const double> normal_force() const { return {normal_force_.data(), size(m_)}; }
  [[nodiscard]] std::span<const double> tangential_force() const { return {tangential_force_.data(), size(t_)}; }
  [[nodiscard]] std::span<const double> constraint_force() const { return {constraint_force_.data(), size(k_)}; }
  /// N v̇ + b: positive where the contact opens.
  [[nodiscard]] std::span<const double> gap_acceleration() const { return {gap_acceleration_.data(), size(m_)}; }
  /// The contact carries a force that is more than round-off.
  [[nodiscard]] bool presses(int contact) const { return presses_[size(contact)] != 0; }
  /// The contact moves apart: N v̇ + b > 0 by more than round-off.
  [[nodiscard]] bool opens(int contact) const { return opens_[size(contact)] != 0; }
  /// The contact has tangents, does not open and does not stick.
  [[nodiscard]] bool slides(int contact) const {
    return rough_[size(contact)] && !sticks_[size(contact)] && !opens(contact);
  }
  /// u̇ = T v̇ + c, row by row.
  [[nodiscard]] double slip_acceleration(int tangent) const;
  /// False where other normal forces would do as well and move the system otherwise.
  [[nodiscard]] bool acceleration_unique() const { return acceleration_unique_; }
  /// The largest acceleration at hand, √energy per time: what forces in kinetic measure are compared with.
  [[nodiscard]] double scale() const { return scale_; }
  /// √(A_i G⁻¹ A_iᵀ): times μ_i it is the force in kinetic measure.
  [[nodiscard]] double constraint_length(int constraint) const { return length_[size(constraint)]; }
  /// Whether bilateral and sticking rows are independent, so that their forces are the only ones.
  [[nodiscard]] bool rows_independent() const { return row_space_.rank() == row_space_.count(); }

 private:
  static std::size_t size(int count) { return static_cast<std::size_t>(count); }
  bool read(const AccelerationProblem& problem);
  bool read_metric(const AccelerationProblem& problem);
  void whiten(double* row) const;  ///< L⁻¹ row
  /// The rows with those of the contacts that stick now; returns whether they are consistent.
  bool eliminate(const AccelerationProblem& problem);
  AccelerationStatus solve_normals();
  /// All contacts without limit stick: true where that is the answer.
  bool all_stick(const AccelerationProblem& problem, AccelerationStatus& status);
  AccelerationStatus solve_cones(const AccelerationProblem& problem);
  /// The cones' matrix and offsets over the movable contacts.
  void build_cones(const AccelerationProblem& problem);
  AccelerationStatus solve_smooth(const AccelerationProblem& problem);
  AccelerationStatus solve_columns(const AccelerationProblem& problem);
  void take_cone_forces();
  void finish_acceleration();
  void distribute();
  void least_forces();
  [[nodiscard]] double scaled_gap_acceleration(int contact) const;

  int n_ = 0, m_ = 0, k_ = 0, t_ = 0;
  int bilateral_count_ = 0;  // rows of A and sticking rows, in bilateral_
  int movable_count_ = 0;    // contacts whose normal the bilateral rows do not fix
  bool not_unique_ = false;
  bool acceleration_unique_ = true;
  bool undecided_ = false;
  bool diagonal_metric_ = false;
  double scale_ = 0.0;  // the largest acceleration at hand, in whitened coordinates
  std::vector<double> factor_, inverse_diagonal_;
  std::vector<double> free_, pinned_, whitened_;  // u̇ without contacts; with bilateral rows; the answer
  // Whitened unit rows of A, N and T, their lengths before, and biases divided by these.
  std::vector<double> row_, length_, bias_;
  std::vector<double> bilateral_, bilateral_bias_;
  std::vector<int> bilateral_row_, movable_;
  std::vector<double> projected_, projected_length_, matrix_, q_, p_, weight_, work_, multiplier_;
  std::vector<char> rough_, sticks_, presses_, opens_;
  std::vector<double> acceleration_, normal_force_, tangential_force_, constraint_force_, gap_acceleration_;
  RowSpace row_space_;
  LcpSolver lcp_;
  LeastImpulse least_impulse_;
  // Cones: rows (normal, tangents contact by contact) over the movable contacts, their numbers, and the answers.
  ConeSolver cones_;
  std::vector<ConeContact> cone_;
  std::vector<ConeMode> cone_mode_;
  std::vector<double> cone_row_, cone_unit_, cone_matrix_, cone_offset_, cone_force_, cone_rate_;
  std::vector<int> cone_source_;  // of each row: k + i, or k + m + j
};

}  // namespace carom
