#pragma once
/// Contacts that persist: who is held by whom, since when, and when that is to be reported.
///
/// A contact that begins to persist after bounces is reported when the infinitely many bounces that it stands for have
/// ended, which can be a moment later.

#include <cstdint>
#include <optional>
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
    bool alive = false;
    bool reported = false;  ///< its beginning
    std::uint32_t version = 0;
  };
  [[nodiscard]] const Held& at(HeldIndex index) const { return held_[index]; }
  [[nodiscard]] const std::vector<HeldIndex>& of(BodyIndex body) const { return held_by_[body]; }

  /// Whether a and b are held together, by a contact or by rolling.
  [[nodiscard]] bool holds(const World& world, BodyIndex a, ObjectIndex b) const;
  /// Whether a vertex of a is held by b.
  [[nodiscard]] bool holds_vertex(const World& world, BodyIndex a, ObjectIndex b, const Vector3d& vertex) const;
  /// How an end (±1) of the cylinder a is held by b.
  enum class CylinderEnd { free, on_rim, on_face };
  [[nodiscard]] CylinderEnd end_of(BodyIndex a, ObjectIndex b, double end) const;
  /// Whether a beginning is still to be reported.
  [[nodiscard]] bool report_pending() const;

  // ----- when bodies settle: forget, keep what goes on, and see what is left
  /// Lets go of all contacts of these bodies; those that `keep` does not take up again have opened.
  void loosen(const Bodies& bodies);
  /// A contact persists. Returns its number where it is new, none where it goes on as one that was there.
  std::optional<HeldIndex> keep(const World& world, const ContactPoint& contact);
  /// Those that nobody has kept, in their old order; they are gone then. Those whose beginning was never reported are
  /// left out.
  [[nodiscard]] std::vector<ContactPoint> opened();

  void mark_reported(HeldIndex index, bool reported) { held_[index].reported = reported; }

 private:
  [[nodiscard]] std::optional<std::size_t> loose_like(const World& world, const ContactPoint& contact) const;

  Indexed<HeldIndex, Held> held_;
  std::vector<HeldIndex> unused_;
  std::vector<HeldIndex> loose_;
  Indexed<BodyIndex, std::vector<HeldIndex>> held_by_;
};

}  // namespace carom::event
