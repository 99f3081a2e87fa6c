/// Shapes, their parts, and bodies made of them.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "carom/geometry/mass_properties.h"
#include "carom/geometry/polyhedron.h"
#include "carom/scene/format/sections.h"
#include "carom/scene/mesh/mesh_file.h"
#include "carom/scene/reader/reading.h"

namespace carom::scene {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// Room for round-off in the symmetry of an inertia, relative to its largest entry, and in J_i ≤ J_j + J_k.
constexpr double kSymmetry = 1e-9;
constexpr double kInertiaRoundOff = 1e-12;

Prism read_prism(const Fields& fields) {
  const Matrix vertices = fields.matrix("vertices");
  Prism prism{};
  for (Eigen::Index i = 0; i < 3; ++i) prism.vertices[static_cast<std::size_t>(i)] = vertices.row(i).transpose();
  prism.half_length = fields.number("half_length");
  return prism;
}

std::vector<Vector3d> read_vertices(const Entry& entry) {
  const Matrix rows = as_matrix(entry);
  if (static_cast<std::size_t>(rows.rows()) > kMostTriangles) {
    throw InputError(Kind::limit, entry.place(),
                     entry.name() + " has " + std::to_string(rows.rows()) + " rows, expected at most " +
                         std::to_string(kMostTriangles));
  }
  std::vector<Vector3d> vertices;
  for (Eigen::Index i = 0; i < rows.rows(); ++i) vertices.emplace_back(rows.row(i).transpose());
  return vertices;
}

/// The file as the scene names it, seen from the folder of the scene.
std::string mesh_path(const Entry& file) {
  const std::filesystem::path path = std::filesystem::path(file.source->name()).parent_path() / as_string(file);
  // Not what a program writes on and on, nor standard input.
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored)) {
    throw InputError(Kind::file, std::string(), "'" + path.string() + "' is no file");
  }
  return path.string();
}

/// The vertices of a mesh file; all errors that have no line of their own in that file are placed at the scene's.
std::vector<Vector3d> read_mesh_vertices(const Entry& file) {
  try {
    const TriangleMesh mesh = read_mesh_file(mesh_path(file));
    const auto polyhedron = convex_polyhedron(mesh, {"\"" + as_string(file) + "\"", file.path});
    return {polyhedron->vertices().begin(), polyhedron->vertices().end()};
  } catch (const InputError& error) {
    Place place = error.place();
    if (place.line > 0) {
      place.field = file.path;
      throw InputError(error.kind(), place, error.what());
    }
    const std::string message = error.what();
    throw InputError(error.kind(), file.place(), place.field == file.path ? message : file.name() + ": " + message);
  }
}

Convex read_convex(const Fields& fields) {
  const Entry given = *one_of(fields, {"vertices", "file"}, true);
  return {std::make_shared<const Polyhedron>(convex_vertices(fields), given.path)};
}

/// The mass of a shape that says `mass` or `density`.
double read_mass(const Entry& given, bool is_density, const Shape& shape) {
  const double value = as_number(given);
  if (!is_density) return value;
  const double volume = mass_properties(shape).volume;
  if (volume == 0.0)
    given.fail(Kind::unsupported, "a mass in its place, as a " + std::string(shape_name(shape)) + " has no volume");
  const double mass = value * volume;
  if (mass > 0.0 && std::isfinite(mass)) return mass;
  throw InputError(Kind::out_of_range, given.place(),
                   given.name() + " times the volume of the shape leaves the range of numbers");
}

std::optional<double> find_mass(const Fields& fields, const Shape& shape, bool needed) {
  const std::optional<Entry> given = one_of(fields, {"mass", "density"}, needed);
  if (!given) return std::nullopt;
  return read_mass(*given, fields.find("density").has_value(), shape);
}

std::vector<Entry> part_entries(const Entry& shape) {
  const Entry parts = Fields(shape).at("parts");
  std::vector<Entry> entries = as_entries(parts);
  if (entries.empty()) {
    throw InputError(Kind::size_mismatch, parts.place(), parts.name() + " is empty, expected at least one part");
  }
  if (entries.size() > kMostParts) {
    throw InputError(Kind::limit, parts.place(),
                     parts.name() + " has " + std::to_string(entries.size()) + " entries, expected at most " +
                         std::to_string(kMostParts));
  }
  return entries;
}

