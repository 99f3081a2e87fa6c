#include "carom/mechanics/joint_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace carom {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// Moments of inertia below this part of what the mass of the body has about its joints lose too many digits beside it.
constexpr double kTooSlender = 1e-6;

const BodyState& still() {
  static const BodyState kStill;
  return kStill;
}
const Matrix3d& upright() {
  static const Matrix3d kUpright = Matrix3d::Identity();
  return kUpright;
}

int way_count(const Joint* joint) {
  if (joint == nullptr) return 6;
  switch (joint->kind) {
    case JointKind::spherical: return 3;
    case JointKind::revolute:
    case JointKind::prismatic: return 1;
    case JointKind::universal:
    case JointKind::cylindrical: return 2;
    case JointKind::rod: return 5;
    default: return 0;
  }
}

bool can_hang(const Joint& joint) {
  if (joint.kind == JointKind::gear) return false;
  return std::none_of(joint.drives.begin(), joint.drives.end(),
                      [](const JointDrive& drive) { return drive.motor.position.has_value(); });
}

/// v × each column.
inline Matrix3d crossed_with(const Vector3d& v, const Matrix3d& matrix) {
  Matrix3d product;
  for (int k = 0; k < 3; ++k) product.col(k) = v.cross(matrix.col(k));
  return product;
}

}  // namespace

bool JointTree::analyse(const JointKinematics& kinematics, std::span<const BodyIndex> bodies,
                        std::span<const Held> joints) {
  clear();
  const Model& model = kinematics.model();
  std::vector<std::vector<std::size_t>> on_body(bodies.size());
  std::vector<std::size_t> on_ground;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (!can_hang(model.joints[joints[j].joint])) return false;
    for (std::size_t side = 0; side < 2; ++side) {
      const int slot = joints[j].slots[side];
      (slot < 0 ? on_ground : on_body[static_cast<std::size_t>(slot)]).push_back(j);
      if (slot < 0) continue;
      const Body& body = model.bodies[bodies[static_cast<std::size_t>(slot)]];
      const double lever = model.joints[joints[j].joint].ends[side].point.squaredNorm();
      if (body.inertia.minCoeff() < kTooSlender * body.mass * lever) return false;
    }
  }
  std::vector<char> reached(bodies.size(), 0), used(joints.size(), 0);
  std::vector<Node> nodes;
  std::vector<Drift> drifts;
  int way = 0;
  const auto add = [&](int slot, int parent_node, const Held* held) {
    const Body& body = model.bodies[bodies[static_cast<std::size_t>(slot)]];
    Node& node = nodes.emplace_back();
    node.body = slot;
    node.parent_node = parent_node;
    node.parent = parent_node < 0 ? -1 : nodes[static_cast<std::size_t>(parent_node)].body;
    const Joint* const joint = held == nullptr ? nullptr : &model.joints[held->joint];
    node.held = joint != nullptr;
    node.first = held != nullptr && held->slots[0] == slot;
    node.first_way = way;
    node.ways = way_count(joint);
    way += node.ways;
    node.mass = body.mass;
    node.moments = body.inertia;
    Drift& drift = drifts.emplace_back();
    if (joint != nullptr) {
      node.kind = joint->kind;
      drift.size = kinematics.size(held->joint);
      drift.length = joint->length;
      for (std::size_t k = 0; k < 2; ++k) {
        node.points[k] = joint->ends[k].point;
        drift.frames[k] = joint->ends[k].frame.toRotationMatrix();
      }
      const bool has_axis = coordinate_count(node.kind) > 0;
      node.axis = has_axis ? Vector3d(drift.frames[1].col(2)) : Vector3d(Vector3d::Zero());
    }
    reached[static_cast<std::size_t>(slot)] = 1;
  };
  // The joints of a body, or of the ground, hang others on it; one that leads to a body that hangs already closes a
  // loop.
  const auto hang = [&](const std::vector<std::size_t>& own, int slot, int node) {
    for (const std::size_t j : own) {
      if (used[j] != 0) continue;
      used[j] = 1;
      const int other = joints[j].slots[joints[j].slots[0] == slot ? 1 : 0];
      if (other < 0 || reached[static_cast<std::size_t>(other)] != 0) return false;
      add(other, node, &joints[j]);
    }
    return true;
  };
  if (!hang(on_ground, -1, -1)) return false;
  for (std::size_t next = 0, free = 0; next < bodies.size(); ++next) {
    for (; next == nodes.size(); ++free)
      if (reached[free] == 0) add(static_cast<int>(free), -1, nullptr);
    const int slot = nodes[next].body;
    if (!hang(on_body[static_cast<std::size_t>(slot)], slot, static_cast<int>(next))) return false;
  }
  for (Node& node : nodes) node.leaf = true;
  for (std::size_t n = nodes.size(); n-- > 0;) {
    if (nodes[n].parent_node < 0) continue;
    Node& parent = nodes[static_cast<std::size_t>(nodes[n].parent_node)];
    nodes[n].begins = parent.leaf;
    parent.leaf = false;
  }
  nodes_ = std::move(nodes);
  drifts_ = std::move(drifts);
  ways_.resize(static_cast<std::size_t>(way));
  return true;
}

