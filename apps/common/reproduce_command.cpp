#include "common/reproduce_command.h"

#include "common/progress.h"

namespace carom::app {
namespace {

constexpr Option kOptions[] = {
    {"--out",
     {Value::Kind::file, "DIR"},
     "write report.html, report.md and figures/ into this folder",
     false,
     false,
     "-o"},
    {"--progress",
     {Value::Kind::choice, "STYLE", "style", &progress_names},
     "bar, plain, json or none, on standard error (default: bar on a terminal, none elsewhere)"},
    kJsonOption,
};

constexpr std::string_view kNotes[] = {
    "Papers: disk-in-a-corner, nonholonomic-collisions, weak-solutions, ellipsoid-and-planes, smooth-contact, or all "
    "(the default). Every example, theorem and table is computed anew; each item has its place in the paper, the "
    "paper's value, carom's, the difference and a verdict.",
    "report.html is one page with all pictures inside; report.md has them beside it, in figures/. They are drawn by "
    "gnuplot.",
};

constexpr std::string_view kExamples[] = {"carom reproduce nonholonomic-collisions"};

}  // namespace

Command reproduce_command(Report (*run)(const Arguments& arguments)) {
  return {
      .name = "reproduce",
      .summary = "compute every example, theorem and table of the source papers",
      .argument = {.kind = Value::Kind::text, .name = "PAPER", .may_be_absent = true, .repeated = true},
      .argument_help = "a paper's name, or all (default)",
      .options = kOptions,
      .notes = kNotes,
      .examples = kExamples,
      .run = run,
  };
}

}  // namespace carom::app
