#include "carom/numerics/cubic_spline.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/assert.h"

namespace carom {

namespace {

/// Knots of a window, at most.
constexpr std::size_t kKnotsOfWindow = 16;

/// The equations of a spline's second derivatives, one per knot: below·M₋ + diagonal·M + above·M₊ = right.
struct Tridiagonal {
  std::vector<double> below, diagonal, above;

  explicit Tridiagonal(std::size_t size) : below(size, 0.0), diagonal(size, 1.0), above(size, 0.0) {}

  /// By elimination without pivoting: the matrix is diagonally dominant.
  [[nodiscard]] std::vector<double> solve(std::vector<double> right) const {
    const std::size_t size = diagonal.size();
    std::vector<double> factor(size, 0.0);
    double pivot = diagonal[0];
    for (std::size_t i = 0;; ++i) {
      right[i] /= pivot;
      if (i + 1 == size) break;
      factor[i] = above[i] / pivot;
      pivot = diagonal[i + 1] - below[i + 1] * factor[i];
      right[i + 1] -= below[i + 1] * right[i];
    }
    for (std::size_t i = size - 1; i-- > 0;) right[i] -= factor[i] * right[i + 1];
    return right;
  }
};

/// Continuity of s′ at the inner knots; the first and the last equation are left to the ends.
Tridiagonal inner_equations(const std::vector<double>& t) {
  Tridiagonal system(t.size());
  for (std::size_t i = 1; i + 1 < t.size(); ++i) {
    system.below[i] = (t[i] - t[i - 1]) / 6.0;
    system.diagonal[i] = (t[i + 1] - t[i - 1]) / 3.0;
    system.above[i] = (t[i + 1] - t[i]) / 6.0;
  }
  return system;
}

std::vector<double> inner_right(const std::vector<double>& t, const std::vector<double>& y) {
  std::vector<double> right(t.size(), 0.0);
  for (std::size_t i = 1; i + 1 < t.size(); ++i)
    right[i] = (y[i + 1] - y[i]) / (t[i + 1] - t[i]) - (y[i] - y[i - 1]) / (t[i] - t[i - 1]);
  return right;
}

}  // namespace

CubicSpline::CubicSpline(std::vector<double> times, std::vector<double> values, SplineEnds ends)
    : times_(std::move(times)), values_(std::move(values)), ends_(ends) {
  CAROM_ASSERT(times_.size() == values_.size() && times_.size() >= 2);
  switch (ends_) {
    case SplineEnds::natural: solve_natural(); break;
    case SplineEnds::rest: solve_rest(); break;
    case SplineEnds::periodic: solve_periodic(); break;
  }
}

void CubicSpline::solve_natural() {
  bends_ = inner_equations(times_).solve(inner_right(times_, values_));
}

/// Clamped with s′ = 0; the values at the two knots in the middle of the outer intervals follow from M = 0 at the ends,
/// on which they act linearly.
void CubicSpline::solve_rest() {
  const std::size_t given = times_.size();
  const double first = 0.5 * (times_[0] + times_[1]);
  const double last = 0.5 * (times_[given - 2] + times_[given - 1]);
  times_.insert(times_.end() - 1, last);
  values_.insert(values_.end() - 1, 0.0);
  // A table of two rows has one interval: its two knots are at its thirds.
  if (given == 2) {
    const double length = times_.back() - times_.front();
    times_[1] = times_.front() + length / 3.0;
    times_.insert(times_.begin() + 2, times_.front() + 2.0 * length / 3.0);
  } else {
    times_.insert(times_.begin() + 1, first);
  }
  values_.insert(values_.begin() + 1, 0.0);
  const std::size_t size = times_.size();
  Tridiagonal system = inner_equations(times_);
  const double h0 = times_[1] - times_[0], h1 = times_[size - 1] - times_[size - 2];
  system.diagonal[0] = h0 / 3.0;
  system.above[0] = h0 / 6.0;
  system.diagonal[size - 1] = h1 / 3.0;
  system.below[size - 1] = h1 / 6.0;
  const auto solve = [&](const std::vector<double>& y) {
    std::vector<double> right = inner_right(times_, y);
    right[0] = (y[1] - y[0]) / h0;
    right[size - 1] = -(y[size - 1] - y[size - 2]) / h1;
    return system.solve(std::move(right));
  };
  std::vector<double> unit(size, 0.0);
  const std::vector<double> base = solve(values_);
  unit[1] = 1.0;
  const std::vector<double> left = solve(unit);
  unit[1] = 0.0;
  unit[size - 2] = 1.0;
  const std::vector<double> right = solve(unit);
  const double determinant = left[0] * right[size - 1] - right[0] * left[size - 1];
  values_[1] = (right[0] * base[size - 1] - right[size - 1] * base[0]) / determinant;
  values_[size - 2] = (left[size - 1] * base[0] - left[0] * base[size - 1]) / determinant;
  bends_ = solve(values_);
  bends_.front() = bends_.back() = 0.0;
}

/// M is the same at both ends, and so is s′: the cyclic system by two solutions of a tridiagonal one (Sherman and
/// Morrison).
void CubicSpline::solve_periodic() {
  const std::size_t size = times_.size() - 1;  // the last knot is the first
  CAROM_ASSERT(size >= 2);
  Tridiagonal system(size);
  std::vector<double> right(size);
  const auto length = [&](std::size_t i) { return times_[i + 1] - times_[i]; };
  const auto slope = [&](std::size_t i) { return (values_[i + 1] - values_[i]) / length(i); };
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t before = i == 0 ? size - 1 : i - 1;
    system.below[i] = length(before) / 6.0;
    system.diagonal[i] = (length(before) + length(i)) / 3.0;
    system.above[i] = length(i) / 6.0;
    right[i] = slope(i) - slope(before);
  }
  if (size == 2) {  // both neighbours of a knot are the other one
    const double off = system.below[0] + system.above[0];
    const double determinant = system.diagonal[0] * system.diagonal[1] - off * off;
    bends_ = {(system.diagonal[1] * right[0] - off * right[1]) / determinant,
              (system.diagonal[0] * right[1] - off * right[0]) / determinant};
    bends_.push_back(bends_[0]);
    return;
  }
  const double corner = system.below[0];  // that of the last row is the same number
  const double shift = -system.diagonal[0];
  system.diagonal[0] -= shift;
  system.diagonal[size - 1] -= corner * corner / shift;
  std::vector<double> column(size, 0.0);
  column[0] = shift;
  column[size - 1] = corner;
  const std::vector<double> x = system.solve(std::move(right));
  const std::vector<double> z = system.solve(std::move(column));
  const double factor = (x[0] + x[size - 1] * corner / shift) / (1.0 + z[0] + z[size - 1] * corner / shift);
  bends_.resize(size);
  for (std::size_t i = 0; i < size; ++i) bends_[i] = x[i] - factor * z[i];
  bends_.push_back(bends_[0]);
}

