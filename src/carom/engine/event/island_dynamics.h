#pragma once
/// The equations of motion of an island, and its integrated steps.
///
///   m v̇ = m g + F − c v + springs + Σ contacts,   J ω̇ + ω × Jω = A_pᵀ(torques),   ẋ = v,   q̇ = ½ q ω
/// Rows of contacts: contact_point.h; of joints and constraints: joint_rows.h, with exact biases. Where a contact lies
/// between two kinds of places and its rates have no closed form, the biases d/dt(row)·v are central differences of the
/// rate along the motion, of fourth order with displacements of 1e-3 (relative error about 1e-12); what drifts off a
/// contact is put back after every step.
///
/// During a step the set of persistent contacts and what each does (ContactMode) is fixed and acts as a set of
/// equations, which keeps the right-hand side smooth: a gap that stays closed, no slip where a contact sticks, a
/// friction force −μ_k λ ê along the slip where it slides. Within the step it is looked for the first instant at which
/// that ceases to hold (island_modes.cpp): a contact that pulls, slip that has come to its end, a force beyond μ_s λ.

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "carom/contact/contact_point.h"
#include "carom/engine/event/island.h"
#include "carom/engine/event/island_held.h"
#include "carom/engine/event/island_row.h"
#include "carom/engine/event/joint_elimination.h"
#include "carom/mechanics/contact_dynamics.h"
#include "carom/mechanics/contact_load.h"
#include "carom/mechanics/joint_rows.h"
#include "carom/mechanics/model.h"
#include "carom/numerics/dense_runge_kutta.h"
#include "carom/numerics/extrapolated_iteration.h"
#include "carom/numerics/gauss_collocation.h"

namespace carom::event {

class IslandDynamics {
 public:
  /// `tolerance`: accuracy of integrated steps, dense output included.
  explicit IslandDynamics(const Model& model, double tolerance = 1e-13);
  /// Whether velocities between the ends of steps may be off joints by more than a law accepts.
  [[nodiscard]] bool is_coarse() const { return tolerance_ > 1e-12; }
  /// Goes on with a model of the same objects and other joints.
  void change_joints(const Model& model) {
    model_ = &model;
    joints_ = JointKinematics(model);
    held_ = HeldIsland(model);
  }

  /// Accelerations with unilateral contacts at a state. Order of the results: six per body; contacts in order.
  AccelerationStatus solve_unilateral(const Island& island, double time, const double* y);
  /// The same with all contacts as equations.
  AccelerationStatus solve_bilateral(const Island& island, double time, const double* y);
  [[nodiscard]] const ContactDynamics& answer() const { return dynamics_; }
  /// Forces of all rows at the last answer(): constraints, joints, then normal and tangents contact by contact.
  [[nodiscard]] std::span<const double> row_forces() const { return answer_force_; }
  /// The two directions of the tangential rows of contact i, world. Where a normal is on the border between two choices
  /// of them, round-off decides: they are not to be computed anew.
  [[nodiscard]] std::span<const Vector3d, 2> tangents(std::size_t contact) const {
    return std::span<const Vector3d, 2>(tangent_.data() + 2 * contact, 2);
  }
  /// The same of an island that joints alone hold (HeldIsland::fits): fills acceleration().
  void solve_held(const Island& island, double time, const double* y);
  /// What the joints of an island do at a state, written among those of the model: what holds, drives, springs and rubs
  /// in each, limits apart; not a number where contacts leave it open (island_loads.cpp).
  void write_joint_loads(const Island& island, double time, const double* y, Indexed<JointIndex, JointLoad>& loads);
  /// The energy of gravity, springs and loads that the bodies have where they are.
  [[nodiscard]] double potential(const Island& island, double time, const double* y);
  /// Where the forces of contacts come from: from what they do during a step, from the balance at a state, from the
  /// last crowded step of the island, or from the balance of a crowd.
  enum class LoadSource { modes, balance, crowded_step, crowd_balance };
  /// Adds what the contacts of an island do at a state, limits of joints apart; forces are not numbers where it does
  /// not work out (island_contact_loads.cpp).
  void append_contact_loads(const Island& island, double time, const double* y, LoadSource source,
                            std::vector<ContactLoad>& loads);
  /// The same with what each contact does, friction of sliding ones included; false where it does not work out.
  bool solve_modes(const Island& island, double time, const double* y) {
    build(island, time, y);
    return solve_sliding(island);
  }
  /// Accelerations and friction's power at the last solve_modes.
  [[nodiscard]] const std::vector<double>& acceleration() const { return acceleration_; }
  [[nodiscard]] double friction_power() const { return friction_power_; }
  /// Sliding contacts that the friction drives together the more they are pressed (Painlevé), one entry per contact.
  [[nodiscard]] std::vector<bool> jammed(const Island& island, double time, const double* y);

