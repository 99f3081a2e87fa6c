#include "carom/analysis/sweep/shard.h"

#include <fmt/format.h>

#include <cmath>

#include "carom/base/error.h"
#include "carom/base/number.h"
#include "carom/base/utf8.h"
#include "carom/scene/document/read_document.h"

namespace carom::sweep {
namespace {

constexpr std::string_view kShardKey = ",\"shard\":[";

std::size_t whole_part(std::string_view text, std::string_view all) {
  constexpr double kMost = 1e9;
  const NumberText number = read_number(text);
  if (number.status == NumberStatus::good && number.value >= 0.0 && number.value <= kMost &&
      number.value == std::floor(number.value)) {
    return static_cast<std::size_t>(number.value);
  }
  throw InputError(
      Kind::usage, "--shard",
      fmt::format("--shard is '{}', expected i/n, as in 0/4 or 1/4, with n up to {:.0f}", printable(all), kMost));
}

}  // namespace

Shard read_shard(std::string_view text) {
  const std::size_t slash = text.find('/');
  Shard shard;
  shard.index = whole_part(text.substr(0, slash), text);
  shard.count = slash == std::string_view::npos ? 0 : whole_part(text.substr(slash + 1), text);
  if (shard.count == 0 || shard.index > shard.count) {
    throw InputError(Kind::out_of_range, "--shard",
                     fmt::format("--shard is '{}', expected i/n with i from 0 to n", printable(text)));
  }
  shard.index %= shard.count;
  return shard;
}

std::string describe_shard(const std::string& sweep, const Shard& shard) {
  if (shard.count == 1) return sweep;
  return fmt::format("{}{}{},{}]}}", std::string_view(sweep).substr(0, sweep.size() - 1), kShardKey, shard.index,
                     shard.count);
}

ShardDescription read_shard_description(const std::string& text) {
  ShardDescription description;
  try {
    const scene::Document document = scene::parse_document("sweep", text);
    const scene::Node* const points = document.root.find("points");
    if (points == nullptr || !points->is(scene::Node::Type::integer)) throw InputError(Kind::syntax, "", "no points");
    description.points = static_cast<std::size_t>(points->integer());
    const std::size_t at = text.rfind(kShardKey);
    if (at == std::string::npos) {
      description.sweep = text;
      return description;
    }
    description.sweep = text.substr(0, at) + "}";
    const std::string_view rest = std::string_view(text).substr(at + kShardKey.size());
    const std::size_t comma = rest.find(',');
    description.shard.index = whole_part(rest.substr(0, comma), rest);
    description.shard.count = whole_part(rest.substr(comma + 1, rest.find(']') - comma - 1), rest);
    if (description.shard.count == 0 || description.shard.index >= description.shard.count)
      throw InputError(Kind::syntax, "", "no shard");
    return description;
  } catch (const InputError&) {
    throw InputError(Kind::file, "--merge", "a journal is damaged: it does not say what sweep it is of");
  }
}

}  // namespace carom::sweep
