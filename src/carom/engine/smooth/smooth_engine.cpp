#include "carom/engine/smooth/smooth_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/base/error.h"
#include "carom/engine/smooth/smooth_core.h"
#include "carom/mechanics/initial_gaps.h"

namespace carom {

using namespace smooth;

namespace {

/// Events between two reports of progress.
constexpr std::int64_t kReport = 1024;
/// Events at one instant that are taken for an endless repetition.
constexpr int kMostRepeats = 10000;
/// How often it is looked whether everything rests, and for how long it has to [s].
constexpr double kRestLook = 0.01;
constexpr double kRestTime = 0.1;

void check(const char* field, double value, bool fine, const char* expected) {
  if (fine && std::isfinite(value)) return;
  throw InputError(std::isfinite(value) ? Kind::out_of_range : Kind::not_finite, std::string("run.") + field,
                   fmt::format("run.{} is {}, expected {}", field, value, expected));
}

void validate(const SmoothOptions& options) {
  check("duration", options.duration, options.duration > 0.0, "a finite time above 0");
  check("output_step", options.output_step, options.output_step >= 0.0, "a time of at least 0");
  check("rtol", options.rtol, options.rtol >= 1e-14 && options.rtol <= 1e-2, "a number from 1e-14 to 0.01");
  check("step", options.step, options.step >= 0.0, "a time of at least 0");
  check("max_step", options.max_step, options.max_step >= 0.0, "a time of at least 0");
  check("rest_speed", options.rest_speed, options.rest_speed > 0.0, "a speed above 0");
  check("baumgarte_rate", options.baumgarte_rate, options.baumgarte_rate > 0.0, "a rate above 0");
  const Integrator& method = integrator(options.integrator);
  if (!method.adaptive && !(options.step > 0.0)) {
    throw InputError(Kind::missing_field, "run.step",
                     fmt::format("the integrator '{}' takes steps of a fixed size; expected run.step", method.name));
  }
}

Model validated(const Model& model, const State& initial) {
  carom::validate(model);
  carom::validate(model, initial);
  return model;
}

}  // namespace

SmoothEngine::Core::Core(const Model& model, const State& initial, const SmoothOptions& options)
    : model_(validated(model, initial)), options_(options), environment_(model_, options_), laws_(environment_) {
  validate(options_);
  require_no_overlap(model_, initial, kCompliantOverlap);
  integrator_ = &integrator(options_.integrator);
  // Friction that is zero below a speed v₀ lets bodies creep at v₀, which they come down to without ever passing it.
  rest_speed_ = options_.rest_speed;
  for (int i = 0; i < laws_.count(); ++i) {
    const Friction& friction = laws_.laws(i).prepared_friction;
    if (friction.kind == FrictionKind::ambrosio) rest_speed_ = std::max(rest_speed_, 1.1 * friction.speed);
  }
  first_part_ = std::min(0.1, 10.0 * std::pow(options_.rtol, 0.4));
  const auto bodies = static_cast<std::size_t>(model_.body_count());
  const auto objects = static_cast<std::size_t>(model_.object_count());
  now_ = start_ = initial.time;
  end_ = start_ + options_.duration;
  states_ = initial.bodies;
  for (BodyState& state : states_) state.orientation.normalize();
  unit_of_.assign(bodies, kNone);
  in_play_.assign(bodies, 1);
  rotations_.resize(bodies);
  tracks_.resize(objects);
  box_low_.resize(objects);
  box_high_.resize(objects);
  for (int i = model_.body_count(); i < model_.object_count(); ++i) {
    const Obstacle& obstacle = model_.obstacle(i);
    track(i) = Track::flight(0.0, obstacle.pose.position, obstacle.velocity, Vector3d::Zero());
    note_obstacle_box(i);
  }
  law_work_.assign(2 * static_cast<std::size_t>(laws_.count()), 0.0);
  report_.integrator = options_.integrator;
  settle_resting_bodies();
  make_first_units();
}

void SmoothEngine::Core::fail(const std::string& reason, std::vector<int> bodies) {
  result_.stop = RunStop::failed;
  result_.failure = Failure{reason, now_, std::move(bodies)};
  over_ = true;
}

void SmoothEngine::Core::end_stretch(int index) {
  Unit& at = unit(index);
  const StretchEnd what = at.at_end;
  const int a = at.a, b = at.b, feature = at.feature, contact = at.contact;
  advance_to(index, at.end);
  if (over_) return;
  switch (what) {
    case StretchEnd::nothing: next_stretch(index); break;
    case StretchEnd::release: open_contact(index, contact); break;
    case StretchEnd::encounter: close_contact(a, b, feature); break;
    case StretchEnd::pocket: swallow(a, b); break;
  }
}

void SmoothEngine::Core::handle(const Upcoming& event) {
  if (event.other_unit == kNone) {
    end_stretch(event.unit);
    return;
  }
  advance_to(event.unit, event.time);
  if (!over_) advance_to(event.other_unit, event.time);
  if (!over_) close_contact(event.a, event.b, event.feature);
}

/// Whether every body in play is slow, and has been for long enough.
bool SmoothEngine::Core::rests_now() {
  bool slow = true;
  for (int body = 0; body < model_.body_count() && slow; ++body) {
    if (!in_play(body)) continue;
    const BodyState state = state_of(body, now_);
    const double size = environment_.body(body).size;
    const double turning = std::isfinite(size) ? state.angular_velocity.norm() * size : 0.0;
    slow = state.velocity.norm() < rest_speed_ && turning < rest_speed_;
  }
  if (!slow) {
    resting_since_ = -1.0;
    return false;
  }
  if (resting_since_ < 0.0) resting_since_ = now_;
  return now_ - resting_since_ >= kRestTime;
}

bool SmoothEngine::Core::step() {
  const auto valid = [this](const Upcoming& event) {
    return unit(event.unit).version == event.version &&
           (event.other_unit == kNone || unit(event.other_unit).version == event.other_version);
  };
  while (!queue_.empty() && !valid(queue_.top())) queue_.pop();
  if (queue_.empty() || queue_.top().time > end_ ||
      (queue_.top().time >= end_ && queue_.top().other_unit == kNone &&
       unit(queue_.top().unit).at_end == StretchEnd::nothing)) {
    take_samples(end_);
    now_ = end_;
    for (std::size_t i = 0; i < units_.size(); ++i)
      if (units_[i]->alive) advance_to(static_cast<int>(i), end_);
    if (over_) return false;
    result_.stop = RunStop::duration;
    return false;
  }
  const Upcoming event = queue_.top();
  queue_.pop();
  take_samples(event.time);
  repeats_ = event.time == repeat_time_ ? repeats_ + 1 : 0;
  repeat_time_ = event.time;
  now_ = std::max(now_, event.time);
  if (repeats_ > kMostRepeats + 4 * model_.body_count()) {
    fail("events repeat at one instant without end", unit(event.unit).cluster.bodies);
    return false;
  }
  if (options_.stop_at_rest && now_ >= next_rest_check_) {
    next_rest_check_ = now_ + kRestLook;
    if (rests_now()) {
      result_.stop = RunStop::at_rest;
      return false;
    }
  }
  handle(event);
  ++handled_;
  if (options_.stop_when_apart && open_contacts_ == 0 && report_.contacts_started > 0 && !over_) {
    result_.stop = RunStop::duration;
    return false;
  }
  return !over_;
}

RunResult SmoothEngine::Core::run(Observer* observer, const std::atomic<bool>* interrupt) {
  observer_ = observer;
  started_ = true;
  for (std::size_t i = 0; i < units_.size() && !over_; ++i) next_stretch(static_cast<int>(i));
  const State first = state_at(now_);
  report_.momentum_before = momentum(first);
  result_.energy = book_at(first);
  result_.energy.initial = result_.energy.now.total();
  if (observer_ != nullptr) {
    observer_->sample(first, result_.energy);
    samples_taken_ = 1;
  }
  announce_first_contacts();
  bool going = !over_;
  while (going) {
    going = step();
    if (handled_ % kReport != 0 || !going) continue;
    if (observer_ != nullptr) observer_->progress(now_, report_.contacts_started);
    if (interrupt != nullptr && interrupt->load(std::memory_order_relaxed)) {
      result_.stop = RunStop::interrupted;
      going = false;
    }
  }
  result_.final_state = state_at(now_);
  result_.energy = book_at(result_.final_state);
  finish_report();
  if (observer_ != nullptr) {
    observer_->sample(result_.final_state, result_.energy);
    observer_->progress(now_, report_.contacts_started);
  }
  return result_;
}

SmoothEngine::SmoothEngine(const Model& model, const State& initial, const SmoothOptions& options)
    : core_(std::make_unique<Core>(model, initial, options)) {}
SmoothEngine::~SmoothEngine() = default;
SmoothEngine::SmoothEngine(SmoothEngine&&) noexcept = default;
SmoothEngine& SmoothEngine::operator=(SmoothEngine&&) noexcept = default;

RunResult SmoothEngine::run(Observer* observer, const std::atomic<bool>* interrupt) {
  return core_->run(observer, interrupt);
}

}  // namespace carom
