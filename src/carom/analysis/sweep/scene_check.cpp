#include "carom/analysis/sweep/scene_check.h"

#include <algorithm>

#include "carom/analysis/sweep/marked_text.h"
#include "carom/engine/engine_registry.h"
#include "carom/scene/scene_contents.h"

namespace carom::sweep {
namespace {

/// Whether such a mistake is one of words and not of numbers that another point may have right.
bool is_of_words(Kind kind) {
  switch (kind) {
    case Kind::usage:
    case Kind::syntax:
    case Kind::unknown_name:
    case Kind::wrong_type:
    case Kind::duplicate_name:
    case Kind::unsupported: return true;
    default: return false;
  }
}

std::string_view path_part(const Variation& variation) {
  const std::string_view text = variation.text;
  return trimmed(text.substr(0, find_unquoted(text, '=')));
}

void set_marked(Scene& scene, const Variation& variation, const Value& value) {
  try {
    scene.set(variation.path, value);
  } catch (const InputError& error) {
    throw MarkedText{"--vary", variation.text}.error(error.kind(), path_part(variation), error.what());
  }
}

/// Throws the first complaint about words that the scene did not deserve before.
void require_words(const Scene& changed, const Variation& variation, std::string_view part) {
  for (const InputError& complaint : changed.check()) {
    const std::string& field = complaint.place().field;
    const bool is_here = field == variation.path || field.starts_with(variation.path + ".") ||
                         variation.path.starts_with(field + ".") || complaint.place().line == 0;
    if (is_of_words(complaint.kind()) && is_here) {
      throw MarkedText{"--vary", variation.text}.error(complaint.kind(), part, complaint.what());
    }
  }
}

/// The listed value as it stands in the text.
std::string_view value_part(const Variation& variation, std::size_t i) {
  const std::string_view text = variation.text;
  std::size_t at = find_unquoted(text, '=');
  for (std::size_t k = 0; k <= i; ++k)
    at = text.find(variation.texts[k], at + (k == 0 ? 1 : variation.texts[k - 1].size()));
  return text.substr(at, variation.texts[i].size());
}

}  // namespace

void check_variations(const Scene& scene, std::span<const Variation> variations, std::span<const Value> first) {
  constexpr std::size_t kMostTried = 200;
  Scene start = scene;
  for (std::size_t v = 0; v < variations.size(); ++v) set_marked(start, variations[v], first[v]);
  for (const Variation& variation : variations) {
    if (variation.spacing != Spacing::listed) {
      require_words(start, variation, path_part(variation));
      continue;
    }
    for (std::size_t i = 0; i < std::min(variation.values.size(), kMostTried); ++i) {
      Scene trial = start;
      set_marked(trial, variation, variation.values[i]);
      require_words(trial, variation, value_part(variation, i));
    }
  }
  // What is wrong with the file itself is wrong at every point.
  for (const InputError& complaint : start.check()) {
    if (is_of_words(complaint.kind()) || complaint.kind() == Kind::missing_field) throw InputError(complaint);
  }
}

RunSummary example_summary(const Scene& scene, std::span<const Variation> variations, std::span<const Value> first) {
  scene::SceneFile contents;
  try {
    Scene start = scene;
    for (std::size_t v = 0; v < variations.size(); ++v) start.set(variations[v].path, first[v]);
    contents = start.build();
  } catch (const InputError&) {
    contents = scene.build();
  }
  RunSummary summary;
  summary.title = contents.title;
  summary.engine = contents.run.engine;
  summary.law = contents.run.law;
  summary.model = std::make_shared<const Model>(std::move(contents.model));
  summary.result.final_state = std::move(contents.state);
  summary.result.failure = Failure{};
  if (engine_kind(summary.engine).has_forces) summary.result.compliant = CompliantReport{};
  return summary;
}

}  // namespace carom::sweep
