#include "benchmarks/benchmark_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/base/error.h"
#include "carom/base/utf8.h"
#include "carom/scene/document/read_document.h"

namespace carom::app {
namespace {

using scene::Node;

std::string text_field(const Node& line, std::string_view key) {
  const Node* const node = line.find(key);
  return node != nullptr && node->is(Node::Type::string) ? printable(node->string(), 200) : std::string();
}

std::optional<double> number_field(const Node& line, std::string_view key) {
  const Node* const node = line.find(key);
  if (node == nullptr || !node->is_number() || !std::isfinite(node->number())) return std::nullopt;
  return node->number();
}

Figure& figure_of(std::vector<Figure>& figures, const std::string& name) {
  const auto found = std::find_if(figures.begin(), figures.end(), [&](const Figure& f) { return f.name == name; });
  if (found != figures.end()) return *found;
  figures.emplace_back();
  figures.back().name = name;
  return figures.back();
}

}  // namespace

double Spread::relative() const {
  return median == 0.0 ? 0.0 : std::abs(0.5 * (high - low) / median);
}

Spread spread_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  const double median = values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
  return {median, values.front(), values.back()};
}

std::string_view state_name(BenchmarkState state) {
  switch (state) {
    case BenchmarkState::waiting: return "not run";
    case BenchmarkState::told: return "done";
    case BenchmarkState::plain: return "prints its own figures";
    case BenchmarkState::missing: return "skipped";
    case BenchmarkState::failed: return "failed";
  }
  return "";
}

void BenchmarkOutcome::add_line(const std::string& line) {
  if (!line.starts_with('{')) return;
  const auto wrong = [&](std::string_view what) {
    state = BenchmarkState::failed;
    reason = fmt::format("it printed a line that {}: {}", what, printable(line, 80));
  };
  try {
    const scene::Document document = scene::parse_document(benchmark->program(), line);
    const std::string name = text_field(document.root, "figure");
    if (name.empty()) return wrong("names no figure");
    Figure& figure = figure_of(figures, name);
    figure.benchmark = benchmark->name;
    if (const std::string failure = text_field(document.root, "failed"); !failure.empty()) {
      figure.failure = failure;
      return;
    }
    const std::optional<double> value = number_field(document.root, "value");
    if (!value) {
      figure.failure = "its value is no finite number";
      return;
    }
    figure.group = text_field(document.root, "group");
    figure.unit = text_field(document.root, "unit");
    figure.more_is_better = text_field(document.root, "better") == "more";
    figure.values.push_back(*value);
    const auto ratio = number_field(document.root, "ratio"), reference = number_field(document.root, "reference");
    if (!ratio || !reference) return;
    figure.compared_with = text_field(document.root, "compared_with");
    figure.references.push_back(*reference);
    figure.ratios.push_back(*ratio);
  } catch (const InputError&) {
    wrong("is no JSON");
  }
}

bool BenchmarkResults::any_failed() const {
  return std::any_of(outcomes.begin(), outcomes.end(), [](const BenchmarkOutcome& outcome) {
    return outcome.state == BenchmarkState::failed ||
           std::any_of(outcome.figures.begin(), outcome.figures.end(),
                       [](const Figure& figure) { return !figure.failure.empty(); });
  });
}

std::vector<Figure> compare_with_others(const BenchmarkResults& results) {
  std::vector<Figure> compared;
  for (const BenchmarkOutcome& ours : results.outcomes) {
    if (!ours.benchmark->other_engine.empty()) continue;
    for (const Figure& figure : ours.figures)
      for (const BenchmarkOutcome& other : results.outcomes) {
        if (other.benchmark->other_engine.empty()) continue;
        for (const Figure& theirs : other.figures) {
          if (theirs.name != figure.name || theirs.unit != figure.unit) continue;
          Figure both = figure;
          both.compared_with = other.benchmark->other_engine;
          both.references = theirs.values;
          both.ratios.clear();
          const std::size_t runs = std::min(figure.values.size(), theirs.values.size());
          for (std::size_t i = 0; i < runs; ++i) {
            const double ratio = figure.values[i] / theirs.values[i];
            both.ratios.push_back(figure.more_is_better ? ratio : 1.0 / ratio);
          }
          if (runs > 0) compared.push_back(std::move(both));
        }
      }
  }
  return compared;
}

}  // namespace carom::app
