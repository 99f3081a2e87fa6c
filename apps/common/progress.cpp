#include "common/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "carom/base/json.h"
#include "common/text_table.h"

namespace carom::app {
namespace {

struct StyleName {
  ProgressStyle style;
  std::string_view name;
};

constexpr StyleName kStyles[] = {{ProgressStyle::bar, "bar"},
                                 {ProgressStyle::plain, "plain"},
                                 {ProgressStyle::json, "json"},
                                 {ProgressStyle::none, "none"}};

/// Wall time between reports [s].
double interval(ProgressStyle style) {
  return style == ProgressStyle::bar ? 0.1 : 1.0;
}

/// Wall time that is left if the run goes on as it did [s]; none before anything is done.
std::optional<double> remaining(const ProgressReport& report, const Goal& goal) {
  const double done = fraction_done(report, goal);
  if (!(done > 0.0)) return std::nullopt;
  return report.elapsed * (1.0 - done) / done;
}

std::string duration_text(std::optional<double> seconds) {
  if (!seconds) return "?";
  if (*seconds < 100.0) return fmt::format("{:.0f} s", *seconds);
  if (*seconds < 6000.0) return fmt::format("{:.0f} min", *seconds / 60.0);
  return fmt::format("{:.1f} h", *seconds / 3600.0);
}

std::string json_line(const ProgressReport& report, const Goal& goal) {
  const Json json{{"time", json_number(report.time)},
                  {"duration", json_number(goal.duration)},
                  {"events", report.events},
                  {"fraction", json_number(fraction_done(report, goal))},
                  {"elapsed", json_number(report.elapsed)},
                  {"remaining", json_number(remaining(report, goal))},
                  {"busy", report.busy == nullptr ? Json() : Json(report.busy)}};
  return json.dump();
}

}  // namespace

std::vector<std::string_view> progress_names() {
  std::vector<std::string_view> names;
  for (const StyleName& style : kStyles) names.push_back(style.name);
  return names;
}

ProgressStyle progress_style(const std::string* name) {
  const bool terminal = ::isatty(STDERR_FILENO) == 1;
  if (name == nullptr) return terminal ? ProgressStyle::bar : ProgressStyle::none;
  ProgressStyle style = ProgressStyle::none;
  for (const StyleName& candidate : kStyles) {
    if (candidate.name == *name) style = candidate.style;
  }
  return style == ProgressStyle::bar && !terminal ? ProgressStyle::plain : style;
}

double fraction_done(const ProgressReport& report, const Goal& goal) {
  double done = std::isfinite(goal.duration) && goal.duration > 0.0 ? report.time / goal.duration : 0.0;
  if (goal.max_events > 0) {
    done = std::max(done, static_cast<double>(report.events) / static_cast<double>(goal.max_events));
  }
  return std::clamp(done, 0.0, 1.0);
}

std::string progress_line(const ProgressReport& report, const Goal& goal, ProgressStyle style) {
  if (style == ProgressStyle::json) return json_line(report, goal);
  constexpr int kBarLength = 30;
  const double done = fraction_done(report, goal);
  std::string text;
  if (style == ProgressStyle::bar) {
    const int full = static_cast<int>(done * kBarLength);
    text += fmt::format("[{:#<{}}{:.<{}}] ", "", full, "", kBarLength - full);
  }
  text += fmt::format("{:3.0f} %  {} of {} s, {}, {} left", 100.0 * done, cell(report.time, 5), cell(goal.duration, 5),
                      counted(report.events, "event"), duration_text(remaining(report, goal)));
  if (report.busy != nullptr) text += fmt::format("; busy with {}", report.busy);
  return text;
}

Progress::Progress(ProgressStyle style, std::FILE* out)
    : style_(style), out_(out), watched_(Activity::own()), start_(std::chrono::steady_clock::now()) {
  if (style_ != ProgressStyle::none) reporter_ = std::thread([this] { report_until_the_end(); });
}

Progress::~Progress() {
  constexpr const char* kEraseLine = "\r\033[K";
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  ending_.notify_all();
  if (reporter_.joinable()) reporter_.join();
  if (!bar_drawn_) return;
  std::fputs(kEraseLine, out_);
  std::fflush(out_);
}

void Progress::set_goal(const Goal& goal) {
  const std::lock_guard lock(mutex_);
  goal_ = goal;
  has_goal_ = true;
}

// ------------------------------------------------------------------------------------------------ in the run's thread

void Progress::reach(double time) {
  if (time > time_.load(std::memory_order_relaxed)) time_.store(time, std::memory_order_relaxed);
}

void Progress::sample(const State& state, const EnergyBook& /*book*/) {
  reach(state.time);
}

void Progress::event(const EventRecord& event) {
  reach(event.time);
  ++events_seen_;
  events_.store(std::max(events_seen_, events_.load(std::memory_order_relaxed)), std::memory_order_relaxed);
}

void Progress::progress(double time, long events) {
  reach(time);
  events_.store(std::max(events, events_.load(std::memory_order_relaxed)), std::memory_order_relaxed);
}

// ------------------------------------------------------------------------------------------------ in its own thread

void Progress::report_until_the_end() {
  std::unique_lock lock(mutex_);
  double last_time = -1.0;
  const auto pause = std::chrono::duration<double>(interval(style_));
  while (!ending_.wait_for(lock, pause, [this] { return ended_; })) {
    const double time = time_.load(std::memory_order_relaxed);
    report(last_time);
    last_time = time;
  }
}

ProgressReport Progress::latest(double last_time) const {
  ProgressReport report;
  report.time = time_.load(std::memory_order_relaxed);
  report.events = events_.load(std::memory_order_relaxed);
  report.elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  if (report.time <= last_time || !has_goal_) report.busy = watched_.what.load(std::memory_order_relaxed);
  return report;
}

/// Nobody may be there to read it any more: that ends no run.
void Progress::report(double last_time) {
  const ProgressReport now = latest(last_time);
  std::string line;
  if (has_goal_ || style_ == ProgressStyle::json) {
    line = progress_line(now, goal_, style_);
  } else if (now.busy != nullptr) {
    line = fmt::format("busy with {}", now.busy);
  } else {
    return;
  }
  line = style_ == ProgressStyle::bar ? "\r" + line + "\033[K" : line + "\n";
  bar_drawn_ = style_ == ProgressStyle::bar;
  std::fputs(line.c_str(), out_);
  std::fflush(out_);
}

}  // namespace carom::app
