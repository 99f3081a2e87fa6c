#pragma once
/// A user's system (mechanics/lagrangian_system.h) as the engine sees it: slopes of its state, accelerations with and
/// without one-sided contacts, energies, and the way back onto its constraints. Owns the scratch memory.

#include <array>
#include <span>
#include <vector>

#include "carom/base/archive.h"
#include "carom/engine/lagrangian/contact_index.h"
#include "carom/mechanics/contact_dynamics.h"
#include "carom/mechanics/lagrangian_system.h"

namespace carom::lagrangian {

/// Whether the accelerations were found; a rough contact that can neither stick nor open slides.
inline bool has_answer(AccelerationStatus status) {
  return status == AccelerationStatus::solved || status == AccelerationStatus::undecided;
}

class LagrangianDynamics {
 public:
  explicit LagrangianDynamics(const LagrangianSystem& system);

  [[nodiscard]] int coordinates() const { return nq_; }
  [[nodiscard]] int speeds() const { return nv_; }
  [[nodiscard]] int constraints() const { return k_; }
  [[nodiscard]] int contacts() const { return m_; }
  [[nodiscard]] IndexRange<ContactIndex> contact_indices() const { return tangents_of_.indices(); }
  [[nodiscard]] const LagrangianSystem& system() const { return system_; }
  [[nodiscard]] bool rough(ContactIndex contact) const { return tangents_of_[contact] > 0; }

  /// What a contact does tangentially.
  struct Slip {
    bool slides = false;       ///< held without its rows of slip, against friction where it has a limit;
    bool lets_go = false;      ///< its friction has reached its limit
    double direction[2] = {};  ///< of the slip, unit, in its rows
    bool ended = false;        ///< the slip has just come to its end: what is left of it is round-off
  };
  void set_slip(ContactIndex contact, const Slip& slip) { slip_[contact] = slip; }
  [[nodiscard]] const Slip& slip(ContactIndex contact) const { return slip_[contact]; }
  [[nodiscard]] bool has_limit(ContactIndex contact) const {
    return rough(contact) && friction_[contact].static_friction != kNoSlip;
  }
  [[nodiscard]] const Coulomb& friction(ContactIndex contact) const { return friction_[contact]; }
  /// T v of a contact with rows of slip; the second entry is zero where it has one row.
  std::array<double, 2> slip_rate(const Vector& q, const Vector& v, ContactIndex contact);
  /// How many rows of slip.
  [[nodiscard]] int tangents(ContactIndex contact) const { return tangents_of_[contact]; }
  /// Power that friction takes, of the last answer with held contacts.
  [[nodiscard]] double friction_power() const { return friction_power_; }

  /// Accelerations where the contacts in `held` are bilateral (they neither open nor close, rough ones stick) and those
  /// in `touching` one-sided. The answers are in answer(); held contact j is its constraint constraints() + j.
  AccelerationStatus accelerate(double time, const Vector& q, const Vector& v, std::span<const ContactIndex> held,
                                std::span<const ContactIndex> touching);
  [[nodiscard]] const ContactDynamics& answer() const { return dynamics_; }
  /// g̈ of every contact under the acceleration of the last answer, at the same q and v.
  const Vector& gap_accelerations(const Vector& q, const Vector& v);
  /// q̇ = K v.
  const Vector& coordinate_rates(const Vector& q, const Vector& v);

  const Vector& gaps(const Vector& q);
  const Vector& gap_rates(const Vector& q, const Vector& v);
  /// Row i belongs to contact i, as of the last gap_rates().
  [[nodiscard]] const Matrix& gap_rows() const { return gap_rows_; }
  /// T = ½ vᵀG v.
  [[nodiscard]] double kinetic_energy(const Vector& q, const Vector& v) const;
  /// √(N_i G⁻¹ N_iᵀ) of every contact: |γ_i| is at most this times √(2T).
  const Vector& row_lengths(const Vector& q);

  /// G, A and the tangent rows of a contact at q, for an impact problem.
  void metric(const Vector& q, Matrix& G) const;
  void constraint_rows(const Vector& q, Matrix& A) const;
  void tangent_rows(const Vector& q, ContactIndex contact, Matrix& T) const;

  /// How far the held contacts and constraints are violated: the largest |value|/size, and the largest |rate| over
  /// √(2T) and row length.
  struct Drift {
    double position = 0.0;
    double rate = 0.0;
  };
  Drift drift(const Vector& q, const Vector& v, std::span<const ContactIndex> held);
  /// Moves q and v back onto them by the shortest way in the kinetic metric.
  void project(Vector& q, Vector& v, std::span<const ContactIndex> held);

  /// What contacts do tangentially, into an archive or back (system_checkpoint.cpp); all else is scratch.
  void transfer(Archive& archive);

 private:
  [[nodiscard]] bool sticks(ContactIndex contact) const { return rough(contact) && !slip_[contact].slides; }
  [[nodiscard]] bool slides_against_friction(ContactIndex contact) const {
    return has_limit(contact) && slip_[contact].slides && friction_[contact].kinetic_friction > 0.0;
  }
  /// ê at this state.
  std::array<double, 2> direction(const Vector& q, const Vector& v, ContactIndex contact);
  bool friction_columns(const Vector& q, const Vector& v, std::span<const ContactIndex> held);
  void bilateral_rows(const Vector& q, std::span<const ContactIndex> held);
  void bilateral_bias(const Vector& q, const Vector& v, std::span<const ContactIndex> held);
  void tangent_bias(const Vector& q, const Vector& v, ContactIndex contact, Vector& bias);
  /// Values of the holonomic rows among the bilateral ones (others zero), and which those are.
  void bilateral_values(const Vector& q, std::span<const ContactIndex> held);
  void whiten_bilateral(const Vector& q);

  const LagrangianSystem& system_;
  int nq_, nv_, k_, m_;
  Indexed<ContactIndex, int> tangents_of_;
  Indexed<ContactIndex, Slip> slip_;
  Indexed<ContactIndex, Coulomb> friction_;
  std::vector<ContactFriction> contact_friction_;
  Matrix columns_;
  double friction_power_ = 0.0;
  ContactDynamics dynamics_;
  RowSpace row_space_;
  Vector force_, rates_, gaps_, gap_rates_, gap_accelerations_, gap_bias_, lengths_, values_;
  Matrix metric_, factor_, constraint_rows_, gap_rows_, bilateral_, normals_, tangents_;
  Vector inverse_diagonal_, constraint_bias_, bilateral_bias_, normal_bias_, tangent_bias_, whitened_;
  std::vector<int> tangent_contact_;
  std::vector<char> holonomic_;
  Matrix one_tangent_;
  Vector one_bias_;
};

}  // namespace carom::lagrangian
