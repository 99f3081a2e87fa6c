#pragma once
/// How the two bodies of a contact move against each other at one instant.

#include "carom/engine/smooth/body_motion.h"
#include "carom/engine/smooth/contact.h"
#include "carom/engine/smooth/environment.h"

namespace carom::smooth {

struct ContactMotion {
  Touch touch;
  double rate = 0.0;                       ///< of the gap: negative, it gets deeper
  Vector3d slip = Vector3d::Zero();        ///< tangential velocity of a against b
  Vector3d velocity_b = Vector3d::Zero();  ///< of b at the point
  // Of dents, for a unit of normal force: on a's centre (the reaction on b's), and torques.
  Vector3d pull = Vector3d::Zero(), torque_a = Vector3d::Zero(), torque_b = Vector3d::Zero();
};

/// The two sides of a contact.
struct ContactSides {
  const BodyMotion& a;
  const BodyMotion* b;            ///< null: an obstacle
  const ObstacleState& obstacle;  ///< that it is then
};

ContactMotion contact_motion(const Model& model, const PairGeometry& geometry, const ContactSides& sides);

}  // namespace carom::smooth
