#include "carom/engine/smooth/heap_balance.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/activity.h"
#include "carom/mechanics/attitude.h"

namespace carom::smooth {

namespace {

/// The greatest coefficient of a friction.
double limit_of(const Friction& friction) {
  if (friction.kind == FrictionKind::own || friction.kind == FrictionKind::alciatore)
    return friction.coefficient(3.0 * friction.speed);
  return friction.mu;
}

}  // namespace

HeapBalance::HeapBalance(const ContactMaker& maker, const Motions& motions, Heap heap)
    : maker_(maker), motions_(motions), environment_(maker.scene().environment), heap_(std::move(heap)) {
  for (const Contact& contact : heap_.contacts) {
    Row row;
    row.a = place_of(contact.geometry.a);
    row.b = environment_.model().is_body(contact.geometry.b) ? place_of(contact.geometry.b) : -1;
    rows_.push_back(row);
  }
  for (const BodyIndex body : heap_.bodies) pulls_.push_back(pull_on(body));
  before_ = states();
}

bool HeapBalance::find() {
  // What contacts without friction bear along the surface at first is left to the others from search to search.
  constexpr int kSearches = 3;
  lay_out();
  bool found = true;
  for (int k = 0; k < kSearches && found; ++k) {
    mark();
    found = search();
  }
  if (found && holds()) return true;
  undo();
  return false;
}

bool HeapBalance::search() {
  constexpr int kMostNewtonSteps = 200;
  // Moves, relative to size, that end the search; and that no body which rests makes.
  constexpr double kHome = 1e-12, kTooFar = 0.05;
  read();
  for (int round = 0; round < kMostNewtonSteps; ++round) {
    Activity::tick();
    const double moved = step();
    travelled_ += moved;
    if (!(travelled_ <= kTooFar)) return false;
    if (moved <= kHome && is_borne()) return true;
  }
  return false;
}

HeapBalance::Deepest HeapBalance::deepest() const {
  Deepest found;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const PairGeometry& g = heap_.contacts[k].geometry;
    const double depth = rows_[k].depth / environment_.smaller_size(g.a, g.b);
    if (depth > found.depth) found = {&heap_.contacts[k], depth};
  }
  return found;
}

int HeapBalance::place_of(ObjectIndex body) const {
  const auto at = std::lower_bound(heap_.bodies.begin(), heap_.bodies.end(), BodyIndex(body.slot()));
  return static_cast<int>(at - heap_.bodies.begin());
}

/// In the frame of the obstacle under the heap, if it moves.
Vector3d HeapBalance::pull_on(BodyIndex body) const {
  Vector3d pull = environment_.body(body).free_acceleration;
  for (const Contact& contact : heap_.contacts) {
    const ObjectIndex below = contact.geometry.b;
    if (environment_.model().is_body(below) || !environment_.model().obstacle(below).motion) continue;
    const FrameMotion frame = environment_.model().obstacle(below).motion_at(maker_.now());
    return pull - frame.acceleration_of(motions_.paths.state(body).position);
  }
  return pull;
}

std::vector<BodyState> HeapBalance::states() const {
  std::vector<BodyState> found;
  for (const BodyIndex body : heap_.bodies) found.push_back(motions_.paths.state(body));
  return found;
}

void HeapBalance::restore(const std::vector<BodyState>& states) const {
  for (std::size_t k = 0; k < states.size(); ++k) maker_.scene().paths.set_state(heap_.bodies[k], states[k]);
}

// ------------------------------------------------------------------------------------------------- the potential

void HeapBalance::lay_out() {
  // How much stiffer contacts are than what keeps bodies at their places in one round.
  constexpr double kNearlyFree = 1e6;
  // How stiff contacts without friction are along the surface, beside across it.
  constexpr double kWithoutFriction = 1e-4;
  double weight = 0.0, softest = std::numeric_limits<double>::infinity(), heaviest = 0.0;
  for (std::size_t k = 0; k < pulls_.size(); ++k) {
    const double mass = environment_.body(heap_.bodies[k]).mass;
    weight += mass * pulls_[k].norm();
    heaviest = std::max(heaviest, mass);
  }
  const double load = weight / static_cast<double>(rows_.size());
  std::vector<std::pair<int, int>> links;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const Contact& contact = heap_.contacts[k];
    Row& row = rows_[k];
    row.assumed = contact.normal.static_depth(load);
    const double stiffness = contact.normal.exponent * load / row.assumed;
    row.side_stiffness = contact.has_spring     ? contact.friction.spring_stiffness
                         : contact.has_friction ? stiffness
                                                : kWithoutFriction * stiffness;
    softest = std::min(softest, stiffness);
    if (row.b >= 0) links.emplace_back(row.a, row.b);
  }
  loose_ = kNearlyFree * heaviest / softest;
  elimination_.analyse(std::vector<int>(heap_.bodies.size(), 6), links);
  force_.resize(heap_.bodies.size());
  move_.resize(heap_.bodies.size());
  unknowns_.resize(heap_.bodies.size());
}