// ------------------------------------------------------------------------------------------------------ places

void JointTree::place_free(Node& node) {
  node.centre.setZero();
  for (int k = 0; k < 6; ++k) {
    Way& way = ways_[static_cast<std::size_t>(node.first_way + k)];
    way.direction = Vector3d::Unit(k % 3);
    way.turn = k >= 3;
  }
}

void JointTree::place_joint(Node& node) {
  const auto at = [](int slot) { return static_cast<std::size_t>(slot); };
  const int slots[2] = {node.first ? node.body : node.parent, node.first ? node.parent : node.body};
  Vector3d position[2], levers[2];
  const Matrix3d* rotation[2];
  for (std::size_t k = 0; k < 2; ++k) {
    rotation[k] = slots[k] < 0 ? &upright() : &places_.rotations[at(slots[k])];
    position[k] = slots[k] < 0 ? Vector3d(Vector3d::Zero()) : places_.states[at(slots[k])].position;
    levers[k] = *rotation[k] * node.points[k];
  }
  const JointKind kind = node.kind;
  node.apart = position[0] + levers[0] - position[1] - levers[1];
  node.along = *rotation[1] * node.axis;
  if (kind == JointKind::rod)
    node.along = node.apart.norm() > 0.0 ? Vector3d(node.apart.normalized()) : Vector3d(Vector3d::UnitZ());
  if (has_shift(kind)) levers[1] += node.apart;  // the point of the second where the first one's is
  node.centre = -levers[node.first ? 0 : 1];
  node.lever = levers[node.first ? 1 : 0];
  if (node.parent_node >= 0) node.reach = node.lever + nodes_[at(node.parent_node)].centre;
  Way* way = ways_.data() + node.first_way;
  const auto leave = [&way](const Vector3d& direction, bool turn) {
    way->direction = direction;
    way->turn = turn;
    ++way;
  };
  if (has_shift(kind)) leave(node.along, false);
  if (kind == JointKind::universal)
    leave(*rotation[0] * drifts_[at(static_cast<int>(&node - nodes_.data()))].frames[0].col(0), true);
  if (turn_count(kind) > 0) leave(node.along, true);
  if (kind == JointKind::rod) {
    const Vector3d across = node.along.unitOrthogonal();
    leave(across, false);
    leave(node.along.cross(across), false);
  }
  if (kind == JointKind::rod || kind == JointKind::spherical)
    for (int k = 0; k < 3; ++k) leave(Vector3d::Unit(k), true);
}

void JointTree::place(const Places& places) {
  places_ = places;
  for (Node& node : nodes_) {
    if (node.held) {
      place_joint(node);
    } else {
      place_free(node);
    }
  }
}

