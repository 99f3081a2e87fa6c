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
                  {"remaining", json_number(remaining(report, goal))}};
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
  return text;
}

Progress::Progress(ProgressStyle style, Goal goal, std::FILE* out)
    : style_(style), goal_(goal), out_(out), start_(std::chrono::steady_clock::now()), next_report_(interval(style)) {}

Progress::~Progress() {
  constexpr const char* kEraseLine = "\r\033[K";
  if (!bar_drawn_) return;
  std::fputs(kEraseLine, out_);
  std::fflush(out_);
}

void Progress::sample(const State& state, const EnergyBook& /*book*/) {
  latest_.time = state.time;
  report_if_due();
}

void Progress::event(const EventRecord& event) {
  latest_.time = event.time;
  ++latest_.events;
}

void Progress::progress(double time, long events) {
  latest_.time = time;
  latest_.events = events;
  report_if_due();
}

void Progress::report_if_due() {
  if (style_ == ProgressStyle::none) return;
  latest_.elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  if (latest_.elapsed < next_report_) return;
  next_report_ = latest_.elapsed + interval(style_);
  const std::string line = progress_line(latest_, goal_, style_);
  if (style_ == ProgressStyle::bar) {
    fmt::print(out_, "\r{}\033[K", line);
    bar_drawn_ = true;
  } else {
    fmt::print(out_, "{}\n", line);
  }
  std::fflush(out_);
}

}  // namespace carom::app
