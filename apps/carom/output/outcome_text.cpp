#include "output/outcome_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/base/utf8.h"
#include "carom/laws/impact/registry.h"
#include "common/text_table.h"

namespace carom::app {
namespace {

double largest(std::span<const double> values) {
  double result = 0.0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

/// The largest velocity component before or after.
double largest_velocity(const ImpactProblem& problem, std::span<const ImpactOutcome> outcomes) {
  double result = problem.velocity.size() > 0 ? problem.velocity.cwiseAbs().maxCoeff() : 0.0;
  for (const ImpactOutcome& outcome : outcomes) result = std::max(result, largest(outcome.velocity));
  return result;
}

double largest_rate(const ImpactOutcome& outcome) {
  return std::max(largest(outcome.rate_before), largest(outcome.rate_after));
}

std::string stop_in_words(const ImpactOutcome& outcome) {
  switch (outcome.stop) {
    case Stop::separated:
      if (outcome.steps == 0) return "nothing approached, so nothing was to be done";
      if (outcome.audit.flags.has(Flag::still_approaching)) return "the law is done, though a contact still approaches";
      return "nothing approaches any more";
    case Stop::at_rest: return "came to rest on the approaching contacts";
    case Stop::step_limit: return "the law did not finish within max_steps";
    case Stop::no_exit_direction: return "the contacts leave no velocity to go out with";
    case Stop::infeasible: return "the law's conditions contradict each other";
    case Stop::wedged: return "contacts at rest hold each other by friction";
  }
  return "";
}

std::string contact_label(const Contact& contact, std::size_t index) {
  return contact.name.empty() ? fmt::format("#{}", index) : printable(contact.name, kLongestName);
}

/// What a velocity is: the body and component where that is known, its number otherwise.
std::string coordinate_label(const ImpactProblem& problem, std::size_t index) {
  if (index < problem.coordinates.size()) return printable(problem.coordinates[index], kLongestName + 4);
  return std::to_string(index);
}

/// Numbers stand on the right, names on the left.
Align coordinate_align(const ImpactProblem& problem) {
  return problem.coordinates.empty() ? Align::right : Align::left;
}

std::string velocity_section(const ImpactProblem& problem, const ImpactOutcome& outcome) {
  TextTable table({{"velocity", coordinate_align(problem)}, {"before"}, {"after"}});
  const double scale = largest_velocity(problem, {&outcome, 1});
  for (std::size_t i = 0; i < outcome.velocity.size(); ++i) {
    table.add_row({coordinate_label(problem, i), cell(problem.velocity[i]), rounded_cell(outcome.velocity[i], scale)});
  }
  return table.text();
}

/// Values of the tangent rows of every contact, as cells.
std::vector<std::string> tangential_cells(const ImpactProblem& problem, std::span<const double> values) {
  std::vector<std::string> cells;
  std::size_t row = 0;
  const double scale = largest(values);
  for (const Contact& contact : problem.contacts) {
    std::string text;
    for (Eigen::Index t = 0; t < contact.tangents.rows(); ++t) {
      if (!text.empty()) text += "  ";
      text += rounded_cell(values[row++], scale);
    }
    cells.push_back(text.empty() ? "–" : text);
  }
  return cells;
}

std::string contact_section(const ImpactProblem& problem, const ImpactOutcome& outcome) {
  const bool rough = !outcome.tangential_impulses.empty();
  std::vector<Column> columns{
      {"contact", Align::left}, {"gap rate before"}, {"after"}, {"impulse"}, {"restitution observed"}};
  if (rough) columns.push_back({"tangential impulses"});
  TextTable table(std::move(columns));
  const std::vector<std::string> tangential = rough ? tangential_cells(problem, outcome.tangential_impulses)
                                                    : std::vector<std::string>(problem.contacts.size());
  const double rates = largest_rate(outcome);
  const double impulses = largest(outcome.impulses);
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    std::vector<std::string> row{contact_label(problem.contacts[i], i), rounded_cell(outcome.rate_before[i], rates),
                                 rounded_cell(outcome.rate_after[i], rates),
                                 rounded_cell(outcome.impulses[i], impulses),
                                 cell(outcome.audit.observed_restitution[i])};
    if (rough) row.push_back(tangential[i]);
    table.add_row(std::move(row));
  }
  return table.text();
}

/// "slip+, stick": what the contact did, in order.
std::string phase_cell(const ImpactOutcome& outcome, std::size_t contact) {
  std::string text;
  for (const FrictionPhase& phase : outcome.phases) {
    if (static_cast<std::size_t>(phase.contact) != contact) continue;
    if (!text.empty()) text += ", ";
    text += friction_mode_name(phase.mode);
  }
  return text.empty() ? "–" : text;
}

std::string friction_section(const ImpactProblem& problem, const ImpactOutcome& outcome) {
  if (outcome.modes.empty()) return "";
  const bool works = !outcome.friction_work.empty();
  std::vector<Column> columns{
      {"friction", Align::left}, {"slip before"}, {"after"}, {"at the end", Align::left}, {"phases", Align::left}};
  if (works) columns.push_back({"work"});
  TextTable table(std::move(columns));
  const std::vector<std::string> before = tangential_cells(problem, outcome.slip_before);
  const std::vector<std::string> after = tangential_cells(problem, outcome.slip_after);
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    std::vector<std::string> row{contact_label(problem.contacts[i], i), before[i], after[i],
                                 std::string(friction_mode_name(outcome.modes[i])), phase_cell(outcome, i)};
    if (works) row.push_back(rounded_cell(outcome.friction_work[i], outcome.energy.before));
    table.add_row(std::move(row));
  }
  return "\n" + table.text();
}

std::string energy_section(const ImpactEnergy& energy) {
  std::string text =
      fmt::format("{} before, {} after, change {} ({} from the impulses)", cell(energy.before), cell(energy.after),
                  rounded_cell(energy.change, energy.before), rounded_cell(energy.change_from_impulses, energy.before));
  if (energy.wall_work != 0.0) {
    text += fmt::format("; of it {} work of the moving walls and {} of the contacts", cell(energy.wall_work),
                        cell(energy.contact_work));
  }
  return labelled("energy", text);
}

std::string constraint_section(const Audit& audit) {
  if (audit.constraint_impulses.empty()) return "";
  std::string text = "impulses";
  for (const double impulse : audit.constraint_impulses) text += " " + cell(impulse);
  return labelled("constraints", text + fmt::format("; residual |A v| {}", cell(audit.constraint_residual)));
}

std::string spread_section(const Audit& audit) {
  if (!audit.order_spread) return "";
  return labelled("spread", fmt::format("{} by contact order, {} by round-off (of the speed before)",
                                        cell(audit.order_spread), cell(audit.roundoff_spread)));
}

std::string angle_section(const ImpactProblem& problem, const Audit& audit) {
  const std::size_t count = problem.contacts.size();
  std::vector<Column> columns{{"kinetic angles, deg", Align::left}};
  for (std::size_t i = 0; i < count; ++i) columns.push_back({contact_label(problem.contacts[i], i)});
  TextTable table(std::move(columns));
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<std::string> row{contact_label(problem.contacts[i], i)};
    for (std::size_t j = 0; j < count; ++j) {
      std::optional<double> angle = audit.kinetic_cosines[i * count + j];
      if (angle) angle = std::acos(std::clamp(*angle, -1.0, 1.0)) * 180.0 / std::numbers::pi;
      row.push_back(cell(angle));
    }
    table.add_row(std::move(row));
  }
  return table.text();
}

