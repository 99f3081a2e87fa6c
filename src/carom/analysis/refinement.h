#pragma once
/// Points between the samples of a series, where its curve bends: for pictures, and for what is greatest and least.
///
/// Straight lines between samples cut corners that the motion did not cut. Here every line is asked at its thirds
/// whether the quantity follows it to within 5·10⁻⁴ of its range; where it does not, these points come in and their
/// parts are asked again. The least and the greatest point are then moved to where the curve turns. All values are
/// those of QuantityReader::at, with the error that sample_interval.h states; where samples do not resolve the motion
/// (a compliant contact between two of them) lines stay straight.

#include <span>

#include "carom/analysis/quantity_reader.h"

namespace carom {

/// Adds to the series of these quantities, as read() made them, the ends of the span where samples cover them, and
/// points in between. Series of one vector have the same times before and after (a path has two; a curve over time is
/// alone). Nothing is added to a quantity that is not known between samples, nor where so many points or bodies would
/// take long.
void refine(QuantityReader& reader, std::span<const Quantity> quantities, const TimeSpan& span,
            std::span<Series> series);

}  // namespace carom
