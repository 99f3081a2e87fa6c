#pragma once
/// Rows of what holds for ever: joints, and the constraints `rod` and `planar`, which are rows of the same kind over
/// one body. A `rolling` constraint is a contact that sticks, with the rows of one.

#include <vector>

#include "carom/mechanics/joint_rows.h"

namespace carom::event {

/// The rows of a rod or of a planar constraint; its body is on the first side.
void append_rows(const Constraint& constraint, const BodyState& state, std::vector<JointRow>& rows);

}  // namespace carom::event