  /// Velocities nearest to those of y (in the metric) that the contacts allow: the first `held` of them with rates zero
  /// (sticking ones without slip), the others with rates ≥ 0. Written into y; none where there is no answer.
  std::optional<VelocityCorrection> project_velocities(const Island& island, double time, double* y, std::size_t held);
  /// Whether velocities satisfy its constraints and joints as closely as impact problems need them to, relative to the
  /// velocities.
  [[nodiscard]] bool satisfies_constraints(const Island& island, double time, const double* y);
  /// The same of an island without contacts; adds the impulses of its joints.
  std::optional<VelocityCorrection> hold_velocities(const Island& island, double time, double* y,
                                                    Indexed<JointIndex, JointLoad>& impulses);
  /// The speed that others of the island are measured by: of its fastest point, or what forces give it over its size.
  [[nodiscard]] double speed_scale(const Island& island, const double* y);
  /// The time in which the fastest point covers the size of the smallest body.
  [[nodiscard]] double time_scale(const Island& island) const;
  /// The largest acceleration that a crowded island would have from a stand, with whole cones, to a part of 1e-6.
  [[nodiscard]] double unbalanced(const Island& island, double time, const double* y);
  /// For each of its contacts, whether it presses there.
  [[nodiscard]] std::vector<char> pressing_in_balance(std::size_t contacts) const;
  /// What positions, sweeps and the trapezoidal rule of a crowded step have taken from the energy up to a later state.
  [[nodiscard]] double left_over(const Island& island, const std::vector<double>& later) const;
  /// The state after a short time under the accelerations of answer().
  [[nodiscard]] std::vector<double> moved_on(const Island& island, const double* y, double time) const;
  /// g̈ of a contact under the accelerations of answer(), which was solved for the same bodies.
  [[nodiscard]] double gap_acceleration(const Island& island, const ActiveContact& active, double time);
  /// Impulses that only push and let no sticking contact slip, while the bodies have a motion more in which all
  /// contacts approach by `approach`, as far as one has that; sticking ones with a limit within μ_k. Fills answer();
  /// false where there are none.
  bool press_together(const Island& island, double time, const double* y, double approach);
  /// The gaps of all rows as their biases; returns whether any is not closed.
  bool put_gaps();
  /// Puts the bodies back on their contacts, constraints and joints, in the metric; false where joints cannot be kept.
  bool project_positions(const Island& island, double time, double* y);
  /// What dry joints do from a state on: those that move slide on, those that do not stick where friction at rest can
  /// hold them, or are held by others (island_dry_joints.cpp).
  void choose_dry_modes(Island& island, double time, const double* y);
  /// Whether dry joints that stick keep a joint where it is that has come to this limit.
  [[nodiscard]] bool friction_holds(const Island& island, const LimitIndex& limit, double time, const double* y);
  /// The same without the contacts.
  bool put_on_joints(const Island& island, double time, double* y);

  /// Rows of constraints and joints at the last solve, which come before those of contacts.
  [[nodiscard]] std::size_t persistent_row_count() const;
  /// n·G⁻¹·n of contact i at the last solve.
  [[nodiscard]] double inertance(int contact) const { return inertance_[static_cast<std::size_t>(contact)]; }
  /// Work per time that driven obstacles do on the island, at the last solve.
  [[nodiscard]] double wall_power() const { return wall_power_; }
  /// Work per time that motors do, at the last solve.
  [[nodiscard]] double motor_power() const { return motor_power_ + motor_force_power_; }
  /// Largest size of a force over mass [m/s²] at the last solve.
  [[nodiscard]] double acceleration_scale() const { return acceleration_scale_; }

