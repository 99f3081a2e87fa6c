#include <fmt/format.h>

#include "carom/base/version.h"
#include "commands/table.h"
#include "output/completion_scripts.h"

namespace carom::app {
namespace bash_script {

/// Bash splits words at '=' and ':' in COMP_WORDBREAKS, so `--law=newton` arrives as three words.
constexpr std::string_view kPrologue = R"script(_carom_words() {
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current")
}
_carom_files() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -f -- "$current")
}
_carom_list() {
  local before=""
  [[ $current == *,* ]] && before="${current%,*},"
  compopt -o nospace 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -P "$before" -W "$1" -- "${current##*,}")
}
_carom_file() {
  local word
  for word in "${COMP_WORDS[@]:2}"; do
    [[ -f $word ]] && printf '%s' "$word" && return
  done
}
_carom_lines() {
  local line quote="" typed="$current"
  case $typed in
    \"* | \'*) quote="${typed:0:1}" typed="${typed:1}" ;;
    *) typed="${typed//\\/}" ;;
  esac
  while IFS= read -r line; do
    [[ $line == "$typed"* ]] || continue
    [[ -n $quote ]] || printf -v line '%q' "$line"
    COMPREPLY+=("$line$1")
  done
}
_carom_settings() {
  compopt -o nospace 2>/dev/null
  _carom_lines = < <(carom completion --settings "$(_carom_file)" 2>/dev/null)
}
_carom_quantities() {
  _carom_lines "" < <(carom completion --quantities "$(_carom_file)" 2>/dev/null)
}
_carom_objects() {
  _carom_lines "" < <(carom completion --objects "$(_carom_file)" 2>/dev/null)
}
_carom_record_then_quantities() {
  [[ -n $(_carom_file) ]] && _carom_quantities
  ((${#COMPREPLY[@]} > 0)) || _carom_files
}
_carom() {
  local current="${COMP_WORDS[COMP_CWORD]}" previous="" command="" i
  ((COMP_CWORD > 0)) && previous="${COMP_WORDS[COMP_CWORD - 1]}"
  COMPREPLY=()
  if [[ $current == "=" ]]; then
    current=""
  elif [[ $previous == "=" ]] && ((COMP_CWORD > 1)); then
    previous="${COMP_WORDS[COMP_CWORD - 2]}"
  fi
  for ((i = 1; i < COMP_CWORD; ++i)); do
    if [[ ${COMP_WORDS[i]} != -* ]]; then
      command="${COMP_WORDS[i]}"
      break
    fi
  done
)script";

/// The shell command that offers what a value may be; empty where nothing can be offered.
std::string offer(const Value& value) {
  switch (value.kind) {
    case Value::Kind::none:
    case Value::Kind::text: return "";
    case Value::Kind::file: return "_carom_files";
    case Value::Kind::setting: return "_carom_settings";
    case Value::Kind::quantity: return "_carom_quantities";
    case Value::Kind::object: return "_carom_objects";
    case Value::Kind::record_then_quantities: return "_carom_record_then_quantities";
    case Value::Kind::choice: return fmt::format("_carom_words \"{}\"", spaced(value.choices()));
    case Value::Kind::choice_list: return fmt::format("_carom_list \"{}\"", spaced(value.choices()));
  }
  return "";
}

/// Values of options, by "command --option".
std::string option_cases() {
  std::string text = "  case \"$command $previous\" in\n";
  for (const Command* command : command_table()) {
    for (const Option& option : command->options) {
      if (option.value.kind == Value::Kind::none) continue;
      const std::string offered = offer(option.value);
      for (const std::string_view name : {option.name, option.also}) {
        if (name.empty()) continue;
        text += fmt::format("    \"{} {}\") {}return ;;\n", command->name, name, offered.empty() ? "" : offered + "; ");
      }
    }
  }
  return text + "  esac\n";
}

/// Options and arguments, by command.
std::string command_cases() {
  std::string text = "  case \"$command\" in\n";
  for (const Command* command : command_table()) {
    std::vector<std::string_view> options;
    for (const Option& option : command->options) options.push_back(option.name);
    options.push_back("--help");
    const std::string words = fmt::format("_carom_words \"{}\"", spaced(options));
    const std::string offered = offer(command->argument);
    if (offered.empty()) {
      text += fmt::format("    {}) {} ;;\n", command->name, words);
    } else {
      text += fmt::format("    {}) if [[ $current == -* ]]; then {}; else {}; fi ;;\n", command->name, words, offered);
    }
  }
  return text + "  esac\n";
}

}  // namespace bash_script

std::string spaced(const std::vector<std::string_view>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

std::string bash_completion() {
  std::string text = fmt::format("# bash completion of carom {}, made by: carom completion bash\n", kVersion);
  text += bash_script::kPrologue;
  text += fmt::format("  if [[ -z $command ]]; then\n    _carom_words \"{} --help --version\"\n    return\n  fi\n",
                      spaced(command_names()));
  text += bash_script::option_cases() + bash_script::command_cases();
  return text + "}\ncomplete -F _carom carom\n";
}

}  // namespace carom::app
