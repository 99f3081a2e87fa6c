/// `carom completion bash`: a completion script made from the table of commands. It needs bash alone, not the
/// bash-completion package.

#include <fmt/format.h>

#include "carom/base/version.h"
#include "commands/table.h"

namespace carom::app {
namespace completion_command {

std::vector<std::string_view> shell_names() {
  return {"bash"};
}

constexpr std::string_view kExamples[] = {"source <(carom completion bash)"};
constexpr std::string_view kNotes[] = {
    "To have it in every shell: carom completion bash > ~/.local/share/bash-completion/completions/carom",
};

/// Bash splits words at '=' and ':' in COMP_WORDBREAKS, so `--law=newton` arrives as three words.
constexpr std::string_view kPrologue = R"(_carom_words() {
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
)";

std::string joined(const std::vector<std::string_view>& words) {
  std::string text;
  for (const std::string_view word : words) {
    if (!text.empty()) text += " ";
    text += word;
  }
  return text;
}

/// The shell command that offers what a value may be; empty where nothing can be offered.
std::string offer(const Value& value) {
  switch (value.kind) {
    case Value::Kind::none:
    case Value::Kind::text: return "";
    case Value::Kind::file: return "_carom_files";
    case Value::Kind::choice: return fmt::format("_carom_words \"{}\"", joined(value.choices()));
    case Value::Kind::choice_list: return fmt::format("_carom_list \"{}\"", joined(value.choices()));
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
      text += fmt::format("    \"{} {}\") {}return ;;\n", command->name, option.name,
                          offered.empty() ? "" : offered + "; ");
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
    const std::string words = fmt::format("_carom_words \"{}\"", joined(options));
    const std::string offered = offer(command->argument);
    if (offered.empty()) {
      text += fmt::format("    {}) {} ;;\n", command->name, words);
    } else {
      text += fmt::format("    {}) if [[ $current == -* ]]; then {}; else {}; fi ;;\n", command->name, words, offered);
    }
  }
  return text + "  esac\n";
}

Report run(const Arguments&) {
  std::string text = fmt::format("# bash completion of carom {}, made by: carom completion bash\n", kVersion);
  text += kPrologue;
  text += fmt::format("  if [[ -z $command ]]; then\n    _carom_words \"{} --help --version\"\n    return\n  fi\n",
                      joined(command_names()));
  text += option_cases() + command_cases();
  text += "}\ncomplete -F _carom carom\n";
  return {text, kDone, {}, {}};
}

}  // namespace completion_command

const Command kCompletionCommand{
    .name = "completion",
    .summary = "print a completion script for the shell",
    .argument = {Value::Kind::choice, "SHELL", "shell", &completion_command::shell_names},
    .argument_help = "bash",
    .options = {},
    .notes = completion_command::kNotes,
    .examples = completion_command::kExamples,
    .run = &completion_command::run,
};

}  // namespace carom::app
