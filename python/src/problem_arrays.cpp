#include "problem_arrays.h"

#include <fmt/format.h>

#include <cmath>

#include "carom/base/error.h"
#include "carom/base/nearest_name.h"
#include "carom/laws/impact/registry.h"
#include "carom/scene/problem_file.h"

namespace carom::python {
namespace {

/// Index of a word among the choices of a law's option.
double chosen_index(const std::string& option, const std::string& word) {
  std::vector<std::string_view> known;
  for (const ImpactLaw* law : impact_laws())
    for (const LawParameter& parameter : law->parameters) {
      if (parameter.name != option) continue;
      for (std::size_t i = 0; i < parameter.choices.size(); ++i) {
        if (parameter.choices[i] == word) return static_cast<double>(i);
        known.push_back(parameter.choices[i]);
      }
    }
  if (known.empty())
    throw InputError(Kind::wrong_type, "options." + option,
                     fmt::format("options.{} is '{}', expected a number", option, word));
  throw InputError(Kind::unknown_name, "options." + option, unknown_name_message(option, word, known));
}

}  // namespace

ImpactOptions impact_options(const py::object& given) {
  ImpactOptions options;
  if (given.is_none()) return options;
  if (!py::isinstance<py::dict>(given))
    throw InputError(Kind::wrong_type, "options", "options is no dict, expected one such as {'rest': 1e-12}");
  for (const auto& [key, value] : py::reinterpret_borrow<py::dict>(given)) {
    const std::string name = py::str(key);
    const std::string field = "options." + name;
    if (py::isinstance<py::str>(value)) {
      options.by_law[name] = chosen_index(name, py::str(value));
      continue;
    }
    const double number = real(value, field.c_str());
    if (name == "tolerance") {
      options.tolerance = number;
    } else if (name == "rest") {
      options.rest = number;
    } else if (name == "max_steps") {
      constexpr double kMost = 1e15;
      if (!(number >= 0.0) || number > kMost || number != std::floor(number))
        throw InputError(Kind::out_of_range, field,
                         fmt::format("{} is {}, expected a whole number from 0 to 1e15", field, number));
      options.max_steps = static_cast<long>(number);
    } else {
      options.by_law[name] = number;
    }
  }
  validate_law_options(options);
  return options;
}

ProblemArrays::ProblemArrays(const ProblemArguments& arguments, Batch batch) : batch_(batch) {
  const Reals velocity = reals(arguments.velocity, "velocity");
  const py::ssize_t axes = velocity.ndim();
  if (axes != 1 && !(batch_ == Batch::many && axes == 2)) require_shape(velocity, "velocity", {-1});
  const py::ssize_t n = velocity.shape(axes - 1);
  if (n > static_cast<py::ssize_t>(scene::kMostCoordinates))
    throw InputError(Kind::limit, "velocity",
                     fmt::format("velocity has {} entries, at most {} are possible", n, scene::kMostCoordinates));
  if (n == 0) throw InputError(Kind::size_mismatch, "velocity", "velocity has no entries, expected one at least");
  n_ = static_cast<int>(n);
  velocity_ = rows(velocity, "velocity", {n});

  const Reals metric = reals(arguments.metric, "metric");
  diagonal_ = metric.ndim() == 1;
  if (batch_ == Batch::many && metric.ndim() == 2 && metric.shape(1) == n && metric.shape(0) != n)
    throw InputError(
        Kind::size_mismatch, "metric",
        fmt::format("metric has the shape {}, expected ({}, {}) or ({},) for all problems, or (problems, {}, "
                    "{}); diagonals of each problem are given as such matrices",
                    shape_of(metric), n, n, n, n, n));
  metric_ = diagonal_ ? rows(metric, "metric", {n}) : rows(metric, "metric", {n, n});

  const Reals normals = reals(arguments.normals, "normals");
  const py::ssize_t normal_axes = normals.ndim();
  const py::ssize_t m = normal_axes >= 2 ? normals.shape(normal_axes - 2) : 0;
  m_ = static_cast<int>(m);
  normals_ = rows(normals, "normals", {normal_axes >= 2 ? m : -1, n});

  if (!arguments.tangents.is_none()) {
    const Reals array = reals(arguments.tangents, "tangents");
    const bool one_row =
        array.ndim() == 2;  // with many problems too: for each of them (problems, m, t, n) is asked for
    t_ = one_row || array.ndim() < 2 ? 1 : static_cast<int>(array.shape(array.ndim() - 2));
    tangents_ = one_row ? rows(array, "tangents", {m, n}) : rows(array, "tangents", {m, t_, n});
  }
  if (!arguments.tangent_offsets.is_none()) {
    const Reals array = reals(arguments.tangent_offsets, "tangent_offsets");
    const bool one = t_ == 1 && array.ndim() == 1;
    tangent_offsets_ = one ? rows(array, "tangent_offsets", {m}) : rows(array, "tangent_offsets", {m, t_});
  }
  if (!arguments.persistent.is_none()) {
    const Reals array = reals(arguments.persistent, "persistent");
    k_ = array.ndim() >= 2 ? static_cast<int>(array.shape(array.ndim() - 2)) : 0;
    persistent_ = rows(array, "persistent", {array.ndim() >= 2 ? k_ : -1, n});
  }
  if (!arguments.supports.is_none()) {
    const Reals array = reals(arguments.supports, "supports");
    require_shape(array, "supports", {-1});
    for (py::ssize_t i = 0; i < array.size(); ++i) {
      const double row = array.data()[i];
      if (!(row >= 0.0 && row < k_) || row != std::floor(row))
        throw InputError(Kind::out_of_range, "supports",
                         fmt::format("supports[{}] is {}, expected the number of a row of persistent, of which there "
                                     "are {}",
                                     i, row, k_));
      supports_.push_back(static_cast<int>(row));
    }
  }
  restitution_ = per_contact(arguments.restitution, "restitution");
  offsets_ = per_contact(arguments.offsets, "offsets");
  friction_ = per_contact(arguments.friction, "friction");
  rough_ = per_contact(arguments.rough, "rough");
  require_truths(rough_, "rough");
  tangential_restitution_ = per_contact(arguments.tangential_restitution, "tangential_restitution");
  stiffness_ = per_contact(arguments.stiffness, "stiffness");
  stiffness_ratio_ = per_contact(arguments.tangential_stiffness_ratio, "tangential_stiffness_ratio");
  options_ = impact_options(arguments.options);
}

void ProblemArrays::take_batch(py::ssize_t length, const char* field) {
  if (counted_by_ != nullptr && static_cast<std::size_t>(length) != count_)
    throw InputError(
        Kind::size_mismatch, field,
        fmt::format("{} has {} problems along its first axis, and {} has {}", field, length, counted_by_, count_));
  count_ = static_cast<std::size_t>(length);
  counted_by_ = field;
}

Rows ProblemArrays::rows(const Reals& array, const char* field, std::initializer_list<py::ssize_t> shape) {
  Rows rows;
  const auto axes = static_cast<py::ssize_t>(shape.size());
  const bool many = batch_ == Batch::many && array.ndim() == axes + 1;
  bool fits = many || array.ndim() == axes;
  std::size_t size = 1;
  py::ssize_t axis = many ? 1 : 0;
  for (const py::ssize_t length : shape) {
    fits = fits && array.shape(axis) == length;
    ++axis;
    size *= static_cast<std::size_t>(length < 0 ? 0 : length);
  }
  if (!fits) {
    std::vector<py::ssize_t> expected(shape);
    std::string text;
    for (const py::ssize_t length : expected)
      text += (text.empty() ? "" : ", ") + (length < 0 ? "rows" : std::to_string(length));
    throw InputError(Kind::size_mismatch, field,
                     fmt::format("{} has the shape {}, expected ({}{}){}", field, shape_of(array), text,
                                 expected.size() == 1 ? "," : "",
                                 batch_ == Batch::many ? ", or that with the problems as a first axis" : ""));
  }
  if (many) {
    take_batch(array.shape(0), field);
    rows.stride = size;
  }
  rows.data = array.data();
  rows.owner = array;
  return rows;
}

void ProblemArrays::require_truths(const PerContact& values, const char* field) const {
  if (!values.given()) return;
  for (std::size_t problem = 0; problem < (values.varies() ? count_ : 1); ++problem)
    for (int contact = 0; contact < (values.for_all() ? 1 : m_); ++contact)
      if (const double value = values.at(problem, contact); value != 0.0 && value != 1.0)
        throw InputError(Kind::out_of_range, field, fmt::format("{} is {}, expected True or False", field, value));
}

PerContact ProblemArrays::per_contact(const py::object& value, const char* field) {
  PerContact numbers;
  if (value.is_none()) return numbers;
  if (PyFloat_CheckExact(value.ptr()) != 0) {
    numbers.alone = PyFloat_AS_DOUBLE(value.ptr());
    return numbers;
  }
  const Reals array = reals(value, field);
  numbers.data = array.data();
  numbers.owner = array;
  if (array.ndim() == 0) return numbers;
  const bool many = batch_ == Batch::many && array.ndim() == 2;
  const py::ssize_t last = array.shape(array.ndim() - 1);
  const bool one_for_all = many && last == 1;
  if ((array.ndim() != 1 && !many) || (last != m_ && !one_for_all)) {
    const std::string one_each = m_ == 1 ? "" : fmt::format(", (problems, {}),", m_);
    const std::string hint =
        batch_ == Batch::many ? fmt::format(", ({},){} or (problems, 1) for one number of each problem", m_, one_each)
                              : fmt::format(" or ({},)", m_);
    throw InputError(Kind::size_mismatch, field,
                     fmt::format("{} has the shape {}, expected one number{}", field, shape_of(array), hint));
  }
  numbers.contact_stride = one_for_all ? 0 : 1;
  if (many) {
    take_batch(array.shape(0), field);
    numbers.stride = static_cast<std::size_t>(last);
  }
  return numbers;
}

void ProblemArrays::write(std::size_t index, ImpactProblem& problem, bool is_new) const {
  const auto due = [is_new](const auto& rows) { return rows.given() && (is_new || rows.varies()); };
  using RowsMap = Eigen::Map<const Matrix>;
  using VectorMap = Eigen::Map<const Vector>;
  if (is_new) {
    problem.coordinates.clear();
    problem.persistent.resize(0, 0);
    problem.supports = supports_;
    problem.options = options_;
    problem.restitution = 1.0;
    problem.diagonal = diagonal_;
    problem.contacts.resize(static_cast<std::size_t>(m_));
  }
  if (due(velocity_)) problem.velocity = VectorMap(velocity_.of(index), n_);
  if (due(metric_)) {
    if (diagonal_) {
      problem.metric.setZero(n_, n_);
      problem.metric.diagonal() = VectorMap(metric_.of(index), n_);
    } else {
      problem.metric = RowsMap(metric_.of(index), n_, n_);
    }
  }
  if (due(persistent_)) problem.persistent = RowsMap(persistent_.of(index), k_, n_);
  if (due(restitution_) && restitution_.for_all()) problem.restitution = *restitution_.of(index);
  for (int i = 0; i < m_; ++i) {
    Contact& contact = problem.contacts[static_cast<std::size_t>(i)];
    if (is_new) {
      contact.name.clear();
      contact.offset = 0.0;
      contact.tangents.resize(0, 0);
      contact.tangent_offsets.resize(0);
      contact.restitution.reset();
      contact.tangential_restitution.reset();
      contact.stiffness = 1.0;
      contact.friction = 0.0;
      contact.rough = false;
      contact.tangential_stiffness_ratio.reset();
      contact.known = {};
    }
    if (due(normals_)) contact.normal = VectorMap(normals_.of(index) + static_cast<std::ptrdiff_t>(i) * n_, n_);
    if (due(tangents_))
      contact.tangents = RowsMap(tangents_.of(index) + static_cast<std::ptrdiff_t>(i) * t_ * n_, t_, n_);
    if (due(tangent_offsets_))
      contact.tangent_offsets = VectorMap(tangent_offsets_.of(index) + static_cast<std::ptrdiff_t>(i) * t_, t_);
    if (due(restitution_) && !restitution_.for_all()) contact.restitution = restitution_.at(index, i);
    if (due(offsets_)) contact.offset = offsets_.at(index, i);
    if (due(friction_)) contact.friction = friction_.at(index, i);
    if (due(rough_)) contact.rough = rough_.at(index, i) != 0.0;
    if (due(tangential_restitution_)) contact.tangential_restitution = tangential_restitution_.at(index, i);
    if (due(stiffness_)) contact.stiffness = stiffness_.at(index, i);
    if (due(stiffness_ratio_)) contact.tangential_stiffness_ratio = stiffness_ratio_.at(index, i);
  }
}

bool ProblemArrays::vary(ImpactBatch& batch) const {
  for (const Rows* rows : {&tangents_, &tangent_offsets_, &persistent_})
    if (rows->varies()) return false;
  for (const PerContact* numbers : {&rough_, &tangential_restitution_, &stiffness_ratio_})
    if (numbers->varies()) return false;
  batch.size = count_;
  const std::pair<const Rows*, BatchInput*> of_rows[] = {
      {&metric_, &batch.metric}, {&velocity_, &batch.velocity}, {&normals_, &batch.normals}};
  for (const auto& [rows, input] : of_rows)
    if (rows->varies()) *input = {rows->data, static_cast<std::ptrdiff_t>(rows->stride), 1};
  const std::pair<const PerContact*, BatchInput*> of_contacts[] = {{&offsets_, &batch.offsets},
                                                                   {&restitution_, &batch.restitution},
                                                                   {&friction_, &batch.friction},
                                                                   {&stiffness_, &batch.stiffness}};
  for (const auto& [numbers, input] : of_contacts)
    if (numbers->varies())
      *input = {numbers->data, static_cast<std::ptrdiff_t>(numbers->stride),
                static_cast<std::ptrdiff_t>(numbers->contact_stride)};
  return true;
}

}  // namespace carom::python
