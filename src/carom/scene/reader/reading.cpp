#include "carom/scene/reader/reading.h"

#include <algorithm>

#include "carom/base/nearest_name.h"
#include "carom/base/utf8.h"
#include "carom/scene/format/sections.h"

namespace carom::scene {
namespace {

template <class Names, class Wanted>
[[noreturn]] void fail_unknown(const Entry& name, std::string_view what, const Names& names, const Wanted& wanted) {
  std::vector<std::string_view> known;
  for (const auto& entry : names) {
    if (wanted(entry.second)) known.emplace_back(entry.first);
  }
  // In the order of the file, so that messages do not depend on hashing.
  std::sort(known.begin(), known.end(), [&names](std::string_view a, std::string_view b) {
    return names.at(std::string(a)).index < names.at(std::string(b)).index;
  });
  throw InputError(Kind::unknown_name, name.place(),
                   name.name() + ": " + unknown_name_message(what, name.node->string(), known));
}

[[noreturn]] void fail_duplicate(const Entry& name, const std::string& text, std::string_view kind, Mark first) {
  throw InputError(Kind::duplicate_name, name.place(),
                   "the name '" + printable(text) + "' is already that of " + std::string(kind) + " (" +
                       name.source->describe(first) + "), expected another");
}

}  // namespace

std::string_view object_kind_name(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::body: return "a body";
    case ObjectKind::plane: return "a plane";
    case ObjectKind::obstacle: return "an obstacle";
    case ObjectKind::fill: return "a fill";
    case ObjectKind::rack: return "a rack";
    case ObjectKind::cradle: return "a cradle";
    case ObjectKind::pocket: return "a pocket";
    case ObjectKind::joint: return "a joint";
  }
  return "an object";
}

std::optional<ObjectKind> kind_of_section(std::string_view section) {
  if (section == "body") return ObjectKind::body;
  if (section == "plane") return ObjectKind::plane;
  if (section == "obstacle") return ObjectKind::obstacle;
  if (section == "fill") return ObjectKind::fill;
  if (section == "rack") return ObjectKind::rack;
  if (section == "cradle") return ObjectKind::cradle;
  if (section == "pocket") return ObjectKind::pocket;
  if (section == "joint") return ObjectKind::joint;
  return std::nullopt;
}

Reading::Reading(const Document& document, SceneFile& scene, Complaints& complaints)
    : scene_(scene), complaints_(complaints), root_(root_entry(document)) {}

std::optional<Entry> Reading::find_good(const Fields& fields, std::string_view key) const {
  const std::optional<Entry> entry = fields.find(key);
  return entry && !complaints_.has_failed(*entry->node) ? entry : std::nullopt;
}

const std::string& Reading::engine() const {
  const std::optional<Entry> run = root_.find("run");
  const bool is_table = run && run->node->is(Node::Type::table);
  const Node* const engine = is_table ? run->node->find("engine") : nullptr;
  if (!is_table || (engine != nullptr && complaints_.has_failed(*engine))) throw Complaints::DependsOnFailed{};
  return scene_.run.engine;
}

bool Reading::has_failed(std::string_view section) const {
  const Node* const node = root_.entry().node->find(section);
  if (node == nullptr) return false;
  if (complaints_.has_failed(*node) || !node->is(Node::Type::array)) return true;
  return std::any_of(node->array().begin(), node->array().end(),
                     [this](const Node& entry) { return complaints_.has_failed(entry); });
}

std::vector<Entry> Reading::entries(std::string_view section) {
  const std::optional<Entry> array = root_.find(section);
  if (!array) return {};
  if (array->node->is(Node::Type::array)) return named_entries(*array);
  failed_without_name_ = true;
  return {};
}

void Reading::keep_failed_name(std::string_view section, const Entry& entry) {
  const std::optional<ObjectKind> kind = kind_of_section(section);
  if (!kind && section != "material") return;
  const Node* const name = entry.node->find("name");
  if (name == nullptr || !name->is(Node::Type::string)) {
    failed_without_name_ = true;
    return;
  }
  failed_names_.insert(name->string());
  if (kind == ObjectKind::fill || kind == ObjectKind::rack || kind == ObjectKind::cradle) {
    failed_groups_.push_back(name->string() + "-");
  }
  if (named_.count(name) > 0) return;
  const Entry at{name, entry.source, join_path(entry.path, "name")};
  complaints_.attempt([&] { kind ? add_object(at, name->string(), *kind, 0) : add_material(at, 0); });
}

void Reading::require_judgeable(const Entry& name) const {
  const std::string& text = name.node->string();
  const bool is_known = objects_.count(text) > 0 || materials_.count(text) > 0;
  const bool of_failed_group = std::any_of(failed_groups_.begin(), failed_groups_.end(),
                                           [&text](const std::string& group) { return text.starts_with(group); });
  if (failed_names_.count(text) > 0 || (!is_known && (of_failed_group || failed_without_name_))) {
    throw Complaints::DependsOnFailed{};
  }
}

void Reading::add_object(const Entry& name, const std::string& text, ObjectKind kind, std::size_t index) {
  named_.insert(name.node);
  const auto [known, is_new] = objects_.emplace(text, Known{kind, static_cast<int>(index), name.node->mark()});
  if (!is_new) fail_duplicate(name, text, object_kind_name(known->second.kind), known->second.mark);
}

void Reading::add_material(const Entry& name, std::size_t index) {
  const std::string& text = name.node->string();
  named_.insert(name.node);
  const auto [known, is_new] =
      materials_.emplace(text, Known{ObjectKind::body, static_cast<int>(index), name.node->mark()});
  if (!is_new) fail_duplicate(name, text, "a material", known->second.mark);
}

int Reading::object(const Entry& name, ObjectKind wanted) const {
  const std::string_view what = object_kind_name(wanted).substr(2);
  require_judgeable(name);
  const auto known = objects_.find(name.node->string());
  if (known == objects_.end()) {
    fail_unknown(name, what, objects_, [wanted](const Known& object) { return object.kind == wanted; });
  }
  if (known->second.kind != wanted) {
    throw InputError(Kind::wrong_type, name.place(),
                     name.name() + " is '" + printable(name.node->string()) + "', which is " +
                         std::string(object_kind_name(known->second.kind)) + ", expected " +
                         std::string(object_kind_name(wanted)));
  }
  return known->second.index;
}

int Reading::any_object(const Entry& name) const {
  require_judgeable(name);
  const auto known = objects_.find(name.node->string());
  const auto is_one = [](const Known& object) {
    return object.kind == ObjectKind::body || object.kind == ObjectKind::plane || object.kind == ObjectKind::obstacle;
  };
  if (known == objects_.end() || !is_one(known->second))
    fail_unknown(name, "body, plane or obstacle", objects_, is_one);
  return known->second.index + (known->second.kind == ObjectKind::body ? 0 : scene_.model.body_count());
}

int Reading::material(const Entry& name) const {
  require_judgeable(name);
  const auto known = materials_.find(name.node->string());
  if (known == materials_.end()) fail_unknown(name, "material", materials_, [](const Known&) { return true; });
  return known->second.index;
}

int Reading::used_material(const Fields& fields, bool movable, std::int64_t objects) {
  const std::optional<Entry> name = fields.find("material");
  if (!name) return kNone;
  const int index = material(*name);
  uses_.push_back({index, movable, objects, *name});
  return index;
}

}  // namespace carom::scene
