#include "output/outcome_json.h"

#include <algorithm>
#include <cmath>

#include "problem_input.h"

namespace carom::app {
namespace {

Json energy_json(const ImpactEnergy& energy) {
  return {{"before", json_number(energy.before)},
          {"after", json_number(energy.after)},
          {"change", json_number(energy.change)},
          {"change_from_impulses", json_number(energy.change_from_impulses)},
          {"contact_work", json_number(energy.contact_work)},
          {"wall_work", json_number(energy.wall_work)}};
}

/// Angles between contacts in the kinetic metric [rad], from their cosines; null for contacts that cannot move.
Json angles_json(std::span<const std::optional<double>> cosines, std::size_t contacts) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < contacts; ++i) {
    Json row = Json::array();
    for (std::size_t j = 0; j < contacts; ++j) {
      const std::optional<double> cosine = cosines[i * contacts + j];
      row.push_back(cosine ? json_number(std::acos(std::clamp(*cosine, -1.0, 1.0))) : Json());
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

Json audit_json(const Audit& audit, std::size_t contacts) {
  return {{"min_impulse", json_number(audit.min_impulse)},
          {"min_gap_rate_after", json_number(audit.min_gap_rate_after)},
          {"constraint_residual", json_number(audit.constraint_residual)},
          {"complementarity_residual", json_number(audit.complementarity_residual)},
          {"constraint_impulses", json_numbers(std::span<const double>(audit.constraint_impulses))},
          {"restitution", json_numbers(std::span<const double>(audit.restitution))},
          {"observed_restitution", json_numbers(std::span<const std::optional<double>>(audit.observed_restitution))},
          {"kinetic_angles", angles_json(audit.kinetic_cosines, contacts)},
          {"order_spread", json_number(audit.order_spread)},
          {"roundoff_spread", json_number(audit.roundoff_spread)},
          {"flags", flags_json(audit.flags)}};
}

/// Values of all tangent rows, one list per contact; empty for contacts without tangents.
Json tangential_json(const ImpactProblem& problem, std::span<const double> rest) {
  Json contacts = Json::array();
  for (const Contact& contact : problem.contacts) {
    const auto count = static_cast<std::size_t>(contact.tangents.rows());
    contacts.push_back(json_numbers(rest.first(count)));
    rest = rest.subspan(count);
  }
  return contacts;
}

Json phases_json(const ImpactOutcome& outcome) {
  Json contacts = Json::array();
  for (int i = 0; i < static_cast<int>(outcome.modes.size()); ++i) {
    Json phases = Json::array();
    for (const FrictionPhase& phase : outcome.phases)
      if (phase.contact == i) phases.push_back(friction_mode_name(phase.mode));
    contacts.push_back(std::move(phases));
  }
  return contacts;
}

void add_friction(const ImpactProblem& problem, const ImpactOutcome& outcome, Json& result) {
  if (!outcome.tangential_impulses.empty())
    result["tangential_impulses"] = tangential_json(problem, outcome.tangential_impulses);
  if (!outcome.slip_before.empty())
    result["slip"] = {{"before", tangential_json(problem, outcome.slip_before)},
                      {"after", tangential_json(problem, outcome.slip_after)}};
  if (!outcome.modes.empty()) {
    Json modes = Json::array();
    for (const FrictionMode mode : outcome.modes) modes.push_back(friction_mode_name(mode));
    result["modes"] = std::move(modes);
    result["phases"] = phases_json(outcome);
  }
  if (!outcome.friction_work.empty())
    result["friction_work"] = json_numbers(std::span<const double>(outcome.friction_work));
}

}  // namespace

Json flags_json(const Flags& flags) {
  Json names = Json::array();
  for (const Flag flag : all_flags()) {
    if (flags.has(flag)) names.push_back(flag_name(flag));
  }
  return names;
}

Json outcome_json(const ImpactProblem& problem, const ImpactLaw& law, const ImpactOutcome& outcome) {
  Json result = {{"law", law.name},
                 {"velocity", json_numbers(std::span<const double>(outcome.velocity))},
                 {"impulses", json_numbers(std::span<const double>(outcome.impulses))}};
  add_friction(problem, outcome, result);
  result["steps"] = outcome.steps;
  result["stop"] = stop_name(outcome.stop);
  result["gap_rates"] = {{"before", json_numbers(std::span<const double>(outcome.rate_before))},
                         {"after", json_numbers(std::span<const double>(outcome.rate_after))}};
  result["energy"] = energy_json(outcome.energy);
  result["audit"] = audit_json(outcome.audit, problem.contacts.size());
  result["unused_options"] = unused_options(problem, law);
  if (!outcome.outcomes.empty()) {
    Json all = Json::array();
    for (const ImpactOutcome& one : outcome.outcomes) all.push_back(outcome_json(problem, law, one));
    result["outcomes"] = std::move(all);
  }
  return result;
}

}  // namespace carom::app
