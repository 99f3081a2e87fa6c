#include "carom/analysis/sample_interval.h"

#include <algorithm>
#include <cmath>

#include "carom/analysis/blow_effects.h"
#include "carom/base/assert.h"
#include "carom/record/energy_columns.h"

namespace carom {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

double kinetic_energy_of(const Body& body, const Quaterniond& orientation, const Vector3d& velocity,
                         const Vector3d& spin) {
  const Vector3d along_axes = (orientation * body.principal_axes).conjugate() * spin;
  return 0.5 * body.mass * velocity.squaredNorm() + 0.5 * along_axes.dot(body.inertia.cwiseProduct(along_axes));
}

/// One column of the book at a time between two samples.
struct BookColumn {
  double start, end;  ///< at the samples
  double steps;       ///< of all instants between them
  double steps_done;  ///< of those up to the time
  double share;       ///< of the interval up to the time

  /// Steps at the instants, and evenly what they leave.
  [[nodiscard]] double with_steps() const { return start + steps_done + share * (end - start - steps); }
  /// All of it at the instants, in proportion to the steps; evenly where there are none.
  [[nodiscard]] double in_steps() const { return start + (end - start) * (steps != 0.0 ? steps_done / steps : share); }
};

/// Whether energy was lost or supplied between two samples at the instants alone.
bool is_kept_between_instants(EnergyBook first, EnergyBook last, EnergyBook steps) {
  constexpr double kRoundOff = 1e-12;
  const double scale = std::max({std::abs(first.initial), std::abs(first.now.kinetic), std::abs(last.now.kinetic)});
  return std::all_of(kEnergyColumns.begin(), kEnergyColumns.end(), [&](const EnergyColumn& column) {
    if (column.kind == "stored" || (column.name == "cut_off" && column.field(steps) != 0.0)) return true;
    return std::abs(column.field(last) - column.field(first) - column.field(steps)) <= kRoundOff * scale;
  });
}

/// Whether a sample has the velocities after the jumps.
bool shows(Samples& samples, std::size_t i, const Instant& instant) {
  return std::all_of(instant.jumps.begin(), instant.jumps.end(), [&](const JumpRecord& jump) {
    const BodyState body = samples.body(i, jump.body);
    return body.velocity == jump.velocity_after && body.angular_velocity == jump.angular_velocity_after;
  });
}

}  // namespace

SampleInterval::SampleInterval(Samples& samples, std::size_t i, std::vector<Instant> instants, const Model* model,
                               std::vector<ContactBlow> blows)
    : samples_(samples), i_(i), instants_(std::move(instants)), model_(model) {
  constexpr std::size_t kMostBlows = 300;
  if (model_ == nullptr || blows.size() > kMostBlows) return;
  const BlowEffects effects(*model_);
  for (ContactBlow& blow : blows)
    if (effects.knows(blow)) blows_.push_back(std::move(blow));
  fit_lone_blows(blows_, model_->body_count());
}

std::vector<Knot> SampleInterval::velocities_of(int body) const {
  const auto knot = [&](std::size_t i) {
    const BodyState state = samples_.body(i, body);
    return Knot{samples_.time(i), state, state.velocity, state.angular_velocity};
  };
  std::vector<Knot> knots{knot(i_)};
  for (const Instant& instant : instants_) {
    const JumpRecord* const jump = instant.jump_of(body);
    if (jump == nullptr) continue;
    Knot& next = knots.emplace_back();
    next.time = instant.time;
    next.state.velocity = jump->velocity_before;
    next.state.angular_velocity = jump->angular_velocity_before;
    next.velocity_after = jump->velocity_after;
    next.angular_velocity_after = jump->angular_velocity_after;
  }
  knots.push_back(knot(i_ + 1));
  return knots;
}

BodyWay SampleInterval::make_way_of(int body) const {
  const std::vector<Knot> knots = velocities_of(body);
  if (blows_.empty()) return make_way(knots, {});
  // Arms and constraints are those at the end of a blow, which a way without them tells.
  const BlowEffects effects(*model_);
  const BodyWay rough = make_way(knots, effects.on(body, blows_, nullptr));
  return make_way(knots, effects.on(body, blows_, &rough));
}

const BodyWay& SampleInterval::way_of(int body) const {
  const auto known = ways_.find(body);
  return known != ways_.end() ? known->second : ways_.emplace(body, make_way_of(body)).first->second;
}

BodyState SampleInterval::body(int body, double time, Side side) const {
  return state_on(way_of(body), time, side);
}

double SampleInterval::closure(int body) const {
  return way_of(body).closure.norm();
}

bool SampleInterval::is_resolved(int body) const {
  constexpr double kSmall = 0.16;    // of the bend
  constexpr double kNothing = 1e-5;  // of the way, which no picture shows
  const BodyWay& way = way_of(body);
  double length = 0.0;
  for (std::size_t k = 1; k < way.knots.size(); ++k) {
    const Knot &from = way.knots[k - 1], &to = way.knots[k];
    length += (to.time - from.time) * std::max(to.state.velocity.norm(), from.velocity_after.norm());
  }
  return way.closure.norm() <= kSmall * way.bend + kNothing * length;
}

bool SampleInterval::is_within_known_blow(double time) const {
  const auto resolves = [this](ObjectIndex object) {
    return object == kNone || !model_->is_body(object) || is_resolved(static_cast<int>(object));
  };
  bool is_within = false;
  for (const ContactBlow& blow : blows_) {
    if (time <= blow.began || time >= blow.ended) continue;
    if (!resolves(blow.a) || !resolves(blow.b)) return false;
    is_within = true;
  }
  return is_within;
}

