#include "running.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <memory>

#include "carom/engine/event/event_engine.h"
#include "carom/engine/smooth/smooth_engine.h"

namespace carom::app {
namespace {

std::atomic<bool> signalled{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void ask_to_stop(int signal) {
  signalled = true;
  std::signal(signal, SIG_DFL);
}

template <class AnyEngine, class Options>
Engine engine_of(const scene::SceneFile& scene, const Options& options) {
  const auto engine = std::make_shared<AnyEngine>(scene.model, scene.state, options);
  return [engine](Observer& observer, const std::atomic<bool>& interrupted) {
    return engine->run(&observer, &interrupted);
  };
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

}  // namespace

Engine make_engine(const scene::SceneFile& scene) {
  if (is_compliant(scene)) return engine_of<SmoothEngine>(scene, scene::smooth_options(scene.run));
  return engine_of<EventEngine>(scene, scene::event_options(scene.run));
}

Engine make_engine(const SceneInput& input) {
  return pointing_into_scene(input.document, [&input] { return make_engine(input.file); });
}

void Audience::sample(const State& state, const EnergyBook& book) {
  energy_scale_ = std::max({energy_scale_, std::abs(book.now.total()), book.now.kinetic});
  for (Observer* const observer : observers_) observer->sample(state, book);
}

void Audience::event(const EventRecord& event) {
  for (Observer* const observer : observers_) observer->event(event);
}

void Audience::progress(double time, long events) {
  for (Observer* const observer : observers_) observer->progress(time, events);
}

SignalWatch::SignalWatch() {
  signalled = false;
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, &ask_to_stop);
}

SignalWatch::~SignalWatch() {
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
}

std::atomic<bool>& SignalWatch::interrupted() {
  return signalled;
}

FinishedRun execute(const Engine& engine, Audience& audience, const std::atomic<bool>& interrupted) {
  const auto start = std::chrono::steady_clock::now();
  RunResult result = engine(audience, interrupted);
  const std::chrono::duration<double> wall_time = std::chrono::steady_clock::now() - start;
  return {std::move(result), wall_time.count(), audience.energy_scale()};
}

RecordHeader record_header(const scene::SceneFile& scene, std::vector<std::string> settings) {
  return {.scene = scene.text,
          .settings = std::move(settings),
          .engine = scene.run.engine,
          .law = is_compliant(scene) ? std::string() : scene.run.law,
          .options = options_json(scene.run),
          .seed = scene.run.seed};
}

std::string stored_summary(const RunSummary& summary) {
  return run_json(summary).dump(-1, ' ', false, Json::error_handler_t::replace);
}

int exit_code_of(RunStop stop) {
  switch (stop) {
    case RunStop::duration:
    case RunStop::at_rest:
    case RunStop::apart: return kDone;
    case RunStop::interrupted: return kInterrupted;
    case RunStop::event_limit:
    case RunStop::failed: break;
  }
  return kUnfinished;
}

}  // namespace carom::app
