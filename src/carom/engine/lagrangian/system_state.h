#pragma once
/// What of a user's system changes with time, beside the scratch of the parts that change it.

#include "carom/engine/event_draft.h"
#include "carom/engine/lagrangian/lagrangian_dynamics.h"
#include "carom/engine/lagrangian/lagrangian_engine.h"

namespace carom::lagrangian {

/// Contacts whose bounces became too low to be told from rest: `rest` is reported when their series would have ended.
struct PendingRest {
  double time = 0.0;
  ContactList contacts;
};

/// At the last instant, or at the start of the step that is under way.
struct SystemState : LagrangianState {
  double work = 0.0;                 ///< of forces without potential, since the start
  double friction = 0.0;             ///< dissipated by friction of contacts that last, since the start
  ContactList held{};                ///< persistent contacts, ascending
  std::vector<PendingRest> rests{};  ///< to be reported, ascending in time
};

/// Kinetic and potential energy.
double total_energy(const LagrangianDynamics& dynamics, const LagrangianState& state);

/// Sets the state on its constraints and on the contacts `held`. Returns the energy that this took.
double put_on_constraints(LagrangianDynamics& dynamics, std::span<const ContactIndex> held, LagrangianState& state);

/// Reports an event that has contacts and nothing else; none where there are no contacts.
struct ContactEvent {
  EventKind kind;
  double time;
  std::span<const ContactIndex> contacts;
};
void report(const ContactEvent& event, EventDraft& draft, RunLog& log);

}  // namespace carom::lagrangian