double SampleInterval::contact_energy_beside_blows(double time) const {
  const auto cuts = [this](double at) {
    return std::any_of(blows_.begin(), blows_.end(),
                       [at](const ContactBlow& blow) { return blow.began < at && at < blow.ended; });
  };
  double first = samples_.energy(i_).now.contacts, last = samples_.energy(i_ + 1).now.contacts;
  const bool cuts_first = cuts(start()), cuts_last = cuts(end());
  if (cuts_first) first = cuts_last ? 0.0 : last;
  if (cuts_last) last = first;
  const double share = end() > start() ? (time - start()) / (end() - start()) : 1.0;
  return first + share * (last - first);
}

void SampleInterval::add_losses_of_blows(double time, EnergyBook& steps, EnergyBook& done) const {
  constexpr double kAllOfIt = 1.0 - 1e-6;  // but for errors of integration
  double whole = 0.0, so_far = 0.0;
  for (const ContactBlow& blow : blows_) {
    const double before = blow.share(start());
    whole += blow.loss * (blow.share(end()) - before);
    so_far += blow.loss * (blow.share(time) - before);
  }
  const EnergyBook &first = samples_.energy(i_), &last = samples_.energy(i_ + 1);
  const double damped = last.contacts - first.contacts, rubbed = last.friction - first.friction;
  const double lost = damped + rubbed;
  if (!(whole > 0.0 && lost > 0.0)) return;
  const double part = whole >= kAllOfIt * lost ? 1.0 : whole / lost;
  steps.contacts += part * damped;
  steps.friction += part * rubbed;
  done.contacts += so_far / whole * part * damped;
  done.friction += so_far / whole * part * rubbed;
}

const Energy& SampleInterval::stored_before(double time) const {
  if (last_stored_ && last_stored_->first == time) return last_stored_->second;
  State state;
  state.time = time;
  state.bodies.reserve(model_->bodies.size());
  for (int k = 0; k < model_->body_count(); ++k) state.bodies.push_back(body(k, time, Side::before));
  last_stored_.emplace(time, carom::energy(*model_, state));
  return last_stored_->second;
}

double SampleInterval::kinetic_change(const Instant& instant) const {
  double change = 0.0;
  for (const JumpRecord& jump : instant.jumps) {
    const Body& body = model_->bodies[jump.body];
    const Quaterniond q = this->body(jump.body, instant.time, Side::before).orientation;
    change += kinetic_energy_of(body, q, jump.velocity_after, jump.angular_velocity_after) -
              kinetic_energy_of(body, q, jump.velocity_before, jump.angular_velocity_before);
  }
  return change;
}

const std::vector<EnergyBook>& SampleInterval::steps() const {
  if (!steps_.empty()) return steps_;
  steps_.reserve(instants_.size() + 1);
  EnergyBook sum;
  steps_.push_back(sum);
  for (const Instant& instant : instants_) {
    const double change = instant.cuts_off || instant.is_scripted ? kinetic_change(instant) : 0.0;
    sum.impacts += instant.impact_loss;
    sum.wall_work += instant.wall_work;
    if (instant.cuts_off) sum.cut_off -= change + instant.impact_loss - instant.wall_work;
    if (instant.is_scripted) sum.torque_work += change;
    steps_.push_back(sum);
  }
  return steps_;
}

EnergyBook SampleInterval::energy(double time, Side side) const {
  CAROM_ASSERT(model_ != nullptr);
  EnergyBook first = samples_.energy(i_), last = samples_.energy(i_ + 1);
  const double share = end() > start() ? (time - start()) / (end() - start()) : 1.0;
  const auto next = std::lower_bound(instants_.begin(), instants_.end(), time,
                                     [](const Instant& instant, double t) { return instant.time < t; });
  const bool jumps = side == Side::after && next != instants_.end() && next->time == time;
  const double jumped = jumps ? kinetic_change(*next) : 0.0;
  EnergyBook steps = this->steps().back();
  EnergyBook done = this->steps()[static_cast<std::size_t>(next - instants_.begin()) + (jumps ? 1 : 0)];
  add_losses_of_blows(time, steps, done);
  EnergyBook book;
  for (const EnergyColumn& column : kEnergyColumns) {
    const BookColumn values{column.field(first), column.field(last), column.field(steps), column.field(done), share};
    column.field(book) = column.name == "cut_off" ? values.in_steps() : values.with_steps();
  }
  // A jump changes nothing but the kinetic energy of the bodies that it moves.
  book.now = stored_before(time);
  book.now.kinetic += jumped;
  book.now.contacts = contact_energy_beside_blows(time);
  const double error = first.error() + share * (last.error() - first.error());
  if (is_within_known_blow(time)) {
    book.now.contacts = std::max(book.now.contacts + error - book.error(), 0.0);
  } else if (is_kept_between_instants(first, last, steps)) {
    book.now.kinetic += error - book.error();
  }
  return book;
}

std::vector<Instant> take_instants(InstantSource& source, Samples& samples, std::size_t i, bool is_last) {
  std::vector<Instant> taken;
  const double start = samples.time(i), end = samples.time(i + 1);
  for (; source.next() != nullptr && source.next()->time <= end; source.advance()) {
    const Instant& next = *source.next();
    if (next.time < start || (next.time == start && shows(samples, i, next))) continue;
    if (next.time == end && !is_last && !shows(samples, i + 1, next)) break;
    taken.push_back(next);
  }
  return taken;
}

}  // namespace carom
