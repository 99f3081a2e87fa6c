#include "carom/mechanics/impact_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/base/error.h"

namespace carom {

namespace {

constexpr double kSymmetry = 1e-12;

bool all_finite(const double* data, Eigen::Index count) {
  // A sum of zeros is zero unless something was not finite; one comparison for the whole array.
  double sum = 0.0;
  for (Eigen::Index i = 0; i < count; ++i) sum += data[i] * 0.0;
  return sum == 0.0;
}

template <class Values>
bool all_finite(const Values& values) {
  return all_finite(values.data(), values.size());
}

[[noreturn]] void not_finite(const std::string& field, double value) {
  throw InputError{Kind::not_finite, field, fmt::format("{} is {}, expected a finite number", field, value)};
}

void require_finite(const Vector& values, const std::string& field) {
  for (Eigen::Index i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i])) not_finite(fmt::format("{}.{}", field, i), values[i]);
}

void require_finite(const Matrix& values, const std::string& field) {
  for (Eigen::Index i = 0; i < values.rows(); ++i)
    for (Eigen::Index j = 0; j < values.cols(); ++j)
      if (!std::isfinite(values(i, j))) not_finite(fmt::format("{}.{}.{}", field, i, j), values(i, j));
}

[[noreturn]] void wrong_size(const std::string& field, Eigen::Index size, Eigen::Index expected) {
  throw InputError{Kind::size_mismatch, field,
                   fmt::format("{} has {} entries, expected {} as in velocity", field, size, expected)};
}

void require_range(const std::string& field, double value, double low, double high) {
  if (std::isnan(value) || std::isinf(value)) not_finite(field, value);
  if (value < low || value > high)
    throw InputError{Kind::out_of_range, field,
                     fmt::format("{} is {}, expected a number from {} to {}", field, value, low, high)};
}

void check_metric(const ImpactProblem& problem) {
  const Eigen::Index n = problem.velocity.size();
  const Matrix& g = problem.metric;
  if (g.rows() != n || g.cols() != n)
    throw InputError{
        Kind::size_mismatch, "metric",
        fmt::format("metric is {}×{}, expected {}×{} as velocity has {} entries", g.rows(), g.cols(), n, n, n)};
  if (problem.diagonal) {
    for (Eigen::Index i = 0; i < n; ++i)
      if (!std::isfinite(g(i, i))) not_finite(fmt::format("metric.{}.{}", i, i), g(i, i));
    return;
  }
  if (!all_finite(g)) require_finite(g, "metric");
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < i; ++j) {
      const double difference = g(i, j) - g(j, i);
      if (difference == 0.0) continue;
      // Relative to √(G_ii G_jj), the natural bound of an entry; where the diagonal is not positive, to the entry.
      const double diagonal = g(i, i) > 0.0 && g(j, j) > 0.0 ? std::sqrt(g(i, i)) * std::sqrt(g(j, j)) : 0.0;
      const double bound = std::max({diagonal, std::abs(g(i, j)), std::abs(g(j, i))});
      if (std::abs(difference) > kSymmetry * bound)
        throw InputError{Kind::metric_not_symmetric, fmt::format("metric.{}.{}", j, i),
                         fmt::format("metric is not symmetric: entry ({}, {}) is {} and entry ({}, {}) is {}", j, i,
                                     g(j, i), i, j, g(i, j))};
    }
}

void check_friction(const Contact& contact, std::size_t index) {
  const auto field = [index](const char* name) { return fmt::format("contacts.{}.{}", index, name); };
  if (!std::isfinite(contact.friction))
    throw InputError{Kind::not_finite, field("friction"),
                     fmt::format("{} is {}, expected a finite number; a contact that never slips is `rough`",
                                 field("friction"), contact.friction)};
  if (contact.friction < 0.0)
    throw InputError{Kind::out_of_range, field("friction"),
                     fmt::format("{} is {}, expected a number from 0", field("friction"), contact.friction)};
  if (contact.friction > 0.0 && contact.tangents.rows() == 0)
    throw InputError{
        Kind::missing_field, field("tangents"),
        fmt::format("{} is missing: friction {} needs the rows of slip", field("tangents"), contact.friction)};
  const double ratio = contact.tangential_stiffness_ratio.value_or(1.0);
  if (!std::isfinite(ratio)) not_finite(field("tangential_stiffness_ratio"), ratio);
  if (!(ratio > 0.0))
    throw InputError{Kind::out_of_range, field("tangential_stiffness_ratio"),
                     fmt::format("{} is {}, expected a number above 0", field("tangential_stiffness_ratio"), ratio)};
}

struct RowContents {
  bool finite = true;
  bool zero = true;
};

