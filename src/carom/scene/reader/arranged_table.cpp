#include "carom/scene/reader/arranged_table.h"

#include <algorithm>

#include "carom/scene/format/sections.h"

namespace carom::scene {
namespace {

void put(Table& table, std::string_view key, Node value) {
  const auto found =
      std::find_if(table.begin(), table.end(), [key](const Member& member) { return member.key == key; });
  if (found != table.end()) {
    found->value = std::move(value);
  } else {
    const Mark mark = value.mark();
    table.push_back({std::string(key), mark, std::move(value)});
  }
}

/// All numbers of a value multiplied.
Node multiplied(const Node& node, double factor) {
  if (node.is_number()) return {node.number() * factor, node.mark()};
  if (!node.is(Node::Type::array)) return node;
  Array entries;
  for (const Node& entry : node.array()) entries.push_back(multiplied(entry, factor));
  return {std::move(entries), node.mark()};
}

/// A shape with all its lengths multiplied, those of its parts too; one that has a scale of its own has that
/// multiplied.
Node scaled(const Node& shape, const Section& keys, double factor) {
  Node result = shape;
  if (const Key* const scale = find_key(keys, "scale")) {
    const Node* const given = shape.find(scale->name);
    put(result.table(), scale->name, given != nullptr ? multiplied(*given, factor) : Node(factor, shape.mark()));
    return result;
  }
  for (Member& member : result.table()) {
    const Key* const key = find_key(keys, member.key);
    if (key == nullptr) continue;
    if (key->unit == "m") member.value = multiplied(member.value, factor);
    if (key->type != ValueType::tables) continue;
    for (Node& part : member.value.array()) part = scaled(part, *section_below(part, *key), factor);
  }
  return result;
}

Node vector_node(const Eigen::Vector3d& vector, Mark mark) {
  Array numbers;
  for (const double number : vector) numbers.emplace_back(number, mark);
  return {std::move(numbers), mark};
}

const Key& shape_key(const Fields& fields) {
  const std::string& path = fields.entry().path;
  return *find_key(section(path.substr(0, path.find('.'))), "shape");
}

}  // namespace

ArrangedTable::ArrangedTable(const Fields& fields, std::int64_t count, std::int64_t seed) : shape_(fields.at("shape")) {
  const auto keys = section_below(*shape_.node, shape_key(fields));
  for (const Member& member : shape_.node->table()) {
    const Key* const key = find_key(*keys, member.key);
    if (key == nullptr || key->type != ValueType::varied) continue;
    Spread spread({&member.value, shape_.source, join_path(shape_.path, member.key)}, count, seed);
    if (spread.varies()) sizes_.emplace_back(member.key, std::move(spread));
  }
  for (const std::string_view key : {"mass", "density"})
    if (const auto entry = fields.find(key)) masses_.emplace_back(key, Spread(*entry, count, seed));
  for (const std::string_view key : {"groups", "avoid"})
    if (const auto entry = fields.find(key)) same_.push_back({std::string(key), entry->node->mark(), *entry->node});
  if (const auto entry = fields.find("scale")) scale_.emplace(*entry, count, seed);
}

bool ArrangedTable::varies() const {
  return !sizes_.empty() || (scale_ && scale_->varies()) ||
         std::any_of(masses_.begin(), masses_.end(), [](const auto& mass) { return mass.second.varies(); });
}

Node ArrangedTable::of(std::int64_t body) const {
  Node shape = *shape_.node;
  for (const auto& [key, spread] : sizes_) put(shape.table(), key, spread.of(body));
  if (scale_)
    shape = scaled(shape, *section_below(shape, *find_key(section("body"), "shape")), scale_->of(body).number());
  Table members = same_;
  put(members, "shape", std::move(shape));
  for (const auto& [key, spread] : masses_) put(members, key, spread.of(body));
  return {std::move(members), shape_.node->mark()};
}

Node named_table(Node body, const std::string& name) {
  put(body.table(), "name", Node(name, body.mark()));
  return body;
}

Node placed_table(Node body, const std::string& name, const BodyState& state) {
  Node placed = named_table(std::move(body), name);
  put(placed.table(), "position", vector_node(state.position, placed.mark()));
  put(placed.table(), "velocity", vector_node(state.velocity, placed.mark()));
  put(placed.table(), kPositionOf, Node(std::string(kOfCentreOfMass), placed.mark()));
  return placed;
}

Node with_changes(const Node& body, const Node& change) {
  Node changed = body;
  for (const Member& member : change.table()) {
    if (member.key == "mass" || member.key == "density") {
      std::erase_if(changed.table(), [](const Member& own) { return own.key == "mass" || own.key == "density"; });
    }
    // A position of one's own is that of the shape's frame, as in a [[body]].
    if (member.key == "position")
      std::erase_if(changed.table(), [](const Member& own) { return own.key == kPositionOf; });
  }
  for (const Member& member : change.table()) put(changed.table(), member.key, member.value);
  return changed;
}

}  // namespace carom::scene