/// The points of contacts without friction are where they are now.
void HeapBalance::mark() {
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    Row& row = rows_[k];
    if (travelled_ > 0.0 && heap_.contacts[k].has_friction) continue;
    const Vector3d point = maker_.meeting(heap_.contacts[k].geometry).touch.point;
    const auto seen_from = [&](int place) -> Vector3d {
      const BodyState& state = motions_.paths.state(heap_.bodies[static_cast<std::size_t>(place)]);
      return state.orientation.conjugate() * (point - state.position);
    };
    row.mark_a = seen_from(row.a);
    row.mark_b = row.b < 0 ? point : seen_from(row.b);
  }
}

void HeapBalance::read() {
  constexpr double kHolding = 0.9;  // part of the limit of friction that a contact may bear
  for (std::size_t k = 0; k < force_.size(); ++k) {
    force_[k].setZero();
    force_[k].head<3>() = std::sqrt(environment_.body(heap_.bodies[k]).mass) * pulls_[k];
  }
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    Row& row = rows_[k];
    const Contact& contact = heap_.contacts[k];
    const Touch touch = maker_.meeting(contact.geometry).touch;
    row.depth = touch.depth;
    row.normal = touch.normal;
    row.push = contact.normal.evaluate(touch.depth, 0.0).force;
    row.slide = place_of_mark(row.a, row.mark_a) - place_of_mark(row.b, row.mark_b);
    row.slide -= row.normal.dot(row.slide) * row.normal;
    row.side_now = row.side_stiffness;
    if (contact.has_friction) {
      const double most = kHolding * limit_of(contact.friction) * row.push, length = row.slide.norm();
      if (row.side_now * length > most) row.side_now = most / length;
    } else if (!(row.depth > 0.0)) {
      row.side_now = 0.0;
    }
    const Vector3d force = row.push * row.normal - row.side_now * row.slide;
    row.of_a = row_of(row.a, touch.point);
    force_[static_cast<std::size_t>(row.a)] += row.of_a.transpose() * force;
    if (row.b < 0) continue;
    row.of_b = row_of(row.b, touch.point);
    force_[static_cast<std::size_t>(row.b)] -= row.of_b.transpose() * force;
  }
}

Vector3d HeapBalance::place_of_mark(int place, const Vector3d& mark) const {
  if (place < 0) return mark;
  const BodyState& state = motions_.paths.state(heap_.bodies[static_cast<std::size_t>(place)]);
  return state.position + state.orientation * mark;
}

HeapBalance::Matrix36 HeapBalance::row_of(int place, const Vector3d& point) const {
  const BodyIndex body = heap_.bodies[static_cast<std::size_t>(place)];
  const Vector3d lever = point - motions_.paths.state(body).position;
  Eigen::Matrix3d cross;
  cross << 0.0, -lever.z(), lever.y(), lever.z(), 0.0, -lever.x(), -lever.y(), lever.x(), 0.0;
  Matrix36 row;
  row.leftCols<3>() = Eigen::Matrix3d::Identity() / std::sqrt(environment_.body(body).mass);
  row.rightCols<3>() = -cross * inverse_root(body);
  return row;
}

/// J^{−1/2} in the world frame.
Eigen::Matrix3d HeapBalance::inverse_root(BodyIndex body) const {
  const BodyInfo& info = environment_.body(body);
  const Eigen::Matrix3d axes = (motions_.paths.state(body).orientation * info.principal_axes).toRotationMatrix();
  return axes * info.inertia.cwiseSqrt().cwiseInverse().asDiagonal() * axes.transpose();
}

/// Every body is borne: what is left on it is nothing beside its weight.
bool HeapBalance::is_borne() const {
  constexpr double kBorne = 1e-6;
  for (std::size_t k = 0; k < force_.size(); ++k) {
    const double weight = std::sqrt(environment_.body(heap_.bodies[k]).mass) * pulls_[k].norm();
    if (!(force_[k].norm() <= kBorne * weight)) return false;
  }
  return true;
}

