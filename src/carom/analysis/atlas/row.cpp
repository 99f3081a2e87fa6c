#include "carom/analysis/atlas/row.h"

#include <Eigen/Cholesky>
#include <cmath>

#include "carom/laws/corner/batch.h"
#include "carom/laws/corner/iteration.h"
#include "carom/laws/impact/registry.h"

namespace carom::atlas {
namespace {

Stop stop_of(corner::Stop stop) {
  switch (stop) {
    case corner::Stop::z0: return Stop::separated;
    case corner::Stop::rest: return Stop::at_rest;
    case corner::Stop::step_limit: break;
  }
  return Stop::step_limit;
}

/// The kinetic frame of one problem: G = LLᵀ, lengths relative to ‖v⁻‖_G.
class Frame {
 public:
  explicit Frame(const ImpactProblem& problem) : factor_(problem.metric) {
    const double speed = (factor_.matrixU() * problem.velocity).norm();
    scale_ = speed > 0.0 ? 1.0 / speed : 0.0;
  }
  void write(const Vector& velocity, double* target) const {
    Eigen::Map<Vector>(target, velocity.size()) = (factor_.matrixU() * velocity) * scale_;
  }
  /// √(n G⁻¹ nᵀ)
  [[nodiscard]] double dual_norm(const Vector& row) const { return factor_.matrixL().solve(row).norm(); }

 private:
  Eigen::LLT<Eigen::MatrixXd> factor_;
  double scale_ = 0.0;
};

std::uint32_t approaching_contacts(const ImpactProblem& problem, const ImpactOutcome& outcome, const Frame& frame) {
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < problem.contacts.size() && i < 32; ++i) {
    const double least =
        problem.options.tolerance * outcome.reference_speed * frame.dual_norm(problem.contacts[i].normal);
    if (-outcome.rate_before[i] > least) bits |= 1u << i;
  }
  return bits;
}

}  // namespace

RowSolver::RowSolver(const Family& family, std::span<const ImpactLaw* const> laws, const std::atomic<bool>* interrupted)
    : family_(family), laws_(laws), interrupted_(interrupted), problem_(family.pattern) {
  row_.dof = static_cast<int>(family.pattern.velocity.size());
  row_.laws.resize(laws.size());
}

/// The disk in a corner under the rule of its paper, many at a time.
bool RowSolver::in_batch(const ImpactLaw& law) const {
  return family_.corner && &law == &kGeometricLaw;
}

const Row& RowSolver::solve(std::span<const double> xs, double y) {
  const std::size_t count = xs.size();
  row_.before.assign(count * static_cast<std::size_t>(row_.dof), 0.0);
  row_.approaching.assign(count, 0);
  bool others = false;
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    LawRow& row = row_.laws[i];
    row.after.resize(row_.before.size());
    row.steps.resize(count);
    row.stop.resize(count);
    row.flags.assign(count, {});
    row.mode.assign(count, SlipClass::slides);
    row.solutions.assign(count, SolutionCount::none);
    others = others || !in_batch(*laws_[i]);
  }
  if (others) solve_cells(xs, y);
  if (family_.corner) {
    set_corner_approach(xs, y);
    for (std::size_t i = 0; i < laws_.size(); ++i) {
      if (in_batch(*laws_[i])) solve_corners(xs, y, row_.laws[i]);
    }
  }
  return row_;
}

void RowSolver::solve_cells(std::span<const double> xs, double y) {
  const auto dof = static_cast<std::size_t>(row_.dof);
  Vector after(row_.dof);
  for (std::size_t j = 0; j < xs.size(); ++j) {
    if (interrupted_ != nullptr && *interrupted_) return;
    family_.fill(xs[j], y, problem_);
    // The problem is checked by the solver before it is looked at here.
    bool framed = false;
    for (std::size_t i = 0; i < laws_.size(); ++i) {
      if (in_batch(*laws_[i])) continue;
      solver_.solve(problem_, *laws_[i], outcome_);
      const Frame frame(problem_);
      if (!framed) {
        frame.write(problem_.velocity, row_.before.data() + j * dof);
        row_.approaching[j] = approaching_contacts(problem_, outcome_, frame);
        framed = true;
      }
      LawRow& row = row_.laws[i];
      for (int k = 0; k < row_.dof; ++k) after[k] = outcome_.velocity[k];
      frame.write(after, row.after.data() + j * dof);
      row.steps[j] = static_cast<double>(outcome_.steps);
      row.stop[j] = outcome_.stop;
      row.flags[j] = outcome_.audit.flags;
      if (modes_ && finished(outcome_.stop)) row.mode[j] = slip_class(problem_, outcome_);
      if (solutions_ && row_.approaching[j] != 0)
        row.solutions[j] = count_solutions(solver_, problem_, *laws_[i], outcome_);
    }
  }
}

/// The zone of v⁻ as the corner algorithm sees it.
void RowSolver::set_corner_approach(std::span<const double> xs, double y) {
  const corner::Thresholds thresholds;
  for (std::size_t j = 0; j < xs.size(); ++j) {
    const CornerCell cell = family_.corner(xs[j], y);
    const double slope = std::tan(cell.alpha);
    const double speed = std::hypot(cell.velocity.x, cell.velocity.y);
    row_.before[2 * j] = cell.velocity.x / speed;
    row_.before[2 * j + 1] = cell.velocity.y / speed;
    const double least = thresholds.approach *
                         corner::threshold_scale(cell.velocity.x * cell.velocity.x + cell.velocity.y * cell.velocity.y);
    const bool wall_1 = slope * cell.velocity.x - cell.velocity.y > least;
    const bool wall_2 = slope * cell.velocity.x + cell.velocity.y > least;
    row_.approaching[j] = (wall_1 ? 1u : 0u) | (wall_2 ? 2u : 0u);
  }
}

void RowSolver::solve_corners(std::span<const double> xs, double y, LawRow& row) {
  const std::size_t count = xs.size();
  for (auto* list :
       {&corners_.restitution, &corners_.slope, &corners_.x, &corners_.y, &corners_.after_x, &corners_.after_y}) {
    list->resize(count);
  }
  corners_.steps.resize(count);
  corners_.stop.resize(count);
  for (std::size_t j = 0; j < count; ++j) {
    const CornerCell cell = family_.corner(xs[j], y);
    corners_.restitution[j] = cell.restitution;
    corners_.slope[j] = std::tan(cell.alpha);
    corners_.x[j] = cell.velocity.x;
    corners_.y[j] = cell.velocity.y;
  }
  corner::solve_batch({corners_.restitution, corners_.slope, corners_.x, corners_.y},
                      {corners_.after_x, corners_.after_y, corners_.steps, corners_.stop});
  for (std::size_t j = 0; j < count; ++j) {
    const double speed = std::hypot(corners_.x[j], corners_.y[j]);
    row.after[2 * j] = corners_.after_x[j] / speed;
    row.after[2 * j + 1] = corners_.after_y[j] / speed;
    row.steps[j] = static_cast<double>(corners_.steps[j]);
    row.stop[j] = stop_of(corners_.stop[j]);
  }
}

}  // namespace carom::atlas
