#include "carom/analysis/quantity_reader.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "carom/analysis/sample_block.h"
#include "carom/base/assert.h"
#include "carom/geometry/pair_table.h"
#include "carom/simulation/record_scene.h"

namespace carom {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr std::size_t kEventBlock = 4096;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Where a quantity is evaluated: sample i of a block.
struct Sample {
  SampleBlock& block;
  std::size_t i;
  const Model* model;  ///< nullptr where no quantity needs it
};

bool needs_scene(const Quantity& quantity) {
  switch (quantity.measure) {
    case Measure::kinetic:
    case Measure::momentum:
    case Measure::angular_momentum:
    case Measure::gap: return true;
    default: return false;
  }
}

double energy_of(const Sample& sample, int component) {
  const EnergyBook& book = sample.block.energy(sample.i);
  const double values[] = {book.now.kinetic,  book.now.gravity,  book.now.springs, book.now.loads,
                           book.now.contacts, book.dissipated(), book.wall_work,   book.torque_work,
                           book.now.total(),  book.impacts,      book.damping,     book.cut_off,
                           book.contacts,     book.friction,     book.swallowed,   book.error()};
  return values[component];
}

Vector3d acceleration_of(const Sample& sample, int body) {
  SampleBlock& block = sample.block;
  const std::size_t i = sample.i;
  if (i == 0 || i + 1 == block.size()) return Vector3d::Constant(kNaN);
  const double before = block.time(i) - block.time(i - 1);
  const double after = block.time(i + 1) - block.time(i);
  const Vector3d v = block.vector("/velocity", i, body);
  const Vector3d slope_before = (v - block.vector("/velocity", i - 1, body)) / before;
  const Vector3d slope_after = (block.vector("/velocity", i + 1, body) - v) / after;
  return (before * slope_after + after * slope_before) / (before + after);
}

/// Components x, y, z, radial, magnitude.
double component_of(const Sample& sample, const Quantity& quantity, const Vector3d& vector) {
  constexpr int kRadial = 3;
  if (quantity.component < kRadial) return vector[quantity.component];
  if (quantity.component > kRadial || quantity.measure == Measure::angular_velocity) return vector.norm();
  if (quantity.measure == Measure::position) return vector.norm();
  const Vector3d position = sample.block.vector("/position", sample.i, quantity.a);
  return vector.dot(position) / position.norm();
}

/// Inertia in the world frame about the centre of mass: R diag(J) Rᵀ, R from the principal axes to the world.
Matrix3d inertia_of(const Body& body, const BodyState& state) {
  const Matrix3d axes = (state.orientation * body.principal_axes).toRotationMatrix();
  return axes * body.inertia.asDiagonal() * axes.transpose();
}

double kinetic_of(const Body& body, const BodyState& state) {
  const Vector3d& spin = state.angular_velocity;
  return 0.5 * body.mass * state.velocity.squaredNorm() + 0.5 * spin.dot(inertia_of(body, state) * spin);
}

Vector3d momentum_of(const Sample& sample) {
  Vector3d momentum = Vector3d::Zero();
  for (int k = 0; k < sample.model->body_count(); ++k) {
    momentum += sample.model->bodies[k].mass * sample.block.vector("/velocity", sample.i, k);
  }
  return momentum;
}

Vector3d angular_momentum_of(const Sample& sample) {
  Vector3d momentum = Vector3d::Zero();
  for (int k = 0; k < sample.model->body_count(); ++k) {
    const Body& body = sample.model->bodies[k];
    const BodyState state = sample.block.body(sample.i, k);
    momentum += body.mass * state.position.cross(state.velocity) + inertia_of(body, state) * state.angular_velocity;
  }
  return momentum;
}

Pose pose_of(const Sample& sample, int object) {
  if (!sample.model->is_body(object)) return sample.model->obstacle(object).pose_at(sample.block.time(sample.i));
  return {sample.block.vector("/position", sample.i, object), sample.block.orientation(sample.i, object)};
}

double gap_of(const Sample& sample, const Quantity& quantity) {
  const Model& model = *sample.model;
  return proximity(model.parts(quantity.a), pose_of(sample, quantity.a), model.parts(quantity.b),
                   pose_of(sample, quantity.b))
      .distance;
}

double value_of(const Sample& sample, const Quantity& quantity) {
  SampleBlock& block = sample.block;
  switch (quantity.measure) {
    case Measure::energy: return energy_of(sample, quantity.component);
    case Measure::position: return component_of(sample, quantity, block.vector("/position", sample.i, quantity.a));
    case Measure::velocity: return component_of(sample, quantity, block.vector("/velocity", sample.i, quantity.a));
    case Measure::acceleration: return component_of(sample, quantity, acceleration_of(sample, quantity.a));
    case Measure::angular_velocity:
      return component_of(sample, quantity, block.vector("/angular_velocity", sample.i, quantity.a));
    case Measure::orientation: {
      const Eigen::Quaterniond q = block.orientation(sample.i, quantity.a);
      return quantity.component == 0 ? q.w() : q.vec()[quantity.component - 1];
    }
    case Measure::kinetic: return kinetic_of(sample.model->bodies[quantity.a], block.body(sample.i, quantity.a));
    case Measure::momentum: return momentum_of(sample)[quantity.component];
    case Measure::angular_momentum: return angular_momentum_of(sample)[quantity.component];
    case Measure::gap: return gap_of(sample, quantity);
    case Measure::impulse: break;
  }
  CAROM_ASSERT(false);
  return kNaN;
}

bool is_about(const ContactRecord& contact, const Quantity& quantity) {
  if (quantity.b == kNone) return contact.a == quantity.a || contact.b == quantity.a;
  return (contact.a == quantity.a && contact.b == quantity.b) || (contact.a == quantity.b && contact.b == quantity.a);
}

void add_impulse(Series& series, const EventRecord& event, const Quantity& quantity) {
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

}  // namespace

const scene::SceneFile& QuantityReader::scene() {
  if (!scene_) scene_ = std::make_unique<const scene::SceneFile>(scene_of(record_.info()));
  return *scene_;
}

std::vector<Series> QuantityReader::read(std::span<const Quantity> quantities, const TimeSpan& span) {
  std::vector<Series> series(quantities.size());
  const auto at_events = [](const Quantity& quantity) { return quantity.at_events(); };
  if (!std::all_of(quantities.begin(), quantities.end(), at_events)) read_samples(quantities, span, series);
  if (std::any_of(quantities.begin(), quantities.end(), at_events)) read_events(quantities, span, series);
  return series;
}

void QuantityReader::read_samples(std::span<const Quantity> quantities, const TimeSpan& span,
                                  std::span<Series> series) {
  const Model* const model = std::any_of(quantities.begin(), quantities.end(), needs_scene) ? &scene().model : nullptr;
  const std::size_t count = record_.sample_count();
  const std::vector<double> time = record_.series("/time", 0, count);
  const std::size_t length = SampleBlock::usual_size(info().bodies);
  for (std::size_t first = 0; first < count; first += length) {
    const std::size_t end = std::min(first + length, count);
    const auto inside = [&span](double t) { return span.holds(t); };
    if (std::none_of(time.begin() + static_cast<std::ptrdiff_t>(first), time.begin() + static_cast<std::ptrdiff_t>(end),
                     inside))
      continue;
    // One more on either side, for differences.
    const std::size_t margin = first > 0 ? 1 : 0;
    SampleBlock block(record_, first - margin, std::min(end + 1, count));
    for (std::size_t i = first; i < end; ++i) {
      if (!span.holds(time[i])) continue;
      const bool at_an_end = i == 0 || i + 1 == count;
      for (std::size_t k = 0; k < quantities.size(); ++k) {
        if (quantities[k].at_events() || (at_an_end && quantities[k].measure == Measure::acceleration)) continue;
        series[k].time.push_back(time[i]);
        series[k].value.push_back(value_of({block, i - first + margin, model}, quantities[k]));
      }
    }
  }
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
