#include "carom/analysis/sweep/instants.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "carom/base/error.h"
#include "carom/base/nearest_name.h"
#include "carom/base/utf8.h"

namespace carom::sweep {
namespace {

constexpr std::string_view kImpact = "impact", kPeriod = "period";

/// A name; one with a comma stands in quotation marks.
std::string unquoted(std::string_view text) {
  const std::string_view name = trimmed(text);
  const bool has_marks = name.size() > 1 && name.front() == '"' && name.back() == '"';
  return std::string(has_marks ? name.substr(1, name.size() - 2) : name);
}

}  // namespace

ObjectIndex object_named(const Model& model, const std::string& name) {
  if (name.empty()) return {};
  const auto count = static_cast<int>(model.bodies.size() + model.obstacles.size());
  std::vector<std::string_view> known;
  for (int object = 0; object < count; ++object) {
    if (model.name(object) == name) return object;
    known.emplace_back(model.name(object));
  }
  throw InputError(Kind::unknown_name, "--each", unknown_name_message("object", name, known));
}

Instants read_instants(const std::string& text, const Model& model, const Names& numbers) {
  Instants instants;
  if (text.empty()) return instants;
  const MarkedText marked{"--each", text};
  const std::string_view whole = text;
  const std::string_view word = whole.substr(0, whole.find(':'));
  const std::string_view rest = word.size() < whole.size() ? whole.substr(word.size() + 1) : whole.substr(whole.size());
  if (word == kImpact) {
    instants.kind = Instants::Kind::impacts;
    const std::size_t comma = std::min(find_unquoted(rest, ','), rest.size());
    instants.objects = {unquoted(rest.substr(0, comma)), unquoted(rest.substr(std::min(comma + 1, rest.size())))};
    for (const std::string& name : instants.objects) {
      try {
        (void)object_named(model, name);
      } catch (const InputError& error) {
        throw marked.error(error.kind(), rest, error.what());
      }
    }
    return instants;
  }
  if (word != kPeriod) {
    throw marked.error(Kind::unknown_name, word, "expected impact, impact:A, impact:A,B or period:SECONDS");
  }
  instants.kind = Instants::Kind::periods;
  instants.period.emplace(marked, rest, numbers);
  return instants;
}

}  // namespace carom::sweep
