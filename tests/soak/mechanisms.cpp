/// Layouts of mechanisms: trees and closed loops of joints of all kinds, with springs, dampers, dry friction, motors
/// and limits, in the air or over a floor.

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "carom/base/number.h"
#include "soak/layouts.h"

namespace carom::test {

namespace {

using Eigen::Vector3d;
using std::numbers::pi;

/// Bodies of one mechanism do not meet each other.
constexpr const char* kParts = "groups = [\"parts\"]\navoid = [\"parts\"]\n";

double rounded(double value) {
  return std::round(1000.0 * value) / 1000.0;
}

Vector3d direction(Random& random) {
  for (;;) {
    const Vector3d vector = random_vector(random, 1.0);
    if (vector.norm() > 0.2 && vector.norm() < 1.0) return vector.normalized();
  }
}

struct Part {
  std::string name;
  Vector3d position = Vector3d::Zero();
  double mass = 0.0, reach = 0.0;
  bool is_ground = true;
};

/// A mechanism in the making.
class Mechanism {
 public:
  Mechanism(SceneText& scene, Random& random) : scene_(scene), random_(random) {}

  /// A body there, which may be turned.
  Part body(const Vector3d& position, const Vector3d& velocity, const Vector3d& spin) {
    BodyText body;
    const double size = random_.uniform(0.05, 0.15);
    switch (random_.integer(0, 3)) {
      case 0: body.shape = brick({size, size * random_.uniform(0.3, 1.0), size * random_.uniform(0.3, 1.0)}); break;
      case 1: body.shape = pill(0.3 * size, size); break;
      case 2: body.shape = drum(size, size * random_.uniform(0.3, 1.0)); break;
      default: body.shape = ball(size);
    }
    body.position = position;
    body.orientation = random_turn(random_);
    body.velocity = velocity;
    body.angular_velocity = spin;
    body.density = random_.uniform(200.0, 2000.0);
    body.more = kParts;
    Part part;
    part.name = scene_.add(body);
    part.position = position;
    part.mass = body.density * body.shape.volume;
    part.reach = size;
    part.is_ground = false;
    lowest_ = std::min(lowest_, position.z() - 2.0 * size);
    return part;
  }

  /// A bar between two points.
  Part bar(const Vector3d& from, const Vector3d& to) {
    BodyText body;
    const double length = (to - from).norm(), radius = 0.05 * length;
    body.shape = pill(radius, 0.5 * length);
    body.position = 0.5 * (from + to);
    body.orientation = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), to - from);
    body.density = random_.uniform(200.0, 2000.0);
    body.more = kParts;
    Part part;
    part.name = scene_.add(body);
    part.position = body.position;
    part.mass = body.density * body.shape.volume;
    part.reach = 0.5 * length;
    part.is_ground = false;
    lowest_ = std::min(lowest_, std::min(from.z(), to.z()) - 2.0 * radius);
    return part;
  }

  /// Joins two parts at a point; the first is a body.
  std::string join(const std::string& kind, const Part& a, const Part& b, const Vector3d& point, const Vector3d& axis) {
    const std::string name = "joint" + std::to_string(joints_++);
    std::string lines = "\n[[joint]]\nname = \"" + name + "\"\nkind = \"" + kind + "\"\nbodies = [\"" + a.name + "\"" +
                        (b.is_ground ? "" : ", \"" + b.name + "\"") + "]\npoint = " + vector_text(point) + "\n";
    if (kind == "universal") {
      Vector3d across = axis.cross(direction(random_));
      while (across.norm() < 0.2) across = axis.cross(direction(random_));
      lines += "axes = [" + vector_text(axis) + ", " + vector_text(across.normalized()) + "]\n";
    } else if (kind != "spherical" && kind != "fixed") {
      lines += "axis = " + vector_text(axis) + "\n";
    }
    if (kind == "revolute" || kind == "cylindrical") turning_.push_back(name);
    scene_.add_lines(lines);
    return name;
  }

  /// A rod without mass between points of two parts.
  void connect(const Part& a, const Part& b) {
    const Vector3d first = random_vector(random_, a.reach);
    const Vector3d second = b.is_ground ? a.position + 3.0 * direction(random_) : random_vector(random_, b.reach);
    scene_.add_lines("\n[[joint]]\nname = \"joint" + std::to_string(joints_++) + "\"\nkind = \"rod\"\nbodies = [\"" +
                     a.name + "\"" + (b.is_ground ? "" : ", \"" + b.name + "\"") + "]\nanchors = [" +
                     vector_text(first) + ", " + vector_text(second) + "]\n");
  }

