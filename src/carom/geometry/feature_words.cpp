#include "carom/geometry/feature_words.h"

#include <cmath>
#include <optional>
#include <vector>

#include "carom/geometry/polyhedron.h"
#include "carom/geometry/support.h"
#include "carom/geometry/touched_feature.h"

namespace carom {
namespace {

using Eigen::Vector3d;

constexpr double kNear = 1e-3;  ///< of the size: points this near to a feature are on it

std::string sign_of(double value, char axis) {
  return std::string(value < 0.0 ? "-" : "+") + axis;
}

struct Namer {
  const Shape& shape;
  const Vector3d& point;
  const Vector3d& normal;
  double room;  ///< [m]

  [[nodiscard]] std::string end() const { return sign_of(point.z(), 'z'); }
  [[nodiscard]] double radial() const { return std::hypot(point.x(), point.y()); }
  [[nodiscard]] bool at_end(double half_length) const { return std::abs(point.z()) >= half_length - room; }

  /// Of a shape with flat faces: that of a vertex, or what the normal says.
  [[nodiscard]] std::string flat_words(const std::optional<std::string>& corner) const {
    if (corner) return "corner " + *corner;
    return touched_feature(shape, point, normal).kind == TouchedFeature::Kind::face ? "face" : "edge";
  }

  std::string operator()(const Sphere&) const { return ""; }
  std::string operator()(const Ellipsoid&) const { return ""; }
  std::string operator()(const HalfSpace&) const { return ""; }
  std::string operator()(const Bore&) const { return ""; }
  std::string operator()(const Shell&) const { return ""; }

  std::string operator()(const Box& box) const {
    constexpr const char* kWords[] = {"", "face ", "edge ", "corner "};
    std::string signs;
    int count = 0;
    for (int k = 0; k < 3; ++k) {
      if (std::abs(point[k]) < box.half_sizes[k] - room) continue;
      signs += sign_of(point[k], "xyz"[k]);
      ++count;
    }
    return kWords[count] + signs;
  }

  std::string operator()(const Cylinder& cylinder) const {
    if (!at_end(cylinder.half_length)) return "side";
    return (radial() >= cylinder.radius - room ? "rim " : "end ") + end();
  }

  std::string operator()(const Prism& prism) const {
    for (std::size_t k = 0; k < prism.vertices.size(); ++k) {
      if ((point.head<2>() - prism.vertices[k]).norm() > room) continue;
      if (at_end(prism.half_length)) return "corner " + std::to_string(k + 1) + " " + end();
      return "edge " + std::to_string(k + 1);
    }
    return flat_words(std::nullopt);
  }

  std::string operator()(const Capsule& capsule) const {
    return std::abs(point.z()) > capsule.half_length + room ? "end " + end() : "side";
  }

  std::string operator()(const Cone& cone) const {
    if (point.z() >= cone.height - room) return "tip";
    if (point.z() > room) return "side";
    return radial() >= cone.radius - room ? "rim" : "base";
  }

  std::string operator()(const HalfCylinder& half) const {
    const bool flat = point.y() >= -room, at_border = flat && std::abs(point.x()) >= half.radius - room;
    if (at_border && at_end(half.half_length)) return "corner " + sign_of(point.x(), 'x') + end();
    if (at_border) return "edge " + sign_of(point.x(), 'x');
    if (flat) return "flat side";
    if (!at_end(half.half_length)) return "side";
    return (radial() >= half.radius - room ? "rim " : "end ") + end();
  }

  std::string operator()(const Rod& rod) const { return at_end(rod.half_length) ? "end " + end() : "side"; }

  std::string operator()(const Convex&) const {
    const std::vector<Vector3d> vertices = shape_vertices(shape);
    for (std::size_t k = 0; k < vertices.size(); ++k)
      if ((point - vertices[k]).norm() <= room) return flat_words(std::to_string(k + 1));
    return flat_words(std::nullopt);
  }
};

}  // namespace

bool has_features(const Shape& shape) {
  switch (shape_kind(shape)) {
    case ShapeKind::sphere:
    case ShapeKind::ellipsoid:
    case ShapeKind::half_space:
    case ShapeKind::bore:
    case ShapeKind::shell: return false;
    default: return true;
  }
}

std::string feature_words(const Shape& shape, const Vector3d& point, const Vector3d& normal) {
  return std::visit(Namer{shape, point, normal, kNear * bounding_radius(shape)}, shape);
}

}  // namespace carom
