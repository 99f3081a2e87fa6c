#pragma once
/// The inside of the event engine. One object; its parts are in event_engine.cpp (the loop), prediction.cpp (what
/// happens next), gathering.cpp (who touches whom), resolution.cpp (impacts), settling.cpp (what rests), moving_on.cpp
/// (how it moves then). Integrated motion: island.h.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "carom/contact/cell_grid.h"
#include "carom/contact/contact_point.h"
#include "carom/engine/event/event_engine.h"
#include "carom/engine/event/event_queue.h"
#include "carom/engine/event/island.h"
#include "carom/contact/motion.h"
#include "carom/contact/time_of_impact.h"
#include "carom/laws/impact/impact_solver.h"

namespace carom {

namespace event {

/// A contact of a cluster approaches when its rate is below −kApproach times the fastest speed of the cluster: above
/// the tolerance of the laws, so that what a law leaves is never taken for an approach.
inline constexpr double kApproach = 4e-12;

/// A body or an obstacle as the engine sees it.
struct Object {
  Mover mover{};
  Motion motion;
  std::uint32_t version = 0;  ///< counts changes of the motion
  double size = 0.0;          ///< bounding radius; infinite for unbounded obstacles

  // Bodies only.
  double mass = 0.0;
  Vector3d inertia = Vector3d::Zero();
  Quaterniond principal_axes = Quaterniond::Identity();
  Vector3d free_acceleration = Vector3d::Zero();  ///< gravity and constant forces
  bool round = false;       ///< a sphere with equal moments of inertia: its attitude matters to nothing
  bool integrated = false;  ///< springs, resistance, a torque or a rod: no closed form
  bool at_rest = false;     ///< settled, nothing moves
  double wall_power = 0.0;  ///< that driven obstacles do on it, constant during a closed-form motion
  std::vector<int> constraints, loads, springs;  ///< of the model
  std::vector<int> held_by;                      ///< indices into the persistent contacts
  std::shared_ptr<Island> island;                ///< while its motion is integrated
  std::vector<Vector3d> vertices;                ///< of a box or a prism
};

/// What the searches among many bodies look at first, packed: the ball around a body and how it flies.
struct Flight {
  Vector3d position = Vector3d::Zero();  ///< at `start`
  Vector3d velocity = Vector3d::Zero();
  Vector3d acceleration = Vector3d::Zero();
  double start = 0.0;
  double start_carry = 0.0;
  double radius = 0.0;
  bool exact = false;  ///< in closed form

  [[nodiscard]] double since(double time, double carry) const { return (time - start) + (carry - start_carry); }
  [[nodiscard]] Vector3d position_after(double tau) const {
    return position + tau * (velocity + (0.5 * tau) * acceleration);
  }
  [[nodiscard]] Vector3d velocity_after(double tau) const { return velocity + tau * acceleration; }
};

/// A contact that persists: it presses, or would if it were pushed.
struct PersistentContact {
  ContactPoint contact;  ///< as it was when the bodies last settled
  bool alive = false;
  bool announced = false;  ///< its beginning has been told
  std::uint32_t version = 0;
};

}  // namespace event

class EventEngine::Core {
 public:
  Core(const Model& model, const State& initial, const EventOptions& options);
  RunResult run(Observer* observer, const std::atomic<bool>* interrupt);
  std::optional<ImpactProblem> first_impact();

 private:
  using Vector3d = Eigen::Vector3d;
  using Object = event::Object;
  using ContactPoint = event::ContactPoint;
  using Island = event::Island;

  // ----- event_engine.cpp: objects, loop, samples
  [[nodiscard]] Object& object(int index) { return objects_[static_cast<std::size_t>(index)]; }
  [[nodiscard]] const Object& object(int index) const { return objects_[static_cast<std::size_t>(index)]; }
  [[nodiscard]] bool is_body(int index) const { return index < bodies_; }
  [[nodiscard]] const PairFunction& pair(int a, int b) const;
  void add_bodies(const State& initial);
  void add_obstacles();
  void add_couplings();
  void start();
  void look_for_storm();
  bool step();  ///< handles the next event; false when the run is over
  [[nodiscard]] bool valid(const event::Scheduled& event) const;
  void handle(const event::Scheduled& event);
  void move_now(double time, double carry);
  void take_samples(double until);
  void take_sample(double time);
  [[nodiscard]] State state_at(double time) const;
  [[nodiscard]] EnergyBook book_at(const State& state) const;
  void fail(const std::string& reason, std::vector<int> bodies);

  // ----- prediction.cpp
  void predict(int body);
  double predict_obstacles(int body, double horizon);
  void predict_pair(int a, int b, double horizon);
  event::Advance search(int a, int b, double horizon) const;
  void schedule(const event::Advance& found, int a, int b, double horizon);
  void schedule_cell(int body);
  void cross_cell(int body);
  [[nodiscard]] bool ways_part(const event::Flight& seen, int other) const;
  [[nodiscard]] event::Flight flight_now(int body) const;
  [[nodiscard]] bool held(int a, int b) const;
  [[nodiscard]] double still(int a, int b) const;
  [[nodiscard]] bool holds_at(int a, int b, const Vector3d& point) const;
  enum class HeldEnd { none, rim, face };
  [[nodiscard]] HeldEnd held_end(int a, int b, double end) const;  ///< how an end of the cylinder a is held by b

