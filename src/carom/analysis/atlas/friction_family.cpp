/// Any impact problem with friction over the direction of its approach and the coefficient of friction.
///
/// At a contact, or in the mean of all contacts, the gap rate γ and the first component s of the slip are turned:
///   (γ, s) = c (−cos φ, sin φ),  c the length that they have in the problem,
/// so that φ = 0 strikes head-on and ±90° only slips. The other rates of the problem (of the other contacts where one
/// was chosen, and of persistent constraints) stay as they are; what they leave open changes as little as the kinetic
/// metric allows: v = v⁻ + G⁻¹Rᵀ(R G⁻¹ Rᵀ)⁺ Δr for the rows R of all these rates. So v is a + b cos φ + c sin φ.

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <numbers>
#include <vector>

#include "carom/analysis/atlas/family.h"
#include "carom/base/error.h"
#include "carom/base/utf8.h"
#include "carom/numerics/ranked_system.h"

namespace carom::atlas {
namespace {

bool slips(const Contact& contact) {
  return contact.tangents.rows() > 0;
}

/// The rates that are turned or kept: their rows, and their values before.
struct Rates {
  std::vector<Vector> rows;
  std::vector<double> values;

  void add(const Vector& row, double offset, const ImpactProblem& problem) {
    rows.push_back(row);
    values.push_back(row.dot(problem.velocity) + offset);
  }
};

double tangent_offset(const Contact& contact, Eigen::Index k) {
  return contact.tangent_offsets.size() > 0 ? contact.tangent_offsets[k] : 0.0;
}

void add_contact(const Contact& contact, const ImpactProblem& problem, Rates& rates) {
  rates.add(contact.normal, contact.offset, problem);
  for (Eigen::Index k = 0; k < contact.tangents.rows(); ++k)
    rates.add(contact.tangents.row(k).transpose(), tangent_offset(contact, k), problem);
}

/// The chosen contact first, then the others.
Rates rates_of_contact(const ImpactProblem& problem, const std::string& name) {
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const Contact& contact = problem.contacts[i];
    if (contact.name != name && fmt::format("{}", i) != name) continue;
    if (!slips(contact))
      throw InputError(
          Kind::missing_field, "--contact",
          fmt::format("contact '{}' has no tangents, so that it approaches in one direction only", printable(name)));
    Rates rates;
    add_contact(contact, problem, rates);
    for (std::size_t j = 0; j < problem.contacts.size(); ++j)
      if (j != i) add_contact(problem.contacts[j], problem, rates);
    return rates;
  }
  throw InputError(Kind::unknown_name, "--contact", fmt::format("the problem has no contact '{}'", printable(name)));
}

Rates mean_rates(const ImpactProblem& problem) {
  Vector normal = Vector::Zero(problem.velocity.size()), tangent = normal;
  double offset = 0.0, slip_offset = 0.0, count = 0.0;
  for (const Contact& contact : problem.contacts) {
    if (!slips(contact)) continue;
    count += 1.0;
    normal += contact.normal;
    tangent += contact.tangents.row(0).transpose();
    offset += contact.offset;
    slip_offset += tangent_offset(contact, 0);
  }
  if (count == 0.0)
    throw InputError(Kind::missing_field, "contacts", "no contact of the problem has tangents, so that none can slip");
  Rates rates;
  rates.add(normal / count, offset / count, problem);
  rates.add(tangent / count, slip_offset / count, problem);
  return rates;
}

/// The least velocities that change one of the two turned rates by one and no other rate.
Matrix unit_changes(const ImpactProblem& problem, const Rates& rates) {
  const auto count = static_cast<Eigen::Index>(rates.rows.size());
  Matrix rows(count, problem.velocity.size());
  for (Eigen::Index k = 0; k < count; ++k) rows.row(k) = rates.rows[static_cast<std::size_t>(k)].transpose();
  const Eigen::LLT<Eigen::MatrixXd> factor(problem.metric);
  if (factor.info() != Eigen::Success)
    throw InputError(Kind::metric_not_positive_definite, "metric", "metric is not positive definite");
  const Eigen::MatrixXd answer = factor.solve(rows.transpose());
  Matrix inertance = rows * answer;
  const Vector scale = inertance.diagonal().cwiseSqrt().cwiseInverse();
  inertance = (scale.asDiagonal() * inertance * scale.asDiagonal()).eval();
  RankedSystem system;
  system.compute(inertance.data(), static_cast<int>(count));
  Matrix changes(2, problem.velocity.size());
  for (Eigen::Index k = 0; k < 2; ++k) {
    Vector wanted = Vector::Zero(count), push(count);
    wanted[k] = scale[k];
    system.solve(wanted.data(), push.data());
    if ((inertance * push - wanted).norm() > 1e-9 * wanted.norm())
      throw InputError(Kind::usage, "--contact",
                       "the direction of approach cannot be turned while the other contacts move as they do; without "
                       "--contact the mean of all contacts is turned");
    changes.row(k) = (answer * scale.cwiseProduct(push)).transpose();
  }
  return changes;
}

}  // namespace

Family friction_family(ImpactProblem problem, const std::string& contact) {
  Rates rates = contact.empty() ? mean_rates(problem) : rates_of_contact(problem, contact);
  for (Eigen::Index k = 0; k < problem.persistent.rows(); ++k)
    rates.add(problem.persistent.row(k).transpose(), 0.0, problem);
  const Matrix changes = unit_changes(problem, rates);
  const double length = std::hypot(rates.values[0], rates.values[1]);
  const double speed = length > 0.0 ? length : 1.0;
  const Vector rest =
      problem.velocity - changes.row(0).transpose() * rates.values[0] - changes.row(1).transpose() * rates.values[1];
  constexpr double kQuarterTurn = std::numbers::pi / 2;

  Family family;
  family.name = "friction";
  family.title = contact.empty() ? std::string("approach of all contacts") : "approach of " + contact;
  family.x = {"direction", "direction of approach φ [°]", true, {-kQuarterTurn, kQuarterTurn}, {}};
  family.y = {"friction", "coefficient of friction μ", false, {0.0, 1.5}, {0.0, 1e6}};
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const std::string& name = problem.contacts[i].name;
    family.contacts.push_back(name.empty() ? fmt::format("contact {}", i) : name);
  }
  family.pattern = std::move(problem);
  family.fill = [changes, rest, speed](double direction, double friction, ImpactProblem& cell) {
    cell.velocity = rest - speed * std::cos(direction) * changes.row(0).transpose() +
                    speed * std::sin(direction) * changes.row(1).transpose();
    for (Contact& one : cell.contacts) {
      if (!slips(one)) continue;
      one.friction = friction;
      one.rough = false;
    }
  };
  return family;
}

}  // namespace carom::atlas
