#include "carom/analysis/sweep/scene_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "carom/analysis/sweep/run_moment.h"
#include "carom/base/nearest_name.h"
#include "carom/base/utf8.h"
#include "carom/scene/change.h"

namespace carom::sweep {
namespace {

constexpr std::string_view kBalanceErrorField = "energy.balance_error";
constexpr std::string_view kFlagPrefix = "flags.";

/// The entry of a list by its name or number.
const Json* list_entry(const Json& list, std::string_view path, std::string_view& rest) {
  for (const Json& entry : list.entries()) {
    const Json* const name = entry.find("name");
    if (name == nullptr || !name->is_string() || !path.starts_with(name->string())) continue;
    const std::size_t length = name->string().size();
    if (path.size() > length && path[length] != '.') continue;
    rest = path.substr(std::min(length + 1, path.size()));
    return &entry;
  }
  const std::size_t dot = std::min(path.find('.'), path.size());
  std::size_t index = 0;
  const auto [end, problem] = std::from_chars(path.data(), path.data() + dot, index);
  if (problem != std::errc() || end != path.data() + dot || index >= list.entries().size()) return nullptr;
  rest = path.substr(std::min(dot + 1, path.size()));
  return &list.entries()[index];
}

/// The value at a dotted path; null where there is none.
const Json* at_path(const Json& json, std::string_view path) {
  const Json* here = &json;
  while (here != nullptr && !path.empty()) {
    if (here->is_array()) {
      std::string_view rest;
      here = list_entry(*here, path, rest);
      path = rest;
      continue;
    }
    const std::size_t dot = std::min(path.find('.'), path.size());
    here = here->find(path.substr(0, dot));
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  return here;
}

void add_paths(const Json& json, const std::string& prefix, std::vector<std::string>& paths) {
  if (!json.is_object()) {
    if (!json.is_array()) paths.push_back(prefix);
    return;
  }
  for (const Json::Field& field : json.fields()) {
    add_paths(field.value, prefix.empty() ? field.key : prefix + "." + field.key, paths);
  }
}

/// The number at a path of the scene; none where there is something else.
const scene::Node* scene_number(const scene::Document& document, std::string_view path) {
  try {
    const scene::Node* const node = scene::find_value(document, {path});
    const bool good = node != nullptr && (node->is(scene::Node::Type::integer) || node->is(scene::Node::Type::real));
    return good ? node : nullptr;
  } catch (const InputError&) {
    return nullptr;
  }
}

double number_of(const scene::Node& node) {
  return node.is(scene::Node::Type::integer) ? static_cast<double>(node.integer()) : node.number();
}

}  // namespace

SceneNames::SceneNames(const RunSummary& example, bool at_instants)
    : info_(record_info(*example.model)), example_(example.to_json()), at_instants_(at_instants) {
  example_["bodies"] = example.bodies_json();
}

Names SceneNames::all(const scene::Document& document) {
  return {[this, &document](std::string_view name) { return find(name, document); },
          [this](std::string_view name) { return complaint(name); }};
}

Names SceneNames::of_scene(const scene::Document& document) {
  return {[this, &document](std::string_view name) { return find_scene(name, document); },
          [](std::string_view name) {
            return fmt::format("'{}' is no number of the scene, such as plane.table.motion.frequency", printable(name));
          }};
}

int SceneNames::add(Entry entry) {
  const auto same = [&entry](const Entry& other) { return other.origin == entry.origin && other.name == entry.name; };
  const auto found = std::find_if(entries_.begin(), entries_.end(), same);
  if (found != entries_.end()) return static_cast<int>(found - entries_.begin());
  entries_.push_back(std::move(entry));
  return static_cast<int>(entries_.size()) - 1;
}

int SceneNames::find(std::string_view name, const scene::Document& document) {
  if (const int found = find_instant(name); found >= 0) return found;
  if (at_instants_) {
    if (const int found = find_quantity(name); found >= 0) return found;
  }
  if (const int found = find_summary(name); found >= 0) return found;
  if (!at_instants_) {
    if (const int found = find_quantity(name); found >= 0) return found;
  }
  if (const int found = find_flag(name); found >= 0) return found;
  return find_scene(name, document);
}

int SceneNames::find_instant(std::string_view name) {
  if (!at_instants_) return -1;
  constexpr std::pair<std::string_view, Origin> kNames[] = {{"time", Origin::time},
                                                            {"impact.impulse", Origin::impulse},
                                                            {"impact.rate_before", Origin::rate_before},
                                                            {"impact.rate_after", Origin::rate_after}};
  for (const auto& known : kNames)
    if (known.first == name) return add({known.second, std::string(name)});
  return -1;
}

int SceneNames::find_summary(std::string_view name) {
  const Json* const value = at_path(example_, name);
  if (value == nullptr || value->is_object() || value->is_array()) return -1;
  needs_samples_ = needs_samples_ || name == kBalanceErrorField;
  Entry entry{Origin::summary, std::string(name)};
  entry.summary = summary_number(name);
  return add(std::move(entry));
}

int SceneNames::find_quantity(std::string_view name) {
  try {
    std::vector<Quantity> found = find_quantities(info_, name);
    // What contacts do is found at the samples of a record alone.
    if (found.size() != 1 || found.front().at_events() || found.front().of_contacts() ||
        found.front().measure == carom::Measure::acceleration) {
      return -1;
    }
    Entry entry{Origin::quantity, std::string(name)};
    const Quantity& quantity = found.front();
    const std::vector<std::string>& names = quantity.of_joint() ? info_.joints : info_.objects;
    if (quantity.a != kNone) entry.objects[0] = names[static_cast<std::size_t>(quantity.a)];
    if (quantity.b != kNone) entry.objects[1] = names[static_cast<std::size_t>(quantity.b)];
    entry.quantity = std::move(found.front());
    return add(std::move(entry));
  } catch (const InputError&) {
    return -1;
  }
}

int SceneNames::find_flag(std::string_view name) {
  if (name.starts_with(kFlagPrefix)) name.remove_prefix(kFlagPrefix.size());
  for (std::size_t i = 0; i < all_flags().size(); ++i) {
    if (flag_name(all_flags()[i]) != name) continue;
    needs_flags_ = true;
    return add({Origin::flag, std::string(name), i});
  }
  return -1;
}

int SceneNames::find_scene(std::string_view name, const scene::Document& document) {
  return scene_number(document, name) == nullptr ? -1 : add({Origin::scene, std::string(name)});
}

std::string SceneNames::complaint(std::string_view name) const {
  const std::vector<std::string> quantities = quantity_names(info_);
  const std::string_view first = name.substr(0, name.find('.'));
  const bool is_quantity = std::any_of(quantities.begin(), quantities.end(), [first](const std::string& known) {
    return known.substr(0, known.find('.')) == first;
  });
  if (is_quantity && at_path(example_, first) == nullptr) {
    try {
      const std::vector<Quantity> found = find_quantities(info_, name);
      if (found.size() > 1) {
        return fmt::format("'{}' means {} quantities, expected one, such as {}", printable(name), found.size(),
                           printable(found.front().name));
      }
      return fmt::format("'{}' is known in a record only, not at the end of a run", printable(name));
    } catch (const InputError& error) {
      return error.what();
    }
  }
  std::vector<std::string> paths;
  add_paths(example_, "", paths);
  std::vector<std::string_view> known(paths.begin(), paths.end());
  known.insert(known.end(), quantities.begin(), quantities.end());
  for (const Flag flag : all_flags()) known.push_back(flag_name(flag));
  std::string message = unknown_name_message("measure", name, known);
  if (!message.ends_with('?')) {
    message +=
        "; a measure is a field of the summary (events.impacts), a quantity at the end (position.BODY.z), a flag "
        "of the audit, a number of the scene, or an expression of these";
  }
  return message;
}

void SceneNames::forget(NamedValues& values) const {
  values.numbers.assign(entries_.size(), std::numeric_limits<double>::quiet_NaN());
  values.words.resize(entries_.size());
  for (std::string& word : values.words) word.clear();
}

bool SceneNames::needs_scene() const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [](const Entry& entry) { return entry.origin == Origin::scene; });
}

