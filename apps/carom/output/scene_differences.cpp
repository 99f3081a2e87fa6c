#include "output/scene_differences.h"

#include <algorithm>
#include <optional>
#include <set>

#include "carom/base/error.h"
#include "carom/base/number.h"
#include "carom/scene/scene.h"
#include "carom/scene/setting_paths.h"
#include "carom/simulation/record_scene.h"

namespace carom::app {
namespace {

constexpr std::size_t kMostDifferences = 3;

std::string value_text(const carom::Value& value) {
  switch (value.type()) {
    case carom::Value::Type::none: return "–";
    case carom::Value::Type::boolean: return value.boolean() ? "true" : "false";
    case carom::Value::Type::integer: return std::to_string(value.integer());
    case carom::Value::Type::real: return format_number(value.number());
    case carom::Value::Type::text: return value.text();
    case carom::Value::Type::list: break;
    case carom::Value::Type::table: return "{…}";
  }
  std::string text;
  for (const carom::Value& entry : value.list()) text += (text.empty() ? "" : ", ") + value_text(entry);
  return "[" + text + "]";
}

/// At a path that another scene has.
std::string value_at(const Scene& scene, const std::string& path) {
  try {
    return value_text(scene.get(path));
  } catch (const InputError&) {
    return "–";
  }
}

/// The paths of all values of the scenes, settings included.
std::set<std::string> paths_of(const std::vector<const RecordInfo*>& records) {
  std::set<std::string> paths;
  for (const RecordInfo* const record : records) {
    for (std::string& path : scene::setting_paths(scene::parse_document("scene", record->scene)))
      paths.insert(std::move(path));
    for (const std::string& setting : record->settings) paths.insert(setting.substr(0, setting.find('=')));
  }
  paths.erase("title");
  return paths;
}

}  // namespace

std::vector<std::string> scene_differences(const std::vector<const RecordInfo*>& records) {
  std::vector<std::string> texts(records.size());
  try {
    std::vector<Scene> scenes;
    for (const RecordInfo* const record : records) scenes.push_back(recorded_scene(*record));
    std::size_t count = 0;
    for (const std::string& path : paths_of(records)) {
      std::vector<std::string> values;
      for (const Scene& scene : scenes) values.push_back(value_at(scene, path));
      if (std::all_of(values.begin(), values.end(), [&](const std::string& one) { return one == values.front(); }))
        continue;
      if (++count > kMostDifferences) return std::vector<std::string>(records.size());
      for (std::size_t i = 0; i < values.size(); ++i)
        texts[i] += (texts[i].empty() ? "" : ", ") + path + " = " + values[i];
    }
  } catch (const InputError&) {
    return std::vector<std::string>(records.size());
  }
  return texts;
}

}  // namespace carom::app
