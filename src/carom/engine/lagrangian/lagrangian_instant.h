#pragma once
/// What happens at one instant: impacts until nothing approaches any more, then which contacts persist from there on.
///
/// All closed contacts form one impact problem for the chosen law, but for those that the law does not take
/// (laws/impact/impact_law.h). A law that leaves something approaching is asked again. What then bounces too low to be
/// told from rest, or does not move apart at all, persists where its force pushes.

#include <map>

#include "carom/engine/lagrangian/system_state.h"
#include "carom/laws/impact/impact_solver.h"

namespace carom::lagrangian {

/// How far an instant has come. Kept where the limit of events cuts it short.
struct InstantProgress {
  ContactList closed;
  int round = 0;
  double speed = 0.0;  ///< the greatest √(2T) of the instant: what is left when everything rests is round-off of it
  std::map<ContactIndex, LagrangianDynamics::Slip> slides_before{};  ///< of held contacts when it began
};

/// Memory that is kept from instant to instant.
struct InstantScratch {
  ImpactSolver solver;
  ImpactProblem problem;
  ImpactOutcome outcome;
  EventDraft draft;
};

/// What an instant works with.
struct InstantTools {
  LagrangianDynamics& dynamics;
  const LagrangianOptions& options;
  RunLog& log;
  InstantScratch& scratch;
};

/// For one instant; everything it refers to outlives it.
class LagrangianInstant {
 public:
  LagrangianInstant(const InstantTools& tools, SystemState& state, InstantProgress& progress);

  /// Which contacts are closed, for the progress of a new instant.
  static ContactList closed_contacts(LagrangianDynamics& dynamics, const SystemState& state, double closed_gap);

  /// Resolves and settles. False: the limit of events was reached before, or the mathematics failed; the log says
  /// which.
  bool handle();

 private:
  // --- impacts ---
  /// Gap rates of all contacts and what they are compared with; whether a closed contact approaches.
  void measure_rates();
  [[nodiscard]] bool approaches(ContactIndex contact) const;
  bool something_approaches();
  bool resolve();
  /// Fills selected_ and the problem; returns the law that it is for.
  const ImpactLaw& gather_problem();
  void report_impact();

  // --- rest ---
  /// Decides which contacts persist from here on, and sets them on their constraints.
  bool settle();
  /// Fills persisting_, pull_ and rest_rate_; false where the accelerations could not be found.
  bool choose_candidates();
  /// Slip that is there goes on, against friction; contacts without may stick, slide or open.
  void set_slips();
  /// What the contacts in persisting_ do from here on, by the answer. Returns whether one at its limit had to be told.
  bool begin_slips();
  bool drop_opening();
  bool set_down();
  void hold_persisting();
  void put_on(std::span<const ContactIndex> held);

  bool fail(std::string reason);

  LagrangianDynamics& dynamics_;
  const LagrangianSystem& system_;
  const LagrangianOptions& options_;
  RunLog& log_;
  InstantScratch& scratch_;
  SystemState& state_;
  InstantProgress& progress_;
  ContactList selected_;    // for the impact
  ContactList persisting_;  // from here on
  // Of all contacts: gap rates, −g̈, √(N G⁻¹ Nᵀ), and the rates below which they rest.
  Vector rates_, pull_, lengths_, rest_rate_;
};

}  // namespace carom::lagrangian
