#include "carom/engine/lagrangian/lagrangian_engine.h"

#include <fmt/format.h>

#include <cmath>

#include "carom/base/error.h"
#include "carom/engine/lagrangian/system_engine.h"
#include "carom/engine/run.h"

namespace carom {

namespace {

void check_options(const LagrangianOptions& options) {
  const auto refuse = [](const char* field, double value, const char* expected) {
    throw InputError(std::isfinite(value) ? Kind::out_of_range : Kind::not_finite, field,
                     fmt::format("{} is {}, must be {}", field, value, expected));
  };
  if (options.law == nullptr) throw InputError(Kind::missing_field, "law", "no impact law is given");
  if (!(std::isfinite(options.duration) && options.duration >= 0.0))
    refuse("duration", options.duration, "finite and not negative");
  if (!(std::isfinite(options.output_step) && options.output_step >= 0.0))
    refuse("output_step", options.output_step, "finite and not negative");
  if (!(options.contact_tolerance > 0.0 && options.contact_tolerance < 1e-2))
    refuse("contact_tolerance", options.contact_tolerance, "between 0 and 0.01");
  if (!(options.tolerance >= 1e-15 && options.tolerance < 1e-2))
    refuse("tolerance", options.tolerance, "between 1e-15 and 0.01");
  if (options.max_rounds < 1) refuse("max_rounds", options.max_rounds, "at least 1");
}

void check_state(const LagrangianSystem& system, const LagrangianState& state, double tolerance) {
  lagrangian::LagrangianDynamics dynamics(system);
  if (state.q.size() != dynamics.coordinates() || state.v.size() != dynamics.speeds())
    throw InputError(Kind::size_mismatch, "state",
                     fmt::format("the state has {} coordinates and {} speeds, the system {} and {}", state.q.size(),
                                 state.v.size(), dynamics.coordinates(), dynamics.speeds()));
  if (!std::isfinite(state.time) || !state.q.allFinite() || !state.v.allFinite())
    throw InputError(Kind::not_finite, "state", "the state has a number that is not finite");
  if (!(system.size() > 0.0) || !std::isfinite(system.size()))
    throw InputError(Kind::out_of_range, "size", fmt::format("the size is {}, must be positive", system.size()));
  for (int i = 0; i < dynamics.contacts(); ++i) {
    const double e = system.restitution(i);
    if (!(e >= 0.0 && e <= 1.0))
      throw InputError(Kind::out_of_range, fmt::format("contact.{}.restitution", i),
                       fmt::format("the restitution of contact {} is {}, must be between 0 and 1", i, e));
  }
  Matrix G;
  dynamics.metric(state.q, G);
  if (!G.allFinite()) throw InputError(Kind::not_finite, "metric", "the metric has a number that is not finite");
  const double asymmetry = G.size() == 0 ? 0.0 : (G - G.transpose()).cwiseAbs().maxCoeff();
  if (asymmetry > 1e-12 * G.cwiseAbs().maxCoeff())
    throw InputError(Kind::metric_not_symmetric, "metric", fmt::format("the metric is asymmetric by {}", asymmetry));
  Vector diagonal(G.rows());
  if (dense::cholesky(G.data(), diagonal.data(), dynamics.speeds(), 1e-15) >= 0)
    throw InputError(Kind::metric_not_positive_definite, "metric", "the metric is not positive definite");
  const Vector& gaps = dynamics.gaps(state.q);
  for (int i = 0; i < dynamics.contacts(); ++i)
    if (!(gaps[i] >= -tolerance * system.size()))
      throw InputError(Kind::overlap, fmt::format("contact.{}", i),
                       fmt::format("the gap of contact {} is {} at the start, must not be negative", i, gaps[i]));
  const auto drift = dynamics.drift(state.q, state.v, {});
  if (drift.position > 1e-9 || drift.rate > 1e-9)
    throw InputError(Kind::constraint_violated, "state",
                     fmt::format("the constraints are violated at the start, by {} in position and {} in rate",
                                 drift.position, drift.rate));
}

/// Hands the samples of a run on, with coordinates and speeds.
class SampleForwarder final : public Observer {
 public:
  SampleForwarder(const lagrangian::SystemEngine& engine, const LagrangianOptions& options)
      : engine_(engine), options_(options) {}

  void sample(const State& state, const EnergyBook& book) override {
    options_.on_sample(engine_.lagrangian_state_at(state.time), book);
  }
  void event(const EventRecord& /*event*/) override {}
  void progress(double /*time*/, long /*events*/) override {}

 private:
  const lagrangian::SystemEngine& engine_;
  const LagrangianOptions& options_;
};

}  // namespace

LagrangianEngine::LagrangianEngine(const LagrangianSystem& system, const LagrangianState& initial,
                                   const LagrangianOptions& options)
    : system_(&system), initial_(initial), options_(options) {
  check_options(options);
  check_state(system, initial, options.contact_tolerance);
}

LagrangianResult LagrangianEngine::run(Observer* observer, const std::atomic<bool>* interrupt) {
  auto made = std::make_unique<lagrangian::SystemEngine>(*system_, initial_, options_);
  const lagrangian::SystemEngine& engine = *made;
  SampleForwarder samples(engine, options_);
  Run run(std::move(made), {.output_step = options_.output_step, .stop_at_rest = options_.stop_at_rest});
  if (options_.on_sample) run.add(samples);
  if (observer != nullptr) run.add(*observer);
  if (interrupt != nullptr) run.watch(*interrupt);
  run.advance_to(run.end());
  return {run.result(), engine.lagrangian_state_at(run.time())};
}

}  // namespace carom
