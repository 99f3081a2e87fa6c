#include "carom/analysis/sweep/scene_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "carom/analysis/sweep/scene_check.h"
#include "carom/engine/engine_registry.h"
#include "carom/scene/change.h"
#include "carom/scene/document/path.h"
#include "carom/scene/scene_file.h"
#include "carom/scene/value_node.h"
#include "carom/simulation/simulation.h"

namespace carom::sweep {
namespace {

std::string reason_of(const InputError& error) {
  return fmt::format("{}: {}", kind_name(error.kind()), error.what());
}

/// Rows that one point may have: they are kept in memory until it has ended.
constexpr std::size_t kMostRows = 2'000'000;

InputError too_many_rows(const std::string& how_many) {
  return {
      Kind::limit, "--each",
      fmt::format("{} rows at one point, at most {} are kept; take fewer instants, or --last N", how_many, kMostRows)};
}

bool is_plain_number(const Value& value) {
  return value.is(Value::Type::real) || value.is(Value::Type::integer);
}

RunSummary checked_example(const SceneRequest& request) {
  check_variations(request.scene, request.variations, request.first);
  return example_summary(request.scene, request.variations, request.first);
}

}  // namespace

/// Watches for flags, and for the impacts of a pair.
class SceneRunner::Watcher final : public Observer {
 public:
  FlagCounts flags{};  ///< where they are counted
  EventKind wanted = EventKind::impact;
  std::array<ObjectIndex, 2> objects{};  ///< none: any
  std::optional<ContactRecord> contact;  ///< of an impact that has just been

  void sample(const State&, const EnergyBook&) override {}
  void event(const EventRecord& event) override {
    for (std::size_t i = 0; i < flags.size() && !event.flags.empty(); ++i)
      if (event.flags.has(all_flags()[i])) ++flags[i];
    if (event.kind != wanted) return;
    for (const ContactRecord& touching : event.contacts) {
      const auto has = [&touching](ObjectIndex object) {
        return int{object} < 0 || int{touching.a} == int{object} || int{touching.b} == int{object};
      };
      if (has(objects[0]) && has(objects[1])) contact = touching;
    }
  }
};

struct SceneRunner::Going {
  std::shared_ptr<const Model> model;
  Run run;
  Watcher watcher{};
  std::vector<NamedValues> rows{};  ///< at instants
  double last_time = -1.0;
};

SceneRunner::SceneRunner(const SceneRequest& request) : SceneRunner(request, checked_example(request)) {}

SceneRunner::SceneRunner(const SceneRequest& request, const RunSummary& example)
    : scene_(request.scene),
      document_(scene::parse_document(request.scene.name(), request.scene.to_toml())),
      names_(example, !request.each.empty()) {
  for (const Variation& variation : request.variations) paths_.push_back(variation.path);
  apply(request.first);
  instants_ = read_instants(request.each, *example.model, names_.of_scene(document_));
  instants_.from = request.from;
  instants_.last = request.last;
  std::vector<std::string> taken = paths_;
  taken.emplace_back("stop");
  if (instants_.kind != Instants::Kind::end) taken.emplace_back("index");
  measures_ = read_measures(request.measures, names_.all(document_), taken);
  prepare_direct(request);
}

std::unique_ptr<PointRunner> SceneRunner::clone() const {
  auto made = std::make_unique<SceneRunner>(*this);
  if (start_) made->start_ = std::make_shared<scene::SceneFile>(*start_);
  return made;
}

std::vector<std::string> SceneRunner::columns() const {
  std::vector<std::string> columns;
  if (instants_.kind != Instants::Kind::end) columns.emplace_back("index");
  for (const Measure& measure : measures_) columns.push_back(measure.column);
  return columns;
}

void SceneRunner::apply(std::span<const Value> values) {
  for (std::size_t v = 0; v < paths_.size(); ++v) {
    scene::set_value(document_, {paths_[v]}, scene::node_of(values[v], paths_[v]));
  }
}

scene::SceneFile SceneRunner::read_start(std::span<const Value> values) {
  apply(values);
  scene::SceneFile start = scene::read_scene_file(document_);
  readable_ = true;
  return start;
}

/// Where the start can follow the values by itself; that this gives what reading gives is seen at some points.
void SceneRunner::prepare_direct(const SceneRequest& request) {
  try {
    auto start = std::make_shared<scene::SceneFile>(read_start(request.first));
    std::optional<DirectStart> direct = DirectStart::of(document_, *start, paths_);
    if (!direct) return;
    for (const std::vector<Value>& values : request.trials) {
      if (!direct->set(values, document_, *start) || !same_bits(*start, read_start(values))) return;
    }
    start_ = std::move(start);
    direct_ = std::move(direct);
  } catch (const InputError&) {
    direct_.reset();  // a point that is not legal: the reader says why
  }
}

/// The start at a point; less is checked than by read_start where the values are plain numbers.
std::shared_ptr<const scene::SceneFile> SceneRunner::quick_start(std::span<const Value> values) {
  if (direct_ && direct_->set(values, document_, *start_)) {
    if (names_.needs_scene() || instants_.kind == Instants::Kind::periods) apply(values);
    return start_;
  }
  if (!readable_ || !std::all_of(values.begin(), values.end(), is_plain_number)) return nullptr;
  apply(values);
  std::vector<std::string_view> changed;
  for (const std::string& path : paths_) {
    changed.push_back(scene::split_path(path).first);
    // A body of an arrangement is changed there.
    if (changed.back() == "body") changed.insert(changed.end(), {"fill", "rack", "cradle"});
  }
  return std::make_shared<const scene::SceneFile>(scene::read_scene_file_again(document_, changed));
}

PointResult SceneRunner::run(std::span<const Value> values, const std::atomic<bool>* interrupted) {
  try {
    if (const auto start = quick_start(values)) return run_start(start, interrupted);
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): the reader says it with more words
  }
  try {
    return run_start(std::make_shared<const scene::SceneFile>(read_start(values)), interrupted);
  } catch (const InputError& error) {
    PointResult refused;
    refused.rows.emplace_back(columns().size());
    refused.stop = reason_of(error);
    return refused;
  }
}

