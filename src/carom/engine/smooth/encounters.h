#pragma once
/// Who touches next: looks for contacts of bodies that are near each other, on the stretches of time that they share.
///
/// With many bodies space is divided into cells (contact/cell_grid.h). On its stretch a body does not leave its
/// enlarged cell, so only those of neighbouring cells have to be looked at, and of these the ones whose covers overlap
/// (near_pairs.h); with few there is one cell for all.

#include <memory>
#include <vector>

#include "carom/contact/cell_grid.h"
#include "carom/engine/smooth/contact_search.h"
#include "carom/engine/smooth/near_pairs.h"
#include "carom/engine/smooth/timeline.h"

namespace carom::smooth {

class Encounters {
 public:
  Encounters(const Environment& environment, const Indexed<BodyIndex, BodyState>& states);

  /// The bodies of a group belong to the cells that they are in now: called when its stretch begins.
  void enter_cells(const Motions& motions, GroupIndex group);
  /// When the body may leave its cell on its present track; never where there is one cell for all.
  [[nodiscard]] double cell_exit(BodyIndex body, const Track& track) const;
  /// Whether bodies can leave their cells at all.
  [[nodiscard]] bool has_cells() const { return !grid_.single(); }
  /// The other bodies near to this one, in ascending order.
  const std::vector<BodyIndex>& near(BodyIndex body);

  /// Shortens the stretch of a group to the first contact of two of its bodies that do not touch yet, of one and an
  /// obstacle, or to where one falls into a pocket.
  void find_inside(Motions& motions, GroupIndex group);
  void find_at_obstacles(Motions& motions, GroupIndex group);
  /// Adds the first contacts of a group's bodies with those of all other groups.
  void find_around(Motions& motions, GroupIndex group, Timeline& timeline);

  /// Asks for what is known of the surroundings of a body, and of a group's bodies for what is around them.
  void prefetch(BodyIndex body) const {
    if (!grid_.single()) pairs_.prefetch(body);
  }
  void prefetch_around(const Motions& motions, GroupIndex group) const;

  /// What a run goes on from, into an archive or back (smooth_checkpoint.cpp).
  void transfer(Archive& archive);

 private:
  /// The bodies of a group have covers for their present stretch.
  void cover(const Motions& motions, const Group& group);
  /// Calls visit(other) for every body that this one may touch on its present stretch.
  template <class Visit>
  void visit_near(BodyIndex body, const Visit& visit) const {
    if (grid_.single()) {
      grid_.neighbours(body, visit);
    } else {
      for (const BodyIndex other : pairs_.of(body)) visit(other);
    }
  }
  /// The bodies of its group that are near to this one and have a higher index, in ascending order.
  const std::vector<BodyIndex>& later_ones_near(const Motions& motions, BodyIndex body);
  void find_pair(Motions& motions, Group& group, BodyIndex first, BodyIndex second) const;
  [[nodiscard]] static bool slides_along(const Motions& motions, const Group& group, const Clearances::Pair& pair);
  static void find_at_places(Motions& motions, Group& group, ObjectIndex a, ObjectIndex b);

  contact::CellGrid grid_;
  NearPairs pairs_;
  std::vector<BodyIndex> near_;
};

}  // namespace carom::smooth
