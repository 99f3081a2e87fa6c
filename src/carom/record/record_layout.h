#pragma once
/// The layout of a record file, which writer and reader share: six tables of columns. docs/record-file.md
///
///   samples   /time, /position …, /energy/…            one row per sample
///   events    /events/time …                           one row per event
///   contacts  /events/contacts/…                       the contacts of all events, in their order
///   jumps     /events/jumps/…                          the bodies whose velocities jumped, likewise
///   joints    /events/joints/…                         the joints that bore impulses, likewise
///   forces    /contact_forces/…                        what contacts do, sample by sample; may not be there
///
///   /rows     how many rows of the six tables, in this order, are good; older records lack the last ones
///
/// An event names its rows of the lower tables by `first_contact`, `contact_count`, `first_jump`, `jump_count`,
/// `first_joint`, `joint_count`.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "carom/record/hdf5.h"

namespace carom {

/// Stands in the attribute `format`; a reader refuses what is newer.
inline constexpr std::int64_t kRecordFormat = 1;

/// Longest name of a law that a record can hold [bytes].
inline constexpr std::size_t kLongestLawName = 48;

/// The attribute `stop` of a run that has not ended (or was killed).
inline constexpr const char* kRunning = "running";

inline constexpr const char* kRowCounts = "/rows";
inline constexpr const char* kObjects = "/objects";         ///< names, bodies first
inline constexpr const char* kPockets = "/pockets";         ///< names
inline constexpr const char* kJoints = "/joints";           ///< names
inline constexpr const char* kJointKinds = "/joint_kinds";  ///< of the joints; older records lack them
inline constexpr const char* kScript = "/script";           ///< names of scripted events
/// What the run can go on from (simulation/saved_simulation.h); and how many rows of the six tables came before, with
/// the wall time up to there [µs] as a seventh number.
inline constexpr const char* kCheckpoint = "/checkpoint";
inline constexpr const char* kCheckpointRows = "/checkpoint_rows";
/// Attribute: times up to which the run was extended beyond its duration [s], in their order; not there: it was not.
inline constexpr const char* kExtended = "extended";

/// Samples, events, contacts, jumps, joints, forces: the order in which tables are counted.
inline constexpr std::size_t kTableCount = 6;

using Columns = std::vector<hdf5::Column>;

/// In the order in which the writer fills a row and the reader takes it.
Columns sample_columns(std::size_t bodies);
/// More columns of samples where there are joints; older records lack them.
inline constexpr const char* kJointForce = "/joint_force";
inline constexpr const char* kJointCouple = "/joint_couple";
Columns joint_load_columns(std::size_t joints);
/// And where planes or obstacles are driven: where all of them are.
Columns obstacle_columns(std::size_t obstacles);
/// Older records may lack the last columns, from `first_joint` on, and the table of joints.
Columns event_columns();
/// Older records may lack the last columns, from `restitution` on. `joint`, `coordinate` and `upper` are of limits.
Columns contact_columns();
Columns jump_columns();
Columns joint_columns();
/// `sample` says of which sample a row is.
Columns force_columns();
inline constexpr const char* kForceSample = "/contact_forces/sample";

}  // namespace carom
