#pragma once
/// Compares two records, bit by bit, all but wall times.

#include <string>

namespace carom::test {

/// Whether durations have to be the same too, or one run may have been extended to where the other ends.
enum class Durations { same, extended };

/// What differs: every column of every table, what is said about the run, and what it can go on from. Empty: nothing.
std::string record_difference(const std::string& one, const std::string& other, Durations durations = Durations::same);

}  // namespace carom::test
