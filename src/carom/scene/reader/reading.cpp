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
  }
  return "an object";
}

Reading::Reading(const Document& document, SceneFile& scene)
    : scene_(scene), root_(fields_of(root_entry(document), scene_format())) {}

std::vector<Entry> Reading::entries(std::string_view section) const {
  const std::optional<Entry> array = root_.find(section);
  return array ? named_entries(*array) : std::vector<Entry>{};
}

void Reading::add_object(const Entry& name, const std::string& text, ObjectKind kind, std::size_t index) {
  const auto [known, is_new] = objects_.emplace(text, Known{kind, static_cast<int>(index), name.node->mark()});
  if (!is_new) fail_duplicate(name, text, object_kind_name(known->second.kind), known->second.mark);
}

void Reading::add_material(const Entry& name, std::size_t index) {
  const std::string& text = name.node->string();
  const auto [known, is_new] =
      materials_.emplace(text, Known{ObjectKind::body, static_cast<int>(index), name.node->mark()});
  if (!is_new) fail_duplicate(name, text, "a material", known->second.mark);
}

int Reading::object(const Entry& name, ObjectKind wanted) const {
  const std::string_view what = object_kind_name(wanted).substr(2);
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
  const auto known = objects_.find(name.node->string());
  const auto is_one = [](const Known& object) {
    return object.kind == ObjectKind::body || object.kind == ObjectKind::plane || object.kind == ObjectKind::obstacle;
  };
  if (known == objects_.end() || !is_one(known->second))
    fail_unknown(name, "body, plane or obstacle", objects_, is_one);
  return known->second.index + (known->second.kind == ObjectKind::body ? 0 : scene_.model.body_count());
}

int Reading::material(const Entry& name) const {
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
