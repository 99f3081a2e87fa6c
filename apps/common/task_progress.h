#pragma once
/// How far a task has come that is no run, in the styles of progress.h.

#include <chrono>
#include <string>

#include "common/progress.h"

namespace carom::app {

class TaskProgress {
 public:
  /// `what` is being done, as the lines on standard error say.
  TaskProgress(ProgressStyle style, std::string what) : style_(style), what_(std::move(what)) {}
  /// Removes the bar.
  ~TaskProgress();
  TaskProgress(const TaskProgress&) = delete;
  TaskProgress& operator=(const TaskProgress&) = delete;

  void report(double done, double all);

 private:
  ProgressStyle style_;
  std::string what_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double next_ = 0.1;  ///< wall time of the next report [s]
  bool bar_drawn_ = false;
};

}  // namespace carom::app
