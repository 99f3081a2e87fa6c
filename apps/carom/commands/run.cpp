/// `carom run`: a scene through its engine, with a record of what happened.

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "carom/base/activity.h"
#include "carom/base/utf8.h"
#include "carom/record/record_check.h"
#include "carom/simulation/record_scene.h"
#include "carom/simulation/reproducer.h"
#include "carom/simulation/simulation.h"
#include "commands/table.h"
#include "common/progress.h"
#include "common/signal_watch.h"
#include "common/text_table.h"
#include "output/run_output.h"
#include "output/sparkline.h"
#include "output/verification_output.h"
#include "running.h"
#include "scene_input.h"

namespace carom::app {
namespace run_command {

constexpr Option kOptions[] = {
    {"--out",
     {Value::Kind::file, "RUN.h5"},
     "keep a record (HDF5) for carom events and others; replaces an older one",
     false,
     false,
     "-o"},
    kSetOption,
    kLawOption,
    kEngineOption,
    kDurationOption,
    {"--from",
     {Value::Kind::file, "RUN.h5"},
     "instead of a scene: run a record again from the scene and the settings inside, and compare every bit"},
    kFlushOption,
    {"--checkpoint",
     {Value::Kind::text, "SECONDS"},
     "with --out: how often the record gets what carom resume goes on from if the run is killed (default: at the end "
     "alone)"},
    {"--no-forces",
     {},
     "leave out of the record what contacts do at every sample, which takes most room where many bodies lie"},
    kProgressOption,
    {"--reproducer",
     {Value::Kind::file, "FILE.toml"},
     "where the run fails: write the smallest scene found that fails in the same way, the bodies of the failing "
     "cluster "
     "as they were just before"},
    kBodiesOption,
    kJsonOption,
};

constexpr std::string_view kNotes[] = {
    "The record is written while the run goes on, every two seconds or as --flush says; if the run is killed, what was "
    "written can be read. An older record of the same name is replaced when the new run begins. Ctrl-C stops the run, "
    "closes "
    "the record and prints the summary (exit code 130).",
    "With --checkpoint a run that is killed goes on from its last checkpoint: carom resume RUN.h5. Checkpoints change "
    "nothing in the run. Every record of a run that has ended has one at the end, to go on from there.",
    "Exit code 3 means that the mathematics did not finish (failed) or that max_events was reached; the summary says "
    "where and when.",
    "With --from exit code 0 means that the run gave the same bits as the record, 3 that it did not; the first "
    "difference is shown, and the run ends there unless --out keeps it. A record whose run was killed or interrupted "
    "is "
    "compared as far as it goes; with --out the run goes on to its end.",
    "The balance error is what is missing in the energy balance, relative to the largest energy of the run.",
    "With engine = \"smooth\" contacts have forces: the summary tells how deep they went, what each law took, and "
    "warns where a law is used beyond the speeds that it is meant for.",
};

constexpr std::string_view kExamples[] = {
    "printf 'format = 1\\n[run]\\nduration = 1\\n' | carom run - --set run.duration=2 --progress none",
    "f=$(mktemp); printf 'format=1\\n[run]\\nduration=1\\n' | carom run - --out $f; carom run --from $f",
};

/// The simulation of a scene; until it is there a signal has nothing to close.
Simulation prepared(const Scene& scene) {
  const Activity activity("the scene");
  return Simulation(scene);
}

/// Wall time for which one small scene is tried that may fail alike [s].
constexpr double kLongestTrial = 5.0;

/// Runs it with the record that --out asks for; `observer` sees it too. `extended`: times up to which it goes on beyond
/// its duration.
RunSummary carry_out(const Arguments& arguments, Simulation& simulation, Observer& observer, Progress& progress,
                     const std::vector<double>& extended = {}) {
  const RecordRhythm rhythm = rhythm_of(arguments);
  if (arguments.has("--checkpoint") && !arguments.has("--out"))
    throw InputError(Kind::usage, "--checkpoint", "--checkpoint goes into a record: --out RUN.h5 names it");
  const RecordContents contents{.contact_forces = !arguments.has("--no-forces")};
  if (const auto path = arguments.value("--out")) simulation.record(*path, rhythm, contents);
  progress.set_goal({simulation.options().duration, simulation.options().max_events});
  simulation.add(observer);
  simulation.add(progress);
  simulation.stop_while(SignalWatch::interrupted());
  if (extended.empty()) {
    simulation.run();
  } else {
    simulation.advance_to(extended.back());
  }
  const auto file = arguments.has("--from") ? arguments.value("--from") : arguments.argument();
  return simulation.summary(*file);
}

/// Writes the scene that --reproducer asks for; what there is to say about it.
void add_reproducer(const Arguments& arguments, const Simulation& simulation, Report& report) {
  const auto path = arguments.value("--reproducer");
  if (!path) return;
  const Activity activity("the search for a small scene that fails alike");
  const std::optional<Reproducer> found = find_reproducer(simulation, kLongestTrial, &SignalWatch::interrupted());
  if (!found) {
    if (simulation.result().failure)
      report.notes.push_back(
          fmt::format("the search for a small scene that fails alike was interrupted: {} is not written", *path));
    return;
  }
  found->scene.save(*path);
  report.notes.push_back(fmt::format("{} fails in the same way: {} {}, from {} s on", *path, found->bodies,
                                     found->bodies == 1 ? "body" : "bodies", found->time));
}

Report run_scene(const Arguments& arguments) {
  const StartWatch watch;
  EnergySparkline sparkline;
  Report report;
  const RunSummary summary = [&] {
    Progress progress(style_of(arguments), stderr);
    Simulation simulation = prepared(read_scene(arguments).scene);
    const SignalWatch signals;
    RunSummary ended = carry_out(arguments, simulation, sparkline, progress);
    add_reproducer(arguments, simulation, report);
    return ended;
  }();
  if (shows_sparkline(arguments)) std::fputs(sparkline.text(terminal_width()).c_str(), stderr);
  report_run(arguments, summary, report);
  return report;
}

std::string rerun_text(const RunSummary& summary) {
  std::string text = summary.title.empty() ? "" : printable(summary.title, kLongestTitle) + "\n";
  text += labelled("ran", fmt::format("{} s of model time in {} s", cell(summary.result.final_state.time),
                                      cell(summary.wall_time, 3)));
  if (summary.record) text += labelled("record", *summary.record);
  return text;
}

/// Runs a record again and compares.
Report run_again(const Arguments& arguments) {
  const std::string path = *arguments.value("--from");
  const auto out = arguments.value("--out");
  std::error_code ignored;
  if (out && std::filesystem::equivalent(path, *out, ignored)) {
    throw InputError(Kind::usage, "--out", "--out names the record that --from reads");
  }
  const StartWatch watch;
  Progress progress(style_of(arguments), stderr);
  const RecordReader record(path);
  const RecordInfo& info = record.info();
  (void)scene_of(info);  // the bodies of the scene are those of the record
  Simulation simulation = prepared(recorded_scene(info));
  const SignalWatch signals;
  RecordCheck check(record, out ? nullptr : &SignalWatch::interrupted());
  const RunSummary summary = carry_out(arguments, simulation, check, progress, info.extended);
  check.finish(summary.result.stop);
  Report report;
  // Asked to stop by the check or by a signal: a signal leaves something to compare.
  const bool signalled = summary.result.stop == RunStop::interrupted && !check.whole() && !check.first_difference();
  report.exit_code = check.first_difference() ? kUnfinished : signalled ? kInterrupted : kDone;
  if (arguments.has("--json")) {
    Json json = summary_json(arguments, summary);
    json["verification"] = verification_json(check, info);
    report.text = json_text(json);
  } else {
    report.text = rerun_text(summary) + verification_text(check, info);
  }
  return report;
}

Report run(const Arguments& arguments) {
  if (!arguments.has("--from")) {
    if (arguments.argument()) return run_scene(arguments);
    throw InputError(Kind::usage, "SCENE|-", "carom run needs SCENE|-: " + std::string(kSceneHelp));
  }
  if (arguments.argument() || arguments.has(kSetOption.name)) {
    throw InputError(Kind::usage, "--from", "with --from the scene and its settings are those of the record");
  }
  return run_again(arguments);
}

}  // namespace run_command

const Command kRunCommand{
    .name = "run",
    .summary = "run a scene and tell how it ended",
    .argument = {.kind = Value::Kind::file, .name = kSceneValue.name, .may_be_absent = true},
    .argument_help = kSceneHelp,
    .options = run_command::kOptions,
    .notes = run_command::kNotes,
    .examples = run_command::kExamples,
    .run = &run_command::run,
};

}  // namespace carom::app