std::string flag_section(const Flags& flags) {
  if (flags.empty()) return labelled("audit", "nothing to remark");
  std::string text;
  for (const Flag flag : all_flags()) {
    if (!flags.has(flag)) continue;
    text += labelled(text.empty() ? "audit" : "", fmt::format("{}: {}", flag_name(flag), flag_meaning(flag)));
  }
  return text;
}

std::string names_of(const Flags& flags) {
  std::string names;
  for (const Flag flag : all_flags()) {
    if (!flags.has(flag)) continue;
    if (!names.empty()) names += "\n";
    names += flag_name(flag);
  }
  return names;
}

/// The velocities with one row per law.
TextTable velocities_by_law(const ImpactProblem& problem, std::span<const ImpactOutcome> outcomes) {
  const double scale = largest_velocity(problem, outcomes);
  std::vector<Column> columns{{"velocity", Align::left}};
  std::vector<std::string> before{"(before)"};
  for (Eigen::Index i = 0; i < problem.velocity.size(); ++i) {
    columns.push_back({coordinate_label(problem, static_cast<std::size_t>(i))});
    before.push_back(cell(problem.velocity[i]));
  }
  TextTable table(std::move(columns));
  table.add_row(std::move(before));
  for (const ImpactOutcome& outcome : outcomes) {
    std::vector<std::string> row{std::string(outcome.law)};
    for (const double component : outcome.velocity) row.push_back(rounded_cell(component, scale));
    table.add_row(std::move(row));
  }
  return table;
}

