#pragma once
/// An impact problem in the coordinates in which all laws look alike.
///
/// With G = L Lᵀ the velocity becomes u = Lᵀ v, so that T = ½|u|² and the metric disappears. A contact row becomes the
/// vector y = L⁻¹ nᵀ, less its part in the span of the persistent constraints; then D_ij = nᵢ W nⱼᵀ = yᵢ·yⱼ is the
/// inertance (Delassus) matrix. Dividing by √D_ii leaves unit vectors ŷᵢ with
///   ρ_ij = ŷᵢ·ŷⱼ      cosine of the kinetic angle between two contacts (ρ_ii = 1)
///   γ̂ᵢ = γᵢ/√D_ii     normalised gap rate, in units of √energy
///   p̂ᵢ = pᵢ√D_ii      normalised impulse; u changes by p̂ᵢ ŷᵢ, γ̂ by ρ p̂
/// No law depends on how a row was scaled or which coordinates were used, because it only sees these.
///
/// Contacts whose normal the constraints fix (D_ii ≤ 1e-14 nᵢG⁻¹nᵢᵀ, the floor under a rolling ball) take no part: they
/// are not *movable*. Movable contacts are numbered 0…movable()−1 in input order; contact(r) is the input index.
///
/// Speeds are divided by a power of two where they are so large or small that squares would leave the range of double;
/// all laws are homogeneous in speed, so nothing is lost.

#include <span>
#include <vector>

#include "carom/mechanics/impact_problem.h"
#include "carom/numerics/row_space.h"
#include "carom/numerics/sparse_rows.h"

namespace carom {

class ContactSpace {
 public:
  /// Reads and checks the problem. Throws InputError (all of validate(), metric-not-positive-definite,
  /// constraint-violated, out-of-range where the energy or an inertance leaves the range of double).
  /// Allocates only where the problem is larger than any before.
  void prepare(const ImpactProblem& problem);

  [[nodiscard]] int dof() const { return n_; }
  [[nodiscard]] int movable() const { return movable_; }
  [[nodiscard]] int contact(int r) const { return contact_[r]; }
  /// ρ, movable×movable, row-major.
  [[nodiscard]] const double* cosines() const { return cosines_.data(); }
  [[nodiscard]] const double* cosine_row(int r) const {
    return cosines_.data() + static_cast<std::ptrdiff_t>(r) * movable_;
  }
  /// ŷ_r, n entries.
  [[nodiscard]] const double* unit_row(int r) const { return rows_.data() + static_cast<std::ptrdiff_t>(r) * n_; }
  /// γ̂⁻ in units of speed_unit().
  [[nodiscard]] std::span<const double> rate_before() const {
    return {rate_.data(), static_cast<std::size_t>(movable_)};
  }
  [[nodiscard]] std::span<const double> restitution() const {
    return {restitution_.data(), static_cast<std::size_t>(movable_)};
  }
  /// Relative stiffness Kᵢ as given.
  [[nodiscard]] std::span<const double> stiffness() const {
    return {stiffness_.data(), static_cast<std::size_t>(movable_)};
  }
  /// √D_ii.
  [[nodiscard]] double root_inertance(int r) const { return root_inertance_[r]; }

  /// The speed that tolerances refer to: ‖v⁻‖_G, and where walls move also the fastest ŵ, in units of speed_unit().
  [[nodiscard]] double reference_speed() const { return reference_speed_; }
  [[nodiscard]] double speed_unit() const { return speed_unit_; }
  /// v⁻ in units of speed_unit().
  [[nodiscard]] const double* velocity() const { return velocity_.data(); }

  /// y = L⁻¹ rowᵀ, without and with the persistent constraints projected out.
  void whiten(const double* row, double* y) const;
  /// The same for a row of a contact.
  void whiten(const Contact& contact, const double* row, double* y) const;
  /// A contact's row times a vector, both of n entries.
  [[nodiscard]] double product(const Contact& contact, const double* row, const double* vector) const;
  void remove_constrained(double* y) const { constraints_.remove_component(y); }
  /// v + L⁻ᵀ change, written to `velocity_after`.
  void move(const double* change, double* velocity_after) const;

  /// Impulses of the persistent constraints (in units of speed_unit()) that answer a push of the contacts whose
  /// unprojected whitened sum is `push`: of least Σλ² where rows of A are dependent.
  void constraint_impulses(const double* push, double* lambda);
  [[nodiscard]] int constraints() const { return constraints_.count(); }
  [[nodiscard]] bool constraints_independent() const { return constraints_.rank() == constraints_.count(); }
  [[nodiscard]] bool constraint_rank_doubtful() const { return constraints_.doubtful(); }
  [[nodiscard]] double constraint_norm(int k) const { return constraint_norm_[k]; }

 private:
  void choose_speed_unit(const ImpactProblem& problem);
  void factorise_metric(const ImpactProblem& problem);
  void read_constraints(const ImpactProblem& problem);
  void read_contacts(const ImpactProblem& problem);
  void take_least_impulses(double* lambda);

  int n_ = 0;
  int movable_ = 0;
  double speed_unit_ = 1.0;
  double reference_speed_ = 0.0;
  bool diagonal_metric_ = false;                   // L is diagonal too
  std::vector<double> factor_, inverse_diagonal_;  // L (n×n), 1/L_ii
  std::vector<double> velocity_, whitened_;        // v⁻, u⁻
  std::vector<double> constraint_rows_, constraint_norm_;
  RowSpace constraints_;  // span of L⁻¹aᵀ, rows normalised
  RowSpace idle_;         // impulses of dependent rows that do nothing together
  std::vector<double> idle_rows_;
  SparseRows sparse_;
  std::vector<int> contact_;
  std::vector<double> rows_, cosines_, rate_, restitution_, stiffness_, root_inertance_;
  std::vector<double> work_;
};

}  // namespace carom
