#include "output/run_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/base/utf8.h"
#include "output/text_table.h"

namespace carom::app {
namespace {

constexpr std::size_t kLongestName = 24;
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
                        {book.wall_work, "done by driven walls"},
                        {book.torque_work, "done by torques"}};
  for (const Part& part : parts) {
    const std::string value = rounded_cell(part.value, scale);
    if (value != "0") text += fmt::format("; {} J {}", value, part.where);
  }
  return text + fmt::format("; the balance closes to {} of the energy", cell(balance_error(summary), 2));
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
  return {
      {"scene", summary.scene.title.empty() ? summary.file : summary.scene.title},
      {"file", summary.file},
      {"engine", summary.scene.run.engine},
      {"law", summary.scene.run.law},
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
        {"wall_work", json_number(book.wall_work)},
        {"torque_work", json_number(book.torque_work)}}},
      {"record", summary.record ? Json(*summary.record) : Json()},
      {"unused", summary.scene.unused}};
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
  std::string text = summary.scene.title.empty() ? "" : summary.scene.title + "\n";
  text += labelled("ran", fmt::format("{} s of model time in {} s; engine {}, law {}", cell(result.final_state.time),
                                      cell(summary.wall_time, 3), summary.scene.run.engine, summary.scene.run.law));
  text += labelled("stop", fmt::format("{}: {}", run_stop_name(result.stop), stop_in_words(summary)));
  std::string events = counted(static_cast<long>(result.impacts), "impact");
  if (result.multiple > 0) events += fmt::format(", {} of them with several contacts", result.multiple);
  if (result.contacts_opened > 0) {
    events += "; " + counted(static_cast<long>(result.contacts_opened), "lasting contact") + " opened";
  }
  text += labelled("events", events);
  if (result.steps_accepted > 0) {
    text += labelled(
        "steps", fmt::format("{} of the integrator, {} more rejected", result.steps_accepted, result.steps_rejected));
  }
  text += labelled("energy", energy_text(summary));
  text += labelled("guarantee",
                   fmt::format("{}: {}", guarantee_name(result.guarantee), guarantee_in_words(result.guarantee)));
  text += labelled("record", summary.record.value_or("none is kept; --out RUN.h5 keeps one, which carom events lists"));
  const std::size_t bodies = result.final_state.bodies.size();
  if (bodies > 0 && bodies <= kMostBodiesInTable) {
    text += "\n" + bodies_text(summary.scene.model, result.final_state);
  }
  return text;
}

}  // namespace carom::app