  // ----- gathering.cpp
  [[nodiscard]] const BodyState& now(int index);  ///< state at now_, kept for the instant
  /// All closed contacts connected with the seeds: closed_ and cluster_. With `couplings` springs and islands connect
  /// as well.
  void gather(const std::vector<int>& seeds, bool couplings);
  void join_cluster(int body);
  [[nodiscard]] std::pair<int, int> contact_order(int body, int other) const;
  void append_closed(int a, int b);
  [[nodiscard]] bool far_from_obstacle(int body, int obstacle, double tolerance);
  [[nodiscard]] bool far_from_body(int a, int b) const;
  [[nodiscard]] double contact_tolerance(int a, int b) const;
  [[nodiscard]] double rate_of(const ContactPoint& contact) {
    return gap_rate(contact, now(contact.a), now(contact.b));
  }
  [[nodiscard]] double slip_of(const ContactPoint& contact);
  [[nodiscard]] double cluster_speed();

  // ----- resolution.cpp
  void resolve(const std::vector<int>& seeds);
  bool resolve_round(int round);
  void capture_problem();
  void resolve_single(const ContactPoint& contact, int round);
  bool resolve_problem(const ImpactLaw& law, int round);
  void build_problem(bool rough);
  void build_metric();
  void build_contact(const ContactPoint& contact, bool rough, Contact& row);
  void build_constraints();
  void add_velocity_row(int object, const Vector3d& point, const Vector3d& direction, double sign,
                        Eigen::Ref<Eigen::RowVectorXd> row);
  void read_velocities();
  void tell_impact(const ImpactOutcome& outcome, int round);
  void count_impact(std::size_t contacts);
  void note_velocities_before(const std::vector<int>& bodies);
  void note_velocities_after();
  [[nodiscard]] double kinetic_energy(const std::vector<int>& bodies);
  [[nodiscard]] std::vector<int> bodies_of_chosen() const;

  // ----- settling.cpp: which contacts persist
  void settle(const std::vector<int>& seeds);
  void leave_islands();
  bool all_fly();
  [[nodiscard]] std::vector<Island> components(const std::vector<int>& bodies,
                                               const std::vector<event::ActiveContact>& contacts) const;
  void settle_component(Island& island);
  [[nodiscard]] bool is_guided(const ContactPoint& contact) const;
  void choose_persistent(Island& island);
  bool capture_slip(Island& island);
  std::vector<ContactPoint> hold(const Island& island);  ///< returns those whose beginning is to be told now
  void book(const event::Taken& taken);
  void tell_contacts(EventKind kind, const std::vector<ContactPoint>& contacts);
  void announce(int persistent);
  [[nodiscard]] ContactPoint follow_now(const ContactPoint& contact);
  [[nodiscard]] double rest_speed(const ContactPoint& contact);
  [[nodiscard]] int previous_contact(const ContactPoint& contact) const;

  // ----- moving_on.cpp: how they move then
  void move_on(const Island& island);
  bool stay(const Island& island);
  void stand_on_rims(Island& island) const;
  bool move_in_closed_form(const Island& island);
  void fly(int body);
  void set_motion(int body, const event::Motion& motion);
  void integrate(const std::shared_ptr<Island>& island);
  void end_step(int body);
  void read_island_state(const Island& island, const double* y);
  void write_island_state(Island& island);

  Model model_;
  EventOptions options_;
  int bodies_ = 0;
  std::vector<Object> objects_;
  std::vector<event::Flight> flight_;  ///< of the bodies
  std::unique_ptr<event::CellGrid> grid_;
  event::EventQueue queue_;
  double start_ = 0.0;
  double now_ = 0.0;
  double now_carry_ = 0.0;  ///< the present instant is now_ + now_carry_

  Observer* observer_ = nullptr;
  RunResult result_;
  bool over_ = false;
  std::int64_t handled_ = 0;
  std::int64_t contacts_handled_ = 0;
  std::int64_t storm_contacts_ = 0;
  double storm_time_ = 0.0;
  int storms_ = 0;
  int repeats_ = 0;  ///< events in a row at one instant
  std::int64_t samples_taken_ = 0;
  int moving_ = 0;

  // The instant at hand.
  std::vector<int> cluster_;  ///< bodies
  std::vector<ContactPoint> closed_;
  std::vector<char> in_cluster_;
  std::vector<BodyState> now_state_;     ///< per object …
  std::vector<std::uint64_t> now_mark_;  ///< … valid where equal to instant_
  std::uint64_t instant_ = 1;
  std::vector<int> near_;
  std::uint64_t gathered_ = 0;  ///< the instant of the cluster
  double speed_ = 0.0;          ///< the fastest point of the cluster when it was gathered for an impact

  // Impact.
  ImpactSolver solver_;
  ImpactProblem problem_;
  ImpactOutcome outcome_;
  bool capture_ = false;  ///< the first impact is wanted as a problem, not its outcome
  std::optional<ImpactProblem> captured_;
  std::vector<int> chosen_;                       ///< contacts of closed_ that the law is given
  std::vector<int> problem_bodies_, coordinate_;  ///< bodies of the problem, and the first coordinate of each
  std::vector<char> has_spin_;
  std::vector<Vector3d> carrier_, carrier_spin_;  ///< per body: motion of the plane it rolls on
  std::vector<JumpRecord> jumps_;
  std::vector<ContactRecord> contact_records_;

  // Rest.
  std::vector<event::PersistentContact> persistent_;
  std::vector<int> unused_persistent_;
  std::vector<int> before_;  ///< persistent contacts that the bodies at hand had before they settle
  std::vector<Island> components_;
  std::unique_ptr<event::IslandDynamics> dynamics_;
  std::vector<std::pair<int, int>> struck_pairs_;
  int idle_steps_ = 0;
  std::int64_t steps_ended_ = 0;
  double crawl_time_ = 0.0;
};

}  // namespace carom
