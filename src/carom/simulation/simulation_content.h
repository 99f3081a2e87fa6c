#pragma once
/// What a Simulation is made of, for the sources of this room.

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "carom/base/archive.h"
#include "carom/base/error.h"
#include "carom/engine/engine_registry.h"
#include "carom/engine/run.h"
#include "carom/record/record_writer.h"
#include "carom/scene/scene_contents.h"
#include "carom/simulation/checkpoints.h"
#include "carom/simulation/simulation.h"

namespace carom {

/// What does not change during a run; shared by copies.
struct Simulation::Setup {
  Scene scene;
  scene::SceneFile contents;
  std::shared_ptr<const Model> model;

  explicit Setup(const Scene& with) : scene(with), contents(with.build()) {
    model = std::make_shared<const Model>(std::move(contents.model));
  }
  /// An engine from a state to a later time, with the model that a script has changed where there is one.
  [[nodiscard]] std::unique_ptr<Engine> make_engine(const State& state, double end,
                                                    const std::shared_ptr<const Model>& changed = nullptr) const {
    RunOptions options = contents.run;
    options.duration = end - state.time;
    try {
      return engine_kind(options.engine).make(changed ? changed : model, state, options);
    } catch (const InputError& error) {
      throw scene.with_place(error);
    }
  }
};

/// Callbacks of a user.
class Simulation::Callbacks final : public Observer {
 public:
  std::function<void(const EventRecord&)> on_event;
  std::function<void(const State&, const EnergyBook&)> on_sample;

  void sample(const State& state, const EnergyBook& book) override {
    if (on_sample) on_sample(state, book);
  }
  void event(const EventRecord& event) override {
    if (on_event) on_event(event);
  }
  void progress(double, long) override {}
};

struct Simulation::Content {
  std::shared_ptr<const Setup> setup;
  Run run;
  Checkpoints checkpoints;
  std::atomic<bool> interrupted{false};
  std::vector<std::unique_ptr<Callbacks>> callbacks;
  std::unique_ptr<RecordWriter> record;
  std::optional<std::string> record_path;
  std::deque<Event> waiting;  ///< events of one instant that next_event has yet to hand out
  double wall_time = 0.0;
  std::chrono::steady_clock::time_point going_since;  ///< while it goes on
  double known_since;                                 ///< the earliest time that can be asked for [s]
  double checkpoint_seconds = 0.0;                    ///< between checkpoints of the record; 0: none on the way
  std::chrono::steady_clock::time_point last_checkpoint;
  double checkpoint_cost = 0.0;  ///< that the last one took [s]

  explicit Content(std::shared_ptr<const Setup> with)
      : setup(std::move(with)),
        run(setup->make_engine(setup->contents.state, setup->contents.state.time + setup->contents.run.duration),
            {setup->contents.run.output_step, setup->contents.run.stop_at_rest}),
        known_since(run.start_time()) {
    prepare();
  }
  Content(const Content& other)
      : setup(other.setup),
        run(other.run),
        checkpoints(other.checkpoints),
        waiting(other.waiting),
        wall_time(other.wall_time),
        known_since(other.known_since) {
    prepare();
  }
  ~Content() {
    try {
      close_record(RunStop::interrupted);
    } catch (const InputError&) {  // what was written stays readable
    }
  }

  void prepare() {
    run.watch(interrupted);
    if (checkpoints.empty()) checkpoints.keep(run);
    run.on_progress([this] { checkpoints.offer(run); });
    run.on_pause([this](bool last) { pause(last); });
  }
  [[nodiscard]] double wall_time_now() const {
    return wall_time + std::chrono::duration<double>(std::chrono::steady_clock::now() - going_since).count();
  }
  void pause(bool last);
  void transfer(Archive& archive);
  [[nodiscard]] std::vector<std::byte> save();
  /// Does something with the run, with a clock beside it, and closes the record where the run has stopped.
  template <class Work>
  void going(const Work& work) {
    going_since = std::chrono::steady_clock::now();
    try {
      if (run.is_cut_short()) run.recover(checkpoints.before(run.time()));
      work();
    } catch (...) {  // of an observer: what the record has stays as it is
      if (record) run.remove(*record);
      record.reset();
      throw;
    }
    wall_time = wall_time_now();
    if (!run.stopped()) return;
    interrupted = false;
    close_record(run.result().stop);
  }
  void close_record(RunStop stop);
  void keep_record(const std::string& path, const RecordRhythm& rhythm) {
    record_path = path;
    checkpoint_seconds = rhythm.checkpoint_seconds;
    last_checkpoint = std::chrono::steady_clock::now();
    checkpoint_cost = 0.0;
  }
  [[nodiscard]] RunSummary summary(std::string file) const;
};

}  // namespace carom