/// The velocities with one column per law, for many coordinates.
TextTable velocities_by_coordinate(const ImpactProblem& problem, std::span<const ImpactOutcome> outcomes) {
  const double scale = largest_velocity(problem, outcomes);
  std::vector<Column> columns{{"velocity", coordinate_align(problem)}, {"(before)"}};
  for (const ImpactOutcome& outcome : outcomes) columns.push_back({std::string(outcome.law)});
  TextTable table(std::move(columns));
  for (std::size_t i = 0; i < static_cast<std::size_t>(problem.velocity.size()); ++i) {
    std::vector<std::string> row{coordinate_label(problem, i), cell(problem.velocity[i])};
    for (const ImpactOutcome& outcome : outcomes) row.push_back(rounded_cell(outcome.velocity[i], scale));
    table.add_row(std::move(row));
  }
  return table;
}

/// What the law of that name does with tangents; the row of the compliant engine has its own friction.
std::string_view tangents_taken(std::string_view name) {
  for (const ImpactLaw* law : impact_laws()) {
    if (law->name != name) continue;
    return law->needs.friction ? "Coulomb" : law->needs.tangents ? "no slip" : "none";
  }
  return "its own";
}

/// One row per law; `merged` puts stop and flags into one column, to save width.
TextTable audits_by_law(std::span<const ImpactOutcome> outcomes, bool merged) {
  const bool full = std::any_of(outcomes.begin(), outcomes.end(),
                                [](const ImpactOutcome& outcome) { return outcome.audit.order_spread.has_value(); });
  const bool tangents = std::any_of(outcomes.begin(), outcomes.end(),
                                    [](const ImpactOutcome& outcome) { return !outcome.slip_before.empty(); });
  const int digits = full ? 3 : 5;
  std::vector<Column> columns{
      {"audit", Align::left}, {"energy\nchange"}, {"least\nimpulse"}, {"least gap\nrate after"}};
  if (full) columns.insert(columns.end(), {{"order\nspread"}, {"round-off\nspread"}});
  if (tangents) columns.push_back({"friction", Align::left});
  if (!merged) columns.push_back({"stop", Align::left});
  columns.push_back({merged ? "stop\nand flags" : "flags", Align::left});
  TextTable table(std::move(columns));
  for (const ImpactOutcome& outcome : outcomes) {
    const Audit& audit = outcome.audit;
    std::vector<std::string> row{std::string(outcome.law),
                                 rounded_cell(outcome.energy.change, outcome.energy.before, digits),
                                 rounded_cell(audit.min_impulse, largest(outcome.impulses), digits),
                                 rounded_cell(audit.min_gap_rate_after, largest_rate(outcome), digits)};
    if (full) row.insert(row.end(), {cell(audit.order_spread, digits), cell(audit.roundoff_spread, digits)});
    if (tangents) row.emplace_back(tangents_taken(outcome.law));
    const std::string stop(stop_name(outcome.stop));
    const std::string flags = names_of(audit.flags);
    row.push_back(stop);
    if (!merged) {
      row.push_back(flags.empty() ? "–" : flags);
    } else if (!flags.empty()) {
      row.back().append("\n").append(flags);
    }
    table.add_row(std::move(row));
  }
  return table;
}

}  // namespace

