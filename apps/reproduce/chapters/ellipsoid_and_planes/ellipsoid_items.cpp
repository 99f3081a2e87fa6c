#include "reproduce/chapters/ellipsoid_and_planes/ellipsoid_items.h"

#include <fmt/format.h>

#include <cmath>

namespace carom::reproduce {

namespace {

/// No round-off is as large.
constexpr double kMisprint = 1e-3;

}  // namespace

Item corrected_formula(std::string where, std::string claim, const Deviation& found, std::string note) {
  const bool passes = found.corrected <= kRoundOff, fails = found.printed > kMisprint;
  return {.where = std::move(where),
          .claim = std::move(claim),
          .paper = fmt::format("off by up to {:.3g} as printed", found.printed),
          .ours = passes ? "holds as corrected" : "does not hold as corrected",
          .difference = found.corrected,
          .tolerance = kRoundOff,
          .verdict = passes && fails ? Verdict::corrected : Verdict::differs,
          .note = std::move(note)};
}

Item corrected_number(Item item, double printed, double corrected, double ours) {
  item.paper = fmt::format("{:.6g} as printed, {:.10g} corrected", printed, corrected);
  item.ours = fmt::format("{:.10g}", ours);
  item.difference = std::abs(ours / corrected - 1.0);
  item.tolerance = kRoundOff;
  const bool fails = std::abs(printed - ours) > kMisprint * std::abs(ours);
  item.verdict = *item.difference <= kRoundOff && fails ? Verdict::corrected : Verdict::differs;
  return item;
}

}  // namespace carom::reproduce
