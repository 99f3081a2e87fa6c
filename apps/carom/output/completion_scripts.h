#pragma once
/// Completion scripts, made from the table of commands. Bodies, quantities and paths of `--set` are asked of the tool
/// itself while one types: `carom completion --quantities RUN.h5`, `carom completion --settings SCENE`.

#include <string>
#include <string_view>
#include <vector>

namespace carom::app {

/// Words with one space between them.
std::string spaced(const std::vector<std::string_view>& words);

/// Needs bash alone, not the bash-completion package.
std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

}  // namespace carom::app
