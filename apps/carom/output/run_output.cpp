#include "output/run_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/base/utf8.h"
#include "carom/laws/friction/registry.h"
#include "output/text_table.h"

namespace carom::app {
namespace {

constexpr std::size_t kLongestName = 24;
constexpr std::size_t kLongestTitle = 100;
constexpr std::size_t kMostBodiesInTable = 20;

Json vector_json(const Eigen::Vector3d& vector) {
  return json_numbers(std::span<const double>(vector.data(), 3));
}

Json failure_json(const RunSummary& summary) {
  const std::optional<Failure>& failure = summary.result.failure;
  if (!failure) return {};
  Json bodies = Json::array();
  for (const int object : failure->bodies) bodies.push_back(summary.scene.model.name(object));
  return {{"reason", failure->reason}, {"time", json_number(failure->time)}, {"bodies", std::move(bodies)}};
}

std::string stop_in_words(const RunSummary& summary) {
  switch (summary.result.stop) {
    case RunStop::duration: return "the time that was asked for is over";
    case RunStop::at_rest: return "nothing moves any more";
    case RunStop::apart: return "all contacts have opened";
    case RunStop::event_limit: return "max_events is reached before the time is over";
    case RunStop::interrupted: return "a signal asked to stop";
    case RunStop::failed: break;
  }
  const std::optional<Failure>& failure = summary.result.failure;
  if (!failure) return "the mathematics did not work out";
  std::string text = fmt::format("{} at {} s", failure->reason, cell(failure->time, 11));
  for (std::size_t i = 0; i < failure->bodies.size(); ++i) {
    text += (i == 0 ? "; involved: " : ", ") + printable(summary.scene.model.name(failure->bodies[i]), kLongestName);
  }
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
                        {book.torque_work, "done by torques"}};
  for (const Part& part : parts) {
    const std::string value = rounded_cell(part.value, scale);
    if (value != "0") text += fmt::format("; {} J {}", value, part.where);
  }
  return text + fmt::format("; the balance closes to {} of the energy", cell(balance_error(summary), 2));
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
  add("swallowed with bodies that left play", book.swallowed, !summary.scene.model.pockets.empty());
  add("done by driven walls", book.wall_work);
  add("done by torques", book.torque_work);
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
                        printable(model.pockets[static_cast<std::size_t>(one.pocket)].name, kLongestName));
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

Json compliant_json(const RunSummary& summary) {
  const CompliantReport& report = *summary.result.compliant;
  const Model& model = summary.scene.model;
  Json swallowed = Json::array();
  for (const CompliantReport::Swallowed& one : report.swallowed) {
    swallowed.push_back(
        {{"body", model.name(one.body)}, {"pocket", model.pockets[static_cast<std::size_t>(one.pocket)].name}});
  }
  Json works = Json::object();
  for (const CompliantReport::LawWork& work : report.works) works[work.law] = json_number(work.dissipated);
  return {
      {"integrator", report.integrator},
      {"contacts", report.contacts_started},
      {"clamped", report.attractions_clamped},
      {"least_approach", json_number(report.least_approach)},
      {"deepest", json_number(report.deepest)},
      {"constraint_drift", json_number(report.constraint_drift)},
      {"momentum", {{"initial", vector_json(report.momentum_before)}, {"final", vector_json(report.momentum_after)}}},
      {"settled", report.settled},
      {"swallowed", std::move(swallowed)},
      {"works", std::move(works)},
      {"warnings", report.warnings}};
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

}  // namespace

double balance_error(const RunSummary& summary) {
  const EnergyBook& book = summary.result.energy;
  const double error = std::abs(book.error());
  const double scale =
      std::max({std::abs(book.initial), std::abs(book.now.total()), book.now.kinetic, summary.energy_scale});
  return error == 0.0 ? 0.0 : error / scale;
}

Json run_json(const RunSummary& summary) {
  const RunResult& result = summary.result;
  const EnergyBook& book = result.energy;
  Json json = {
      {"scene", summary.scene.title.empty() ? summary.file : summary.scene.title},
      {"file", summary.file},
      {"engine", summary.scene.run.engine},
      {"law", result.compliant ? Json() : Json(summary.scene.run.law)},
      {"stop", run_stop_name(result.stop)},
      {"failure", failure_json(summary)},
      {"time", {{"model", json_number(result.final_state.time)}, {"wall", json_number(summary.wall_time)}}},
      {"guarantee", guarantee_name(result.guarantee)},
      {"events",
       {{"impacts", result.impacts}, {"multiple", result.multiple}, {"contacts_opened", result.contacts_opened}}},
      {"steps",
       {{"accepted", result.steps_accepted}, {"rejected", result.steps_rejected}, {"evaluations", result.evaluations}}},
      {"energy",
       {{"initial", json_number(book.initial)},
        {"final", json_number(book.now.total())},
        {"dissipated", json_number(book.dissipated())},
        {"balance_error", json_number(balance_error(summary))},
        {"impacts", json_number(book.impacts)},
        {"damping", json_number(book.damping)},
        {"cut_off", json_number(book.cut_off)},
        {"contacts", json_number(book.contacts)},
        {"friction", json_number(book.friction)},
        {"swallowed", json_number(book.swallowed)},
        {"wall_work", json_number(book.wall_work)},
        {"torque_work", json_number(book.torque_work)}}},
      {"record", summary.record ? Json(*summary.record) : Json()},
      {"unused", summary.scene.unused}};
  if (result.compliant) json["compliant"] = compliant_json(summary);
  return json;
}

Json bodies_json(const Model& model, const State& state) {
  Json list = Json::array();
  for (std::size_t i = 0; i < state.bodies.size(); ++i) {
    const BodyState& body = state.bodies[i];
    const Eigen::Quaterniond& q = body.orientation;
    list.push_back({{"name", model.bodies[i].name},
                    {"position", vector_json(body.position)},
                    {"orientation", {json_number(q.w()), json_number(q.x()), json_number(q.y()), json_number(q.z())}},
                    {"velocity", vector_json(body.velocity)},
                    {"angular_velocity", vector_json(body.angular_velocity)}});
  }
  return list;
}

std::string run_text(const RunSummary& summary) {
  const RunResult& result = summary.result;
  std::string text = summary.scene.title.empty() ? "" : printable(summary.scene.title, kLongestTitle) + "\n";
  const std::string method =
      result.compliant ? "integrator " + result.compliant->integrator : "law " + summary.scene.run.law;
  text += labelled("ran", fmt::format("{} s of model time in {} s; engine {}, {}", cell(result.final_state.time),
                                      cell(summary.wall_time, 3), summary.scene.run.engine, method));
  text += labelled("stop", fmt::format("{}: {}", run_stop_name(result.stop), stop_in_words(summary)));
  std::string events = counted(static_cast<long>(result.impacts), "impact");
  if (result.multiple > 0) events += fmt::format(", {} of them with several contacts", result.multiple);
  if (result.contacts_opened > 0) {
    events += "; " + counted(static_cast<long>(result.contacts_opened), "lasting contact") + " opened";
  }
  text += labelled("events", result.compliant ? contacts_text(*result.compliant) : events);
  if (result.compliant && !result.compliant->swallowed.empty()) {
    text += labelled("swallowed", swallowed_text(summary.scene.model, *result.compliant));
  }
  if (result.steps_accepted > 0) {
    text += labelled(
        "steps", fmt::format("{} of the integrator, {} more rejected", result.steps_accepted, result.steps_rejected));
  }
  text += labelled("energy", energy_text(summary));
  text += labelled("guarantee",
                   fmt::format("{}: {}", guarantee_name(result.guarantee), guarantee_in_words(result.guarantee)));
  if (result.compliant && !summary.scene.model.constraints.empty()) {
    text += labelled("constraints", fmt::format("kept to {}", cell(result.compliant->constraint_drift, 2)));
  }
  text += labelled("record", summary.record.value_or("none is kept; --out RUN.h5 keeps one, which carom events lists"));
  if (!summary.scene.unused.empty()) {
    text += labelled("unused", fmt::format("{} (by the engine {})", fmt::join(summary.scene.unused, ", "),
                                           summary.scene.run.engine));
  }
  if (result.compliant) text += "\n" + energy_table(summary);
  const std::size_t bodies = result.final_state.bodies.size();
  if (bodies > 0 && bodies <= kMostBodiesInTable) {
    text += "\n" + bodies_text(summary.scene.model, result.final_state);
  }
  return text;
}

}  // namespace carom::app
