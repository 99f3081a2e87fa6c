#pragma once
/// Contacts that persist: who is held by whom, since when, and when that is to be reported.
///
/// A contact that begins to persist after bounces is reported when the infinitely many bounces that it stands for have
/// ended, which can be a moment later.

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "carom/engine/event/island.h"
#include "carom/engine/event/world.h"

namespace carom::event {

using HeldIndex = Index<struct HeldKind>;

class HeldContacts {
 public:
  explicit HeldContacts(const World& world) { held_by_.resize(world.model().bodies.size()); }

  struct Held {
    ContactPoint contact;  ///< as it was when the bodies last settled
    ContactMode mode = ContactMode::smooth;
    Vector3d direction = Vector3d::Zero();  ///< of its slip where it slides
    bool alive = false;
    bool reported = false;  ///< its beginning
    std::uint32_t version = 0;
  };
  [[nodiscard]] const Held& at(HeldIndex index) const { return held_[index]; }
  [[nodiscard]] const std::vector<HeldIndex>& of(BodyIndex body) const { return held_by_[body]; }

  /// A part of a body and one of another object.
  struct PartPair {
    BodyIndex a;
    int part_a = 0;
    ObjectIndex b;
    int part_b = 0;

    /// Whether it is the pair of a contact, in this order.
    [[nodiscard]] bool is_of(const ContactPoint& contact) const {
      return !contact.is_limit() && contact.a == a && contact.b == b && contact.part_a == part_a &&
             contact.part_b == part_b;
    }
    [[nodiscard]] PartPair exchanged() const { return {as_body(b), part_b, a, part_a}; }
  };
  /// Whether the two are held together, by a contact or by rolling.
  [[nodiscard]] bool holds(const World& world, const PartPair& pair) const;
  /// Whether a joint rests on one of its limits; `body` is the first of the joint.
  [[nodiscard]] bool holds(BodyIndex body, const LimitIndex& limit) const;
  /// Whether any contact of the two lasts.
  [[nodiscard]] bool any_between(ObjectIndex a, ObjectIndex b) const;
  /// How a piece of a's part is held by b's part: not at all, as a point, as a rim, or all of its disc.
  enum class PieceHold { free, on_point, on_rim, on_face };
  [[nodiscard]] PieceHold hold_of(World& world, const PartPair& pair, const contact::BodyPart& piece) const;
  /// Whether a beginning is still to be reported.
  [[nodiscard]] bool report_pending() const;

  // ----- when bodies settle: forget, keep what goes on, and see what is left
  /// Lets go of all contacts of these bodies; those that `keep` does not take up again have opened.
  void loosen(const Bodies& bodies);
  /// A contact persists. Returns its number where it is new, none where it goes on as one that was there.
  std::optional<HeldIndex> keep(const World& world, const ActiveContact& active);
  /// Contacts that go on and were kept with another mode than before, since the last call.
  [[nodiscard]] std::vector<ActiveContact> changed() { return std::exchange(changed_, {}); }
  /// Those that nobody has kept, in their old order; they are gone then. Those whose beginning was never reported are
  /// left out.
  [[nodiscard]] std::vector<ContactPoint> opened();

  /// A contact goes on in another way.
  void change_mode(HeldIndex index, ContactMode mode, const Vector3d& direction) {
    held_[index].mode = mode;
    held_[index].direction = direction;
  }
  void mark_reported(HeldIndex index, bool reported) { held_[index].reported = reported; }

  /// What a run goes on from, into an archive or back (event_checkpoint.cpp).
  void transfer(Archive& archive);

 private:
  [[nodiscard]] std::optional<std::size_t> loose_like(const World& world, const ContactPoint& contact) const;

  Indexed<HeldIndex, Held> held_;
  std::vector<HeldIndex> unused_;
  std::vector<HeldIndex> loose_;
  std::vector<ActiveContact> changed_;
  Indexed<BodyIndex, std::vector<HeldIndex>> held_by_;
};

}  // namespace carom::event
