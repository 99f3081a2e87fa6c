#include "carom/engine/event/event_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/base/error.h"
#include "carom/engine/event/event_core.h"
#include "carom/contact/shape_support.h"
#include "carom/mechanics/initial_gaps.h"

namespace carom {

using namespace event;

namespace {

/// Events between two reports of progress.
constexpr std::int64_t kReport = 1024;
/// Two windows of so many events, most of them contacts that close, with a mean interval below this part of the time
/// reached, are a storm that would not end.
constexpr std::int64_t kStormWindow = 8192;
constexpr double kStormInterval = 1e-13;
/// Events at one and the same instant, beyond one for every object, that are taken for an endless repetition.
constexpr int kMostRepeats = 2000;

void validate(const EventOptions& options) {
  const auto refuse = [](const char* field, double value, const char* expected) {
    throw InputError(std::isfinite(value) ? Kind::out_of_range : Kind::not_finite, std::string("run.") + field,
                     fmt::format("run.{} is {}, expected {}", field, value, expected));
  };
  if (!(options.duration > 0.0) || !std::isfinite(options.duration))
    refuse("duration", options.duration, "a finite time above 0");
  if (!(options.output_step >= 0.0) || !std::isfinite(options.output_step))
    refuse("output_step", options.output_step, "a time of at least 0");
  if (!(options.contact_tolerance > 0.0 && options.contact_tolerance <= 1e-3))
    refuse("contact_tolerance", options.contact_tolerance, "a number above 0, at most 0.001");
}

/// A hollow body has no support function; only the compliant engine moves one.
void refuse_rings(const Model& model) {
  for (const Body& body : model.bodies) {
    if (is_solid(shape_kind(body.shape))) continue;
    throw InputError(Kind::unsupported, "body." + body.name + ".shape",
                     fmt::format("body '{}' is a {}, which the rigid engine cannot move; it can be an obstacle, or a "
                                 "body of the engine smooth",
                                 body.name, shape_name(body.shape)));
  }
}

}  // namespace

// ------------------------------------------------------------------------------------------------ objects

EventEngine::Core::Core(const Model& model, const State& initial, const EventOptions& options)
    : model_(model), options_(options), bodies_(model.body_count()) {
  carom::validate(model_);
  carom::validate(model_, initial);
  refuse_rings(model_);
  validate(options_);
  validate_law_options(options_.impact);
  require_no_overlap(model_, initial);
  now_ = start_ = initial.time;
  options_.duration += start_;  // from here on the model time at which the run ends
  objects_.resize(static_cast<std::size_t>(model_.object_count()));
  add_bodies(initial);
  add_obstacles();
  add_couplings();
  in_cluster_.assign(static_cast<std::size_t>(bodies_), 0);
  now_state_.resize(objects_.size());
  now_mark_.assign(objects_.size(), 0);
  flight_.resize(static_cast<std::size_t>(bodies_));
  dynamics_ = std::make_unique<IslandDynamics>(model_);
  std::vector<double> radii;
  std::vector<Vector3d> positions;
  for (int body = 0; body < bodies_; ++body) {
    radii.push_back(object(body).size);
    positions.push_back(object(body).motion.position);
  }
  grid_ = std::make_unique<CellGrid>(radii, positions);
  for (int body = 0; body < bodies_; ++body) grid_->insert(body, positions[static_cast<std::size_t>(body)]);
}

void EventEngine::Core::add_bodies(const State& initial) {
  moving_ = bodies_;
  for (int i = 0; i < bodies_; ++i) {
    const Body& body = model_.bodies[static_cast<std::size_t>(i)];
    const BodyState& state = initial.bodies[static_cast<std::size_t>(i)];
    Object& o = object(i);
    o.size = bounding_radius(body.shape);
    o.mass = body.mass;
    o.inertia = body.inertia;
    o.principal_axes = body.principal_axes;
    o.round = std::holds_alternative<Sphere>(body.shape) && body.inertia.maxCoeff() == body.inertia.minCoeff();
    o.free_acceleration = model_.gravity;
    o.vertices = shape_vertices(body.shape);
    o.motion.start = now_;
    o.motion.position = state.position;
    o.motion.velocity = state.velocity;
    o.motion.attitude = state.orientation.normalized();
    o.motion.spin = state.angular_velocity;
    o.motion.turning = Turning::uniform;  // until start() settles it
    o.motion.max_spin = state.angular_velocity.norm();
    o.mover = {&body.shape, shape_kind(body.shape), &o.motion, o.size, Vector3d::Zero()};
  }
}

void EventEngine::Core::add_obstacles() {
  for (int i = bodies_; i < model_.object_count(); ++i) {
    const Obstacle& obstacle = model_.obstacle(i);
    Object& o = object(i);
    o.size = bounding_radius(obstacle.shape);
    o.motion.start = 0.0;
    o.motion.position = obstacle.pose.position;
    o.motion.velocity = obstacle.velocity;
    o.motion.attitude = obstacle.pose.orientation;
    o.motion.spin = obstacle.angular_velocity;
    o.motion.max_spin = obstacle.angular_velocity.norm();
    o.motion.turning = o.motion.max_spin > 0.0 ? Turning::uniform : Turning::fixed;
    const Vector3d normal = std::holds_alternative<HalfSpace>(obstacle.shape) ? half_space_normal(obstacle.pose)
                                                                              : Vector3d(Vector3d::Zero());
    o.mover = {&obstacle.shape, shape_kind(obstacle.shape), &o.motion, o.size, normal};
  }
}

void EventEngine::Core::add_couplings() {
  for (std::size_t k = 0; k < model_.loads.size(); ++k) {
    const Load& load = model_.loads[k];
    Object& o = object(load.body);
    o.loads.push_back(static_cast<int>(k));
    o.free_acceleration += load.force / o.mass;
    o.integrated = o.integrated || load.damping > 0.0 || load.angular_damping > 0.0 || !load.torque.isZero(0.0);
  }
  for (std::size_t k = 0; k < model_.springs.size(); ++k) {
    for (const int body : {model_.springs[k].body_a, model_.springs[k].body_b}) {
      if (body == kNone) continue;
      object(body).springs.push_back(static_cast<int>(k));
      object(body).integrated = true;
    }
  }
  for (std::size_t k = 0; k < model_.constraints.size(); ++k) {
    const int body = std::visit([](const auto& constraint) { return constraint.body; }, model_.constraints[k]);
    object(body).constraints.push_back(static_cast<int>(k));
    if (std::holds_alternative<RodConstraint>(model_.constraints[k])) object(body).integrated = true;
  }
}

const PairFunction& EventEngine::Core::pair(int a, int b) const {
  const PairFunction* found = find_pair(object(a).mover.kind, object(b).mover.kind);
  CAROM_ASSERT(found != nullptr);
  return *found;
}

// --------------------------------------------------------------------------------------------------- loop

void EventEngine::Core::move_now(double time, double carry) {
  if (time > now_ || (time == now_ && carry > now_carry_)) {
    now_ = time;
    now_carry_ = carry;
    ++instant_;
  }
}

void EventEngine::Core::fail(const std::string& reason, std::vector<int> bodies) {
  result_.stop = RunStop::failed;
  result_.failure = Failure{reason, now_, std::move(bodies)};
  over_ = true;
}

/// Contacts that are closed at the start: impacts where they approach, rest where they press.
void EventEngine::Core::start() {
  std::vector<int> seeds(1);
  std::vector<char> done(static_cast<std::size_t>(bodies_), 0);
  for (int body = 0; body < bodies_ && !over_; ++body) {
    if (done[static_cast<std::size_t>(body)]) continue;
    seeds[0] = body;
    resolve(seeds);
    if (over_) return;
    const std::vector<int> bodies = cluster_;
    settle(bodies);
    for (const int member : cluster_) done[static_cast<std::size_t>(member)] = 1;
  }
}

bool EventEngine::Core::valid(const Scheduled& event) const {
  if (event.kind == Upcoming::announce) {
    const PersistentContact& persistent = persistent_[static_cast<std::size_t>(event.a)];
    return persistent.alive && persistent.version == event.version_a;
  }
  return object(event.a).version == event.version_a && object(event.b).version == event.version_b;
}

void EventEngine::Core::handle(const Scheduled& event) {
  switch (event.kind) {
    case Upcoming::contact: {
      ++contacts_handled_;
      near_.assign({event.a, event.b});
      const std::vector<int> seeds = near_;
      resolve(seeds);
      if (over_) return;
      settle(cluster_);
      break;
    }
    case Upcoming::look_again:
      if (is_body(event.b)) {
        predict_pair(event.a, event.b, std::min(options_.duration, object(event.a).motion.end));
      } else {
        predict(event.a);
      }
      break;
    case Upcoming::step_end: end_step(event.a); break;
    case Upcoming::cell: cross_cell(event.a); break;
    case Upcoming::announce: announce(event.a); break;
  }
}

/// Impacts that follow each other faster than time can tell them apart do not end: a ball between walls that close in.
void EventEngine::Core::look_for_storm() {
  const bool contacts = contacts_handled_ - storm_contacts_ > kStormWindow / 2;
  const bool stands = now_ - storm_time_ < static_cast<double>(kStormWindow) * kStormInterval * now_;
  storms_ = contacts && stands ? storms_ + 1 : 0;
  storm_contacts_ = contacts_handled_;
  storm_time_ = now_;
  if (storms_ < 2 || over_) return;
  fail(fmt::format("impacts accumulate without coming to rest: {} events took less than {} s", 2 * kStormWindow,
                   2.0 * static_cast<double>(kStormWindow) * kStormInterval * now_),
       cluster_);
}

bool EventEngine::Core::step() {
  while (!queue_.empty() && !valid(queue_.top())) queue_.pop();
  if (options_.stop_at_rest && moving_ == 0) {
    bool pending = false;
    for (const PersistentContact& persistent : persistent_)
      pending = pending || (persistent.alive && !persistent.announced);
    if (!pending) {
      result_.stop = RunStop::at_rest;
      return false;
    }
  }
  if (queue_.empty() || queue_.top().time > options_.duration) {
    take_samples(options_.duration);
    move_now(options_.duration, 0.0);
    result_.stop = RunStop::duration;
    return false;
  }
  const Scheduled event = queue_.top();
  queue_.pop();
  take_samples(event.time);
  repeats_ = event.time == now_ && event.carry == now_carry_ ? repeats_ + 1 : 0;
  move_now(event.time, event.carry);
  if (repeats_ > kMostRepeats + static_cast<int>(objects_.size())) {
    fail("contacts close again and again at one instant without an impact that parts them", {event.a});
    return false;
  }
  handle(event);
  ++handled_;
  if (handled_ % kStormWindow == 0) look_for_storm();
  if (queue_.size() > 4096 && queue_.size() > 64 * objects_.size())
    queue_.clean([this](const Scheduled& entry) { return valid(entry); });
  return !over_;
}

RunResult EventEngine::Core::run(Observer* observer, const std::atomic<bool>* interrupt) {
  observer_ = observer;
  const State first = state_at(now_);
  result_.energy.now = energy(model_, first);
  result_.energy.initial = result_.energy.now.total();
  if (observer_ != nullptr) {
    observer_->sample(first, result_.energy);
    samples_taken_ = 1;
  }
  start();
  bool going = !over_;
  while (going) {
    going = step();
    if (handled_ % kReport != 0 || !going) continue;
    if (observer_ != nullptr) observer_->progress(now_, result_.impacts);
    if (interrupt != nullptr && interrupt->load(std::memory_order_relaxed)) {
      result_.stop = RunStop::interrupted;
      going = false;
    }
  }
  result_.final_state = state_at(now_);
  result_.energy = book_at(result_.final_state);
  result_.steps_accepted = dynamics_->accepted;
  result_.steps_rejected = dynamics_->rejected;
  result_.evaluations = dynamics_->evaluations;
  if (observer_ != nullptr) {
    observer_->sample(result_.final_state, result_.energy);
    observer_->progress(now_, result_.impacts);
  }
  return result_;
}

std::optional<ImpactProblem> EventEngine::Core::first_impact() {
  capture_ = true;
  run(nullptr, nullptr);
  return captured_;
}

// ------------------------------------------------------------------------------------------------ samples

State EventEngine::Core::state_at(double time) const {
  State state;
  state.time = time;
  state.bodies.reserve(static_cast<std::size_t>(bodies_));
  for (int body = 0; body < bodies_; ++body) {
    const auto i = static_cast<std::size_t>(body);
    // At the present instant velocities may have jumped already.
    const bool known = time == now_ && !now_mark_.empty() && now_mark_[i] == instant_;
    state.bodies.push_back(known ? now_state_[i] : objects_[i].motion.at(time));
  }
  return state;
}

EnergyBook EventEngine::Core::book_at(const State& state) const {
  EnergyBook book = result_.energy;
  book.now = energy(model_, state);
  for (int body = 0; body < bodies_; ++body) {
    const Object& o = object(body);
    book.wall_work += o.wall_power * (state.time - o.motion.start);
    if (!o.island || o.island->bodies[0] != body) continue;
    const Island& island = *o.island;
    const DensePolynomial motion{island.dense.data(), island.size(), island.time, island.step};
    double integrals[Island::kIntegrals];
    motion.value(motion.position(state.time), island.size() - Island::kIntegrals, Island::kIntegrals, integrals);
    book.damping += integrals[0];
    book.torque_work += integrals[1];
    book.wall_work += integrals[2];
  }
  return book;
}

void EventEngine::Core::take_sample(double time) {
  const State state = state_at(time);
  observer_->sample(state, book_at(state));
  ++samples_taken_;
}

void EventEngine::Core::take_samples(double until) {
  if (observer_ == nullptr || options_.output_step <= 0.0) return;
  // Samples at multiples of the output step, strictly before the next event; the last one is the end of the run.
  for (;;) {
    const double time = start_ + static_cast<double>(samples_taken_) * options_.output_step;
    if (!(time < until) || !(time < options_.duration)) return;
    take_sample(time);
  }
}

// ------------------------------------------------------------------------------------------------- facade

EventEngine::EventEngine(const Model& model, const State& initial, const EventOptions& options)
    : core_(std::make_unique<Core>(model, initial, options)) {}
EventEngine::~EventEngine() = default;
EventEngine::EventEngine(EventEngine&&) noexcept = default;
EventEngine& EventEngine::operator=(EventEngine&&) noexcept = default;

RunResult EventEngine::run(Observer* observer, const std::atomic<bool>* interrupt) {
  return core_->run(observer, interrupt);
}

std::optional<ImpactProblem> EventEngine::first_impact() {
  return core_->first_impact();
}

}  // namespace carom
