#pragma once
/// What a record says about the run of a scene, so that it can be run again from itself.

#include "carom/record/record_writer.h"
#include "carom/scene/scene.h"
#include "carom/scene/scene_contents.h"

namespace carom {

RecordHeader record_header(const Scene& scene, const scene::SceneFile& contents);

}  // namespace carom
