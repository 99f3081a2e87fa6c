#pragma once
/// The help of one command, made from its entry in the table of commands.

#include <string>
#include <string_view>

#include "carom/base/json.h"
#include "common/command_line.h"

namespace carom::app {

/// Terms and their help in two columns, the second wrapped.
class HelpList {
 public:
  void add(const std::string& term, std::string_view help);
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// `carom run [SCENE|-] [--out RUN.h5] …`, in one line.
std::string usage_line(const Command& command);
/// `-o, --out FILE`, and what it does with its choices.
std::string option_term(const Option& option);
std::string option_help(const Option& option);

/// Usage, options and examples of one command: `carom COMMAND --help`.
std::string command_help(const Command& command);

/// The same for programs.
Json command_help_json(const Command& command);

}  // namespace carom::app