  /// One integrated step from island.state at island.time, at most to `horizon`; fills after, dense, step, opens.
  /// False where no step size worked.
  bool take_step(Island& island, double horizon);

  long accepted = 0, rejected = 0, evaluations = 0;

  /// What a run goes on from, into an archive or back (island_checkpoint.cpp).
  void transfer(Archive& archive);

  /// Pairs of sweeps over impulses, at most, and the part of the changes of friction that they take.
  struct Sweeps {
    double friction;
    int most;
    int patience = 5;  ///< sweeps after which they have to have brought something
  };

 private:
  static constexpr int kPerBody = Island::kPerBody;

  using Row = IslandRow;
  using Link = IslandLink;
  void copy_links(const std::vector<Row>& pushing);
  void turn_with(const std::vector<Vector3d>& tangents, std::vector<Row>& rows) const;
  double relax_normal(std::size_t row, std::vector<double>& velocity);
  /// Of one contact with friction, normal first.
  struct OwnRates {
    Eigen::Matrix3d matrix, inverse;
    double tangential;
  };
  void take_own_rates();
  [[nodiscard]] Vector3d own_impulse(const ActiveContact& active, const OwnRates& own, const Vector3d& impulse,
                                     const Vector3d& rate) const;
  double relax_contact(const ActiveContact& active, std::size_t block, double part, std::vector<double>& velocity);
  void hold_constraints(std::vector<double>& velocity);
  double sweep_until(const Island& island, const Sweeps& sweeps, std::vector<double>& velocity, double tolerance);
  double relax(const Island& island, std::size_t block, double part, std::vector<double>& velocity);
  double sweep_once(const Island& island, double part, bool back, std::vector<double>& velocity);
  void choose_unquiet(double quiet);
  double sweep_chosen(const Island& island, const Sweeps& sweeps, int& left, std::vector<double>& velocity,
                      double tolerance);
  void sweep_velocities(const Island& island, std::vector<double>& velocity);
  bool swept_without_slip(const Island& island, std::vector<double>& velocity);
  void choose_blocks(const Island& island, double h);
  void begin_with_forces(const Island& island, std::vector<double>& velocity);
  void end_approach(Island& island);
  void let_return(const Island& island);
  [[nodiscard]] double spring_step(const Island& island) const;
  void turn_discs(Island& island);
  void take_crowded_step(Island& island, double horizon);
  void try_crowded_step(Island& island);
  [[nodiscard]] double distance_of(const ContactPoint& contact) const;
  /// Relative to how thin bodies are.
  struct Overlaps {
    double at_contacts = 0.0;
    double elsewhere = 0.0;  ///< where that is more
  };
  Overlaps overlaps_until(const Island& island, double part);
  double deepest_overlap(Island& island);
  double part_until_opening(Island& island);
  [[nodiscard]] bool creates_energy(const Island& island) const;
  void leave_open_contacts(const Island& island, double time, const double* y);
  void finish_crowded_step(Island& island, const std::vector<double>& before, const std::vector<double>& after);
  double part_overlaps(Island& island);
  void close_gaps(const Island& island, double size, double* y);
  void put_crowd_back(Island& island);
  void put_on_constraints(Island& island);
  void take_created_energy(Island& island);
  [[nodiscard]] bool may_be_slowed(const Island& island) const;
  [[nodiscard]] double slowing_of_end(const Island& island, const std::vector<double>& after) const;
  [[nodiscard]] double kinetic_energy(const Island& island, const std::vector<double>& state) const;
  void put_back(Island& island);
  bool integrate_step(Island& island, double horizon);
  /// How a step that was tried went: at most 1 is good.
  struct Tried {
    double error;
    double factor;  ///< for the next one
  };
  /// Whether steps are explicit ones; otherwise by collocation, which keeps energy to round-off.
  [[nodiscard]] bool steps_explicitly() const;
  Tried try_step(Island& island, double h);
  /// The motion of the step just made.
  [[nodiscard]] DensePolynomial step_motion() const {
    return steps_explicitly() ? runge_kutta_.dense() : collocation_.dense();
  }
  /// What beside the joints of an island may keep a coordinate where it is.
  enum class Holders { joints, limits, friction };
  [[nodiscard]] bool lets_move(const Island& island, Holders holders, const DryJoint& which, double time,
                               const double* y);
  bool stop_holding(Island& island, double time, const double* y);
  DryJoint* furthest_beyond(Island& island) const;
  /// What accelerations of a dry joint's coordinate are none.
  [[nodiscard]] double no_acceleration(const DryJoint& dry) const;
  [[nodiscard]] double coordinate_acceleration(const Island& island, const DryJoint& dry, double time,
                                               const double* y) const;
  [[nodiscard]] bool is_on_disc(const ContactPoint& contact) const;
  [[nodiscard]] bool keeps_features(const Island& island, double time, const double* y);

