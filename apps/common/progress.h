#pragma once
/// How far a run has come, on standard error: a bar that is redrawn, a line every second, or a JSON object per line.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "carom/record/observer.h"

namespace carom::app {

enum class ProgressStyle { bar, plain, json, none };

std::vector<std::string_view> progress_names();

/// The style of that name; without one a bar on a terminal and nothing elsewhere. A bar that was asked for becomes
/// lines where there is no terminal to redraw it on.
ProgressStyle progress_style(const std::string* name);

/// What a run is to reach; whichever comes first ends it.
struct Goal {
  double duration = 0.0;        ///< model time [s]; may be infinite
  std::int64_t max_events = 0;  ///< 0: no limit
};

/// One report of progress as text.
struct ProgressReport {
  double time = 0.0;  ///< model time [s]
  long events = 0;
  double elapsed = 0.0;  ///< wall time [s]
};

/// Share of the run that is done, in [0, 1].
double fraction_done(const ProgressReport& report, const Goal& goal);
std::string progress_line(const ProgressReport& report, const Goal& goal, ProgressStyle style);

class Progress final : public Observer {
 public:
  Progress(ProgressStyle style, Goal goal, std::FILE* out);
  ~Progress() override;

  void sample(const State& state, const EnergyBook& book) override;
  void event(const EventRecord& event) override;
  void progress(double time, long events) override;

 private:
  void report_if_due();

  ProgressStyle style_;
  Goal goal_;
  std::FILE* out_;
  ProgressReport latest_;
  std::chrono::steady_clock::time_point start_;
  double next_report_;  ///< wall time since the start [s]
  bool bar_drawn_ = false;
};

}  // namespace carom::app
