#include "carom/analysis/body_way.h"

#include <algorithm>
#include <cmath>

#include "carom/mechanics/attitude.h"

namespace carom {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

/// Knots on either side of the peak of a blow.
constexpr int kKnotsPerSide = 8;

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

/// What blows do to the velocities from one knot to another, and how far the body goes beyond the trapezium.
struct BlowPart {
  Vector3d velocity = Vector3d::Zero(), angular_velocity = Vector3d::Zero(), bulge = Vector3d::Zero();
};

BlowPart part_of(std::span<const BlowOnBody> blows, double from, double to) {
  BlowPart part;
  for (const BlowOnBody& on : blows) {
    const double first = on.blow->share(from), last = on.blow->share(to);
    part.velocity += (last - first) * on.velocity;
    part.angular_velocity += (last - first) * on.angular_velocity;
    const double lag = on.blow->lag(to) - on.blow->lag(from);
    part.bulge += (lag - 0.5 * (to - from) * (first + last)) * on.velocity;
  }
  return part;
}

/// Of a step between neighbouring knots.
bool is_in_blow(std::span<const BlowOnBody> blows, double from, double to) {
  return std::any_of(blows.begin(), blows.end(),
                     [from, to](const BlowOnBody& on) { return on.blow->began < to && on.blow->ended > from; });
}

/// A blow that has begun before or ends behind the way has a part of its impulse on it, which the cubic of its force
/// does not tell well. It is found from the places at both ends: with the change D of velocity and S = ∫D dt by the
/// cubic, the part c of it has x_b − x_a = ½h(v_a + v_b) + c(S − ½hD).
void fit_cut_blows(std::span<const Knot> knots, std::vector<BlowOnBody>& blows) {
  const Knot &start = knots.front(), &end = knots.back();
  const double h = end.time - start.time;
  std::vector<BlowOnBody> cut, whole;
  for (const BlowOnBody& on : blows)
    (on.blow->began < start.time || on.blow->ended > end.time ? cut : whole).push_back(on);
  if (cut.empty() || knots.size() > 2) return;
  const BlowPart known = part_of(whole, start.time, end.time), unknown = part_of(cut, start.time, end.time);
  const Vector3d trapezium = 0.5 * h * (start.velocity_after + end.state.velocity);
  const Vector3d missing = end.state.position - start.state.position - trapezium - known.bulge;
  const double reach = unknown.bulge.squaredNorm();
  // In the middle of the step a blow leaves the places alone, whatever its strength.
  if (reach < 0.01 * h * h * unknown.velocity.squaredNorm()) return;
  const double part = std::clamp(missing.dot(unknown.bulge) / reach, 0.0, 2.0);
  for (BlowOnBody& on : blows) {
    if (on.blow->began >= start.time && on.blow->ended <= end.time) continue;
    on.velocity *= part;
    on.angular_velocity *= part;
  }
}

/// Knots within the blows from one knot to the next; what the blows leave of the change of velocity comes evenly.
void add_between(std::vector<Knot>& knots, Knot to, std::span<const BlowOnBody> blows) {
  const Knot from = knots.back();
  std::vector<double> times;
  for (const BlowOnBody& on : blows) {
    const ContactBlow& blow = *on.blow;
    for (int i = 0; i <= kKnotsPerSide; ++i) {
      const double s = static_cast<double>(i) / kKnotsPerSide;
      times.push_back(blow.began + s * (blow.peak - blow.began));
      times.push_back(blow.peak + s * (blow.ended - blow.peak));
    }
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  const BlowPart all = part_of(blows, from.time, to.time);
  const double h = to.time - from.time;
  const Vector3d rest = to.state.velocity - from.velocity_after - all.velocity;
  const Vector3d rest_spin = to.state.angular_velocity - from.angular_velocity_after - all.angular_velocity;
  for (const double time : times) {
    if (time <= from.time || time >= to.time) continue;
    const BlowPart done = part_of(blows, from.time, time);
    const double share = (time - from.time) / h;
    Knot knot;
    knot.bulge = part_of(blows, knots.back().time, time).bulge;
    knot.in_blow = is_in_blow(blows, knots.back().time, time);
    knot.time = time;
    knot.velocity_after = knot.state.velocity = from.velocity_after + share * rest + done.velocity;
    knot.angular_velocity_after = knot.state.angular_velocity =
        from.angular_velocity_after + share * rest_spin + done.angular_velocity;
    knots.push_back(knot);
  }
  to.bulge = part_of(blows, knots.back().time, to.time).bulge;
  to.in_blow = is_in_blow(blows, knots.back().time, to.time);
  knots.push_back(to);
}

/// ⅛ h |Δv| of what changes evenly, and a quarter of the time of each blow times what it changes.
double bend_of(std::span<const Knot> given, std::span<const BlowOnBody> blows) {
  double bend = 0.0;
  for (std::size_t k = 1; k < given.size(); ++k) {
    const Knot &from = given[k - 1], &to = given[k];
    const BlowPart part = part_of(blows, from.time, to.time);
    bend += 0.125 * (to.time - from.time) * (to.state.velocity - from.velocity_after - part.velocity).norm();
  }
  for (const BlowOnBody& on : blows) bend += 0.25 * on.blow->duration() * on.velocity.norm();
  return bend;
}

/// Which part of what is missing at the end of a way has been made up for by a time.
class Closing {
 public:
  Closing(std::span<const Knot> knots, std::span<const BlowOnBody> blows, double missing) : blows_(blows) {
    constexpr double kPartOfBlow = 0.1;  // of Δv times the length of the blow
    for (std::size_t k = 1; k < knots.size(); ++k) cubes_ += cube(knots[k].time - knots[k - 1].time);
    start_ = knots.front().time;
    weight_ = weight_until(knots.back().time);
    const double known = kPartOfBlow * weight_;
    part_of_blows_ = known <= 0.0 ? 0.0 : missing > known ? known / missing : 1.0;
  }

  void add_step(double h) { done_ += cube(h); }
  [[nodiscard]] double part(double time) const {
    const double by_blows = weight_ > 0.0 ? weight_until(time) / weight_ : 0.0;
    const double evenly = cubes_ > 0.0 ? done_ / cubes_ : 0.0;
    return part_of_blows_ * by_blows + (1.0 - part_of_blows_) * evenly;
  }

 private:
  [[nodiscard]] double weight_until(double time) const {
    double weight = 0.0;
    for (const BlowOnBody& on : blows_)
      weight += on.blow->duration() * on.velocity.norm() * (on.blow->share(time) - on.blow->share(start_));
    return weight;
  }

  std::span<const BlowOnBody> blows_;
  double start_ = 0.0, weight_ = 0.0, part_of_blows_ = 0.0;
  double cubes_ = 0.0, done_ = 0.0;  ///< sums of h³
};

}  // namespace

BodyWay make_way(std::vector<Knot> given, std::vector<BlowOnBody> blows) {
  fit_cut_blows(given, blows);
  BodyWay way;
  way.bend = bend_of(given, blows);
  way.knots = {given.front()};
  for (std::size_t k = 1; k < given.size(); ++k) add_between(way.knots, given[k], blows);
  std::vector<Knot>& knots = way.knots;
  const BodyState end = knots.back().state;
  for (std::size_t k = 1; k < knots.size(); ++k) {
    const Knot& last = knots[k - 1];
    Knot& knot = knots[k];
    BodyState& state = knot.state;
    const double h = knot.time - last.time;
    state.position = last.state.position + 0.5 * h * (last.velocity_after + state.velocity) + knot.bulge;
    state.orientation =
        rotation_by(0.5 * h * (last.angular_velocity_after + state.angular_velocity)) * last.state.orientation;
  }
  way.closure = end.position - knots.back().state.position;
  const Vector3d turn = rotation_between(knots.back().state.orientation, end.orientation);
  Closing closing(knots, blows, way.closure.norm());
  for (std::size_t k = 1; k + 1 < knots.size(); ++k) {
    closing.add_step(knots[k].time - knots[k - 1].time);
    const double part = closing.part(knots[k].time);
    knots[k].state.position += part * way.closure;
    knots[k].state.orientation = (rotation_by(part * turn) * knots[k].state.orientation).normalized();
  }
  knots.back().state = end;
  return way;
}

BodyState state_on(const BodyWay& way, double time, Side side) {
  const std::vector<Knot>& knots = way.knots;
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
  const Cubic cubic{to.state.position - from.state.position, from.velocity_after, to.state.velocity, h};
  // Whole turns follow from the angular velocities, the rest from the orientations.
  const Vector3d usual_turn = 0.5 * h * (from.angular_velocity_after + to.state.angular_velocity);
  const Vector3d rest = rotation_between(rotation_by(usual_turn) * from.state.orientation, to.state.orientation);
  const Cubic turn{usual_turn + rest, from.angular_velocity_after, to.state.angular_velocity, h};
  BodyState state;
  state.position = from.state.position + cubic.value(tau);
  const Vector3d straight = from.velocity_after + tau / h * (to.state.velocity - from.velocity_after);
  state.velocity = to.in_blow ? straight : cubic.slope(tau);
  state.orientation = (rotation_by(turn.value(tau)) * from.state.orientation).normalized();
  state.angular_velocity =
      from.angular_velocity_after + tau / h * (to.state.angular_velocity - from.angular_velocity_after);
  return state;
}

}  // namespace carom
