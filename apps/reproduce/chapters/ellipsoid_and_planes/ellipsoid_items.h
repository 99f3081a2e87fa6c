#pragma once
/// Items of the chapter on ellipsoids for formulas and numbers with a misprint: reproduced after correction where the
/// printed one fails the check that the corrected one passes.

#include <algorithm>
#include <string>

#include "reproduce/chapters/chapter.h"

namespace carom::reproduce {

inline constexpr double kRoundOff = 1e-12;

/// Largest deviation found for a formula as printed and as corrected.
struct Deviation {
  double printed = 0.0, corrected = 0.0;
  void add(double as_printed, double as_corrected) {
    printed = std::max(printed, as_printed);
    corrected = std::max(corrected, as_corrected);
  }
};

/// A formula over many cases: the printed one must be off by more than 1e-3, the corrected one by round-off only.
Item corrected_formula(std::string where, std::string claim, const Deviation& found, std::string note);

/// A printed number; fills everything but place, claim and note. Relative, with the same limits.
Item corrected_number(Item item, double printed, double corrected, double ours);

}  // namespace carom::reproduce
