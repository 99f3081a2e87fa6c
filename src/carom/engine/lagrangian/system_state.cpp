#include "carom/engine/lagrangian/system_state.h"

namespace carom::lagrangian {

double total_energy(const LagrangianDynamics& dynamics, const LagrangianState& state) {
  return dynamics.kinetic_energy(state.q, state.v) + dynamics.system().potential(state.q);
}

double put_on_constraints(LagrangianDynamics& dynamics, std::span<const ContactIndex> held, LagrangianState& state) {
  const double before = total_energy(dynamics, state);
  dynamics.project(state.q, state.v, held);
  return before - total_energy(dynamics, state);
}

void report(const ContactEvent& event, EventDraft& draft, RunLog& log) {
  if (!log.observed() || event.contacts.empty()) return;
  draft.begin(event.kind, event.time);
  for (const ContactIndex contact : event.contacts) draft.add_contact(kNone, int{contact});
  draft.report(log);
}

}  // namespace carom::lagrangian
