#pragma once
/// Outlines: convex polygons, segments and points, seen along a direction, and the parts they have in common.
///
/// The one with fewer corners is cut off at the sides of the other (Sutherland & Hodgman 1974). The corners stay in
/// their order, and a corner that is not cut off keeps its exact place.

#include <Eigen/Core>
#include <array>

#include "carom/base/assert.h"

namespace carom {

/// A convex polygon, a segment or a point, the corners in order.
struct Outline {
  /// Enough for a polygon of kMostCorners cut off at the sides of another.
  static constexpr int kCapacity = 32;
  static constexpr int kMostCorners = 16;

  std::array<Eigen::Vector3d, kCapacity> corners;
  int count = 0;

  Outline() = default;
  // A copy is as long as the corners it holds.
  Outline(const Outline& other) : count(other.count) {
    for (int i = 0; i < count; ++i) corners[static_cast<std::size_t>(i)] = other.corners[static_cast<std::size_t>(i)];
  }
  Outline& operator=(const Outline& other) {
    count = other.count;
    for (int i = 0; i < count; ++i) corners[static_cast<std::size_t>(i)] = other.corners[static_cast<std::size_t>(i)];
    return *this;
  }

  void add(const Eigen::Vector3d& corner) {
    CAROM_ASSERT(count < kCapacity);
    corners[static_cast<std::size_t>(count++)] = corner;
  }
  [[nodiscard]] const Eigen::Vector3d& at(int i) const { return corners[static_cast<std::size_t>(i % count)]; }
  [[nodiscard]] Eigen::Vector3d middle() const {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (int i = 0; i < count; ++i) sum += at(i);
    return sum / count;
  }
};

/// `subject` cut off at all sides of the polygon `window`, both seen along n. Corners may lie outside a side by `slack`
/// and still count as inside.
Outline clipped(const Outline& subject, const Outline& window, const Eigen::Vector3d& n, double slack);

/// The common part of two segments, where they are parallel to the tolerance; empty otherwise.
Outline overlap(const Outline& segment, const Outline& other, double tolerance, double slack);

/// The common part of two outlines of at least two corners each, on the one with fewer corners (the first of equals).
struct CommonPart {
  Outline outline;
  bool of_first;  ///< whether its corners lie on the first one
};
CommonPart common_part(const Outline& first, const Outline& second, const Eigen::Vector3d& n, double tolerance,
                       double slack);

/// At most `most` corners of a polygon: those that cut off the least area are left out, one after the other.
Outline with_fewer_corners(const Outline& polygon, int most, const Eigen::Vector3d& n);

}  // namespace carom
