#pragma once
/// The forces of the contacts of a group on its bodies.

#include <vector>

#include "carom/engine/smooth/body_motion.h"
#include "carom/engine/smooth/contact.h"
#include "carom/engine/smooth/environment.h"
#include "carom/engine/smooth/obstacle_memory.h"

namespace carom::smooth {

/// A group at one instant: its state y with the rates that are being written, and its bodies.
struct GroupInstant {
  double time;
  const double* y;
  double* slope;
  BodyMotion* bodies;  ///< by slot
};

/// Adds the forces and torques of all contacts to the bodies, and writes the rates of what the contacts keep in the
/// state (Contact::extras). Forces other than those of contacts have to stand already: what a plane bears depends on
/// them. Returns the power of driven obstacles [W].
double add_contact_forces(const Environment& environment, const std::vector<Contact>& contacts, const GroupInstant& now,
                          ObstacleMemory& obstacles);

/// Torque on a against its rolling and spinning on b, `turning` being its angular velocity against b.
Vector3d resisting_torque(const Resistance& resistance, double normal_force, const Vector3d& normal,
                          const Vector3d& turning);

}  // namespace carom::smooth
