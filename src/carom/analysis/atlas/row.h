#pragma once
/// One row of an atlas: the outcomes of all laws in its cells, in the kinetic frame of atlas.h.

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "carom/analysis/atlas/family.h"
#include "carom/analysis/atlas/friction_class.h"
#include "carom/laws/impact/impact_solver.h"

namespace carom::atlas {

/// What one law makes of the cells of a row.
struct LawRow {
  std::vector<double> after;  ///< u⁺ (cells×n)
  std::vector<double> steps;
  std::vector<Stop> stop;
  std::vector<Flags> flags;
  std::vector<SlipClass> mode;           ///< where the problem has friction, else `slides`
  std::vector<SolutionCount> solutions;  ///< where they are counted
};

struct Row {
  int dof = 0;                             ///< n
  std::vector<double> before;              ///< u⁻ (cells×n), unit vectors; zero where v⁻ is zero
  std::vector<std::uint32_t> approaching;  ///< bit i: contact i approaches
  std::vector<LawRow> laws;
};

/// Solves rows; one for each thread, with memory of its own.
class RowSolver {
 public:
  /// Where `interrupted` turns true, rows are left incomplete; it may be null.
  RowSolver(const Family& family, std::span<const ImpactLaw* const> laws, const std::atomic<bool>* interrupted);

  /// What is said of friction costs time and is worked out on request only.
  void ask_for_modes() { modes_ = true; }
  void ask_for_solutions() { solutions_ = true; }

  /// The outcomes at (xs[j], y), valid until the next call. Throws what the problem of a cell throws.
  const Row& solve(std::span<const double> xs, double y);

 private:
  [[nodiscard]] bool in_batch(const ImpactLaw& law) const;
  void solve_cells(std::span<const double> xs, double y);
  void solve_corners(std::span<const double> xs, double y, LawRow& row);
  void set_corner_approach(std::span<const double> xs, double y);

  const Family& family_;
  std::span<const ImpactLaw* const> laws_;
  const std::atomic<bool>* interrupted_;
  bool modes_ = false;
  bool solutions_ = false;
  ImpactProblem problem_;
  ImpactSolver solver_;
  ImpactOutcome outcome_;
  Row row_;
  struct Corners {
    std::vector<double> restitution, slope, x, y, after_x, after_y;
    std::vector<std::int32_t> steps;
    std::vector<corner::Stop> stop;
  } corners_;
};

}  // namespace carom::atlas
