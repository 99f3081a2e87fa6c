#include "carom/mechanics/loose_parts.h"

#include <fmt/format.h>

#include <cmath>

#include "carom/geometry/pair_table.h"

namespace carom {

namespace {

constexpr double kTouching = 1e-9;

LooseParts pieces_of(ObjectIndex object, const Parts& parts) {
  const double radius = bounding_radius(parts);
  const double tolerance = kTouching * (std::isfinite(radius) ? radius : 1.0);
  LooseParts found{object, std::vector<int>(parts.size(), kNone), 0};
  for (std::size_t first = 0; first < parts.size(); ++first) {
    if (found.piece[first] != kNone) continue;
    std::vector<std::size_t> reached = {first};
    found.piece[first] = found.pieces;
    for (std::size_t k = 0; k < reached.size(); ++k) {
      const Part& from = parts[reached[k]];
      for (std::size_t other = first + 1; other < parts.size(); ++other) {
        if (found.piece[other] != kNone) continue;
        const Part& to = parts[other];
        if (proximity(from.shape, from.placement, to.shape, to.placement).distance > tolerance) continue;
        found.piece[other] = found.pieces;
        reached.push_back(other);
      }
    }
    ++found.pieces;
  }
  return found;
}

}  // namespace

std::vector<LooseParts> loose_parts(const Model& model) {
  std::vector<LooseParts> result;
  for (int object = 0; object < model.object_count(); ++object) {
    const Parts& parts = model.parts(object);
    if (parts.size() < 2) continue;
    LooseParts found = pieces_of(object, parts);
    if (found.pieces > 1) result.push_back(std::move(found));
  }
  return result;
}

std::string loose_parts_text(const Model& model, const LooseParts& loose) {
  return fmt::format("{} '{}' has {} parts in {} pieces that do not touch each other",
                     model.is_body(loose.object) ? "body" : "obstacle", model.name(loose.object), loose.piece.size(),
                     loose.pieces);
}

}  // namespace carom
