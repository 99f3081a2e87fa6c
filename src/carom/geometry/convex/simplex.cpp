#include "carom/geometry/convex/simplex.h"

#include <Eigen/Geometry>

namespace carom {

using Eigen::Vector3d;

Simplex::Nearest Simplex::on_segment(int i, int j) const {
  const Vector3d along = at(j) - at(i);
  const double part = -at(i).dot(along);
  const double whole = along.squaredNorm();
  if (!(part > 0.0)) return {at(i), {i, 0, 0}, 1};
  if (!(part < whole)) return {at(j), {j, 0, 0}, 1};
  return {at(i) + part / whole * along, {i, j, 0}, 2};
}

Simplex::Nearest Simplex::on_triangle(const Triple& corners) const {
  const auto& [i, j, k] = corners;
  const Vector3d ab = at(j) - at(i);
  const Vector3d ac = at(k) - at(i);
  const Vector3d normal = ab.cross(ac);
  const double square = normal.squaredNorm();
  // Barycentric coordinates of the origin's projection, times the square.
  const double w = normal.dot(at(i).cross(at(j)));
  const double u = normal.dot(at(j).cross(at(k)));
  const double v = normal.dot(at(k).cross(at(i)));
  if (square > 0.0 && u > 0.0 && v > 0.0 && w > 0.0) return {normal * (normal.dot(at(i)) / square), {i, j, k}, 3};
  Nearest best = on_segment(i, j);
  for (const auto& [p, q] : {std::pair(j, k), std::pair(k, i)}) {
    const Nearest other = on_segment(p, q);
    if (other.point.squaredNorm() < best.point.squaredNorm()) best = other;
  }
  return best;
}

Vector3d Simplex::reduce() {
  Nearest best;
  if (count_ == 1) return at(0);
  if (count_ == 2) {
    best = on_segment(0, 1);
  } else if (count_ == 3) {
    best = on_triangle({0, 1, 2});
  } else {
    // Faces that the origin lies beyond; none: it is inside.
    bool inside = true;
    const auto side = [&](int i, int j, int k, const Vector3d& x) {
      return (at(j) - at(i)).cross(at(k) - at(i)).dot(x - at(i));
    };
    for (int apex = 0; apex < 4; ++apex) {
      const Triple face = {(apex + 1) % 4, (apex + 2) % 4, (apex + 3) % 4};
      const double of_origin = side(face[0], face[1], face[2], Vector3d::Zero());
      const double of_apex = side(face[0], face[1], face[2], at(apex));
      if (of_origin * of_apex > 0.0) continue;
      const Nearest found = on_triangle(face);
      if (inside || found.point.squaredNorm() < best.point.squaredNorm()) best = found;
      inside = false;
    }
    if (inside) return Vector3d::Zero();
  }
  std::array<Vector3d, 4> kept;
  for (int i = 0; i < best.count; ++i)
    kept[static_cast<std::size_t>(i)] = at(best.corners[static_cast<std::size_t>(i)]);
  corners_ = kept;
  count_ = best.count;
  return best.point;
}

}  // namespace carom
