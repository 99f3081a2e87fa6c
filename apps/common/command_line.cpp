#include "common/command_line.h"

#include <algorithm>

#include "carom/base/assert.h"
#include "carom/base/error.h"
#include "carom/base/nearest_name.h"
#include "carom/base/utf8.h"

namespace carom::app {
namespace {

[[noreturn]] void fail(std::string_view field, const std::string& message) {
  throw InputError(Kind::usage, std::string(field), message);
}

std::string in_quotes(std::string_view text) {
  return "'" + printable(text) + "'";
}

const Option& find_option(const Command& command, std::string_view name) {
  std::vector<std::string_view> known;
  for (const Option& option : command.options) {
    if (option.name == name || (!option.also.empty() && option.also == name)) return option;
    known.push_back(option.name);
  }
  known.push_back("--help");
  fail(name, unknown_name_message("option", name, known));
}

void require_choice(const Value& value, std::string_view field, std::string_view given, Kind kind) {
  const std::vector<std::string_view> known = value.choices();
  if (std::find(known.begin(), known.end(), given) != known.end()) return;
  throw InputError(kind, std::string(field), unknown_name_message(value.what, given, known));
}

/// Checks the value of an option against its choices, where it has any.
void check_value(const Value& value, std::string_view field, const std::string& given) {
  if (value.kind == Value::Kind::choice) require_choice(value, field, given, Kind::unknown_name);
  if (value.kind != Value::Kind::choice_list) return;
  std::vector<std::string> seen;
  for (std::string& part : split_list(given)) {
    require_choice(value, field, part, Kind::unknown_name);
    if (std::find(seen.begin(), seen.end(), part) != seen.end()) {
      throw InputError(Kind::duplicate_name, std::string(field),
                       std::string(field) + " names the " + std::string(value.what) + " " + in_quotes(part) + " twice");
    }
    seen.push_back(std::move(part));
  }
}

std::string needs_value(const Option& option) {
  return std::string(option.name) + " needs a value: " + std::string(option.name) + " " +
         std::string(option.value.name);
}

/// Reads words from left to right.
class WordReader {
 public:
  explicit WordReader(std::span<const std::string> words) : words_(words) {}

  [[nodiscard]] bool done() const { return next_ == words_.size(); }
  const std::string& take() { return words_[next_++]; }

  /// The value of an option that stands in the next word, if that word can be one.
  std::optional<std::string> take_value(const Value& value) {
    if (done()) return std::nullopt;
    const std::string& word = words_[next_];
    const bool taken = value.may_be_absent ? word == "-" || !word.starts_with('-') : !word.starts_with("--");
    if (!taken) return std::nullopt;
    return take();
  }

 private:
  std::span<const std::string> words_;
  std::size_t next_ = 0;
};

}  // namespace

std::optional<std::string> Arguments::value(std::string_view option) const {
  const auto found = values_.find(option);
  return found == values_.end() ? std::nullopt : found->second;
}

std::vector<std::string> Arguments::list(std::string_view option) const {
  const std::optional<std::string> text = value(option);
  return text ? split_list(*text) : std::vector<std::string>{};
}

std::optional<std::string> Arguments::argument() const {
  return arguments_.empty() ? std::nullopt : std::optional(arguments_.front());
}

std::vector<std::string> Arguments::all(std::string_view option) const {
  const auto found = repeated_.find(option);
  return found == repeated_.end() ? std::vector<std::string>{} : found->second;
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t comma = std::min(text.find(','), text.size());
    parts.emplace_back(text.substr(0, comma));
    if (comma == text.size()) return parts;
    text.remove_prefix(comma + 1);
  }
}

Arguments parse_arguments(const Command& command, std::span<const std::string> words) {
  Arguments arguments;
  arguments.words_.assign(words.begin(), words.end());
  WordReader reader(words);
  bool options_ended = false;
  while (!reader.done()) {
    const std::string& word = reader.take();
    if (!options_ended && word == "--") {
      options_ended = true;
      continue;
    }
    if (options_ended || word == "-" || !word.starts_with('-')) {
      const bool full = !arguments.arguments_.empty() && !command.argument.repeated;
      if (command.argument.kind == Value::Kind::none || full) {
        fail("", "unexpected argument " + in_quotes(word) + " of carom " + std::string(command.name));
      }
      if (command.argument.kind == Value::Kind::choice) {
        require_choice(command.argument, command.argument.name, word, Kind::usage);
      }
      arguments.arguments_.push_back(word);
      continue;
    }
    const std::size_t equals = word.find('=');
    const Option& option = find_option(command, std::string_view(word).substr(0, equals));
    std::optional<std::string> value;
    if (equals != std::string::npos) value = word.substr(equals + 1);
    if (option.value.kind == Value::Kind::none) {
      if (value)
        fail(option.name, std::string(option.name) + " takes no value, but " + in_quotes(*value) + " was given");
    } else {
      if (!value) value = reader.take_value(option.value);
      if (!value ? !option.value.may_be_absent : value->empty()) fail(option.name, needs_value(option));
      if (arguments.has(option.name) && !option.repeated) {
        fail(option.name, std::string(option.name) + " is given twice");
      }
      if (value) check_value(option.value, option.name, *value);
      if (value && option.repeated) arguments.repeated_[std::string(option.name)].push_back(*value);
      if (value && !option.short_for.empty()) {
        arguments.repeated_[std::string(kSetName)].push_back(std::string(option.short_for) + "=" + *value);
        arguments.values_.insert_or_assign(std::string(kSetName), *value);
      }
    }
    arguments.values_.insert_or_assign(std::string(option.name), std::move(value));
  }
  if (command.argument.kind != Value::Kind::none && !command.argument.may_be_absent && arguments.arguments_.empty()) {
    const std::string name(command.argument.name);
    fail(name, "carom " + std::string(command.name) + " needs " + name + ": " + std::string(command.argument_help));
  }
  return arguments;
}

}  // namespace carom::app
