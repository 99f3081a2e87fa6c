#pragma once
/// What a sweep writes down about a point: columns, each an expression of named values (expression.h), or one value
/// that is a word, such as `guarantee`. `--measure speed=velocity.ball.speed/2` gives the column a name of its own.

#include <string>
#include <string_view>
#include <vector>

#include "carom/analysis/sweep/expression.h"
#include "carom/scene/value.h"

namespace carom::sweep {

struct Measure {
  std::string column;
  Expression expression;
};

/// Reads texts of `--measure`, each one measure or several with commas between them. Throws InputError that underlines
/// the mistake, and `duplicate_name` for two columns of one name, and for a name that is given (NAME=EXPRESSION) though
/// another column, one of `taken`, has it.
std::vector<Measure> read_measures(const std::vector<std::string>& texts, const Names& names,
                                   const std::vector<std::string>& taken);

/// The values of the names that measures use.
struct NamedValues {
  std::vector<double> numbers;     ///< NaN where there is none
  std::vector<std::string> words;  ///< empty where it is no word
};

/// One cell: a number, a word, or none where the number is not known (NaN).
Value cell_of(const Measure& measure, const NamedValues& values);

}  // namespace carom::sweep
