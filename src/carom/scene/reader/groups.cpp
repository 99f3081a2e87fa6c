/// Which objects may meet: the groups that they belong to and those that they avoid.

#include <algorithm>

#include "carom/base/nearest_name.h"
#include "carom/scene/format/sections.h"
#include "carom/scene/reader/reading.h"

namespace carom::scene {
namespace {

/// Sections whose objects have groups.
constexpr const char* kSections[] = {"body", "fill", "rack", "cradle", "plane", "obstacle"};

std::vector<std::string> names_of(const Fields& fields, std::string_view key) {
  std::vector<std::string> names;
  const std::optional<Entry> entry = fields.find(key);
  if (!entry) return names;
  for (const Entry& name : as_entries(*entry)) names.push_back(name.node->string());
  return names;
}

/// Does some work for every table that may name groups: the entries of a section, and their changes of single bodies.
template <class Work>
void for_each_table(Reading& reading, std::string_view section, const Work& work) {
  reading.for_each(section, [&work](const Fields& fields) {
    work(fields);
    const std::optional<Entry> changes = fields.find(kChangesName);
    if (!changes) return;
    for (const Entry& change : named_entries(*changes)) work(Fields(change));
  });
}

}  // namespace

Groups read_groups(const Fields& fields) {
  return {names_of(fields, "groups"), names_of(fields, "avoid")};
}

void check_groups(Reading& reading) {
  std::vector<std::string> names;
  bool all_known = true;
  for (const char* const section : kSections) {
    all_known = all_known && !reading.has_failed(section);
    for_each_table(reading, section, [&](const Fields& fields) {
      for (std::string& name : names_of(fields, "groups")) names.push_back(std::move(name));
    });
  }
  if (!all_known) return;  // what has failed may have had the group
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const std::vector<std::string_view> known(names.begin(), names.end());
  for (const char* const section : kSections) {
    for_each_table(reading, section, [&](const Fields& fields) {
      const std::optional<Entry> avoid = fields.find("avoid");
      if (!avoid) return;
      for (const Entry& name : as_entries(*avoid)) {
        const std::string& text = name.node->string();
        if (std::binary_search(names.begin(), names.end(), text)) continue;
        throw InputError(Kind::unknown_name, name.place(), unknown_name_message("group", text, known));
      }
    });
  }
}

}  // namespace carom::scene
