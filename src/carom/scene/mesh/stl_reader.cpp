/// STL, as text and binary.

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "carom/base/number.h"
#include "carom/scene/mesh/mesh_file.h"
#include "carom/scene/mesh/mesh_text.h"

namespace carom::scene {
namespace {

using Corners = std::array<Eigen::Vector3d, 3>;

static_assert(std::endian::native == std::endian::little, "binary STL is little-endian");

constexpr std::size_t kHeader = 80;  // bytes before the number of triangles
constexpr std::size_t kRecord = 50;  // of a triangle: normal, three corners (32-bit reals), two bytes
constexpr std::size_t kNormal = 12;  // bytes of the normal, which come first
constexpr std::size_t kStart = kHeader + sizeof(std::uint32_t);

[[noreturn]] void fail_stl(Kind kind, const std::string& name, const std::string& message) {
  Place place;
  place.file = name;
  throw InputError(kind, place, message);
}

void require_few(const std::string& name, std::size_t triangles) {
  if (triangles <= kMostTriangles) return;
  fail_stl(
      Kind::limit, name,
      "the file has " + std::to_string(triangles) + " triangles, expected at most " + std::to_string(kMostTriangles));
}

/// The number of triangles that a binary file states; none where it is too short to state one.
std::optional<std::size_t> stated_triangles(const std::string& bytes) {
  if (bytes.size() < kStart) return std::nullopt;
  std::uint32_t count = 0;
  std::memcpy(&count, bytes.data() + kHeader, sizeof(count));
  return count;
}

TriangleMesh read_binary(const std::string& name, const std::string& bytes, std::size_t count) {
  require_few(name, count);
  std::vector<Corners> triangles(count);
  for (std::size_t t = 0; t < count; ++t) {
    std::array<float, 9> numbers{};
    std::memcpy(numbers.data(), bytes.data() + kStart + t * kRecord + kNormal, sizeof(numbers));
    for (std::size_t k = 0; k < 9; ++k) {
      if (!std::isfinite(numbers[k])) {
        fail_stl(Kind::not_finite, name,
                 "triangle " + std::to_string(t) + " of the file has a corner with the coordinate " +
                     format_number(numbers[k]) + ", expected finite numbers");
      }
      triangles[t][k / 3][static_cast<Eigen::Index>(k % 3)] = numbers[k];
    }
  }
  return mesh_of(triangles);
}

class AsciiStl {
 public:
  AsciiStl(const std::string& name, std::string bytes) : name_(name), text_(name, std::move(bytes)) {}

  TriangleMesh read() {
    expect("solid");
    text_.skip_line();
    for (;;) {
      const Word word = text_.next();
      if (word.text == "facet") {
        read_facet();
      } else if (word.text == "endsolid") {
        text_.skip_line();
        const Word after = text_.next();
        if (after.text.empty()) return mesh_of(triangles_);
        if (after.text != "solid") text_.fail(after, "solid or the end of the file");
        text_.skip_line();
      } else {
        text_.fail(word, "facet or endsolid");
      }
    }
  }

 private:
  void expect(std::string_view keyword) {
    const Word word = text_.next();
    if (word.text != keyword) text_.fail(word, std::string(keyword));
  }

  void read_facet() {
    require_few(name_, triangles_.size() + 1);
    expect("normal");
    for (int i = 0; i < 3; ++i) (void)text_.next();
    expect("outer");
    expect("loop");
    Corners corners;
    for (Eigen::Vector3d& corner : corners) {
      expect("vertex");
      for (double& coordinate : corner) coordinate = text_.number(text_.next());
    }
    expect("endloop");
    expect("endfacet");
    triangles_.push_back(corners);
  }

  const std::string& name_;
  MeshText text_;
  std::vector<Corners> triangles_;
};

bool begins_as_text(const std::string& bytes) {
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  return first != std::string::npos && bytes.compare(first, 5, "solid") == 0;
}

}  // namespace

TriangleMesh read_stl(const std::string& name, std::string bytes) {
  const std::optional<std::size_t> count = stated_triangles(bytes);
  if (count && bytes.size() == kStart + *count * kRecord) return read_binary(name, bytes, *count);
  if (begins_as_text(bytes)) return AsciiStl(name, std::move(bytes)).read();
  if (!count) {
    fail_stl(Kind::syntax, name,
             "the file has " + std::to_string(bytes.size()) + " bytes and does not begin with solid, expected STL");
  }
  require_few(name, *count);
  fail_stl(Kind::syntax, name,
           "the file has " + std::to_string(bytes.size()) + " bytes, expected " +
               std::to_string(kStart + *count * kRecord) + " for the " + std::to_string(*count) +
               " triangles that it states");
}

}  // namespace carom::scene
