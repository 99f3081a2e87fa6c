#include "carom/analysis/atlas/atlas.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>

#include "carom/analysis/atlas/quantities.h"
#include "carom/analysis/atlas/row.h"
#include "carom/analysis/shared_work.h"
#include "carom/base/error.h"

namespace carom::atlas {
namespace {

std::vector<std::string> zone_classes(const Family& family) {
  std::vector<std::string> names(std::size_t{1} << family.contacts.size());
  for (std::size_t zone = 0; zone < names.size(); ++zone) {
    for (std::size_t i = 0; i < family.contacts.size(); ++i) {
      if ((zone >> i & 1u) != 0) names[zone] += (names[zone].empty() ? "" : " + ") + family.contacts[i];
    }
    if (names[zone].empty()) names[zone] = "none";
  }
  return names;
}

Range range_of(const Axis& axis, const Range& asked, const char* option) {
  const Range range = asked.empty() ? axis.range : asked;
  if (!(range.low < range.high)) {
    throw InputError(
        Kind::out_of_range, option,
        fmt::format("{} goes from {} to {}, expected a low and a higher value", option, range.low, range.high));
  }
  if (!axis.allowed.empty() && !(range.low >= axis.allowed.low && range.high <= axis.allowed.high)) {
    throw InputError(Kind::out_of_range, option,
                     fmt::format("{} goes from {:.6g} to {:.6g}, but {} lies from {:.6g} to {:.6g}", option, range.low,
                                 range.high, axis.name, axis.allowed.low, axis.allowed.high));
  }
  return range;
}

void check(const Family& family, const Request& request) {
  constexpr std::size_t kMostZoneContacts = 3;
  if (request.laws.empty()) throw InputError(Kind::usage, "--laws", "an atlas needs a law");
  if (request.columns == 0 || request.rows == 0 || request.columns > kMostCells / request.rows) {
    throw InputError(Kind::out_of_range, "--size",
                     fmt::format("the map has {}x{} cells, expected from 1 to {} of them", request.columns,
                                 request.rows, kMostCells));
  }
  if (request.quantity == Quantity::direction && !family.corner) {
    throw InputError(Kind::usage, "--quantity",
                     "direction is that of a disk in a corner; turn is the angle between before and after anywhere");
  }
  const auto& contacts = family.pattern.contacts;
  const auto has_tangents = [](const Contact& contact) { return contact.tangents.rows() > 0; };
  if ((request.quantity == Quantity::mode || request.quantity == Quantity::solutions) &&
      std::none_of(contacts.begin(), contacts.end(), has_tangents)) {
    throw InputError(Kind::usage, "--quantity",
                     fmt::format("{} is about friction, and no contact has tangents", quantity_name(request.quantity)));
  }
  if (request.quantity == Quantity::disagreement && request.laws.size() < 2) {
    throw InputError(Kind::usage, "--laws", "disagreement needs two laws or more");
  }
  if (request.quantity == Quantity::zone && family.contacts.size() > kMostZoneContacts) {
    throw InputError(Kind::usage, "--quantity",
                     fmt::format("zone distinguishes up to {} contacts, and the problem has {}", kMostZoneContacts,
                                 family.contacts.size()));
  }
}

double centre(const Range& range, std::size_t i, std::size_t count) {
  return range.low + (static_cast<double>(i) + 0.5) * ((range.high - range.low) / static_cast<double>(count));
}

class Maker {
 public:
  Maker(const Family& family, const Request& request, const Watch& watch)
      : family_(family),
        request_(request),
        watch_(watch),
        x_(range_of(family.x, request.x, "--x")),
        y_(range_of(family.y, request.y, "--y")) {}

  Atlas make() {
    prepare();
    const bool complete = solve_rows() && (request_.quantity != Quantity::jump || measure_jumps());
    if (!complete) return {{}, false};
    choose_scales();
    return std::move(atlas_);
  }

 private:
  [[nodiscard]] std::size_t cells() const { return request_.columns * request_.rows; }
  [[nodiscard]] bool several() const { return request_.laws.size() > 1; }

  void add_map(const std::string& law, Quantity quantity) {
    Map map;
    const QuantityEntry& entry = entry_of(quantity);
    map.title = law.empty() ? std::string(entry.name) : law;
    map.title += ": " + family_.title;
    map.x_label = family_.x.label;
    map.y_label = family_.y.label;
    map.value_label = entry.label;
    if (entry.quantity == Quantity::direction) map.period = 360.0;
    map.x_low = x_.low * family_.x.shown_scale();
    map.x_high = x_.high * family_.x.shown_scale();
    map.y_low = y_.low * family_.y.shown_scale();
    map.y_high = y_.high * family_.y.shown_scale();
    map.columns = request_.columns;
    map.rows = request_.rows;
    map.values.assign(cells(), kNone);
    if (quantity == Quantity::stop) map.classes = kStopClasses;
    if (quantity == Quantity::audit) map.classes = kAuditClasses;
    if (quantity == Quantity::mode) map.classes = kModeClasses;
    if (quantity == Quantity::solutions) map.classes = kSolutionClasses;
    if (quantity == Quantity::zone) map.classes = zone_classes(family_);
    if (family_.name == "corner") map.curves.push_back(exit_boundary());
    atlas_.maps.push_back({law, quantity, std::move(map)});
  }

