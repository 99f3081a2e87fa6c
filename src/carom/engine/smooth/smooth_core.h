#pragma once
/// The inside of the compliant engine. One object; its parts are in smooth_engine.cpp (the loop), units.cpp (who is
/// integrated with whom), stepping.cpp (steps and what ends them), encounters.cpp (who touches next), telling.cpp
/// (samples, energy, events).
///
/// A unit is a body in free flight or a cluster of bodies that act on each other. Each has a stretch of time [start,
/// end] on which its motion is known (Track per body); a stretch is provisional until time reaches its end. Whoever
/// gets a new stretch looks for the first contact with everybody else on the time that both stretches share. The event
/// with the smallest time is next: then all earlier motion is final. So every pair is looked at over all its time,
/// though no two units take the same steps.

#include <cstdint>
#include <memory>
#include <queue>
#include <string>
#include <vector>

#include "carom/engine/smooth/cluster.h"
#include "carom/engine/smooth/contact_laws.h"
#include "carom/engine/smooth/environment.h"
#include "carom/engine/smooth/track.h"
#include "carom/mechanics/free_rotation.h"
#include "carom/numerics/stepper/integrators.h"

namespace carom {

namespace smooth {

/// What happens at the end of a unit's stretch.
enum class StretchEnd {
  nothing,    ///< it goes on
  release,    ///< a contact opens
  encounter,  ///< two of its bodies, or one and an obstacle, touch
  pocket,     ///< a body is swallowed
};

struct Unit {
  explicit Unit(const Environment& environment) : cluster(environment) {}

  Cluster cluster;  ///< its bodies; its contacts
  std::unique_ptr<Stepper> stepper;
  bool integrated = false;
  bool alive = false;
  std::uint64_t version = 0;
  double start = 0.0, end = 0.0;
  double next_step = 0.0;
  int steps_since_scale = 0;
  std::vector<double> y;  ///< at the start of the integration
  std::vector<double> scale;

  StretchEnd at_end = StretchEnd::nothing;
  int contact = kNone;                    ///< that opens
  int a = kNone, b = kNone, feature = 0;  ///< that touch; b of a pocket is its index
};

/// Something that will happen if nothing comes before it.
struct Upcoming {
  double time = 0.0;
  std::uint64_t order = 0;  ///< of making, so that ties are broken in one way
  int unit = kNone;
  std::uint64_t version = 0;
  int other_unit = kNone;  ///< kNone: the end of the unit's own stretch
  std::uint64_t other_version = 0;
  int a = kNone, b = kNone, feature = 0;

  bool operator<(const Upcoming& other) const {
    return time > other.time || (time == other.time && order > other.order);
  }
};

}  // namespace smooth

class SmoothEngine::Core {
 public:
  Core(const Model& model, const State& initial, const SmoothOptions& options);
  RunResult run(Observer* observer, const std::atomic<bool>* interrupt);

 private:
  using Vector3d = Eigen::Vector3d;
  using Unit = smooth::Unit;
  using Contact = smooth::Contact;

  // ----- smooth_engine.cpp
  bool step();
  void handle(const smooth::Upcoming& event);
  void end_stretch(int index);
  void fail(const std::string& reason, std::vector<int> bodies);
  [[nodiscard]] Unit& unit(int index) { return *units_[static_cast<std::size_t>(index)]; }
  [[nodiscard]] const Unit& unit(int index) const { return *units_[static_cast<std::size_t>(index)]; }
  [[nodiscard]] int& unit_of(int body) { return unit_of_[static_cast<std::size_t>(body)]; }
  [[nodiscard]] int unit_of(int body) const { return unit_of_[static_cast<std::size_t>(body)]; }
  [[nodiscard]] bool in_play(int body) const { return in_play_[static_cast<std::size_t>(body)] != 0; }
  [[nodiscard]] smooth::Track& track(int body) { return tracks_[static_cast<std::size_t>(body)]; }
  [[nodiscard]] const smooth::Track& track(int body) const { return tracks_[static_cast<std::size_t>(body)]; }
  [[nodiscard]] bool rests_now();

  // ----- units.cpp
  void settle_resting_bodies();
  void make_first_units();
  int new_unit();
  void dissolve(int index);
  /// Puts the bodies with these contacts into units of those that belong together, and starts them. `step`: the size to
  /// begin with; 0: unknown.
  void regroup(const std::vector<int>& bodies, std::vector<Contact>& contacts, double step);
  void begin_unit(int index, double step);
  void close_contact(int a, int b, int feature);
  void open_contact(int index, int contact);
  void swallow(int body, int pocket);
  [[nodiscard]] Contact make_contact(int a, int b, int feature, bool at_start);
  [[nodiscard]] double contact_rate(const smooth::PairGeometry& geometry, smooth::Touch& touch) const;
  [[nodiscard]] double kinetic_energy(int body) const;  ///< at its state of now
  void check_validity(const Contact& contact, const smooth::PairLaws& laws);
  void book(const Contact& contact);
  void land(int body, const Vector3d& normal, double rate);

