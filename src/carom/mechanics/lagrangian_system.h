#pragma once
/// The interface by which a C++ user brings a system of his own: anything with a metric, forces, constraints and gaps.
///
///   q (nq coordinates), v (nv speeds),   q̇ = K(q) v            (default q̇ = v)
///   G(q) v̇ = f(t, q, v) + Aᵀμ + Nᵀλ + Tᵀτ
///   A(q) v = 0                           persistent constraints, holonomic or not
///   g_i(q) ≥ 0,  ġ_i = N_i(q) v          gaps; T_i(q) v is the slip of a rough contact
/// f contains everything but the constraint and contact forces: gravity, springs, dampers, drives, and the gyroscopic
/// or Coriolis terms, −C(q, v) v. Gaps and constraints do not depend on time.
///
/// The functions are called often and must not depend on anything that changes during a run. The vectors and matrices
/// handed over to be filled have the right size and are zero. docs/own-system.md shows a whole system.

#include <optional>

#include "carom/mechanics/impact_problem.h"
#include "carom/mechanics/model.h"
#include "carom/numerics/cone_problem.h"

namespace carom {

class LagrangianSystem {
 public:
  LagrangianSystem() = default;
  LagrangianSystem(const LagrangianSystem&) = delete;
  LagrangianSystem& operator=(const LagrangianSystem&) = delete;
  virtual ~LagrangianSystem() = default;

  // --- Motion. Obligatory: the number of coordinates, the metric and the force. ---

  [[nodiscard]] virtual int coordinate_count() const = 0;
  [[nodiscard]] virtual int speed_count() const { return coordinate_count(); }
  /// q̇ = K(q) v, linear in v.
  virtual void coordinate_rates(const Vector& q, const Vector& v, Vector& rates) const;
  /// G, symmetric positive definite: T = ½ vᵀG v.
  virtual void metric(const Vector& q, Matrix& G) const = 0;
  virtual void force(double time, const Vector& q, const Vector& v, Vector& f) const = 0;

  // --- Energy, for the balance of the run. ---

  /// Potential energy of the forces that have one.
  [[nodiscard]] virtual double potential(const Vector& q) const;
  /// Power of the forces in f that have none: negative for a damper, positive for a motor. Gyroscopic terms have none.
  [[nodiscard]] virtual double power(double time, const Vector& q, const Vector& v) const;

  // --- Persistent constraints. ---

  [[nodiscard]] virtual int constraint_count() const { return 0; }
  virtual void constraint_rows(const Vector& q, Matrix& A) const;
  /// Ȧ v. Default: by the sixth-order difference of A(q(t)) v, good to about 1e-13 of |A||v|²/size.
  virtual void constraint_bias(const Vector& q, const Vector& v, Vector& bias) const;
  /// The functions whose rates the rows are, zero where satisfied; written into `values`. Returns false where there are
  /// none (rolling): drift can then be taken from the speeds only.
  virtual bool constraint_values(const Vector& q, Vector& values) const;

  // --- Contacts. ---

  [[nodiscard]] virtual int contact_count() const { return 0; }
  virtual void gaps(const Vector& q, Vector& g) const;
  /// Row i: ġ_i = N_i v.
  virtual void gap_rows(const Vector& q, Matrix& N) const;
  /// Ṅ v. Default as for the constraints.
  virtual void gap_bias(const Vector& q, const Vector& v, Vector& bias) const;
  /// e ∈ [0, 1].
  [[nodiscard]] virtual double restitution(int contact) const;
  /// Rows of slip of a contact, one or two: none where it is smooth. A contact that has some sticks while it presses,
  /// up to the limit that `friction` sets.
  [[nodiscard]] virtual int tangent_count(int contact) const;
  /// μ_s and μ_k of a contact with rows of slip. Default: kNoSlip, it is rough.
  [[nodiscard]] virtual Coulomb friction(int contact) const;
  virtual void tangent_rows(const Vector& q, int contact, Matrix& T) const;
  /// A bound on |g̈_i| along the motion from (time, q, v) during the next `duration`, as long as nothing hits. With
  /// bounds on all contacts none can be missed between steps (`bounded`), without the gaps are sampled.
  [[nodiscard]] virtual std::optional<double> gap_acceleration_bound(int contact, double time, const Vector& q,
                                                                     const Vector& v, double duration) const;

  /// A length (angle, …) that counts as large among the coordinates and gaps: tolerances are relative to it.
  [[nodiscard]] virtual double size() const { return 1.0; }
};

/// What a function of rows(q) is multiplied with to give d/dt(rows)·v at fixed v, along q̇ = K v: the sixth-order
/// central difference. `rows(q, out)` writes rows·v; used by the defaults above and free for users.
template <class Rows>
void difference_bias(const LagrangianSystem& system, const Vector& q, const Vector& v, const Rows& rows, Vector& bias) {
  Vector rates = Vector::Zero(q.size());
  system.coordinate_rates(q, v, rates);
  const double fastest = rates.size() == 0 ? 0.0 : rates.cwiseAbs().maxCoeff();
  bias.setZero();
  if (!(fastest > 0.0)) return;
  // Truncation (δ/size)⁶/140 against round-off ε size/δ: both about 1e-14 here.
  const double delta = 5e-3 * system.size() / fastest;
  constexpr double kWeights[3] = {45.0 / 60.0, -9.0 / 60.0, 1.0 / 60.0};
  Vector forward = Vector::Zero(bias.size());
  Vector backward = Vector::Zero(bias.size());
  for (int k = 0; k < 3; ++k) {
    rows(Vector(q + (k + 1) * delta * rates), forward);
    rows(Vector(q - (k + 1) * delta * rates), backward);
    bias += kWeights[k] / delta * (forward - backward);
  }
}

}  // namespace carom