  void build(const Island& island, double time, const double* y);
  void take_masses(const Island& island);
  void build_forces(const Island& island, const double* y);
  void add_spring(const Island& island, const Spring& spring, const double* y);
  void add_force(int slot, const double* y, const Vector3d& force, const Vector3d& point);
  /// All rows at a configuration. Their rates are those with velocity_.
  void build_rows(const Island& island, double time, const double* y);
  void add_contact_rows(const Island& island, const ContactPoint& contact, int owner, ContactMode mode);
  void add_constraint_rows(const Island& island, const Constraint& constraint, double time, const double* y);
  // Joints (island_joints.cpp).
  void add_joint_rows(const Island& island, double time, const double* y);
  void add_limit_row(const Island& island, int contact, double time, const double* y);
  void add_persistent_row(const JointRow& row, const std::array<int, 4>& slots, double size, const double* y);
  [[nodiscard]] bool is_small_move(const Island& island) const;
  void read_members(const Island& island, const double* y);
  [[nodiscard]] JointStates joint_states(const Island& island, JointIndex joint, double time) const;
  void add_dry_rows(const Island& island, double time, const double* y);
  void add_dry_forces(const Island& island, const double* y);
  void push_coordinate(const Island& island, JointIndex joint, const JointRow& row, double force, const double* y);
  // Joints that are eliminated before the contacts are asked (island_reduced.cpp).
  [[nodiscard]] bool eliminates_joints(const Island& island) const;
  void hold_joints();
  double take_left_row(const Row& row, double* entries);
  void take_joint_forces(std::vector<double>& pushed, std::vector<double>& forces);
  bool add_contact_accelerations(const Island& island, double time, const double* y);
  /// The ways in which contacts can push, at the last solve().
  [[nodiscard]] std::vector<HeldIsland::ContactPush> contact_pushes() const;
  /// The force, or torque, that dry joint i needs to stick, at the last solve.
  [[nodiscard]] double dry_force(const Island& island, std::size_t i) const;
  /// How far the dry joints are from doing something else; negative where one does.
  [[nodiscard]] double dry_margin(const Island& island, double time, const double* y);
  void find_dry_change(Island& island);
  /// Ends the step where what joints keep becomes dependent.
  void find_singular_position(Island& island);
  /// Springs, dampers and motors of finite force.
  void add_joint_forces(const Island& island, const double* y);
  /// Forces of rows_, built for the state; false where they are not known.
  bool find_contact_forces(const Island& island, double time, const double* y, LoadSource source);
  [[nodiscard]] SlipMode slip_mode(const ActiveContact& active, const ContactPoint& contact) const;
  void book_row_power(const Row& row, double force) {
    (row.motor ? motor_power_ : wall_power_) -= force * row.wall_rate;
  }
  /// Whether all joints turn so little in the step just made that no whole turn is missed.
  [[nodiscard]] bool turns_are_counted(const Island& island);
  void build_biases(const Island& island, double time, const double* y);
  /// Torques against rolling and spinning, per normal force (island_resistance.cpp).
  void build_resistance(const Island& island, double time, const double* y);
  void add_resistance(std::size_t normal_row, double* column) const;
  /// solve(island, 0) with these torques.
  AccelerationStatus solve_resisted(const Island& island);
  void slope(const Island& island, double time, const double* y, double* out);
  bool solve_independent();
  void find_profile();
  /// Accelerations with all equations, sliding contacts with their friction (island_friction.cpp).
  bool solve_sliding(const Island& island);
  /// The slip's direction in the tangent rows that follow row r, the normal of contact `owner`.
  [[nodiscard]] Eigen::Vector2d slip_direction(const Island& island, std::size_t normal_row) const;
  [[nodiscard]] Eigen::Vector2d slip_at(std::size_t normal_row) const {
    return {rows_[normal_row + 1].rate, rows_[normal_row + 2].rate};
  }
  [[nodiscard]] ContactFriction friction_of(const Island& island, std::size_t normal_row) const;
  /// With the first `held` contacts as equations, the others one-sided.
  AccelerationStatus solve(const Island& island, std::size_t held);
  void find_opening(Island& island);
  /// Whether friction within its limits does what the modes say, and how long they will last (island_modes.cpp).
  [[nodiscard]] bool keeps_modes(const Island& island, double time, const double* y);
  [[nodiscard]] bool pushes_itself_in(std::size_t normal_row) const;
  void mark_limits(Island& island, double time, const double* y);
  double slip_horizon(Island& island);
  [[nodiscard]] bool straight_all_along(const Island& island);
  [[nodiscard]] double least_margin(const Island& island, double time, const double* y);
  void narrow_by_margin(const Island& island, double& kept, double& lost);
  [[nodiscard]] double kept_slip(const Island& island, std::size_t normal_row) const;
  [[nodiscard]] double inertance_of_row(std::size_t row) const;
  [[nodiscard]] bool comes_together_elsewhere(const Island& island, const ContactPoint& contact);
  [[nodiscard]] bool may_touch_elsewhere(const Island& island, const ContactPoint& contact) const;
  void see_parting_points(const Island& island);
  /// Whether a contact on a rim has gone to the other side of it since the step began: the rim has lain flat between.
  [[nodiscard]] bool rim_has_lain_flat(const Island& island, const ContactPoint& contact, double time, const double* y);
  [[nodiscard]] double part_before_flat(const Island& island, double step);
  [[nodiscard]] double off_polynomial(const Island& island, double step, double theta);
  [[nodiscard]] double part_before_kink(const Island& island, double step);
  [[nodiscard]] bool keeps_contacts(const Island& island, double time, const double* y);
  /// States of the contact's two objects, read into state_a_ and state_b_.
  void read_states(const Island& island, const ContactPoint& contact, double time, const double* y);
  [[nodiscard]] BodyState object_state(const Island& island, ObjectIndex object, double time, const double* y) const;
  [[nodiscard]] FrameMotion frame_of(const Obstacle& obstacle, double time) const;
  /// The motions that drive obstacles which the island touches or rolls on.
  [[nodiscard]] std::vector<const DrivenMotion*> drives(const Island& island) const;
  /// How hard the contact presses that presses least, all held as equations, at a part of the step [m/s²].
  [[nodiscard]] double least_pressing(const Island& island, double theta);
  /// The part of the step at which a contact on a driven obstacle ceases to press, near one at which it no more holds.
  [[nodiscard]] double end_of_pressing(const Island& island, double kept, double lost);
  /// Parts of the step at which it is looked whether the contacts hold.
  [[nodiscard]] std::vector<double> looks(const Island& island);
  [[nodiscard]] ContactPoint follow(const Island& island, const ContactPoint& contact, double time, const double* y);
  [[nodiscard]] const Part& part(ObjectIndex object, int index) const {
    return model_->parts(object)[static_cast<std::size_t>(index)];
  }
  [[nodiscard]] const PairFunction& pair(const ContactPoint& contact) const;
  [[nodiscard]] double extent_of(ObjectIndex object) const { return sizes_[object]; }
  /// How thin the thinner of two bodies is, by which it is measured how deep they overlap.
  [[nodiscard]] double width_of(const ContactPoint& contact) const {
    return std::min(widths_[contact.a], widths_[contact.b]);
  }
  /// The two parts of a contact, whose states have been read, at their places.
  [[nodiscard]] contact::PlacedPair placed(const ContactPoint& contact) const {
    const Part& a = part(contact.a, contact.part_a);
    const Part& b = part(contact.b, contact.part_b);
    return {a.shape, placed_in(state_a_.pose(), a.placement), b.shape, placed_in(state_b_.pose(), b.placement)};
  }

