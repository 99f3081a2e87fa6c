#include "carom/scene/mesh/mesh_file.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <tuple>

#include "carom/geometry/polyhedron.h"
#include "carom/scene/scene.h"
#include "carom/scene/scene_file.h"
#include "scene/expect_error.h"
#include "scene/scene_bits.h"
#include "support/scratch_folder.h"

namespace carom::scene::mesh_file_test {
namespace {

using Eigen::Vector3d;
using Triangles = std::vector<std::array<Vector3d, 3>>;

/// The tetrahedron of the origin and the unit vectors.
Triangles tetrahedron() {
  const Vector3d o(0, 0, 0), x(1, 0, 0), y(0, 1, 0), z(0, 0, 1);
  return {{o, y, x}, {o, x, z}, {o, z, y}, {x, y, z}};
}

std::string ascii_stl(const Triangles& triangles) {
  std::ostringstream text;
  text << "solid made by hand\n";
  for (const auto& corners : triangles) {
    text << "  facet normal 0 0 0\n    outer loop\n";
    for (const Vector3d& corner : corners) {
      text << "      vertex " << corner.x() << ' ' << corner.y() << ' ' << corner.z() << '\n';
    }
    text << "    endloop\n  endfacet\n";
  }
  text << "endsolid made by hand\n";
  return text.str();
}

template <class Number>
void append(std::string& bytes, Number number) {
  char raw[sizeof(Number)];
  std::memcpy(raw, &number, sizeof(Number));
  bytes.append(raw, sizeof(Number));
}

std::string binary_stl(const Triangles& triangles) {
  // Programs exist that begin binary files with "solid" as well.
  std::string bytes = "solid binary";
  bytes.resize(80, ' ');
  append(bytes, static_cast<std::uint32_t>(triangles.size()));
  for (const auto& corners : triangles) {
    for (int i = 0; i < 3; ++i) append(bytes, 0.0F);
    for (const Vector3d& corner : corners) {
      for (const double coordinate : corner) append(bytes, static_cast<float>(coordinate));
    }
    append(bytes, std::uint16_t{0});
  }
  return bytes;
}

const std::string kObj =
    "# a tetrahedron\nmtllib none.mtl\no part\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0 0 1\n"
    "f 1 3 2\nf 1/1 2/2 4/3\nf 1//1 4//1 3//1\nf -3 -2 -1\n";

void expect_tetrahedron(const TriangleMesh& mesh) {
  EXPECT_EQ(mesh.vertices.size(), 4u);
  EXPECT_EQ(mesh.triangles.size(), 4u);
  EXPECT_NEAR(convex_polyhedron(mesh, {"mesh", "file"})->volume(), 1.0 / 6.0, 1e-16);
}

TEST(MeshFile, StlIsReadAsTextAndBinary) {
  expect_tetrahedron(read_stl("a.stl", ascii_stl(tetrahedron())));
  expect_tetrahedron(read_stl("a.stl", binary_stl(tetrahedron())));
}

TEST(MeshFile, ObjIsRead) {
  expect_tetrahedron(read_obj("a.obj", kObj));
  std::string with_returns;
  for (const char c : kObj) with_returns += c == '\n' ? std::string("\r\n") : std::string(1, c);
  expect_tetrahedron(read_obj("a.obj", with_returns));
}

TEST(MeshFile, FacesOfObjMayHaveManyCorners) {
  const TriangleMesh cube = read_obj("cube.obj",
                                     "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                                     "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n");
  EXPECT_EQ(cube.triangles.size(), 12u);
  EXPECT_NEAR(convex_polyhedron(cube, {"mesh", "file"})->volume(), 1.0, 1e-15);
}

TEST(MeshFile, MistakesInTextAreShownAtTheirLine) {
  const std::string stl = ascii_stl(tetrahedron());
  const auto replaced = [&stl](const std::string& from, const std::string& to) {
    std::string text = stl;
    return text.replace(text.find(from), from.size(), to);
  };
  const auto stl_error = [](const std::string& text) { return test::error_of([&] { read_stl("a.stl", text); }); };
  EXPECT_EQ(stl_error(replaced("vertex 0 0 0", "vertex 0 zero 0")), "syntax 4:16");
  EXPECT_EQ(stl_error(replaced("vertex 0 0 0", "vertex 0 nan 0")), "not-finite 4:16");
  EXPECT_EQ(stl_error(replaced("outer loop", "inner loop")), "syntax 3:5");
  EXPECT_EQ(stl_error(stl.substr(0, 100)).substr(0, 6), "syntax");
  EXPECT_EQ(stl_error(replaced("endsolid made by hand\n", "")), "syntax 30:1");
  EXPECT_EQ(test::message_of([&] { read_stl("a.stl", replaced("endsolid made by hand\n", "")); }),
            "the file ends here, expected facet or endsolid");
  const auto obj_error = [](const std::string& text) { return test::error_of([&] { read_obj("a.obj", text); }); };
  EXPECT_EQ(obj_error("v 0 0\n"), "syntax 1:1");
  EXPECT_EQ(obj_error("v 0 0 1e999\n"), "not-finite 1:7");
  EXPECT_EQ(obj_error("v 0 0 0\nf 1 2 3\n"), "syntax 2:5");
  EXPECT_EQ(obj_error("v 0 0 0\nf 1 1\n"), "syntax 2:1");
  EXPECT_EQ(obj_error("vertex 0 0 0\n"), "syntax 1:1");
}

TEST(MeshFile, BinaryFilesSayWhatIsWrong) {
  std::string bytes = binary_stl(tetrahedron());
  bytes.replace(0, 5, "binar");
  const auto message = [](const std::string& text) { return test::message_of([&] { read_stl("a.stl", text); }); };
  EXPECT_EQ(message(bytes.substr(0, 200)), "the file has 200 bytes, expected 284 for the 4 triangles that it states");
  EXPECT_EQ(message(bytes.substr(0, 50)), "the file has 50 bytes and does not begin with solid, expected STL");
  EXPECT_EQ(message(""), "the file has 0 bytes and does not begin with solid, expected STL");
  std::string infinite = bytes;
  const float infinity = std::numeric_limits<float>::infinity();
  std::memcpy(infinite.data() + 84 + 12, &infinity, sizeof(float));
  EXPECT_EQ(message(infinite), "triangle 0 of the file has a corner with the coordinate inf, expected finite numbers");
  std::string many(84 + 50 * std::size_t{1'000'000}, '\0');
  const std::uint32_t million = 1'000'000;
  std::memcpy(many.data() + 80, &million, sizeof(million));
  EXPECT_EQ(message(many), "the file has 1000000 triangles, expected at most 100000");
  EXPECT_EQ(message(many.substr(0, 1000)), "the file has 1000000 triangles, expected at most 100000");
}

/// A folder with a scene that has a die from a file.
struct SceneFolder {
  test::ScratchFolder folder;
  std::string scene = folder.file("scene.toml");

  SceneFolder(const std::string& mesh, const std::string& name = "part.stl") {
    write(name, mesh);
    write("scene.toml",
          "format = 1\n[run]\nduration = 1\n[[body]]\nname = 'die'\nmass = 2\nshape = { kind = 'convex', "
          "file = '" +
              name + "', scale = 0.001 }\n");
  }
  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder.file(name), std::ios::binary) << bytes;
  }
};

TEST(MeshFile, IsFoundBesideTheSceneAndScaled) {
  const SceneFolder made(ascii_stl(tetrahedron()));
  const SceneFile scene = Scene::read(made.scene).build();
  const auto& hull = std::get<Convex>(scene.model.bodies[0].parts[0].shape);
  EXPECT_NEAR(hull.polyhedron->volume(), 1e-9 / 6.0, 1e-24);
  EXPECT_TRUE(scene.model.bodies[0].parts[0].placement.position.isApprox(Vector3d::Constant(-0.25e-3), 1e-14));
}

TEST(MeshFile, IsNotNeededOnceTheSceneIsRecorded) {
  const SceneFolder made(kObj, "part.OBJ");
  Scene scene = Scene::read(made.scene);
  scene.set("run.duration=3");
  const std::string bits = test::scene_bits(scene.build());
  const std::string text = scene.text();
  EXPECT_TRUE(scene.settings().empty());
  EXPECT_EQ(text.find("part.OBJ"), std::string::npos) << text;
  std::filesystem::remove(made.folder.file("part.OBJ"));
  EXPECT_EQ(test::scene_bits(Scene::parse(text).build()), bits);
  EXPECT_NE(scene.to_toml().find("part.OBJ"), std::string::npos);
}

TEST(MeshFile, ErrorsAreShownInTheSceneOrInTheLineOfTheMesh) {
  Triangles open = tetrahedron();
  open.pop_back();
  const SceneFolder hole(binary_stl(open));
  EXPECT_EQ(test::error_of([&] { (void)Scene::read(hole.scene).build(); }), "out-of-range 7:35 body.die.shape.file");
  EXPECT_EQ(test::message_of([&] { (void)Scene::read(hole.scene).build(); }).substr(0, 63),
            "body.die.shape.file is \"part.stl\", which has a hole: the edge f");
  const SceneFolder bad("solid x\nfacet normal 0 0 1\nouter hoop\n");
  EXPECT_EQ(test::error_of([&] { (void)Scene::read(bad.scene).build(); }), "syntax 3:7 body.die.shape.file");
  const SceneFolder gone(ascii_stl(tetrahedron()));
  std::filesystem::remove(gone.folder.file("part.stl"));
  EXPECT_EQ(test::error_of([&] { (void)Scene::read(gone.scene).build(); }), "file 7:35 body.die.shape.file");
  const SceneFolder other("text", "part.txt");
  EXPECT_EQ(test::error_of([&] { (void)Scene::read(other.scene).build(); }), "unsupported 7:35 body.die.shape.file");
  EXPECT_EQ(Scene::read(other.scene).check().size(), 1u);
}

}  // namespace
}  // namespace carom::scene::mesh_file_test