/// To first order the vector by which the first frame is turned against the second where the joint does not leave that.
Vector3d JointTree::turned_apart(std::size_t index) const {
  const Node& node = nodes_[index];
  const JointKind kind = node.kind;
  if (kind == JointKind::spherical || kind == JointKind::rod) return Vector3d::Zero();
  if (kind == JointKind::universal) {
    const Vector3d& turned = ways_[static_cast<std::size_t>(node.first_way)].direction;
    return turned.dot(node.along) * turned.cross(node.along);
  }
  const std::array<Matrix3d, 2>& frames = drifts_[index].frames;
  const auto rotation = [&](bool of_first) -> const Matrix3d& {
    const int slot = of_first == node.first ? node.body : node.parent;
    return slot < 0 ? upright() : places_.rotations[static_cast<std::size_t>(slot)];
  };
  if (turn_count(kind) == 1) return node.along.cross(rotation(true) * frames[0].col(2));
  const Matrix3d a = rotation(true) * frames[0], b = rotation(false) * frames[1];
  return a.col(0).dot(b.col(1)) * b.col(2) + a.col(1).dot(b.col(2)) * b.col(0) + a.col(2).dot(b.col(0)) * b.col(1);
}

double JointTree::measure_residuals() {
  double largest = 0.0;
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const Node& node = nodes_[n];
    if (!node.held) continue;
    Drift& drift = drifts_[n];
    drift.turned = turned_apart(n);
    drift.off = node.apart;
    if (has_shift(node.kind)) drift.off -= node.along * node.along.dot(node.apart);
    if (node.kind == JointKind::rod) drift.off = node.along * (node.apart.norm() - drift.length);
    largest =
        std::max({largest, drift.off.lpNorm<Eigen::Infinity>() / drift.size, drift.turned.lpNorm<Eigen::Infinity>()});
    if (!std::isfinite(drift.off.sum() + drift.turned.sum())) return std::numeric_limits<double>::quiet_NaN();
  }
  return largest;
}

// ------------------------------------------------------------------------------------------------------ inertias

/// Of the body alone, about the point by which it hangs.
JointTree::Inertia JointTree::own_inertia(const Node& node) const {
  const Matrix3d& axes = places_.inertias[static_cast<std::size_t>(node.body)].axes;
  const Vector3d& c = node.centre;
  const Vector3d moment = node.mass * c;
  const double about = moment.dot(c);
  Inertia own{{node.mass, 0.0, 0.0, node.mass, 0.0, node.mass}, {about, 0.0, 0.0, about, 0.0, about}, {}};
  own.turning.add_square(-node.mass, c);
  for (int k = 0; k < 3; ++k) own.turning.add_square(node.moments[k], axes.col(k));
  own.coupling << 0.0, moment.z(), -moment.y(), -moment.z(), 0.0, moment.x(), moment.y(), -moment.x(), 0.0;
  return own;
}

void JointTree::eliminate_ways(Node& node) {
  Inertia& inertia = node.inertia;
  for (int k = 0; k < node.ways; ++k) {
    Way& way = ways_[static_cast<std::size_t>(node.first_way + k)];
    if (way.turn) {
      way.force = inertia.coupling * way.direction;
      way.couple = inertia.turning.times(way.direction);
    } else {
      way.force = inertia.shifting.times(way.direction);
      way.couple = inertia.coupling.transpose() * way.direction;
    }
    way.inverse = 1.0 / way.direction.dot(way.turn ? way.couple : way.force);
    inertia.shifting.add_square(-way.inverse, way.force);
    inertia.turning.add_square(-way.inverse, way.couple);
    inertia.coupling -= way.force * (way.inverse * way.couple).transpose();
  }
}

