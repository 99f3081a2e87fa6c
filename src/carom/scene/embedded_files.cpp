#include "carom/scene/embedded_files.h"

#include <algorithm>

#include "carom/scene/reader/motion_table.h"
#include "carom/scene/reader/reading.h"

namespace carom::scene {
namespace {

bool is_kind(const Node& table, std::string_view kind) {
  const Node* const given = table.find("kind");
  return given != nullptr && given->is(Node::Type::string) && given->string() == kind;
}

/// Calls work(table) for every table of the document that names a file and is of a kind that reads one.
template <class Tree, class Work>
void for_each_file(Tree& node, const Work& work) {
  if (node.is(Node::Type::array)) {
    for (auto& entry : node.array()) for_each_file(entry, work);
  }
  if (!node.is(Node::Type::table)) return;
  for (auto& member : node.table()) for_each_file(member.value, work);
  const Node* const file = node.find("file");
  if (file != nullptr && file->is(Node::Type::string) && (is_kind(node, "convex") || is_kind(node, "table")))
    work(node);
}

Node points_node(const std::vector<Eigen::Vector3d>& points) {
  Array rows;
  rows.reserve(points.size());
  for (const Eigen::Vector3d& point : points) {
    rows.emplace_back(Array{Node(point.x(), kNoMark), Node(point.y(), kNoMark), Node(point.z(), kNoMark)}, kNoMark);
  }
  return {std::move(rows), kNoMark};
}

Node list_node(const std::vector<double>& numbers) {
  Array entries;
  entries.reserve(numbers.size());
  for (const double number : numbers) entries.emplace_back(number, kNoMark);
  return {std::move(entries), kNoMark};
}

void embed_mesh(Node& shape, const Source& source) {
  const std::vector<Eigen::Vector3d> vertices = convex_vertices(Fields({&shape, &source, "shape"}));
  Table& members = shape.table();
  std::erase_if(members, [](const Member& member) { return member.key == "file" || member.key == "scale"; });
  members.push_back({"vertices", kNoMark, points_node(vertices)});
}

void embed_rows(Node& motion, const Source& source) {
  const MotionTable table = read_motion_table({motion.find("file"), &source, "file"});
  Table& members = motion.table();
  std::erase_if(members, [](const Member& member) { return member.key == "file"; });
  members.push_back({"time", kNoMark, list_node(table.time)});
  if (!table.position.empty()) members.push_back({"position", kNoMark, list_node(table.position)});
  if (!table.angle.empty()) members.push_back({"angle", kNoMark, list_node(table.angle)});
}

}  // namespace

bool refers_to_files(const Document& document) {
  bool found = false;
  for_each_file(document.root, [&found](const Node& /*table*/) { found = true; });
  return found;
}

Document with_embedded_files(const Document& document) {
  Document whole = document;
  for_each_file(whole.root, [&document](Node& table) {
    if (is_kind(table, "convex")) {
      embed_mesh(table, document.source);
    } else {
      embed_rows(table, document.source);
    }
  });
  return whole;
}

}  // namespace carom::scene
