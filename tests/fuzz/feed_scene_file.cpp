#include "fuzz/feed_scene_file.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "carom/mechanics/initial_gaps.h"
#include "carom/scene/scene.h"
#include "carom/scene/scene_file.h"
#include "carom/scene/settings.h"
#include "fuzz/error_check.h"

namespace carom::fuzz {
namespace {

/// More bodies cost time and find nothing new.
constexpr double kMostFillBodies = 1000.0;
constexpr double kMostRackRows = 40.0;
constexpr int kMostGapBodies = 12;

std::vector<std::string> settings_of(std::string_view bytes) {
  constexpr std::string_view kBegin = "#set ";
  std::vector<std::string> settings;
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    const std::string_view line = bytes.substr(0, end);
    if (line.starts_with(kBegin)) settings.emplace_back(line.substr(kBegin.size()));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  return settings;
}

bool has_more(const scene::Document& document, std::string_view section, std::string_view key, double most) {
  const scene::Node* const groups = document.root.find(section);
  if (groups == nullptr || !groups->is(scene::Node::Type::array)) return false;
  return std::any_of(groups->array().begin(), groups->array().end(), [key, most](const scene::Node& group) {
    const scene::Node* const count = group.find(key);
    return count != nullptr && count->is_number() && count->number() > most;
  });
}

bool is_too_large(const scene::Document& document) {
  return has_more(document, "fill", "count", kMostFillBodies) || has_more(document, "rack", "rows", kMostRackRows);
}

void examine(const scene::SceneFile& file, const scene::Document& document) {
  try {
    if (file.model.body_count() <= kMostGapBodies) initial_gaps(file.model, file.state);
    require_no_overlap(file.model, file.state);
  } catch (const InputError& error) {
    throw scene::with_scene_place(error, document);
  }
}

/// The checks find what the reader throws, and the scene reads back to itself from its own TOML.
void examine_scene(std::string_view bytes, const std::vector<std::string>& settings) {
  Scene scene = Scene::parse(std::string(bytes), "input");
  for (const std::string& setting : settings) scene.set(setting);
  const std::vector<InputError> complaints = scene.check();
  for (const InputError& complaint : complaints) check_error(complaint);
  bool is_good = false;
  try {
    std::ignore = scene.build();
    is_good = true;
  } catch (const InputError&) {
    require(!complaints.empty(), "an error that the check does not find");
  }
  const std::string text = scene.to_toml();
  Scene again = Scene::parse(text, "again");
  require(again.to_toml() == text, "TOML that is written differently once it is read");
  if (is_good) std::ignore = again.build();
}

void read(std::string_view bytes, const std::vector<std::string>& settings) {
  scene::Document document = scene::parse_document("input", std::string(bytes));
  scene::apply_settings(document, settings);
  if (is_too_large(document)) return;
  examine_scene(bytes, settings);
  examine(scene::read_scene_file(document), document);
}

}  // namespace

void feed_scene_file(std::string_view bytes) {
  expect_input_error_at_most([bytes] { read(bytes, {}); });
  for (const std::string& setting : settings_of(bytes)) {
    try {
      read(bytes, {setting});
    } catch (const InputError& error) {
      // A setting that is not path=value has no place to point at.
      if (error.kind() == Kind::usage && error.place().field == "--set") continue;
      check_error(error);
    }
  }
}

}  // namespace carom::fuzz