  /// What acts on the coordinate of the joint that was added last; `moment` is what weight may do to it.
  void drive(const std::string& kind, double moment, bool limited) {
    const bool shift = kind == "prismatic";
    if (kind != "revolute" && !shift) {
      if (limited && kind == "cylindrical") scene_.add_lines("limits = " + range(0.02, 0.3) + "\n" + restitution());
      if (limited && kind == "universal")
        scene_.add_lines("limits_deg = [" + range(5.0, 90.0) + ", " + range(5.0, 90.0) + "]\n" + restitution());
      return;
    }
    if (chance(random_, 0.4))
      scene_.add_lines("spring = { stiffness = " + format_number(moment * random_.uniform(0.0, 10.0)) + ", damping = " +
                       format_number(chance(random_, 0.5) ? 0.0 : 0.2 * moment * random_.uniform()) + " }\n");
    if (chance(random_, 0.3)) {
      const double kinetic = moment * random_.uniform(0.02, 0.8);
      scene_.add_lines("friction = { kinetic = " + format_number(kinetic) +
                       ", static = " + format_number(kinetic * random_.uniform(1.0, 1.5)) + " }\n");
    }
    if (chance(random_, 0.3))
      scene_.add_lines(std::string("motor = { ") + (shift ? "force" : "torque") + " = " +
                       format_number(moment * random_.uniform(-1.0, 1.0)) + " }\n");
    if (limited)
      scene_.add_lines((shift ? "limits = " + range(0.02, 0.3) : "limits_deg = " + range(5.0, 120.0)) + "\n" +
                       restitution());
  }

  /// A motor that keeps the rate of the joint that was added last.
  void motor(double rate) { scene_.add_lines("motor = { speed = " + format_number(rate) + " }\n"); }

  /// A gear between two joints that turn, where there are two.
  void gear() {
    if (turning_.size() < 2) return;
    const double ratio = rounded(random_.uniform(0.4, 2.5)) * (chance(random_, 0.5) ? 1.0 : -1.0);
    scene_.add_lines("\n[[joint]]\nname = \"joint" + std::to_string(joints_++) + "\"\nkind = \"gear\"\njoints = [\"" +
                     turning_.front() + "\", \"" + turning_.back() + "\"]\nratio = " + format_number(ratio) + "\n");
  }

  /// A floor below everything, and sometimes a ball that falls on it all.
  void over_a_floor(const Vector3d& above) {
    const double floor = lowest_ - random_.uniform(0.05, 0.5);
    scene_.add_plane(Vector3d::UnitZ(), {0.0, 0.0, floor});
    if (!chance(random_, 0.4)) return;
    BodyText thrown{ball(0.08)};
    thrown.position = above + Vector3d(random_.uniform(-0.1, 0.1), random_.uniform(-0.1, 0.1), 3.0);
    thrown.velocity.z() = -random_.uniform(0.0, 3.0);
    scene_.add(thrown);
  }

 private:
  std::string range(double least, double most) {
    const double lower = rounded(random_.uniform(least, most)), upper = rounded(random_.uniform(least, most));
    return "[" + format_number(-lower) + ", " + format_number(upper) + "]";
  }
  std::string restitution() {
    const double e = chance(random_, 0.2) ? 0.0 : chance(random_, 0.2) ? 1.0 : rounded(random_.uniform());
    return "restitution = " + format_number(e) + "\n";
  }

  SceneText& scene_;
  Random& random_;
  int joints_ = 0;
  std::vector<std::string> turning_;
  double lowest_ = 1e300;
};

std::string any_kind(Random& random) {
  static constexpr std::array kKinds{"revolute", "spherical", "universal",   "prismatic",
                                     "revolute", "fixed",     "cylindrical", "rod"};
  return kKinds[static_cast<std::size_t>(random.integer(0, static_cast<int>(kKinds.size()) - 1))];
}

