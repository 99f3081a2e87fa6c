#include "carom/analysis/atlas/friction_class.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "carom/laws/impact/all_outcomes.h"

namespace carom::atlas {
namespace {

/// Slip below this part of the reference speed is none.
constexpr double kNoSlip = 1e-9;

/// Whitened rows without their part in the span of the persistent constraints.
class Inertance {
 public:
  explicit Inertance(const ImpactProblem& problem) : factor_(problem.metric) {
    for (Eigen::Index k = 0; k < problem.persistent.rows(); ++k) {
      Vector row = whiten(problem.persistent.row(k).transpose());
      const double length = row.norm();
      if (length > 1e-9) constraints_.push_back(row / length);
    }
  }
  [[nodiscard]] Vector whiten(const Vector& row) const {
    Vector y = factor_.matrixL().solve(row);
    for (int pass = 0; pass < 2; ++pass)
      for (const Vector& constraint : constraints_) y -= constraint.dot(y) * constraint;
    return y;
  }

 private:
  Eigen::LLT<Eigen::MatrixXd> factor_;
  std::vector<Vector> constraints_;
};

SlipClass contact_class(const Contact& contact, const Inertance& inertance, const double* before, const double* after,
                        double least) {
  const Eigen::Index count = contact.tangents.rows();
  const Eigen::Map<const Vector> first(before, count), last(after, count);
  const Vector normal = inertance.whiten(contact.normal);
  const bool slipped = first.norm() > least;
  if (slipped) {
    double along = 0.0;  // b·ŝ
    for (Eigen::Index k = 0; k < count; ++k)
      along += inertance.whiten(contact.tangents.row(k).transpose()).dot(normal) * first[k] / first.norm();
    if (contact.friction * along > normal.squaredNorm()) return SlipClass::jams;
  }
  if (last.norm() <= least) return SlipClass::sticks;
  return slipped && first.dot(last) < 0.0 ? SlipClass::reverses : SlipClass::slides;
}

}  // namespace

SlipClass slip_class(const ImpactProblem& problem, const ImpactOutcome& outcome) {
  const Inertance inertance(problem);
  SlipClass found = SlipClass::slides;
  std::size_t row = 0;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const Contact& contact = problem.contacts[i];
    const bool takes_part = contact.resists_slip() && outcome.impulses[i] > 0.0;
    if (takes_part)
      found = std::max(found, contact_class(contact, inertance, outcome.slip_before.data() + row,
                                            outcome.slip_after.data() + row, kNoSlip * outcome.reference_speed));
    row += static_cast<std::size_t>(contact.tangents.rows());
  }
  return found;
}

SolutionCount count_solutions(ImpactSolver& solver, const ImpactProblem& problem, const ImpactLaw& law,
                              ImpactOutcome& outcome) {
  if (finished(outcome.stop) && outcome.audit.flags.has(Flag::outcome_not_unique)) return SolutionCount::continuum;
  find_outcomes(solver, problem, law, OutcomeSearch::several_starts, outcome);
  const std::size_t count = std::max<std::size_t>(outcome.outcomes.size(), finished(outcome.stop) ? 1 : 0);
  return static_cast<SolutionCount>(std::min<std::size_t>(count, static_cast<std::size_t>(SolutionCount::more)));
}

}  // namespace carom::atlas
