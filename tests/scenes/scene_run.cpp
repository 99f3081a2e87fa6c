#include "scenes/scene_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "carom/base/number.h"
#include "carom/engine/engine_registry.h"
#include "carom/engine/run.h"
#include "carom/scene/settings.h"
#include "support/places.h"
#include "support/property_cases.h"

namespace carom::test {
namespace {

class Recorder final : public Observer {
 public:
  explicit Recorder(SceneRun& run) : run_(run) {}

  void sample(const State& state, const EnergyBook& book) override {
    run_.samples.push_back(state);
    run_.energy_scale = std::max({run_.energy_scale, std::abs(book.now.total()), book.now.kinetic});
  }
  void event(const EventRecord& event) override {
    KeptEvent kept{.record = event,
                   .contacts = {event.contacts.begin(), event.contacts.end()},
                   .jumps = {event.jumps.begin(), event.jumps.end()},
                   .joints = {event.joints.begin(), event.joints.end()}};
    kept.record.contacts = {};
    kept.record.jumps = {};
    kept.record.joints = {};
    run_.events.push_back(std::move(kept));
  }
  void progress(double, long) override {}

 private:
  SceneRun& run_;
};

}  // namespace

const BodyState& SceneRun::body(const std::string& name) const {
  for (std::size_t i = 0; i < scene.model.bodies.size(); ++i) {
    if (scene.model.bodies[i].name == name) return result.final_state.bodies[i];
  }
  ADD_FAILURE() << "no body " << name;
  return result.final_state.bodies.front();
}

std::vector<KeptEvent> SceneRun::of_kind(EventKind kind) const {
  std::vector<KeptEvent> found;
  std::copy_if(events.begin(), events.end(), std::back_inserter(found),
               [kind](const KeptEvent& event) { return event.record.kind == kind; });
  return found;
}

std::vector<std::string> scene_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(project_file("scenes"))) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

scene::SceneFile shipped_scene(const std::string& name, const std::vector<std::string>& settings) {
  scene::Document document = scene::read_document(scene_path(name));
  scene::apply_settings(document, settings);
  return scene::read_scene_file(document);
}

scene::SceneFile scene_from_text(const std::string& text) {
  return scene::read_scene_file(scene::parse_document("scene", text));
}

SceneRun run_scene(const scene::SceneFile& scene) {
  SceneRun run{.scene = scene, .result = {}, .events = {}, .samples = {}};
  Recorder recorder(run);
  run.result =
      run_to_end(engine_kind(scene.run.engine).make(std::make_shared<const Model>(scene.model), scene.state, scene.run),
                 {scene.run.output_step, scene.run.stop_at_rest}, &recorder);
  return run;
}

SceneRun run_shipped(const std::string& name, const std::vector<std::string>& settings) {
  return run_scene(shipped_scene(name, settings));
}

std::string setting(const std::string& path, double value) {
  return path + "=" + format_number(value);
}

std::string setting(const std::string& path, const Eigen::Vector3d& value) {
  return path + "=[" + format_number(value.x()) + ", " + format_number(value.y()) + ", " + format_number(value.z()) +
         "]";
}

void expect_ended(const SceneRun& run) {
  const bool rests = run.scene.run.stop_at_rest && run.result.stop == RunStop::at_rest;
  EXPECT_TRUE(rests || run.result.stop == RunStop::duration || run.result.stop == RunStop::scripted)
      << run_stop_name(run.result.stop) << (run.result.failure ? run.result.failure->reason : std::string());
  // The rigid engine loses round-off only; the steps of the other one have an error of rtol each, and the works of
  // damping and friction are integrated beside the motion.
  const RunOptions& settings = run.scene.run;
  const double tolerance = engine_kind(settings.engine).has_forces
                               ? 1e2 * settings.rtol
                               : std::max(1e-12, 10.0 * settings.integration_tolerance);
  // What friction takes, drives have poured in: the balance is what is left of their sum.
  const double scale = std::max(run.energy_scale, run.result.energy.friction);
  EXPECT_LE(std::abs(run.result.energy.error()), tolerance * scale);
}

void expect_sound(const SceneRun& run) {
  expect_ended(run);
  EXPECT_NE(run.result.guarantee, Guarantee::sampled);
}

bool quick() {
  return property_cases(1000) < 1000;
}

double difference(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  return (a - b).lpNorm<Eigen::Infinity>();
}

}  // namespace carom::test
