#include "reproduce/chapters/chapter.h"

#include <fmt/format.h>

#include <cmath>

#include "carom/base/number.h"

namespace carom::reproduce {

std::string_view verdict_words(Verdict verdict) {
  switch (verdict) {
    case Verdict::reproduced: return "reproduced";
    case Verdict::corrected: return "reproduced after correcting a misprint";
    case Verdict::not_reproducible: return "not reproducible";
    case Verdict::differs: break;
  }
  return "differs";
}

Item number_item(std::string where, std::string claim, double paper, double ours, double tolerance) {
  const double difference = std::abs(ours - paper) / (paper == 0.0 ? 1.0 : std::abs(paper));
  return {.where = std::move(where),
          .claim = std::move(claim),
          .paper = format_number(paper),
          .ours = fmt::format("{:.10g}", ours),
          .difference = difference,
          .tolerance = tolerance,
          .verdict = difference <= tolerance ? Verdict::reproduced : Verdict::differs,
          .note = {}};
}

Item statement_item(std::string where, std::string claim, double worst, double tolerance, std::string how) {
  return {.where = std::move(where),
          .claim = std::move(claim),
          .paper = "holds",
          .ours = worst <= tolerance ? "holds" : "violated",
          .difference = worst,
          .tolerance = tolerance,
          .verdict = worst <= tolerance ? Verdict::reproduced : Verdict::differs,
          .note = std::move(how)};
}

}  // namespace carom::reproduce
