#pragma once
/// What the contacts that persist do at one moment: their forces, and what friction does at each.
///
/// In an island that is integrated they are those of its present step. Of bodies at rest and of balls that move in
/// closed form they follow from the balance of forces and accelerations; what stands still keeps its forces until it is
/// settled anew, so that those are looked for once. Where forces are not unique (a box on four corners) they are one
/// answer of many; sums over the contacts of a pair often are unique all the same.

#include <cstdint>
#include <vector>

#include "carom/engine/event/held_contacts.h"
#include "carom/engine/event/island_dynamics.h"
#include "carom/engine/event/island_motions.h"

namespace carom::event {

class ContactLoads {
 public:
  /// Whether forces that have to be looked for are; otherwise they are left unknown (NaN), which takes no time.
  enum class Effort { all, known_alone };

  /// At a state from the present instant up to the next event.
  std::vector<ContactLoad> at(const World& world, const HeldContacts& held, const IslandMotions& motions,
                              const State& state, Effort effort = Effort::all);

 private:
  /// What stands still, by its first body.
  struct Standing {
    Bodies bodies;
    std::vector<std::uint32_t> versions;  ///< of their motions
    std::vector<ContactLoad> loads;

    [[nodiscard]] bool goes_on(const World& world, const Bodies& same) const;
  };
  void look_for(const World& world, const Island& group, const State& state, bool stands);
  void add_settled(const World& world, const Island& group, const State& state, Effort effort,
                   std::vector<ContactLoad>& loads);

  Indexed<BodyIndex, Standing> standing_;
};

}  // namespace carom::event
