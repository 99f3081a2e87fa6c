#include "carom/analysis/sweep/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "carom/base/assert.h"
#include "carom/base/nearest_name.h"
#include "carom/base/number.h"
#include "carom/base/utf8.h"

namespace carom::sweep {
namespace {

struct OneFunction {
  std::string_view name;
  double (*of)(double);
};
struct TwoFunction {
  std::string_view name;
  double (*of)(double, double);
};

constexpr OneFunction kOneFunctions[] = {
    {"abs", [](double x) { return std::abs(x); }},
    {"sqrt", [](double x) { return std::sqrt(x); }},
    {"exp", [](double x) { return std::exp(x); }},
    {"log", [](double x) { return std::log(x); }},
    {"log10", [](double x) { return std::log10(x); }},
    {"sin", [](double x) { return std::sin(x); }},
    {"cos", [](double x) { return std::cos(x); }},
    {"tan", [](double x) { return std::tan(x); }},
    {"asin", [](double x) { return std::asin(x); }},
    {"acos", [](double x) { return std::acos(x); }},
    {"atan", [](double x) { return std::atan(x); }},
    {"sign", [](double x) { return x > 0.0   ? 1.0
                                   : x < 0.0 ? -1.0
                                             : x; }},
    {"floor", [](double x) { return std::floor(x); }},
    {"round", [](double x) { return std::round(x); }},
};
constexpr TwoFunction kTwoFunctions[] = {
    {"atan2", [](double y, double x) { return std::atan2(y, x); }},
    {"min", [](double x, double y) { return std::min(x, y); }},
    {"max", [](double x, double y) { return std::max(x, y); }},
    {"hypot", [](double x, double y) { return std::hypot(x, y); }},
};

bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '"';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

/// Recursive descent: sum of products of powers.
class ExpressionReader {
 public:
  ExpressionReader(const MarkedText& marked, std::string_view part, const Names& names, Expression& made)
      : marked_(marked), names_(names), rest_(part), made_(made) {}

  void read_all() {
    read_sum();
    skip_blanks();
    if (!rest_.empty()) throw marked_.error(Kind::syntax, rest_, "the expression is over here, and something follows");
  }

