#pragma once
/// Impacts: the cluster of closed contacts becomes one problem, the law answers, velocities jump; again where the law
/// has left something approaching. The rounds of an instant are in impacts.cpp, what answers a problem in
/// impact_answers.cpp, the jump of velocities in impact_jumps.cpp.

#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

#include "carom/engine/event/impact_building.h"
#include "carom/engine/event/settling.h"
#include "carom/engine/event_draft.h"
#include "carom/laws/impact/impact_solver.h"

namespace carom::event {

class Impacts {
 public:
  /// `max_rounds`: of one instant before the run fails.
  Impacts(const ImpactLaw& law, const ImpactOptions& options, const Settling& settling, int max_rounds)
      : law_(&law), max_rounds_(max_rounds), builder_(options), settling_(settling) {}

  /// Gathers the cluster around the seeds and resolves it until nothing approaches any more.
  void resolve(const Instant& at, const Bodies& seeds);

  /// Sliding contacts whose friction drives them together, so that no force keeps them closed (Painlevé): the limit of
  /// stiff springs from an approach of zero, by the law `compliant` with an approach that is small beside the slip.
  /// Returns whether impulses act.
  bool jump_without_collision(World& world, const std::vector<ContactPoint>& contacts, double approach, RunLog& log);

  /// Whether the two took part in an impact of the present instant; whether any did.
  [[nodiscard]] bool struck(const ContactPoint& contact) const;
  [[nodiscard]] bool struck(const AtImpact& impact) const;
  [[nodiscard]] bool struck_any() const { return !struck_pairs_.empty(); }
  /// Nothing has been struck yet.
  void begin_instant() {
    struck_pairs_.clear();
    struck_places_.clear();
    again_ = false;
  }
  /// The law of impacts with rough contacts.
  [[nodiscard]] const ImpactLaw& rough_law() const { return law_for_rough_contacts(*law_); }
  [[nodiscard]] int max_rounds() const { return max_rounds_; }
  [[nodiscard]] const Settling& settling() const { return settling_; }

  /// From here on the first impact is not resolved but kept as a problem, and stops the run.
  void capture_first() { capture_ = true; }
  [[nodiscard]] const std::optional<ImpactProblem>& captured() const { return captured_; }

  /// What a run goes on from, into an archive or back (event_checkpoint.cpp).
  void transfer(Archive& archive);

 private:
  /// The contacts of the cluster that the chosen law is given, and the law that answers: another one where a rough
  /// contact is alone.
  const ImpactLaw& select(const Instant& at);
  /// Returns whether there was something to resolve, and it was.
  bool resolve_round(const Instant& at, int round);
  [[nodiscard]] bool gets_nowhere(const Instant& at, int round);
  /// What is left after many rounds, at once; `loses`: none of the contacts is elastic.
  bool end_rounds(const Instant& at, int round, bool loses);
  /// The slow impact of a pressed cluster, without rebound.
  bool resolve_settling(const Instant& at, int round);
  void note_struck(const ContactPoint& contact);
  void select(const Instant& at, TakesContacts takes);
  [[nodiscard]] double slow(const Instant& at, const ContactPoint& contact) const;
  [[nodiscard]] static SlipRows slip_rows(const ImpactLaw& law);
  void capture(World& world, const ClosedContacts& closed);
  void resolve_single(World& world, const ContactPoint& contact, int round, RunLog& log);
  bool resolve_problem(World& world, const ImpactLaw& law, int round, RunLog& log);
  bool solve_problem(World& world, const ImpactLaw& law, int round, RunLog& log, Flags more);
  bool answered_by(std::initializer_list<const ImpactLaw*> laws);
  bool answered_without_slip(const ImpactLaw& law);
  void answer(const ImpactLaw& law, Flags& remarks);
  [[nodiscard]] bool is_finished(const ImpactLaw& law) const;
  [[nodiscard]] bool is_accounted_for() const;
  [[nodiscard]] bool creates_much() const;
  [[nodiscard]] double approach_left() const;
  void report(World& world, int round, RunLog& log);
  void begin_event(World& world, const Bodies& bodies, int round, const RunLog& log);

  const ImpactLaw* law_;
  int max_rounds_;
  ImpactBuilder builder_;
  Settling settling_;
  ImpactSolver solver_;
  ImpactOutcome outcome_;
  EventDraft draft_;
  std::vector<ContactPoint> selected_;  ///< that the law is given
  Bodies two_;                          ///< of an impact with one contact
  std::vector<std::pair<ObjectIndex, ObjectIndex>> struck_pairs_;
  std::vector<ContactPoint> struck_places_;  ///< of the present instant
  bool again_ = false;                       ///< one of them has approached again
  double fastest_left_ = 0.0;                ///< approach when the last round of laws began
  double fastest_at_first_ = 0.0;            ///< the same of the first round
  double approach_left_ = 0.0;               ///< that the last answer was allowed to leave
  bool capture_ = false;
  std::optional<ImpactProblem> captured_;
};

/// Nothing of the approach comes back.
void take_rebound(Contact& contact);

/// Whether none of the contacts has full restitution.
[[nodiscard]] bool all_lose(const std::vector<ContactPoint>& contacts);

/// Adds a contact to an event: where it is, and which limit it is where it is one.
ContactRecord& add_contact(EventDraft& draft, const ContactPoint& contact, const World& world);

/// Energies of an impact whose contacts did `work` and whose driven obstacles did `wall`.
ImpactEnergy energy_of_impact(double before, double after, double work, double wall);

}  // namespace carom::event
