#pragma once
/// What rests: which closed contacts persist after velocities have changed, and what each of them does.
///
/// A contact persists where it has come to rest (its bounces would be lower than round-off) and the forces at hand
/// press it together. Which do, and which of them stick, slide on or begin to slide, is one problem of accelerations
/// over all contacts of a group (mechanics/contact_dynamics.h); what they take from the velocities to do so is booked.
/// A rough contact that persists does not slip; slip that is there is caught by an impulse of its own.

#include <vector>

#include "carom/engine/event/busy_bodies.h"
#include "carom/engine/event/impacts.h"
#include "carom/engine/event/instant.h"

namespace carom::event {

class Rest {
 public:
  explicit Rest(const World& world) : busy_(world) {}

  /// Gathers the cluster around the bodies and settles it: groups of bodies that contacts or springs connect, each with
  /// the contacts that persist; `coupled` joins bodies of one island. Where setting some down drives others together,
  /// they are resolved as impacts first. Where it fails the log has stopped.
  [[nodiscard]] std::vector<Island> settle(const Instant& at, const Bodies& bodies, Impacts& impacts,
                                           const ClosedContacts::Coupled& coupled);
  /// Bodies that contacts keep busy: what these do is left to the steps of crowds, where such are possible.
  [[nodiscard]] BusyBodies& busy() { return busy_; }
  /// Whether contacts keep bodies of an island so busy that it is left to these steps.
  [[nodiscard]] bool is_busy(World& world, const Island& island) const;

  /// Speed below which a contact that its acceleration presses together has come to rest: the bounces to come would be
  /// lower than the gap's round-off, ½γ²/|g̈| ≤ ε_d.
  [[nodiscard]] static double rest_speed(const Instant& at, const ContactPoint& contact);

  /// Whether a contact may have come to rest: slower than that, or than it settles.
  [[nodiscard]] static bool rests(const Instant& at, const ContactPoint& contact, const Settling& settling);

  /// The contacts of an island whose friction has reached its limit; they let go when it is settled next. Those that
  /// would have had to pull are remembered as long as time stands: of two that say the same (the ends of a cylinder
  /// that joints guide) the one that opens leaves the other alone, which then pulls in its turn.
  void let_go(const Island& island, double time);
  /// Velocities have jumped: what contacts would have done without that does not count any more.
  void forget_pulls();
  /// What was remarkable about the last settling.
  [[nodiscard]] Flags flags() const { return flags_; }
  /// Contacts that it let open though a force could have kept them closed.
  [[nodiscard]] const std::vector<ContactPoint>& let_open() const { return let_open_; }

  /// What a run goes on from, into an archive or back (event_checkpoint.cpp).
  void transfer(Archive& archive);

 private:
  /// Sets the velocities on the contacts, the first `held` of them as equations; false where that cannot be.
  static bool project(const Instant& at, Island& island, std::size_t held);
  static void set_down(const Instant& at, const Island& part, const Island& group,
                       const std::vector<ActiveContact>& all);
  [[nodiscard]] static bool is_still(const Instant& at, const Island& island);
  /// All closed contacts of a group.
  struct Touching {
    std::vector<ActiveContact> contacts;
    const Settling& settling;
    bool contradict;  ///< no forces hold some of them, as it seems
  };
  /// Whether it is known what the contacts of a part do, or what came instead.
  enum class Settled { yes, not_still, jumped, contradicts };
  [[nodiscard]] std::vector<Island> resting_parts(const Instant& at, const Bodies& bodies, const Touching& touching,
                                                  std::vector<ActiveContact>& crowd) const;
  void settle_group(const Instant& at, Island& group, Impacts& impacts);
  Settled settle_part(const Instant& at, Island& part, Impacts& impacts);
  /// Whether a contact slips by more than kSlowSlip of the island's speeds.
  [[nodiscard]] static bool slips(const Instant& at, const Island& island, const ContactPoint& contact);
  void set_mode(const Instant& at, const Island& island, ActiveContact& active) const;
  bool begin_slips(const Instant& at, Island& island);
  void look_ahead(const Instant& at, Island& island);
  /// False where no forces keep the contacts closed.
  bool choose_persistent(const Instant& at, Island& island, const Settling& settling);
  bool jump_out(const Instant& at, Island& island, Impacts& impacts);
  void open_indeterminate(const Instant& at, Island& island);
  [[nodiscard]] bool has_pulled(const Instant& at, const ContactPoint& contact) const;
  static void measure_pressing(const Instant& at, Island& island);
  void keep_pressing(const Instant& at, Island& island, const Settling& settling);
  bool catch_slip(const Instant& at, Island& island, const std::vector<ActiveContact>& resting, Impacts& impacts);
  void report_caught_slip(const Instant& at, const Island& island, const ImpactLaw& rough_law);

  EventDraft draft_;
  std::vector<ActiveContact> at_limit_;
  std::vector<ContactPoint> pulling_;
  double pulled_at_ = -1.0;
  double last_look_ = -1.0, moment_ = 0.0;  ///< when it was looked ahead last, and how far
  BusyBodies busy_;
  Flags flags_;
  std::vector<ContactPoint> let_open_;
};

/// Ends a run in a position in which the rows of joints contradict each other.
void fail_singular(const Instant& at, const Island& island, double time);

/// How far the joints of an island have turned, as the world knows.
void note_turns(const World& world, Island& island);

/// Says what the dry joints of an island do from the present instant on, and sets its velocities on those that stick.
void settle_dry_joints(const Instant& at, Island& island);

/// Gives an island the joints of its bodies, as they have turned.
void take_joints(const World& world, Island& island);

/// Groups of bodies that the given contacts, springs or joints connect, in the order of their first bodies.
std::vector<Island> connected_groups(const World& world, const Bodies& bodies,
                                     const std::vector<ActiveContact>& contacts);

/// The state of an island's bodies at the present instant into its vector, and back.
void write_state(World& world, Island& island);
void read_state(World& world, const Island& island, const double* y);

}  // namespace carom::event
