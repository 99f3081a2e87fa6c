#pragma once
/// Reports to an observer what a record holds, as if the run happened again.

#include <cstddef>

#include "carom/analysis/sample_choice.h"
#include "carom/record/observer.h"
#include "carom/record/record_reader.h"

namespace carom {

/// How far a record has been reported, for one that grows.
struct ReplayPosition {
  std::size_t sample = 0;
  std::size_t event = 0;
};

/// Reports samples and events from a position on, in order of time (an event before the sample of the same instant, but
/// for the first sample of all). Where not every sample is chosen, the last one is reported all the same. Reads block
/// by block, so that a record of any length can be reported. Returns where the record ends now. Throws InputError where
/// the record cannot be read.
ReplayPosition replay(RecordReader& record, Observer& observer, const SampleChoice& choice = {},
                      ReplayPosition from = {});

}  // namespace carom
