#pragma once
/// Bodies and obstacles as the rigid engine sees them: how each moves, and where it is at the present instant.
///
/// Every body lives at its own time: its motion (contact/motion.h) holds from its last event on. State at the present
/// instant is computed when it is asked for and kept; an impact replaces it by the state after the jump, and set_motion
/// or fly makes a new motion of it.

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "carom/base/archive.h"
#include "carom/contact/cell_grid.h"
#include "carom/contact/contact_point.h"
#include "carom/contact/gap_search.h"
#include "carom/contact/motion.h"
#include "carom/contact/pieces.h"
#include "carom/contact/time_of_impact.h"
#include "carom/mechanics/joint_rows.h"
#include "carom/mechanics/meeting.h"
#include "carom/mechanics/model.h"
#include "carom/mechanics/script_progress.h"
#include "carom/mechanics/state.h"

namespace carom::event {

using contact::ContactPoint;
using contact::Motion;
using contact::Mover;
using Eigen::Quaterniond;
using Eigen::Vector3d;

using Bodies = std::vector<BodyIndex>;

/// A contact of a crowded island counts as closed up to this part of the size: the height of bounces that settle.
inline constexpr double kCrowdGap = 1e-4;
/// Steps of crowds let bodies overlap by this part of their width.
inline constexpr double kCrowdDepth = 5e-7;
/// Gaps within which bodies that have moved so rest on each other, relative to the size; across wider ones nothing is
/// borne yet.
inline constexpr double kCrowdClosed = 2e-7;

/// A body or an obstacle.
struct Object {
  std::vector<Mover> parts;  ///< in the order of the model
  Motion motion;
  std::uint32_t version = 0;  ///< counts changes of the motion
  double size = 0.0;          ///< bounding radius; infinite for unbounded obstacles

  // Bodies only.
  double mass = 0.0;
  Vector3d inertia = Vector3d::Zero();
  Quaterniond principal_axes = Quaterniond::Identity();
  Vector3d free_acceleration = Vector3d::Zero();  ///< gravity and constant forces
  bool round = false;  ///< a sphere about its centre with equal moments of inertia: its attitude matters to nothing
  bool integrated = false;  ///< springs, resistance, a torque, a rod or a joint: no closed form
  bool in_place = false;    ///< settled, no place changes: at rest, or a ball that pivots
  bool at_rest = false;     ///< settled, nothing moves
  bool crowded = false;     ///< in an island of many contacts, whose gaps may be open a little (kCrowdGap)
  bool from_heap = false;   ///< has been in one
  bool rattles = false;     ///< struck so often that its bounces are minute (busy_bodies.h)
  std::vector<ConstraintIndex> constraints;
  std::vector<JointIndex> joints;
  std::vector<LoadIndex> loads;
  std::vector<SpringIndex> springs;
  std::vector<std::vector<contact::BodyPart>> pieces;  ///< of each part, that come down on planes

  /// Whether something else than gravity, constant forces and contacts guides it.
  [[nodiscard]] bool is_guided() const { return integrated || !constraints.empty(); }
};

/// What searches among many bodies look at first, packed: the ball around a body and how it flies.
struct Flight {
  Vector3d position = Vector3d::Zero();  ///< at `start`
  Vector3d velocity = Vector3d::Zero();
  Vector3d acceleration = Vector3d::Zero();
  double start = 0.0;
  double start_carry = 0.0;
  double radius = 0.0;
  double end = contact::kForever;  ///< of this motion
  double spread = 0.0;             ///< of the acceleration, where the motion is not in closed form
  double lasted = 0.0;             ///< how long the motion before it did [s]
  bool exact = false;              ///< in closed form

  [[nodiscard]] double since(double time, double carry) const { return (time - start) + (carry - start_carry); }
  [[nodiscard]] Vector3d position_after(double tau) const {
    return position + tau * (velocity + (0.5 * tau) * acceleration);
  }
  [[nodiscard]] Vector3d velocity_after(double tau) const { return velocity + tau * acceleration; }
};

class World {
 public:
  World(std::shared_ptr<const Model> model, const State& initial);
  World(const World& other);
  World& operator=(const World&) = delete;

