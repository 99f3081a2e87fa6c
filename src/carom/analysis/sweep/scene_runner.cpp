#include "carom/analysis/sweep/scene_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "carom/analysis/sweep/scene_check.h"
#include "carom/base/nearest_name.h"
#include "carom/base/utf8.h"
#include "carom/engine/engine_registry.h"
#include "carom/scene/change.h"
#include "carom/scene/document/path.h"
#include "carom/scene/scene_file.h"
#include "carom/scene/value_node.h"
#include "carom/simulation/simulation.h"

namespace carom::sweep {
namespace {

constexpr std::string_view kImpact = "impact", kPeriod = "period";

ObjectIndex object_named(const Model& model, const std::string& name) {
  if (name.empty()) return {};
  const auto count = static_cast<int>(model.bodies.size() + model.obstacles.size());
  std::vector<std::string_view> known;
  for (int object = 0; object < count; ++object) {
    if (model.name(object) == name) return object;
    known.emplace_back(model.name(object));
  }
  throw InputError(Kind::unknown_name, "--each", unknown_name_message("object", name, known));
}

std::string reason_of(const InputError& error) {
  return fmt::format("{}: {}", kind_name(error.kind()), error.what());
}

Instants read_instants(const SceneRequest& request, const Model& model, const Names& numbers) {
  Instants instants;
  instants.from = request.from;
  instants.last = request.last;
  const std::string& text = request.each;
  if (text.empty()) return instants;
  const MarkedText marked{"--each", text};
  const std::string_view whole = text;
  const std::string_view word = whole.substr(0, whole.find(':'));
  const std::string_view rest = word.size() < whole.size() ? whole.substr(word.size() + 1) : whole.substr(whole.size());
  if (word == kImpact) {
    instants.kind = Instants::Kind::impacts;
    const std::size_t comma = std::min(rest.find(','), rest.size());
    instants.objects = {std::string(trimmed(rest.substr(0, comma))),
                        std::string(trimmed(rest.substr(std::min(comma + 1, rest.size()))))};
    for (const std::string& name : instants.objects) {
      try {
        (void)object_named(model, name);
      } catch (const InputError& error) {
        throw marked.error(error.kind(), rest, error.what());
      }
    }
    return instants;
  }
  if (word != kPeriod) {
    throw marked.error(Kind::unknown_name, word, "expected impact, impact:A, impact:A,B or period:SECONDS");
  }
  instants.kind = Instants::Kind::periods;
  instants.period.emplace(marked, rest, numbers);
  return instants;
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
  FlagCounts flags = FlagCounts(all_flags().size(), 0);
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
  NamedValues values;  ///< of the scene
  std::vector<NamedValues> rows{};
  RunSummary summary{};
  double last_time = -1.0;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};

SceneRunner::SceneRunner(const SceneRequest& request) : SceneRunner(request, checked_example(request)) {}

SceneRunner::SceneRunner(const SceneRequest& request, const RunSummary& example)
    : scene_(request.scene),
      document_(scene::parse_document(request.scene.name(), request.scene.to_toml())),
      names_(example, !request.each.empty()) {
  for (const Variation& variation : request.variations) paths_.push_back(variation.path);
  apply(request.first);
  instants_ = read_instants(request, *example.model, names_.of_scene(document_));
  measures_ = read_measures(request.measures, names_.all(document_));
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
  // The run keeps the model, and with it the start that it belongs to.
  const std::shared_ptr<const Model> model(start, &start->model);
  const EngineKind& kind = engine_kind(start->run.engine);
  const double output_step = names_.needs_samples() ? start->run.output_step : 0.0;
  Going going{model, Run(kind.make(model, start->state, start->run), {output_step, start->run.stop_at_rest}), Watcher(),
              names_.unknown()};
  if (interrupted != nullptr) going.run.watch(*interrupted);
  names_.add_scene(document_, going.values);
  going.summary.title = start->title;
  going.summary.file = scene_.name();
  going.summary.engine = start->run.engine;
  if (!kind.has_forces) going.summary.law = start->run.law;
  going.summary.model = model;
  going.summary.unused = start->unused;
  // With forces a contact begins instead.
  going.watcher.wanted = kind.has_forces ? EventKind::contact_start : EventKind::impact;
  const bool watches = names_.needs_flags() || instants_.kind == Instants::Kind::impacts;
  if (watches) going.run.add(going.watcher);
  switch (instants_.kind) {
    case Instants::Kind::end: going.run.advance_to(going.run.end()); break;
    case Instants::Kind::impacts: look_at_impacts(going); break;
    case Instants::Kind::periods: look_at_periods(going); break;
  }
  PointResult result = finished(going);
  if (watches) going.run.remove(going.watcher);
  return result;
}

void SceneRunner::add_row(Going& going, const ContactRecord* contact) {
  const State state = going.run.state();
  const EnergyBook book = going.run.energy();
  NamedValues values = going.values;
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
  const double period = instants_.period->value(going.values.numbers);
  if (!(period > 0.0) || !std::isfinite(period)) {
    throw InputError(Kind::out_of_range, "--each", fmt::format("the period is {} s, expected more than 0", period));
  }
  const double first = std::ceil(instants_.from / period);
  for (double k = std::max(first, 1.0); k * period <= going.run.end() && !going.run.stopped(); ++k) {
    going.run.advance_to(k * period);
    if (going.run.time() == k * period) add_row(going, nullptr);
  }
  if (!going.run.stopped()) going.run.advance_to(going.run.end());
}

PointResult SceneRunner::finished(Going& going) {
  PointResult result;
  RunSummary& summary = going.summary;
  summary.result = going.run.result();
  summary.energy_scale = going.run.energy_scale();
  summary.wall_time = std::chrono::duration<double>(std::chrono::steady_clock::now() - going.start).count();
  result.interrupted = summary.result.stop == RunStop::interrupted;
  result.stop = run_stop_name(summary.result.stop);
  if (summary.result.failure) result.stop += ": " + summary.result.failure->reason;
  const bool at_end = instants_.kind == Instants::Kind::end;
  names_.add_summary(summary, going.watcher.flags, going.values);
  if (at_end) {
    going.rows.push_back(going.values);
    names_.add_instant(*going.model, {summary.result.final_state, summary.result.energy, nullptr}, going.rows.back());
  }
  const std::size_t rows = going.rows.size();
  const std::size_t skipped = instants_.last > 0 && rows > instants_.last ? rows - instants_.last : 0;
  for (std::size_t i = skipped; i < rows; ++i) {
    if (!at_end) names_.copy_summary(going.values, going.rows[i]);
    std::vector<Value> cells;
    if (!at_end) cells.emplace_back(static_cast<std::int64_t>(i - skipped));
    for (const Measure& measure : measures_) cells.push_back(cell_of(measure, going.rows[i]));
    result.rows.push_back(std::move(cells));
  }
  // A point without instants has a row all the same.
  if (result.rows.empty()) result.rows.emplace_back(columns().size());
  return result;
}

void SceneRunner::keep_record(std::span<const Value> values, const std::string& path) {
  Scene scene = scene_;
  for (std::size_t v = 0; v < paths_.size(); ++v) scene.set(paths_[v], values[v]);
  Simulation simulation(scene);
  simulation.record(path);
  simulation.run();
}

}  // namespace carom::sweep
