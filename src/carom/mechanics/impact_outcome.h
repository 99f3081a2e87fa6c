#pragma once
/// What an impact law answers: velocities, impulses, why it stopped, and the audit that every law must pass.
/// docs/theory/audit.md

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace carom {

/// Why a law stopped.
enum class Stop {
  separated,          ///< the law has done its work (an audit flag tells if it left something approaching)
  at_rest,            ///< an iteration came to rest on the approaching contacts
  step_limit,         ///< max_steps reached
  no_exit_direction,  ///< the contacts leave no velocity to go out with
  infeasible,         ///< the law's conditions contradict each other
  wedged,  ///< contacts at rest hold each other by friction: the velocity is determined, the impulses are not
};
inline constexpr Stop kLastStop = Stop::wedged;

std::string_view stop_name(Stop stop);

/// Whether the mathematics finished: separated, at rest or wedged.
constexpr bool finished(Stop stop) {
  return stop == Stop::separated || stop == Stop::at_rest || stop == Stop::wedged;
}

/// Remarks of the audit. Names and meanings: flag_name(), flag_meaning().
enum class Flag : std::uint32_t {
  energy_created = 1u << 0,
  still_approaching = 1u << 1,
  negative_impulse = 1u << 2,
  order_dependent = 1u << 3,
  roundoff_dependent = 1u << 4,
  parallel_contacts_merged = 1u << 5,
  contact_fixed_by_constraint = 1u << 6,
  support_would_open = 1u << 7,
  impulses_not_unique = 1u << 8,
  rank_ambiguous = 1u << 9,
  energy_condition_violated = 1u << 10,
  outcome_not_unique = 1u << 11,
  wedged = 1u << 12,
  tangent_rows_not_orthogonal = 1u << 13,
  painleve_jam = 1u << 14,
  impact_without_collision = 1u << 15,
  painleve_inconsistent = 1u << 16,
  painleve_indeterminate = 1u << 17,
  acceleration_not_unique = 1u << 18,
  closed_by_impulses = 1u << 19,
  settled = 1u << 20,
  joint_forces_not_unique = 1u << 21,
};

std::span<const Flag> all_flags();
std::string_view flag_name(Flag flag);
/// One sentence for a person.
std::string_view flag_meaning(Flag flag);

/// A set of flags.
class Flags {
 public:
  void set(Flag flag) { bits_ |= static_cast<std::uint32_t>(flag); }
  [[nodiscard]] bool has(Flag flag) const { return (bits_ & static_cast<std::uint32_t>(flag)) != 0; }
  [[nodiscard]] bool empty() const { return bits_ == 0; }
  void clear() { bits_ = 0; }
  [[nodiscard]] std::uint32_t bits() const { return bits_; }

 private:
  std::uint32_t bits_ = 0;
};

/// What a contact does tangentially. Names: friction_mode_name().
enum class FrictionMode : std::uint8_t {
  none,           ///< smooth: slip meets no resistance
  open,           ///< carries no impulse
  stick,          ///< no slip
  slip,           ///< slides in a plane of two tangents
  slip_positive,  ///< slides along its one tangent row
  slip_negative,  ///< slides against it
};
inline constexpr FrictionMode kLastFrictionMode = FrictionMode::slip_negative;

/// In plain ASCII: none, open, stick, slip, slip+, slip-.
std::string_view friction_mode_name(FrictionMode mode);

/// A contact came into a mode. The phases of one contact, in order, are the history of its friction.
struct FrictionPhase {
  int contact = 0;  ///< in input order
  FrictionMode mode = FrictionMode::none;

  bool operator==(const FrictionPhase&) const = default;
};

/// Energy of one impact. ΔT by two independent formulas that must agree:
/// from the velocities, ½(v⁺−v⁻)ᵀG(v⁺+v⁻), and from the impulses, Σ pᵢ(½(γᵢ⁺+γᵢ⁻) − wᵢ), tangents likewise.
struct ImpactEnergy {
  double before = 0.0;
  double after = 0.0;
  double change = 0.0;                ///< from the velocities
  double change_from_impulses = 0.0;  ///< from the impulses
  double contact_work = 0.0;          ///< Σ ½pᵢ(γᵢ⁺+γᵢ⁻): what a law may not make positive
  double wall_work = 0.0;             ///< −Σ pᵢwᵢ: done by moving walls
};

struct Audit {
  double min_impulse = 0.0;                        ///< negative: the law pulled
  double min_gap_rate_after = 0.0;                 ///< negative: still approaching
  double constraint_residual = 0.0;                ///< max |A v⁺|
  std::optional<double> complementarity_residual;  ///< of the law's LCPs, in speed; none for laws without
  std::vector<double> constraint_impulses;         ///< one per persistent row; least norm where rows are dependent
  std::vector<double> restitution;                 ///< e that the law was given for each contact
  std::vector<std::optional<double>> observed_restitution;  ///< −γ⁺/γ⁻ of the contacts that approached
  std::vector<std::optional<double>> kinetic_cosines;       ///< m×m; none for contacts fixed by constraints
  std::optional<double> order_spread;     ///< audit full: change of v⁺ with contact order, relative to ‖v⁻‖_G
  std::optional<double> roundoff_spread;  ///< audit full: change of v⁺ with inputs moved by a few ulp, likewise
  Flags flags;
};

struct ImpactOutcome {
  std::string_view law;                         ///< registry name
  std::vector<double> velocity;                 ///< v⁺
  std::vector<double> impulses;                 ///< normal impulse of each contact, in input order
  std::vector<double> tangential_impulses;      ///< of all tangent rows, contact by contact; empty if no law used them
  std::vector<double> rate_before, rate_after;  ///< γ⁻, γ⁺ of each contact
  std::vector<double> slip_before, slip_after;  ///< s⁻, s⁺ of all tangent rows, contact by contact
  std::vector<FrictionMode> modes;              ///< of each contact at the end; empty if no contact resisted slip
  std::vector<FrictionPhase> phases;            ///< in the order in which they began; empty likewise
  std::vector<double> friction_work;            ///< ∫f·s dt of each contact, path laws only; empty otherwise
  double reference_speed = 0.0;  ///< that tolerances refer to: ‖v⁻‖_G, or the fastest wall [√energy]
  long steps = 0;
  Stop stop = Stop::separated;
  ImpactEnergy energy;
  Audit audit;
  std::vector<ImpactOutcome> outcomes;  ///< all that were found where there are several (this one first), else empty
};

/// How many of these impulses are more than round-off of the largest: the contacts that took part.
std::size_t pressed_count(std::span<const double> impulses);

}  // namespace carom
