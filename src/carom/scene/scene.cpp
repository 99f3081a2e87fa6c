#include "carom/scene/scene.h"

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include "carom/base/nearest_name.h"
#include "carom/base/utf8.h"
#include "carom/scene/change.h"
#include "carom/scene/embedded_files.h"
#include "carom/scene/format/section.h"
#include "carom/scene/scene_file.h"
#include "carom/scene/scene_toml.h"
#include "carom/scene/settings.h"
#include "carom/scene/value_node.h"

namespace carom {

using scene::Document;
using scene::Node;

struct Scene::Content {
  Document document;
  std::vector<std::string> settings;  ///< that were applied to the text of the document
  bool is_changed = false;            ///< by more than that
};

namespace {

constexpr std::int64_t kFormat = 1;

Document empty_document() {
  scene::Table members;
  members.push_back({"format", scene::kNoMark, Node(kFormat, scene::kNoMark)});
  return {scene::Source("", ""), Node(std::move(members), scene::kNoMark), scene::Syntax::toml};
}

/// The array of a section, made where the scene has none yet.
Node& entries_of(Document& document, std::string_view section) {
  scene::Table& root = document.root.table();
  for (scene::Member& member : root) {
    if (member.key != section) continue;
    if (member.value.is(Node::Type::array)) return member.value;
    throw InputError(
        Kind::wrong_type, document.source.place(member.value.mark(), std::string(section)),
        std::string(section) + " is " + std::string(type_name(member.value.type())) + ", expected an array of tables");
  }
  root.push_back({std::string(section), scene::kNoMark, Node(scene::Array{}, scene::kNoMark)});
  return root.back().value;
}

void require_section(std::string_view section) {
  std::vector<std::string_view> known;
  for (const scene::Key& key : scene::scene_format().keys) {
    if (key.type == scene::ValueType::tables) known.push_back(key.name);
  }
  if (std::find(known.begin(), known.end(), section) != known.end()) return;
  throw InputError(Kind::unknown_name, std::string(section), unknown_name_message("section", section, known));
}

[[noreturn]] void fail_to_write(const std::string& path) {
  const std::string reason = std::generic_category().message(errno);
  Place place;
  place.file = path;
  throw InputError(Kind::file, place, "cannot write '" + printable(path, 200) + "': " + reason);
}

}  // namespace

Scene::Scene() : Scene(empty_document()) {
  content_->is_changed = true;
}

Scene::Scene(Document document) : content_(new Content{std::move(document), {}, false}) {}

Scene Scene::read(const std::string& path) {
  Document document = scene::read_document(path);
  scene::require_toml(document);
  return Scene(std::move(document));
}

Scene Scene::parse(std::string text, std::string name) {
  Document document = scene::parse_document(std::move(name), std::move(text));
  scene::require_toml(document);
  return Scene(std::move(document));
}

Scene::Scene(const Scene& other) : content_(std::make_unique<Content>(*other.content_)) {}
Scene::Scene(Scene&& other) noexcept = default;
Scene& Scene::operator=(const Scene& other) {
  content_ = std::make_unique<Content>(*other.content_);
  return *this;
}
Scene& Scene::operator=(Scene&& other) noexcept = default;
Scene::~Scene() = default;

void Scene::set(std::string_view path, const Value& value) {
  if (value.is_none()) {
    scene::remove_value(content_->document, {path});
  } else {
    scene::set_value(content_->document, {path}, scene::node_of(value, std::string(path)));
  }
  content_->is_changed = true;
}

void Scene::set(std::string_view setting) {
  content_->settings.emplace_back(setting);
  try {
    scene::apply_settings(content_->document, std::span(&content_->settings.back(), 1));
  } catch (...) {
    content_->settings.pop_back();
    throw;
  }
}

std::string Scene::name() const {
  return content_->document.source.name();
}

Value Scene::get(std::string_view path) const {
  const Node* const node = scene::find_value(content_->document, {path});
  return node == nullptr ? Value() : scene::value_of(*node, content_->document.source);
}

void Scene::add(std::string_view section, const Table& entry) {
  require_section(section);
  Node& entries = entries_of(content_->document, section);
  const std::string path = scene::join_path(section, std::to_string(entries.array().size()));
  entries.array().push_back(scene::node_of(entry, path));
  content_->is_changed = true;
}

std::vector<InputError> Scene::check() const {
  return scene::check_scene(content_->document);
}

std::string Scene::to_toml() const {
  return scene::scene_toml(content_->document);
}

void Scene::save(const std::string& path) const {
  const std::string text = to_toml();
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) fail_to_write(path);
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (std::fclose(file) != 0 || !written) fail_to_write(path);
}

std::string Scene::text() const {
  const Document& document = content_->document;
  if (scene::refers_to_files(document)) return scene::scene_toml(scene::with_embedded_files(document));
  return content_->is_changed ? to_toml() : std::string(document.source.text());
}

std::vector<std::string> Scene::settings() const {
  const bool is_whole = content_->is_changed || scene::refers_to_files(content_->document);
  return is_whole ? std::vector<std::string>() : content_->settings;
}

scene::SceneFile Scene::build() const {
  scene::SceneFile contents = scene::read_scene_file(content_->document);
  contents.text = text();
  return contents;
}

InputError Scene::with_place(const InputError& error) const {
  return scene::with_scene_place(error, content_->document);
}

}  // namespace carom
