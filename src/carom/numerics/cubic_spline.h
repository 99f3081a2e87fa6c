#pragma once
/// The cubic spline through given points, twice continuously differentiable on the whole line.
///
/// Between two knots, with h = t₁ − t₀, a = (t₁ − t)/h, b = (t − t₀)/h and the second derivatives M at the knots,
///   s = a y₀ + b y₁ + ((a³ − a) M₀ + (b³ − b) M₁) h²/6,
/// and continuity of s′ at the inner knots is a tridiagonal system for M. What is left to choose are the ends:
///   natural   M = 0 there, and beyond them s goes on as a straight line;
///   rest      s′ = M = 0 there, and beyond them s keeps its value; the first and the last interval get a knot of their
///             own in the middle, which gives the two numbers that this takes;
///   periodic  s repeats itself with the length of the table; first and last value are the same.

#include <vector>

namespace carom {

enum class SplineEnds { natural, rest, periodic };

/// Least and greatest value of something.
struct ValueRange {
  double low = 0.0;
  double high = 0.0;

  [[nodiscard]] double largest() const { return low + high > 0.0 ? high : -low; }  ///< of the absolute value
  [[nodiscard]] double middle() const { return 0.5 * (low + high); }
  [[nodiscard]] double half() const { return 0.5 * (high - low); }
  void include(double value) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
};

/// A function of time and its first two derivatives, at one time.
struct Jet {
  double value = 0.0;
  double rate = 0.0;
  double acceleration = 0.0;
};

/// The same over a stretch of time: between which numbers each of them stays.
struct JetRange {
  ValueRange value, rate, acceleration;
};

class CubicSpline {
 public:
  /// Times ascending, as many values, all finite; at least two, of a periodic spline three. Asserted, not checked.
  CubicSpline(std::vector<double> times, std::vector<double> values, SplineEnds ends);

  [[nodiscard]] Jet at(double time) const;
  /// Ranges over [from, to], `to` at most longest_window(from) later. Those of rate and acceleration are sharp, that of
  /// the value is so up to an eighth of M h² for each piece.
  [[nodiscard]] JetRange over(double from, double to) const;

  /// The first knot after a time, infinite where there is none: the third derivative jumps there.
  [[nodiscard]] double next_knot(double time) const;
  /// Windows this long or shorter have few knots.
  [[nodiscard]] double longest_window(double from) const;

  [[nodiscard]] SplineEnds ends() const { return ends_; }
  [[nodiscard]] const std::vector<double>& times() const { return times_; }    ///< knots
  [[nodiscard]] const std::vector<double>& values() const { return values_; }  ///< there
  [[nodiscard]] const std::vector<double>& bends() const { return bends_; }    ///< second derivatives there

 private:
  void solve_natural();
  void solve_rest();
  void solve_periodic();
  [[nodiscard]] double period() const { return times_.back() - times_.front(); }
  /// The time within the table that stands for this one.
  [[nodiscard]] double folded(double time) const;
  /// Number of the piece that a time falls into: 0 before the first knot, times.size() after the last.
  [[nodiscard]] std::size_t piece_at(double time) const;
  [[nodiscard]] Jet on_piece(std::size_t piece, double time) const;
  void include_pieces(double from, double to, JetRange& range) const;

  std::vector<double> times_, values_, bends_;
  SplineEnds ends_;
};

}  // namespace carom
