#include "output/man_page.h"

#include <fmt/format.h>

#include "carom/base/version.h"
#include "commands/table.h"
#include "common/command_help.h"

namespace carom::app {
namespace man {

constexpr std::string_view kExitCodes[][2] = {
    {"0", "done"},
    {"2", "the input is wrong; the message names the field, the value and, for files, line and column"},
    {"3", "the mathematics did not finish, or a comparison failed; the output says where"},
    {"4", "something outside is missing: a file, room on the disk, a program"},
    {"130", "Ctrl-C; what was made so far is kept"},
};

/// Text that roff leaves alone: no escapes, no requests, and hyphens that can be copied.
std::string plain(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
  }
  return result.starts_with('.') || result.starts_with('\'') ? "\\&" + result : result;
}

std::string entry(std::string_view term, std::string_view help) {
  return fmt::format(".TP\n\\fB{}\\fR\n{}\n", plain(term), plain(help));
}

std::string section_of(const Command& command) {
  std::string text = fmt::format(".SS \"carom {}\"\n{}.\n", command.name, plain(command.summary));
  text += fmt::format(".PP\n{}\n", plain(usage_line(command)));
  if (command.argument.kind != Value::Kind::none) text += entry(command.argument.name, command.argument_help);
  for (const Option& option : command.options) text += entry(option_term(option), option_help(option));
  for (const std::string_view note : command.notes) text += fmt::format(".PP\n{}\n", plain(note));
  for (const std::string_view example : command.examples) text += fmt::format(".PP\n.EX\n{}\n.EE\n", plain(example));
  return text;
}

}  // namespace man

std::string man_page() {
  std::string text = fmt::format(".TH CAROM 1 \"\" \"carom {}\" \"User Commands\"\n", kVersion);
  text +=
      ".SH NAME\ncarom \\- impacts of rigid bodies that touch at several places at once\n"
      ".SH SYNOPSIS\n\\fBcarom\\fR \\fICOMMAND\\fR [\\fIARGUMENTS\\fR]\n.SH COMMANDS\n";
  for (const Command* command : command_table()) text += man::section_of(*command);
  text += ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : man::kExitCodes) text += man::entry(code, meaning);
  return text;
}

}  // namespace carom::app