bool SceneNames::needs_summary() const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [](const Entry& entry) { return entry.origin == Origin::summary && entry.summary == nullptr; });
}

void SceneNames::add_scene(const scene::Document& document, NamedValues& values) const {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].origin != Origin::scene) continue;
    const scene::Node* const node = scene_number(document, entries_[i].name);
    if (node != nullptr) values.numbers[i] = number_of(*node);
  }
}

bool SceneNames::uses_bodies() const {
  return std::any_of(entries_.begin(), entries_.end(), [](const Entry& entry) {
    return entry.origin == Origin::summary && entry.name.starts_with("bodies.");
  });
}

void SceneNames::add_summary(const RunSummary& summary, const FlagCounts& flags, NamedValues& values) const {
  Json json;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].origin == Origin::flag) {
      const bool of_run = summary.result.flags.has(all_flags()[entries_[i].flag]);
      values.numbers[i] = static_cast<double>(flags[entries_[i].flag]) + (of_run ? 1.0 : 0.0);
    }
    if (entries_[i].origin != Origin::summary) continue;
    if (entries_[i].summary != nullptr) {
      values.numbers[i] = entries_[i].summary(summary);
      continue;
    }
    if (json.is_null()) {
      json = summary.to_json();
      if (uses_bodies()) json["bodies"] = summary.bodies_json();
    }
    const Json* const value = at_path(json, entries_[i].name);
    if (value == nullptr) continue;
    if (value->is_number()) values.numbers[i] = value->number();
    if (value->is_string()) values.words[i] = value->string();
  }
}

