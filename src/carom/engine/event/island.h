#pragma once
/// Bodies that move together because contacts that persist, constraints or springs connect them: their equations of
/// motion, and their integrated steps.
///
/// Coordinates per body: centre x, attitude q of the principal frame, v (world), ω (principal frame); 13 numbers. At
/// the end of the state stand integrals: energy dissipated by dampers, work of load torques, work of driven obstacles,
/// and where contacts have friction what that dissipates.
///   m v̇ = m g + F − c v + springs + Σ contacts,   J ω̇ + ω × Jω = A_pᵀ(torques),   ẋ = v,   q̇ = ½ q ω
/// Rows of contacts and constraints: contact_point.h. Their biases d/dt(row)·v are central differences of the rate
/// along the motion, of fourth order with displacements of 1e-3 (relative error about 1e-12); what drifts off a contact
/// is put back after every step.
///
/// During a step the set of persistent contacts and what each does (ContactMode) is fixed and acts as a set of
/// equations, which keeps the right-hand side smooth: a gap that stays closed, no slip where a contact sticks, a
/// friction force −μ_k λ ê along the slip where it slides. Within the step it is looked for the first instant at which
/// that ceases to hold (island_modes.cpp): a contact that pulls, slip that has come to its end, a force beyond μ_s λ.

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "carom/contact/contact_point.h"
#include "carom/contact/motion.h"
#include "carom/mechanics/contact_dynamics.h"
#include "carom/mechanics/model.h"
#include "carom/numerics/gauss_collocation.h"

namespace carom::event {

using contact::ContactPoint;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Bodies = std::vector<BodyIndex>;

/// Friction this near to its limit, relative to that, has reached it.
inline constexpr double kAtLimit = 1e-6;

/// Slip slower than this part of an island's speeds (IslandDynamics::speed_scale) is about to end or has only begun: it
/// counts as none when it is asked what contacts do.
inline constexpr double kSlowSlip = 1e-6;

/// What a contact that persists does tangentially.
enum class ContactMode {
  smooth,  ///< slip meets no resistance
  slide,   ///< slips against friction, μ_k λ
  stick,   ///< does not slip: rolls or pivots
};

struct ActiveContact {
  ContactPoint contact;
  ContactMode mode = ContactMode::smooth;
  Vector3d direction = Vector3d::Zero();  ///< of the slip where it slides, unit, at the start of the step
  bool begins = false;                    ///< slides from no slip on
  bool straight = false;                  ///< its slip keeps the direction during the step,
  bool was_slow = false;                  ///< because it is slow when that begins
  bool moves = true;                      ///< its bodies move against each other, turning included
  bool undecided = false;                 ///< it could not be told by itself whether it holds
  bool lets_go = false;                   ///< the friction that sticking needs has reached its limit
  double arrival_rate = 0.0;              ///< gap rate when the bodies settled
  std::array<double, 3> force{};          ///< of the last crowded step, normal and tangential
  double pressing = 0.0;                  ///< gap acceleration that the contact force keeps up with, λD

  [[nodiscard]] bool sticks() const { return mode == ContactMode::stick; }
  [[nodiscard]] bool slides() const { return mode == ContactMode::slide; }
  /// Whether its friction has a limit, sticking or sliding.
  [[nodiscard]] bool has_limit() const { return mode != ContactMode::smooth && !contact.rule.rough; }
};

/// What it took to set velocities on contacts: the kinetic energy, and what driven obstacles did meanwhile.
struct VelocityCorrection {
  double cut_off = 0.0;
  double wall_work = 0.0;
};

/// A group of bodies and what acts on it.
struct Island {
  Bodies bodies;
  std::vector<ActiveContact> contacts;
  std::vector<SpringIndex> springs;
  std::vector<LoadIndex> loads;
  std::vector<ConstraintIndex> constraints;
  bool bound = false;  ///< by rods, or to roll

  // Integration.
  double time = 0.0;              ///< start of the present step
  double step = 0.0;              ///< size of the present step
  double next_step = 0.0;         ///< suggestion for the next one
  std::vector<double> state;      ///< at `time`
  std::vector<double> after;      ///< at the end of the step
  std::vector<double> dense;      ///< coefficients of the polynomial between
  double opening = 1.0;           ///< part of the step after which a contact ceases to press, 1 where none does
  bool opens = false;             ///< whether one does
  bool stops = false;             ///< whether an obstacle that was driven has come to rest at the end
  VelocityCorrection correction;  ///< by putting the bodies back on their contacts at the end of the step
  VelocityCorrection jump;        ///< by impulses at the start of a crowded step
  double fastest = 0.0;           ///< speed scale of the present step
  int steps_until_look = 1;       ///< of a crowded one: whether it stands still
  int steps_between_looks = 1;

