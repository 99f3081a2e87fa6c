#include "carom/record/record_model.h"

#include <limits>

#include "carom/geometry/support.h"
#include "carom/record/record_words.h"
#include "carom/record/row_buffer.h"

namespace carom {
namespace {

using Eigen::Vector3d;
using hdf5::Column;
using hdf5::Element;

constexpr double kNoSize = std::numeric_limits<double>::quiet_NaN();

Column reals(const char* path, std::vector<std::size_t> row = {}) {
  return {path, {Element::Kind::real, 0}, std::move(row)};
}
Column integers(const char* path) {
  return {path, {Element::Kind::integer, 0}, {}};
}
Column texts(const char* path, std::size_t length) {
  return {path, {Element::Kind::text, length}, {}};
}

/// As the description of /model/parts/size says.
struct SizeOf {
  Vector3d operator()(const Sphere& s) const { return {s.radius, kNoSize, kNoSize}; }
  Vector3d operator()(const Ellipsoid& s) const { return s.semi_axes; }
  Vector3d operator()(const Box& s) const { return s.half_sizes; }
  Vector3d operator()(const Cylinder& s) const { return {s.radius, s.half_length, kNoSize}; }
  Vector3d operator()(const Prism& s) const { return {s.half_length, kNoSize, kNoSize}; }
  Vector3d operator()(const HalfSpace&) const { return Vector3d::Constant(kNoSize); }
  Vector3d operator()(const Bore& s) const { return {s.radius, s.half_length, kNoSize}; }
  Vector3d operator()(const Shell& s) const { return {s.radius, kNoSize, kNoSize}; }
  Vector3d operator()(const Capsule& s) const { return {s.radius, s.half_length, kNoSize}; }
  Vector3d operator()(const Cone& s) const { return {s.radius, s.height, kNoSize}; }
  Vector3d operator()(const HalfCylinder& s) const { return {s.radius, s.half_length, kNoSize}; }
  Vector3d operator()(const Rod& s) const { return {s.half_length, kNoSize, kNoSize}; }
  Vector3d operator()(const Convex&) const { return Vector3d::Constant(kNoSize); }
};

bool has_vertices(const Shape& shape) {
  return std::holds_alternative<Prism>(shape) || std::holds_alternative<Convex>(shape);
}

void add_quaternion(RowBuffer& rows, const Eigen::Quaterniond& q) {
  const double values[] = {q.w(), q.x(), q.y(), q.z()};
  rows.reals(values);
}

std::string material_of(const Model& model, ObjectIndex object) {
  const MaterialIndex material = model.material(object);
  return material == kNone ? std::string() : model.materials[material].name;
}

std::size_t longest_material(const Model& model) {
  std::size_t longest = 1;
  for (const Material& material : model.materials) longest = std::max(longest, material.name.size());
  return longest;
}

void write_rows(hdf5::File& file, const RowBuffer& rows) {
  rows.create_columns(file, {std::max<std::size_t>(rows.waiting_rows(), 1), true});
  rows.append_to(file);
  describe_columns(file, rows.columns());
}

void write_bodies(hdf5::File& file, const Model& model) {
  RowBuffer rows({reals("/model/bodies/mass"), reals("/model/bodies/inertia", {3}),
                  reals("/model/bodies/principal_axes", {4}),
                  texts("/model/bodies/material", longest_material(model))});
  for (int body = 0; body < model.body_count(); ++body) {
    const Body& one = model.body(body);
    rows.real(one.mass).vector(one.inertia);
    add_quaternion(rows, one.principal_axes);
    rows.text(material_of(model, body)).end_row();
  }
  write_rows(file, rows);
}

void write_obstacles(hdf5::File& file, const Model& model) {
  RowBuffer rows({reals("/model/obstacles/position", {3}), reals("/model/obstacles/orientation", {4}),
                  integers("/model/obstacles/driven"), texts("/model/obstacles/material", longest_material(model))});
  for (int object = model.body_count(); object < model.object_count(); ++object) {
    const Pose pose = model.obstacle(object).pose_at(0.0);
    rows.vector(pose.position);
    add_quaternion(rows, pose.orientation);
    rows.integer(model.obstacle(object).driven() ? 1 : 0).text(material_of(model, object)).end_row();
  }
  write_rows(file, rows);
}

void write_parts(hdf5::File& file, const Model& model) {
  constexpr std::size_t kShapeLength = 16;
  RowBuffer rows({integers("/model/parts/object"), texts("/model/parts/shape", kShapeLength),
                  reals("/model/parts/size", {3}), reals("/model/parts/position", {3}),
                  reals("/model/parts/orientation", {4}), integers("/model/parts/first_vertex"),
                  integers("/model/parts/vertex_count")});
  RowBuffer vertices({reals("/model/vertices/position", {3})});
  for (int object = 0; object < model.object_count(); ++object) {
    for (const Part& part : model.parts(object)) {
      rows.integer(object).text(shape_name(part.shape)).vector(std::visit(SizeOf{}, part.shape));
      rows.vector(part.placement.position);
      add_quaternion(rows, part.placement.orientation);
      const std::int64_t first = vertices.all_rows();
      if (has_vertices(part.shape))
        for (const Vector3d& vertex : shape_vertices(part.shape)) vertices.vector(vertex).end_row();
      rows.integer(first).integer(vertices.all_rows() - first).end_row();
    }
  }
  write_rows(file, rows);
  write_rows(file, vertices);
}

}  // namespace

void write_model(hdf5::File& file, const Model& model) {
  for (const char* const group : {"/model", "/model/bodies", "/model/obstacles", "/model/parts", "/model/vertices"})
    file.create_group(group);
  write_bodies(file, model);
  write_obstacles(file, model);
  write_parts(file, model);
}

}  // namespace carom
