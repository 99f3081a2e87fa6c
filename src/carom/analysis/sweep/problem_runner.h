#pragma once
/// Points of a sweep over an impact problem: prepared once, then numbers are changed and the problem is solved again,
/// without allocating; many points at a time where all that is varied are numbers.

#include "carom/analysis/problem_path.h"
#include "carom/analysis/sweep/measure.h"
#include "carom/analysis/sweep/outcome_field.h"
#include "carom/analysis/sweep/point_runner.h"
#include "carom/analysis/sweep/variation.h"
#include "carom/laws/impact/impact_batch.h"
#include "carom/laws/impact/impact_solver.h"

namespace carom::sweep {

struct ProblemRequest {
  ImpactProblem problem;
  std::string law;
  std::vector<Variation> variations;
  std::vector<std::string> measures;  ///< as `--measure`
};

class ProblemRunner : public PointRunner {
 public:
  /// Throws InputError: paths that the problem does not have, measures.
  explicit ProblemRunner(const ProblemRequest& request);

  [[nodiscard]] std::unique_ptr<PointRunner> clone() const override;
  [[nodiscard]] std::vector<std::string> columns() const override;
  PointResult run(std::span<const Value> values, const std::atomic<bool>* interrupted) override;
  bool append_lines(const SweepPlan& plan, std::span<const std::size_t> points, std::string& lines) override;
  void keep_record(std::span<const Value> values, const std::string& path) override;

 private:
  struct Varied {
    std::optional<ProblemPath> path;  ///< none: the law
    std::string name;
  };

  void read_measures_of(const ProblemRequest& request);
  void measure();
  [[nodiscard]] bool takes_blocks() const;
  void fill_block(const SweepPlan& plan, std::span<const std::size_t> points);
  void solve_block(std::size_t size);
  void read_results(std::size_t i);

  ImpactProblem problem_;
  const ImpactLaw* law_;
  std::vector<Varied> varied_;
  std::vector<OutcomeField> fields_;        ///< in the order of the names
  std::vector<std::size_t> varied_number_;  ///< of a name that is a varied path; else the number of variations
  std::vector<Measure> measures_;
  std::vector<double> numbers_;  ///< that are varied, as they are now
  NamedValues values_;
  ImpactSolver solver_;
  ImpactOutcome outcome_;

  /// Points that follow each other, as a batch (problem_lines.cpp).
  struct Block {
    std::vector<double> varied;  ///< values of the paths, point by point
    std::vector<char> whole;     ///< of these: whether it is a whole number, written as such
    std::vector<double> metric, velocity, normals, offsets, restitution, friction, stiffness;
    std::vector<double> velocity_after, impulses, named;
    std::vector<std::int32_t> steps;
    std::vector<Stop> stop;
    std::vector<ImpactBatchError> errors;
    ImpactBatchSolver solver;
  };
  Block block_;
};

}  // namespace carom::sweep
