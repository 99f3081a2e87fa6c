#pragma once
/// Points of a sweep over an impact problem: prepared once, then numbers are changed and the problem is solved again,
/// without allocating.

#include "carom/analysis/problem_path.h"
#include "carom/analysis/sweep/measure.h"
#include "carom/analysis/sweep/outcome_field.h"
#include "carom/analysis/sweep/point_runner.h"
#include "carom/analysis/sweep/variation.h"
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
  void keep_record(std::span<const Value> values, const std::string& path) override;

 private:
  struct Varied {
    std::optional<ProblemPath> path;  ///< none: the law
    std::string name;
  };

  void read_measures_of(const ProblemRequest& request);
  void measure();

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
};

}  // namespace carom::sweep
