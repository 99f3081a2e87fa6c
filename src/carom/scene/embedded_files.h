#pragma once
/// Scenes that refer to other files, made whole: a record keeps what a run was made of, not where it stood.

#include "carom/scene/document/read_document.h"

namespace carom::scene {

/// Whether something of the scene stands in a file of its own: the mesh of a convex shape, a table of motion.
bool refers_to_files(const Document& document);

/// The same scene with what it needs of these files in it. Throws as the reader does where a file cannot be read.
Document with_embedded_files(const Document& document);

}  // namespace carom::scene