  // ----- stepping.cpp
  void next_stretch(int index);
  void fly_on(Unit& unit);
  bool integrate_on(Unit& unit);
  void fail_step(const Unit& unit, double error);
  void advance_to(int index, double time);
  void look_at_contacts(Unit& unit, double time, const double* y);
  void renew(Contact& contact, const smooth::Cluster::Standing& standing);
  void find_end(Unit& unit);
  void settle_end(Unit& unit);
  [[nodiscard]] double find_opening(const Unit& unit, const Contact& contact, double whole) const;
  void lay_tracks(Unit& unit);
  [[nodiscard]] BodyState state_of(int body, double time) const;

  // ----- encounters.cpp
  void look_around(int index);
  void look_inside(Unit& unit);
  void look_at_obstacles(Unit& unit);
  struct Found {
    double time;
    bool hit;
  };
  [[nodiscard]] Found first_contact(int a, int b, int feature, double from, double to) const;
  [[nodiscard]] Found first_round_contact(const smooth::PairGeometry& g, double from, double to) const;
  [[nodiscard]] Found first_general_contact(const smooth::PairGeometry& g, double from, double to) const;
  [[nodiscard]] Found first_pocket(int body, const Pocket& pocket, double from, double to) const;
  [[nodiscard]] Found first_dented_contact(const smooth::PairGeometry& g, double from, double to) const;
  [[nodiscard]] bool stays_on_side(const smooth::PairGeometry& g, double from, double to) const;
  [[nodiscard]] Vector3d axis_of(int object, double time) const;
  [[nodiscard]] event::Motion motion_of(int object, double from) const;
  [[nodiscard]] bool touching(const Unit& unit, int a, int b, int feature) const;
  void note_box(int body);
  void note_obstacle_box(int object);
  [[nodiscard]] bool clear_of(int body, int object) const;
  [[nodiscard]] bool apart(int a, int b) const;
  [[nodiscard]] bool too_far(int a, int b, double from, double to) const;

  // ----- telling.cpp
  void take_samples(double until);
  [[nodiscard]] State state_at(double time) const;
  [[nodiscard]] EnergyBook book_at(const State& state) const;
  void interpolate(const Unit& unit, double time, std::vector<double>& y) const;
  void tell(EventKind kind, const ContactRecord& record, const Contact& contact);
  void tell_start(const Contact& contact);
  void tell_end(const Contact& contact);
  void tell_swallowed(int body, int pocket);
  void announce_first_contacts();
  void warn(const std::string& text);
  [[nodiscard]] Vector3d momentum(const State& state) const;
  void finish_report();

  Model model_;
  SmoothOptions options_;
  smooth::Environment environment_;
  smooth::ContactLaws laws_;
  const Integrator* integrator_ = nullptr;
  std::vector<std::unique_ptr<Unit>> units_;
  std::vector<int> free_units_;
  std::vector<int> unit_of_;
  std::vector<char> in_play_;
  std::vector<BodyState> states_;                         ///< at the start of each body's stretch
  std::vector<smooth::Track> tracks_;                     ///< of all objects
  std::vector<std::unique_ptr<FreeRotation>> rotations_;  ///< of bodies in flight that are not round
  std::vector<Vector3d> box_low_, box_high_;              ///< around each object over its stretch
  std::priority_queue<smooth::Upcoming> queue_;
  std::uint64_t made_ = 0;

  double now_ = 0.0, start_ = 0.0, end_ = 0.0;
  bool over_ = false;
  int repeats_ = 0;
  double repeat_time_ = -1.0;
  double rest_speed_ = 0.0;
  double resting_since_ = -1.0, next_rest_check_ = 0.0;
  std::int64_t handled_ = 0;
  std::int64_t samples_taken_ = 0;
  std::int64_t open_contacts_ = 0;
  Observer* observer_ = nullptr;
  RunResult result_;
  CompliantReport report_;
  std::vector<double> law_work_;         ///< of finished contacts: damping and friction of each pair of laws
  std::vector<Contact> first_contacts_;  ///< closed at the start, not yet told
  bool started_ = false;
  std::vector<int> parent_, fresh_;
  /// First step of a new contact, as a part of its time: its force begins as δ^{3/2}, of which a step of any order
  /// makes an error ∝ h^{5/2}.
  double first_part_ = 0.0;
  mutable std::vector<double> scratch_;
};

}  // namespace carom
