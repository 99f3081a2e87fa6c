#pragma once
/// The scene that a record was made of, read again from the text and the settings inside.
///
/// The record holds where everything was; shapes, masses, obstacles and forces come from here.

#include <memory>

#include "carom/record/record_reader.h"
#include "carom/scene/scene.h"
#include "carom/scene/scene_contents.h"

namespace carom {

/// The scene with its settings. Throws InputError (unsupported) where this version of carom cannot read it.
Scene recorded_scene(const RecordInfo& record);

/// Its bodies and obstacles are those of the record, in its order. Throws InputError (unsupported) where this version
/// of carom cannot read the scene, or reads other bodies from it than the record has: the message says which version
/// wrote it.
scene::SceneFile scene_of(const RecordInfo& record);

/// The same; none where scene_of throws.
std::unique_ptr<const scene::SceneFile> scene_if_readable(const RecordInfo& record);

}  // namespace carom