  [[nodiscard]] const Model& model() const { return *model_; }
  [[nodiscard]] int body_count() const { return model_->body_count(); }
  [[nodiscard]] bool is_body(ObjectIndex index) const { return index < body_count(); }
  [[nodiscard]] const Object& object(ObjectIndex index) const { return objects_[index]; }
  /// Bodies and obstacles.
  [[nodiscard]] std::size_t object_count() const { return static_cast<std::size_t>(model_->object_count()); }
  [[nodiscard]] IndexRange<BodyIndex> bodies() const { return model_->bodies.indices(); }
  [[nodiscard]] IndexRange<ObjectIndex> obstacles() const { return model_->obstacle_indices(); }
  /// What joints hold bodies to where there is no second one: behind all obstacles, without a shape.
  [[nodiscard]] ObjectIndex ground() const { return model_->object_count(); }
  /// Whether the two may meet at all, now.
  [[nodiscard]] bool may_meet(ObjectIndex a, ObjectIndex b) const {
    return meeting_.may_meet(a, b) && (progress_.is_on.empty() || progress_.allows(model_->switches, a, b));
  }
  [[nodiscard]] const JointKinematics& joints() const { return joints_; }
  /// How two parts of a contact's objects stand to each other.
  [[nodiscard]] static const PairFunction& pair(const Mover& a, const Mover& b);
  [[nodiscard]] const PairFunction& pair(const ContactPoint& contact) const {
    return pair(part(contact.a, contact.part_a), part(contact.b, contact.part_b));
  }
  [[nodiscard]] const Mover& part(ObjectIndex index, int part) const {
    return objects_[index].parts[static_cast<std::size_t>(part)];
  }
  [[nodiscard]] const Flight& flight(BodyIndex body) const { return flights_[body]; }
  /// The flight of a body, begun anew now.
  [[nodiscard]] Flight flight_now(BodyIndex body);
  [[nodiscard]] contact::CellGrid& grid() { return grid_; }
  [[nodiscard]] const contact::CellGrid& grid() const { return grid_; }

  // ----- the present instant, time() + carry()
  [[nodiscard]] double time() const { return time_; }
  [[nodiscard]] double carry() const { return carry_; }
  [[nodiscard]] std::uint64_t instant() const { return instant_; }  ///< its number
  /// Goes on to a later instant; an earlier one changes nothing.
  void move_to(double time, double carry);
  [[nodiscard]] const BodyState& now(ObjectIndex index);
  [[nodiscard]] Vector3d centre_now(BodyIndex body) {
    const Flight& flight = flights_[body];
    return flight.exact ? flight.position_after(flight.since(time_, carry_)) : now(body).position;
  }
  /// The state after a jump.
  void set_now(BodyIndex body, const BodyState& state);
  /// A state that is known already at that time, for instance after a jump; null where it is not.
  [[nodiscard]] const BodyState* known_at(BodyIndex body, double time) const;
  [[nodiscard]] double rate_of(const ContactPoint& contact) {
    return gap_rate(contact, now(contact.a), now(contact.b));
  }
  /// Velocity of a's point against b's.
  [[nodiscard]] Vector3d relative_velocity(const ContactPoint& contact) {
    return contact::point_velocity(now(contact.a), contact.point_a) -
           contact::point_velocity(now(contact.b), contact.point_b);
  }
  /// Acceleration of b's point where a motion drives b; zero for all others.
  [[nodiscard]] Vector3d wall_acceleration(const ContactPoint& contact) const;
  /// Of the fastest point of a body, at most.
  [[nodiscard]] double fastest_point(BodyIndex body) {
    return now(body).velocity.norm() + now(body).angular_velocity.norm() * object(body).size;
  }
  [[nodiscard]] double kinetic_energy(const Bodies& bodies);
  [[nodiscard]] double kinetic_energy(BodyIndex body, const BodyState& state) const;
  /// The two parts of a contact where they are now.
  [[nodiscard]] contact::PlacedPair placed(const ContactPoint& contact);
  /// Along what parts of two objects, a before b, were last seen apart; kept here for all who look at them.
  [[nodiscard]] contact::SeparatingDirection& apart(ObjectIndex a, int part_a, ObjectIndex b, int part_b);
  [[nodiscard]] ContactPoint followed_now(const ContactPoint& contact);

