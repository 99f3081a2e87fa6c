#pragma once
/// What the datasets of a record are, for those who read it without its documentation: units, descriptions and
/// dimensions as attributes of each, and scales along the dimensions that have one.
///
/// Dimensions are labelled: time (scale `/time`), event (`/events/time`), body (`/bodies`), obstacle (`/obstacles`),
/// joint
/// (`/joints`), axis (`/axes`: x, y, z), quaternion (`/quaternion`: w, x, y, z); rows of lower tables, which have none,
/// as contact, jump, joint impulse, contact force, part and vertex.

#include "carom/record/record_layout.h"

namespace carom {

/// The paths of the scales that are names.
inline constexpr const char* kBodies = "/bodies";
inline constexpr const char* kObstacles = "/obstacles";
inline constexpr const char* kAxes = "/axes";
inline constexpr const char* kQuaternion = "/quaternion";

/// Writes the attributes `units` and `description` of these columns, which the file has already, and their dimensions.
/// All scales are there.
void describe_columns(hdf5::File& file, const Columns& columns);

/// The same of the lists of names, and of what is counted.
void describe_names(hdf5::File& file);

/// The same of the checkpoint.
void describe_checkpoint(hdf5::File& file);

}  // namespace carom