double CubicSpline::folded(double time) const {
  if (ends_ != SplineEnds::periodic) return time;
  const double turns = std::floor((time - times_.front()) / period());
  const double inside = time - turns * period();
  return std::clamp(inside, times_.front(), times_.back());
}

std::size_t CubicSpline::piece_at(double time) const {
  return static_cast<std::size_t>(std::upper_bound(times_.begin(), times_.end(), time) - times_.begin());
}

Jet CubicSpline::on_piece(std::size_t piece, double time) const {
  const std::size_t last = times_.size() - 1;
  if (piece == 0 || piece > last) {  // before the first knot, or after the last: M = 0 there
    const std::size_t end = piece == 0 ? 0 : last;
    if (ends_ == SplineEnds::rest) return {values_[end], 0.0, 0.0};
    if (ends_ == SplineEnds::periodic) return on_piece(piece == 0 ? 1 : last, times_[end]);
    const Jet there = on_piece(piece == 0 ? 1 : last, times_[end]);
    return {values_[end] + (time - times_[end]) * there.rate, there.rate, 0.0};
  }
  const double t0 = times_[piece - 1], t1 = times_[piece];
  const double y0 = values_[piece - 1], y1 = values_[piece], m0 = bends_[piece - 1], m1 = bends_[piece];
  const double h = t1 - t0, a = (t1 - time) / h, b = (time - t0) / h;
  return {a * y0 + b * y1 + ((a * a * a - a) * m0 + (b * b * b - b) * m1) * (h * h / 6.0),
          (y1 - y0) / h + ((1.0 - 3.0 * a * a) * m0 + (3.0 * b * b - 1.0) * m1) * (h / 6.0), a * m0 + b * m1};
}

Jet CubicSpline::at(double time) const {
  const double inside = folded(time);
  return on_piece(piece_at(inside), inside);
}

void CubicSpline::include_pieces(double from, double to, JetRange& range) const {
  const auto include = [&range](const Jet& jet) {
    range.value.include(jet.value);
    range.rate.include(jet.rate);
    range.acceleration.include(jet.acceleration);
  };
  const std::size_t first = piece_at(from), last = piece_at(to);
  double begin = from;
  for (std::size_t piece = first; piece <= last; ++piece) {
    const double end = piece == last ? to : times_[piece];
    const Jet one = on_piece(piece, begin), other = on_piece(piece, end);
    include(one);
    include(other);
    const double h = end - begin;
    // Between its ends a piece leaves the straight line by no more than an eighth of the largest acceleration times h².
    const double bulge = 0.125 * h * h * std::max(std::abs(one.acceleration), std::abs(other.acceleration));
    range.value.include(std::min(one.value, other.value) - bulge);
    range.value.include(std::max(one.value, other.value) + bulge);
    if (one.acceleration * other.acceleration < 0.0) {  // the rate turns round in between
      const double turn = one.acceleration / (one.acceleration - other.acceleration);
      range.rate.include(one.rate + 0.5 * one.acceleration * turn * h);
    }
    begin = end;
  }
}

JetRange CubicSpline::over(double from, double to) const {
  const double begin = folded(from);
  const double end = begin + (to - from);
  const Jet here = at(begin);
  JetRange range{{here.value, here.value}, {here.rate, here.rate}, {here.acceleration, here.acceleration}};
  if (ends_ != SplineEnds::periodic || end <= times_.back()) {
    include_pieces(begin, end, range);
    return range;
  }
  include_pieces(begin, times_.back(), range);
  include_pieces(times_.front(), std::min(end - period(), times_.back()), range);
  return range;
}

double CubicSpline::next_knot(double time) const {
  const double inside = folded(time);
  // A knot that round-off alone tells from this time is not the next one.
  const double beyond = inside + 1e-13 * (std::abs(inside) + period());
  const auto next = std::upper_bound(times_.begin(), times_.end(), beyond);
  if (next != times_.end()) return time + (*next - inside);
  if (ends_ != SplineEnds::periodic) return std::numeric_limits<double>::infinity();
  return time + (times_[1] - times_[0]);
}

double CubicSpline::longest_window(double from) const {
  const double inside = folded(from);
  const std::size_t piece = piece_at(inside);
  if (piece + kKnotsOfWindow < times_.size()) return times_[piece + kKnotsOfWindow] - inside;
  if (ends_ == SplineEnds::periodic)
    return times_.back() - inside + times_[std::min(kKnotsOfWindow, times_.size() - 1) - 1] - times_.front();
  return std::numeric_limits<double>::infinity();
}

}  // namespace carom