  // ----- turns of joints
  /// As they were last noted; those at any instant since are within half a turn of them.
  [[nodiscard]] const JointTurns& turns(JointIndex joint) const { return turns_[joint]; }
  /// Those of a state since then.
  [[nodiscard]] JointTurns turns(JointIndex joint, const Indexed<BodyIndex, BodyState>& bodies) const;
  /// What a joint depends on at the present instant.
  [[nodiscard]] JointStates states_of(JointIndex joint);
  [[nodiscard]] const std::vector<LimitIndex>& limits(JointIndex joint) const { return limits_[joint]; }
  /// A limit of a joint as a contact at the present instant.
  [[nodiscard]] ContactPoint limit_now(const LimitIndex& limit) {
    return contact::limit_contact(joints_, limit, states_of(limit.joint), ground());
  }
  /// Notes the turns of the joints of these bodies at the present instant.
  void note_turns(const Bodies& bodies);

  // ----- what the script of the model has changed
  [[nodiscard]] ScriptProgress& progress() { return progress_; }
  [[nodiscard]] const ScriptProgress& progress() const { return progress_; }
  /// Goes on with a model of the same objects whose joints have other drives, or that are released.
  void change_joints(std::shared_ptr<const Model> model);
  /// The value of a level this long after the present instant, along the present motions.
  [[nodiscard]] double level_after(const Level& level, double tau) const;
  /// Up to what its value now is round-off.
  [[nodiscard]] double level_roundoff(const Level& level) const;
  /// The distance of two objects then, and its rate.
  [[nodiscard]] contact::GapSample distance_after(ObjectIndex a, ObjectIndex b, double tau) const;

  // ----- motion from now on
  void set_motion(BodyIndex body, const Motion& motion, bool crowded = false);
  /// Free flight from the present state.
  void fly(BodyIndex body);
  /// At rest where it is, but for the spin of a ball.
  void stop(BodyIndex body, bool crowded = false, const Vector3d& spin = Vector3d::Zero());
  void set_rattles(BodyIndex body, bool rattles) { objects_[body].rattles = rattles; }
  [[nodiscard]] int moving_count() const { return moving_; }  ///< bodies that change their places
  /// Whether an obstacle moves, now or later.
  [[nodiscard]] bool is_moving(ObjectIndex obstacle) const;

  /// What a run goes on from, into an archive or back (event_checkpoint.cpp).
  void transfer(Archive& archive);

 private:
  /// Asks for a level, or for its round-off, this long after the present instant.
  using LevelQuestion = double (*)(const Level&, const JointKinematics&, const StateView&);
  [[nodiscard]] double ask(LevelQuestion question, const Level& level, double tau) const;
  void add_bodies(const State& initial);
  void add_obstacles();
  void add_couplings();
  void note_motion(BodyIndex body);
  void transfer_motion(Archive& archive, Object& body);

  std::shared_ptr<const Model> model_;
  std::shared_ptr<const Model> shapes_;  ///< the model that the parts of objects belong to
  ScriptProgress progress_;
  MeetingRules meeting_;
  JointKinematics joints_;
  Indexed<JointIndex, JointTurns> turns_;
  Indexed<JointIndex, std::vector<LimitIndex>> limits_;
  Indexed<ObjectIndex, Object> objects_;
  Indexed<BodyIndex, Flight> flights_;
  contact::CellGrid grid_;
  double time_ = 0.0;
  double carry_ = 0.0;
  std::uint64_t instant_ = 1;
  Indexed<ObjectIndex, BodyState> states_;             ///< at the instant of the mark
  Indexed<ObjectIndex, std::uint64_t> state_instant_;  ///< the mark
  int moving_ = 0;
  Indexed<ObjectIndex, std::uint64_t> parts_before_;  ///< of all objects with smaller numbers
  std::unordered_map<std::uint64_t, contact::SeparatingDirection> apart_;
};

}  // namespace carom::event
