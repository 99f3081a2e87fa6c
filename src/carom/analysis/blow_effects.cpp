#include "carom/analysis/blow_effects.h"

#include <algorithm>

namespace carom {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// J in the world frame.
Matrix3d world_inertia(const Body& body, const Eigen::Quaterniond& orientation) {
  const Matrix3d axes = (orientation * body.principal_axes).toRotationMatrix();
  return axes * body.inertia.asDiagonal() * axes.transpose();
}

}  // namespace

bool BlowEffects::is_free(ObjectIndex object) const {
  if (object == kNone || !model_.is_body(object)) return true;
  const auto body = BodyIndex(static_cast<int>(object));
  const bool is_joined = std::any_of(model_.joints.begin(), model_.joints.end(), [body](const Joint& joint) {
    return joint.ends[0].body == body || joint.ends[1].body == body;
  });
  return !is_joined &&
         std::none_of(model_.constraints.begin(), model_.constraints.end(), [body](const Constraint& constraint) {
           const auto* const rolling = std::get_if<RollingConstraint>(&constraint);
           return rolling != nullptr && rolling->body == body;
         });
}

bool BlowEffects::knows(const ContactBlow& blow) const {
  return is_free(blow.a) && is_free(blow.b);
}

std::vector<BlowOnBody> BlowEffects::on(int body, std::span<const ContactBlow> blows, const BodyWay* way) const {
  std::vector<BlowOnBody> effects;
  const Body& moved = model_.bodies[BodyIndex(body)];
  for (const ContactBlow& blow : blows) {
    if (blow.a != body && blow.b != body) continue;
    const Vector3d impulse = (blow.a == body ? 1.0 : -1.0) * blow.impulse;
    BlowOnBody effect{&blow, impulse / moved.mass};
    if (way != nullptr) {
      const double time = std::clamp(blow.ended, way->knots.front().time, way->knots.back().time);
      const BodyState state = state_on(*way, time, Side::before);
      const Vector3d turning = (blow.point - state.position).cross(impulse);
      const Matrix3d inertia = world_inertia(moved, state.orientation);
      effect.angular_velocity = inertia.inverse() * turning;
      for (const Constraint& constraint : model_.constraints) {
        if (const auto* const rod = std::get_if<RodConstraint>(&constraint); rod != nullptr && rod->body == body) {
          const Vector3d along = (state.position - rod->pivot).normalized();
          effect.velocity -= along.dot(effect.velocity) * along;
        }
        const auto* const plane = std::get_if<PlanarConstraint>(&constraint);
        if (plane == nullptr || plane->body != body) continue;
        const Vector3d& normal = plane->normal;
        effect.velocity -= normal.dot(effect.velocity) * normal;
        effect.angular_velocity = normal.dot(turning) / normal.dot(inertia * normal) * normal;
      }
    }
    effects.push_back(effect);
  }
  return effects;
}

}  // namespace carom