  static constexpr int kPerBody = 13;
  [[nodiscard]] bool dissipates() const;
  /// Whether steps do not follow the modes of each contact (island_crowd.cpp): since they are many, or since it could
  /// not be told what they do.
  [[nodiscard]] bool is_crowded() const;
  [[nodiscard]] bool has_many_contacts() const;
  /// Whether such steps can be taken: not with what is bound in another way than to a plane.
  [[nodiscard]] bool can_crowd() const { return springs.empty() && !bound && !resists_turning(); }
  [[nodiscard]] bool resists_turning() const;  ///< whether a contact resists rolling or spinning
  [[nodiscard]] int integrals() const { return dissipates() ? 4 : 3; }
  [[nodiscard]] int size() const { return kPerBody * static_cast<int>(bodies.size()) + integrals(); }
  [[nodiscard]] double end() const { return time + opening * step; }
  [[nodiscard]] int slot(ObjectIndex body) const;  ///< position in `bodies`, or −1
};

/// Reads one body out of an island's state vector.
BodyState body_state(const double* y, const Quaterniond& principal_axes);
/// Writes it.
void write_body_state(const BodyState& state, const Quaterniond& principal_axes, double* y);

class IslandDynamics {
 public:
  explicit IslandDynamics(const Model& model);

  /// Accelerations with unilateral contacts at a state. Order of the results: six per body; contacts in order.
  AccelerationStatus solve_unilateral(const Island& island, double time, const double* y);
  /// The same with all contacts as equations.
  AccelerationStatus solve_bilateral(const Island& island, double time, const double* y);
  [[nodiscard]] const ContactDynamics& answer() const { return dynamics_; }
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
  /// The speed that others of the island are measured by: of its fastest point, or what forces give it over its size.
  [[nodiscard]] double speed_scale(const Island& island, const double* y);
  /// The time in which the fastest point covers the size of the smallest body.
  [[nodiscard]] double time_scale(const Island& island) const;
  /// The largest acceleration that a crowded island would have from a stand, with whole cones as in its last step.
  [[nodiscard]] double unbalanced(const Island& island, double time, const double* y);
  /// What positions, sweeps and the trapezoidal rule of a crowded step have taken from the energy up to a later state.
  [[nodiscard]] double left_over(const Island& island, const std::vector<double>& later) const;
  /// The state after a short time under the accelerations of answer().
  [[nodiscard]] std::vector<double> moved_on(const Island& island, const double* y, double time) const;
  /// g̈ of a contact under the accelerations of answer(), which was solved for the same bodies.
  [[nodiscard]] double gap_acceleration(const Island& island, const ActiveContact& active, double time);
  /// Impulses that only push and let no sticking contact slip, while all contacts approach by `approach` more than they
  /// do; sticking ones with a limit within μ_k. Fills answer(); false where there are none.
  bool press_together(const Island& island, double time, const double* y, double approach);
  /// The gaps of contacts and rods as the biases of their rows; returns whether any is not closed.
  bool put_gaps(const Island& island, double time, const double* y);
  /// Puts the bodies back on their contacts and rods (first order, in the metric).
  void project_positions(const Island& island, double time, double* y);

  /// n·G⁻¹·n of contact i at the last solve.
  [[nodiscard]] double inertance(int contact) const { return inertance_[static_cast<std::size_t>(contact)]; }
  /// Work per time that driven obstacles do on the island, at the last solve.
  [[nodiscard]] double wall_power() const { return wall_power_; }
  /// Largest size of a force over mass [m/s²] at the last solve.
  [[nodiscard]] double acceleration_scale() const { return acceleration_scale_; }

  /// One integrated step from island.state at island.time, at most to `horizon`; fills after, dense, step, opens.
  /// False where no step size worked.
  bool take_step(Island& island, double horizon, double tolerance);

  long accepted = 0, rejected = 0, evaluations = 0;

 private:
  static constexpr int kPerBody = Island::kPerBody;

  struct Row {
    int owner;         ///< contact index, or −1 for constraints
    bool normal;       ///< a contact's normal (unilateral)
    bool equation;     ///< holds during a step; of a sliding contact only the normal does
    bool exact_bias;   ///< `bias` is known in closed form
    int slot_a;        ///< of the bodies whose velocities it knows,
    int slot_b;        ///< −1 where it is one
    double bias;       ///< d/dt(row)·v + ẇ
    double rate;       ///< row·v + w
    double wall_rate;  ///< w
    double driven;     ///< part of the bias that the acceleration of a driven obstacle has

