#include "output/bench_output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "common/text_table.h"

namespace carom::app {
namespace {

constexpr int kFigureWidth = 36, kOursWidth = 16, kAgainstWidth = 22;  // 100 columns with ratio and spread

/// The text on several lines of at most so many cells, broken at blanks.
std::string broken(std::string_view text, int most) {
  std::string lines, line;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word(text.substr(begin, end - begin));
    if (!line.empty() && text_width(line) + 1 + text_width(word) > most) {
      lines += line + "\n";
      line = "  " + word;
    } else {
      line += (line.empty() ? "" : " ") + word;
    }
    begin = end + 1;
  }
  return lines + line;
}

std::string with_unit(double value, const std::string& unit) {
  return unit.empty() ? cell(value, 4) : cell(value, 4) + " " + unit;
}

void add_figure(TextTable& table, const Figure& figure) {
  const std::string name = broken(fmt::format("{}: {}", figure.benchmark, figure.name), kFigureWidth);
  if (!figure.failure.empty()) {
    table.add_row({name, "failed", broken(figure.failure, kAgainstWidth), "–", "–"});
    return;
  }
  if (figure.values.empty()) return;
  const bool compared = !figure.ratios.empty();
  const std::string against =
      compared ? broken(figure.compared_with + " " + cell(spread_of(figure.references).median, 4), kAgainstWidth) : "–";
  table.add_row({name, broken(with_unit(spread_of(figure.values).median, figure.unit), kOursWidth), against,
                 compared ? cell(spread_of(figure.ratios).median, 3) : "–",
                 spread_text(compared ? figure.ratios : figure.values)});
}

Json figure_json(const Figure& figure) {
  Json json{{"figure", figure.name}};
  if (!figure.failure.empty()) {
    json["failed"] = figure.failure;
    return json;
  }
  const auto spread_json = [](const std::vector<double>& values) {
    if (values.empty()) return Json();
    const Spread spread = spread_of(values);
    return Json{{"median", spread.median}, {"low", spread.low}, {"high", spread.high}};
  };
  json["group"] = figure.group.empty() ? Json() : Json(figure.group);
  json["unit"] = figure.unit;
  json["better"] = figure.more_is_better ? "more" : "less";
  json["runs"] = figure.values.size();
  json["value"] = spread_json(figure.values);
  json["compared_with"] = figure.compared_with.empty() ? Json() : Json(figure.compared_with);
  json["reference"] = spread_json(figure.references);
  json["ratio"] = spread_json(figure.ratios);
  return json;
}

}  // namespace

std::string spread_text(const std::vector<double>& values) {
  return values.size() < 2 ? "–" : fmt::format("±{:.0f} %", 100.0 * spread_of(values).relative());
}

BenchmarkMachine BenchmarkMachine::here() {
  BenchmarkMachine machine;
  machine.processors = static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN));
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line) && machine.processor.empty();)
    if (line.starts_with("model name")) machine.processor = line.substr(std::min(line.find(':') + 2, line.size()));
  double load[1] = {0.0};
  if (::getloadavg(load, 1) == 1) machine.load = load[0];
  return machine;
}

std::string bench_text(const BenchmarkResults& results, bool everything) {
  TextTable table({{"figure", Align::left}, {"ours"}, {"against", Align::left}, {"ratio"}, {"spread"}});
  std::string rest;
  std::size_t left_out = 0, rows = 0;
  for (const BenchmarkOutcome& outcome : results.outcomes) {
    const std::string_view name = outcome.benchmark->name;
    if (outcome.state == BenchmarkState::failed) {
      table.add_row({std::string(name), "failed", broken(outcome.reason, kAgainstWidth), "–", "–"});
      ++rows;
    } else if (outcome.state != BenchmarkState::told) {
      rest +=
          fmt::format("{}\n", wrap(fmt::format("{}: {}{}", name, state_name(outcome.state),
                                               outcome.reason.empty() ? std::string() : " (" + outcome.reason + ")"),
                                   2));
    }
    for (const Figure& figure : outcome.figures) {
      const bool shown = everything || !figure.ratios.empty() || !figure.failure.empty();
      left_out += shown ? 0 : 1;
      rows += shown ? 1 : 0;
      if (shown) add_figure(table, figure);
    }
  }
  for (const Figure& figure : compare_with_others(results)) {
    add_figure(table, figure);
    ++rows;
  }
  std::string text = rows > 0 ? table.text() : std::string();
  if (rows > 0)
    text += "\n" +
            wrap(fmt::format("Medians; {}{} of each benchmark{}. A ratio above 1: ours is the better one. Spread: half "
                             "the range, of the median.",
                             results.interrupted ? "at most " : "", counted(results.runs, "run"),
                             results.quick ? ", quick" : ""),
                 0) +
            "\n";
  if (left_out > 0)
    text += fmt::format("{} without a comparison: --all, --json and -o have them.\n",
                        counted(static_cast<long>(left_out), "figure"));
  return text + (rest.empty() ? "" : "\n" + rest);
}

Json bench_json(const BenchmarkResults& results, const BenchmarkMachine& machine) {
  Json benchmarks = Json::array(), others = Json::array();
  for (const BenchmarkOutcome& outcome : results.outcomes) {
    Json figures = Json::array();
    for (const Figure& figure : outcome.figures) figures.push_back(figure_json(figure));
    benchmarks.push_back({{"name", outcome.benchmark->name},
                          {"measures", outcome.benchmark->measures},
                          {"state", state_name(outcome.state)},
                          {"reason", outcome.reason.empty() ? Json() : Json(outcome.reason)},
                          {"runs", outcome.runs},
                          {"figures", std::move(figures)}});
  }
  for (const Figure& figure : compare_with_others(results)) others.push_back(figure_json(figure));
  return {{"bench",
           {{"quick", results.quick},
            {"interrupted", results.interrupted},
            {"runs", results.runs},
            {"machine", {{"processor", machine.processor}, {"processors", machine.processors}, {"load", machine.load}}},
            {"benchmarks", std::move(benchmarks)},
            {"other_engines", std::move(others)}}}};
}

}  // namespace carom::app
