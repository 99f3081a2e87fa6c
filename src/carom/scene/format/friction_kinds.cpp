/// The table `friction` of a [[pair]] from the registry of friction laws: one section per law, its keys the parameters
/// of the law and those of the resistance to rolling and spinning.

#include <atomic>
#include <deque>
#include <mutex>
#include <string>

#include "carom/base/number.h"
#include "carom/laws/friction/registry.h"
#include "carom/scene/format/sections.h"

namespace carom::scene {
namespace {

/// Owns what the sections refer to.
struct FrictionKinds {
  std::deque<std::string> texts;
  std::deque<std::vector<Key>> keys;
  std::vector<Section> sections;

  FrictionKinds() {
    for (const FrictionLaw* const law : friction_laws()) {
      std::vector<Key>& list = keys.emplace_back();
      for (const LawParameter& parameter : law->parameters) list.push_back(key_of(parameter));
      for (const LawParameter& parameter : resistance_parameters()) list.push_back(key_of(parameter));
      sections.push_back({law->name, law->summary, list});
    }
  }

  Key key_of(const LawParameter& parameter) {
    Key key{parameter.name, parameter.is_flag ? ValueType::boolean : ValueType::number, parameter.help, parameter.unit};
    key.required = parameter.required;
    if (parameter.has_default()) key.absent = texts.emplace_back(default_of(parameter));
    if (!parameter.is_flag) key.bounds = {parameter.low, parameter.high, parameter.low_excluded, false};
    return key;
  }

  static std::string default_of(const LawParameter& parameter) {
    if (parameter.is_flag) return parameter.default_value != 0.0 ? "true" : "false";
    return format_number(parameter.default_value);
  }
};

}  // namespace

std::span<const Section> friction_kinds() {
  // Laws may be added while a program runs; what was handed out before stays good. Nobody is locked out where none was
  // added, so that a process which is forked meanwhile finds no lock that a thread of its parent holds.
  static std::atomic<const FrictionKinds*> newest{nullptr};
  const FrictionKinds* known = newest.load(std::memory_order_acquire);
  if (known == nullptr || known->sections.size() != friction_laws().size()) {
    static std::mutex one_at_a_time;
    static std::deque<FrictionKinds> versions;
    const std::scoped_lock lock(one_at_a_time);
    if (versions.empty() || versions.back().sections.size() != friction_laws().size()) versions.emplace_back();
    known = &versions.back();
    newest.store(known, std::memory_order_release);
  }
  return known->sections;
}

}  // namespace carom::scene
