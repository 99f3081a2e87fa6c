#include "carom/engine/smooth/rest_watch.h"

#include <algorithm>
#include <cmath>

namespace carom::smooth {

namespace {

/// How often it is looked whether everything rests, and for how long it has to [s].
constexpr double kRestLook = 0.01;
constexpr double kRestTime = 0.1;

}  // namespace

RestWatch::RestWatch(const Environment& environment, const ContactLaws& laws)
    : speed_(environment.options().rest_speed) {
  // Friction that is zero below a speed v₀ lets bodies creep at v₀, which they come down to without ever passing it.
  for (int i = 0; i < laws.count(); ++i) {
    const Friction& friction = laws.laws(i).prepared_friction;
    if (friction.kind == FrictionKind::ambrosio) speed_ = std::max(speed_, 1.1 * friction.speed);
  }
}

bool RestWatch::rests_at(const Motions& motions, double time) {
  if (time < next_look_) return false;
  next_look_ = time + kRestLook;
  for (const Obstacle& obstacle : motions.model().obstacles)
    if (obstacle.motion && time < obstacle.motion->still_from()) return false;
  for (const Joint& joint : motions.model().joints)
    for (const JointDrive& drive : joint.drives)
      if (drive.motor.position && time < still_from(*drive.motor.position)) return false;
  for (const BodyIndex body : motions.paths.states().indices()) {
    if (!motions.paths.in_play(body)) continue;
    const BodyState state = motions.state_of(body, time);
    const double size = motions.environment().body(body).size;
    const double turning = std::isfinite(size) ? state.angular_velocity.norm() * size : 0.0;
    if (state.velocity.norm() < speed_ && turning < speed_) continue;
    since_ = -1.0;
    return false;
  }
  if (since_ < 0.0) since_ = time;
  return time - since_ >= kRestTime;
}

}  // namespace carom::smooth
