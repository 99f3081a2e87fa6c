#pragma once
/// Arithmetic of named numbers: `0.5*velocity.ball.speed^2`, `max(energy.final, 0)/energy.initial`.
///
/// + − * / ^ (from the right, before the sign), brackets, pi, and the functions abs sqrt exp log log10 sin cos tan asin
/// acos atan sign floor round of one number, atan2 min max hypot of two. Angles in radians.
///
/// A name is a dotted path; parts in quotation marks may hold anything. Names may hold `-`: of `a-b` the longest
/// beginning that is a name is taken for one.

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/analysis/sweep/marked_text.h"

namespace carom::sweep {

/// What knows names: the number of a name's value among all that are used, or −1 where there is no such name.
struct Names {
  std::function<int(std::string_view name)> find;
  /// What to say about a name that is not found, with the nearest known one.
  std::function<std::string(std::string_view name)> complaint;
};

class Expression {
 public:
  /// Reads a part of the text. Throws InputError that underlines the mistake: `syntax`, `unknown_name`.
  Expression(const MarkedText& marked, std::string_view part, const Names& names);

  /// `values[k]` is the value of the name that Names::find has given the number k.
  [[nodiscard]] double value(std::span<const double> values) const;
  /// The number of the name that is the whole expression; −1 where it is more than that.
  [[nodiscard]] int single_name() const;

 private:
  friend class ExpressionReader;
  enum class Operation { number, name, add, subtract, multiply, divide, power, negate, one, two };
  struct Step {
    Operation operation = Operation::number;
    double number = 0.0;
    int index = 0;  ///< of a name or a function
  };

  std::vector<Step> steps_;  ///< operands first
  std::size_t depth_ = 0;    ///< most operands that wait
};

}  // namespace carom::sweep
