/// Many points of an impact problem at once: values into arrays, the arrays through ImpactBatchSolver, results into
/// lines of the table. A row of text costs more than a small impact, so nothing is allocated for it.

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "carom/analysis/sweep/problem_runner.h"
#include "carom/analysis/sweep/table_text.h"
#include "carom/base/error.h"
#include "carom/base/number.h"

namespace carom::sweep {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// A number in the way of append_cell_of.
void append_value(std::string& line, double value, bool whole) {
  if (!whole) {
    append_shortest(line, value);
    return;
  }
  char digits[24];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, static_cast<std::int64_t>(value));
  line.append(digits, end);
}

}  // namespace

/// Whether every path is a number that batches have an array for.
bool ProblemRunner::takes_blocks() const {
  for (const Varied& one : varied_) {
    if (!one.path || !one.path->takes_number() || one.path->field() == ProblemPath::Field::other) return false;
  }
  return true;
}

/// The numbers of all points, in arrays that hold those of one coordinate or contact together.
void ProblemRunner::fill_block(const SweepPlan& plan, std::span<const std::size_t> points) {
  using Field = ProblemPath::Field;
  const std::size_t size = points.size(), paths = varied_.size();
  const std::size_t n = static_cast<std::size_t>(problem_.velocity.size()), m = problem_.contacts.size();
  block_.varied.resize(size * paths);
  block_.whole.resize(size * paths);
  const auto varies = [this](Field field) {
    for (const Varied& one : varied_)
      if (one.path->field() == field) return true;
    return false;
  };
  const auto make = [&](Field field, std::vector<double>& array, std::size_t entries) {
    array.resize(varies(field) ? size * entries : 0);
    return !array.empty();
  };
  const bool metric = make(Field::metric, block_.metric, n * n);
  const bool velocity = make(Field::velocity, block_.velocity, n);
  const bool normals = make(Field::normal, block_.normals, m * n);
  const bool offsets = make(Field::offset, block_.offsets, m);
  const bool restitution = make(Field::restitution, block_.restitution, m);
  const bool friction = make(Field::friction, block_.friction, m);
  const bool stiffness = make(Field::stiffness, block_.stiffness, m);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t v = 0; v < paths; ++v) {
      const Value value = plan.value(points[i], v);
      block_.whole[i * paths + v] = value.is(Value::Type::integer) ? 1 : 0;
      block_.varied[i * paths + v] = value.number();
      varied_[v].path->set(problem_, value.number());
    }
    for (std::size_t k = 0; metric && k < n * n; ++k) block_.metric[k * size + i] = problem_.metric.data()[k];
    for (std::size_t k = 0; velocity && k < n; ++k) block_.velocity[k * size + i] = problem_.velocity.data()[k];
    for (std::size_t c = 0; c < m; ++c) {
      const Contact& contact = problem_.contacts[c];
      for (std::size_t k = 0; normals && k < n; ++k) block_.normals[(c * n + k) * size + i] = contact.normal.data()[k];
      if (offsets) block_.offsets[c * size + i] = contact.offset;
      if (restitution) block_.restitution[c * size + i] = problem_.restitution_of(contact);
      if (friction) block_.friction[c * size + i] = contact.friction;
      if (stiffness) block_.stiffness[c * size + i] = contact.stiffness;
    }
  }
}

void ProblemRunner::solve_block(std::size_t size) {
  const auto count = static_cast<std::ptrdiff_t>(size);
  const auto input = [count](const std::vector<double>& array) {
    return array.empty() ? BatchInput{} : BatchInput{array.data(), 1, count};
  };
  ImpactBatch batch{.size = size, .problem = problem_};
  batch.metric = input(block_.metric);
  batch.velocity = input(block_.velocity);
  batch.normals = input(block_.normals);
  batch.offsets = input(block_.offsets);
  batch.restitution = input(block_.restitution);
  batch.friction = input(block_.friction);
  batch.stiffness = input(block_.stiffness);
  ImpactBatchResults results;
  block_.stop.resize(size);
  results.stop = block_.stop;
  bool in_columns = true;
  for (std::size_t f = 0; f < fields_.size(); ++f)
    in_columns = in_columns && (varied_number_[f] < varied_.size() || fields_[f].column != OutcomeField::Column::none);
  block_.named.clear();
  if (in_columns) {
    block_.velocity_after.resize(size * static_cast<std::size_t>(problem_.velocity.size()));
    block_.impulses.resize(size * problem_.contacts.size());
    block_.steps.resize(size);
    results.velocity = {block_.velocity_after.data(), 1, count};
    results.impulses = {block_.impulses.data(), 1, count};
    results.steps = block_.steps;
  } else {
    // Something of the audit is measured: whole outcomes are looked at.
    block_.named.resize(size * fields_.size());
    results.outcome = [this](std::size_t i, const ImpactOutcome& outcome) {
      for (std::size_t f = 0; f < fields_.size(); ++f)
        block_.named[i * fields_.size() + f] = fields_[f].number ? fields_[f].number(outcome) : kUnknown;
    };
  }
  block_.errors = block_.solver.solve(batch, *law_, results);
}

/// The values of all names at point i of the block.
void ProblemRunner::read_results(std::size_t i) {
  using Column = OutcomeField::Column;
  const std::size_t size = block_.stop.size();
  for (std::size_t f = 0; f < fields_.size(); ++f) {
    const OutcomeField& field = fields_[f];
    double& number = values_.numbers[f];
    if (varied_number_[f] < varied_.size()) {
      number = block_.varied[i * varied_.size() + varied_number_[f]];
    } else if (field.column == Column::stop) {
      values_.words[f] = stop_name(block_.stop[i]);
    } else if (!block_.named.empty()) {
      number = block_.named[i * fields_.size() + f];
    } else if (field.column == Column::steps) {
      number = block_.steps[i];
    } else {
      const std::vector<double>& column = field.column == Column::velocity ? block_.velocity_after : block_.impulses;
      number = column[field.entry * size + i];
    }
  }
}

bool ProblemRunner::append_lines(const SweepPlan& plan, std::span<const std::size_t> points, std::string& lines) {
  for (const auto& field : fields_)
    if (field.word && field.column != OutcomeField::Column::stop) return false;
  if (!takes_blocks()) return false;
  fill_block(plan, points);
  solve_block(points.size());
  auto error = block_.errors.begin();
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t v = 0; v < varied_.size(); ++v) {
      append_value(lines, block_.varied[i * varied_.size() + v], block_.whole[i * varied_.size() + v] != 0);
      lines += ',';
    }
    if (error != block_.errors.end() && error->problem == i) {
      lines.append(measures_.size(), ',');
      append_cell(lines, fmt::format("{}: {}", kind_name(error->error.kind()), error->error.what()));
      ++error;
    } else {
      read_results(i);
      for (const Measure& measure : measures_) {
        const int name = measure.expression.single_name();
        const bool is_word = name >= 0 && !values_.words[static_cast<std::size_t>(name)].empty();
        if (is_word) {
          lines += values_.words[static_cast<std::size_t>(name)];
        } else if (const double number = measure.expression.value(values_.numbers); !std::isnan(number)) {
          append_shortest(lines, number);
        }
        lines += ',';
      }
      lines += stop_name(block_.stop[i]);
    }
    lines += '\n';
  }
  return true;
}

}  // namespace carom::sweep
