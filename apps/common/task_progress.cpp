#include "common/task_progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "carom/base/json.h"

namespace carom::app {
namespace {

std::string line_of(ProgressStyle style, const std::string& what, double done, double all, double remaining) {
  if (style == ProgressStyle::json) {
    return Json{{"task", what}, {"done", done}, {"all", all}, {"remaining", json_number(remaining)}}.dump();
  }
  constexpr int kBarLength = 30;
  const double share = all > 0.0 ? std::clamp(done / all, 0.0, 1.0) : 1.0;
  std::string text;
  if (style == ProgressStyle::bar) {
    const int full = static_cast<int>(share * kBarLength);
    text += fmt::format("[{:#<{}}{:.<{}}] ", "", full, "", kBarLength - full);
  }
  return text + fmt::format("{:3.0f} %  {}, {:.0f} s left", 100.0 * share, what, remaining);
}

}  // namespace

TaskProgress::~TaskProgress() {
  constexpr const char* kEraseLine = "\r\033[K";
  if (!bar_drawn_) return;
  std::fputs(kEraseLine, stderr);
  std::fflush(stderr);
}

void TaskProgress::report(double done, double all) {
  if (style_ == ProgressStyle::none) return;
  const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  if (elapsed < next_ || !(done > 0.0)) return;
  next_ = elapsed + (style_ == ProgressStyle::bar ? 0.1 : 1.0);
  const std::string line = line_of(style_, what_, done, all, elapsed * (all - done) / done);
  // Nobody may be there to read it any more: that ends no task.
  std::fputs((style_ == ProgressStyle::bar ? "\r" + line + "\033[K" : line + "\n").c_str(), stderr);
  bar_drawn_ = style_ == ProgressStyle::bar;
  std::fflush(stderr);
}

}  // namespace carom::app
