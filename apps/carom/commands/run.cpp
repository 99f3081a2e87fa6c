/// `carom run`: a scene through its engine, with a record of what happened.

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <functional>
#include <memory>
#include <vector>

#include "carom/engine/event/event_engine.h"
#include "carom/engine/smooth/smooth_engine.h"
#include "carom/record/record_writer.h"
#include "commands/table.h"
#include "output/run_output.h"
#include "progress.h"
#include "scene_input.h"

namespace carom::app {
namespace {

constexpr Option kOptions[] = {
    {"--out", {Value::Kind::file, "RUN.h5"}, "keep a record (HDF5) for carom events and others; replaces an older one"},
    kSetOption,
    {"--progress",
     {Value::Kind::choice, "STYLE", "style", &progress_names},
     "bar, plain (a line every second), json (an object per line) or none, on standard error (default: bar on a "
     "terminal, none elsewhere)"},
    {"--bodies", {}, "with --json: list the bodies at the end also where there are more than 1000"},
    kJsonOption,
};

constexpr std::string_view kNotes[] = {
    "The record is written while the run goes on, at least every two seconds; if the run is killed, what was written "
    "can be read. An older record of the same name is replaced when the new run begins. Ctrl-C stops the run, closes "
    "the record and prints the summary (exit code 130).",
    "Exit code 3 means that the mathematics did not finish (failed) or that max_events was reached; the summary says "
    "where and when.",
    "The balance error is what is missing in the energy balance, relative to the largest energy of the run.",
    "With engine = \"smooth\" contacts have forces: the summary tells how deep they went, what each law took, and "
    "warns "
    "where a law is used beyond the speeds that it is meant for.",
};

constexpr std::string_view kExamples[] = {
    "printf 'format = 1\\n[run]\\nduration = 1\\n' | carom run - --set run.duration=2 --progress none",
};

/// Tells several observers, and keeps the largest energies.
class Audience final : public Observer {
 public:
  void add(Observer& observer) { observers_.push_back(&observer); }
  [[nodiscard]] double energy_scale() const { return energy_scale_; }

  void sample(const State& state, const EnergyBook& book) override {
    energy_scale_ = std::max({energy_scale_, std::abs(book.now.total()), book.now.kinetic});
    for (Observer* const observer : observers_) observer->sample(state, book);
  }
  void event(const EventRecord& event) override {
    for (Observer* const observer : observers_) observer->event(event);
  }
  void progress(double time, long events) override {
    for (Observer* const observer : observers_) observer->progress(time, events);
  }

 private:
  std::vector<Observer*> observers_;
  double energy_scale_ = 0.0;
};

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

/// While it lives, the first SIGINT or SIGTERM asks the run to stop; the second ends the program.
class SignalWatch {
 public:
  SignalWatch() {
    interrupted = false;
    for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, &SignalWatch::ask_to_stop);
  }
  ~SignalWatch() {
    for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
  }
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

