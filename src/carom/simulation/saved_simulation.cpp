#include "carom/simulation/saved_simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "carom/base/archive.h"
#include "carom/base/error.h"
#include "carom/base/utf8.h"
#include "carom/base/version.h"

namespace carom {
namespace {

constexpr std::string_view kBegins = "carom checkpoint\n";
/// Counts changes of what is kept within one version.
constexpr std::uint32_t kSavedFormat = 1;
constexpr std::size_t kLongestLine = 60;

struct Head {
  std::uint32_t format = kSavedFormat;
  std::uint64_t size = 0;
  std::uint64_t checksum = 0;

  void transfer(Archive& archive) { archive(format, size, checksum); }
};

std::uint64_t checksum_of(std::span<const std::byte> bytes) {
  std::uint64_t sum = 14695981039346656037U;
  for (const std::byte byte : bytes) sum = (sum ^ static_cast<std::uint64_t>(byte)) * 1099511628211U;
  return sum;
}

void transfer(Archive& archive, SavedSimulation& saved) {
  auto& [version, name, scene, settings, state] = saved;
  archive(version, name, scene, settings, state);
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

[[noreturn]] void refuse_scene(const std::string& difference) {
  throw InputError(Kind::unsupported, "scene", "the checkpoint is of another scene: " + difference);
}

/// The first of two lists that differ: a text for each, `nothing` where a list has ended.
template <class List>
std::optional<std::size_t> first_difference(const List& one, const List& other) {
  const auto found = std::mismatch(one.begin(), one.end(), other.begin(), other.end());
  if (found.first == one.end() && found.second == other.end()) return std::nullopt;
  return static_cast<std::size_t>(found.first - one.begin());
}

template <class List>
std::string entry(const List& list, std::size_t index) {
  return index < list.size() ? "'" + printable(std::string(list[index]), kLongestLine) + "'" : std::string("missing");
}

}  // namespace

std::vector<std::byte> to_bytes(const SavedSimulation& saved) {
  Archive content;
  SavedSimulation copy = saved;
  transfer(content, copy);
  const std::vector<std::byte> bytes = content.take();
  Head head{kSavedFormat, bytes.size(), checksum_of(bytes)};
  Archive all;
  all(head);
  const std::vector<std::byte> numbers = all.take();
  std::vector<std::byte> result(kBegins.size());
  std::memcpy(result.data(), kBegins.data(), kBegins.size());
  result.insert(result.end(), numbers.begin(), numbers.end());
  result.insert(result.end(), bytes.begin(), bytes.end());
  return result;
}

SavedSimulation saved_simulation(std::span<const std::byte> bytes) {
  constexpr std::size_t kHead = sizeof(std::uint32_t) + 2 * sizeof(std::uint64_t);
  const std::size_t known = std::min(bytes.size(), kBegins.size());
  if (known == 0 || std::memcmp(bytes.data(), kBegins.data(), known) != 0) Archive::refuse("it is none");
  if (bytes.size() < kBegins.size() + kHead) Archive::refuse("it is cut off");
  Head head;
  Archive numbers(bytes.subspan(kBegins.size(), kHead));
  numbers(head);
  const std::span<const std::byte> content = bytes.subspan(kBegins.size() + kHead);
  if (head.format != kSavedFormat)
    throw InputError(
        Kind::unsupported, "checkpoint",
        fmt::format("the checkpoint has format {}, carom {} reads {}", head.format, kVersion, kSavedFormat));
  if (content.size() < head.size)
    Archive::refuse(fmt::format("it is cut off: it has {} of {} bytes", content.size(), head.size));
  if (content.size() > head.size || checksum_of(content) != head.checksum) Archive::refuse("it is damaged");
  SavedSimulation saved;
  Archive archive(content);
  transfer(archive, saved);
  archive.finish();
  if (saved.version != kVersion)
    throw InputError(
        Kind::unsupported, "version",
        fmt::format("the checkpoint was written by carom {}, this is carom {}: another version may compute "
                    "other bits; run the scene again, or go on with carom {}",
                    printable(saved.version), kVersion, printable(saved.version)));
  return saved;
}

void require_scene(const SavedSimulation& saved, const std::string& scene, const std::vector<std::string>& settings) {
  const std::vector<std::string_view> there = lines_of(saved.scene), here = lines_of(scene);
  if (const std::optional<std::size_t> line = first_difference(there, here))
    refuse_scene(fmt::format("line {} is {} there and {} here", *line + 1, entry(there, *line), entry(here, *line)));
  if (const std::optional<std::size_t> which = first_difference(saved.settings, settings))
    refuse_scene(fmt::format("setting {} is {} there and {} here", *which + 1, entry(saved.settings, *which),
                             entry(settings, *which)));
}

}  // namespace carom
