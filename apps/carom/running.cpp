#include "running.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include "carom/engine/event/event_engine.h"
#include "carom/engine/smooth/smooth_engine.h"
#include "carom/scene/format/sections.h"

namespace carom::app {
namespace {

template <class AnyEngine, class Options>
Engine engine_of(const scene::SceneFile& scene, const Options& options) {
  const auto engine = std::make_shared<AnyEngine>(scene.model, scene.state, options);
  return [engine](Observer& observer, const std::atomic<bool>& interrupted) {
    return engine->run(&observer, &interrupted);
  };
}

Json option_json(bool value) {
  return value;
}
Json option_json(std::int64_t value) {
  return value;
}
Json option_json(double value) {
  return json_number(value);
}
Json option_json(const std::string& value) {
  return value;
}
Json option_json(ConstraintMethod value) {
  return constraint_method_name(value);
}

/// The options that the engine of the run uses.
std::string options_json(const RunOptions& run) {
  const scene::Engine engine = scene::engine_named(run.engine);
  Json json = Json::object();
  for (const RunOption& option : run_option_table()) {
    if ((scene::find_key(scene::section("run"), option.name)->engines & engine) == 0) continue;
    std::visit([&](const auto member) { json[std::string(option.name)] = option_json(run.*member); }, option.member);
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
  return run_json(summary).dump();
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

}  // namespace carom::app
