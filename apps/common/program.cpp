#include "common/program.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <system_error>
#include <utility>

#include "carom/base/diagnostic.h"
#include "carom/base/error.h"
#include "carom/base/json.h"
#include "common/error_json.h"

namespace carom::app {
namespace {

int exit_code_of(Kind kind) {
  return kind == Kind::file || kind == Kind::limit ? kFileProblem : kBadInput;
}

/// An error as a report; without --json its text is for standard error.
Report error_report(const Program& program, const Words& words, const InputError& error) {
  Report report;
  report.exit_code = exit_code_of(error.kind());
  if (mentions(words, "--json")) {
    report.text = json_text(error_json(error));
    return report;
  }
  std::string text = format_diagnostic(error);
  if (error.kind() == Kind::usage) text += program.help_hint(words);
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

Report guarded_run(const Program& program, const Words& words) {
  try {
    return program.run(words);
  } catch (const InputError& error) {
    return error_report(program, words, error);
  } catch (const std::bad_alloc&) {
    return error_report(program, words, InputError(Kind::limit, "", "not enough memory for this input"));
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

bool mentions(const Words& words, std::string_view option) {
  const auto end = std::find(words.begin(), words.end(), "--");
  return std::find(words.begin(), end, option) != end;
}

/// A program that is started with a standard file closed would get its number for the next file that it opens, a record
/// for one, and write its remarks into that. What is read or printed still fails, as of a closed file; remarks go
/// nowhere.
static void open_standard_files() {
  constexpr std::pair<int, int> kFiles[] = {
      {STDIN_FILENO, O_WRONLY}, {STDOUT_FILENO, O_RDONLY}, {STDERR_FILENO, O_WRONLY}};
  for (const auto& [number, access] : kFiles) {
    if (::fcntl(number, F_GETFD) != -1) continue;
    [[maybe_unused]] const int opened = ::open("/dev/null", access);
  }
}

int run_program(const Program& program, int argc, char** argv) {
  open_standard_files();
#ifdef SIGPIPE
  std::signal(SIGPIPE, SIG_IGN);
#endif
#ifdef SIGXFSZ
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow further is an error of the write, with a message
#endif
  try {
    const Words words(argv + std::min(argc, 1), argv + argc);
    return print(guarded_run(program, words));
  } catch (...) {
    std::fputs("error: not enough memory [limit]\n", stderr);
    return kFileProblem;
  }
}

}  // namespace carom::app