std::string outcome_text(const ImpactProblem& problem, const ImpactLaw& law, const ImpactOutcome& outcome) {
  std::string text = labelled("law", fmt::format("{}: {}", law.name, law.summary));
  text += labelled("stop", fmt::format("{} after {}: {}", stop_name(outcome.stop), counted(outcome.steps, "step"),
                                       stop_in_words(outcome)));
  text += energy_section(outcome.energy);
  text += constraint_section(outcome.audit);
  text += spread_section(outcome.audit);
  text += flag_section(outcome.audit.flags);
  text += "\n" + velocity_section(problem, outcome);
  if (!problem.contacts.empty()) text += "\n" + contact_section(problem, outcome);
  text += friction_section(problem, outcome);
  if (outcome.audit.order_spread && problem.contacts.size() > 1) text += "\n" + angle_section(problem, outcome.audit);
  return text;
}

std::string outcomes_text(const ImpactProblem& problem, const ImpactLaw& law, std::span<const ImpactOutcome> outcomes) {
  std::string text = labelled("law", fmt::format("{}: {}", law.name, law.summary));
  text += labelled("outcomes", std::to_string(outcomes.size())) + "\n";
  const double scale = largest_velocity(problem, outcomes);
  double impulses = 0.0;
  std::vector<Column> columns{{"", Align::left}, {"before"}};
  for (std::size_t k = 0; k < outcomes.size(); ++k) {
    columns.push_back({fmt::format("#{}", k + 1)});
    impulses = std::max(impulses, largest(outcomes[k].impulses));
  }
  TextTable table(std::move(columns));
  const auto add_row = [&](std::string label, std::string before, const auto& value) {
    std::vector<std::string> row{std::move(label), std::move(before)};
    for (const ImpactOutcome& outcome : outcomes) row.push_back(value(outcome));
    table.add_row(std::move(row));
  };
  for (std::size_t i = 0; i < static_cast<std::size_t>(problem.velocity.size()); ++i)
    add_row(fmt::format("velocity {}", i), cell(problem.velocity[static_cast<Eigen::Index>(i)]),
            [&](const ImpactOutcome& outcome) { return rounded_cell(outcome.velocity[i], scale); });
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const std::string label = contact_label(problem.contacts[i], i);
    add_row("impulse " + label, "",
            [&](const ImpactOutcome& outcome) { return rounded_cell(outcome.impulses[i], impulses); });
    add_row("mode " + label, "", [&](const ImpactOutcome& outcome) {
      return outcome.modes.empty() ? std::string("–") : std::string(friction_mode_name(outcome.modes[i]));
    });
  }
  add_row("energy", cell(outcomes.front().energy.before),
          [&](const ImpactOutcome& outcome) { return rounded_cell(outcome.energy.after, outcome.energy.before); });
  add_row("flags", "", [&](const ImpactOutcome& outcome) {
    const std::string flags = names_of(outcome.audit.flags);
    return flags.empty() ? std::string("–") : flags;
  });
  return text + table.text();
}

std::string comparison_text(const ImpactProblem& problem, std::span<const ImpactOutcome> outcomes) {
  const TextTable by_law = velocities_by_law(problem, outcomes);
  std::string text =
      by_law.width() <= kTerminalWidth ? by_law.text() : velocities_by_coordinate(problem, outcomes).text();
  const double energy = outcomes.empty() ? 0.0 : outcomes.front().energy.before;
  const TextTable audits = audits_by_law(outcomes, false);
  text += "\n" + (audits.width() <= kTerminalWidth ? audits : audits_by_law(outcomes, true)).text();
  text += fmt::format("\nenergy before {}\n", cell(energy));
  Flags occurred;
  for (const ImpactOutcome& outcome : outcomes) {
    for (const Flag flag : all_flags()) {
      if (outcome.audit.flags.has(flag)) occurred.set(flag);
    }
  }
  for (const Flag flag : all_flags()) {
    if (!occurred.has(flag)) continue;
    text += fmt::format("{}: {}\n", flag_name(flag),
                        wrap(flag_meaning(flag), static_cast<int>(flag_name(flag).size()) + 2));
  }
  return text;
}

}  // namespace carom::app
