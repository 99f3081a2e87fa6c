#pragma once
/// One contact with Coulomb friction, followed along its growing impulse (Routh; Darboux and Keller).
///
/// The impulse p is the clock: dγ = a dp + b·dπ, ds = b dp + C dπ, with
///   slip   dπ = −μ(s/|s|)dp
///   stick  s = 0, dπ = −C⁻¹b dp, possible iff |C⁻¹b| ≤ μ; it lasts to the end, since the ratio does not change.
/// Slip that has died and cannot stick starts again along d, the unit vector with b − μCd = λd, λ > 0. A contact that
/// does not slip is the limit of large μ: slip is killed by friction alone before p grows.
/// The impact ends by one of three rules, from the end of compression (γ = 0):
///   energetic (Stronge)  the work given back is e² of the work stored
///   kinetic (Poisson)    the impulse given back is e of the impulse of compression
///   kinematic (Newton)   γ = −eγ⁻; with friction it can create energy
/// In the plane, and where the direction of slip does not turn, the path is made of straight pieces with a closed form;
/// else the hodograph of slip is followed by a Taylor series in the clock dτ = dp/|s|, in which it is smooth up to
/// s = 0: s' = |s|b − μCs. The compression may return in expansion (only in space): the stored work then grows again.
/// Sources: Routh 1905; Keller 1986; Stronge 1990. docs/theory/friction-at-impacts.md

#include <array>
#include <span>
#include <vector>

#include "carom/mechanics/impact_outcome.h"
#include "carom/numerics/cone_problem.h"

namespace carom {

enum class RestitutionRule : char { energetic, kinetic, kinematic };

/// What is given, in any units in which γ and s agree.
struct SingleContactData {
  int tangents = 1;           ///< 1 or 2
  double inertance = 1.0;     ///< a
  double coupling[2] = {};    ///< b
  double tangential[3] = {};  ///< C: c₁₁, c₁₂, c₂₂
  double friction = 0.0;      ///< μ, or kNoSlip
  double restitution = 1.0;
  double rate = 0.0;    ///< γ⁻ < 0
  double slip[2] = {};  ///< s⁻
  double speed = 0.0;   ///< what counts as fast
};

class SingleContact {
 public:
  /// Follows the contact to its end.
  void follow(const SingleContactData& data, RestitutionRule rule);

  [[nodiscard]] double impulse() const { return p_; }
  [[nodiscard]] double tangential_impulse(int k) const { return pi_[k]; }
  /// ∫ f·s dt ≤ 0.
  [[nodiscard]] double friction_work() const { return friction_work_; }
  /// The modes in order; those that carry less than 1e-9 of the impulse are left out.
  [[nodiscard]] std::span<const FrictionMode> phases() const { return {phases_.data(), phase_count_}; }
  [[nodiscard]] FrictionMode mode_at_the_end() const { return mode_; }
  [[nodiscard]] Stop stop() const { return stop_; }

 private:
  /// A straight piece: rates of change with the clock.
  struct Piece {
    double p, pi[2], rate, slip[2];
    bool sticks;
  };
  enum class End { slip_died, turned, finished, nothing };

  void start(const SingleContactData& data, RestitutionRule rule);
  [[nodiscard]] bool slips() const { return s_[0] != 0.0 || s_[1] != 0.0; }
  [[nodiscard]] double slip_speed() const;
  [[nodiscard]] Piece sliding_piece(double direction_x, double direction_y) const;
  [[nodiscard]] Piece sticking_piece() const;
  [[nodiscard]] bool can_stick() const;
  [[nodiscard]] bool direction_is_kept() const;
  void onset_direction(double* direction) const;
  End follow_piece(const Piece& piece);
  [[nodiscard]] Piece onset_piece(bool& exists);
  End follow_onset(const Piece& piece);
  End follow_hodograph();
  /// Whether a contact that does not slip loses its slip before it has come to the end of its compression: all at once.
  bool ends_slip_by_friction();
  void remove_residual_slip();
  void turn();
  void begin_phase(FrictionMode mode);
  void note_phase(FrictionMode mode, double carried);
  void drop_small_phases();
  [[nodiscard]] FrictionMode slip_mode() const;

  SingleContactData data_;
  RestitutionRule rule_ = RestitutionRule::energetic;
  bool compressing_ = true;
  bool limit_ = false;  // slip of a contact that does not slip: the clock is |π|, p stands still
  double p_ = 0.0;
  double pi_[2] = {};
  double rate_ = 0.0;
  double s_[2] = {};
  double stored_ = 0.0;  // work of compression not yet given back (energetic), or the impulse to give back (kinetic)
  double friction_work_ = 0.0;
  FrictionMode mode_ = FrictionMode::open;
  Stop stop_ = Stop::separated;

  static constexpr std::size_t kMostPhases = 16;
  std::array<FrictionMode, kMostPhases> phases_{};
  std::array<double, kMostPhases> carried_{};
  std::size_t phase_count_ = 0;
};

}  // namespace carom
