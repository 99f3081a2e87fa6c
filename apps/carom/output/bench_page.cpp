#include <fmt/format.h>

#include <algorithm>

#include "carom/base/version.h"
#include "common/text_table.h"
#include "output/bench_output.h"

namespace carom::app {
namespace {

constexpr std::string_view kBegin = R"(# Performance

This page is written by `carom bench`; to have the figures of another machine:

```sh
cmake --build --preset release --target benchmarks
./carom bench -o docs/performance.md
```

Each benchmark is a program of its own (`bench/`), which prints its figures for people when it is run by itself.
`carom bench event sweep` runs some of them, `--quick` measures less, `--json` is for programs. Times are processor times
of one thread, unless their unit says otherwise; a figure is the median of all runs, its spread half the range. A ratio is
above 1 where ours is the better one. A bar is what the project has set itself as its goal. Where `CAROM_BASELINES` or
`CAROM_ANCHORS` name folders with other programs (the heads of `bench/*_bench.cpp` say which), they are compared as well.
)";

constexpr std::string_view kOthersBegin = R"(
## Beside other engines

The same spheres from the same start. ODE and Bullet go in steps of 1 ms, with the iterations of their defaults; the event
engine goes from impact to impact. All run 2 s of model time; with `--quick` the two others run the first 0.2 s of them.
MuJoCo and Simbody have springs as contacts and run the first 0.5 s and 0.2 s. Siconos has the bouncing sphere, event-driven,
and so has Octave, by ode45 with an event function.
They are compared where they were installed when the benchmarks were built (`libode-dev`, `libbullet-dev`, `libmujoco-dev`,
`libsimbody-dev`, `libsiconos-kernel-dev`, `octave`).

)";

std::string value_cell(const Figure& figure) {
  if (!figure.failure.empty()) return "failed: " + figure.failure;
  const std::string value = cell(spread_of(figure.values).median, 4);
  return figure.unit.empty() ? value : value + " " + figure.unit;
}

bool has_value(const Figure& figure) {
  return !figure.failure.empty() || !figure.values.empty();
}

std::string compared_row(const Figure& figure) {
  return fmt::format("| {} | {} | {} | {} {} | {} | {} |\n", figure.benchmark, figure.name, value_cell(figure),
                     figure.compared_with, cell(spread_of(figure.references).median, 4),
                     cell(spread_of(figure.ratios).median, 3), spread_text(figure.ratios));
}

constexpr std::string_view kComparedHead =
    "| benchmark | figure | ours | against | ratio | spread |\n|---|---|---|---|---|---|\n";
constexpr std::string_view kPlainHead = "| figure | median | spread |\n|---|---|---|\n";

std::string plain_row(const Figure& figure) {
  return fmt::format("| {} | {} | {} |\n", figure.name, value_cell(figure), spread_text(figure.values));
}

/// The tables of figures that name a heading of their own, in the order in which the headings come.
std::string grouped_tables(const BenchmarkResults& results) {
  std::vector<std::pair<std::string, std::string>> tables;
  for (const BenchmarkOutcome& outcome : results.outcomes)
    for (const Figure& figure : outcome.figures) {
      if (figure.group.empty() || !has_value(figure)) continue;
      auto found = std::find_if(tables.begin(), tables.end(), [&](const auto& t) { return t.first == figure.group; });
      if (found == tables.end()) found = tables.insert(tables.end(), {figure.group, std::string(kPlainHead)});
      found->second += plain_row(figure);
      if (!figure.ratios.empty())
        found->second +=
            fmt::format("| {}: {} | {} {} | {} |\n", figure.name, figure.compared_with,
                        cell(spread_of(figure.references).median, 4), figure.unit, spread_text(figure.references));
    }
  std::string text;
  for (const auto& table : tables) text += fmt::format("\n## {}\n\n{}", table.first, table.second);
  return text;
}

std::string other_tables(const BenchmarkResults& results) {
  std::string text;
  for (const BenchmarkOutcome& outcome : results.outcomes) {
    std::string rows;
    for (const Figure& figure : outcome.figures)
      if (figure.group.empty() && figure.ratios.empty() && has_value(figure)) rows += plain_row(figure);
    if (rows.empty()) continue;
    text += fmt::format("\n### {}\n\nWhat it measures: {}.\n\n{}{}", outcome.benchmark->name,
                        outcome.benchmark->measures, kPlainHead, rows);
  }
  return text.empty() ? text : "\n## Further figures\n" + text;
}

std::string without_figures(const BenchmarkResults& results) {
  std::string text;
  for (const BenchmarkOutcome& outcome : results.outcomes) {
    if (outcome.state == BenchmarkState::told) continue;
    text += fmt::format("- {}: {}{}\n", outcome.benchmark->name, state_name(outcome.state),
                        outcome.reason.empty() ? "" : " (" + outcome.reason + ")");
  }
  return text.empty() ? text : "\n## Without figures\n\n" + text;
}

}  // namespace

std::string bench_page(const BenchmarkResults& results, const BenchmarkMachine& machine) {
  std::string text(kBegin);
  text += fmt::format("\ncarom {}, {} of {}{}, {}{}.", kVersion, counted(machine.processors, "processor"),
                      machine.processor.empty() ? "unknown make" : machine.processor, results.quick ? ", quick" : "",
                      counted(results.runs, "run"), results.interrupted ? ", interrupted" : "");
  if (machine.load > machine.processors)
    text += fmt::format(
        " **The machine was shared**: {:.0f} programs wanted its {} on average when it ended, so that figures are "
        "worse "
        "than those of an idle one, and spreads wide.",
        machine.load, counted(machine.processors, "processor"));
  text += "\n\n## Against bars and other ways\n\n" + std::string(kComparedHead);
  for (const BenchmarkOutcome& outcome : results.outcomes)
    for (const Figure& figure : outcome.figures)
      if (figure.group.empty() && !figure.ratios.empty()) text += compared_row(figure);
  const std::vector<Figure> others = compare_with_others(results);
  if (!others.empty()) {
    text += std::string(kOthersBegin) + std::string(kComparedHead);
    for (const Figure& figure : others) text += compared_row(figure);
  }
  return text + grouped_tables(results) + other_tables(results) + without_figures(results);
}

}  // namespace carom::app
