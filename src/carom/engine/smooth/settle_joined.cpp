/// Static balance of bodies that joints hold and that rest on obstacles: where each contact is as deep as its load asks
/// for, by Newton's method for the least potential energy.
///
/// A move u of the bodies keeps the joints and changes the force p of a contact of depth δ and stiffness k along its
/// normal, p = f(δ*) + k(δ − n·u − δ*), linear about a depth δ*. With the metric G/τ², which only matters where nothing
/// bears a body,
///   u = τ²G⁻¹(F + Aᵀλ + Nᵀp),   A u + residual = 0,   n·u + p/k = f(δ*)/k + δ − δ*,
/// which are the equations of JointSystem with rows of contacts that give way. Springs of joints are such rows too,
///   l·u + p/k = q₀ − q,
/// and motors of given force belong to F.

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/contact/groups.h"
#include "carom/engine/smooth/first_contacts.h"
#include "carom/mechanics/attitude.h"
#include "carom/mechanics/joint_system.h"

namespace carom::smooth {

namespace {

constexpr int kMostBalances = 100;
/// Moves, relative to size, that end the search; and that no body which rests makes.
constexpr double kBalanced = 1e-12, kAway = 0.05;
/// How much stiffer contacts are than what keeps bodies at their places in one round.
constexpr double kLoosely = 100.0;
/// Speed of a body at rest, relative to that of a fall over its size.
constexpr double kAtRest = 1e-9;

class Balance {
 public:
  Balance(const ContactMaker& maker, const Motions& motions, std::vector<BodyIndex> bodies)
      : maker_(maker), motions_(motions), environment_(maker.scene().environment), bodies_(std::move(bodies)) {}

  /// Whether the bodies rest on obstacles, on nothing else, and nothing but weight, joints and what these do acts on
  /// them.
  bool begins() {
    const Model& model = environment_.model();
    for (const BodyIndex body : bodies_) {
      const BodyInfo& info = environment_.body(body);
      const BodyState& state = motions_.paths.state(body);
      const double slow = kAtRest * std::sqrt(info.free_acceleration.norm() * info.size);
      if (!info.constraints.empty() || !info.loads.empty() || !info.springs.empty()) return false;
      if (state.velocity.norm() + info.size * state.angular_velocity.norm() > slow) return false;
      joints_.insert(joints_.end(), info.joints.begin(), info.joints.end());
    }
    std::sort(joints_.begin(), joints_.end());
    joints_.erase(std::unique(joints_.begin(), joints_.end()), joints_.end());
    for (const JointIndex joint : joints_)
      for (int k = 0; k < coordinate_count(model.joints[joint].kind); ++k)
        if (drive_of({joint, k}).pushes()) driven_.push_back({joint, k});
    for (const BodyIndex body : bodies_)
      for (const ObjectIndex obstacle : model.obstacle_indices())
        if (!add_contacts(body, obstacle)) return false;
    return !contacts_.empty();
  }

  /// Moves the bodies; false, and they stand where they did, where there is no balance near by.
  bool find() {
    std::vector<BodyState> before;
    for (const BodyIndex body : bodies_) before.push_back(motions_.paths.state(body));
    lay_out();
    for (int round = 0; round < kMostBalances; ++round) {
      const double moved = move();
      travelled_ += moved;
      if (!(travelled_ <= kAway)) break;
      if (moved <= kBalanced && pushes_) return true;
    }
    for (std::size_t k = 0; k < bodies_.size(); ++k) maker_.scene().paths.set_state(bodies_[k], before[k]);
    return false;
  }

 private:
  struct Resting {
    int body;  ///< among bodies_
    Contact contact;
    double about;  ///< a depth that its force is taken linear about at first
  };

  /// A coordinate that a spring or a motor of given force acts on.
  struct Driven {
    JointIndex joint;
    int coordinate;
  };
  [[nodiscard]] const JointDrive& drive_of(const Driven& driven) const {
    return environment_.model().joints[driven.joint].drives[static_cast<std::size_t>(driven.coordinate)];
  }