PointResult SceneRunner::run_start(const std::shared_ptr<const scene::SceneFile>& start,
                                   const std::atomic<bool>* interrupted) {
  using Clock = std::chrono::steady_clock;
  const bool has_summary = names_.needs_summary();
  const Clock::time_point began = has_summary ? Clock::now() : Clock::time_point();
  // The run keeps the model, and with it the start that it belongs to.
  const std::shared_ptr<const Model> model(start, &start->model);
  const EngineKind& kind = engine_kind(start->run.engine);
  const double output_step = names_.needs_samples() ? start->run.output_step : 0.0;
  Going going{model, Run(kind.make(model, start->state, start->run), {output_step, start->run.stop_at_rest})};
  if (interrupted != nullptr) going.run.watch(*interrupted);
  names_.forget(values_);
  names_.add_scene(document_, values_);
  // With forces a contact begins instead.
  going.watcher.wanted = kind.has_forces ? EventKind::contact_start : EventKind::impact;
  if (names_.needs_flags()) going.watcher.flags.assign(all_flags().size(), 0);
  const bool watches = names_.needs_flags() || instants_.kind == Instants::Kind::impacts;
  if (watches) going.run.add(going.watcher);
  if (instants_.kind != Instants::Kind::end && instants_.from > going.run.end()) {
    throw InputError(Kind::out_of_range, "--from",
                     fmt::format("--from is {} s, but the run ends at {} s", instants_.from, going.run.end()));
  }
  switch (instants_.kind) {
    case Instants::Kind::end: going.run.advance_to(going.run.end()); break;
    case Instants::Kind::impacts: look_at_impacts(going); break;
    case Instants::Kind::periods: look_at_periods(going); break;
  }
  if (has_summary) describe(*start, summary_);
  summary_.model = model;
  if (has_summary) summary_.wall_time = std::chrono::duration<double>(Clock::now() - began).count();
  PointResult result = finished(going);
  summary_.model.reset();
  if (watches) going.run.remove(going.watcher);
  return result;
}

