#include "carom/analysis/sample_interval.h"

#include <algorithm>
#include <cmath>

#include "carom/base/assert.h"
#include "carom/mechanics/attitude.h"
#include "carom/record/energy_columns.h"

namespace carom {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

/// The least rotation vector that turns `from` into `to`, world frame.
Vector3d rotation_between(const Quaterniond& from, const Quaterniond& to) {
  Quaterniond turn = to * from.conjugate();
  if (turn.w() < 0.0) turn.coeffs() = -turn.coeffs();
  const double sine = turn.vec().norm();
  if (sine == 0.0) return Vector3d::Zero();
  return 2.0 * std::atan2(sine, turn.w()) / sine * turn.vec();
}

double cube(double h) {
  return h * h * h;
}

/// The cubic p with p(0) = 0, p(h) = end and given slopes there.
struct Cubic {
  Vector3d end, slope_start, slope_end;
  double h;

  [[nodiscard]] Vector3d value(double tau) const {
    const double s = tau / h;
    return s * s * (3.0 - 2.0 * s) * end + tau * (1.0 - s) * ((1.0 - s) * slope_start - s * slope_end);
  }
  [[nodiscard]] Vector3d slope(double tau) const {
    const double s = tau / h;
    return 6.0 * s * (1.0 - s) / h * end + (1.0 - s) * (1.0 - 3.0 * s) * slope_start + s * (3.0 * s - 2.0) * slope_end;
  }
};

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

std::vector<SampleInterval::Knot> SampleInterval::velocities_of(int body) const {
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

SampleInterval::Way SampleInterval::make_way(int body) const {
  Way way{velocities_of(body), Vector3d::Zero()};
  std::vector<Knot>& knots = way.knots;
  const BodyState end = knots.back().state;
  double cubes = 0.0;
  for (std::size_t k = 1; k < knots.size(); ++k) {
    const Knot& last = knots[k - 1];
    BodyState& state = knots[k].state;
    const double h = knots[k].time - last.time;
    state.position = last.state.position + 0.5 * h * (last.velocity_after + state.velocity);
    state.orientation =
        rotation_by(0.5 * h * (last.angular_velocity_after + state.angular_velocity)) * last.state.orientation;
    cubes += cube(h);
  }
  way.closure = end.position - knots.back().state.position;
  const Vector3d turn = rotation_between(knots.back().state.orientation, end.orientation);
  double done = 0.0;
  for (std::size_t k = 1; k + 1 < knots.size() && cubes > 0.0; ++k) {
    done += cube(knots[k].time - knots[k - 1].time);
    knots[k].state.position += done / cubes * way.closure;
    knots[k].state.orientation = (rotation_by(done / cubes * turn) * knots[k].state.orientation).normalized();
  }
  knots.back().state = end;
  return way;
}

const SampleInterval::Way& SampleInterval::way_of(int body) const {
  const auto known = ways_.find(body);
  return known != ways_.end() ? known->second : ways_.emplace(body, make_way(body)).first->second;
}

BodyState SampleInterval::body(int body, double time, Side side) const {
  const std::vector<Knot>& knots = way_of(body).knots;
  // The last knot that is not later; of a jump at that time the one before it where that is asked for.
  const auto later =
      std::upper_bound(knots.begin() + 1, knots.end(), time, [](double t, const Knot& knot) { return t < knot.time; });
  auto k = static_cast<std::size_t>(later - knots.begin()) - 1;
  if (side == Side::before) {
    while (k > 0 && knots[k - 1].time == time) --k;
  }
  const Knot& from = knots[k];
  if (from.time == time || k + 1 == knots.size()) {
    BodyState state = from.state;
    if (side == Side::after) {
      state.velocity = from.velocity_after;
      state.angular_velocity = from.angular_velocity_after;
    }
    return state;
  }
  const Knot& to = knots[k + 1];
  const double h = to.time - from.time, tau = time - from.time;
  const Cubic way{to.state.position - from.state.position, from.velocity_after, to.state.velocity, h};
  // Whole turns follow from the angular velocities, the rest from the orientations.
  const Vector3d usual_turn = 0.5 * h * (from.angular_velocity_after + to.state.angular_velocity);
  const Vector3d rest = rotation_between(rotation_by(usual_turn) * from.state.orientation, to.state.orientation);
  const Cubic turn{usual_turn + rest, from.angular_velocity_after, to.state.angular_velocity, h};
  BodyState state;
  state.position = from.state.position + way.value(tau);
  state.velocity = way.slope(tau);
  state.orientation = (rotation_by(turn.value(tau)) * from.state.orientation).normalized();
  state.angular_velocity =
      from.angular_velocity_after + tau / h * (to.state.angular_velocity - from.angular_velocity_after);
  return state;
}

double SampleInterval::closure(int body) const {
  return way_of(body).closure.norm();
}

bool SampleInterval::is_resolved(int body) const {
  constexpr double kSmall = 0.16;     // of the bend
  constexpr double kRounding = 1e-9;  // of the way
  const Way& way = way_of(body);
  double bend = 0.0, length = 0.0;
  for (std::size_t k = 1; k < way.knots.size(); ++k) {
    const Knot &from = way.knots[k - 1], &to = way.knots[k];
    const double h = to.time - from.time;
    bend += 0.125 * h * (to.state.velocity - from.velocity_after).norm();
    length += h * std::max(to.state.velocity.norm(), from.velocity_after.norm());
  }
  return way.closure.norm() <= kSmall * bend + kRounding * length;
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
  EnergyBook book;
  for (const EnergyColumn& column : kEnergyColumns) {
    const BookColumn values{column.field(first), column.field(last), column.field(steps), column.field(done), share};
    column.field(book) = column.name == "cut_off" ? values.in_steps() : values.with_steps();
  }
  const double contacts = book.now.contacts;
  // A jump changes nothing but the kinetic energy of the bodies that it moves.
  book.now = stored_before(time);
  book.now.kinetic += jumped;
  book.now.contacts = contacts;
  if (is_kept_between_instants(first, last, steps)) {
    const double error = first.error() + share * (last.error() - first.error());
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
