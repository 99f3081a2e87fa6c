#pragma once
/// How a record is written.

#include <cstddef>

namespace carom {

/// When rows go to the file: as soon as either is exceeded.
struct RecordRhythm {
  double seconds = 2.0;  ///< since the last time, > 0
  std::size_t waiting_bytes = std::size_t{16} << 20;
  /// Between checkpoints that a run which is killed can go on from, > 0; 0: there is one at the end alone.
  double checkpoint_seconds = 0.0;
};

/// What is recorded besides samples of the bodies and events.
struct RecordContents {
  bool contact_forces = true;  ///< what contacts do at every sample: a row of 136 bytes for each that presses
};

}  // namespace carom