  /// False: on something that bodies cannot be let down on.
  bool add_contacts(BodyIndex body, ObjectIndex obstacle) {
    if (!motions_.can_meet(body, obstacle)) return true;
    const double size = environment_.body(body).size;
    for (const FaceCorner& point : points_of(motions_, body, obstacle, maker_.now())) {
      const FeatureCode feature = point.feature.code();
      if (std::abs(maker_.meeting(environment_.geometry(body, obstacle, feature)).touch.depth) > kTouching * size)
        continue;
      const PairLaws& laws = maker_.scene().laws.of(body, obstacle);
      if (laws.normal->needs_approach_speed || laws.quasi_static) return false;
      if (environment_.model().obstacle(obstacle).driven()) return false;
      const auto place = std::find(bodies_.begin(), bodies_.end(), body) - bodies_.begin();
      contacts_.push_back({static_cast<int>(place), maker_.make(body, obstacle, feature, false, point.share), 0.0});
    }
    return true;
  }

  void lay_out() {
    const auto count = static_cast<double>(contacts_.size());
    double weight = 0.0, softest = std::numeric_limits<double>::infinity();
    for (const BodyIndex body : bodies_)
      weight += environment_.body(body).mass * environment_.body(body).free_acceleration.norm();
    for (Resting& resting : contacts_) {
      resting.about = resting.contact.normal.static_depth(weight / count);
      softest = std::min(softest, resting.contact.normal.exponent * weight / count / resting.about);
    }
    double heaviest = 0.0;
    for (const BodyIndex body : bodies_) heaviest = std::max(heaviest, environment_.body(body).mass);
    loose_ = kLoosely * heaviest / softest;
    system_.clear(static_cast<int>(bodies_.size()));
    std::vector<JointRow> rows;
    for (const JointIndex joint : joints_) {
      rows.clear();
      environment_.kinematics().append_rows(joint, states(joint), rows);
      system_.add_block(slots(joint), static_cast<int>(rows.size()));
    }
    for (const Driven& driven : driven_)
      if (drive_of(driven).spring.stiffness > 0.0) system_.add_block(slots(driven.joint), 1);
    for (const Resting& resting : contacts_) system_.add_block({resting.body, -1, -1, -1}, 1);
    system_.analyse();
    twists_.resize(bodies_.size());
  }

  [[nodiscard]] int slot_of(BodyIndex body) const {
    return static_cast<int>(std::find(bodies_.begin(), bodies_.end(), body) - bodies_.begin());
  }
  [[nodiscard]] JointSystem::Slots slots(JointIndex joint) const {
    JointSystem::Slots found = {-1, -1, -1, -1};
    const std::span<const BodyIndex> sides = environment_.kinematics().bodies(joint);
    for (std::size_t k = 0; k < sides.size(); ++k)
      if (sides[k] != kNone) found[k] = slot_of(sides[k]);
    return found;
  }
  [[nodiscard]] JointStates states(JointIndex joint) const {
    return environment_.kinematics().states(
        joint, maker_.now(), [&](BodyIndex body) -> const BodyState& { return motions_.paths.state(body); },
        [&](JointIndex other) -> const JointTurns& { return motions_.paths.turns()[other]; });
  }