    [[nodiscard]] bool shares_body(const Row& other) const {
      const auto knows = [&](int slot) { return slot >= 0 && (slot == other.slot_a || slot == other.slot_b); };
      return knows(slot_a) || knows(slot_b);
    }
  };
  /// A row as two bodies see it: its entries, and what a unit of impulse along it changes of their velocities.
  struct Link {
    std::array<int, 2> slot;
    std::array<double, 12> entry, change;
    double inertance;
  };
  void copy_links(const std::vector<double>& pushing);
  void turn_with(const std::vector<Vector3d>& tangents, std::vector<double>& matrix) const;
  [[nodiscard]] static double rate_along(const Link& link, const std::vector<double>& velocity);
  static void push(const Link& link, double impulse, std::vector<double>& velocity);
  double relax_normal(std::size_t row, std::vector<double>& velocity);
  double relax_friction(const ActiveContact& active, std::size_t row, double part, std::vector<double>& velocity);
  void hold_constraints(std::vector<double>& velocity);
  void sweep(const Island& island, std::vector<double>& velocity, double tolerance);
  void sweep_velocities(const Island& island, std::vector<double>& velocity);
  void choose_blocks(const Island& island, double h);
  void begin_with_forces(const Island& island, std::vector<double>& velocity);
  void end_approach(Island& island);
  void take_crowded_step(Island& island, double horizon);
  void try_crowded_step(Island& island);
  double deepest_overlap(const Island& island);
  void finish_crowded_step(Island& island, const std::vector<double>& before, const std::vector<double>& after);
  void put_crowd_back(Island& island);
  void put_on_constraints(Island& island);
  void put_back(Island& island);
  bool integrate_step(Island& island, double horizon, double tolerance);
  [[nodiscard]] bool keeps_features(const Island& island, double time, const double* y);

  void build(const Island& island, double time, const double* y);
  void build_forces(const Island& island, const double* y);
  void add_spring(const Island& island, const Spring& spring, const double* y);
  void add_force(int slot, const double* y, const Vector3d& force, const Vector3d& point);
  /// All rows at a configuration: rows_ and matrix_. Their rates are those with velocity_.
  void build_rows(const Island& island, double time, const double* y);
  void add_contact_rows(const Island& island, const ContactPoint& contact, int owner, ContactMode mode);
  void add_constraint_rows(const Island& island, const Constraint& constraint, double time, const double* y);
  double* new_row(const Row& row);
  void build_biases(const Island& island, double time, const double* y);
  /// Torques against rolling and spinning, per normal force (island_resistance.cpp).
  void build_resistance(const Island& island, double time, const double* y);
  void add_resistance(std::size_t normal_row, double* column) const;
  /// solve(island, 0) with these torques.
  AccelerationStatus solve_resisted(const Island& island);
  void slope(const Island& island, double time, const double* y, double* out);
  bool solve_independent();
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
  /// Whether a contact on a rim has gone to the other side of it since the step began: the rim has lain flat between.
  [[nodiscard]] bool rim_has_lain_flat(const Island& island, const ContactPoint& contact, double time, const double* y);
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
  /// The two parts of a contact, whose states have been read, at their places.
  [[nodiscard]] contact::PlacedPair placed(const ContactPoint& contact) const {
    const Part& a = part(contact.a, contact.part_a);
    const Part& b = part(contact.b, contact.part_b);
    return {a.shape, placed_in(state_a_.pose(), a.placement), b.shape, placed_in(state_b_.pose(), b.placement)};
  }

  const Model* model_;
  Indexed<ObjectIndex, double> sizes_;  ///< bounding radii
  ContactDynamics dynamics_;
  GaussCollocation collocation_;
  int n_ = 0;
  std::vector<double> metric_, force_, velocity_;
  std::vector<Row> rows_;
  std::vector<double> matrix_, saved_matrix_, displaced_, difference_;
  std::vector<Row> saved_rows_;
  std::vector<double> bilateral_rows_, bilateral_bias_, normal_rows_, normal_bias_, tangent_rows_, tangent_bias_;
  std::vector<int> tangent_contact_;
  std::vector<double> inertance_;
  std::vector<double> inverse_mass_, acceleration_, gram_, unit_, inverse_diagonal_, multiplier_;
  BodyState state_a_, state_b_;
  FrameMotion wall_;    ///< the second object where a motion drives it, at rest otherwise
  double shift_ = 0.0;  ///< of central differences: driven obstacles go on as they move this much earlier
  std::vector<ContactPoint> touching_;
  double wall_power_ = 0.0, damping_power_ = 0.0, torque_power_ = 0.0, acceleration_scale_ = 0.0;
  double friction_power_ = 0.0;
  // Crowded steps.
  std::vector<Link> links_;
  std::vector<std::size_t> blocks_;  ///< first rows of what is relaxed together
  std::vector<double> impulse_;
  std::vector<double> gaps_;  ///< of the contacts when the step begins
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
