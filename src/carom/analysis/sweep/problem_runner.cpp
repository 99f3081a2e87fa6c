#include "carom/analysis/sweep/problem_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "carom/analysis/sweep/marked_text.h"
#include "carom/base/error.h"
#include "carom/base/nearest_name.h"

namespace carom::sweep {
namespace {

constexpr std::string_view kLawPath = "law";
constexpr double kUnknownNumber = std::numeric_limits<double>::quiet_NaN();

double number_or_none(const Value& value) {
  return value.is(Value::Type::real) || value.is(Value::Type::integer) ? value.number() : kUnknownNumber;
}

/// Throws InputError for words that could be right at no point.
void check_listed(const Variation& variation, const ProblemPath* path, ImpactProblem problem) {
  const std::string_view text = variation.text;
  const MarkedText marked{"--vary", text};
  for (std::size_t i = 0; i < variation.values.size(); ++i) {
    try {
      if (path == nullptr) {
        (void)impact_law(variation.values[i].text());
      } else {
        path->set(problem, variation.values[i]);
      }
    } catch (const InputError& error) {
      const std::size_t at = text.find(variation.texts[i], find_unquoted(text, '=') + 1);
      throw marked.error(error.kind(), text.substr(at, variation.texts[i].size()), error.what());
    }
  }
}

}  // namespace

ProblemRunner::ProblemRunner(const ProblemRequest& request)
    : problem_(request.problem), law_(&impact_law(request.law)), numbers_(request.variations.size(), kUnknownNumber) {
  for (const Variation& variation : request.variations) {
    if (variation.path == kLawPath) {
      varied_.push_back({std::nullopt, variation.path});
      check_listed(variation, nullptr, problem_);
      continue;
    }
    try {
      varied_.push_back({ProblemPath(problem_, variation.path), variation.path});
    } catch (const InputError& error) {
      const std::string_view text = variation.text;
      throw MarkedText{"--vary", text}.error(error.kind(), trimmed(text.substr(0, find_unquoted(text, '='))),
                                             error.what());
    }
    check_listed(variation, &*varied_.back().path, problem_);
  }
  read_measures_of(request);
}

void ProblemRunner::read_measures_of(const ProblemRequest& request) {
  std::vector<std::string> found;
  const auto find = [this, &found](std::string_view name) {
    const auto known = std::find(found.begin(), found.end(), name);
    if (known != found.end()) return static_cast<int>(known - found.begin());
    OutcomeField field = outcome_field(problem_, name);
    const auto varied =
        std::find_if(varied_.begin(), varied_.end(), [name](const Varied& one) { return one.name == name; });
    if (!field.exists() && varied == varied_.end()) return -1;
    found.emplace_back(name);
    varied_number_.push_back(field.exists() ? varied_.size() : static_cast<std::size_t>(varied - varied_.begin()));
    fields_.push_back(std::move(field));
    return static_cast<int>(found.size()) - 1;
  };
  const auto complaint = [this](std::string_view name) {
    const std::vector<std::string> paths = outcome_paths(problem_);
    std::vector<std::string_view> known(paths.begin(), paths.end());
    for (const Varied& one : varied_) known.push_back(one.name);
    std::string message = unknown_name_message("measure", name, known);
    if (message.find('?') == std::string::npos && message.find("; known: ") == std::string::npos) {
      message +=
          "; a measure is a field of the outcome (velocity.0, impulses.0, energy.after, steps), a varied path, or an "
          "expression of these";
    }
    return message;
  };
  std::vector<std::string> taken{"stop"};
  for (const Varied& one : varied_) taken.push_back(one.name);
  measures_ = read_measures(request.measures, {find, complaint}, taken);
  values_.numbers.assign(fields_.size(), kUnknownNumber);
  values_.words.resize(fields_.size());
}

std::unique_ptr<PointRunner> ProblemRunner::clone() const {
  return std::make_unique<ProblemRunner>(*this);
}

std::vector<std::string> ProblemRunner::columns() const {
  std::vector<std::string> columns;
  for (const Measure& measure : measures_) columns.push_back(measure.column);
  return columns;
}

void ProblemRunner::measure() {
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    if (varied_number_[i] < varied_.size()) {
      values_.numbers[i] = numbers_[varied_number_[i]];
    } else if (fields_[i].number) {
      values_.numbers[i] = fields_[i].number(outcome_);
    } else {
      values_.words[i] = fields_[i].word(outcome_);
    }
  }
}

PointResult ProblemRunner::run(std::span<const Value> values, const std::atomic<bool>* /*interrupted*/) {
  PointResult result;
  std::vector<Value>& cells = result.rows.emplace_back();
  try {
    for (std::size_t v = 0; v < varied_.size(); ++v) {
      if (varied_[v].path) {
        varied_[v].path->set(problem_, values[v]);
      } else {
        law_ = &impact_law(values[v].text());
      }
      numbers_[v] = number_or_none(values[v]);
    }
    solver_.solve(problem_, *law_, outcome_);
  } catch (const InputError& error) {
    cells.resize(measures_.size());
    result.stop = fmt::format("{}: {}", kind_name(error.kind()), error.what());
    return result;
  }
  measure();
  for (const Measure& measure : measures_) cells.push_back(cell_of(measure, values_));
  result.stop = stop_name(outcome_.stop);
  return result;
}

void ProblemRunner::keep_record(std::span<const Value> /*values*/, const std::string& /*path*/) {
  throw InputError(Kind::unsupported, "--keep", "an impact problem has no record; records are kept of scenes only");
}

}  // namespace carom::sweep
