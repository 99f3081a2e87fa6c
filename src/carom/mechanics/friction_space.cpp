#include "carom/mechanics/friction_space.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/error.h"
#include "carom/numerics/dense.h"

namespace carom {

using dense::ensure;

namespace {
/// A tangent is fixed by the constraints when less than this of its inertance is left.
constexpr double kFixedTangent = 1e-14;
/// Coulomb's disk lies in the plane of at most this many tangents.
constexpr Eigen::Index kMostTangents = 2;
}  // namespace

void FrictionSpace::prepare(const ImpactProblem& problem, const ContactSpace& space) {
  n_ = space.dof();
  const int movable = space.movable();
  std::size_t capacity = static_cast<std::size_t>(movable);
  bool resists = false;
  for (int r = 0; r < movable; ++r) {
    const Contact& contact = problem.contacts[static_cast<std::size_t>(space.contact(r))];
    if (!contact.resists_slip()) continue;
    resists = true;
    if (contact.tangents.rows() > kMostTangents)
      throw InputError{Kind::size_mismatch, fmt::format("contacts.{}.tangents", space.contact(r)),
                       fmt::format("contacts.{}.tangents has {} rows, expected one or two: friction acts in the plane "
                                   "of contact",
                                   space.contact(r), contact.tangents.rows())};
    capacity += static_cast<std::size_t>(contact.tangents.rows());
  }
  rows_ = 0;
  if (!resists) return;

  ensure(first_row_, movable + 1);
  ensure(problem_row_, capacity);
  ensure(units_, capacity * static_cast<std::size_t>(n_));
  ensure(matrix_, capacity * capacity);
  ensure(rate_, capacity);
  ensure(friction_, movable);
  ensure(tangential_restitution_, movable);
  reference_speed_ = space.reference_speed();
  int problem_row = 0;
  int r = 0;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const Contact& contact = problem.contacts[i];
    const int tangents = static_cast<int>(contact.tangents.rows());
    if (r < movable && space.contact(r) == static_cast<int>(i)) {
      const double root = space.root_inertance(r);
      first_row_[r] = rows_;
      std::copy_n(space.unit_row(r), n_, units_.data() + static_cast<std::ptrdiff_t>(rows_) * n_);
      rate_[rows_] = space.rate_before()[r];
      problem_row_[rows_++] = -1;
      friction_[r] = contact.rough ? std::numeric_limits<double>::infinity() : contact.friction;
      tangential_restitution_[r] =
          contact.rough ? problem.tangential_restitution_of(contact) : contact.tangential_restitution.value_or(0.0);
      for (int t = 0; contact.resists_slip() && t < tangents; ++t) {
        const double* row = contact.tangents.data() + static_cast<std::ptrdiff_t>(t) * n_;
        double* y = units_.data() + static_cast<std::ptrdiff_t>(rows_) * n_;
        space.whiten(contact, row, y);
        const double free_inertance = space.product(contact, y, y);
        space.remove_constrained(y);
        if (!std::isfinite(free_inertance / (root * root)))
          throw InputError{Kind::out_of_range, fmt::format("contacts.{}.tangents.{}", i, t),
                           fmt::format("contacts.{}.tangents.{} is too large for this metric: t G⁻¹ tᵀ is {}", i, t,
                                       free_inertance)};
        if (space.product(contact, y, y) <= kFixedTangent * free_inertance) std::fill_n(y, n_, 0.0);
        contact.visit_known(n_, [&](int first, int entries) {
          for (int k = first; k < first + entries; ++k) y[k] /= root;
        });
        const double offset =
            contact.tangent_offsets.size() > 0 ? contact.tangent_offsets[t] / space.speed_unit() : 0.0;
        rate_[rows_] = (space.product(contact, row, space.velocity()) + offset) / root;
        reference_speed_ = std::max(reference_speed_, std::abs(rate_[rows_]));
        problem_row_[rows_++] = problem_row + t;
      }
      ++r;
    }
    problem_row += tangents;
  }
  first_row_[movable] = rows_;
  std::fill_n(matrix_.data(), static_cast<std::size_t>(rows_) * static_cast<std::size_t>(rows_), 0.0);
  int owner = 0;
  sparse_.read(units_.data(), rows_, n_, [&](int row, const auto& visit) {
    while (row >= first_row_[owner + 1]) ++owner;
    problem.contacts[static_cast<std::size_t>(space.contact(owner))].visit_known(n_, visit);
  });
  for (int a = 0; a < rows_; ++a)
    sparse_.visit_neighbours(a, [&](int b) {
      const double product = sparse_.dot(a, b);
      matrix_[static_cast<std::size_t>(a) * static_cast<std::size_t>(rows_) + static_cast<std::size_t>(b)] = product;
      matrix_[static_cast<std::size_t>(b) * static_cast<std::size_t>(rows_) + static_cast<std::size_t>(a)] = product;
    });
}

}  // namespace carom
