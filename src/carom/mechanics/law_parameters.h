#pragma once
/// Parameters of the laws: what a law may be given (LawParameter) and what a scene gives it (LawParameters).
///
/// One list of LawParameter stands in the file of each law; from it follow the check of names, types and ranges with
/// the nearest known name for a misspelt one, the entry in `carom laws` and the keys of the scene format.

#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace carom {

/// A parameter of one law: a flag, or a number from low to high.
struct LawParameter {
  std::string_view name;
  bool is_flag = false;  ///< true or false; otherwise a number from low to high
  double default_value = 0.0;
  double low = 0.0;
  double high = 1.0;
  std::string_view help;
  std::string_view unit{};    ///< SI, or empty
  bool required = false;      ///< has no default and must be given
  bool optional = false;      ///< has no default and may be left out; `help` says what holds then
  bool low_excluded = false;  ///< the range is low < x ≤ high
  /// Names of the values, where they are words: the value is the index, 0 the default. Options of impact laws only.
  std::span<const std::string_view> choices{};
  std::string_view advice{};  ///< what to do instead, where a value out of range has a reason

  [[nodiscard]] bool has_default() const { return !required && !optional; }
};

/// The values given for one law, by name.
class LawParameters {
 public:
  using Value = std::variant<double, bool>;

  void set(std::string_view name, double value) { values_.insert_or_assign(std::string(name), value); }
  void set(std::string_view name, bool value) { values_.insert_or_assign(std::string(name), value); }

  [[nodiscard]] bool has(std::string_view name) const { return values_.find(name) != values_.end(); }
  /// The number of that name; none where it is not given.
  [[nodiscard]] std::optional<double> number(std::string_view name) const;
  /// The number given, or the parameter's default.
  [[nodiscard]] double number(const LawParameter& parameter) const;
  [[nodiscard]] bool flag(const LawParameter& parameter) const;

  [[nodiscard]] auto begin() const { return values_.begin(); }
  [[nodiscard]] auto end() const { return values_.end(); }

 private:
  std::map<std::string, Value, std::less<>> values_;
};

/// Whose parameters are checked, for the messages.
struct LawPlace {
  std::string_view law;  ///< the law's name
  std::string field;     ///< path of the table that holds the parameters, for instance `pair.0.friction`; may be empty

  [[nodiscard]] std::string path(std::string_view name) const {
    return field.empty() ? std::string(name) : field + "." + std::string(name);
  }
};

/// Checks the given values against what the law knows: names, types, ranges, what is required. The lists of `known`
/// follow one another. Throws InputError (unknown_name, wrong_type, not_finite, out_of_range, missing_field) whose
/// message names the field, the value and what was expected.
void check_parameters(const LawPlace& place, const LawParameters& given,
                      std::initializer_list<std::span<const LawParameter>> known);

}  // namespace carom