void SceneNames::copy_summary(const NamedValues& from, NamedValues& to) const {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].origin != Origin::summary && entries_[i].origin != Origin::flag) continue;
    to.numbers[i] = from.numbers[i];
    to.words[i] = from.words[i];
  }
}

void SceneNames::update_quantity(const Model& model, Entry& entry) const {
  Quantity& quantity = entry.quantity;
  const bool of_joint = quantity.of_joint();
  const auto has_name = [&model, of_joint](int index, const std::string& name) {
    if (index == kNone) return true;
    if (of_joint) return static_cast<std::size_t>(index) < model.joints.size() && model.joints[index].name == name;
    const std::size_t objects = model.bodies.size() + model.obstacles.size();
    return static_cast<std::size_t>(index) < objects && model.name(index) == name;
  };
  if (has_name(quantity.a, entry.objects[0]) && has_name(quantity.b, entry.objects[1])) return;
  quantity = find_quantities(record_info(model), entry.name).front();
}

void SceneNames::add_instant(const Model& model, const RunInstant& instant, NamedValues& values) {
  const RunMoment moment(model, instant.state, instant.book);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    Entry& entry = entries_[i];
    double& value = values.numbers[i];
    switch (entry.origin) {
      case Origin::quantity:
        update_quantity(model, entry);
        value = value_of(moment, entry.quantity);
        break;
      case Origin::time: value = instant.state.time; break;
      case Origin::impulse:
        if (instant.contact != nullptr) value = instant.contact->impulse;
        break;
      case Origin::rate_before:
        if (instant.contact != nullptr) value = instant.contact->rate_before;
        break;
      case Origin::rate_after:
        if (instant.contact != nullptr) value = instant.contact->rate_after;
        break;
      case Origin::summary:
      case Origin::flag:
      case Origin::scene: break;
    }
  }
}

}  // namespace carom::sweep
