#pragma once
/// A scene that runs.
///
///     Simulation simulation(Scene::read("scenes/bouncing-ball.toml"));
///     simulation.record("ball.h5");
///     simulation.on_event([](const EventRecord& event) { … });
///     const RunResult result = simulation.run();
///
/// It may be asked in any order and goes on after a stop: advance_to in a hundred pieces gives the same bits as one
/// run(). A copy is an independent simulation from the same instant; records and callbacks stay with the original. Two
/// simulations in two threads do not disturb each other; one simulation belongs to one thread, but for interrupt().
/// save() and load() do the same across processes: what was saved goes on with the same bits.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/engine/run_options.h"
#include "carom/mechanics/impact_problem.h"
#include "carom/mechanics/model.h"
#include "carom/mechanics/state.h"
#include "carom/record/observer.h"
#include "carom/record/record_settings.h"
#include "carom/record/run_result.h"
#include "carom/scene/scene.h"
#include "carom/simulation/event.h"
#include "carom/simulation/run_summary.h"

namespace carom {

class Simulation {
 public:
  /// At the beginning of the scene. Throws InputError, with its place in the file, where the scene cannot be run.
  explicit Simulation(const Scene& scene);
  Simulation(const Simulation& other);
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(const Simulation& other);
  Simulation& operator=(Simulation&&) noexcept;
  /// A record that is still open is closed as that of an interrupted run.
  ~Simulation();

  /// The scene with all its settings.
  [[nodiscard]] const Scene& scene() const;
  [[nodiscard]] const Model& model() const;
  /// How the scene asks to be run.
  [[nodiscard]] const RunOptions& options() const;
  /// The body of that name. Throws InputError (unknown-name) with the nearest known one.
  [[nodiscard]] BodyIndex body(std::string_view name) const;

  // ----- going on
  /// Runs to the duration of the scene, or until it stops for another reason. Once it is there it stays there.
  RunResult run();
  /// Runs to that model time [s], also beyond the duration of the scene.
  void advance_to(double time);
  /// Goes on to the next event and returns it; several of one instant are handed out one after the other. None where
  /// the run has stopped.
  std::optional<Event> next_event();
  /// From any thread, or a signal handler: the run stops `interrupted` before its next event. It can go on then.
  void interrupt() noexcept;
  /// The run also stops `interrupted` while this is true. The flag has to live as long as the simulation is run.
  void stop_while(const std::atomic<bool>& flag);

  // ----- where it is
  [[nodiscard]] double time() const;      ///< model time reached [s]
  [[nodiscard]] double end_time() const;  ///< at which run() ends [s]
  [[nodiscard]] bool stopped() const;     ///< whether the run has stopped; result() says why
  [[nodiscard]] State state() const;
  /// At any time since the beginning: what is past is computed again, from the nearest of some copies that were kept on
  /// the way, and has the same bits. Throws InputError (out-of-range) for times that have not been reached.
  [[nodiscard]] State state_at(double time) const;
  [[nodiscard]] EnergyBook energy() const;
  /// As if the run ended now.
  [[nodiscard]] RunResult result() const;
  /// The same with what a person or a program wants to know besides. `file`: how the scene is called.
  [[nodiscard]] RunSummary summary(std::string file = "") const;

  /// Goes on from another state at the present time: velocities that somebody changed. Contacts are looked at as at the
  /// beginning of a run. What the change put into the system counts as initial energy, so that the balance closes.
  /// Throws InputError where the model does not allow it, and changes nothing then.
  void set_state(const State& state);

  // ----- saving and going on later (docs/resume.md)
  /// Everything that it goes on from, in bytes for this version of carom; the scene is in it. Records and callbacks are
  /// not.
  [[nodiscard]] std::vector<std::byte> save() const;
  /// The same into a file, which is replaced when all is written. Throws InputError (file).
  void save(const std::string& path) const;
  /// Goes on where save() was called. Times before that cannot be asked for. Throws InputError: `file` where the bytes
  /// are damaged, `unsupported` where another version of carom wrote them.
  static Simulation load(std::span<const std::byte> bytes);
  /// The same, of that scene: another one is refused (`unsupported`) with the first difference.
  static Simulation load(std::span<const std::byte> bytes, const Scene& scene);
  /// The same from a file that save() has written, or from the last checkpoint of a record, which stays as it is.
  static Simulation load(const std::string& path);
  /// Goes on with a record from its last checkpoint, whether its run has ended or was killed: what comes after the
  /// checkpoint is cut off and written again. Throws InputError: `file` where there is no checkpoint, it is damaged, or
  /// another process writes the record; `unsupported` where another version of carom has written it; `usage` where the
  /// run has failed.
  static Simulation resume(const std::string& record, const RecordRhythm& rhythm = {});

  // ----- observers
  /// Keeps a record from here on; one of that name is replaced. It is closed when the run stops.
  void record(const std::string& path, const RecordRhythm& rhythm = {}, const RecordContents& contents = {});
  void on_event(std::function<void(const EventRecord&)> callback);
  void on_sample(std::function<void(const State&, const EnergyBook&)> callback);
  /// An observer that lives as long as the simulation is run.
  void add(Observer& observer);

  /// The first impact from here on as a problem that any law can be asked about; none where nothing ever strikes. The
  /// simulation stays where it is. All closed contacts of the impact are in it, named after the two that touch.
  [[nodiscard]] std::optional<ImpactProblem> first_impact() const;

 private:
  struct Setup;
  class Callbacks;
  struct Content;
  std::unique_ptr<Content> content_;
};

}  // namespace carom
