#pragma once
/// Surfaces of triangles from files: STL, as text or binary, and OBJ.
///
/// STL holds triangles with their corners one by one; normals and attributes are not looked at, as the winding says
/// what is outside. A file whose length is that of its number of triangles is binary, whatever it begins with. Of OBJ
/// the lines `v` and `f` are read; faces with more than three corners are cut into triangles from their first corner;
/// textures, normals, groups and materials are not looked at. Sources: 3D Systems, StereoLithography Interface
/// Specification, 1989; Wavefront, Advanced Visualizer Manual, appendix B1.

#include <string>

#include "carom/geometry/triangle_mesh.h"

namespace carom::scene {

/// The mesh of a file, whose name ends with .stl or .obj. Throws InputError, with the line where there is one: `file`
/// where it cannot be read, `unsupported` for other endings, `syntax` (also where it is cut short), `not_finite`,
/// `limit` above kMostTriangles. Whether the mesh bounds a body is not checked here (geometry/triangle_mesh.h).
TriangleMesh read_mesh_file(const std::string& path);

/// The same from bytes; `name` stands for the file in messages.
TriangleMesh read_stl(const std::string& name, std::string bytes);
TriangleMesh read_obj(const std::string& name, std::string bytes);

}  // namespace carom::scene
