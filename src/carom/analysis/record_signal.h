#pragma once
/// A quantity of a record as a signal for spectra.

#include "carom/analysis/quantity_reader.h"
#include "carom/analysis/spectrum.h"

namespace carom {

/// Samples lie at even steps; the first and the last one, which lie where the run began and ended, are left out
/// where they do not fall onto these. Accelerations (quantity_reader.h) have one sample less at either end. Where
/// samples are uneven, values at even steps follow from the motion between them (QuantityReader::at), after a jump
/// where one is.
///
/// Throws InputError: out_of_range where there are too few samples; unsupported where they are uneven and the quantity
/// is not known between them, for a quantity that is not sampled, or for `radial` where the body is at the origin;
/// not_finite; and those of QuantityReader.
Signal record_signal(RecordReader& record, const Quantity& quantity);

}  // namespace carom
