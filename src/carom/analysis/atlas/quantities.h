#pragma once
/// What a cell of an atlas shows: the values of quantities from solved rows. Internal to make_atlas.

#include <limits>
#include <numbers>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/analysis/atlas/atlas.h"
#include "carom/analysis/atlas/row.h"

namespace carom::atlas {

/// Where a cell has no value.
inline constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
/// Degrees of a radian.
inline constexpr double kDegrees = 180.0 / std::numbers::pi;

struct QuantityEntry {
  Quantity quantity;
  std::string_view name, label;
  bool per_law = true;
};

const QuantityEntry& entry_of(Quantity quantity);

inline const std::vector<std::string> kStopClasses{"separated", "at rest", "step limit", "no exit", "infeasible"};
/// In the order of SlipClass and of SolutionCount.
inline const std::vector<std::string> kModeClasses{"slides", "sticks", "reverses", "jams"};
inline const std::vector<std::string> kSolutionClasses{"none", "one", "two", "three", "four or more", "a continuum"};
inline const std::vector<std::string> kAuditClasses{"in order", "pulls", "still approaching", "creates energy"};

/// The value under one law; kNone where the cell has none, or the quantity is not one of a law.
double law_value(Quantity quantity, const Row& row, const LawRow& law, std::size_t cell);
/// The largest difference between two laws, relative to the speed before.
double disagreement(const Row& row, std::size_t cell);

/// The part of a cell in a list of vectors.
std::span<const double> vector_of(const std::vector<double>& list, std::size_t cell, int dof);
double distance(std::span<const double> a, std::span<const double> b);

}  // namespace carom::atlas
