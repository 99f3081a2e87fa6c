#pragma once
/// The bodies and obstacles of a record in numbers, group `/model`: masses, inertias, shapes and where they are, so
/// that a reader needs no scene. docs/record-file.md

#include "carom/mechanics/model.h"
#include "carom/record/hdf5.h"

namespace carom {

/// Writes the group, with what its datasets are.
void write_model(hdf5::File& file, const Model& model);

}  // namespace carom