void JointTree::factor() {
  for (std::size_t n = nodes_.size(); n-- > 0;) {
    Node& node = nodes_[n];
    if (node.leaf) node.inertia = own_inertia(node);
    eliminate_ways(node);
    if (node.parent_node < 0) continue;
    Node& parent = nodes_[static_cast<std::size_t>(node.parent_node)];
    if (node.begins) parent.inertia = own_inertia(parent);
    // Of the parent's point by which it hangs: (ā + α × r, α) there.
    const Vector3d& r = node.reach;
    const Symmetric& s = node.inertia.shifting;
    const Symmetric& t = node.inertia.turning;
    Matrix3d coupling = node.inertia.coupling;
    coupling.row(0) += r.cross(Vector3d(s.xx, s.xy, s.xz)).transpose();
    coupling.row(1) += r.cross(Vector3d(s.xy, s.yy, s.yz)).transpose();
    coupling.row(2) += r.cross(Vector3d(s.xz, s.yz, s.zz)).transpose();
    const Matrix3d before = crossed_with(r, node.inertia.coupling), after = crossed_with(r, coupling);
    Inertia& sum = parent.inertia;
    sum.coupling += coupling;
    sum.shifting.xx += s.xx;
    sum.shifting.xy += s.xy;
    sum.shifting.xz += s.xz;
    sum.shifting.yy += s.yy;
    sum.shifting.yz += s.yz;
    sum.shifting.zz += s.zz;
    sum.turning.xx += t.xx + before(0, 0) + after(0, 0);
    sum.turning.xy += t.xy + before(1, 0) + after(0, 1);
    sum.turning.xz += t.xz + before(2, 0) + after(0, 2);
    sum.turning.yy += t.yy + before(1, 1) + after(1, 1);
    sum.turning.yz += t.yz + before(2, 1) + after(1, 2);
    sum.turning.zz += t.zz + before(2, 2) + after(2, 2);
  }
}

// ------------------------------------------------------------------------------------------------------ answers

/// What the joint asks of the accelerations of its two ends, without those towards the centres of their turning.
void JointTree::ask_accelerations(Node& node) const {
  const BodyState& body = places_.states[static_cast<std::size_t>(node.body)];
  const BodyState& parent = node.parent < 0 ? still() : places_.states[static_cast<std::size_t>(node.parent)];
  const Vector3d &spin = body.angular_velocity, &other = parent.angular_velocity;
  const Vector3d circling = spin.cross(-node.centre), other_circling = other.cross(node.lever);
  node.asked_shift = other.cross(other_circling) - spin.cross(circling);
  const JointKind kind = node.kind;
  const double sign = node.first ? 1.0 : -1.0;
  node.asked_turn.setZero();
  if (kind == JointKind::universal) {
    const Vector3d &of_first = node.first ? spin : other, &of_second = node.first ? other : spin;
    const Vector3d& turned = ways_[static_cast<std::size_t>(node.first_way)].direction;
    const Vector3d relative = of_first - of_second;
    node.asked_turn =
        sign * (turned.dot(relative) * of_first.cross(turned) + node.along.dot(relative) * of_second.cross(node.along));
  } else if (kind != JointKind::spherical && kind != JointKind::rod) {
    node.asked_turn = other.cross(spin);
  }
  if (!has_shift(kind) && kind != JointKind::rod) return;
  const Vector3d velocity = sign * (body.velocity + circling - parent.velocity - other_circling);
  const double rate = node.along.dot(velocity);
  if (has_shift(kind)) {
    node.asked_shift += sign * 2.0 * rate * (node.first ? other : spin).cross(node.along);
  } else if (const double length = node.apart.norm(); length > 0.0) {
    node.asked_shift -= sign * (velocity.squaredNorm() - rate * rate) / length * node.along;
  }
}

/// Against the rates at which its ends move in ways that the joint does not leave.
void JointTree::ask_velocities(Node& node) const {
  const BodyState& body = places_.states[static_cast<std::size_t>(node.body)];
  const BodyState& parent = node.parent < 0 ? still() : places_.states[static_cast<std::size_t>(node.parent)];
  const JointKind kind = node.kind;
  const Vector3d moves = body.velocity - body.angular_velocity.cross(node.centre) - parent.velocity -
                         parent.angular_velocity.cross(node.lever);
  const Vector3d turns = body.angular_velocity - parent.angular_velocity;
  const Vector3d along = node.along * node.along.dot(moves);
  node.asked_shift = kind == JointKind::rod ? Vector3d(-along) : has_shift(kind) ? Vector3d(along - moves) : -moves;
  node.asked_turn.setZero();
  if (kind == JointKind::universal) {
    const Vector3d across = ways_[static_cast<std::size_t>(node.first_way)].direction.cross(node.along).normalized();
    node.asked_turn = -across * across.dot(turns);
  } else if (turn_count(kind) == 1) {
    node.asked_turn = node.along * node.along.dot(turns) - turns;
  } else if (kind == JointKind::fixed || kind == JointKind::prismatic) {
    node.asked_turn = -turns;
  }
}