/// Bodies that hang on each other; returns them. With a rate the first joint turns them all.
std::vector<Part> grow_tree(Mechanism& mechanism, Random& random, double pull, bool driven) {
  const int count = random.integer(1, 6);
  const bool limited = chance(random, 0.5);
  const Vector3d root = 0.3 * direction(random), axis = direction(random);
  const double rate = driven ? random.uniform(-6.0, 6.0) : 0.0;
  std::vector<Part> parts;
  for (int k = 0; k < count; ++k) {
    const bool first = k == 0;
    const Part parent = first ? Part{} : parts[static_cast<std::size_t>(random.integer(0, k - 1))];
    const Vector3d position = (first ? root : parent.position) + random.uniform(0.2, 0.6) * direction(random);
    const Vector3d spin = rate * axis;
    const Part part = mechanism.body(position, spin.cross(position - root), spin);
    parts.push_back(part);
    const double moment = part.mass * (pull + 1.0) * 0.4;
    if (first) {
      if (!driven && chance(random, 0.15)) continue;  // in free flight
      mechanism.join("revolute", part, Part{}, root, axis);
      if (driven)
        mechanism.motor(rate);
      else
        mechanism.drive("revolute", moment, limited);
      continue;
    }
    const std::string kind = any_kind(random);
    if (kind == "rod") {
      mechanism.connect(part, parent);
      continue;
    }
    mechanism.join(kind, part, parent, position + 0.2 * direction(random), direction(random));
    mechanism.drive(kind, moment, limited && chance(random, 0.7));
  }
  return parts;
}

}  // namespace

void lay_joint_tree(SceneText& scene, Random& random) {
  if (chance(random, 0.2)) scene.set_gravity(Vector3d::Zero());
  scene.set_duration(1.0);
  Mechanism mechanism(scene, random);
  // What a motor drives may not meet anything that it cannot push away.
  const bool driven = chance(random, 0.2);
  const std::vector<Part> parts = grow_tree(mechanism, random, scene.gravity().norm(), driven);
  if (!driven && chance(random, 0.6)) mechanism.over_a_floor(parts.front().position);
}

void lay_joint_loop(SceneText& scene, Random& random) {
  if (chance(random, 0.2)) scene.set_gravity(Vector3d::Zero());
  scene.set_duration(1.0);
  Mechanism mechanism(scene, random);
  const double pull = scene.gravity().norm();
  Vector3d above = Vector3d::Zero();
  if (chance(random, 0.5)) {  // a tree that rods and a gear close
    const std::vector<Part> parts = grow_tree(mechanism, random, pull, false);
    const int rods = random.integer(1, 2);
    for (int k = 0; k < rods; ++k) {
      const int first = random.integer(0, static_cast<int>(parts.size()) - 1), second = random.integer(-1, first - 1);
      mechanism.connect(parts[static_cast<std::size_t>(first)],
                        second < 0 ? Part{} : parts[static_cast<std::size_t>(second)]);
    }
    if (chance(random, 0.4)) mechanism.gear();
    above = parts.front().position;
  } else {  // bars around a polygon whose first side is the ground's
    const int bars = random.integer(3, 5);
    const Vector3d axis = direction(random), x = axis.unitOrthogonal(), y = axis.cross(x);
    std::vector<Vector3d> corners;
    for (int k = 0; k <= bars; ++k) {
      const double angle = 2.0 * pi * (k + random.uniform(-0.3, 0.3)) / (bars + 1);
      corners.push_back(random.uniform(0.3, 0.6) * (std::cos(angle) * x + std::sin(angle) * y));
    }
    const bool limited = chance(random, 0.4), flexible = chance(random, 0.3);
    Part before;
    for (int k = 0; k <= bars; ++k) {
      const bool last = k == bars;
      const Part next =
          last ? Part{} : mechanism.bar(corners[static_cast<std::size_t>(k)], corners[static_cast<std::size_t>(k + 1)]);
      // With ball joints and crosses the loop has few rows too many, with hinges alone three.
      const std::string kind = flexible && k % 2 == 1 ? (chance(random, 0.5) ? "spherical" : "universal") : "revolute";
      const Part& first = last ? before : next;
      mechanism.join(kind, first, last ? next : before, corners[static_cast<std::size_t>(k)], axis);
      if (chance(random, 0.4)) mechanism.drive(kind, 0.4 * first.mass * (pull + 1.0), limited);
      before = next;
    }
    if (chance(random, 0.15) && bars > 3) mechanism.gear();
    above = corners[1];
  }
  if (chance(random, 0.5)) mechanism.over_a_floor(above);
}

}  // namespace carom::test
