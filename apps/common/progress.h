#pragma once
/// How far a run has come, on standard error: a bar that is redrawn, a line every second, or a JSON object per line.
///
/// A thread of its own reports, so that something is said also while one event takes long; where the model time stands
/// still it names what the run is busy with (carom/base/activity.h).

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "carom/base/activity.h"
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
  double elapsed = 0.0;        ///< wall time [s]
  const char* busy = nullptr;  ///< with what, where the model time stands still
};

/// Share of the run that is done, in [0, 1].
double fraction_done(const ProgressReport& report, const Goal& goal);
std::string progress_line(const ProgressReport& report, const Goal& goal, ProgressStyle style);

/// Watches the thread that makes it. What it reports never goes back.
class Progress final : public Observer {
 public:
  Progress(ProgressStyle style, std::FILE* out);
  ~Progress() override;

  /// Until the goal is known there is nothing to say but what the program is busy with.
  void set_goal(const Goal& goal);

  void sample(const State& state, const EnergyBook& book) override;
  void event(const EventRecord& event) override;
  void progress(double time, long events) override;

 private:
  void reach(double time);
  void report_until_the_end();
  void report(double last_time);
  [[nodiscard]] ProgressReport latest(double last_time) const;

  const ProgressStyle style_;
  std::FILE* const out_;
  const Activity::State& watched_;
  const std::chrono::steady_clock::time_point start_;

  std::atomic<double> time_{0.0};
  std::atomic<long> events_{0};
  long events_seen_ = 0;  ///< of the run's thread

  std::mutex mutex_;  ///< of what follows
  std::condition_variable ending_;
  bool ended_ = false;
  bool has_goal_ = false;
  Goal goal_;
  bool bar_drawn_ = false;
  std::thread reporter_;
};

}  // namespace carom::app
