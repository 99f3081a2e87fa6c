#pragma once
/// What the commands that run a scene share: its engine, who watches it, the signals that stop it, its record.
///
///   const SceneInput input = read_scene(arguments);
///   const Engine engine = make_engine(input);
///   Audience audience;                       // add() a record, a progress bar, …
///   const SignalWatch watch;
///   const FinishedRun run = execute(engine, audience, SignalWatch::interrupted());
///
/// An engine serves one run. It refers to the scene, which has to live longer, and may run in another thread than the
/// one that watches for signals.

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "carom/record/record_writer.h"
#include "carom/record/run_result.h"
#include "common/signal_watch.h"
#include "output/run_output.h"
#include "scene_input.h"

namespace carom::app {

/// Runs to a stop and tells the observer; soon after `interrupted` has turned true it stops `interrupted`.
using Engine = std::function<RunResult(Observer& observer, const std::atomic<bool>& interrupted)>;

/// The engine that the scene asks for. Throws InputError about the model, or where there is no such engine.
Engine make_engine(const scene::SceneFile& scene);
/// The same with the error's place in the file.
Engine make_engine(const SceneInput& input);

/// Tells several observers, in the order in which they were added, and keeps the largest energies.
class Audience final : public Observer {
 public:
  void add(Observer& observer) { observers_.push_back(&observer); }
  /// Largest |total| and kinetic energy at the samples so far [J].
  [[nodiscard]] double energy_scale() const { return energy_scale_; }

  void sample(const State& state, const EnergyBook& book) override;
  void event(const EventRecord& event) override;
  void progress(double time, long events) override;

 private:
  std::vector<Observer*> observers_;
  double energy_scale_ = 0.0;
};

struct FinishedRun {
  RunResult result;
  double wall_time = 0.0;     ///< [s]
  double energy_scale = 0.0;  ///< of the audience [J]
};

/// Runs the engine before the audience. An exception of an observer passes through.
FinishedRun execute(const Engine& engine, Audience& audience, const std::atomic<bool>& interrupted);

/// What a record of this scene says about its run; `settings` are those that were applied to the scene.
RecordHeader record_header(const scene::SceneFile& scene, std::vector<std::string> settings);

/// The summary as a record keeps it: JSON; the bodies are in the last sample.
std::string stored_summary(const RunSummary& summary);

/// Exit code of a run that ended so.
int exit_code_of(RunStop stop);

}  // namespace carom::app
