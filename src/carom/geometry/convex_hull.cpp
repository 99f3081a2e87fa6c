#include "carom/geometry/convex_hull.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "carom/base/assert.h"

namespace carom {

namespace {

using Eigen::Vector3d;
__extension__ typedef __int128 WideInteger;

constexpr double kGridSteps = 1099511627776.0;  // 2⁴⁰
/// The floating-point determinant is certain beyond this part of the sum of its terms' sizes: ten roundings.
constexpr double kCertain = 16.0 * std::numeric_limits<double>::epsilon();

struct HullFacet {
  std::array<int, 3> corners;
  std::array<int, 3> neighbours;
  std::vector<int> outside;  // points beyond it that no earlier triangle has
  int farthest = -1;         // of them
  double height = 0.0;       // of the farthest, times the length of the normal
  bool alive = true;
  int seen_by = -1;  // the last point that asked
};

class Quickhull {
 public:
  explicit Quickhull(std::span<const Vector3d> points) {
    Vector3d low = points[0], high = points[0];
    for (const Vector3d& p : points) {
      low = low.cwiseMin(p);
      high = high.cwiseMax(p);
    }
    for (int k = 0; k < 3; ++k) step_[k] = high[k] > low[k] ? (high[k] - low[k]) / kGridSteps : 1.0;
    grid_.reserve(points.size());
    for (const Vector3d& p : points) grid_.push_back((p - low).cwiseQuotient(step_).array().round());
  }

  std::vector<HullTriangle> run() {
    if (!begin()) return {};
    for (std::size_t next = 0; next < triangles_.size(); ++next) {
      if (triangles_[next].alive && triangles_[next].farthest >= 0) add_point(static_cast<int>(next));
    }
    return result();
  }

 private:
  [[nodiscard]] const Vector3d& at(int point) const { return grid_[static_cast<std::size_t>(point)]; }
  HullFacet& triangle(int number) { return triangles_[static_cast<std::size_t>(number)]; }

  /// The sign of the point's height over the triangle, positive outside.
  [[nodiscard]] int side(const std::array<int, 3>& corners, int point) const {
    const Vector3d u = at(corners[1]) - at(corners[0]);
    const Vector3d v = at(corners[2]) - at(corners[0]);
    const Vector3d w = at(point) - at(corners[0]);
    const double determinant = u.cross(v).dot(w);
    const double size = (std::abs(u.y() * v.z()) + std::abs(u.z() * v.y())) * std::abs(w.x()) +
                        (std::abs(u.z() * v.x()) + std::abs(u.x() * v.z())) * std::abs(w.y()) +
                        (std::abs(u.x() * v.y()) + std::abs(u.y() * v.x())) * std::abs(w.z());
    if (std::abs(determinant) > kCertain * size) return determinant > 0.0 ? 1 : -1;
    const auto whole = [](double x) { return static_cast<WideInteger>(static_cast<std::int64_t>(x)); };
    const WideInteger ux = whole(u.x()), uy = whole(u.y()), uz = whole(u.z());
    const WideInteger vx = whole(v.x()), vy = whole(v.y()), vz = whole(v.z());
    const WideInteger exact =
        (uy * vz - uz * vy) * whole(w.x()) + (uz * vx - ux * vz) * whole(w.y()) + (ux * vy - uy * vx) * whole(w.z());
    return exact > 0 ? 1 : exact < 0 ? -1 : 0;
  }

  [[nodiscard]] Vector3d long_normal(const std::array<int, 3>& corners) const {
    return (at(corners[1]) - at(corners[0])).cross(at(corners[2]) - at(corners[0]));
  }

  /// The four points of the first tetrahedron: two far apart, one far from their line, one off their plane.
  bool begin() {
    const int count = static_cast<int>(grid_.size());
    const auto best = [&](const auto& measure) {
      int found = 0;
      double most = -1.0;
      for (int i = 0; i < count; ++i) {
        const double value = measure(at(i));
        if (value > most) {
          most = value;
          found = i;
        }
      }
      return found;
    };
    const int a = best([&](const Vector3d& p) { return kGridSteps - p.x(); });
    const int b = best([&](const Vector3d& p) { return (p - at(a)).squaredNorm(); });
    const Vector3d along = at(b) - at(a);
    const int c = best([&](const Vector3d& p) { return along.cross(p - at(a)).squaredNorm(); });
    const Vector3d across = along.cross(at(c) - at(a));
    const int d = best([&](const Vector3d& p) { return std::abs(across.dot(p - at(a))); });
    const int sign = side({a, b, c}, d);
    if (sign == 0) return false;
    const std::array<int, 3> base = sign < 0 ? std::array<int, 3>{a, b, c} : std::array<int, 3>{a, c, b};
    make({base[0], base[1], base[2]}, {1, 2, 3});
    make({base[1], base[0], d}, {0, 3, 2});
    make({base[2], base[1], d}, {0, 1, 3});
    make({base[0], base[2], d}, {0, 2, 1});
    std::vector<int> all(grid_.size());
    for (int i = 0; i < count; ++i) all[static_cast<std::size_t>(i)] = i;
    hand_out(all, 0);
    return true;
  }

