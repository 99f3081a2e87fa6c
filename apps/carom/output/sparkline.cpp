#include "output/sparkline.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "common/text_table.h"

namespace carom::app {
namespace {

constexpr std::size_t kMostBuckets = 1024;
constexpr int kLabelWidth = 12;
constexpr int kMostCells = 60;
constexpr int kLeastCells = 10;

std::vector<double> means(const std::vector<double>& values, std::size_t cells) {
  std::vector<double> result;
  for (std::size_t k = 0; k < cells; ++k) {
    const std::size_t first = k * values.size() / cells;
    const std::size_t end = std::max((k + 1) * values.size() / cells, first + 1);
    double sum = 0.0;
    for (std::size_t i = first; i < end; ++i) sum += values[i];
    result.push_back(sum / static_cast<double>(end - first));
  }
  return result;
}

std::string line(const std::string& label, const std::string& blocks, const std::string& range) {
  return fmt::format("{}{}{}  {}\n", label, std::string(static_cast<std::size_t>(kLabelWidth) - label.size(), ' '),
                     blocks, range);
}

}  // namespace

std::string sparkline(const std::vector<double>& values, int cells) {
  constexpr std::array<const char*, 8> kBlocks = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  if (values.empty() || cells <= 0) return {};
  const std::vector<double> shown = means(values, static_cast<std::size_t>(cells));
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double value : shown) {
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  std::string text;
  for (const double value : shown) {
    if (!std::isfinite(value)) {
      text += ' ';
      continue;
    }
    const double height = high > low ? (value - low) / (high - low) : 0.0;
    text += kBlocks[std::min(static_cast<std::size_t>(height * kBlocks.size()), kBlocks.size() - 1)];
  }
  return text;
}

void EnergySparkline::Extremes::add(double value, bool first) {
  if (!std::isfinite(value)) return;
  low = first ? value : std::min(low, value);
  high = first ? value : std::max(high, value);
}

void EnergySparkline::sample(const State& state, const EnergyBook& book) {
  const bool first = buckets_.empty();
  const double potential = book.now.total() - book.now.kinetic;
  if (first || buckets_.back().samples >= static_cast<double>(samples_per_bucket_)) {
    if (buckets_.size() == kMostBuckets) halve();
    buckets_.emplace_back();
  }
  Bucket& bucket = buckets_.back();
  bucket.kinetic += book.now.kinetic;
  bucket.potential += potential;
  bucket.dissipated += book.dissipated();
  bucket.samples += 1.0;
  bucket.impacts += waiting_impacts_;
  waiting_impacts_ = 0.0;
  kinetic_.add(book.now.kinetic, first);
  potential_.add(potential, first);
  dissipated_.add(book.dissipated(), first);
  time_ = state.time;
}

void EnergySparkline::event(const EventRecord& event) {
  const bool impact = event.kind == EventKind::impact || event.kind == EventKind::contact_start;
  if (!impact || event.time == last_impact_) return;
  last_impact_ = event.time;
  waiting_impacts_ += 1.0;
  impacts_ += 1.0;
}

void EnergySparkline::progress(double, long) {}

void EnergySparkline::halve() {
  std::vector<Bucket> halved;
  halved.reserve(kMostBuckets);
  for (std::size_t i = 0; i + 1 < buckets_.size(); i += 2) {
    const Bucket& a = buckets_[i];
    const Bucket& b = buckets_[i + 1];
    halved.push_back({a.kinetic + b.kinetic, a.potential + b.potential, a.dissipated + b.dissipated,
                      a.samples + b.samples, a.impacts + b.impacts});
  }
  buckets_.swap(halved);
  samples_per_bucket_ *= 2;
}

std::string EnergySparkline::text(int width) const {
  constexpr int kRoomForNumbers = 26;
  const int cells = std::min(width - kLabelWidth - kRoomForNumbers, kMostCells);
  constexpr std::size_t kLeastBuckets = 3;
  if (cells < kLeastCells || buckets_.size() < kLeastBuckets) return {};
  std::string text;
  const auto add = [&](const char* label, const Extremes& extremes, double Bucket::*part) {
    if (extremes.low == 0.0 && extremes.high == 0.0) return;
    std::vector<double> values;
    for (const Bucket& bucket : buckets_) values.push_back(bucket.*part / bucket.samples);
    text +=
        line(label, sparkline(values, cells), fmt::format("{} … {} J", cell(extremes.low, 4), cell(extremes.high, 4)));
  };
  add("kinetic", kinetic_, &Bucket::kinetic);
  add("potential", potential_, &Bucket::potential);
  add("dissipated", dissipated_, &Bucket::dissipated);
  if (impacts_ > 0.0) {
    std::vector<double> density;
    for (const Bucket& bucket : buckets_) density.push_back(std::log1p(bucket.impacts));
    text += line("impacts", sparkline(density, cells), fmt::format("{:.0f} in {} s", impacts_, cell(time_, 4)));
  }
  return text;
}

int terminal_width() {
  if (::isatty(STDERR_FILENO) != 1) return 0;
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : kTerminalWidth;
}

}  // namespace carom::app
