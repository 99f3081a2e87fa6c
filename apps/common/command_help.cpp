#include "common/command_help.h"

#include <fmt/format.h>

#include "common/text_table.h"

namespace carom::app {
namespace {

std::string shown(const Option& option) {
  if (option.value.kind == Value::Kind::none) return std::string(option.name);
  return fmt::format("{} {}{}{}", option.name, option.value.may_be_absent ? "[" : "", option.value.name,
                     option.value.may_be_absent ? "]" : "");
}

std::string shown(const Value& argument) {
  const std::string name = fmt::format("{}{}", argument.name, argument.repeated ? "…" : "");
  return argument.may_be_absent ? fmt::format("[{}]", name) : name;
}

/// The parts of the usage line; none of them is broken when it is wrapped.
std::vector<std::string> usage(const Command& command) {
  std::vector<std::string> parts{fmt::format("carom {}", command.name)};
  if (command.argument.kind != Value::Kind::none) parts.push_back(shown(command.argument));
  for (const Option& option : command.options) {
    parts.push_back((option.usual ? shown(option) : fmt::format("[{}]", shown(option))) + (option.repeated ? "…" : ""));
  }
  return parts;
}

}  // namespace

std::string usage_line(const Command& command) {
  return fmt::format("{}", fmt::join(usage(command), " "));
}

std::string option_term(const Option& option) {
  return option.also.empty() ? shown(option) : fmt::format("{}, {}", option.also, shown(option));
}

std::string option_help(const Option& option) {
  std::string text(option.help);
  if (option.value.choices == nullptr) return text;
  text += ": ";
  for (const std::string_view choice : option.value.choices()) {
    if (!text.ends_with(": ")) text += ", ";
    text += choice;
  }
  return text;
}

void HelpList::add(const std::string& term, std::string_view help) {
  constexpr std::size_t kTermWidth = 24;
  text_ += fmt::format("  {}", term);
  const std::size_t indent = kTermWidth + 2;
  if (term.size() + 2 > kTermWidth)
    text_ += "\n" + std::string(indent, ' ');
  else
    text_ += std::string(kTermWidth - term.size(), ' ');
  text_ += wrap(help, static_cast<int>(indent)) + "\n";
}

std::string command_help(const Command& command) {
  constexpr int kUsageIndent = 7;
  std::string text =
      fmt::format("carom {}: {}\n\nusage: {}\n", command.name, command.summary, wrap(usage(command), kUsageIndent));
  HelpList list;
  if (command.argument.kind != Value::Kind::none) list.add(std::string(command.argument.name), command.argument_help);
  for (const Option& option : command.options) list.add(option_term(option), option_help(option));
  list.add("--help", "this text");
  text += "\n" + list.text();
  for (const std::string_view note : command.notes) text += "\n" + wrap(note, 0) + "\n";
  text += command.examples.size() == 1 ? "\nexample:\n" : "\nexamples:\n";
  for (const std::string_view example : command.examples) text += fmt::format("  {}\n", example);
  return text;
}

Json command_help_json(const Command& command) {
  Json options = Json::array();
  for (const Option& option : command.options) {
    const bool is_flag = option.value.kind == Value::Kind::none;
    Json entry{
        {"name", option.name}, {"value", is_flag ? Json() : Json(option.value.name)}, {"help", option_help(option)}};
    if (!option.also.empty()) entry["also"] = option.also;
    options.push_back(std::move(entry));
  }
  Json examples = Json::array();
  for (const std::string_view example : command.examples) examples.push_back(example);
  return {{"help",
           {{"command", command.name},
            {"summary", command.summary},
            {"usage", usage_line(command)},
            {"options", options},
            {"examples", examples}}}};
}

}  // namespace carom::app
