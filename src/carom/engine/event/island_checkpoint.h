#pragma once
/// How islands and what belongs to them go into an archive (base/archive.h) and come back.

#include <memory>

#include "carom/base/archive.h"
#include "carom/engine/event/ball_on_plane.h"
#include "carom/engine/event/island.h"

namespace carom::event {

void transfer(Archive& archive, ActiveContact& active);
void transfer(Archive& archive, Island& island);
void transfer(Archive& archive, BallOnPlane& ball);
void transfer(Archive& archive, BallStretch& stretch);

/// All bodies of an island share it.
void transfer_shared(Archive& archive, std::shared_ptr<const Island>& island);

}  // namespace carom::event