/// The masses of the parts: each its own, or none of them any and that of the body spread over their volumes.
std::vector<double> part_masses(const Fields& body, const std::vector<Entry>& entries, const Parts& parts) {
  const bool of_parts = std::any_of(entries.begin(), entries.end(), [](const Entry& entry) {
    return Fields(entry).find("mass") || Fields(entry).find("density");
  });
  std::vector<double> masses, volumes;
  double volume = 0.0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (of_parts) masses.push_back(*find_mass(Fields(entries[i]), parts[i].shape, true));
    volumes.push_back(mass_properties(parts[i].shape).volume);
    volume += volumes.back();
  }
  const std::optional<Entry> whole = one_of(body, {"mass", "density"}, !of_parts);
  if (!whole) return masses;
  if (of_parts) {
    throw InputError(Kind::duplicate_name, whole->place(),
                     whole->name() + " is given beside the masses of the parts, expected one or the other");
  }
  const auto thin = std::find(volumes.begin(), volumes.end(), 0.0);
  if (thin != volumes.end()) {
    const auto index = static_cast<std::size_t>(thin - volumes.begin());
    throw InputError(Kind::unsupported, entries[index].place(),
                     entries[index].name() + " is a " + std::string(shape_name(parts[index].shape)) +
                         ", which has no volume to share in the mass of the whole, expected a mass for each part");
  }
  const double density = body.find("density") ? as_number(*whole) : as_number(*whole) / volume;
  for (const double part : volumes) {
    masses.push_back(density * part);
    if (masses.back() > 0.0 && std::isfinite(masses.back())) continue;
    throw InputError(Kind::out_of_range, whole->place(),
                     whole->name() + " gives a part a mass that leaves the range of numbers");
  }
  return masses;
}

bool is_compound(const Entry& shape) {
  return fields_of(shape, obstacle_shapes()).kind == "compound";
}

void require_symmetric(const Entry& entry, const Matrix3d& inertia) {
  const double largest = inertia.cwiseAbs().maxCoeff();
  if ((inertia - inertia.transpose()).cwiseAbs().maxCoeff() > kSymmetry * largest) {
    throw InputError(Kind::out_of_range, entry.place(),
                     entry.name() + " is not symmetric, expected an inertia tensor, whose rows are its columns");
  }
}

}  // namespace

std::vector<Vector3d> convex_vertices(const Fields& fields) {
  const Entry given = *one_of(fields, {"vertices", "file"}, true);
  std::vector<Vector3d> vertices = fields.find("file") ? read_mesh_vertices(given) : read_vertices(given);
  const double scale = fields.number("scale", 1.0);
  for (Vector3d& vertex : vertices) vertex *= scale;
  return vertices;
}

Shape read_shape(const Entry& entry) {
  const auto [kind, fields] = fields_of(entry, obstacle_shapes());
  const auto make = [&kind = kind, &fields = fields]() -> Shape {
    if (kind == "sphere") return Sphere{fields.number("radius")};
    if (kind == "ellipsoid") return Ellipsoid{fields.vector("semi_axes")};
    if (kind == "box") return Box{fields.vector("half_sizes")};
    if (kind == "cylinder") return Cylinder{fields.number("radius"), fields.number("half_length")};
    if (kind == "prism") return read_prism(fields);
    if (kind == "capsule") return Capsule{fields.number("radius"), fields.number("half_length")};
    if (kind == "cone") return Cone{fields.number("radius"), fields.number("height")};
    if (kind == "half_cylinder") return HalfCylinder{fields.number("radius"), fields.number("half_length")};
    if (kind == "rod") return Rod{fields.number("half_length")};
    if (kind == "convex") return read_convex(fields);
    if (kind == "bore") return Bore{fields.number("radius"), fields.number("half_length")};
    return Shell{fields.number("radius")};
  };
  Shape shape = make();
  validate(shape, entry.path);
  return shape;
}

Parts read_parts(const Entry& shape) {
  if (!is_compound(shape)) return one_part(read_shape(shape));
  Parts parts;
  for (const Entry& entry : part_entries(shape)) {
    const Fields fields(entry);
    parts.push_back({read_shape(entry), {vector3(fields, "position"), read_orientation(fields)}});
  }
  return parts;
}

FramedBody read_framed_body(const Fields& fields) {
  const Entry entry = fields.at("shape");
  const Parts parts = read_parts(entry);
  if (is_compound(entry)) {
    return compound_body(fields.string("name"), parts, part_masses(fields, part_entries(entry), parts));
  }
  const Shape& shape = parts.front().shape;
  return framed_body(fields.string("name"), shape, *find_mass(fields, shape, true));
}

void read_inertia(const Entry& entry, Body& body) {
  const Matrix given = as_inertia(entry);
  if (given.cols() == 1) {
    body.inertia = given.col(0);
    body.principal_axes = Eigen::Quaterniond::Identity();
    return;
  }
  const Matrix3d tensor = given;
  require_symmetric(entry, tensor);
  set_inertia(body, tensor);
  const Vector3d& moments = body.inertia;
  const double sum = moments.sum();
  // J_i ≤ J_j + J_k is 2 J_i ≤ sum.
  if (moments.minCoeff() > 0.0 && 2.0 * moments.maxCoeff() <= sum * (1.0 + kInertiaRoundOff)) return;
  throw InputError(Kind::out_of_range, entry.place(),
                   fmt::format("{} has the principal moments {:.6g}, {:.6g} and {:.6g}, expected positive ones, none "
                               "above the sum of the other two, as no body has more",
                               entry.name(), moments.x(), moments.y(), moments.z()));
}

}  // namespace carom::scene
