#pragma once
/// The loop that drives every engine: next event → samples before it → handle it → report.
///
///     Run run(std::move(engine), {.output_step = 0.01});
///     run.add(observer);
///     run.advance_to(run.end());
///
/// A run may be advanced in pieces; the bits are those of one go. A copy is an independent run from the same instant,
/// without observers.

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "carom/engine/engine.h"

namespace carom {

struct RunSettings {
  double output_step = 0.0;   ///< between samples [s]; 0: start and end only
  bool stop_at_rest = false;  ///< stop `at-rest` as soon as nothing changes its place
};

class Run {
 public:
  /// Throws InputError: an output step that is negative or not finite.
  Run(std::unique_ptr<Engine> engine, const RunSettings& settings);
  Run(const Run& other);
  Run(Run&&) noexcept;
  Run& operator=(Run&&) noexcept;
  Run& operator=(const Run&) = delete;
  ~Run();

  /// Observers are told in the order in which they were added. Who comes late gets a sample of the present first.
  void add(Observer& observer);
  /// The same for one that knows everything up to here.
  void add_again(Observer& observer);
  void remove(Observer& observer);
  /// Looked at before every event and wherever one takes long (base/activity.h); when it is true the run stops
  /// `interrupted`. There may be several.
  void watch(const std::atomic<bool>& interrupt) { interrupts_.push_back(&interrupt); }
  /// For an InterruptWatch over what belongs to the run and is done after it.
  [[nodiscard]] const std::vector<const std::atomic<bool>*>& interrupts() const { return interrupts_; }
  /// Called every some thousand events, when the run is in order to be copied.
  void on_progress(std::function<void()> callback) { on_progress_ = std::move(callback); }
  /// Called between two events, all of whose samples have been taken, and before the last sample of a run that does not
  /// fail: the run is in order to be written down, and what observers have been told is what comes before.
  /// `last`: what comes yet is the sample at the end, which a run that goes on beyond it does without.
  void on_pause(std::function<void(bool last)> callback) { on_pause_ = std::move(callback); }

  /// Goes on to that time, at most to end(), unless the run stops before. Where it reaches the end it stops `duration`.
  void advance_to(double time);
  /// Goes on until an event has been reported, or the run stops. Returns whether there was one.
  bool advance_to_event();

  [[nodiscard]] double time() const { return time_; }
  [[nodiscard]] double start_time() const { return start_; }
  [[nodiscard]] double end() const { return engine_->end(); }
  /// Makes the end a later one.
  void extend(double end);
  [[nodiscard]] bool stopped() const { return engine_->log().stopped(); }
  /// Whether the run began at all.
  [[nodiscard]] bool started() const { return started_; }

  [[nodiscard]] State state() const { return engine_->state_at(time_); }
  /// At a time since the last event, at most time().
  [[nodiscard]] State state_at(double time) const { return engine_->state_at(time); }
  [[nodiscard]] double earliest() const { return engine_->now(); }  ///< that state_at can tell
  [[nodiscard]] EnergyBook energy() const { return engine_->energy_at(state()); }
  /// Largest |total| and kinetic energy at the samples so far [J].
  [[nodiscard]] double energy_scale() const { return energy_scale_; }
  /// As it would be if the run ended now.
  [[nodiscard]] RunResult result() const;
  [[nodiscard]] const Engine& engine() const { return *engine_; }

  /// Whether it was interrupted in the middle of an event: it can tell where everything is, but not go on.
  [[nodiscard]] bool is_cut_short() const { return is_cut_short_; }
  /// Makes a run that was cut short able to go on, from an earlier copy of it: what has been is computed again, and
  /// observers are not told of it a second time.
  void recover(Run earlier);

  /// All that the run goes on from, into an archive or back: into a run of an engine that was made of the same scene
  /// and has not started. Observers and interrupts stay those of this run. Not of a run that is cut short.
  void transfer(Archive& archive);

  /// Goes on with another engine from where this one is; counts and energies are kept. What the change put into the
  /// system is added to the initial energy, so that the balance stays closed.
  void replace_engine(std::unique_ptr<Engine> engine);

 private:
  class Observers;

  void start();
  void start_engine();
  /// One event, at most at `until`. False: the run has reached `until`, or stopped.
  bool step(double until);
  bool handle(double until);
  void cut_short();
  [[nodiscard]] bool interrupted() const;
  void report_progress();
  void take_samples(double until);
  void sample(double time);
  void stop_here();

  std::unique_ptr<Engine> engine_;
  RunSettings settings_;
  std::unique_ptr<Observers> observers_;
  std::vector<const std::atomic<bool>*> interrupts_;
  std::function<void()> on_progress_;
  std::function<void(bool)> on_pause_;
  bool started_ = false;
  bool is_cut_short_ = false;
  bool start_is_cut_ = false;  ///< the contacts at the start have not been dealt with
  double start_ = 0.0;
  double time_ = 0.0;
  std::int64_t handled_ = 0;
  std::int64_t reported_before_ = 0;  ///< events that were reported before the one that is handled now
  std::int64_t samples_taken_ = 0;
  double energy_scale_ = 0.0;
};

/// Runs an engine to its end and tells an observer: what a test or a small program wants.
RunResult run_to_end(std::unique_ptr<Engine> engine, const RunSettings& settings, Observer* observer = nullptr,
                     const std::atomic<bool>* interrupt = nullptr);

}  // namespace carom
