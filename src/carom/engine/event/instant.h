#pragma once
/// What is at hand while something happens at one instant.

#include "carom/engine/event/closed_contacts.h"
#include "carom/engine/event/island_dynamics.h"
#include "carom/engine/event/world.h"
#include "carom/engine/run_log.h"

namespace carom::event {

struct Instant {
  World& world;
  ClosedContacts& closed;  ///< the cluster
  IslandDynamics& dynamics;
  RunLog& log;
};

}  // namespace carom::event
