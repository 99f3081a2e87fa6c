/// `carom completion SHELL`: a completion script made from the table of commands, and the names that such scripts ask
/// for while one types.

#include <fmt/format.h>

#include "carom/analysis/quantity.h"
#include "carom/base/error.h"
#include "carom/scene/setting_paths.h"
#include "commands/table.h"
#include "output/completion_scripts.h"

namespace carom::app {
namespace completion_command {

struct Shell {
  std::string_view name;
  std::string (*script)();
};

constexpr Shell kShells[] = {{"bash", &bash_completion}, {"zsh", &zsh_completion}, {"fish", &fish_completion}};

std::vector<std::string_view> shell_names() {
  std::vector<std::string_view> names;
  for (const Shell& shell : kShells) names.push_back(shell.name);
  return names;
}

constexpr Option kOptions[] = {
    {"--quantities", {Value::Kind::file, "RUN.h5"}, "instead: list the quantities of a record, one per line"},
    {"--objects", {Value::Kind::file, "RUN.h5"}, "instead: list its bodies, planes and obstacles, one per line"},
    {"--settings", {Value::Kind::file, "SCENE"}, "instead: list the paths that --set can change in a scene"},
};

constexpr std::string_view kExamples[] = {"source <(carom completion bash)",
                                          "carom completion --settings scenes/cradle.toml"};
constexpr std::string_view kNotes[] = {
    "To have it in every shell, bash: carom completion bash > ~/.local/share/bash-completion/completions/carom; zsh: "
    "carom completion zsh > _carom, in a folder of $fpath; fish: carom completion fish > "
    "~/.config/fish/completions/carom.fish",
    "Names of bodies, quantities and paths of --set are those of the first file on the line.",
};

std::string lines_of(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += word + "\n";
  return text;
}

Report run(const Arguments& arguments) {
  const auto record = arguments.value("--quantities"), objects = arguments.value("--objects"),
             scene = arguments.value("--settings");
  const auto shell = arguments.argument();
  if ((shell ? 1 : 0) + (record ? 1 : 0) + (objects ? 1 : 0) + (scene ? 1 : 0) != 1) {
    throw InputError(Kind::usage, "SHELL",
                     "carom completion needs one of SHELL, --quantities RUN.h5, --objects RUN.h5, --settings SCENE");
  }
  if (objects) return {lines_of(RecordReader(*objects).info().objects), kDone, {}, {}};
  if (record) return {lines_of(quantity_names(RecordReader(*record).info())), kDone, {}, {}};
  if (scene) return {lines_of(scene::setting_paths(scene::read_document(*scene))), kDone, {}, {}};
  for (const Shell& known : kShells) {
    if (known.name == *shell) return {known.script(), kDone, {}, {}};
  }
  return {};
}

}  // namespace completion_command

const Command kCompletionCommand{
    .name = "completion",
    .summary = "print a completion script for the shell",
    .argument = {Value::Kind::choice, "SHELL", "shell", &completion_command::shell_names, true},
    .argument_help = "bash, zsh or fish",
    .options = completion_command::kOptions,
    .notes = completion_command::kNotes,
    .examples = completion_command::kExamples,
    .run = &completion_command::run,
};

}  // namespace carom::app
