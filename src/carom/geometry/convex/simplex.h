#pragma once
/// The point of a point, segment, triangle or tetrahedron that is nearest to the origin, and the corners that carry it:
/// the inner step of the algorithm of Gilbert, Johnson & Keerthi (1988). Regions after Ericson, Real-Time Collision
/// Detection, 2005, section 5.1.

#include <Eigen/Core>
#include <array>

namespace carom {

class Simplex {
 public:
  void add(const Eigen::Vector3d& corner) { corners_[static_cast<std::size_t>(count_++)] = corner; }
  [[nodiscard]] int size() const { return count_; }
  [[nodiscard]] bool holds(const Eigen::Vector3d& corner) const {
    for (int i = 0; i < count_; ++i)
      if (corners_[static_cast<std::size_t>(i)] == corner) return true;
    return false;
  }
  /// The nearest point; keeps only the corners that carry it. All four are left where the origin is inside.
  Eigen::Vector3d reduce();

 private:
  using Triple = std::array<int, 3>;
  [[nodiscard]] const Eigen::Vector3d& at(int i) const { return corners_[static_cast<std::size_t>(i)]; }
  struct Nearest {
    Eigen::Vector3d point;
    Triple corners;
    int count;
  };
  [[nodiscard]] Nearest on_segment(int i, int j) const;
  [[nodiscard]] Nearest on_triangle(const Triple& corners) const;

  std::array<Eigen::Vector3d, 4> corners_;
  int count_ = 0;
};

}  // namespace carom
