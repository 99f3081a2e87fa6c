#include "carom/scene/reader/spread.h"

#include <algorithm>
#include <cmath>

#include "carom/base/number.h"
#include "carom/base/random.h"
#include "carom/scene/format/sections.h"

namespace carom::scene {
namespace {

/// A number of a text that is the same on every machine (FNV-1a).
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

}  // namespace

Spread::Spread(Entry entry, std::int64_t count, std::int64_t seed) : entry_(std::move(entry)) {
  if (entry_.node->is(Node::Type::array)) {
    const auto given = static_cast<std::int64_t>(entry_.node->array().size());
    if (given == count) return;
    throw InputError(Kind::size_mismatch, entry_.place(),
                     entry_.name() + " has " + std::to_string(given) + " entries, expected " + std::to_string(count) +
                         ", one for each body");
  }
  if (!entry_.node->is(Node::Type::table)) return;
  const auto [kind, fields] = fields_of(entry_, spread_kinds(), {});
  if (kind == "random") {
    draw(fields, count, seed);
    return;
  }
  const double from = fields.number("from");
  const double to = fields.number("to");
  for (std::int64_t i = 0; i < count; ++i) {
    const double share = count > 1 ? static_cast<double>(i) / static_cast<double>(count - 1) : 0.0;
    numbers_.push_back((1.0 - share) * from + share * to);
  }
}

void Spread::draw(const Fields& fields, std::int64_t count, std::int64_t seed) {
  const double least = fields.number("min");
  const Entry max = fields.at("max");
  const double greatest = as_number(max);
  if (greatest < least) max.fail(Kind::out_of_range, "at least min, " + format_number(least));
  if (const auto own = fields.find("seed")) seed = as_integer(*own, 0, std::numeric_limits<std::int64_t>::max());
  const bool logarithmic = fields.string("distribution", kUniform) == kLogUniform;
  Random random(static_cast<std::uint64_t>(seed) ^ hash_of(entry_.path));
  for (std::int64_t i = 0; i < count; ++i) {
    const double share = random.uniform();
    const double number = logarithmic ? std::exp((1.0 - share) * std::log(least) + share * std::log(greatest))
                                      : (1.0 - share) * least + share * greatest;
    numbers_.push_back(std::clamp(number, least, greatest));
  }
}

Node Spread::of(std::int64_t body) const {
  if (!numbers_.empty()) return {numbers_[body], entry_.node->mark()};
  return entry_.node->is(Node::Type::array) ? entry_.node->array()[body] : *entry_.node;
}

}  // namespace carom::scene
