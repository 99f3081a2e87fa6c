#include "carom/engine/smooth/group_stiffness.h"

#include <algorithm>
#include <cmath>

#include "carom/engine/smooth/environment.h"

namespace carom::smooth {

namespace {

using Eigen::Matrix3d;

/// How much sooner an explicit step is too long for what rings than for what decays at the same rate. The springs along
/// the surface ring, as they have no damping as a rule.
constexpr double kRinging = 2.5;

Matrix3d cross_matrix(const Vector3d& v) {
  Matrix3d m;
  m << 0.0, -v.z(), v.y(), v.z(), 0.0, -v.x(), -v.y(), v.x(), 0.0;
  return m;
}

/// How much more a sliding friction resists at more speed: μ′(v), by differences; zero where it falls.
double friction_slope(const Friction& friction, double speed) {
  const double part = std::max(1e-3 * speed, 1e-6 * friction.speed);
  return std::max((friction.coefficient(speed + part) - friction.coefficient(speed)) / part, 0.0);
}

}  // namespace

void GroupStiffness::clear(const Environment& environment, const GroupLayout& layout, const double* y) {
  contacts_.clear();
  wall_work_ = layout.works() == kNone ? -1 : layout.works() + 1;
  bodies_.resize(layout.slots().size());
  for (const SlotIndex slot : layout.slots().indices()) {
    const GroupLayout::Slot& of = layout.slots()[slot];
    const BodyInfo& info = environment.body(of.body);
    Body& body = bodies_[slot.slot()];
    body.root_mass = std::sqrt(info.mass);
    body.position = layout.position(slot);
    body.velocity = layout.velocity(slot);
    body.rest = of.rest;
    body.turn.setZero();
    body.root.setZero();
    if (!of.spins()) continue;
    body.attitude = attitude_at(y + of.rest).normalized();
    const Vector3d roots = info.inertia.cwiseSqrt();
    const Matrix3d axes = (body.attitude * info.principal_axes).toRotationMatrix();
    body.turn = axes * roots.cwiseInverse().asDiagonal() * axes.transpose();
    body.root = axes * roots.asDiagonal() * axes.transpose();
  }
}

void GroupStiffness::add(const Contact& contact, const ContactMotion& motion, const double* y) {
  const auto row_of = [&](SlotIndex slot) {
    const Body& body = bodies_[slot.slot()];
    Matrix36 rows;
    rows.leftCols<3>() = Matrix3d::Identity() / body.root_mass;
    rows.rightCols<3>() = -cross_matrix(motion.touch.point - vector_at(y + body.position)) * body.turn;
    return rows;
  };
  Rows rows;
  rows.a = static_cast<int>(contact.slot_a);
  rows.b = contact.slot_b == kNone ? -1 : static_cast<int>(contact.slot_b);
  rows.of_a = row_of(contact.slot_a);
  rows.of_b.setZero();
  if (rows.b >= 0) rows.of_b = row_of(contact.slot_b);
  rows.stretch = contact.has_spring ? contact.extra + 6 : -1;
  rows.works = contact.extra + 1;
  rows.wall_velocity = rows.b >= 0 ? Vector3d(Vector3d::Zero()) : motion.velocity_b;
  rows.has_friction = contact.has_friction;
  rows.giving_up = 0.0;
  rows.side_spring.setZero();
  rows.turning.setZero();
  rows.normal = motion.touch.normal;
  const Vector3d& n = rows.normal;
  const Matrix3d along = n * n.transpose(), across = Matrix3d::Identity() - along;
  const NormalForce& law = contact.normal;
  const double depth = motion.touch.depth;
  const NormalValue value = law.evaluate(depth, -motion.rate);
  const bool presses = depth > 0.0 && !value.clamped;
  const double damping = presses ? law.damping_at(depth, -motion.rate) : 0.0;
  rows.damping = damping * along;
  rows.damping_slope = 2.0 * damping * motion.rate * n;
  rows.friction_slope.setZero();
  rows.spring = (presses ? law.exponent * value.elastic / depth : 0.0) * along;
  if (contact.has_spring) {
    const double stiffness = contact.friction.spring_stiffness;
    const Vector3d stretch = across * vector_at(y + rows.stretch);
    const double most = contact.friction.mu * value.force;
    const double pull = (stiffness * stretch + contact.friction.spring_damping * motion.slip).norm();
    if (pull <= most) {
      rows.side_spring = stiffness * across;
      rows.damping += contact.friction.spring_damping * across;
    }
    if (stretch.norm() * stiffness > most) rows.giving_up = contact.giving_up();
  } else if (contact.has_friction) {
    const double speed = motion.slip.norm();
    const double over = contact.friction.over_speed(speed);
    const double slope = std::min(friction_slope(contact.friction, speed), over);
    rows.damping += value.force * over * across;
    rows.friction_slope = value.force * (over + slope) * motion.slip;
    if (speed > 0.0)
      rows.damping += value.force * (slope - over) / (speed * speed) * motion.slip * motion.slip.transpose();
  }
  if (contact.has_resistance) {
    const Vector3d spin_a = vector_at(y + bodies_[static_cast<std::size_t>(rows.a)].rest + 4);
    const Vector3d spin_b =
        rows.b >= 0 ? vector_at(y + bodies_[static_cast<std::size_t>(rows.b)].rest + 4) : Vector3d(Vector3d::Zero());
    const Vector3d turning = spin_a - spin_b;
    const double about = std::abs(n.dot(turning));
    rows.turning = value.force * (contact.resistance.rolling_over_rate((across * turning).norm()) * across +
                                  contact.resistance.spinning_over_rate(about) * along);
  }
  contacts_.push_back(rows);
}

double GroupStiffness::quickest_rate() {
  sums_.assign(2 * bodies_.size(), Matrix66::Zero());
  const auto add_to = [this](int slot, const Rows& rows, const Matrix36& of) {
    Matrix66& damping = sums_[2 * static_cast<std::size_t>(slot)];
    damping += of.transpose() * rows.damping * of;
    const Matrix3d& turn = bodies_[static_cast<std::size_t>(slot)].turn;
    damping.bottomRightCorner<3, 3>() += turn * rows.turning * turn;
    sums_[2 * static_cast<std::size_t>(slot) + 1] +=
        of.transpose() * (rows.spring + kRinging * kRinging * rows.side_spring) * of;
  };
  double rate = 0.0;
  for (const Rows& rows : contacts_) {
    add_to(rows.a, rows, rows.of_a);
    if (rows.b >= 0) add_to(rows.b, rows, rows.of_b);
    rate = std::max(rate, rows.giving_up);
  }
  const auto norm = [](const Matrix66& m) { return m.cwiseAbs().rowwise().sum().maxCoeff(); };
  for (std::size_t k = 0; k < bodies_.size(); ++k)
    rate = std::max({rate, norm(sums_[2 * k]), std::sqrt(norm(sums_[2 * k + 1]))});
  return rate;
}

void GroupStiffness::analyse() {
  std::vector<int> sizes(bodies_.size(), 6);
  std::vector<std::pair<int, int>> links;
  for (const Rows& rows : contacts_)
    if (rows.b >= 0) links.emplace_back(rows.a, rows.b);
  elimination_.analyse(sizes, links);
  analysed_ = true;
}

void GroupStiffness::add_block(int a, int b, const Matrix66& part) {
  const BlockElimination::Place place = elimination_.place(a, b);
  BlockElimination::Block& block = elimination_.block(place.index);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      block[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] += place.flipped ? part(j, i) : part(i, j);
}

void GroupStiffness::factor(double c) {
  if (!analysed_) analyse();
  c_ = c;
  elimination_.clear();
  for (std::size_t k = 0; k < bodies_.size(); ++k)
    add_block(static_cast<int>(k), static_cast<int>(k), Matrix66::Identity());
  for (const Rows& rows : contacts_) {
    const Matrix3d push = c * (rows.damping + c * rows.spring + (c / (1.0 + c * rows.giving_up)) * rows.side_spring);
    const auto turn_of = [&](int slot) { return bodies_[static_cast<std::size_t>(slot)].turn; };
    const auto part_of = [&](int one, const Matrix36& of_one, int other, const Matrix36& of_other) {
      Matrix66 part = of_one.transpose() * push * of_other;
      part.bottomRightCorner<3, 3>() += c * turn_of(one) * rows.turning * turn_of(other);
      return part;
    };
    add_block(rows.a, rows.a, part_of(rows.a, rows.of_a, rows.a, rows.of_a));
    if (rows.b < 0) continue;
    add_block(rows.b, rows.b, part_of(rows.b, rows.of_b, rows.b, rows.of_b));
    add_block(rows.a, rows.b, -part_of(rows.a, rows.of_a, rows.b, rows.of_b));
  }
  elimination_.factor(0.0);
}

/// Of velocities in scaled coordinates, at the point of a contact.
Vector3d GroupStiffness::relative(const Rows& rows, const std::vector<Vector6>& scaled) const {
  Vector3d w = rows.of_a * scaled[static_cast<std::size_t>(rows.a)];
  if (rows.b >= 0) w -= rows.of_b * scaled[static_cast<std::size_t>(rows.b)];
  return w;
}

void GroupStiffness::solve(double* r) {
  const auto spun = [](const Body& body) { return body.rest >= 0; };
  // What is left of the equations of positions acts by way of the springs.
  scaled_.resize(bodies_.size());
  unknowns_.resize(bodies_.size());
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const Body& body = bodies_[k];
    scaled_[k].head<3>() = body.root_mass * vector_at(r + body.position);
    scaled_[k].tail<3>().setZero();
    if (spun(body))
      scaled_[k].tail<3>() = body.root * (2.0 * (attitude_at(r + body.rest) * body.attitude.conjugate()).vec());
  }
  rhs_.resize(bodies_.size());
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const Body& body = bodies_[k];
    rhs_[k].head<3>() = body.root_mass * vector_at(r + body.velocity);
    rhs_[k].tail<3>().setZero();
    if (spun(body)) rhs_[k].tail<3>() = body.root * vector_at(r + body.rest + 4);
  }
  for (Rows& rows : contacts_) {
    rows.left = relative(rows, scaled_);
    Vector3d push = rows.spring * rows.left;
    if (rows.stretch >= 0) push += rows.side_spring * vector_at(r + rows.stretch) / (1.0 + c_ * rows.giving_up);
    push *= c_;
    rhs_[static_cast<std::size_t>(rows.a)] -= rows.of_a.transpose() * push;
    if (rows.b >= 0) rhs_[static_cast<std::size_t>(rows.b)] += rows.of_b.transpose() * push;
  }
  for (std::size_t k = 0; k < bodies_.size(); ++k)
    for (int i = 0; i < 6; ++i) unknowns_[k][static_cast<std::size_t>(i)] = rhs_[k][i];
  elimination_.solve(unknowns_);
  for (std::size_t k = 0; k < bodies_.size(); ++k)
    for (int i = 0; i < 6; ++i) scaled_[k][i] = unknowns_[k][static_cast<std::size_t>(i)];
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const Body& body = bodies_[k];
    const Vector3d linear = scaled_[k].head<3>() / body.root_mass;
    put(linear, r + body.velocity);
    put(vector_at(r + body.position) + c_ * linear, r + body.position);
    if (!spun(body)) continue;
    const Vector3d angular = body.turn * scaled_[k].tail<3>();
    put(angular, r + body.rest + 4);
    const Quaterniond turning = Quaterniond(0.0, angular.x(), angular.y(), angular.z()) * body.attitude;
    r[body.rest] += 0.5 * c_ * turning.w();
    put(vector_at(r + body.rest + 1) + 0.5 * c_ * turning.vec(), r + body.rest + 1);
  }
  for (const Rows& rows : contacts_) {
    Vector3d slip = relative(rows, scaled_);
    r[rows.works] += c_ * rows.damping_slope.dot(slip);
    if (rows.has_friction) r[rows.works + 1] += c_ * rows.friction_slope.dot(slip);
    Vector3d push = rows.damping * slip + rows.spring * (rows.left + c_ * slip);
    if (rows.stretch >= 0) {
      slip -= rows.normal.dot(slip) * rows.normal;
      const Vector3d stretch = (vector_at(r + rows.stretch) + c_ * slip) / (1.0 + c_ * rows.giving_up);
      put(stretch, r + rows.stretch);
      push += rows.side_spring * stretch;
    }
    if (wall_work_ >= 0) r[wall_work_] -= c_ * rows.wall_velocity.dot(push);
  }
}

}  // namespace carom::smooth
