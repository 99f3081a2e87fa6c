#include "carom/scene/embedded_files.h"

#include <algorithm>

#include "carom/scene/reader/motion_table.h"

namespace carom::scene {
namespace {

/// Calls work(motion) for every table of motion of the document that names a file.
template <class Root, class Work>
void for_each_file(Root& root, const Work& work) {
  if (!root.is(Node::Type::table)) return;
  for (auto& member : root.table()) {
    if ((member.key != "plane" && member.key != "obstacle") || !member.value.is(Node::Type::array)) continue;
    for (auto& object : member.value.array()) {
      if (!object.is(Node::Type::table)) continue;
      for (auto& key : object.table()) {
        const Node* const file = key.key == "motion" ? key.value.find("file") : nullptr;
        if (file != nullptr && file->is(Node::Type::string)) work(key.value, *file);
      }
    }
  }
}

Node list_node(const std::vector<double>& numbers) {
  Array entries;
  entries.reserve(numbers.size());
  for (const double number : numbers) entries.emplace_back(number, kNoMark);
  return {std::move(entries), kNoMark};
}

}  // namespace

bool refers_to_files(const Document& document) {
  bool found = false;
  for_each_file(document.root, [&found](const Node& /*motion*/, const Node& /*file*/) { found = true; });
  return found;
}

Document with_embedded_files(const Document& document) {
  Document whole = document;
  for_each_file(whole.root, [&document](Node& motion, const Node& file) {
    const MotionTable table = read_motion_table({&file, &document.source, "file"});
    Table& members = motion.table();
    std::erase_if(members, [](const Member& member) { return member.key == "file"; });
    members.push_back({"time", kNoMark, list_node(table.time)});
    if (!table.position.empty()) members.push_back({"position", kNoMark, list_node(table.position)});
    if (!table.angle.empty()) members.push_back({"angle", kNoMark, list_node(table.angle)});
  });
  return whole;
}

}  // namespace carom::scene