  int make(const std::array<int, 3>& corners, const std::array<int, 3>& neighbours) {
    HullFacet made;
    made.corners = corners;
    made.neighbours = neighbours;
    triangles_.push_back(std::move(made));
    return static_cast<int>(triangles_.size()) - 1;
  }

  /// Gives each point to the first triangle from `first` on that it lies beyond.
  void hand_out(const std::vector<int>& points, int first) {
    for (const int point : points) {
      for (std::size_t t = static_cast<std::size_t>(first); t < triangles_.size(); ++t) {
        HullFacet& candidate = triangles_[t];
        if (side(candidate.corners, point) <= 0) continue;
        candidate.outside.push_back(point);
        const double height = long_normal(candidate.corners).dot(at(point) - at(candidate.corners[0]));
        if (candidate.farthest < 0 || height > candidate.height) {
          candidate.height = height;
          candidate.farthest = point;
        }
        break;
      }
    }
  }

  /// Replaces all triangles that see the farthest point of this one by the cone from their border to the point.
  void add_point(int from) {
    const int eye = triangle(from).farthest;
    std::vector<int> seen = {from};
    triangle(from).seen_by = eye;
    std::vector<int> orphans;
    struct Border {
      int begin, end;  // corners
      int beyond;      // the triangle that stays
    };
    std::vector<Border> border;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const int t = seen[i];
      for (std::size_t k = 0; k < 3; ++k) {
        const int other = triangle(t).neighbours[k];
        if (triangle(other).seen_by == eye) continue;
        if (side(triangle(other).corners, eye) > 0) {
          triangle(other).seen_by = eye;
          seen.push_back(other);
        } else {
          border.push_back({triangle(t).corners[k], triangle(t).corners[(k + 1) % 3], other});
        }
      }
    }
    for (const int t : seen) {
      triangle(t).alive = false;
      orphans.insert(orphans.end(), triangle(t).outside.begin(), triangle(t).outside.end());
      triangle(t).outside = {};
    }
    // Around the border: side after side, each beginning where the one before ended.
    const int first = static_cast<int>(triangles_.size());
    const int sides = static_cast<int>(border.size());
    for (int i = 0; i + 1 < sides; ++i) {
      const auto follows = [&](const Border& b) { return b.begin == border[static_cast<std::size_t>(i)].end; };
      const auto next = std::find_if(border.begin() + i + 1, border.end(), follows);
      CAROM_ASSERT(next != border.end());
      std::swap(border[static_cast<std::size_t>(i) + 1], *next);
    }
    for (int i = 0; i < sides; ++i) {
      const Border& b = border[static_cast<std::size_t>(i)];
      const int number =
          make({b.begin, b.end, eye}, {b.beyond, first + (i + 1) % sides, first + (i + sides - 1) % sides});
      HullFacet& stays = triangle(b.beyond);
      for (std::size_t k = 0; k < 3; ++k)
        if (stays.corners[k] == b.end) stays.neighbours[k] = number;
    }
    hand_out(orphans, first);
  }

  [[nodiscard]] std::vector<HullTriangle> result() const {
    std::vector<int> number(triangles_.size(), -1);
    int count = 0;
    for (std::size_t t = 0; t < triangles_.size(); ++t)
      if (triangles_[t].alive) number[t] = count++;
    std::vector<HullTriangle> all;
    all.reserve(static_cast<std::size_t>(count));
    for (const HullFacet& t : triangles_) {
      if (!t.alive) continue;
      HullTriangle made{t.corners, {}, long_normal(t.corners).cwiseQuotient(step_).normalized()};
      for (std::size_t k = 0; k < 3; ++k) made.neighbours[k] = number[static_cast<std::size_t>(t.neighbours[k])];
      all.push_back(made);
    }
    return all;
  }

  std::vector<Vector3d> grid_;  // whole numbers from 0 to 2⁴⁰
  Vector3d step_;
  std::vector<HullFacet> triangles_;
};

}  // namespace

std::vector<HullTriangle> hull_triangles(std::span<const Vector3d> points) {
  if (points.size() < 4) return {};
  return Quickhull(points).run();
}

}  // namespace carom
