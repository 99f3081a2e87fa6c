#include "carom/simulation/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <deque>
#include <fstream>
#include <iterator>
#include <system_error>

#include "carom/base/archive.h"
#include "carom/base/error.h"
#include "carom/base/nearest_file.h"
#include "carom/base/nearest_name.h"
#include "carom/base/version.h"
#include "carom/engine/engine_registry.h"
#include "carom/engine/run.h"
#include "carom/record/record_writer.h"
#include "carom/scene/scene_contents.h"
#include "carom/simulation/checkpoints.h"
#include "carom/simulation/record_header.h"
#include "carom/simulation/saved_simulation.h"

namespace carom {

namespace {

RecordCheckpoint checkpoint_of(const RecordReader& record) {
  std::optional<RecordCheckpoint> checkpoint = record.checkpoint();
  if (checkpoint) return std::move(*checkpoint);
  Place place;
  place.file = record.path();
  throw InputError(Kind::file, place,
                   fmt::format("the record '{}' has no checkpoint to go on from: a run that is killed leaves one where "
                               "it was begun with carom run --checkpoint SECONDS",
                               record.path()));
}

}  // namespace

/// What does not change during a run; shared by copies.
struct Simulation::Setup {
  Scene scene;
  scene::SceneFile contents;
  std::shared_ptr<const Model> model;

  explicit Setup(const Scene& with) : scene(with), contents(with.build()) {
    model = std::make_shared<const Model>(std::move(contents.model));
  }
  /// An engine from a state to a later time, with the model that a script has changed where there is one.
  [[nodiscard]] std::unique_ptr<Engine> make_engine(const State& state, double end,
                                                    std::shared_ptr<const Model> changed = nullptr) const {
    RunOptions options = contents.run;
    options.duration = end - state.time;
    try {
      return engine_kind(options.engine).make(changed ? std::move(changed) : model, state, options);
    } catch (const InputError& error) {
      throw scene.with_place(error);
    }
  }
};

/// Callbacks of a user.
class Simulation::Callbacks final : public Observer {
 public:
  std::function<void(const EventRecord&)> on_event;
  std::function<void(const State&, const EnergyBook&)> on_sample;

  void sample(const State& state, const EnergyBook& book) override {
    if (on_sample) on_sample(state, book);
  }
  void event(const EventRecord& event) override {
    if (on_event) on_event(event);
  }
  void progress(double, long) override {}
};

struct Simulation::Content {
  std::shared_ptr<const Setup> setup;
  Run run;
  Checkpoints checkpoints;
  std::atomic<bool> interrupted{false};
  std::vector<std::unique_ptr<Callbacks>> callbacks;
  std::unique_ptr<RecordWriter> record;
  std::optional<std::string> record_path;
  std::deque<Event> waiting;  ///< events of one instant that next_event has yet to hand out
  double wall_time = 0.0;
  std::chrono::steady_clock::time_point going_since;  ///< while it goes on
  double known_since;                                 ///< the earliest time that can be asked for [s]
  double checkpoint_seconds = 0.0;                    ///< between checkpoints of the record; 0: none on the way
  std::chrono::steady_clock::time_point last_checkpoint;
  double checkpoint_cost = 0.0;  ///< that the last one took [s]

  explicit Content(std::shared_ptr<const Setup> with)
      : setup(std::move(with)),
        run(setup->make_engine(setup->contents.state, setup->contents.state.time + setup->contents.run.duration),
            {setup->contents.run.output_step, setup->contents.run.stop_at_rest}),
        known_since(run.start_time()) {
    prepare();
  }
  Content(const Content& other)
      : setup(other.setup),
        run(other.run),
        checkpoints(other.checkpoints),
        waiting(other.waiting),
        wall_time(other.wall_time),
        known_since(other.known_since) {
    prepare();
  }
  ~Content() {
    try {
      close_record(RunStop::interrupted);
    } catch (const InputError&) {  // what was written stays readable
    }
  }

