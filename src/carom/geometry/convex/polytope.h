#pragma once
/// A polytope inside the difference { a − b } of two convex shapes that grows towards its border, for shapes that
/// overlap (the expanding polytope of van den Bergen, 2001).
///
/// Along the outward normal m of a facet at the height o of the polytope P, s_P(−m) = −o; since P lies inside the
/// difference, s(n) ≤ s_P(n) for every n, and where the origin is in P no s_P(n) is larger than that of the lowest
/// facet. So the lowest height bounds the signed distance from above, while every s(n) bounds it from below: what is
/// between is the certificate.

#include <Eigen/Core>
#include <array>
#include <cstdint>

namespace carom {

class Polytope {
 public:
  static constexpr int kMostPoints = 400;

  /// A tetrahedron; false where it has no volume to `room` [m].
  bool begin(const std::array<Eigen::Vector3d, 4>& points, double room);

  struct Facet {
    Eigen::Vector3d normal;  ///< unit, outwards
    double height;           ///< normal·x of the facet
    std::array<std::int16_t, 3> corners;
    std::array<std::int16_t, 3> neighbours;  ///< across the side from corner k to corner k + 1
    bool alive;
    bool seen;
  };
  /// The lowest facet that is not settled; −1 where none is left.
  int lowest();
  [[nodiscard]] const Facet& facet(int number) const { return facets_[static_cast<std::size_t>(number)]; }
  /// The facet is on the border of the difference: it is not asked for again.
  void settle(int number);
  /// The height of the lowest settled facet; infinite where there is none.
  [[nodiscard]] double settled_height() const { return settled_height_; }
  /// Grows by a point beyond the facet `from`. False where it cannot: full, or a new facet would have no area.
  bool add(const Eigen::Vector3d& point, int from, double room);

 private:
  bool make(int a, int b, int c);
  void push(int facet);
  void pop();

  static constexpr int kMostFacets = 4 * kMostPoints;
  std::array<Eigen::Vector3d, kMostPoints> points_;
  std::array<Facet, kMostFacets> facets_;
  std::array<std::int16_t, kMostFacets> heap_;  // facets by height, the dead among them
  int point_count_ = 0;
  int facet_count_ = 0;
  int heap_size_ = 0;
  double settled_height_ = 0.0;
};

}  // namespace carom
