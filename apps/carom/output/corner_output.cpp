#include "output/corner_output.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "carom/laws/corner/table.h"
#include "common/text_table.h"

namespace carom::app {
namespace {

Json velocity_json(const corner::Velocity& velocity) {
  return Json::array({json_number(velocity.x), json_number(velocity.y)});
}

std::string_view zone_in_words(corner::Zone zone) {
  switch (zone) {
    case corner::Zone::z0: return "leaves both walls";
    case corner::Zone::z1: return "runs against wall 1";
    case corner::Zone::z2: return "runs against wall 2";
    case corner::Zone::z12: return "runs against both walls";
  }
  return "";
}

std::string_view stop_in_words(corner::Stop stop) {
  switch (stop) {
    case corner::Stop::z0: return "the disk leaves both walls";
    case corner::Stop::rest: return "the disk has come to rest in the corner";
    case corner::Stop::step_limit: return "the most steps were made and the disk is still in the corner";
  }
  return "";
}

std::string pair(const corner::Velocity& velocity) {
  return fmt::format("({}, {})", cell(velocity.x), cell(velocity.y));
}

std::string trace_text(const std::vector<corner::TraceEntry>& trace) {
  TextTable table({{"step"}, {"x"}, {"y"}, {"norm"}, {"zone", Align::left}});
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const corner::Velocity& v = trace[i].velocity;
    table.add_row({std::to_string(i), cell(v.x), cell(v.y), cell(std::hypot(v.x, v.y)),
                   std::string(corner::zone_name(trace[i].zone))});
  }
  return table.text();
}

}  // namespace

Json corner_json(const CornerResult& result) {
  const corner::CornerOutcome& outcome = result.outcome;
  Json trace = Json::array();
  for (std::size_t i = 0; i < outcome.trace.size(); ++i) {
    trace.push_back({{"step", i},
                     {"zone", corner::zone_name(outcome.trace[i].zone)},
                     {"velocity", velocity_json(outcome.trace[i].velocity)}});
  }
  return {{"velocity", velocity_json(outcome.velocity)},
          {"norm", json_number(outcome.norm)},
          {"zone", corner::zone_name(outcome.zone)},
          {"steps", outcome.steps},
          {"stop", corner::stop_name(outcome.stop)},
          {"predicted", {{"steps", result.prediction.steps}, {"stop", corner::stop_name(result.prediction.stop)}}},
          {"spectral_radius", json_number(result.spectral_radius)},
          {"trace", std::move(trace)}};
}

std::string corner_text(const CornerResult& result) {
  const corner::CornerProblem& problem = result.problem;
  const corner::CornerOutcome& outcome = result.outcome;
  std::string text = fmt::format("corner      half angle {} ({} deg), restitution {}\n", cell(problem.alpha),
                                 cell(problem.alpha * 180.0 / std::numbers::pi), cell(problem.restitution));
  text += fmt::format("before      {}  zone {}: {}\n", pair(problem.velocity), corner::zone_name(outcome.zone),
                      zone_in_words(outcome.zone));
  text += fmt::format("after       {}  norm {}\n", pair(outcome.velocity), cell(outcome.norm));
  text += fmt::format("stop        {} after {}: {}\n", corner::stop_name(outcome.stop), counted(outcome.steps, "step"),
                      stop_in_words(outcome.stop));
  text += fmt::format("predicted   {} after {}, in closed form\n", corner::stop_name(result.prediction.stop),
                      counted(result.prediction.steps, "step"));
  text += fmt::format("radius      {}  spectral, of two successive impacts{}\n", cell(result.spectral_radius),
                      corner::always_exits(problem.alpha, problem.restitution)
                          ? "; every velocity leaves the corner"
                          : "; some velocities never leave the corner");
  if (!outcome.trace.empty()) text += "\n" + trace_text(outcome.trace);
  return text;
}

Json corner_table_json() {
  Json rows = Json::array();
  for (const corner::TableRow& row : corner::published_table()) {
    rows.push_back({{"id", row.id},
                    {"eps", json_number(row.restitution)},
                    {"alpha_den", row.alpha_denominator},
                    {"v0_index", row.velocity_index},
                    {"x0", json_number(row.velocity_before.x)},
                    {"y0", json_number(row.velocity_before.y)},
                    {"xf", json_number(row.outcome.velocity.x)},
                    {"yf", json_number(row.outcome.velocity.y)},
                    {"norm_f", json_number(row.outcome.norm)},
                    {"zone0", corner::zone_name(row.outcome.zone).substr(1)},
                    {"steps", row.outcome.steps},
                    {"stop", corner::stop_name(row.outcome.stop)}});
  }
  return Json{{"rows", std::move(rows)}};
}

}  // namespace carom::app
