#pragma once
/// How thin shapes are.

#include "carom/geometry/shape.h"

namespace carom {

/// Half the least distance of two parallel planes that hold the shape between them, of polyhedra among those along a
/// face [m]. Infinite for the unbounded ones; of a rod, which is nothing but long, half its length.
double half_width(const Shape& shape);

}  // namespace carom
