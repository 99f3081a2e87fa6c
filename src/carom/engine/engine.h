#pragma once
/// What an engine contributes to a run: what happens next, and what becomes of it. Everything that is the same for all
/// engines (the loop, samples, observers, stops, interrupts) is in run.h.
///
/// An engine begins at an initial state and knows its motion from now() up to next_time(); before now() nothing can be
/// asked any more. It writes counts, energies and failures into its log.
///
/// What it does never depends on end(): steps and searches go beyond it, and the state there is told as that of any
/// other time on the way. So a run that is extended is, bit for bit, one that was given the later end at once.

#include <memory>
#include <optional>
#include <vector>

#include "carom/base/archive.h"
#include "carom/engine/run_log.h"
#include "carom/mechanics/impact_problem.h"
#include "carom/mechanics/state.h"

namespace carom {

class Engine {
 public:
  virtual ~Engine() = default;
  Engine& operator=(const Engine&) = delete;

  /// An independent engine that goes on from the same instant and gives the same bits.
  [[nodiscard]] virtual std::unique_ptr<Engine> clone() const = 0;

  /// Deals with the contacts that are closed at the start. Called once, before anything is asked but state and energy.
  virtual void start() = 0;
  /// When something happens next; none where nothing happens until end(). Something may be known to the engine alone:
  /// the end of an integrated step.
  [[nodiscard]] virtual std::optional<double> next_time() = 0;
  /// Goes there and does it.
  virtual void handle_next() = 0;

  /// Whether nothing moves any more. `next`: when something happens next, for engines that look at the motion then.
  [[nodiscard]] virtual bool at_rest(double next) = 0;
  /// The time reached.
  [[nodiscard]] virtual double now() const = 0;
  /// The time up to which its events are asked for.
  [[nodiscard]] virtual double end() const = 0;
  /// Makes it a later one.
  virtual void extend(double end) = 0;

  /// All bodies at a time from now() to next_time(), or to end() where nothing happens until then. At now() velocities
  /// may have jumped already.
  [[nodiscard]] virtual State state_at(double time) const = 0;
  /// What the contacts that last do at such a state.
  [[nodiscard]] virtual std::vector<ContactLoad> contact_loads_at(const State& /*state*/) const { return {}; }
  /// The energy book at that state.
  [[nodiscard]] virtual EnergyBook energy_at(const State& state) const = 0;
  /// Counts so far, with those that only the engine knows (steps of integration, a report of its own), of a run that
  /// has come to a state from now() on.
  [[nodiscard]] virtual RunResult result(const State& /*reached*/) const { return log_.result; }

  /// The model as the script has left it, so that an engine can be begun anew with it; null where there is no script.
  [[nodiscard]] virtual std::shared_ptr<const Model> changed_model() const { return nullptr; }

  /// Goes on to the first impact and gives it as a problem that any law can be asked about, without resolving it; none
  /// where nothing ever strikes, or the engine has no impacts. The engine is of no use afterwards: ask a clone.
  [[nodiscard]] virtual std::optional<ImpactProblem> first_impact() { return std::nullopt; }

  /// All that the engine goes on from, into an archive or back. It is read into an engine that was made of the same
  /// scene and has not started, which then gives the same bits as the one that was written.
  virtual void transfer(Archive& archive) = 0;

  [[nodiscard]] RunLog& log() { return log_; }
  [[nodiscard]] const RunLog& log() const { return log_; }

 protected:
  explicit Engine(RunLog log) : log_(std::move(log)) {}
  Engine(const Engine&) = default;

  RunLog log_;
};

}  // namespace carom