  const Model* model_;
  double tolerance_;
  Indexed<ObjectIndex, double> sizes_;   ///< bounding radii
  Indexed<ObjectIndex, double> widths_;  ///< half the least width of the thinnest part
  JointKinematics joints_;
  HeldIsland held_;                 ///< the present step's island, where joints alone hold it
  std::vector<BodyState> members_;  ///< states of the island's bodies, for its joints
  std::vector<JointRow> persistent_;
  /// What springs, motors of given force and friction do in a joint, on its first body.
  struct JointPush {
    JointIndex joint;
    RowSide load;
  };
  std::vector<JointPush> pushes_;
  JointElimination elimination_;
  std::vector<double> held_acceleration_, held_force_;  ///< a_h and G a_h of joints that are eliminated
  int block_ = -1;                                      ///< the last one of rows_
  std::vector<double> answer_force_;                    ///< of rows_, at the last solve()
  std::vector<double> load_force_;                      ///< of rows_, at the last find_contact_forces()
  ContactDynamics dynamics_;
  GaussCollocation collocation_;
  DenseRungeKutta runge_kutta_;
  int n_ = 0;
  Bodies weighed_;                                              ///< whose masses are at hand
  std::vector<double> mass_, inverse_mass_, force_, velocity_;  ///< six for each body; the metric is diagonal
  std::vector<Row> rows_, saved_rows_;
  std::vector<double> displaced_, difference_;
  std::vector<double> bilateral_rows_, bilateral_bias_, normal_rows_, normal_bias_, tangent_rows_, tangent_bias_;
  std::vector<int> tangent_contact_;
  std::vector<double> inertance_;
  std::vector<int> profile_, earliest_;
  std::vector<double> acceleration_, gram_, unit_, inverse_diagonal_, multiplier_;
  BodyState state_a_, state_b_;
  FrameMotion wall_;    ///< the second object where a motion drives it, at rest otherwise
  double shift_ = 0.0;  ///< of central differences: driven obstacles go on as they move this much earlier
  std::vector<ContactPoint> touching_;
  bool parting_points_count_ = false;  ///< those that overlap: none did when the step began
  double wall_power_ = 0.0, damping_power_ = 0.0, torque_power_ = 0.0, acceleration_scale_ = 0.0;
  double friction_power_ = 0.0, motor_power_ = 0.0, motor_force_power_ = 0.0, dry_power_ = 0.0;
  // Crowded steps.
  std::vector<Link> links_;
  std::vector<std::size_t> blocks_;                ///< first rows of what is relaxed together
  std::vector<std::size_t> chosen_, chosen_rows_;  ///< blocks that sweeps go over, and their rows
  std::vector<double> changes_;                    ///< of the rates of blocks in the last sweep
  std::vector<char> unquiet_bodies_;
  std::vector<double> impulse_, trial_impulse_, best_impulse_;
  std::vector<OwnRates> own_;  ///< one per block
  ExtrapolatedIteration extrapolated_;
  std::vector<double> gaps_;         ///< of the contacts when the step begins
  std::vector<double> middle_gaps_;  ///< and in its middle
  /// Of one contact and per normal force: torques on its bodies (principal frames), what they dissipate, and what they
  /// do through an obstacle that turns.
  struct Resisting {
    Vector3d torque_a = Vector3d::Zero(), torque_b = Vector3d::Zero();
    double power = 0.0;
    double wall_power = 0.0;
  };
  std::vector<Resisting> resisting_;  ///< one per contact; empty where none resists
  // Equations with sliding contacts: which rows, the directions that their forces push in, and the forces.
  std::vector<Vector3d> tangent_, saved_tangent_;  ///< two of each contact, world
  std::vector<std::size_t> equation_;
  std::vector<double> column_, system_, right_, row_force_;
  RowSpace equations_;
  bool forces_unique_ = true;
  bool no_answer_ = false;  ///< it could not be told in the present step whether contacts hold
  std::vector<ContactFriction> friction_;
};

}  // namespace carom::event
