#include "carom/engine/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/base/activity.h"
#include "carom/base/assert.h"
#include "carom/base/error.h"
#include "carom/engine/archived_types.h"

namespace carom {

namespace {

/// Events between two reports of progress.
constexpr std::int64_t kReport = 1024;
/// A sample this near to the end, as a part of the output step, is the one at the end.
constexpr double kAtEnd = 1e-9;

void validate(const RunSettings& settings) {
  const double step = settings.output_step;
  if (step >= 0.0 && std::isfinite(step)) return;
  throw InputError(std::isfinite(step) ? Kind::out_of_range : Kind::not_finite, "run.output_step",
                   fmt::format("run.output_step is {}, expected a time of at least 0", step));
}

bool joint_loads_are_unique(const State& state) {
  return std::all_of(state.joint_loads.begin(), state.joint_loads.end(),
                     [](const JointLoad& load) { return load.unique; });
}

}  // namespace

class Run::Observers final : public Observer {
 public:
  std::vector<Observer*> all;

  void sample(const State& state, const EnergyBook& book) override {
    for (Observer* const observer : all) observer->sample(state, book);
  }
  void event(const EventRecord& event) override {
    for (Observer* const observer : all) observer->event(event);
  }
  [[nodiscard]] bool wants_contact_loads() const override {
    return std::any_of(all.begin(), all.end(), [](const Observer* one) { return one->wants_contact_loads(); });
  }
  void progress(double time, long events) override {
    for (Observer* const observer : all) observer->progress(time, events);
  }
};

Run::Run(std::unique_ptr<Engine> engine, const RunSettings& settings)
    : engine_(std::move(engine)),
      settings_(settings),
      observers_(std::make_unique<Observers>()),
      start_(engine_->now()),
      time_(start_) {
  validate(settings);
}

Run::Run(const Run& other)
    : engine_(other.engine_->clone()),
      settings_(other.settings_),
      observers_(std::make_unique<Observers>()),
      started_(other.started_),
      is_cut_short_(other.is_cut_short_),
      start_is_cut_(other.start_is_cut_),
      start_(other.start_),
      time_(other.time_),
      handled_(other.handled_),
      samples_taken_(other.samples_taken_),
      energy_scale_(other.energy_scale_) {}

Run::Run(Run&&) noexcept = default;
Run& Run::operator=(Run&&) noexcept = default;
Run::~Run() = default;

void Run::add_again(Observer& observer) {
  observers_->all.push_back(&observer);
  engine_->log().set_observer(observers_.get());
}

void Run::add(Observer& observer) {
  add_again(observer);
  if (!started_) return;
  State now = state();
  if (observer.wants_contact_loads()) now.contact_loads = engine_->contact_loads_at(now);
  observer.sample(now, engine_->energy_at(now));
}

void Run::remove(Observer& observer) {
  std::erase(observers_->all, &observer);
  if (observers_->all.empty()) engine_->log().set_observer(nullptr);
}

// ------------------------------------------------------------------------------------------------ the loop

void Run::start() {
  started_ = true;
  samples_taken_ = 1;
  try {
    const InterruptWatch watch(interrupts_);
    const Activity activity("the contacts at the start");
    engine_->log().result.energy.initial = engine_->energy_at(engine_->state_at(start_)).now.total();
    sample(start_);
  } catch (const Interrupted&) {  // the last sample will be that of the start
    start_is_cut_ = true;
    cut_short();
    engine_->log().result.energy.initial = engine_->energy_at(engine_->state_at(start_)).now.total();
    return;
  }
  start_engine();
}

void Run::start_engine() {
  start_is_cut_ = false;
  reported_before_ = engine_->log().reported();
  try {
    const InterruptWatch watch(interrupts_);
    const Activity activity("the contacts at the start");
    engine_->start();
  } catch (const Interrupted&) {
    start_is_cut_ = true;
    cut_short();
  }
  time_ = engine_->now();
}

/// In the middle of an event: the engine can still say where everything is, and nothing else.
void Run::cut_short() {
  engine_->log().stop(RunStop::interrupted);
  is_cut_short_ = true;
}

void Run::recover(Run earlier) {
  CAROM_ASSERT(is_cut_short_ && started_);
  earlier.interrupts_ = interrupts_;
  if (!start_is_cut_) {
    if (!earlier.started_) earlier.start();
    while (earlier.handled_ < handled_ && earlier.step(earlier.end())) {
    }
    if (earlier.handled_ < handled_ || earlier.is_cut_short_) return;  // asked to stop again
  }
  RunLog& log = earlier.engine_->log();
  log.skip_reports(engine_->log().reported() - reported_before_);
  log.result.energy.initial = engine_->log().result.energy.initial;
  engine_ = std::move(earlier.engine_);
  is_cut_short_ = false;
  if (!observers_->all.empty()) engine_->log().set_observer(observers_.get());
  if (start_is_cut_) start_engine();
}

bool Run::step(double until) {
  RunLog& log = engine_->log();
  if (log.stopped()) return false;
  if (interrupted()) {
    log.stop(RunStop::interrupted);
    return false;
  }
  try {
    const InterruptWatch watch(interrupts_);
    return handle(until);
  } catch (const Interrupted&) {
    cut_short();
    return false;
  }
}

bool Run::handle(double until) {
  RunLog& log = engine_->log();
  reported_before_ = log.reported();
  const std::optional<double> next = [this] {
    const Activity activity("the search for the next event");
    return engine_->next_time();
  }();
  if (log.stopped()) return false;
  if (settings_.stop_at_rest && engine_->at_rest(next.value_or(engine_->end()))) {
    take_samples(engine_->now());
    log.stop(RunStop::at_rest);
    return false;
  }
  if (!next || *next > until) return false;
  take_samples(*next);
  const Activity activity("an event");
  engine_->handle_next();
  time_ = engine_->now();
  if (++handled_ % kReport == 0 && !log.stopped()) report_progress();
  return !log.stopped();
}

bool Run::interrupted() const {
  return std::any_of(interrupts_.begin(), interrupts_.end(),
                     [](const std::atomic<bool>* flag) { return flag->load(std::memory_order_relaxed); });
}

void Run::report_progress() {
  observers_->progress(time_, engine_->log().result.impacts);
  if (on_progress_) on_progress_();
}

void Run::advance_to(double time) {
  if (is_cut_short_) return;
  if (!started_) {
    start();
  } else if (stopped() && time_ < end()) {
    engine_->log().resume();
  }
  if (stopped() && time_ >= end()) return;
  const double until = std::min(time, end());
  while (step(until)) {
    if (on_pause_) on_pause_(false);
  }
  if (!stopped() && until < end()) {  // on the way
    take_samples(std::nextafter(until, end()));
    time_ = std::max(time_, until);
    return;
  }
  stop_here();
}

bool Run::advance_to_event() {
  if (is_cut_short_) return false;
  RunLog& log = engine_->log();
  log.set_observer(observers_.get());
  const std::int64_t before = log.reported();
  if (!started_) {
    start();
  } else if (stopped() && time_ < end()) {
    log.resume();
  }
  if (stopped() && time_ >= end()) return false;
  bool going = !stopped();
  while (going && log.reported() == before) {
    going = step(end());
    if (going && on_pause_) on_pause_(false);
  }
  if (!going) stop_here();
  return log.reported() > before;
}

/// The run has stopped, or nothing happens any more until its end.
void Run::stop_here() {
  RunLog& log = engine_->log();
  if (!log.stopped()) {
    try {
      const InterruptWatch watch(interrupts_);
      take_samples(end());
    } catch (const Interrupted&) {
      cut_short();
    }
    if (!log.stopped()) {
      if (on_pause_) on_pause_(true);
      log.stop(RunStop::duration);
      time_ = end();
    }
  } else if (on_pause_ && log.result.stop != RunStop::failed && !is_cut_short_) {
    on_pause_(true);
  }
  time_ = std::max(time_, engine_->now());
  sample(time_);
  if (log.result.stop == RunStop::duration) {
    // Who goes on beyond this end has had the sample here.
    const double step = settings_.output_step;
    if (step > 0.0 && start_ + static_cast<double>(samples_taken_) * step <= time_ + kAtEnd * step) ++samples_taken_;
  }
  observers_->progress(time_, log.result.impacts);
}

// ------------------------------------------------------------------------------------------------ samples

void Run::sample(double time) {
  if (observers_->all.empty()) return;
  State state = engine_->state_at(time);
  if (observers_->wants_contact_loads()) state.contact_loads = engine_->contact_loads_at(state);
  const EnergyBook book = engine_->energy_at(state);
  energy_scale_ = std::max({energy_scale_, std::abs(book.now.total()), book.now.kinetic});
  if (!joint_loads_are_unique(state)) engine_->log().result.flags.set(Flag::joint_forces_not_unique);
  observers_->sample(state, book);
}

/// Samples at multiples of the output step, strictly before `until`; the end has one of its own.
void Run::take_samples(double until) {
  if (observers_->all.empty() || !(settings_.output_step > 0.0)) return;
  for (;;) {
    const double time = start_ + static_cast<double>(samples_taken_) * settings_.output_step;
    if (!(time < until) || time >= end() - kAtEnd * settings_.output_step) return;
    Activity::tick();
    sample(time);
    ++samples_taken_;
  }
}

// ------------------------------------------------------------------------------------------------ from outside

void RunLog::transfer(Archive& archive) {
  archive(result, max_events_, stopped_);
}

void Run::transfer(Archive& archive) {
  CAROM_ASSERT(!is_cut_short_);
  archive.section("run");
  archive(settings_.output_step, settings_.stop_at_rest, started_, start_, time_, handled_, samples_taken_,
          energy_scale_);
  engine_->transfer(archive);
}

void Run::extend(double end) {
  if (engine_->log().stopped()) engine_->log().resume();
  engine_->extend(end);
}

RunResult Run::result() const {
  const State reached = state();
  RunResult result = engine_->result(reached);
  result.final_state = reached;
  if (!joint_loads_are_unique(result.final_state)) result.flags.set(Flag::joint_forces_not_unique);
  result.energy = engine_->energy_at(result.final_state);
  return result;
}

void Run::replace_engine(std::unique_ptr<Engine> engine) {
  const EnergyBook before = energy();
  RunResult& result = engine->log().result;
  result = engine_->result(state());
  result.energy = before;
  const State changed = engine->state_at(time_);
  result.energy.initial += engine->energy_at(changed).now.total() - before.now.total();
  if (!observers_->all.empty()) engine->log().set_observer(observers_.get());
  engine_ = std::move(engine);
  if (started_) engine_->start();
}

RunResult run_to_end(std::unique_ptr<Engine> engine, const RunSettings& settings, Observer* observer,
                     const std::atomic<bool>* interrupt) {
  Run run(std::move(engine), settings);
  if (observer != nullptr) run.add(*observer);
  if (interrupt != nullptr) run.watch(*interrupt);
  run.advance_to(run.end());
  return run.result();
}

}  // namespace carom
