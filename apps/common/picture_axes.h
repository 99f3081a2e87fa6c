#pragma once
/// What part of an axis a picture shows, and how far its tics are apart.

#include "carom/analysis/picture.h"

namespace carom::app {

Range y_range(const Panel& panel);

/// An axis needs some length.
Range widened(const Range& range);

/// 1, 2 or 5 times a power of ten: the least that gives at most so many steps.
double tic_step(const Range& range, double most);

}  // namespace carom::app
