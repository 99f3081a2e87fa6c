/// `carom resume`: a run goes on from the last checkpoint of its record.

#include <fmt/format.h>

#include <array>

#include "carom/base/activity.h"
#include "carom/base/number.h"
#include "carom/record/record_reader.h"
#include "carom/simulation/simulation.h"
#include "commands/table.h"
#include "common/progress.h"
#include "common/signal_watch.h"
#include "output/run_output.h"
#include "output/sparkline.h"
#include "running.h"

namespace carom::app {
namespace resume_command {

constexpr Option kOptions[] = {
    {"--duration", {Value::Kind::text, "SECONDS"}, "go on beyond the duration of the scene, up to this model time"},
    {"--checkpoint",
     {Value::Kind::text, "SECONDS"},
     "how often the record gets a new checkpoint on the way (default: at the end alone)"},
    kFlushOption,
    kProgressOption,
    kBodiesOption,
    kJsonOption,
};

constexpr std::string_view kNotes[] = {
    "The run goes on where its last checkpoint was made: by carom run --checkpoint on the way, and by every run that "
    "keeps a record at its end, Ctrl-C included. What the record has after that is written again. The finished record "
    "is "
    "that of a run which was never interrupted, bit by bit, but for wall times.",
    "With --duration the run goes on to that time, and the record is that of a run which was given the longer duration "
    "at once. Exit codes are those of carom run.",
    "A checkpoint can be read by the version of carom that wrote it alone.",
};

constexpr std::string_view kExamples[] = {
    "f=$(mktemp); carom run scenes/bouncing-ball.toml --out $f; carom resume $f --duration 12",
};

/// A run that has come to an end of its own can only go on beyond it.
void require_goal(const RecordInfo& info, const std::string& path, bool has_duration) {
  constexpr std::array kEnds = {RunStop::duration, RunStop::at_rest, RunStop::apart, RunStop::scripted};
  if (has_duration || !info.complete) return;
  for (const RunStop stop : kEnds)
    if (info.stop == run_stop_name(stop))
      throw InputError(Kind::usage, "--duration",
                       fmt::format("the run of '{}' has come to its end ({}); to go on beyond it give --duration "
                                   "SECONDS, a later model time",
                                   path, info.stop));
}

Report resume(const Arguments& arguments) {
  const StartWatch watch;
  const std::string path = *arguments.argument();
  const auto text = arguments.value("--duration");
  const double duration = text ? parse_number(*text, "--duration") : 0.0;
  const RecordRhythm rhythm = rhythm_of(arguments);
  require_goal(RecordReader(path).info(), path, text.has_value());
  EnergySparkline sparkline;
  Report report;
  const RunSummary summary = [&] {
    Progress progress(style_of(arguments), stderr);
    Simulation simulation = [&] {
      const Activity activity("the checkpoint");
      if (text) {
        const double end = Simulation::load(path).end_time();
        if (!(duration > end))
          throw InputError(
              Kind::out_of_range, "--duration",
              fmt::format("--duration is {}, expected a time after {} s, to which the run goes anyway", duration, end));
      }
      return Simulation::resume(path, rhythm);
    }();
    const SignalWatch signals;
    const auto go_to = [&](Simulation& going, double end) {
      progress.set_goal({end, going.options().max_events});
      going.add(sparkline);
      going.add(progress);
      going.stop_while(SignalWatch::interrupted());
      going.advance_to(end);
      return going.summary(path);
    };
    return go_to(simulation, text ? duration : simulation.end_time());
  }();
  if (shows_sparkline(arguments)) std::fputs(sparkline.text(terminal_width()).c_str(), stderr);
  report_run(arguments, summary, report);
  return report;
}

}  // namespace resume_command

const Command kResumeCommand{
    .name = "resume",
    .summary = "go on with a run that was killed or has ended",
    .argument = {.kind = Value::Kind::file, .name = "RUN.h5"},
    .argument_help = "record of the run, which is continued",
    .options = resume_command::kOptions,
    .notes = resume_command::kNotes,
    .examples = resume_command::kExamples,
    .run = &resume_command::resume,
};

}  // namespace carom::app
