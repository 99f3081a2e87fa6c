/// `carom reproduce`: hands over to the program carom-reproduce beside this one.

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <vector>

#include "carom/base/error.h"
#include "commands/table.h"
#include "common/reproduce_command.h"

namespace carom::app {
namespace {

constexpr const char* kProgram = "carom-reproduce";

Report hand_over(const Arguments& arguments) {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  const std::string program = (folder / kProgram).string();
  std::vector<char*> words{const_cast<char*>(kProgram)};
  for (const std::string& word : arguments.words()) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  ::execv(program.c_str(), words.data());

  // It did not begin.
  Place place;
  place.file = program;
  if (errno == ENOENT) {
    throw InputError(Kind::file, place,
                     "the papers are computed by a program of their own, carom-reproduce, and there is none in '" +
                         folder.string() + "': build the target carom-reproduce, or install carom with it");
  }
  throw InputError(Kind::file, place, "cannot start it: " + std::generic_category().message(errno));
}

}  // namespace

const Command kReproduceCommand = reproduce_command(&hand_over);

}  // namespace carom::app
