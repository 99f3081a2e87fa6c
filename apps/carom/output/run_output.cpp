#include "output/run_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/base/utf8.h"
#include "carom/laws/friction/registry.h"
#include "carom/laws/impact/registry.h"
#include "carom/mechanics/loose_parts.h"
#include "common/command_line.h"
#include "common/text_table.h"

namespace carom::app {
namespace {

constexpr std::size_t kMostBodiesInTable = 20;

std::string stop_in_words(const RunSummary& summary) {
  switch (summary.result.stop) {
    case RunStop::duration: return "the time that was asked for is over";
    case RunStop::at_rest: return "nothing moves any more";
    case RunStop::event_limit: return "max_events is reached before the time is over";
    case RunStop::apart: return "contacts have been closed and all are open again";
    case RunStop::interrupted: return "a signal asked to stop";
    case RunStop::scripted: return "a scripted event of the scene stops the run";
    case RunStop::failed: break;
  }
  const std::optional<Failure>& failure = summary.result.failure;
  if (!failure) return "the mathematics did not work out";
  std::string text = fmt::format("{} at {} s", failure->reason, cell(failure->time, 11));
  for (std::size_t i = 0; i < failure->bodies.size(); ++i) {
    text += (i == 0 ? "; involved: " : ", ") + printable(summary.model->name(failure->bodies[i]), kLongestName);
  }
  const std::vector<std::string> joints = summary.failed_joints();
  for (std::size_t i = 0; i < joints.size(); ++i)
    text += (i == 0 ? "; joints: " : ", ") + printable(joints[i], kLongestName);
  return text;
}

std::string_view guarantee_in_words(Guarantee guarantee) {
  switch (guarantee) {
    case Guarantee::proven: return "no contact was missed: the motion is known in closed form and every gap is bounded";
    case Guarantee::bounded:
      return "every gap is bounded, on a motion that is integrated numerically; no contact is missed as long as the "
             "integration is as accurate as it says";
    case Guarantee::sampled: return "gaps were looked at between steps only; short contacts may have been missed";
  }
  return "";
}

std::string energy_text(const RunSummary& summary) {
  const EnergyBook& book = summary.result.energy;
  const double scale = std::max(summary.energy_scale, std::abs(book.initial));
  std::string text = fmt::format("{} J at the start, {} J at the end", rounded_cell(book.initial, scale),
                                 rounded_cell(book.now.total(), scale));
  struct Part {
    double value;
    std::string_view where;
  };
  const Part parts[] = {{book.impacts, "lost in impacts"},
                        {book.damping, "lost in dampers"},
                        {book.cut_off, "cut off where contacts came to rest"},
                        {book.contacts, "lost in the damping of contacts"},
                        {book.friction, "lost to friction"},
                        {book.swallowed, "with bodies that left play"},
                        {book.wall_work, "done by driven walls"},
                        {book.torque_work, "done by torques and pushes"},
                        {book.motor_work, "done by motors"}};
  for (const Part& part : parts) {
    const std::string value = rounded_cell(part.value, scale);
    if (value != "0") text += fmt::format("; {} J {}", value, part.where);
  }
  return text + fmt::format("; the balance closes to {} of the energy", cell(summary.balance_error(), 2));
}

bool is_friction_law(std::string_view name) {
  const auto laws = friction_laws();
  return std::any_of(laws.begin(), laws.end(), [name](const FrictionLaw* law) { return law->name == name; });
}

/// Where the energy went, one row each; what each law took is part of the row above it.
std::string energy_table(const RunSummary& summary) {
  const EnergyBook& book = summary.result.energy;
  const double scale = std::max(summary.energy_scale, std::abs(book.initial));
  TextTable table({{"energy", Align::left}, {"[J]"}});
  const auto add = [&table, scale](const std::string& what, double value, bool always = false) {
    const std::string text = rounded_cell(value, scale);
    if (always || text != "0") table.add_row({what, text});
  };
  add("at the start", book.initial, true);
  const auto add_laws = [&add, &summary](bool friction) {
    for (const CompliantReport::LawWork& work : summary.result.compliant->works) {
      if (is_friction_law(work.law) == friction) add("  " + work.law, work.dissipated, true);
    }
  };
  add("lost in the damping of contacts", book.contacts, true);
  add_laws(false);
  add("lost to friction", book.friction, true);
  add_laws(true);
  add("lost in dampers", book.damping);
  add("cut off", book.cut_off);
  add("swallowed with bodies that left play", book.swallowed, !summary.model->pockets.empty());
  add("done by driven walls", book.wall_work);
  add("done by torques and pushes", book.torque_work);
  add("done by motors", book.motor_work);
  add("at the end", book.now.total(), true);
  add("  kinetic", book.now.kinetic, true);
  add("  of gravity", book.now.gravity);
  add("  of constant forces", book.now.loads);
  add("  in springs", book.now.springs);
  add("  in contacts", book.now.contacts);
  return table.text();
}

std::string swallowed_text(const Model& model, const CompliantReport& report) {
  std::string text;
  for (const CompliantReport::Swallowed& one : report.swallowed) {
    text += fmt::format("{}{} by {}", text.empty() ? "" : ", ", printable(model.name(one.body), kLongestName),
                        printable(model.pockets[one.pocket].name, kLongestName));
  }
  return text;
}

std::string contacts_text(const CompliantReport& report) {
  std::string text = counted(static_cast<long>(report.contacts_started), "contact");
  if (report.deepest > 0.0) text += fmt::format(", {} of a body's size at the deepest", cell(report.deepest, 3));
  if (report.least_approach) text += fmt::format("; slowest approach {} m/s", cell(*report.least_approach, 3));
  if (report.attractions_clamped > 0) {
    text += fmt::format("; {} would have pulled at times and did not", report.attractions_clamped);
  }
  if (report.settled > 0) text += fmt::format("; {} began at the depth that bears them", report.settled);
  return text;
}

/// Infinitely many bounces in a finite time, of which so many were resolved one by one.
std::string collapse_text(const RunSummary& summary) {
  const Collapse& first = *summary.result.first_collapse;
  const auto name = [&](ObjectIndex object) {
    return object == kNone || object >= summary.model->object_count()
               ? std::string("the ground")
               : printable(summary.model->name(object), kLongestName);
  };
  std::string text =
      fmt::format("inelastic collapse: after {} the bounces of {} and {} end at {} s, infinitely many",
                  counted(static_cast<long>(first.impacts), "impact"), name(first.a), name(first.b), cell(first.time));
  const std::int64_t others = summary.result.collapses - 1;
  if (others > 0) text += "; " + fmt::format("{} of other contacts likewise", others);
  return text;
}

std::string bodies_text(const Model& model, const State& state) {
  TextTable table({{"body", Align::left}, {"x [m]"}, {"y"}, {"z"}, {"vx [m/s]"}, {"vy"}, {"vz"}});
  double length = 0.0;
  double speed = 0.0;
  for (const BodyState& body : state.bodies) {
    length = std::max(length, body.position.lpNorm<Eigen::Infinity>());
    speed = std::max(speed, body.velocity.lpNorm<Eigen::Infinity>());
  }
  for (std::size_t i = 0; i < state.bodies.size(); ++i) {
    std::vector<std::string> row{printable(model.bodies[i].name, kLongestName)};
    for (const double x : state.bodies[i].position) row.push_back(rounded_cell(x, length));
    for (const double v : state.bodies[i].velocity) row.push_back(rounded_cell(v, speed));
    table.add_row(std::move(row));
  }
  return table.text();
}

/// Whether the law answers one contact only and there were impacts of several.
bool sends_several_elsewhere(const RunSummary& summary) {
  return !summary.result.compliant && !summary.law.empty() && summary.result.of_several > 0 &&
         impact_law(summary.law).needs.single_contact;
}

/// Whether contacts resist slip and the impact law does not know of it.
bool leaves_slip_alone(const RunSummary& summary) {
  if (summary.result.compliant || summary.law.empty()) return false;
  const LawNeeds& needs = impact_law(summary.law).needs;
  if (needs.friction) return false;
  const std::vector<PairRule>& rules = summary.model->rules;
  return std::any_of(rules.begin(), rules.end(),
                     [&needs](const PairRule& rule) { return rule.resists_slip() && !(needs.tangents && rule.rough); });
}

}  // namespace

std::string run_text(const RunSummary& summary) {
  const RunResult& result = summary.result;
  std::string text = summary.title.empty() ? "" : printable(summary.title, kLongestTitle) + "\n";
  const std::string method = result.compliant ? "integrator " + result.compliant->integrator : "law " + summary.law;
  text += labelled("ran", fmt::format("{} s of model time in {} s; engine {}, {}", cell(result.final_state.time),
                                      cell(summary.wall_time, 3), summary.engine, method));
  text += labelled("stop", fmt::format("{}: {}", run_stop_name(result.stop), stop_in_words(summary)));
  std::string events = counted(static_cast<long>(result.impacts), "impact");
  if (result.multiple > 0) events += fmt::format(", {} of them with several contacts", result.multiple);
  if (result.contacts_opened > 0) {
    events += "; " + counted(static_cast<long>(result.contacts_opened), "lasting contact") + " opened";
  }
  text += labelled("events", result.compliant ? contacts_text(*result.compliant) : events);
  if (result.first_collapse) text += labelled("collapse", collapse_text(summary));
  if (result.compliant && !result.compliant->swallowed.empty()) {
    text += labelled("swallowed", swallowed_text(*summary.model, *result.compliant));
  }
  if (result.steps_accepted > 0) {
    text += labelled(
        "steps", fmt::format("{} of the integrator, {} more rejected", result.steps_accepted, result.steps_rejected));
  }
  text += labelled("energy", energy_text(summary));
  text += labelled("guarantee",
                   fmt::format("{}: {}", guarantee_name(result.guarantee), guarantee_in_words(result.guarantee)));
  if (result.compliant && !summary.model->constraints.empty()) {
    text += labelled("constraints", fmt::format("kept to {}", cell(result.compliant->constraint_drift, 2)));
  }
  for (const Flag flag : all_flags()) {
    if (result.flags.has(flag)) text += labelled("remark", fmt::format("{}: {}", flag_name(flag), flag_meaning(flag)));
  }
  text += labelled("record", summary.record.value_or("none is kept; --out RUN.h5 keeps one, which carom events lists"));
  if (!summary.unused.empty()) {
    text += labelled("unused", fmt::format("{} (by the engine {})", fmt::join(summary.unused, ", "), summary.engine));
  }
  if (leaves_slip_alone(summary)) {
    text += labelled("friction", fmt::format("the law {} knows none: impacts leave slip alone", summary.law));
  }
  if (sends_several_elsewhere(summary)) {
    text += labelled("law", fmt::format("{} answers one contact: the {} of several contacts went to {}", summary.law,
                                        counted(static_cast<long>(result.of_several), "impact"),
                                        law_for_contacts(impact_law(summary.law), 2).name));
  }
  for (const LooseParts& loose : loose_parts(*summary.model)) {
    text += labelled("parts", loose_parts_text(*summary.model, loose));
  }
  if (result.compliant) text += "\n" + energy_table(summary);
  const std::size_t bodies = result.final_state.bodies.size();
  if (bodies > 0 && bodies <= kMostBodiesInTable) {
    text += "\n" + bodies_text(*summary.model, result.final_state);
  }
  return text;
}

int exit_code_of(RunStop stop) {
  switch (stop) {
    case RunStop::duration:
    case RunStop::at_rest:
    case RunStop::scripted:
    case RunStop::apart: return kDone;
    case RunStop::interrupted: return kInterrupted;
    case RunStop::event_limit:
    case RunStop::failed: break;
  }
  return kUnfinished;
}

}  // namespace carom::app
