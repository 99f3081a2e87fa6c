#pragma once
/// The equations of a cone problem once the modes of its contacts are supposed, and Newton's method on them.
///
/// Contacts are scaled to a unit normal inertance, so that all entries are of order one. A contact is *closed* (u_n =
/// 0) or at its least impulse (p = p₀); tangentially it has one of the forms below. Each form gives as many equations
/// as the contact has rows, so that the system is square; it may be singular (redundant contacts), and then corrections
/// of least norm are taken. Modes may be fixed, or chosen anew at each step from the natural map (Alart & Curnier).

#include <cmath>
#include <span>
#include <vector>

#include "carom/numerics/cone_data.h"
#include "carom/numerics/ranked_system.h"

namespace carom {

/// What a contact is supposed to do.
struct ConeState {
  enum class Tangential : char {
    none,   ///< π = 0
    stick,  ///< u_t = 0
    slip,   ///< π = μp·rim, `rim` the unit direction of π; in space it follows from q and u
    given,  ///< π = −μpê
    limit,  ///< no slip, large μ: p = 0, u_n = 0, π against u_t
  };
  bool closed = false;
  Tangential tangential = Tangential::none;
  double rim[2] = {0.0, 0.0};
};

/// |x| of the tangential part of a contact, which has `count` entries.
inline double tangential_length(const double* x, int count) {
  return count == 2 ? std::hypot(x[0], x[1]) : count == 1 ? std::abs(x[0]) : 0.0;
}

/// |q − P(q − u)| of one contact with normal inertance a and tangential inertance c, in units of u.
double contact_residual(const ConeContact& contact, double a, double c, const double* q, const double* u);

class ConeSystem {
 public:
  void prepare(const ConeData& problem);

  [[nodiscard]] int rows() const { return rows_; }
  [[nodiscard]] int contacts() const { return static_cast<int>(blocks_.size()); }
  [[nodiscard]] const ConeContact& contact(int i) const { return blocks_[i].contact; }
  [[nodiscard]] int first_row(int i) const { return blocks_[i].first; }
  [[nodiscard]] double tangential_inertance(int i) const { return blocks_[i].inertance; }
  [[nodiscard]] const double* matrix() const { return matrix_.data(); }
  [[nodiscard]] const double* offset() const { return offset_.data(); }
  [[nodiscard]] double scale() const { return scale_; }
  /// Where q is not unique, the one of least Σ (weight·|q|)² is meant.
  [[nodiscard]] double choice_weight(int i) const { return weight_[blocks_[i].first]; }
  [[nodiscard]] std::span<ConeState> states() { return {states_.data(), blocks_.size()}; }

  /// Gives the contacts that do not slip this coefficient for the time being; kNoSlip restores them.
  void replace_no_slip(double friction);
  [[nodiscard]] bool has_no_slip() const { return has_no_slip_; }

  /// u = S q + b
  void velocities(const double* q, double* u) const;
  [[nodiscard]] double residual(const double* q, const double* u) const;

  /// From the units of the problem to those of the system and back.
  void scale_impulses(const double* q, double* scaled) const;
  void restore_impulses(const double* scaled, double* q) const;

  /// One pass over the contacts, each answering the others as they stand (projected Gauss–Seidel).
  void sweep(double* q) const;
  /// The modes that the natural map suggests.
  void identify(const double* q, const double* u);
  /// Of the contacts that do not slip, those that carry friction without pressure.
  void recognise_limits(const double* q);

  /// Newton's method from q; leaves the best q with its u. Returns whether it is a solution.
  bool newton(double* q, double* u, int limit, bool keep_states);

  /// Moves q, a solution to round-off, into the cones: p ≥ p₀, |π| ≤ μp, nothing at contacts that are open.
  void round_into_cones(double* q) const;

  /// Among the q that satisfy the equations of the present states and whose contacts stay in their cones, the one of
  /// least Σ|q|²/K. Writes it where it is a solution and returns true; otherwise leaves q and u. Says in `result`
  /// whether others satisfy the equations, and have another u.
  bool choose_least(double* q, double* u, ConeResult& result);

 private:
  struct Block {
    ConeContact contact;
    int first;
    double unit;       // factor from the problem's rows to the system's
    double inertance;  // the largest eigenvalue of the tangential block
    bool no_slip;      // whatever stands for its friction at present
  };

  void linearise(const double* q, const double* u);
  void orthonormal_null_space();
  void judge_uniqueness(ConeResult& result);
  void project_on_equations(double* x);
  void project_on_cones(double* x) const;

  int rows_ = 0;
  double scale_ = 0.0;
  bool has_no_slip_ = false;
  std::vector<Block> blocks_;
  std::vector<ConeState> states_;
  std::vector<double> matrix_, offset_;
  std::vector<double> jacobian_, defect_, step_, best_, null_, weight_;
  std::vector<double> particular_, correction_, trial_;
  RankedSystem equations_;
};

}  // namespace carom