  void prepare() {
    run.watch(interrupted);
    if (checkpoints.empty()) checkpoints.keep(run);
    run.on_progress([this] { checkpoints.offer(run); });
    run.on_pause([this] { pause(); });
  }
  [[nodiscard]] double wall_time_now() const {
    return wall_time + std::chrono::duration<double>(std::chrono::steady_clock::now() - going_since).count();
  }
  void pause();
  void transfer(Archive& archive);
  [[nodiscard]] std::vector<std::byte> save();
  /// Does something with the run, with a clock beside it, and closes the record where the run has stopped.
  template <class Work>
  void going(const Work& work) {
    going_since = std::chrono::steady_clock::now();
    try {
      if (run.is_cut_short()) run.recover(checkpoints.before(run.time()));
      work();
    } catch (...) {  // of an observer: what the record has stays as it is
      if (record) run.remove(*record);
      record.reset();
      throw;
    }
    wall_time = wall_time_now();
    if (!run.stopped()) return;
    interrupted = false;
    close_record(run.result().stop);
  }
  void close_record(RunStop stop);
  void keep_record(const std::string& path, const RecordRhythm& rhythm) {
    record_path = path;
    checkpoint_seconds = rhythm.checkpoint_seconds;
    last_checkpoint = std::chrono::steady_clock::now();
    checkpoint_cost = 0.0;
  }
  [[nodiscard]] RunSummary summary(std::string file) const;
};

/// Between two events: a checkpoint goes to the record where it is due. Each costs a copy of the file, which is kept to
/// a twentieth of the time.
void Simulation::Content::pause() {
  if (!record) return;
  if (run.stopped()) {  // interrupted: what comes yet is the sample that ends the record
    record->keep_checkpoint(save(), wall_time_now());
    return;
  }
  if (!(checkpoint_seconds > 0.0)) return;
  const auto now = std::chrono::steady_clock::now();
  const std::chrono::duration<double> since = now - last_checkpoint;
  if (since.count() < std::max(checkpoint_seconds, 20.0 * checkpoint_cost)) return;
  record->keep_checkpoint(save(), wall_time_now());
  record->flush();
  last_checkpoint = std::chrono::steady_clock::now();
  checkpoint_cost = std::chrono::duration<double>(last_checkpoint - now).count();
}

void Simulation::Content::transfer(Archive& archive) {
  archive(run);
  std::vector<Event> events(waiting.begin(), waiting.end());
  archive(events);
  if (archive.loads()) waiting.assign(events.begin(), events.end());
}

std::vector<std::byte> Simulation::Content::save() {
  Archive archive;
  transfer(archive);
  return to_bytes({kVersion, setup->scene.text(), setup->scene.settings(), archive.take()});
}

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
  // Of a run that was interrupted the last one was kept before its last sample (pause).
  const bool kept = run.stopped() && stop == RunStop::interrupted;
  if (!kept && stop != RunStop::failed && !run.is_cut_short()) closing->keep_checkpoint(save(), wall_time);
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
      content.going([&content] { content.run.advance_to_event(); });
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
    throw InputError(Kind::usage, "time", "the run is over; a state can be set before its end only");
  content.run.replace_engine(content.setup->make_engine(now, content.run.end(), content.run.engine().changed_model()));
  content.waiting.clear();
  content.checkpoints.keep(content.run);
}

// ------------------------------------------------------------------------------------------------ saving

std::vector<std::byte> Simulation::save() const {
  if (!content_->run.is_cut_short()) return content_->save();
  Content whole(*content_);
  whole.run.recover(whole.checkpoints.before(whole.run.time()));
  return whole.save();
}

void Simulation::save(const std::string& path) const {
  const std::vector<std::byte> bytes = save();
  const std::string part = path + ".part";
  const auto refuse = [&](int reason) {
    std::remove(part.c_str());
    Place place;
    place.file = path;
    throw InputError(Kind::file, place,
                     fmt::format("cannot write the checkpoint '{}': {}", path, std::generic_category().message(reason)));
  };
  errno = 0;
  std::ofstream file(part, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) refuse(errno != 0 ? errno : EIO);
  if (std::rename(part.c_str(), path.c_str()) != 0) refuse(errno);
}

Simulation Simulation::load(std::span<const std::byte> bytes) {
  const SavedSimulation saved = saved_simulation(bytes);
  Scene scene = Scene::parse(saved.scene, "scene of the checkpoint");
  for (const std::string& setting : saved.settings) scene.set(setting);
  Simulation simulation(scene);
  Content& content = *simulation.content_;
  Archive archive(saved.state);
  content.transfer(archive);
  archive.finish();
  content.known_since = content.run.time();
  content.checkpoints = Checkpoints();
  content.checkpoints.keep(content.run);
  return simulation;
}

Simulation Simulation::load(std::span<const std::byte> bytes, const Scene& scene) {
  require_scene(saved_simulation(bytes), scene.text(), scene.settings());
  return load(bytes);
}

Simulation Simulation::load(const std::string& path) {
  if (is_record(path)) return load(checkpoint_of(RecordReader(path)).bytes);
  std::ifstream file(path, std::ios::binary);
  Place place;
  place.file = path;
  if (!file) throw InputError(Kind::file, place, fmt::format("cannot read '{}'{}", path, nearest_file_hint(path)));
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return load(std::as_bytes(std::span(text)));
}

Simulation Simulation::resume(const std::string& path, const RecordRhythm& rhythm) {
  RecordCheckpoint checkpoint;
  RecordInfo info;
  RecordContents contents;
  {
    const RecordReader reader(path);
    info = reader.info();
    contents.contact_forces = reader.has_contact_loads();
    if (info.stop == run_stop_name(RunStop::failed))
      throw InputError(Kind::usage, "record",
                       fmt::format("the run of '{}' has failed, it would fail again at the same place", path));
    checkpoint = checkpoint_of(reader);
  }
  require_scene(saved_simulation(checkpoint.bytes), info.scene, info.settings);
  Simulation simulation = load(checkpoint.bytes);
  Content& content = *simulation.content_;
  content.wall_time = checkpoint.wall_time;
  RecordHeader header = record_header(content.setup->scene, content.setup->contents);
  header.extended = info.extended;
  content.record = std::make_unique<RecordWriter>(path, simulation.model(), std::move(header), std::move(checkpoint),
                                                  rhythm, contents);
  content.keep_record(path, rhythm);
  content.run.add_again(*content.record);
  return simulation;
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
