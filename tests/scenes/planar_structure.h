#pragma once
/// The blocks of a scene that is the same in every section y = const, and where they touch, for limit analysis: found
/// from corners and edges alone.

#include <Eigen/Geometry>
#include <cmath>
#include <vector>

#include "carom/geometry/polyhedron.h"
#include "scenes/scene_run.h"
#include "support/limit_analysis.h"

namespace carom::test {

/// Corners counter-clockwise, x and z of the world.
using Polygon = std::vector<Eigen::Vector2d>;

/// The section of a box or a convex polyhedron.
inline Polygon section_of(const Body& body, const BodyState& state) {
  std::vector<Eigen::Vector3d> corners;
  const Part& part = body.parts[0];
  if (const auto* box = std::get_if<Box>(&part.shape)) {
    for (const double x : {-1.0, 1.0})
      for (const double z : {-1.0, 1.0}) corners.emplace_back(box->half_sizes.cwiseProduct(Eigen::Vector3d(x, 1.0, z)));
  } else {
    for (const Eigen::Vector3d& corner : std::get<Convex>(part.shape).polyhedron->vertices())
      if (corner.y() > 0.0) corners.push_back(corner);
  }
  Polygon polygon;
  Eigen::Vector2d middle = Eigen::Vector2d::Zero();
  for (const Eigen::Vector3d& corner : corners) {
    const Eigen::Vector3d world =
        state.position + state.orientation * (part.placement.position + part.placement.orientation * corner);
    polygon.emplace_back(world.x(), world.z());
    middle += polygon.back() / static_cast<double>(corners.size());
  }
  std::sort(polygon.begin(), polygon.end(), [&](const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
    return std::atan2(a.y() - middle.y(), a.x() - middle.x()) < std::atan2(b.y() - middle.y(), b.x() - middle.x());
  });
  return polygon;
}

struct PlanarStructure {
  std::vector<Block> blocks;
  std::vector<BlockContact> contacts;

  [[nodiscard]] bool can_rest() const { return test::can_rest(blocks, contacts); }
};

/// Corners of `upper` on an edge of `lower` beyond which all of `upper` lies. Where two corners meet this holds for an
/// edge of each, and both are taken.
inline void add_contacts(PlanarStructure& structure, BlockContact contact, const Polygon& upper, const Polygon& lower) {
  constexpr double kTouching = 1e-9;
  for (std::size_t k = 0; k < lower.size(); ++k) {
    const Eigen::Vector2d from = lower[k], edge = lower[(k + 1) % lower.size()] - from;
    contact.normal = Eigen::Vector2d(edge.y(), -edge.x()).normalized();
    bool beyond = true;
    for (const Eigen::Vector2d& corner : upper) beyond = beyond && contact.normal.dot(corner - from) > -kTouching;
    if (!beyond) continue;
    // Face on face is found from both sides.
    const auto known = [&](const BlockContact& other) {
      return other.upper == contact.lower && other.lower == contact.upper &&
             (other.point - contact.point).norm() < kTouching && other.normal.dot(contact.normal) < -1.0 + kTouching;
    };
    for (const Eigen::Vector2d& corner : upper) {
      const double along = edge.dot(corner - from) / edge.squaredNorm();
      if (contact.normal.dot(corner - from) > kTouching || along < -kTouching || along > 1.0 + kTouching) continue;
      contact.point = corner;
      if (std::none_of(structure.contacts.begin(), structure.contacts.end(), known))
        structure.contacts.push_back(contact);
    }
  }
}

/// All bodies of a scene over the ground z = 0, with one coefficient of friction.
inline PlanarStructure planar_structure(const scene::SceneFile& scene, double friction) {
  PlanarStructure structure;
  std::vector<Polygon> polygons;
  for (std::size_t k = 0; k < scene.model.bodies.size(); ++k) {
    const Eigen::Vector3d centre = scene.state.bodies[k].position;
    structure.blocks.push_back({{centre.x(), centre.z()}, scene.model.bodies[k].mass * 9.81});
    polygons.push_back(section_of(scene.model.bodies[k], scene.state.bodies[k]));
  }
  const Polygon ground{{-100.0, -1.0}, {100.0, -1.0}, {100.0, 0.0}, {-100.0, 0.0}};
  const int count = static_cast<int>(polygons.size());
  for (int a = 0; a < count; ++a) {
    BlockContact contact;
    contact.friction = friction;
    contact.upper = a;
    add_contacts(structure, contact, polygons[static_cast<std::size_t>(a)], ground);
    for (int b = 0; b < count; ++b) {
      if (a == b) continue;
      contact.lower = b;
      add_contacts(structure, contact, polygons[static_cast<std::size_t>(a)], polygons[static_cast<std::size_t>(b)]);
    }
  }
  return structure;
}

}  // namespace carom::test
