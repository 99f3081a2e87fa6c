#include "carom/simulation/reproducer.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "carom/base/error.h"

namespace carom {

namespace {

using Names = std::set<std::string, std::less<>>;

/// How long before the failure a scene may begin [s], the latest first.
constexpr double kBefore[] = {0.0, 1e-9, 1e-6, 1e-4, 1e-2, 1e-1};

/// Sets a flag after some time, unless it is over before.
class Timer {
 public:
  Timer(double seconds, std::atomic<bool>& flag)
      : thread_([this, seconds, &flag] {
          std::unique_lock lock(mutex_);
          if (!over_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return is_over_; })) flag = true;
        }) {}
  ~Timer() {
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    over_.notify_all();
    thread_.join();
  }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable over_;
  bool is_over_ = false;
  std::thread thread_;
};

/// The words of a reason without its numbers and names.
std::string kind_of_reason(const std::string& reason) {
  std::string words;
  bool quoted = false;
  for (const char c : reason) {
    if (c == '\'') quoted = !quoted;
    if (!quoted && std::isalpha(static_cast<unsigned char>(c)) != 0) words += c;
  }
  return words;
}

/// Whether the scene fails for this kind of reason.
bool fails_alike(const Scene& scene, const std::string& reason, double seconds, const std::atomic<bool>* stop) {
  try {
    std::atomic<bool> flag{false};
    const Timer timer(seconds, flag);
    Simulation trial(scene);
    trial.stop_while(flag);
    if (stop != nullptr) trial.stop_while(*stop);
    const RunResult result = trial.run();
    return result.failure && kind_of_reason(result.failure->reason) == kind_of_reason(reason);
  } catch (const InputError&) {  // not a scene that can be run
    return false;
  }
}

/// The shape of a body that an arrangement made; none for one that is placed in its body, or is uncommon.
Value shape_value(const Body& body) {
  if (body.parts.size() != 1 || !body.parts[0].placement.position.isZero(0.0)) return {};
  const Shape& shape = body.parts[0].shape;
  const std::string kind(shape_name(shape_kind(shape)));
  if (const auto* const sphere = std::get_if<Sphere>(&shape)) return Table{{"kind", kind}, {"radius", sphere->radius}};
  if (const auto* const ellipsoid = std::get_if<Ellipsoid>(&shape))
    return Table{{"kind", kind}, {"semi_axes", ellipsoid->semi_axes}};
  if (const auto* const box = std::get_if<Box>(&shape)) return Table{{"kind", kind}, {"half_sizes", box->half_sizes}};
  if (const auto* const cylinder = std::get_if<Cylinder>(&shape))
    return Table{{"kind", kind}, {"radius", cylinder->radius}, {"half_length", cylinder->half_length}};
  if (const auto* const capsule = std::get_if<Capsule>(&shape))
    return Table{{"kind", kind}, {"radius", capsule->radius}, {"half_length", capsule->half_length}};
  return {};
}

/// The table of a body: that of the file, or one that says the same of a body that an arrangement made; empty where
/// that cannot be said.
Table body_table(const Scene& scene, const Model& model, BodyIndex index) {
  const Body& body = model.bodies[index];
  const Value bodies = scene.get("body");
  if (bodies.is(Value::Type::list)) {
    for (const Value& entry : bodies.list()) {
      const Value* const name = entry.table().find("name");
      if (name != nullptr && name->is(Value::Type::text) && name->text() == body.name) return entry.table();
    }
  }
  const Value shape = shape_value(body);
  if (shape.is_none() || !body.groups.names.empty() || !body.groups.avoided.empty()) return {};
  Table table{{"name", body.name}, {"shape", shape}, {"mass", body.mass}};
  if (body.material != kNone) table.set("material", model.materials[body.material].name);
  return table;
}

