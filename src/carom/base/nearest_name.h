#pragma once
/// What did the user mean? The known name nearest to a misspelt one, and the sentence that says so.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace carom {

/// More names than these are no help in a message.
inline constexpr std::size_t kMostNamesShown = 24;

/// Damerau–Levenshtein distance (optimal string alignment): the least number of insertions, deletions,
/// substitutions and swaps of neighbouring letters that turn one text into the other. O(|a|·|b|).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known name nearest to `name`; none where nothing is near. Near means at most one edit per three letters
/// (three edits at most), or the same up to capitals and `-` for `_`, or a beginning of at least three letters.
/// Of equally near names the first.
std::optional<std::string_view> nearest_name(std::string_view name, std::span<const std::string_view> known);

/// "unknown law 'newtn'; did you mean 'newton'? known: newton, poisson", for InputError of kind `unknown_name`. Of more
/// than kMostNamesShown known names only the nearest is named.
std::string unknown_name_message(std::string_view what, std::string_view name, std::span<const std::string_view> known);

}  // namespace carom
