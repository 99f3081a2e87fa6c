#include "carom/scene/mesh/mesh_file.h"

#include <algorithm>
#include <cctype>

#include "carom/base/error.h"
#include "carom/base/utf8.h"
#include "carom/scene/document/read_document.h"

namespace carom::scene {
namespace {

bool ends_with_word(std::string_view path, std::string_view ending) {
  if (path.size() < ending.size()) return false;
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  return std::equal(ending.begin(), ending.end(), path.end() - static_cast<std::ptrdiff_t>(ending.size()),
                    [&same](char expected, char found) { return same(found, expected); });
}

}  // namespace

TriangleMesh read_mesh_file(const std::string& path) {
  const bool stl = ends_with_word(path, ".stl");
  if (!stl && !ends_with_word(path, ".obj")) {
    throw InputError(Kind::unsupported, std::string(),
                     "cannot read '" + printable(path) + "', expected the name of an STL or OBJ file (.stl, .obj)");
  }
  std::string bytes = read_text(path);
  return stl ? read_stl(path, std::move(bytes)) : read_obj(path, std::move(bytes));
}

}  // namespace carom::scene