 private:
  using Operation = Expression::Operation;
  static constexpr int kDeepest = 200;

  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t"), rest_.size())); }
  bool take(char c) {
    skip_blanks();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void require(char c) {
    if (!take(c)) throw marked_.error(Kind::syntax, rest_.substr(0, 1), fmt::format("expected '{}' here", c));
  }
  void add(Operation operation, int index = 0) { made_.steps_.push_back({operation, 0.0, index}); }

  void read_sum() {
    if (++nesting_ > kDeepest) throw marked_.error(Kind::limit, rest_, "the expression is nested too deeply");
    read_product();
    while (true) {
      if (take('+')) {
        read_product();
        add(Operation::add);
      } else if (take('-')) {
        read_product();
        add(Operation::subtract);
      } else {
        break;
      }
    }
    --nesting_;
  }
  void read_product() {
    read_signed();
    while (true) {
      if (take('*')) {
        read_signed();
        add(Operation::multiply);
      } else if (take('/')) {
        read_signed();
        add(Operation::divide);
      } else {
        return;
      }
    }
  }
  void read_signed() {
    bool negative = false;
    while (true) {
      if (take('-')) {
        negative = !negative;
      } else if (!take('+')) {
        break;
      }
    }
    read_operand();
    if (take('^')) {
      if (++nesting_ > kDeepest) throw marked_.error(Kind::limit, rest_, "the expression is nested too deeply");
      read_signed();
      --nesting_;
      add(Operation::power);
    }
    if (negative) add(Operation::negate);
  }
  void read_operand() {
    skip_blanks();
    if (take('(')) {
      read_sum();
      require(')');
    } else if (!rest_.empty() && (is_digit(rest_.front()) || rest_.front() == '.')) {
      read_number_here();
    } else if (!rest_.empty() && is_name_start(rest_.front())) {
      read_name_here();
    } else {
      throw marked_.error(Kind::syntax, rest_.substr(0, 1), "expected a number, a name or '(' here");
    }
  }
  void read_number_here() {
    std::size_t length = rest_.find_first_not_of("0123456789.");
    length = std::min(length, rest_.size());
    if (length < rest_.size() && (rest_[length] == 'e' || rest_[length] == 'E')) {
      std::size_t end = length + 1;
      if (end < rest_.size() && (rest_[end] == '+' || rest_[end] == '-')) ++end;
      const std::size_t digits = end;
      while (end < rest_.size() && is_digit(rest_[end])) ++end;
      if (end > digits) length = end;
    }
    const std::string_view text = rest_.substr(0, length);
    const NumberText number = read_number(text);
    if (number.status != NumberStatus::good) {
      throw marked_.error(number.status == NumberStatus::not_finite ? Kind::not_finite : Kind::syntax, text,
                          fmt::format("'{}' is no finite number", printable(text)));
    }
    made_.steps_.push_back({Operation::number, number.value, 0});
    rest_.remove_prefix(length);
  }

  /// The longest piece that could be a name: a path with `-` in it, parts in quotation marks.
  [[nodiscard]] std::string_view piece() const {
    std::size_t end = 0;
    bool quoted = false;
    for (; end < rest_.size(); ++end) {
      const char c = rest_[end];
      if (c == '"') quoted = !quoted;
      const bool belongs =
          quoted || is_name_start(c) || is_digit(c) || c == '.' || c == '-' || static_cast<unsigned char>(c) >= 0x80;
      if (!belongs) break;
    }
    std::string_view found = rest_.substr(0, end);
    while (found.ends_with('-')) found.remove_suffix(1);
    return found;
  }
  void read_name_here() {
    const std::string_view whole = piece();
    if (read_function_or_constant(whole)) return;
    std::string_view name = whole;
    while (true) {
      if (const int index = names_.find(name); index >= 0) {
        add(Operation::name, index);
        rest_.remove_prefix(name.size());
        return;
      }
      const std::size_t dash = name.rfind('-');
      if (dash == std::string_view::npos) break;
      name = name.substr(0, dash);
    }
    throw marked_.error(Kind::unknown_name, whole, names_.complaint(whole));
  }
  bool read_function_or_constant(std::string_view whole) {
    const std::string_view word = whole.substr(0, whole.find('-'));
    const std::string_view behind = trimmed(rest_.substr(word.size()));
    if (behind.starts_with('(')) {
      read_function(word);
      return true;
    }
    if (word != "pi") return false;
    made_.steps_.push_back({Operation::number, std::numbers::pi, 0});
    rest_.remove_prefix(word.size());
    return true;
  }
  void read_function(std::string_view word) {
    const auto has_name = [word](const auto& function) { return function.name == word; };
    const auto* const one = std::find_if(std::begin(kOneFunctions), std::end(kOneFunctions), has_name);
    const auto* const two = std::find_if(std::begin(kTwoFunctions), std::end(kTwoFunctions), has_name);
    const bool takes_one = one != std::end(kOneFunctions);
    if (!takes_one && two == std::end(kTwoFunctions)) {
      std::vector<std::string_view> known;
      for (const OneFunction& function : kOneFunctions) known.push_back(function.name);
      for (const TwoFunction& function : kTwoFunctions) known.push_back(function.name);
      throw marked_.error(Kind::unknown_name, word, unknown_name_message("function", word, known));
    }
    rest_.remove_prefix(word.size());
    require('(');
    read_sum();
    if (!takes_one) {
      require(',');
      read_sum();
    }
    require(')');
    add(takes_one ? Operation::one : Operation::two,
        static_cast<int>(takes_one ? one - std::begin(kOneFunctions) : two - std::begin(kTwoFunctions)));
  }

  const MarkedText& marked_;
  const Names& names_;
  std::string_view rest_;
  Expression& made_;
  int nesting_ = 0;
};

Expression::Expression(const MarkedText& marked, std::string_view part, const Names& names) {
  if (trimmed(part).empty()) throw marked.error(Kind::syntax, part, "the expression is empty");
  ExpressionReader(marked, part, names, *this).read_all();
  std::size_t waiting = 0;
  for (const Step& step : steps_) {
    if (step.operation == Operation::number || step.operation == Operation::name) {
      depth_ = std::max(depth_, ++waiting);
    } else if (step.operation != Operation::negate && step.operation != Operation::one) {
      --waiting;
    }
  }
  CAROM_ASSERT(waiting == 1);
}

int Expression::single_name() const {
  return steps_.size() == 1 && steps_.front().operation == Operation::name ? steps_.front().index : -1;
}

double Expression::value(std::span<const double> values) const {
  constexpr std::size_t kUsual = 16;
  std::array<double, kUsual> few{};
  std::vector<double> many(depth_ > kUsual ? depth_ : 0);
  double* const stack = many.empty() ? few.data() : many.data();
  std::size_t top = 0;
  const auto two = [&stack, &top](const auto& of) {
    --top;
    stack[top - 1] = of(stack[top - 1], stack[top]);
  };
  for (const Step& step : steps_) {
    switch (step.operation) {
      case Operation::number: stack[top++] = step.number; break;
      case Operation::name: stack[top++] = values[static_cast<std::size_t>(step.index)]; break;
      case Operation::add: two([](double a, double b) { return a + b; }); break;
      case Operation::subtract: two([](double a, double b) { return a - b; }); break;
      case Operation::multiply: two([](double a, double b) { return a * b; }); break;
      case Operation::divide: two([](double a, double b) { return a / b; }); break;
      case Operation::power: two([](double a, double b) { return std::pow(a, b); }); break;
      case Operation::negate: stack[top - 1] = -stack[top - 1]; break;
      case Operation::one: stack[top - 1] = kOneFunctions[step.index].of(stack[top - 1]); break;
      case Operation::two: two(kTwoFunctions[step.index].of); break;
    }
  }
  return stack[0];
}

}  // namespace carom::sweep
