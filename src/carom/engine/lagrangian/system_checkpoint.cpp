/// What the engine of a user's own system goes on from. The system itself is the user's: it is a function of the state.

#include "carom/engine/archived_types.h"
#include "carom/engine/lagrangian/system_engine.h"

namespace carom::lagrangian {

static void transfer(Archive& archive, LagrangianDynamics::Slip& slip) {
  auto& [slides, lets_go, direction, ended] = slip;
  archive(slides, lets_go, direction, ended);
}

static void transfer(Archive& archive, PendingRest& rest) {
  auto& [time, contacts] = rest;
  archive(time, contacts);
}

static void transfer(Archive& archive, NextEvent& event) {
  auto& [after, closing, opening, ending, proven] = event;
  archive(after, closing, opening, ending, proven);
}

static void transfer(Archive& archive, InstantProgress& progress) {
  auto& [closed, round, speed, slides_before] = progress;
  archive(closed, round, speed, slides_before);
}

void LagrangianDynamics::transfer(Archive& archive) {
  for (Slip& slip : slip_) archive(slip);
}

void LagrangianMotion::transfer(Archive& archive) {
  auto& [coordinates, speeds, collocation, begin, end, next, coefficients, start, step, q, v] = *this;
  archive(collocation, begin, end, next, coefficients, start, step, q, v);
}

void SystemEngine::transfer(Archive& archive) {
  archive.section("own system");
  archive(log_, dynamics_, motion_);
  archive(state_.time, state_.q, state_.v, state_.work, state_.friction, state_.held, state_.rests);
  archive(now_, end_, first_step_, step_size_);
  bool planned = step_.has_value();
  archive(planned);
  if (archive.loads()) step_.reset();
  if (archive.loads() && planned) step_ = PlannedStep{0.0, std::nullopt};
  if (planned) archive(step_->end, step_->event);
  archive(instant_, idle_since_, idle_events_);
}

}  // namespace carom::lagrangian
