#include "help.h"

#include <fmt/format.h>

#include "carom/base/version.h"
#include "commands/table.h"
#include "common/command_help.h"

namespace carom::app {
namespace {

constexpr std::string_view kPurpose =
    "carom: impacts of rigid bodies that touch at several places at once, under every impact law";
constexpr std::string_view kFirstExample = "carom corner --alpha 30deg --restitution 0.9 --velocity 1,0.2";

}  // namespace

std::string version_text() {
  return fmt::format("carom {}\n", kVersion);
}

std::string tool_help() {
  HelpList commands;
  for (const Command* command : command_table()) commands.add(std::string(command->name), command->summary);
  HelpList options;
  options.add("--help", "this text; behind a command, the help of that command");
  options.add("--version", "the version of carom");
  return fmt::format("{}\n\nusage: carom COMMAND [ARGUMENTS]\n\ncommands:\n{}\noptions:\n{}\nexample:\n  {}\n",
                     kPurpose, commands.text(), options.text(), kFirstExample);
}

Json tool_help_json() {
  Json commands = Json::array();
  for (const Command* command : command_table()) {
    commands.push_back({{"name", command->name}, {"summary", command->summary}});
  }
  return {{"help", {{"purpose", kPurpose}, {"commands", commands}, {"examples", Json::array({kFirstExample})}}}};
}

}  // namespace carom::app
