/// The command line tool: finds the command, runs it, and makes of every error what the outside contract asks.

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "carom/base/diagnostic.h"
#include "carom/base/error.h"
#include "carom/base/json.h"
#include "carom/base/nearest_name.h"
#include "carom/base/version.h"
#include "command_line.h"
#include "commands/table.h"
#include "help.h"
#include "output/error_json.h"

namespace carom::app {
namespace {

using Words = std::vector<std::string>;

/// Whether an option stands among the words before a `--`.
bool mentions(const Words& words, std::string_view option) {
  const auto end = std::find(words.begin(), words.end(), "--");
  return std::find(words.begin(), end, option) != end;
}

Report run_words(Words words) {
  const bool json = mentions(words, "--json");
  // `carom --json impact FILE` means `carom impact --json FILE`.
  if (words.size() > 1 && words[0] == "--json") std::swap(words[0], words[1]);
  const bool help = mentions(words, "--help") || mentions(words, "-h");
  if (!words.empty() && words[0] == "--version") {
    return {json ? json_text(Json{{"version", kVersion}}) : version_text(), kDone, {}, {}};
  }
  if (!words.empty() && (words[0] == "--help" || words[0] == "-h")) {
    return {json ? json_text(tool_help_json()) : tool_help(), kDone, {}, {}};
  }
  if (words.empty() || words[0] == "--json") {
    throw InputError(Kind::usage, "", "no command is given");
  }
  if (words[0].starts_with('-')) {
    constexpr std::string_view kKnown[] = {"--help", "--version", "--json"};
    throw InputError(Kind::usage, words[0],
                     unknown_name_message("option", words[0], kKnown) + "; a command's options stand behind it");
  }
  const Command& command = find_command(words[0]);
  if (help) return {json ? json_text(command_help_json(command)) : command_help(command), kDone, {}, {}};
  const std::span<const std::string> rest(words.begin() + 1, words.end());
  return command.run(parse_arguments(command, rest));
}

int exit_code_of(Kind kind) {
  return kind == Kind::file || kind == Kind::limit ? kFileProblem : kBadInput;
}

/// Where to read on after a usage error.
std::string help_hint(const Words& words) {
  for (const Command* command : command_table()) {
    if (!words.empty() && words[0] == command->name) return "see 'carom " + words[0] + " --help'\n";
  }
  return "see 'carom --help'\n";
}

/// An error as a report; without --json its text is for standard error.
Report error_report(const Words& words, const InputError& error) {
  Report report;
  report.exit_code = exit_code_of(error.kind());
  if (mentions(words, "--json")) {
    report.text = json_text(error_json(error));
    return report;
  }
  std::string text = format_diagnostic(error);
  if (error.kind() == Kind::usage) text += help_hint(words);
  report.diagnostic = std::move(text);
  return report;
}

/// A mistake of ours; there is no kind for it in the contract.
Report internal_error_report(const Words& words, const std::string& what) {
  const std::string message = "internal error: " + what;
  Report report;
  report.exit_code = kUnfinished;
  if (mentions(words, "--json")) {
    report.text = json_text(error_json("internal", message, {}));
  } else {
    report.diagnostic = "error: " + message + "\n";
  }
  return report;
}

Report guarded_run(const Words& words) {
  try {
    return run_words(words);
  } catch (const InputError& error) {
    return error_report(words, error);
  } catch (const std::bad_alloc&) {
    return error_report(words, InputError(Kind::limit, "", "not enough memory for this input"));
  } catch (const std::exception& error) {
    return internal_error_report(words, error.what());
  } catch (...) {
    return internal_error_report(words, "unknown exception");
  }
}

/// Writes to standard output; false with errno where that fails.
bool write_out(const std::string& text) {
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
}

bool write_out(const Report& report) {
  if (!write_out(report.text)) return false;
  if (report.more) {
    for (std::string piece = report.more(); !piece.empty(); piece = report.more()) {
      if (!write_out(piece)) return false;
    }
  }
  return std::fflush(stdout) == 0;
}

/// Prints a report. A reader that has closed the pipe has seen enough; any other failure is a file problem.
int print(const Report& report) {
  for (const std::string& note : report.notes) std::fprintf(stderr, "note: %s\n", note.c_str());
  std::fputs(report.diagnostic.c_str(), stderr);
  try {
    if (write_out(report)) return report.exit_code;
  } catch (const InputError& error) {
    // Part of the result is printed already; this is all that can still be said.
    std::fflush(stdout);
    std::fputs(format_diagnostic(error).c_str(), stderr);
    return exit_code_of(error.kind());
  }
  if (errno == EPIPE) return report.exit_code;
  std::fprintf(stderr, "error: cannot write to standard output: %s [file]\n",
               std::generic_category().message(errno).c_str());
  return kFileProblem;
}

}  // namespace
}  // namespace carom::app

int main(int argc, char** argv) {
#ifdef SIGPIPE
  std::signal(SIGPIPE, SIG_IGN);
#endif
#ifdef SIGXFSZ
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow further is an error of the write, with a message
#endif
  try {
    const carom::app::Words words(argv + std::min(argc, 1), argv + argc);
    return carom::app::print(carom::app::guarded_run(words));
  } catch (...) {
    std::fputs("error: not enough memory [limit]\n", stderr);
    return carom::app::kFileProblem;
  }
}
