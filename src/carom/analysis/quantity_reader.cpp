#include "carom/analysis/quantity_reader.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "carom/analysis/contact_courses.h"
#include "carom/analysis/quantity_value.h"
#include "carom/analysis/sample_block.h"
#include "carom/base/error.h"
#include "carom/simulation/record_scene.h"

namespace carom {
namespace {

constexpr std::size_t kEventBlock = 4096;

bool is_energy(const Quantity& quantity) {
  return quantity.measure == Measure::energy;
}

struct JumpsWanted {
  TimeSpan span;
  ReadAt where;
  RecordedScene scene;
};

/// A quantity at the begin, the peak and the end of the blows of an interval, in order of time with what is there.
std::vector<double> times_of_blows(const SampleInterval& interval, const Quantity& quantity,
                                   const JumpsWanted& wanted) {
  std::vector<double> times;
  for (const ContactBlow& blow : interval.blows()) {
    if (!is_moved_by(quantity, blow)) continue;
    for (const double time : {blow.began, blow.peak, blow.ended}) {
      if (time > interval.start() && time < interval.end() && wanted.span.holds(time)) times.push_back(time);
    }
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

/// A quantity before and after each instant of an interval. At the ends the sample is one of the two.
void add_jumps(const SampleInterval& interval, const Quantity& quantity, const JumpsWanted& wanted, Series& series) {
  if (!is_known_between(quantity) || (is_energy(quantity) && wanted.scene.model == nullptr)) return;
  std::vector<double> blows;
  if (wanted.where == ReadAt::own_jumps) blows = times_of_blows(interval, quantity, wanted);
  auto next_blow = blows.begin();
  const auto add_blows_until = [&](double end) {
    for (; next_blow != blows.end() && *next_blow < end; ++next_blow)
      series.add(*next_blow, value_of(BetweenMoment(interval, *next_blow, Side::after, wanted.scene), quantity));
  };
  for (const Instant& instant : interval.instants()) {
    const double time = instant.time;
    if (!wanted.span.holds(time)) continue;
    if (wanted.where == ReadAt::own_jumps && !is_moved_by(quantity, instant)) continue;
    add_blows_until(time);
    for (const Side side : {Side::before, Side::after}) {
      if (time == (side == Side::before ? interval.start() : interval.end())) continue;
      series.add(time, value_of(BetweenMoment(interval, time, side, wanted.scene), quantity));
    }
  }
  add_blows_until(interval.end());
}

void add_joint_impulse(Series& series, const EventRecord& event, const Quantity& quantity) {
  for (const JointRecord& record : event.joints) {
    if (record.joint != JointIndex(quantity.a)) continue;
    const Eigen::Vector3d& impulse = quantity.measure == Measure::joint_impulse ? record.force : record.couple;
    series.time.push_back(event.time);
    series.value.push_back(quantity.component < 3 ? impulse[quantity.component] : impulse.norm());
  }
}

void add_impulse(Series& series, const EventRecord& event, const Quantity& quantity) {
  if (quantity.measure != Measure::impulse) return add_joint_impulse(series, event, quantity);
  double sum = 0.0;
  bool touched = false;
  for (const ContactRecord& contact : event.contacts) {
    if (!is_about(contact, quantity)) continue;
    sum += contact.impulse;
    touched = true;
  }
  // Contacts that only begin or end have none.
  if (!touched || sum == 0.0) return;
  series.time.push_back(event.time);
  series.value.push_back(sum);
}

/// Both are in order of time.
Series merged(const Series& series, const Series& more) {
  Series both;
  std::size_t k = 0;
  for (std::size_t i = 0; i < series.time.size(); ++i) {
    for (; k < more.time.size() && more.time[k] < series.time[i]; ++k) both.add(more.time[k], more.value[k]);
    both.add(series.time[i], series.value[i]);
  }
  for (; k < more.time.size(); ++k) both.add(more.time[k], more.value[k]);
  return both;
}

void require_contact_loads(const RecordReader& record, std::span<const Quantity> quantities) {
  if (record.has_contact_loads()) return;
  for (const Quantity& quantity : quantities)
    if (quantity.of_contacts())
      throw InputError(Kind::unsupported, quantity.name,
                       "the record does not tell what contacts do: it was written with --no-forces, or by an older "
                       "version of carom");
}

}  // namespace

const scene::SceneFile& QuantityReader::scene() {
  if (!scene_) scene_ = std::make_unique<const scene::SceneFile>(scene_of(record_.info()));
  return *scene_;
}

const Model* QuantityReader::model_if_readable(const TimeSpan& span) {
  if (!has_energies_at_jumps(record_, span)) return nullptr;
  if (!scene_) scene_ = scene_if_readable(record_.info());
  return scene_ ? &scene_->model : nullptr;
}

const Model* QuantityReader::model_of_blows() {
  return has_contact_forces(info().engine) ? model_if_readable({}) : nullptr;
}

RecordedScene QuantityReader::beside_samples(const Model* model) {
  if (model != nullptr && !turns_) turns_ = std::make_unique<RecordedTurns>(record_, *model);
  return {model, turns_.get()};
}

std::vector<Series> QuantityReader::read(std::span<const Quantity> quantities, const TimeSpan& span, ReadAt where) {
  require_contact_loads(record_, quantities);
  std::vector<Series> series(quantities.size());
  const auto at_events = [](const Quantity& quantity) { return quantity.at_events(); };
  if (!std::all_of(quantities.begin(), quantities.end(), at_events)) read_samples(quantities, span, where, series);
  if (std::any_of(quantities.begin(), quantities.end(), at_events)) read_events(quantities, span, series);
  for (std::size_t k = 0; k < quantities.size() && where == ReadAt::own_jumps; ++k)
    if (quantities[k].measure == Measure::force)
      series[k] = merged(series[k], contact_courses(record_, quantities[k], span));
  return series;
}

void QuantityReader::read_samples(std::span<const Quantity> quantities, const TimeSpan& span, ReadAt where,
                                  std::span<Series> series) {
  const bool has_energy = std::any_of(quantities.begin(), quantities.end(), is_energy);
  const Model* model = std::any_of(quantities.begin(), quantities.end(), needs_scene) ? &scene().model : nullptr;
  const bool has_blows = has_contact_forces(info().engine);
  if (where != ReadAt::samples && (has_energy || has_blows) && model == nullptr) model = model_if_readable(span);
  const RecordedScene scene = beside_samples(model);
  const std::size_t count = record_.sample_count();
  const std::vector<double> time = record_.series("/time", 0, count);
  const std::size_t length = SampleBlock::usual_size(info().bodies);
  std::optional<InstantReader> instants;
  std::optional<BlowReader> blows;
  for (std::size_t first = 0; first < count; first += length) {
    const std::size_t end = std::min(first + length, count);
    // What lies before the next block belongs to this one.
    if (time[std::min(end, count - 1)] < span.from || time[first] > span.to) continue;
    // One more on either side, for differences.
    const std::size_t margin = first > 0 ? 1 : 0;
    SampleBlock block(record_, first - margin, std::min(end + 1, count));
    if (where != ReadAt::samples && !instants) {
      instants.emplace(record_, time[first]);
      blows.emplace(record_);
    }
    for (std::size_t i = first; i < end; ++i) {
      const std::size_t place = i - first + margin;
      const bool at_an_end = i == 0 || i + 1 == count;
      for (std::size_t k = 0; k < quantities.size() && span.holds(time[i]); ++k) {
        if (quantities[k].at_events() || (at_an_end && quantities[k].measure == Measure::acceleration)) continue;
        const double value = value_of(SampleMoment(block, place, scene), quantities[k]);
        // There is nothing between two modes: the line is upright.
        const bool changes = quantities[k].measure == Measure::mode && where == ReadAt::own_jumps &&
                             !series[k].value.empty() && series[k].value.back() != value;
        if (changes) series[k].add(time[i], series[k].value.back());
        series[k].add(time[i], value);
      }
      if (!instants || i + 1 == count) continue;
      const SampleInterval interval(block, place, take_instants(*instants, block, place, i + 2 == count), model,
                                    blows->between(time[i], time[i + 1]));
      for (std::size_t k = 0; k < quantities.size(); ++k)
        add_jumps(interval, quantities[k], {span, where, scene}, series[k]);
    }
  }
}

double QuantityReader::at(const Quantity& quantity, double time, Side side) {
  if (!is_known_between(quantity)) {
    throw InputError(Kind::unsupported, quantity.name, quantity.name + " is not known between samples");
  }
  const Model* model = needs_scene(quantity) || is_energy(quantity) ? &scene().model : nullptr;
  if (model == nullptr) model = model_of_blows();
  const bool lacks_model = cursor_ && model != nullptr && cursor_->model() == nullptr;
  if (!cursor_ || lacks_model) cursor_ = std::make_unique<IntervalCursor>(record_, model);
  if (!cursor_->covers(time)) {
    throw InputError(Kind::out_of_range, quantity.name, "the record has no samples around that time");
  }
  return value_of(BetweenMoment(cursor_->at(time, side), time, side, beside_samples(model)), quantity);
}

bool QuantityReader::knows_between(const Quantity& quantity, const TimeSpan& span) {
  return is_known_between(quantity) && (!is_energy(quantity) || model_if_readable(span) != nullptr);
}

bool QuantityReader::resolves(const Quantity& quantity, double time) {
  if (!cursor_) cursor_ = std::make_unique<IntervalCursor>(record_, model_of_blows());
  const SampleInterval& interval = cursor_->at(time, Side::after);
  const bool is_of_all = quantity.a == kNone || quantity.of_joint();
  for (int body = 0; body < static_cast<int>(info().bodies); ++body) {
    const bool matters = is_of_all || body == quantity.a || body == quantity.b;
    if (matters && !interval.is_resolved(body)) return false;
  }
  return true;
}

bool QuantityReader::covers(double time) {
  if (!cursor_) cursor_ = std::make_unique<IntervalCursor>(record_, model_of_blows());
  return cursor_->covers(time);
}

void QuantityReader::read_events(std::span<const Quantity> quantities, const TimeSpan& span, std::span<Series> series) {
  for (std::size_t first = 0; first < record_.event_count(); first += kEventBlock) {
    const EventBlock block = record_.events(first, std::min(kEventBlock, record_.event_count() - first));
    for (const EventRecord& event : block.events) {
      if (!span.holds(event.time)) continue;
      for (std::size_t k = 0; k < quantities.size(); ++k) {
        if (quantities[k].at_events()) add_impulse(series[k], event, quantities[k]);
      }
    }
  }
}

std::optional<std::vector<double>> QuantityReader::impact_times(const TimeSpan& span, std::size_t most) {
  std::vector<double> times;
  for (std::size_t first = 0; first < record_.event_count(); first += kEventBlock) {
    const EventBlock block = record_.events(first, std::min(kEventBlock, record_.event_count() - first));
    for (const EventRecord& event : block.events) {
      const bool counts = event.kind == EventKind::impact || event.kind == EventKind::contact_start;
      if (!counts || !span.holds(event.time) || (!times.empty() && times.back() == event.time)) continue;
      if (times.size() == most) return std::nullopt;
      times.push_back(event.time);
    }
  }
  return times;
}

}  // namespace carom