/// What contacts without friction bear along the surface would move each body slowly at most.
bool HeapBalance::holds() const {
  constexpr double kSlowly = 0.01;  // of the pull on the body
  std::vector<double> borne(heap_.bodies.size(), 0.0);
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const Row& row = rows_[k];
    if (heap_.contacts[k].has_friction) continue;
    const double force = row.side_now * row.slide.norm();
    borne[static_cast<std::size_t>(row.a)] += force;
    if (row.b >= 0) borne[static_cast<std::size_t>(row.b)] += force;
  }
  for (std::size_t k = 0; k < borne.size(); ++k)
    if (borne[k] > kSlowly * environment_.body(heap_.bodies[k]).mass * pulls_[k].norm()) return false;
  return true;
}

std::vector<Contact> HeapBalance::stretched_contacts() const {
  std::vector<Contact> found;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    if (!heap_.contacts[k].has_spring || !(rows_[k].depth > 0.0)) continue;
    found.push_back(heap_.contacts[k]);
    found.back().stretch = (rows_[k].side_now / rows_[k].side_stiffness) * rows_[k].slide;
  }
  return found;
}

// ------------------------------------------------------------------------------------------------- one round

/// The largest move, relative to size. It is halved where V rises more steeply at its end than it falls at its
/// beginning.
double HeapBalance::step() {
  constexpr int kMostHalvings = 30;
  constexpr double kLetGo = 0.5;  // part of a contact's assumed depth that is left after a round
  find_move();
  const std::vector<BodyState> start = states();
  const double falls = downhill();
  double part = 1.0, moved = 0.0;
  for (int k = 0; k < kMostHalvings; ++k, part *= 0.5) {
    restore(start);
    moved = go(part);
    read();
    if (!(-downhill() > falls)) break;
  }
  for (Row& row : rows_)
    row.assumed = std::min(row.assumed, kLetGo * row.assumed + (1.0 - kLetGo) * std::max(row.depth, 0.0));
  return moved;
}

/// How steeply V falls along the move.
double HeapBalance::downhill() const {
  double sum = 0.0;
  for (std::size_t k = 0; k < move_.size(); ++k) sum += move_[k].dot(force_[k]);
  return sum;
}

void HeapBalance::find_move() {
  elimination_.clear();
  for (int k = 0; k < static_cast<int>(force_.size()); ++k) add_block(k, k, Matrix66::Identity() / loose_);
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const Row& row = rows_[k];
    const NormalForce& law = heap_.contacts[k].normal;
    const double depth = std::max(row.depth, row.assumed);
    if (!(depth > 0.0)) continue;
    const double stiffness = law.exponent * law.evaluate(depth, 0.0).force / depth;
    const Eigen::Matrix3d across = row.normal * row.normal.transpose();
    const Eigen::Matrix3d part = stiffness * across + row.side_now * (Eigen::Matrix3d::Identity() - across);
    add_block(row.a, row.a, row.of_a.transpose() * part * row.of_a);
    if (row.b < 0) continue;
    add_block(row.b, row.b, row.of_b.transpose() * part * row.of_b);
    add_block(row.a, row.b, -(row.of_a.transpose() * part * row.of_b));
  }
  elimination_.factor(0.0);
  for (std::size_t k = 0; k < force_.size(); ++k)
    for (int i = 0; i < 6; ++i) unknowns_[k][static_cast<std::size_t>(i)] = force_[k][i];
  elimination_.solve(unknowns_);
  for (std::size_t k = 0; k < force_.size(); ++k)
    for (int i = 0; i < 6; ++i) move_[k][i] = unknowns_[k][static_cast<std::size_t>(i)];
}

void HeapBalance::add_block(int a, int b, const Matrix66& part) {
  const BlockElimination::Place place = elimination_.place(a, b);
  BlockElimination::Block& block = elimination_.block(place.index);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      block[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] += place.flipped ? part(j, i) : part(i, j);
}

/// Moves the bodies by a part of the move; the largest way, relative to size.
double HeapBalance::go(double part) {
  double largest = 0.0;
  for (std::size_t k = 0; k < move_.size(); ++k) {
    const BodyIndex body = heap_.bodies[k];
    const BodyInfo& info = environment_.body(body);
    const Vector3d way = (part / std::sqrt(info.mass)) * move_[k].head<3>();
    const Vector3d turn = inverse_root(body) * (part * move_[k].tail<3>());
    BodyState state = motions_.paths.state(body);
    state.position += way;
    state.orientation = (rotation_by(turn) * state.orientation).normalized();
    maker_.scene().paths.set_state(body, state);
    largest = std::max(largest, way.norm() / info.size + turn.norm());
  }
  return largest;
}

}  // namespace carom::smooth
