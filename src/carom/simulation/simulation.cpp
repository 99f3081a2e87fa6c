#include "carom/simulation/simulation.h"

#include <fmt/format.h>

#include "carom/base/activity.h"
#include "carom/base/error.h"
#include "carom/base/nearest_name.h"
#include "carom/engine/engine_registry.h"
#include "carom/simulation/record_header.h"
#include "carom/simulation/simulation_content.h"

namespace carom {

RunSummary Simulation::Content::summary(std::string file) const {
  RunSummary summary;
  summary.title = setup->contents.title;
  summary.file = std::move(file);
  summary.engine = setup->contents.run.engine;
  if (!engine_kind(summary.engine).has_forces) summary.law = setup->contents.run.law;
  summary.model = setup->model;
  summary.result = run.result();
  summary.wall_time = wall_time;
  summary.energy_scale = run.energy_scale();
  summary.record = record_path;
  summary.unused = setup->contents.unused;
  return summary;
}

void Simulation::Content::close_record(RunStop stop) {
  if (!record) return;
  const std::unique_ptr<RecordWriter> closing = std::move(record);
  run.remove(*closing);
  // Of a run that has stopped the last one was kept before its last sample (pause).
  if (!run.stopped() && !run.is_cut_short()) closing->keep_checkpoint(save(), wall_time);
  const InterruptWatch watch(run.interrupts());
  closing->finish(stop, summary(setup->scene.name()).to_json().dump());
}

Simulation::Simulation(const Scene& scene)
    : content_(std::make_unique<Content>(std::make_shared<const Setup>(scene))) {}
Simulation::Simulation(const Simulation& other) : content_(std::make_unique<Content>(*other.content_)) {}
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(const Simulation& other) {
  if (this != &other) content_ = std::make_unique<Content>(*other.content_);
  return *this;
}
Simulation& Simulation::operator=(Simulation&&) noexcept = default;
Simulation::~Simulation() = default;

const Scene& Simulation::scene() const {
  return content_->setup->scene;
}

const Model& Simulation::model() const {
  return *content_->setup->model;
}

const RunOptions& Simulation::options() const {
  return content_->setup->contents.run;
}

BodyIndex Simulation::body(std::string_view name) const {
  std::vector<std::string_view> known;
  for (const BodyIndex body : model().bodies.indices()) {
    if (model().bodies[body].name == name) return body;
    known.emplace_back(model().bodies[body].name);
  }
  throw InputError(Kind::unknown_name, "body", unknown_name_message("body", name, known));
}

// ------------------------------------------------------------------------------------------------ going on

RunResult Simulation::run() {
  content_->waiting.clear();
  content_->going([this] { content_->run.advance_to(content_->run.end()); });
  return result();
}

void Simulation::advance_to(double time) {
  content_->waiting.clear();
  content_->going([this, time] {
    if (time > content_->run.end()) {
      content_->run.extend(time);
      if (content_->record) content_->record->note_extension(time);
      content_->checkpoints.keep(content_->run);
    }
    content_->run.advance_to(time);
  });
}

std::optional<Event> Simulation::next_event() {
  Content& content = *content_;
  if (content.waiting.empty()) {
    Callbacks collect;
    collect.on_event = [&content](const EventRecord& event) { content.waiting.emplace_back(event); };
    content.run.add(collect);
    try {
      // An event that was interrupted in its middle is gone through again without a word of what was told before.
      for (bool happened = true; happened && content.waiting.empty();)
        content.going([&content, &happened] { happened = content.run.advance_to_event(); });
    } catch (...) {
      content.run.remove(collect);
      throw;
    }
    content.run.remove(collect);
  }
  if (content.waiting.empty()) return std::nullopt;
  std::optional<Event> first = std::move(content.waiting.front());
  content.waiting.pop_front();
  return first;
}

void Simulation::interrupt() noexcept {
  content_->interrupted = true;
}

void Simulation::stop_while(const std::atomic<bool>& flag) {
  content_->run.watch(flag);
}

// ------------------------------------------------------------------------------------------------ where it is

double Simulation::time() const {
  return content_->run.time();
}

double Simulation::end_time() const {
  return content_->run.end();
}

bool Simulation::stopped() const {
  return content_->run.stopped();
}

State Simulation::state() const {
  return content_->run.state();
}

State Simulation::state_at(double time) const {
  const Run& run = content_->run;
  if (!(time <= run.time()) || !(time >= content_->known_since))
    throw InputError(Kind::out_of_range, "time",
                     fmt::format("the state at {} s is not known: the simulation has run from {} s to {} s", time,
                                 content_->known_since, run.time()));
  if (time >= run.earliest()) return run.state_at(time);
  Run again = content_->checkpoints.before(time);
  again.advance_to(time);
  return again.state_at(time);
}

EnergyBook Simulation::energy() const {
  return content_->run.energy();
}

RunResult Simulation::result() const {
  return content_->run.result();
}

RunSummary Simulation::summary(std::string file) const {
  return content_->summary(std::move(file));
}

void Simulation::set_state(const State& state) {
  Content& content = *content_;
  State now = state;
  now.time = time();
  if (!(now.time < content.run.end()))
    throw InputError(Kind::usage, "time",
                     "the run has come to its duration; a state can be set before that only, so give the scene a "
                     "longer run.duration");
  content.run.replace_engine(content.setup->make_engine(now, content.run.end(), content.run.engine().changed_model()));
  content.waiting.clear();
  content.checkpoints.keep(content.run);
}

// ------------------------------------------------------------------------------------------------ observers

void Simulation::record(const std::string& path, const RecordRhythm& rhythm, const RecordContents& contents) {
  Content& content = *content_;
  content.close_record(RunStop::interrupted);
  content.record = std::make_unique<RecordWriter>(
      path, model(), record_header(content.setup->scene, content.setup->contents), rhythm, contents);
  content.keep_record(path, rhythm);
  content.run.add(*content.record);
}

void Simulation::on_event(std::function<void(const EventRecord&)> callback) {
  content_->callbacks.push_back(std::make_unique<Callbacks>());
  content_->callbacks.back()->on_event = std::move(callback);
  content_->run.add(*content_->callbacks.back());
}

void Simulation::on_sample(std::function<void(const State&, const EnergyBook&)> callback) {
  content_->callbacks.push_back(std::make_unique<Callbacks>());
  content_->callbacks.back()->on_sample = std::move(callback);
  content_->run.add(*content_->callbacks.back());
}

void Simulation::add(Observer& observer) {
  content_->run.add(observer);
}

std::optional<ImpactProblem> Simulation::first_impact() const {
  const Content& content = *content_;
  const RunOptions& options = content.setup->contents.run;
  if (!engine_kind(options.engine).has_forces) return content.run.engine().clone()->first_impact();
  // Contacts with forces have no impacts; as rigid bodies they do.
  RunOptions rigid = options;
  rigid.duration = content.run.end() - time();
  const std::shared_ptr<const Model> changed = content.run.engine().changed_model();
  return engine_kinds().front().make(changed ? changed : content.setup->model, state(), rigid)->first_impact();
}

}  // namespace carom