  /// One round; the largest move, relative to size.
  double move() {
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
      const BodyInfo& info = environment_.body(bodies_[k]);
      const Quaterniond principal = motions_.paths.state(bodies_[k]).orientation * info.principal_axes;
      system_.bodies[k] = {loose_ * info.inverse_mass, loose_ * info.inertia.cwiseInverse(),
                           principal.toRotationMatrix()};
      twists_[k] = {loose_ * info.free_acceleration, Vector3d::Zero()};
    }
    int block = 0;
    std::vector<JointRow> rows;
    for (const JointIndex joint : joints_) {
      rows.clear();
      environment_.kinematics().append_rows(joint, states(joint), rows);
      system_.set_rows(block++, rows);
    }
    for (const Driven& driven : driven_) {
      const JointStates at = states(driven.joint);
      const JointDrive& drive = drive_of(driven);
      rows.assign(1, environment_.kinematics().coordinate_row(driven.joint, driven.coordinate, at));
      push(drive.motor.force, rows[0], slots(driven.joint));
      if (!(drive.spring.stiffness > 0.0)) continue;
      rows[0].residual = environment_.kinematics().coordinate(driven.joint, driven.coordinate, at) - drive.spring.rest;
      system_.set_compliance(block, 1.0 / drive.spring.stiffness);
      system_.set_rows(block++, rows);
    }
    const int first = static_cast<int>(system_.offsets().size() - contacts_.size());
    for (const Resting& resting : contacts_) {
      const Touch touch = maker_.meeting(resting.contact.geometry).touch;
      const double about = std::max(touch.depth, resting.about);
      const double force = resting.contact.normal.evaluate(about, 0.0).force;
      const double stiffness = resting.contact.normal.exponent * force / about;
      rows.assign(1, {});
      JointRow& row = rows[0];
      const Vector3d lever =
          touch.point - motions_.paths.state(bodies_[static_cast<std::size_t>(resting.body)]).position;
      row.sides[0] = {touch.normal, lever.cross(touch.normal)};
      row.residual = about - touch.depth - force / stiffness;
      system_.set_compliance(block, 1.0 / stiffness);
      system_.set_rows(block++, rows);
    }
    system_.factor();
    system_.correct(twists_, &JointSystem::Offset::residual);
    pushes_ = true;
    for (std::size_t k = 0; k < contacts_.size(); ++k) {
      pushes_ = pushes_ && system_.forces()[static_cast<std::size_t>(first) + k] >= 0.0;
      contacts_[k].about = std::min(contacts_[k].about, 0.5 * contacts_[k].about + 0.5 * depth_of(contacts_[k]));
    }
    double largest = 0.0;
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
      BodyState state = motions_.paths.state(bodies_[k]);
      const Vector3d turn = system_.bodies[k].axes * twists_[k].angular;
      state.position += twists_[k].linear;
      state.orientation = (rotation_by(turn) * state.orientation).normalized();
      maker_.scene().paths.set_state(bodies_[k], state);
      largest = std::max(largest, twists_[k].linear.norm() / environment_.body(bodies_[k]).size + turn.norm());
    }
    return largest;
  }
  /// The move that a force along a row would make without joints and contacts.
  void push(double force, const JointRow& row, const JointSystem::Slots& at) {
    for (std::size_t side = 0; side < 2; ++side) {
      if (at[side] < 0) continue;
      const auto slot = static_cast<std::size_t>(at[side]);
      const HeldInertia& body = system_.bodies[slot];
      twists_[slot].linear += force * body.inverse_mass * row.sides[side].linear;
      twists_[slot].angular +=
          force * body.inverse_moments.cwiseProduct(body.axes.transpose() * row.sides[side].angular);
    }
  }
  [[nodiscard]] double depth_of(const Resting& resting) const {
    return std::max(maker_.meeting(resting.contact.geometry).touch.depth, 0.0);
  }

  const ContactMaker& maker_;
  const Motions& motions_;
  const Environment& environment_;
  std::vector<BodyIndex> bodies_;
  std::vector<JointIndex> joints_;
  std::vector<Driven> driven_;
  std::vector<Resting> contacts_;
  JointSystem system_;
  std::vector<Twist> twists_;
  double loose_ = 0.0;      ///< τ²
  double travelled_ = 0.0;  ///< relative to size
  bool pushes_ = false;     ///< all contacts do
};

}  // namespace

void settle_joined_bodies(const ContactMaker& maker, const Motions& motions) {
  const Environment& environment = maker.scene().environment;
  if (!environment.has_joints()) return;
  std::vector<BodyIndex> joined;
  for (const BodyIndex body : environment.model().bodies.indices())
    if (!environment.body(body).joints.empty()) joined.push_back(body);
  contact::Groups together(joined);
  for (const BodyIndex body : joined)
    for (const JointIndex joint : environment.body(body).joints)
      for (const BodyIndex other : environment.kinematics().bodies(joint))
        if (other != kNone) together.join(body, other);
  std::vector<std::vector<BodyIndex>> groups(together.count());
  for (const BodyIndex body : joined) groups[together.number_of(body)].push_back(body);
  for (const std::vector<BodyIndex>& bodies : groups) {
    Balance balance(maker, motions, bodies);
    if (balance.begins() && balance.find()) maker.scene().book.note_settled();
  }
}

}  // namespace carom::smooth
