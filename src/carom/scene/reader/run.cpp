/// [world], and [run] by the table of run options (engine/run_options.h).

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "carom/base/assert.h"
#include "carom/laws/impact/registry.h"
#include "carom/scene/reader/reading.h"

namespace carom::scene {
namespace {

/// Output steps of a run that does not say how many it wants.
constexpr double kUsualSamples = 500.0;
/// Samples that a run may have: the record of a single body with so many has more than ten gigabytes.
constexpr double kMostSamples = 1e8;

/// Writes a checked value to where an option keeps it.
struct OptionWriter {
  RunOptions& run;
  const Entry& entry;

  void operator()(bool RunOptions::*member) const { run.*member = as_boolean(entry); }
  void operator()(double RunOptions::*member) const { run.*member = as_number(entry); }
  void operator()(std::optional<double> RunOptions::*member) const { run.*member = as_number(entry); }
  void operator()(std::string RunOptions::*member) const { run.*member = as_string(entry); }
  void operator()(std::int64_t RunOptions::*member) const {
    using Limits = std::numeric_limits<std::int64_t>;
    run.*member = as_integer(entry, Limits::min(), Limits::max());
  }
  void operator()(ConstraintMethod RunOptions::*member) const {
    const std::optional<ConstraintMethod> method = find_constraint_method(as_string(entry));
    CAROM_ASSERT(method.has_value());
    run.*member = *method;
  }
};

void require_few_samples(const RunOptions& run, const Entry& output_step) {
  const double samples = run.duration / run.output_step;
  if (!(samples > kMostSamples)) return;
  throw InputError(Kind::out_of_range, output_step.place(),
                   fmt::format("run.output_step = {} asks for {:.4g} samples in {} s, and a run may have {:.0e}: "
                               "expected {} s or more",
                               run.output_step, samples, run.duration, kMostSamples, run.duration / kMostSamples));
}

}  // namespace

void read_world(Reading& reading) {
  const auto world = reading.find_good(reading.root(), "world");
  if (world) reading.model().gravity = vector3(Fields(*world), "gravity");
}

void read_run(Reading& reading) {
  reading.scene().run.law = default_impact_law().name;
  std::vector<std::string_view> keys;
  for (const RunOption& option : run_option_table()) keys.push_back(option.name);
  read_run_options(reading, keys);
}

void read_run_options(Reading& reading, std::span<const std::string_view> keys) {
  const std::optional<Entry> table = reading.root().find("run");
  if (!table || !table->node->is(Node::Type::table)) return;
  const Fields fields(*table);
  RunOptions& run = reading.scene().run;
  for (const RunOption& option : run_option_table()) {
    if (std::find(keys.begin(), keys.end(), option.name) == keys.end()) continue;
    if (const auto entry = reading.find_good(fields, option.name)) std::visit(OptionWriter{run, *entry}, option.member);
  }
  if (!fields.find("output_step")) run.output_step = run.duration / kUsualSamples;
  if (const auto step = reading.find_good(fields, "output_step"))
    reading.complaints().attempt([&] { require_few_samples(run, *step); });
}

}  // namespace carom::scene
