#pragma once
/// The layout of a record file, which writer and reader share: four tables of columns. docs/record-file.md
///
///   samples   /time, /position …, /energy/…            one row per sample
///   events    /events/time …                           one row per event
///   contacts  /events/contacts/…                       the contacts of all events, in their order
///   jumps     /events/jumps/…                          the bodies whose velocities jumped, likewise
///
///   /rows     how many rows of the four tables, in this order, are good
///
/// An event names its rows of the lower tables by `first_contact`, `contact_count`, `first_jump`, `jump_count`.

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
inline constexpr const char* kObjects = "/objects";  ///< names, bodies first
inline constexpr const char* kPockets = "/pockets";  ///< names

/// Samples, events, contacts, jumps: the order in which tables are counted.
inline constexpr std::size_t kTableCount = 4;

using Columns = std::vector<hdf5::Column>;

/// In the order in which the writer fills a row and the reader takes it.
Columns sample_columns(std::size_t bodies);
Columns event_columns();
/// Older records may lack the last column, `restitution`.
Columns contact_columns();
Columns jump_columns();

}  // namespace carom
