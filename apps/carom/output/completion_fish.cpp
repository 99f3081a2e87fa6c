#include <fmt/format.h>

#include "carom/base/version.h"
#include "commands/table.h"
#include "output/completion_scripts.h"

namespace carom::app {
namespace fish_script {

constexpr std::string_view kFunctions = R"script(function __carom_file
  for word in (commandline -opc)[3..]
    if test -f $word
      echo $word
      return
    end
  end
end
function __carom_settings
  carom completion --settings (__carom_file) 2>/dev/null | string replace -r '$' '='
end
function __carom_quantities
  carom completion --quantities (__carom_file) 2>/dev/null
end
function __carom_objects
  carom completion --objects (__carom_file) 2>/dev/null
end
complete -c carom -f
)script";

std::string quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result + "'";
}

/// Arguments of `complete` for a value.
std::string offer(const Value& value) {
  switch (value.kind) {
    case Value::Kind::none: return "";
    case Value::Kind::text: return " -x";
    case Value::Kind::file: return " -r -F";
    case Value::Kind::setting: return " -x -a '(__carom_settings)'";
    case Value::Kind::quantity: return " -x -a '(__carom_quantities)'";
    case Value::Kind::object: return " -x -a '(__carom_objects)'";
    case Value::Kind::record_then_quantities: return " -F -a '(__carom_quantities)'";
    case Value::Kind::choice:
    case Value::Kind::choice_list: return fmt::format(" -x -a {}", quoted(spaced(value.choices())));
  }
  return "";
}

std::string option_line(const std::string& beginning, const Option& option) {
  std::string names = " -l " + std::string(option.name.substr(2));
  if (!option.also.empty()) names += " -s " + std::string(option.also.substr(1));
  return fmt::format("{}{}{} -d {}\n", beginning, names, offer(option.value), quoted(option.help));
}

}  // namespace fish_script

std::string fish_completion() {
  std::string text = fmt::format("# fish completion of carom {}, made by: carom completion fish\n{}", kVersion,
                                 fish_script::kFunctions);
  for (const Command* command : command_table()) {
    text += fmt::format("complete -c carom -n __fish_use_subcommand -a {} -d {}\n", command->name,
                        fish_script::quoted(command->summary));
    const std::string beginning = fmt::format("complete -c carom -n '__fish_seen_subcommand_from {}'", command->name);
    for (const Option& option : command->options) text += fish_script::option_line(beginning, option);
    if (command->argument.kind == Value::Kind::file) {
      text += beginning + " -F\n";
    } else if (command->argument.kind != Value::Kind::none) {
      text += beginning + fish_script::offer(command->argument) + "\n";
    }
  }
  return text;
}

}  // namespace carom::app
