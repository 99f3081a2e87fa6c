#include "carom/engine/event/persistent_rows.h"

#include "carom/contact/contact_point.h"

namespace carom::event {

void append_rows(const Constraint& constraint, const BodyState& state, std::vector<JointRow>& rows) {
  if (const auto* rod = std::get_if<RodConstraint>(&constraint)) {
    Joint joint;
    joint.kind = JointKind::rod;
    joint.ends[0].body = rod->body;
    joint.ends[1].point = rod->pivot;
    joint.length = rod->length;
    rows.push_back(distance_row(joint, state, BodyState{}));
  } else if (const auto* planar = std::get_if<PlanarConstraint>(&constraint)) {
    rows.emplace_back().sides[0].linear = planar->normal;
    for (const Eigen::Vector3d& across : contact::tangents_of(planar->normal))
      rows.emplace_back().sides[0].angular = across;
  }
}

}  // namespace carom::event
