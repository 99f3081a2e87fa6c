/// OBJ: vertices and faces.

#include <array>
#include <charconv>
#include <cstdlib>
#include <span>
#include <string_view>

#include "carom/scene/mesh/mesh_file.h"
#include "carom/scene/mesh/mesh_text.h"

namespace carom::scene {
namespace {

/// Lines that say nothing about the surface.
constexpr std::array<std::string_view, 11> kOtherLines = {"vn", "vt",     "vp",     "g", "o", "s",
                                                          "l",  "usemtl", "mtllib", "p", "mg"};

class ObjFile {
 public:
  ObjFile(const std::string& name, std::string bytes) : text_(name, std::move(bytes)) {}

  TriangleMesh read() {
    while (const auto line = text_.next_line()) {
      const Word& keyword = line->front();
      const std::span<const Word> rest = std::span(*line).subspan(1);
      if (keyword.text == "v") {
        read_vertex(keyword, rest);
      } else if (keyword.text == "f") {
        read_face(keyword, rest);
      } else if (std::find(kOtherLines.begin(), kOtherLines.end(), keyword.text) == kOtherLines.end()) {
        text_.fail(keyword, "a line of an OBJ file that begins with v or f, or one of those that are not looked at");
      }
    }
    return mesh_of(triangles_);
  }

 private:
  void read_vertex(const Word& keyword, std::span<const Word> numbers) {
    if (numbers.size() < 3) text_.fail(keyword, "three coordinates behind it");
    Eigen::Vector3d& vertex = vertices_.emplace_back();
    for (std::size_t k = 0; k < 3; ++k) vertex[static_cast<Eigen::Index>(k)] = text_.number(numbers[k]);
  }

  void read_face(const Word& keyword, std::span<const Word> corners) {
    if (corners.size() < 3) text_.fail(keyword, "three corners behind it or more");
    for (std::size_t k = 1; k + 1 < corners.size(); ++k) {
      if (triangles_.size() == kMostTriangles) {
        text_.fail(keyword, "at most " + std::to_string(kMostTriangles) + " triangles in a file", Kind::limit);
      }
      triangles_.push_back({corner(corners[0]), corner(corners[k]), corner(corners[k + 1])});
    }
  }

  /// `7`, `7/2`, `7//3`: the seventh vertex; `-1`: the last one so far.
  [[nodiscard]] const Eigen::Vector3d& corner(const Word& word) const {
    const std::string_view digits = word.text.substr(0, word.text.find('/'));
    std::int64_t number = 0;
    const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    const auto count = static_cast<std::int64_t>(vertices_.size());
    if (status != std::errc() || end != digits.data() + digits.size() || number == 0 || number > count ||
        number < -count) {
      text_.fail(word, "the number of a vertex from 1 to " + std::to_string(count));
    }
    return vertices_[static_cast<std::size_t>(number > 0 ? number - 1 : count + number)];
  }

  MeshText text_;
  std::vector<Eigen::Vector3d> vertices_;
  std::vector<std::array<Eigen::Vector3d, 3>> triangles_;
};

}  // namespace

TriangleMesh read_obj(const std::string& name, std::string bytes) {
  return ObjFile(name, std::move(bytes)).read();
}

}  // namespace carom::scene