Table placed(Table table, const BodyState& state) {
  const Eigen::Quaterniond& turned = state.orientation;
  table.set("position", state.position);
  table.set("position_of", "centre_of_mass");
  table.set("velocity", state.velocity);
  table.set("orientation", Table{{"quaternion", List{turned.w(), turned.x(), turned.y(), turned.z()}}});
  table.set("angular_velocity_body", Value());
  table.set("angular_velocity", state.angular_velocity);
  std::vector<Field> fields;
  for (const Field& field : table.fields())
    if (!field.value.is_none()) fields.push_back(field);
  return Table(std::move(fields));
}

/// Whether a value names a body that is left out.
bool names_other(const Value& value, const Names& left_out) {
  if (value.is(Value::Type::text)) return left_out.count(value.text()) > 0;
  if (value.is(Value::Type::list))
    return std::any_of(value.list().begin(), value.list().end(),
                       [&](const Value& entry) { return names_other(entry, left_out); });
  if (!value.is(Value::Type::table)) return false;
  const std::vector<Field>& fields = value.table().fields();
  return std::any_of(fields.begin(), fields.end(),
                     [&](const Field& field) { return names_other(field.value, left_out); });
}

}  // namespace

std::optional<Scene> excerpt(const Simulation& simulation, const std::vector<BodyIndex>& bodies, const State& state,
                             double duration) {
  const Model& model = simulation.model();
  const Scene& whole = simulation.scene();
  Names left_out;
  for (const BodyIndex body : model.bodies.indices())
    if (std::find(bodies.begin(), bodies.end(), body) == bodies.end()) left_out.insert(model.bodies[body].name);
  Scene scene;
  for (const char* const section : {"world", "run"})
    if (const Value value = whole.get(section); value.is(Value::Type::table))
      for (const Field& field : value.table().fields())
        scene.set(fmt::format("{}.{}", section, field.key), field.value);
  for (const BodyIndex body : bodies) {
    const Table table = body_table(whole, model, body);
    if (table.fields().empty()) return std::nullopt;
    scene.add("body", placed(table, state.bodies[body]));
  }
  for (const char* const section :
       {"material", "pair", "plane", "obstacle", "constraint", "spring", "load", "pocket", "dent"}) {
    const Value entries = whole.get(section);
    if (!entries.is(Value::Type::list)) continue;
    for (const Value& entry : entries.list())
      if (!names_other(entry, left_out)) scene.add(section, entry.table());
  }
  scene.set("run.duration", duration);
  scene.set("run.output_step", Value());
  return scene;
}

std::optional<Reproducer> find_reproducer(const Simulation& simulation, double seconds, const std::atomic<bool>* stop) {
  const RunResult result = simulation.result();
  if (!result.failure) return std::nullopt;
  const Failure& failure = *result.failure;
  std::vector<BodyIndex> all;
  for (const BodyIndex body : simulation.model().bodies.indices()) all.push_back(body);
  std::vector<BodyIndex> involved = failure.bodies;
  std::sort(involved.begin(), involved.end());
  involved.erase(std::unique(involved.begin(), involved.end()), involved.end());
  const double reached = simulation.time();
  for (const std::vector<BodyIndex>& bodies : {involved, all}) {
    if (bodies.empty()) continue;
    for (const double before : kBefore) {
      if (stop != nullptr && *stop) return std::nullopt;
      const double time = std::max(std::min(failure.time, reached) - before, 0.0);
      std::optional<Scene> scene =
          excerpt(simulation, bodies, simulation.state_at(time), std::max(10.0 * (failure.time - time), 1e-3));
      if (!scene || !fails_alike(*scene, failure.reason, seconds, stop)) continue;
      scene->set("title", fmt::format("{}: fails with: {}", simulation.scene().name(), failure.reason));
      return Reproducer{std::move(*scene), bodies.size(), time};
    }
  }
  if (stop != nullptr && *stop) return std::nullopt;
  Scene scene = simulation.scene();
  return Reproducer{std::move(scene), all.size(), 0.0};
}

}  // namespace carom
