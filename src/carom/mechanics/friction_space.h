#pragma once
/// The contacts of an impact problem with their tangents, in the coordinates of contact_space.h.
///
/// Every movable contact has its normal row ŷ, and the rows of its tangents where it resists slip (friction > 0 or
/// rough). A tangent row is whitened and freed of the persistent constraints like a normal, and divided by the √D_ii of
/// *its contact's normal*. In these units
///   ŝ = s/√D_ii,  π̂ = π√D_ii,  so that |π| ≤ μp reads |π̂| ≤ μp̂ and slip and gap rate have one unit;
///   û = (γ̂, ŝ) changes by S q̂ with S = Ŷ Ŷᵀ, and the whitened velocity by Ŷᵀ q̂.
/// Rows stand contact by contact, the normal first. A tangent that the constraints fix is a row of zeros.
///
/// Prepared only where some contact resists slip: a problem without friction takes the same path as one without
/// tangents, to the bit.

#include <span>
#include <vector>

#include "carom/mechanics/contact_space.h"
#include "carom/numerics/sparse_rows.h"

namespace carom {

class FrictionSpace {
 public:
  /// Reads the tangents of the movable contacts of `space`, which was prepared for the same problem. Throws InputError
  /// (size-mismatch) where a contact that resists slip has more than two tangents, (out-of-range) where an inertance
  /// leaves the range of double. Allocates only where the problem is larger than any before.
  void prepare(const ImpactProblem& problem, const ContactSpace& space);
  void clear() { rows_ = 0; }

  /// Whether a movable contact resists slip; all else is undefined otherwise.
  [[nodiscard]] bool active() const { return rows_ > 0; }
  /// N, normals and tangents.
  [[nodiscard]] int rows() const { return rows_; }
  /// The row of the normal of movable contact r; its tangents follow.
  [[nodiscard]] int first_row(int r) const { return first_row_[r]; }
  /// How many tangents movable contact r has here: 0, 1 or 2.
  [[nodiscard]] int tangents(int r) const { return first_row_[r + 1] - first_row_[r] - 1; }
  /// Row k, n entries.
  [[nodiscard]] const double* row(int k) const { return units_.data() + static_cast<std::ptrdiff_t>(k) * n_; }
  /// S, rows()×rows(), row-major.
  [[nodiscard]] const double* matrix() const { return matrix_.data(); }
  /// û⁻ in units of the contact space's speed_unit().
  [[nodiscard]] std::span<const double> rate_before() const { return {rate_.data(), static_cast<std::size_t>(rows_)}; }
  /// μ of movable contact r; infinite where it does not slip.
  [[nodiscard]] double friction(int r) const { return friction_[r]; }
  /// e_t of movable contact r: where the contact has none of its own, e if it does not slip, else 0.
  [[nodiscard]] double tangential_restitution(int r) const { return tangential_restitution_[r]; }
  /// Where the impulse of row k, a tangent, stands among all tangent rows of the problem.
  [[nodiscard]] int problem_row(int k) const { return problem_row_[k]; }
  /// The largest magnitude of û⁻ and of the reference speed: what counts as large here.
  [[nodiscard]] double reference_speed() const { return reference_speed_; }

 private:
  int n_ = 0;
  int rows_ = 0;
  double reference_speed_ = 0.0;
  std::vector<int> first_row_, problem_row_;
  SparseRows sparse_;
  std::vector<double> units_, matrix_, rate_, friction_, tangential_restitution_;
};

}  // namespace carom
