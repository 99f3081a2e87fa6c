#include "carom/analysis/atlas/quantities.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/base/error.h"
#include "carom/base/nearest_name.h"

namespace carom::atlas {
namespace {

constexpr QuantityEntry kQuantities[] = {
    {Quantity::steps, "steps", "steps"},
    {Quantity::direction, "direction", "v⁺ from the way out [°]"},
    {Quantity::turn, "turn", "turn of v [°]"},
    {Quantity::energy, "energy", "T⁺/T⁻"},
    {Quantity::stop, "stop", "stop"},
    {Quantity::audit, "audit", "audit"},
    {Quantity::mode, "mode", "friction"},
    {Quantity::solutions, "solutions", "outcomes"},
    {Quantity::zone, "zone", "approaching", false},
    {Quantity::disagreement, "disagreement", "‖v⁺ − v⁺‖/‖v⁻‖", false},
    {Quantity::jump, "jump", "‖Δv⁺‖/‖v⁻‖ to neighbours"},
};

double audit_class(const Flags& flags) {
  if (flags.has(Flag::energy_created)) return 3.0;
  if (flags.has(Flag::still_approaching)) return 2.0;
  return flags.has(Flag::negative_impulse) ? 1.0 : 0.0;
}

double norm(std::span<const double> vector) {
  double sum = 0.0;
  for (const double value : vector) sum += value * value;
  return std::sqrt(sum);
}

/// Angle between two vectors without loss of digits at 0 and 180°: 2 atan2(‖a/|a| − b/|b|‖, ‖a/|a| + b/|b|‖).
double angle_between(std::span<const double> a, std::span<const double> b) {
  const double length_a = norm(a), length_b = norm(b);
  double difference = 0.0, sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double unit_a = a[i] / length_a, unit_b = b[i] / length_b;
    difference += (unit_a - unit_b) * (unit_a - unit_b);
    sum += (unit_a + unit_b) * (unit_a + unit_b);
  }
  return 2.0 * std::atan2(std::sqrt(difference), std::sqrt(sum));
}

/// A direction needs a speed that is more than what an iteration leaves at rest.
bool moves(std::span<const double> after) {
  constexpr double kRest = 1e-9;
  return norm(after) > kRest;
}

}  // namespace

const QuantityEntry& entry_of(Quantity quantity) {
  return *std::find_if(std::begin(kQuantities), std::end(kQuantities),
                       [quantity](const QuantityEntry& entry) { return entry.quantity == quantity; });
}

double distance(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

std::span<const double> vector_of(const std::vector<double>& list, std::size_t cell, int dof) {
  const auto size = static_cast<std::size_t>(dof);
  return std::span(list).subspan(cell * size, size);
}

double law_value(Quantity quantity, const Row& row, const LawRow& law, std::size_t cell) {
  const bool impact = row.approaching[cell] != 0;
  const bool ended = impact && finished(law.stop[cell]);
  const std::span<const double> after = vector_of(law.after, cell, row.dof);
  switch (quantity) {
    case Quantity::stop: return impact ? static_cast<double>(law.stop[cell]) : kNone;
    case Quantity::audit: return impact ? audit_class(law.flags[cell]) : kNone;
    case Quantity::steps: return impact ? law.steps[cell] : kNone;
    case Quantity::energy: return ended ? norm(after) * norm(after) : kNone;
    case Quantity::direction: return ended && moves(after) ? kDegrees * std::atan2(after[1], -after[0]) : kNone;
    case Quantity::turn:
      return ended && moves(after) ? kDegrees * angle_between(vector_of(row.before, cell, row.dof), after) : kNone;
    case Quantity::mode: return ended ? static_cast<double>(law.mode[cell]) : kNone;
    case Quantity::solutions: return impact ? static_cast<double>(law.solutions[cell]) : kNone;
    case Quantity::zone:
    case Quantity::disagreement:
    case Quantity::jump: break;
  }
  return kNone;
}

double disagreement(const Row& row, std::size_t cell) {
  if (row.approaching[cell] == 0) return kNone;
  double largest = kNone;
  for (std::size_t a = 0; a < row.laws.size(); ++a) {
    if (!finished(row.laws[a].stop[cell])) continue;
    for (std::size_t b = 0; b < a; ++b) {
      if (!finished(row.laws[b].stop[cell])) continue;
      const double found =
          distance(vector_of(row.laws[a].after, cell, row.dof), vector_of(row.laws[b].after, cell, row.dof));
      largest = std::isnan(largest) ? found : std::max(largest, found);
    }
  }
  return largest;
}

std::vector<std::string_view> quantity_names() {
  std::vector<std::string_view> names;
  for (const QuantityEntry& entry : kQuantities) names.push_back(entry.name);
  return names;
}

std::string_view quantity_name(Quantity quantity) {
  return entry_of(quantity).name;
}

Quantity quantity_from_name(std::string_view name) {
  for (const QuantityEntry& entry : kQuantities) {
    if (entry.name == name) return entry.quantity;
  }
  throw InputError(Kind::unknown_name, "--quantity", unknown_name_message("quantity", name, quantity_names()));
}

}  // namespace carom::atlas
