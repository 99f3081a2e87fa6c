#include <fmt/format.h>

#include "carom/base/version.h"
#include "commands/table.h"
#include "output/completion_scripts.h"

namespace carom::app {
namespace zsh_script {

constexpr std::string_view kFunctions = R"script(_carom_file() {
  local word
  for word in $words[2,-1]; do
    [[ -f $word ]] && print -r -- $word && return
  done
}
_carom_settings() {
  local -a paths
  paths=(${(f)"$(carom completion --settings "$(_carom_file)" 2>/dev/null)"})
  compadd -S = -- $paths
}
_carom_quantities() {
  local -a names
  names=(${(f)"$(carom completion --quantities "$(_carom_file)" 2>/dev/null)"})
  compadd -- $names
}
_carom_objects() {
  local -a names
  names=(${(f)"$(carom completion --objects "$(_carom_file)" 2>/dev/null)"})
  compadd -- $names
}
_carom_record_then_quantities() {
  if [[ -n $(_carom_file) ]]; then _carom_quantities; fi
  _files
}
)script";

/// Inside single quotes, in a specification of _arguments, where brackets and colons have a meaning.
std::string quoted(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
      continue;
    }
    if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

/// What may stand behind an option, or as an argument: ":message:action".
std::string action(const Value& value) {
  const std::string name = quoted(value.name);
  switch (value.kind) {
    case Value::Kind::none: return "";
    case Value::Kind::text: return fmt::format(":{}: ", name);
    case Value::Kind::file: return fmt::format(":{}:_files", name);
    case Value::Kind::setting: return fmt::format(":{}:_carom_settings", name);
    case Value::Kind::quantity: return fmt::format(":{}:_carom_quantities", name);
    case Value::Kind::object: return fmt::format(":{}:_carom_objects", name);
    case Value::Kind::record_then_quantities: return fmt::format(":{}:_carom_record_then_quantities", name);
    case Value::Kind::choice: return fmt::format(":{}:({})", name, spaced(value.choices()));
    case Value::Kind::choice_list: return fmt::format(":{}:_values -s , {} {}", name, name, spaced(value.choices()));
  }
  return "";
}

std::string option_spec(const Option& option) {
  const bool has_value = option.value.kind != Value::Kind::none;
  std::string text;
  for (const std::string_view name : {option.name, option.also}) {
    if (name.empty()) continue;
    const std::string exclusion = option.repeated       ? "*"
                                  : option.also.empty() ? ""
                                                        : fmt::format("({} {})", option.name, option.also);
    const std::string_view equals = has_value && name.starts_with("--") ? "=" : "";
    text +=
        fmt::format(" \\\n      '{}{}{}[{}]{}'", exclusion, name, equals, quoted(option.help), action(option.value));
  }
  return text;
}

std::string command_case(const Command& command) {
  std::string text = fmt::format("    {}) _arguments", command.name);
  for (const Option& option : command.options) text += option_spec(option);
  text += " \\\n      '--help[this text]'";
  if (command.argument.kind != Value::Kind::none) {
    text += fmt::format(" \\\n      '{}{}'", command.argument.repeated ? "*" : "1", action(command.argument));
  }
  return text + " ;;\n";
}

}  // namespace zsh_script

std::string zsh_completion() {
  std::string text = fmt::format("#compdef carom\n# zsh completion of carom {}, made by: carom completion zsh\n{}",
                                 kVersion, zsh_script::kFunctions);
  text += "_carom() {\n  local -a commands\n  commands=(\n";
  for (const Command* command : command_table()) {
    text += fmt::format("    '{}:{}'\n", command->name, zsh_script::quoted(command->summary));
  }
  text +=
      "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n"
      "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n";
  for (const Command* command : command_table()) text += zsh_script::command_case(*command);
  // As a file on the path of functions it is called when first wanted; sourced, it makes itself known.
  return text + "  esac\n}\nif [[ $funcstack[1] == _carom ]]; then _carom \"$@\"; else compdef _carom carom; fi\n";
}

}  // namespace carom::app
