#pragma once
/// Carries out single points of a sweep: of a scene (scene_runner.h) or of an impact problem (problem_runner.h).

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "carom/analysis/sweep/sweep_plan.h"
#include "carom/scene/value.h"

namespace carom::sweep {

struct PointResult {
  std::vector<std::vector<Value>> rows;  ///< the measures, one row or several
  std::string stop;                      ///< how it ended; of what could not be run or did not finish with the reason
  bool interrupted = false;              ///< it is not known yet
};

class PointRunner {
 public:
  PointRunner() = default;
  PointRunner& operator=(const PointRunner&) = delete;
  virtual ~PointRunner() = default;

  /// One for another thread.
  [[nodiscard]] virtual std::unique_ptr<PointRunner> clone() const = 0;
  /// Names of the measures, in the order of the cells.
  [[nodiscard]] virtual std::vector<std::string> columns() const = 0;
  /// Runs the point at which the varied paths have these values. Bad values are a result, not an exception.
  virtual PointResult run(std::span<const Value> values, const std::atomic<bool>* interrupted) = 0;
  /// Rows of some points as lines of CSV, added to a text: the varied values, the cells, `stop`. False, and nothing
  /// added, where points are run one by one.
  virtual bool append_lines(const SweepPlan& /*plan*/, std::span<const std::size_t> /*points*/,
                            std::string& /*lines*/) {
    return false;
  }
  /// Runs it again and keeps a record. Throws InputError where the record cannot be written, or there is none.
  virtual void keep_record(std::span<const Value> values, const std::string& path) = 0;

 protected:
  PointRunner(const PointRunner&) = default;
};

}  // namespace carom::sweep
