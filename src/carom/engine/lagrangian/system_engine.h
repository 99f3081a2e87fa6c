#pragma once
/// The Engine (engine/engine.h) of a user's own system, behind LagrangianEngine.
///
/// It looks one step of integration ahead: next_time() plans a step and finds the first event in it, handle_next() goes
/// to the end of the step, or to the event and does what happens there. Its State has the time only; coordinates and
/// speeds are told by lagrangian_state_at().

#include "carom/engine/engine.h"
#include "carom/engine/lagrangian/lagrangian_instant.h"
#include "carom/engine/lagrangian/next_event.h"

namespace carom::lagrangian {

class SystemEngine final : public Engine {
 public:
  /// The input is sound (LagrangianEngine checks it); the system outlives the engine and its clones.
  SystemEngine(const LagrangianSystem& system, const LagrangianState& initial, const LagrangianOptions& options);

  [[nodiscard]] std::unique_ptr<Engine> clone() const override { return std::make_unique<SystemEngine>(*this); }
  void start() override { handle_instant(); }
  [[nodiscard]] std::optional<double> next_time() override;
  void handle_next() override;
  [[nodiscard]] bool at_rest(double next) override;
  [[nodiscard]] double now() const override { return now_; }
  [[nodiscard]] double end() const override { return end_; }
  void extend(double end) override { end_ = end; }
  [[nodiscard]] State state_at(double time) const override;
  [[nodiscard]] EnergyBook energy_at(const State& state) const override;
  [[nodiscard]] RunResult result(const State& reached) const override;

  /// At a time from now() to next_time().
  [[nodiscard]] LagrangianState lagrangian_state_at(double time) const;

  void transfer(Archive& archive) override;

 private:
  /// The step that is under way, as far as it goes.
  struct PlannedStep {
    double end = 0.0;
    std::optional<NextEvent> event;  ///< at its end
  };

  /// Tries steps until one is accepted, and plans it up to its first event. Fails where they become too small.
  void plan_step();
  PlannedStep plan_to(NextEvent event);
  void take_step();
  void handle_event(const NextEvent& event);
  void handle_instant();
  void report_rest();
  void keep_on_constraints();
  [[nodiscard]] bool rest_comes_first() const;
  /// Shorter times are round-off.
  [[nodiscard]] double shortest_time() const;
  /// Whether the dense output of the step tells the state at that time.
  [[nodiscard]] bool within_step(double time) const { return step_.has_value() && time > state_.time; }

  LagrangianOptions options_;
  LagrangianDynamics dynamics_;
  LagrangianMotion motion_;
  SystemState state_;
  double now_, end_;
  double first_step_;  // of the start
  double step_size_;   // to try next
  std::optional<PlannedStep> step_;
  std::optional<InstantProgress> instant_;  // that the limit of events cut short
  InstantScratch scratch_;
  double idle_since_ = -std::numeric_limits<double>::infinity();
  int idle_events_ = 0;  // events since then; time did not move on
};

}  // namespace carom::lagrangian
