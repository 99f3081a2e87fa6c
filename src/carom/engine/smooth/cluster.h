#pragma once
/// Bodies that act on each other, as one system of differential equations.
///
/// State: y = [positions 3n | velocities 3n | of each body that spins: attitude (4), angular velocity, world (3) | of
/// each contact what it has done so far (Contact::extras) | works of dampers, of driven obstacles, of load torques].
/// The contacts are fixed while a cluster is integrated, so the right-hand side is a smooth function of the state
/// (friction laws may have kinks, which the error control sees).

#include <span>
#include <utility>
#include <vector>

#include "carom/engine/smooth/contact.h"
#include "carom/engine/smooth/environment.h"
#include "carom/numerics/stepper/stepper.h"

namespace carom::smooth {

class Cluster final : public OdeSystem {
 public:
  static constexpr int kWorks = 3;  ///< dampers, driven obstacles, torques

  explicit Cluster(const Environment& environment) : environment_(&environment) {}

  std::vector<int> bodies;
  std::vector<Contact> contacts;

  /// Lays the state out for the present bodies and contacts, and writes it from the states of the bodies (indexed as in
  /// the model) at `time`. Attitudes of bodies that do not spin go on uniformly from here.
  void begin(double time, const std::vector<BodyState>& states, std::vector<double>& y);

  [[nodiscard]] int size() const override { return size_; }
  [[nodiscard]] int position_count() const override { return 3 * static_cast<int>(bodies.size()); }
  void slope(double time, const double* y, double* slope) override;

  /// The state of the body in a slot.
  [[nodiscard]] BodyState body_state(int slot, double time, const double* y) const;
  /// How a contact stands, and the rate at which its gap opens.
  struct Standing {
    Touch touch;
    double rate = 0.0;                       ///< of the gap: negative, it gets deeper
    Vector3d slip = Vector3d::Zero();        ///< tangential velocity of a against b
    Vector3d velocity_b = Vector3d::Zero();  ///< of b at the point
    // Of dents, for a unit of normal force: on a's centre (the reaction on b's), and torques.
    Vector3d pull = Vector3d::Zero(), torque_a = Vector3d::Zero(), torque_b = Vector3d::Zero();
  };
  /// Gap and its rate alone.
  struct Gap {
    double gap, rate;
  };
  [[nodiscard]] Gap gap(const Contact& contact, double time, const double* y) const;
  [[nodiscard]] Standing standing(const Contact& contact, double time, const double* y) const;
  /// Energy stored in a contact: along its normal, and in its tangential spring [J].
  struct Stored {
    double normal = 0.0, tangential = 0.0;
  };
  [[nodiscard]] Stored stored(const Contact& contact, double time, const double* y) const;

  /// Copies what the contacts have done from the state into them.
  void read_contacts(const double* y);
  /// Of dampers, driven obstacles and torques.
  [[nodiscard]] const double* works(const double* y) const {
    static constexpr double kNone[kWorks] = {};
    return environment_->others_work() ? y + size_ - kWorks : kNone;
  }

  /// The error per step allowed for each component, from the penetrations and speeds of the contacts.
  void scale(double time, const double* y, double rtol, std::vector<double>& scale);
  /// Time in which the quickest contact changes, and in which a new one begins to matter; infinite without contacts.
  [[nodiscard]] double contact_time() const { return contact_time_; }
  [[nodiscard]] double speed_scale() const { return speed_scale_; }
  [[nodiscard]] double depth_scale() const { return depth_scale_; }

  /// Whether anything has to be put back onto constraints after a step, and that.
  [[nodiscard]] bool constrained() const { return constrained_; }
  void project(double time, double* y) const;
  /// The largest error of a constraint, relative to the rod's length or the body's size.
  [[nodiscard]] double drift(double time, const double* y) const;

 private:
  struct Slot {
    int body = kNone;
    int rest = kNone;  ///< where its attitude and spin stand in the state; kNone: it does not spin
    double began = 0.0;
    Quaterniond attitude = Quaterniond::Identity();  ///< at `began`, of one that does not spin
    Vector3d spin = Vector3d::Zero();
    double plane_offset[2] = {0.0, 0.0};  ///< n·x of planar constraints
    double rolling_height = 0.0;          ///< of the centre above the plane it rolls on
  };
  struct SpringEnds {
    int spring = 0;
    int slot_a = kNone, slot_b = kNone;
    bool central = false;  ///< between the centres
  };
  /// What the right-hand side works with.
  struct Motion {
    Vector3d position, velocity, spin;
    Quaterniond attitude;
    Vector3d force, torque;
  };

  void read_motion(const double* y);
  void read_place(int slot, const double* y, Motion& motion) const;
  [[nodiscard]] const Driven& obstacle(int object, double time) const;
  [[nodiscard]] Standing stand(const Contact& contact, const Motion& a, const Motion* b, const Driven& driven) const;
  void add_dents(const PairGeometry& g, const Motion& a, const Motion* b, const Driven& driven, Standing& s) const;
  /// What friction needs to know of a contact.
  struct Sliding {
    Vector3d normal, slip;
    Vector3d turning;  ///< angular velocity of a against b
    double normal_force;
  };
  [[nodiscard]] Vector3d rub(const Contact& contact, const Vector3d& normal, const Vector3d& slip, double normal_force,
                             const double* y, double* slope) const;
  [[nodiscard]] Vector3d add_friction(const Contact& contact, const Sliding& sliding, const double* y, double* slope,
                                      Vector3d& force) const;
  [[nodiscard]] bool in_dent(const Contact& contact, double time) const;
  void add_round_contact(const Contact& contact, double time, const double* y, double* slope);
  void add_held_contact(const Contact& contact, const double* y, double* slope);
  void add_plain_contact(const Contact& contact, double* slope);
  void add_contact(const Contact& contact, double time, const double* y, double* slope);
  double add_springs();
  void add_loads(double& damping_power, double& torque_power);
  template <class Add>
  void each_row(const Slot& slot, const Motion& motion, double time, bool velocities, const Add& add) const;
  void constrain_accelerations(const Slot& slot, const Motion& motion, double time, Vector3d& linear,
                               Vector3d& angular) const;
  [[nodiscard]] static Vector3d angular_acceleration(const BodyInfo& info, const Motion& motion);
  void collect_springs();

  const Environment* environment_;
  std::vector<Slot> slots_;
  std::vector<SpringEnds> springs_;
  std::vector<Motion> motion_;
  int size_ = 0;
  bool constrained_ = false;
  bool has_loads_ = false;
  double contact_time_ = 0.0, speed_scale_ = 0.0, depth_scale_ = 0.0;
  double wall_power_ = 0.0;
  mutable std::vector<std::pair<double, Driven>> obstacles_;  ///< those that move, as they were asked for last
};

}  // namespace carom::smooth
