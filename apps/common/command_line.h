#pragma once
/// The command line as data: commands, their options and values, and how arguments are read by them.
///
/// One table (commands/table.h) drives parsing, `--help`, messages about misspelt names and shell completion. To add a
/// command: one file under commands/ that defines a Command, and one line in commands/table.cpp.

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace carom::app {

/// Exit codes of the outside contract.
enum ExitCode {
  kDone = 0,           ///< also at rest, also with audit flags
  kBadInput = 2,       ///< bad input or usage
  kUnfinished = 3,     ///< the mathematics did not finish; the result is printed all the same
  kFileProblem = 4,    ///< a file or another resource
  kInterrupted = 130,  ///< by a signal; what was recorded is kept
};

/// What a command leaves behind.
struct Report {
  std::string text;  ///< for standard output
  int exit_code = kDone;
  std::vector<std::string> notes;  ///< remarks for standard error, one line each
  std::string diagnostic;          ///< an error for standard error, complete lines
  /// Where the text is too long to be held: further pieces behind `text`; an empty one is the end.
  std::function<std::string()> more{};
};

/// What may stand for an argument or behind an option.
struct Value {
  /// A setting is a path of a scene with its value; quantities and objects (bodies, planes, obstacles) are those of a
  /// record.
  enum class Kind { none, text, file, setting, quantity, object, record_then_quantities, choice, choice_list };
  Kind kind = Kind::none;
  std::string_view name{};  ///< as help shows it: FILE, NAME, X,Y
  std::string_view what{};  ///< one of the choices, for messages: "law"
  std::vector<std::string_view> (*choices)() = nullptr;
  bool may_be_absent = false;
  bool repeated = false;  ///< an argument that may be followed by more of its kind
};

struct Option {
  std::string_view name;  ///< with its dash or dashes
  Value value;            ///< none: a flag
  std::string_view help;
  bool usual = false;     ///< shown without brackets in the usage line; whether it may be left out, the command decides
  bool repeated = false;  ///< may be given several times, each with its value
  std::string_view also{};       ///< another spelling: `-o` for `--out`
  std::string_view short_for{};  ///< a path of the scene: `--law newton` is short for `--set run.law=newton`
};

/// What an option is short for is a value of this one.
inline constexpr std::string_view kSetName = "--set";

/// Every command that has a result offers this.
inline constexpr Option kJsonOption{"--json", {}, "print one JSON object instead of tables"};

/// The arguments of one command, checked against its table.
class Arguments {
 public:
  [[nodiscard]] bool has(std::string_view option) const { return values_.contains(option); }
  /// The value of an option; none where the option or its value was left out.
  [[nodiscard]] std::optional<std::string> value(std::string_view option) const;
  /// The parts of a comma-separated value.
  [[nodiscard]] std::vector<std::string> list(std::string_view option) const;
  /// All values of an option that may be repeated, in their order.
  [[nodiscard]] std::vector<std::string> all(std::string_view option) const;
  /// The argument that is no option; the first of several.
  [[nodiscard]] std::optional<std::string> argument() const;
  /// All of them, in their order.
  [[nodiscard]] const std::vector<std::string>& all_arguments() const { return arguments_; }
  /// All words as they stood behind the command, to hand them on to another program.
  [[nodiscard]] std::span<const std::string> words() const { return words_; }

 private:
  friend Arguments parse_arguments(const struct Command& command, std::span<const std::string> words);
  std::map<std::string, std::optional<std::string>, std::less<>> values_;
  std::map<std::string, std::vector<std::string>, std::less<>> repeated_;
  std::vector<std::string> arguments_;
  std::vector<std::string> words_;
};

struct Command {
  std::string_view name;
  std::string_view summary;  ///< one line
  Value argument;            ///< what stands without an option in front of it; none: the command takes none
  std::string_view argument_help;
  std::span<const Option> options;
  std::span<const std::string_view> notes;     ///< paragraphs of `--help`
  std::span<const std::string_view> examples;  ///< command lines that run as they stand
  Report (*run)(const Arguments& arguments);
};

/// Reads the words behind a command's name. An option's value may begin with '-' but not with "--", unless it is given
/// as `--option=value`; a word `--` ends the options. An option is known by its first name however it was spelt, and
/// one that is short for a setting stands among those, in the order of the words. Throws InputError: `usage`, or
/// `unknown_name` for the value of an option that is not among the choices.
Arguments parse_arguments(const Command& command, std::span<const std::string> words);

/// Splits at commas; empty parts are kept.
std::vector<std::string> split_list(std::string_view text);

}  // namespace carom::app