  void prepare() {
    check(family_, request_);
    if (entry_of(request_.quantity).per_law) {
      for (const ImpactLaw* law : request_.laws) add_map(std::string(law->name), request_.quantity);
      if (several()) add_map("", Quantity::disagreement);
    } else {
      add_map("", request_.quantity);
    }
    if (request_.quantity == Quantity::jump) {
      after_.assign(request_.laws.size(), std::vector<double>(cells() * dof()));
      impact_.assign(cells(), 0);
    }
  }

  [[nodiscard]] std::size_t dof() const { return static_cast<std::size_t>(family_.pattern.velocity.size()); }

  bool solve_rows() {
    std::vector<double> xs(request_.columns);
    for (std::size_t j = 0; j < xs.size(); ++j) xs[j] = centre(x_, j, xs.size());
    Crew crew{request_.threads, {}, watch_.interrupted};
    if (watch_.report) {
      crew.report = [this](std::size_t done) {
        watch_.report(static_cast<double>(done), static_cast<double>(request_.rows));
      };
    }
    return for_each_piece(request_.rows, crew, [this, &xs]() -> PieceWork {
      const auto solver = std::make_shared<RowSolver>(family_, request_.laws, watch_.interrupted);
      if (request_.quantity == Quantity::mode) solver->ask_for_modes();
      if (request_.quantity == Quantity::solutions) solver->ask_for_solutions();
      return [this, &xs, solver](std::size_t row) { store(row, solver->solve(xs, centre(y_, row, request_.rows))); };
    });
  }

  void store(std::size_t row, const Row& solved) {
    const std::size_t first = row * request_.columns;
    for (std::size_t m = 0; m < atlas_.maps.size(); ++m) {
      LawMap& one = atlas_.maps[m];
      for (std::size_t j = 0; j < request_.columns; ++j) {
        double& value = one.map.values[first + j];
        if (one.quantity == Quantity::disagreement) {
          value = disagreement(solved, j);
        } else if (one.quantity == Quantity::zone) {
          value = solved.approaching[j];
        } else {
          value = law_value(one.quantity, solved, solved.laws[m], j);
        }
      }
    }
    if (impact_.empty()) return;
    for (std::size_t i = 0; i < after_.size(); ++i) {
      std::copy(solved.laws[i].after.begin(), solved.laws[i].after.end(),
                after_[i].begin() + static_cast<std::ptrdiff_t>(first * dof()));
    }
    for (std::size_t j = 0; j < request_.columns; ++j) impact_[first + j] = solved.approaching[j] != 0 ? 1 : 0;
  }

  bool measure_jumps() {
    const Crew crew{request_.threads, {}, watch_.interrupted};
    return for_each_piece(request_.rows, crew, [this]() -> PieceWork {
      return [this](std::size_t row) {
        for (std::size_t law = 0; law < after_.size(); ++law) {
          for (std::size_t j = 0; j < request_.columns; ++j) {
            atlas_.maps[law].map.values[row * request_.columns + j] = jump(after_[law], row, j);
          }
        }
      };
    });
  }

  [[nodiscard]] double jump(const std::vector<double>& after, std::size_t row, std::size_t column) const {
    const std::size_t cell = row * request_.columns + column;
    if (impact_[cell] == 0) return kNone;
    double largest = 0.0;
    const auto look = [&](std::size_t other) {
      const int n = static_cast<int>(dof());
      largest = std::max(largest, distance(vector_of(after, cell, n), vector_of(after, other, n)));
    };
    if (column > 0) look(cell - 1);
    if (column + 1 < request_.columns) look(cell + 1);
    if (row > 0) look(cell - request_.columns);
    if (row + 1 < request_.rows) look(cell + request_.columns);
    return largest;
  }

  /// One scale for all laws, so that colours can be compared. Steps over more than a decade and a half are
  /// distinguished by their logarithms only.
  void choose_scales() {
    constexpr double kMuch = 30.0;
    Range range;
    for (const LawMap& one : atlas_.maps) {
      if (one.quantity != request_.quantity) continue;
      for (const double value : one.map.values) range.add(value);
    }
    const bool steps = request_.quantity == Quantity::steps && range.low > 0.0 && range.high > kMuch * range.low;
    for (LawMap& one : atlas_.maps) {
      if (one.quantity != request_.quantity || !one.map.classes.empty()) continue;
      one.map.value_range = range;
      one.map.logarithmic = steps;
    }
  }

  const Family& family_;
  const Request& request_;
  const Watch& watch_;
  Range x_, y_;
  Atlas atlas_;
  std::vector<std::vector<double>> after_;  ///< u⁺ of all cells for each law, where jumps are measured
  std::vector<std::uint8_t> impact_;
};

}  // namespace

Atlas make_atlas(const Family& family, const Request& request, const Watch& watch) {
  return Maker(family, request, watch).make();
}

Curve exit_boundary() {
  constexpr int kPoints = 400;
  Curve curve;
  curve.label = "sin 2α = (1−ε)/(1+ε)";
  curve.colour = 1;
  for (int i = 0; i <= kPoints; ++i) {
    const double alpha = std::numbers::pi / 4 * i / kPoints;
    const double sine = std::sin(2.0 * alpha);
    curve.x.push_back(kDegrees * alpha);
    curve.y.push_back((1.0 - sine) / (1.0 + sine));
  }
  return curve;
}

}  // namespace carom::atlas