 private:
  static void ask_to_stop(int signal) {
    interrupted = true;
    std::signal(signal, SIG_DFL);
  }
};

using Engine = std::function<RunResult(Observer&)>;

template <class AnyEngine, class Options>
Engine make_engine(const scene::SceneFile& scene, const Options& options) {
  const auto engine = std::make_shared<AnyEngine>(scene.model, scene.state, options);
  return [engine](Observer& observer) { return engine->run(&observer, &interrupted); };
}

/// The engine that the scene asks for. Throws InputError about the model, or where there is no such engine.
Engine make_engine(const scene::SceneFile& scene) {
  if (is_compliant(scene)) return make_engine<SmoothEngine>(scene, scene::smooth_options(scene.run));
  return make_engine<EventEngine>(scene, scene::event_options(scene.run));
}

std::string options_json(const scene::RunOptions& run) {
  Json json{{"engine", run.engine},
            {"duration", json_number(run.duration)},
            {"output_step", json_number(run.output_step)},
            {"stop_at_rest", run.stop_at_rest},
            {"seed", run.seed}};
  if (run.engine == "smooth") {
    json.update({{"integrator", run.integrator},
                 {"rtol", json_number(run.rtol)},
                 {"step", json_number(run.step)},
                 {"max_step", json_number(run.max_step)},
                 {"rest_speed", json_number(run.rest_speed)},
                 {"constraint_method", constraint_method_name(run.constraint_method)},
                 {"baumgarte_rate", json_number(run.baumgarte_rate)},
                 {"clusters", run.clusters},
                 {"event_location", run.event_location},
                 {"settle", run.settle}});
  } else {
    json.update(
        {{"law", run.law}, {"max_events", run.max_events}, {"contact_tolerance", json_number(run.contact_tolerance)}});
  }
  return json.dump();
}

std::unique_ptr<RecordWriter> make_record(const Arguments& arguments, const scene::SceneFile& scene) {
  const auto path = arguments.value("--out");
  if (!path) return nullptr;
  RecordHeader header{.scene = scene.text,
                      .settings = arguments.all(kSetOption.name),
                      .engine = scene.run.engine,
                      .law = is_compliant(scene) ? std::string() : scene.run.law,
                      .options = options_json(scene.run),
                      .seed = scene.run.seed};
  return std::make_unique<RecordWriter>(*path, scene.model, std::move(header));
}

/// The summary as the record keeps it: the bodies are in the last sample, and very many failing ones are left out.
std::string stored_summary(const RunSummary& summary) {
  Json json = run_json(summary);
  const auto text = [&json] { return json.dump(-1, ' ', false, Json::error_handler_t::replace); };
  if (text().size() > kSummarySize && json["failure"].is_object()) json["failure"].erase("bodies");
  for (const char* const field : {"unused", "scene", "file", "record", "failure"}) {
    if (text().size() > kSummarySize) json.erase(field);
  }
  return text();
}

int exit_code_of(RunStop stop) {
  switch (stop) {
    case RunStop::duration:
    case RunStop::at_rest: return kDone;
    case RunStop::interrupted: return kInterrupted;
    case RunStop::event_limit:
    case RunStop::failed: break;
  }
  return kUnfinished;
}

Report summary_report(const Arguments& arguments, const RunSummary& summary) {
  const RunResult& result = summary.result;
  Report report;
  report.exit_code = exit_code_of(result.stop);
  if (result.compliant) report.notes = result.compliant->warnings;
  if (arguments.has("--json")) {
    Json json = run_json(summary);
    if (arguments.has("--bodies") || result.final_state.bodies.size() <= kMostBodiesListed) {
      json["bodies"] = bodies_json(summary.scene.model, result.final_state);
    }
    report.text = json_text(json);
    return report;
  }
  report.text = run_text(summary);
  return report;
}

Report run(const Arguments& arguments) {
  const SceneInput input = read_scene(arguments);
  const scene::SceneFile& scene = input.file;
  const Engine engine = pointing_into_scene(input.document, [&scene] { return make_engine(scene); });
  const std::unique_ptr<RecordWriter> record = make_record(arguments, scene);
  const auto style_name = arguments.value("--progress");
  Progress progress(progress_style(style_name ? &*style_name : nullptr), {scene.run.duration, scene.run.max_events},
                    stderr);
  Audience audience;
  if (record) audience.add(*record);
  audience.add(progress);

  const SignalWatch watch;
  const auto start = std::chrono::steady_clock::now();
  const RunResult result = engine(audience);
  const std::chrono::duration<double> wall_time = std::chrono::steady_clock::now() - start;
  const RunSummary summary{.scene = scene,
                           .file = *arguments.argument(),
                           .result = result,
                           .wall_time = wall_time.count(),
                           .energy_scale = audience.energy_scale(),
                           .record = arguments.value("--out")};
  if (record) record->finish(result.stop, stored_summary(summary));
  return summary_report(arguments, summary);
}

}  // namespace

const Command kRunCommand{
    .name = "run",
    .summary = "run a scene and tell how it ended",
    .argument = kSceneValue,
    .argument_help = kSceneHelp,
    .options = kOptions,
    .notes = kNotes,
    .examples = kExamples,
    .run = &run,
};

}  // namespace carom::app
