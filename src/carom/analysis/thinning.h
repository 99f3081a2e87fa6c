#pragma once
/// Fewer points that look the same: for pictures of long series.

#include <cstddef>
#include <vector>

namespace carom {

/// Indices of the points to keep, in order. The points are cut into buckets of equal numbers; of each the first and
/// last, the least and the greatest value are kept, and one that is not finite, so that gaps stay gaps. All points
/// where there are at most `most` of them; otherwise at most about `most`.
std::vector<std::size_t> thinned(const std::vector<double>& values, std::size_t most);

/// The same for a path (x, y): points nearer than `resolution` of the extent in x and in y to the one kept before are
/// left out; the first and the last stay.
std::vector<std::size_t> thinned_path(const std::vector<double>& x, const std::vector<double>& y, double resolution);

}  // namespace carom
