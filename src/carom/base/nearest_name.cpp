#include "carom/base/nearest_name.h"

#include <algorithm>
#include <vector>

#include "carom/base/utf8.h"

namespace carom {
namespace {

constexpr std::size_t kLongestName = 200;  // longer texts are no misspelt names, and the distance is quadratic

/// Small letters, `_` for `-` and blanks.
std::string folded(std::string_view name) {
  std::string result(name);
  for (char& letter : result) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    if (letter == '-' || letter == ' ') letter = '_';
  }
  return result;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Three rows of the table d(i, j) = distance of the first i letters of a from the first j of b.
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitution = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, substitution});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::optional<std::string_view> nearest_name(std::string_view name, std::span<const std::string_view> known) {
  if (name.empty() || name.size() > kLongestName) return std::nullopt;
  const std::string wanted = folded(name);
  std::optional<std::string_view> nearest;
  std::size_t least = 0;
  for (const std::string_view candidate : known) {
    const std::string offered = folded(candidate);
    const std::size_t distance = edit_distance(wanted, offered);
    const std::size_t cutoff = std::min<std::size_t>(3, (std::max(wanted.size(), offered.size()) + 1) / 3);
    if (distance <= cutoff && (!nearest || distance < least)) {
      nearest = candidate;
      least = distance;
    }
  }
  if (nearest || name.size() < 3) return nearest;
  const auto beginning = std::find_if(known.begin(), known.end(), [&wanted](std::string_view candidate) {
    return folded(candidate).starts_with(wanted);
  });
  if (beginning != known.end()) return *beginning;
  return std::nullopt;
}

std::string unknown_name_message(std::string_view what, std::string_view name,
                                 std::span<const std::string_view> known) {
  std::string message = "unknown " + std::string(what) + " '" + printable(name) + "'";
  const std::optional<std::string_view> nearest = nearest_name(name, known);
  if (nearest) message += "; did you mean '" + printable(*nearest) + "'?";
  if (known.size() > kMostNamesShown) return message;
  message += nearest ? " known: " : "; known: ";
  if (known.empty()) return message + "none";
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (i > 0) message += ", ";
    message += printable(known[i]);
  }
  return message;
}

}  // namespace carom
