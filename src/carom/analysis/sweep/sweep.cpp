#include "carom/analysis/sweep/sweep.h"

#include <fmt/format.h>

#include "carom/analysis/sweep/problem_runner.h"
#include "carom/analysis/sweep/scene_runner.h"
#include "carom/analysis/sweep/sweep_plan.h"
#include "carom/analysis/sweep/table_text.h"
#include "carom/base/error.h"
#include "carom/base/json.h"
#include "carom/base/version.h"

namespace carom {

using sweep::Design;
using sweep::PointRunner;
using sweep::SweepPlan;

struct Sweep::Content {
  SweepPlan plan;
  std::unique_ptr<PointRunner> runner;
  std::string description;
};

struct Sweep::Worker::Content {
  std::shared_ptr<const Sweep::Content> sweep;
  std::unique_ptr<PointRunner> runner;
  std::vector<Value> values{};  ///< of the point that is run
};

namespace {

SweepPlan plan_of(const SweepOptions& options) {
  sweep::PlanRequest request;
  for (const std::string& text : options.vary) request.variations.push_back(sweep::read_variation(text));
  const int designs = (options.zip ? 1 : 0) + (options.random > 0 ? 1 : 0) + (options.latin > 0 ? 1 : 0);
  if (designs > 1) {
    throw InputError(Kind::usage, "--zip", "--zip, --random and --latin each say which points there are; give one");
  }
  request.design = options.zip          ? Design::zip
                   : options.random > 0 ? Design::random
                   : options.latin > 0  ? Design::latin
                                        : Design::grid;
  request.count = options.random + options.latin;
  request.seed = options.seed;
  return SweepPlan(std::move(request));
}

void require_point(const SweepPlan& plan, std::size_t point) {
  if (point < plan.size()) return;
  throw InputError(Kind::out_of_range, "point", fmt::format("point {} of a sweep of {}", point, plan.size()));
}

void require_measures(const SweepOptions& options) {
  if (!options.measures.empty()) return;
  throw InputError(Kind::usage, "--measure", "nothing is measured; expected --measure NAME, such as energy.final");
}

/// FNV-1a over 64 bits: whether two inputs are the same.
std::string fingerprint(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return fmt::format("{:016x}", hash);
}

std::string describe(const SweepOptions& options, const SweepPlan& plan, const std::string& input) {
  constexpr const char* kDesigns[] = {"grid", "zip", "random", "latin"};
  const Design design = plan.request().design;
  Json json{{"carom", kVersion},
            {"input", fingerprint(input)},
            {"vary", options.vary},
            {"design", kDesigns[static_cast<int>(design)]},
            {"measures", options.measures},
            {"points", plan.size()}};
  if (design == Design::random || design == Design::latin) json["seed"] = std::to_string(options.seed);
  if (!options.each.empty()) {
    json["each"] = options.each;
    json["from"] = options.from;
    json["last"] = options.last;
  }
  return json.dump();
}

void read_values(const SweepPlan& plan, std::size_t point, std::vector<Value>& values) {
  values.resize(plan.variations().size());
  for (std::size_t v = 0; v < values.size(); ++v) values[v] = plan.value(point, v);
}

std::vector<Value> values_at(const SweepPlan& plan, std::size_t point) {
  std::vector<Value> values;
  read_values(plan, point, values);
  return values;
}

void append_line(std::string& lines, std::span<const Value> values, std::span<const Value> cells,
                 std::string_view stop) {
  for (const std::span<const Value> some : {values, cells}) {
    for (const Value& value : some) {
      sweep::append_cell_of(lines, value);
      lines += ',';
    }
  }
  sweep::append_cell(lines, stop);
  lines += '\n';
}

/// The problem as text, to recognise it by.
std::string problem_text(const ImpactProblem& problem, const std::string& law) {
  const auto numbers = [](const auto& matrix) {
    return json_numbers(std::span<const double>(matrix.data(), static_cast<std::size_t>(matrix.size()))).dump();
  };
  std::string text = fmt::format("{} {} {} {} {} {} {} {}", law, numbers(problem.metric), numbers(problem.velocity),
                                 numbers(problem.persistent), problem.restitution, problem.options.tolerance,
                                 problem.options.rest, problem.options.max_steps);
  for (const int support : problem.supports) text += fmt::format(" support {}", support);
  for (const auto& [name, value] : problem.options.by_law) text += fmt::format(" {}={}", name, value);
  for (const Contact& contact : problem.contacts) {
    text += fmt::format(" [{} {} {} {} {} {} {} {} {} {} {}]", contact.name, numbers(contact.normal), contact.offset,
                        numbers(contact.tangents), numbers(contact.tangent_offsets), contact.restitution.value_or(-1.0),
                        contact.tangential_restitution.value_or(-2.0), contact.stiffness, contact.friction,
                        contact.rough, contact.tangential_stiffness_ratio.value_or(-1.0));
  }
  return text;
}

}  // namespace

Sweep::Sweep(const Scene& scene, const SweepOptions& options) {
  require_measures(options);
  SweepPlan plan = plan_of(options);
  sweep::SceneRequest request;
  request.scene = scene;
  request.variations = plan.variations();
  request.first = values_at(plan, 0);
  for (const std::size_t point : {plan.size() - 1, plan.size() / 2, plan.size() / 3}) {
    request.trials.push_back(values_at(plan, point));
  }
  request.measures = options.measures;
  request.each = options.each;
  request.from = options.from;
  request.last = options.last;
  auto runner = std::make_unique<sweep::SceneRunner>(request);
  std::string description = describe(options, plan, scene.to_toml());
  content_ = std::make_shared<const Content>(Content{std::move(plan), std::move(runner), std::move(description)});
}

Sweep::Sweep(const ImpactProblem& problem, const std::string& law, const SweepOptions& options) {
  require_measures(options);
  if (!options.each.empty()) {
    throw InputError(Kind::usage, "--each", "an impact problem has one instant only; --each is for scenes");
  }
  SweepPlan plan = plan_of(options);
  auto runner =
      std::make_unique<sweep::ProblemRunner>(sweep::ProblemRequest{problem, law, plan.variations(), options.measures});
  std::string description = describe(options, plan, problem_text(problem, law));
  content_ = std::make_shared<const Content>(Content{std::move(plan), std::move(runner), std::move(description)});
}

Sweep::Sweep(Sweep&&) noexcept = default;
Sweep& Sweep::operator=(Sweep&&) noexcept = default;
Sweep::~Sweep() = default;

std::size_t Sweep::size() const {
  return content_->plan.size();
}

std::vector<std::string> Sweep::columns() const {
  std::vector<std::string> columns;
  for (const sweep::Variation& variation : content_->plan.variations()) columns.push_back(variation.path);
  for (std::string& column : content_->runner->columns()) columns.push_back(std::move(column));
  columns.emplace_back("stop");
  return columns;
}

std::vector<Value> Sweep::values(std::size_t point) const {
  require_point(content_->plan, point);
  return values_at(content_->plan, point);
}

std::vector<Sweep::Row> Sweep::run(std::size_t point) const {
  return worker().run(point);
}

const std::string& Sweep::description() const {
  return content_->description;
}

Sweep::Worker Sweep::worker() const {
  return Worker(std::make_unique<Worker::Content>(Worker::Content{content_, content_->runner->clone()}));
}

Sweep::Worker::Worker(std::unique_ptr<Content> content) : content_(std::move(content)) {}
Sweep::Worker::Worker(Worker&&) noexcept = default;
Sweep::Worker& Sweep::Worker::operator=(Worker&&) noexcept = default;
Sweep::Worker::~Worker() = default;

std::vector<Sweep::Row> Sweep::Worker::run(std::size_t point, const std::atomic<bool>* interrupted) {
  const SweepPlan& plan = content_->sweep->plan;
  require_point(plan, point);
  const std::vector<Value> values = values_at(plan, point);
  sweep::PointResult result = content_->runner->run(values, interrupted);
  std::vector<Row> rows;
  if (result.interrupted) return rows;
  for (std::vector<Value>& cells : result.rows) {
    Row row = values;
    for (Value& cell : cells) row.push_back(std::move(cell));
    row.emplace_back(result.stop);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::size_t Sweep::Worker::append_lines(std::span<const std::size_t> points, std::string& lines,
                                        const std::atomic<bool>* interrupted) {
  const SweepPlan& plan = content_->sweep->plan;
  if (content_->runner->append_lines(plan, points, lines)) return points.size();
  std::vector<Value>& values = content_->values;
  for (std::size_t done = 0; done < points.size(); ++done) {
    require_point(plan, points[done]);
    read_values(plan, points[done], values);
    const sweep::PointResult result = content_->runner->run(values, interrupted);
    if (result.interrupted) return done;
    for (const std::vector<Value>& cells : result.rows) append_line(lines, values, cells, result.stop);
  }
  return points.size();
}

void Sweep::Worker::keep_record(std::size_t point, const std::string& path) {
  content_->runner->keep_record(values_at(content_->sweep->plan, point), path);
}

}  // namespace carom