template <JointTree::Asked asked>
void JointTree::ask(std::size_t index) {
  Node& node = nodes_[index];
  if (!node.held) {
    node.asked_shift.setZero();
    node.asked_turn.setZero();
    return;
  }
  if constexpr (asked == Asked::accelerations) ask_accelerations(node);
  if constexpr (asked == Asked::velocities) ask_velocities(node);
  if constexpr (asked == Asked::places) {
    const double sign = node.first ? -1.0 : 1.0;
    node.asked_shift = sign * drifts_[index].off;
    node.asked_turn = sign * drifts_[index].turned;
  }
}

/// What the body alone opposes to the twist that it would have without joints.
void JointTree::push(Node& node, const Twist& twist) const {
  node.force = -node.mass * twist.linear;
  node.couple = node.centre.cross(node.force) -
                places_.inertias[static_cast<std::size_t>(node.body)].axes * node.moments.cwiseProduct(twist.angular);
}

template <JointTree::Asked asked>
void JointTree::answer(std::vector<Twist>& twists) {
  const auto at = [](int slot) { return static_cast<std::size_t>(slot); };
  const auto begin = [&](Node& node) {
    if constexpr (asked == Asked::accelerations) {
      push(node, twists[at(node.body)]);
    } else {
      node.force.setZero();
      node.couple.setZero();
    }
  };
  for (std::size_t n = nodes_.size(); n-- > 0;) {
    Node& node = nodes_[n];
    if (node.leaf) begin(node);
    ask<asked>(n);
    for (int k = 0; k < node.ways; ++k) {
      Way& way = ways_[at(node.first_way + k)];
      way.pushed = way.direction.dot(way.turn ? node.couple : node.force);
      node.force -= way.pushed * way.inverse * way.force;
      node.couple -= way.pushed * way.inverse * way.couple;
    }
    if (node.parent_node < 0) continue;
    Node& parent = nodes_[at(node.parent_node)];
    if (node.begins) begin(parent);
    const Inertia& inertia = node.inertia;
    const Vector3d force = node.force + inertia.shifting.times(node.asked_shift) + inertia.coupling * node.asked_turn;
    parent.force += force;
    parent.couple += node.couple + inertia.coupling.transpose() * node.asked_shift +
                     inertia.turning.times(node.asked_turn) + node.reach.cross(force);
  }
  for (Node& node : nodes_) {
    node.shift = node.asked_shift;
    node.turn = node.asked_turn;
    if (node.parent_node >= 0) {
      const Node& parent = nodes_[at(node.parent_node)];
      node.shift += parent.shift + parent.turn.cross(node.reach);
      node.turn += parent.turn;
    }
    for (int k = node.ways; k-- > 0;) {
      const Way& way = ways_[at(node.first_way + k)];
      const double rate = -way.inverse * (way.pushed + way.force.dot(node.shift) + way.couple.dot(node.turn));
      (way.turn ? node.turn : node.shift) += rate * way.direction;
    }
    twists[at(node.body)] = {node.shift + node.turn.cross(node.centre),
                             places_.inertias[at(node.body)].axes.transpose() * node.turn};
  }
}

void JointTree::accelerate(std::vector<Twist>& twists) {
  answer<Asked::accelerations>(twists);
}

void JointTree::find_moves(std::vector<Twist>& twists) {
  answer<Asked::places>(twists);
}

void JointTree::find_changes(std::vector<Twist>& twists) {
  answer<Asked::velocities>(twists);
}

}  // namespace carom