/// Of a row of a contact.
RowContents contents_of(const Contact& contact, const double* row, Eigen::Index n) {
  RowContents contents;
  contact.visit_known(static_cast<int>(n), [&](int first, int count) {
    contents.finite = contents.finite && all_finite(row + first, count);
    contents.zero =
        contents.zero && std::all_of(row + first, row + first + count, [](double entry) { return entry == 0.0; });
  });
  return contents;
}

void check_contact(const ImpactProblem& problem, std::size_t index) {
  const Contact& contact = problem.contacts[index];
  const Eigen::Index n = problem.velocity.size();
  const auto field = [index](const char* name) { return fmt::format("contacts.{}.{}", index, name); };
  if (contact.normal.size() != n) wrong_size(field("normal"), contact.normal.size(), n);
  const RowContents contents = contents_of(contact, contact.normal.data(), n);
  if (!contents.finite) require_finite(contact.normal, field("normal"));
  if (contents.zero)
    throw InputError{Kind::zero_normal, field("normal"),
                     fmt::format("{} is all zeros, expected a direction", field("normal"))};
  if (!std::isfinite(contact.offset)) not_finite(field("offset"), contact.offset);
  if (contact.restitution && !(*contact.restitution >= 0.0 && *contact.restitution <= 1.0))
    require_range(field("restitution"), *contact.restitution, 0.0, 1.0);
  if (contact.tangential_restitution &&
      !(*contact.tangential_restitution >= -1.0 && *contact.tangential_restitution <= 1.0))
    require_range(field("tangential_restitution"), *contact.tangential_restitution, -1.0, 1.0);
  if (!(contact.stiffness > 0.0) || !std::isfinite(contact.stiffness)) {
    if (!std::isfinite(contact.stiffness)) not_finite(field("stiffness"), contact.stiffness);
    throw InputError{Kind::out_of_range, field("stiffness"),
                     fmt::format("{} is {}, expected a number above 0", field("stiffness"), contact.stiffness)};
  }
  check_friction(contact, index);
  if (contact.tangents.size() > 0 || contact.tangents.rows() > 0) {
    if (contact.tangents.cols() != n) wrong_size(field("tangents.0"), contact.tangents.cols(), n);
    for (Eigen::Index t = 0; t < contact.tangents.rows(); ++t) {
      const RowContents slip = contents_of(contact, contact.tangents.data() + t * n, n);
      if (!slip.finite) require_finite(contact.tangents, field("tangents"));
      if (slip.zero)
        throw InputError{Kind::zero_normal, fmt::format("contacts.{}.tangents.{}", index, t),
                         fmt::format("contacts.{}.tangents.{} is all zeros, expected a direction", index, t)};
    }
  }
  if (contact.tangent_offsets.size() > 0) {
    if (contact.tangent_offsets.size() != contact.tangents.rows())
      throw InputError{Kind::size_mismatch, field("tangent_offsets"),
                       fmt::format("{} has {} entries, expected {}, one for each row of tangents",
                                   field("tangent_offsets"), contact.tangent_offsets.size(), contact.tangents.rows())};
    if (!all_finite(contact.tangent_offsets)) require_finite(contact.tangent_offsets, field("tangent_offsets"));
  }
}

void check_options(const ImpactOptions& options) {
  const auto check = [](const char* field, double value) {
    if (!std::isfinite(value)) not_finite(field, value);
    if (value < 0.0 || value >= 1.0)
      throw InputError{Kind::out_of_range, field,
                       fmt::format("{} is {}, expected a number from 0 to below 1", field, value)};
  };
  check("options.tolerance", options.tolerance);
  check("options.rest", options.rest);
  if (options.max_steps < 0)
    throw InputError{Kind::out_of_range, "options.max_steps",
                     fmt::format("options.max_steps is {}, expected a whole number from 0", options.max_steps)};
}

}  // namespace

void validate(const ImpactProblem& problem) {
  const Eigen::Index n = problem.velocity.size();
  if (n == 0) throw InputError{Kind::size_mismatch, "velocity", "velocity is empty, expected at least one entry"};
  if (!all_finite(problem.velocity)) require_finite(problem.velocity, "velocity");
  check_metric(problem);
  if (problem.persistent.rows() > 0) {
    if (problem.persistent.cols() != n) wrong_size("persistent.0", problem.persistent.cols(), n);
    if (!all_finite(problem.persistent)) require_finite(problem.persistent, "persistent");
  }
  for (std::size_t i = 0; i < problem.supports.size(); ++i)
    if (problem.supports[i] < 0 || problem.supports[i] >= problem.persistent.rows())
      throw InputError{Kind::out_of_range, fmt::format("supports.{}", i),
                       fmt::format("supports.{} is {}, expected the index of a persistent row (there are {})", i,
                                   problem.supports[i], problem.persistent.rows())};
  if (!(problem.restitution >= 0.0 && problem.restitution <= 1.0))
    require_range("restitution", problem.restitution, 0.0, 1.0);
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) check_contact(problem, i);
  check_options(problem.options);
}

}  // namespace carom