/// What a summary says besides the result.
void SceneRunner::describe(const scene::SceneFile& start, RunSummary& summary) const {
  summary.title = start.title;
  summary.file = scene_.name();
  summary.engine = start.run.engine;
  summary.law = engine_kind(start.run.engine).has_forces ? std::string() : start.run.law;
  summary.unused = start.unused;
}

void SceneRunner::add_row(Going& going, const ContactRecord* contact) {
  if (going.rows.size() >= kMostRows && instants_.last == 0) throw too_many_rows("more");
  const State state = going.run.state();
  const EnergyBook book = going.run.energy();
  NamedValues values = values_;
  names_.add_instant(*going.model, {state, book, contact}, values);
  going.rows.push_back(std::move(values));
  if (instants_.last > 0 && going.rows.size() > 2 * instants_.last) {
    going.rows.erase(going.rows.begin(), going.rows.end() - static_cast<std::ptrdiff_t>(instants_.last));
  }
}

void SceneRunner::look_at_impacts(Going& going) {
  for (std::size_t i = 0; i < 2; ++i) going.watcher.objects[i] = object_named(*going.model, instants_.objects[i]);
  while (true) {
    going.watcher.contact.reset();
    const bool goes_on = going.run.advance_to_event();
    if (going.watcher.contact && going.run.time() >= instants_.from) {
      // Rounds of one instant are one impact.
      if (going.run.time() == going.last_time && !going.rows.empty()) going.rows.pop_back();
      going.last_time = going.run.time();
      add_row(going, &*going.watcher.contact);
    }
    if (!goes_on || going.run.stopped()) return;
  }
}

void SceneRunner::look_at_periods(Going& going) {
  const double period = instants_.period->value(values_.numbers);
  if (!(period > 0.0) || !std::isfinite(period)) {
    throw InputError(Kind::out_of_range, "--each", fmt::format("the period is {} s, expected more than 0", period));
  }
  const double first = std::ceil(instants_.from / period);
  if (const double rows = going.run.end() / period - first; rows > kMostRows && instants_.last == 0)
    throw too_many_rows(fmt::format("{:.3g}", rows));
  for (double k = std::max(first, 1.0); k * period <= going.run.end() && !going.run.stopped(); ++k) {
    going.run.advance_to(k * period);
    if (going.run.time() == k * period) add_row(going, nullptr);
  }
  if (!going.run.stopped()) going.run.advance_to(going.run.end());
}

PointResult SceneRunner::finished(Going& going) {
  PointResult result;
  summary_.result = going.run.result();
  summary_.energy_scale = going.run.energy_scale();
  result.interrupted = summary_.result.stop == RunStop::interrupted;
  result.stop = run_stop_name(summary_.result.stop);
  if (summary_.result.failure) result.stop += ": " + summary_.result.failure->reason;
  names_.add_summary(summary_, going.watcher.flags, values_);
  if (instants_.kind == Instants::Kind::end) {
    names_.add_instant(*going.model, {summary_.result.final_state, summary_.result.energy, nullptr}, values_);
    result.rows.emplace_back();
    add_cells(values_, result.rows.back());
    return result;
  }
  const std::size_t rows = going.rows.size();
  const std::size_t skipped = instants_.last > 0 && rows > instants_.last ? rows - instants_.last : 0;
  for (std::size_t i = skipped; i < rows; ++i) {
    names_.copy_summary(values_, going.rows[i]);
    result.rows.emplace_back();
    result.rows.back().emplace_back(static_cast<std::int64_t>(i - skipped));
    add_cells(going.rows[i], result.rows.back());
  }
  // A point without instants has a row all the same.
  if (result.rows.empty()) result.rows.emplace_back(columns().size());
  return result;
}

void SceneRunner::add_cells(const NamedValues& values, std::vector<Value>& cells) const {
  cells.reserve(cells.size() + measures_.size());
  for (const Measure& measure : measures_) cells.push_back(cell_of(measure, values));
}

void SceneRunner::keep_record(std::span<const Value> values, const std::string& path) {
  Scene scene = scene_;
  for (std::size_t v = 0; v < paths_.size(); ++v) scene.set(paths_[v], values[v]);
  Simulation simulation(scene);
  simulation.record(path);
  simulation.run();
}

}  // namespace carom::sweep
