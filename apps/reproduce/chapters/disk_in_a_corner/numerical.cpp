/// Fassino, Pasquero, sections 6.1 and 6.2: the numerical algorithm NA against the theoretical TA.

#include <fmt/format.h>

#include <array>

#include "reproduce/chapters/disk_in_a_corner/sections.h"

namespace carom::reproduce::disk {
namespace {

using std::numbers::pi;

/// S of the checks that place a wall speed between 0 and S: the paper leaves S free, and its own 2·2⁻⁵² is of the size
/// of the round-off of a wall speed.
constexpr double kWideS = 0x1p-20;

/// S is absolute in the paper and relative to ‖v₀‖ in the library.
Thresholds absolute(double s, Velocity velocity, std::int64_t max_steps) {
  return {s / norm(velocity), 0.0, max_steps};
}

Item change_of_one_impact() {
  Cases cases(401);
  double worst = 0.0;
  for (int i = 0; i < kCases; ++i) {
    const double alpha = cases.alpha(0.001, pi / 4);
    const bool first = i % 2 == 0;
    const Velocity v = first ? cases.in_z1(alpha) : cases.in_z2(alpha);
    const Velocity after = one_step(alpha, i % 3 == 0 ? 1.0 : cases.restitution(), v);
    const WallSpeeds s = wall_speeds(std::tan(alpha), v);
    const double speed = first ? s.eta : s.xi;
    worst = std::max({worst, std::abs(after.x - v.x) - speed, std::abs(after.y - v.y) - 2.0 * speed});
  }
  return statement_item("Lemma 6.1", "|ẋₙ₊₁−ẋₙ| ≤ η̇ₙ and |ẏₙ₊₁−ẏₙ| ≤ 2η̇ₙ in Z1, with ξ̇ₙ in Z2 (largest excess)", worst,
                        1e-15, fmt::format("{} random single impacts", kCases));
}

std::vector<Item> change_of_two_velocities() {
  Cases cases(402);
  double components = 0.0;
  double speeds = 0.0;
  for (int i = 0; i < kCases; ++i) {
    const double alpha = cases.alpha(0.001, pi / 4);
    const double k = std::tan(alpha);
    const double e = i % 3 == 0 ? 1.0 : cases.restitution();
    const bool first = i % 2 == 0;
    const Velocity v = first ? cases.in_z1(alpha) : cases.in_z2(alpha);
    const Velocity other = first ? cases.in_z1(alpha) : cases.in_z2(alpha);
    const double dx = std::abs(other.x - v.x);
    const double dy = std::abs(other.y - v.y);
    const Velocity w = one_step(alpha, e, v);
    const Velocity wp = one_step(alpha, e, other);
    components = std::max({components, std::abs(wp.x - w.x) - (dx + dy), std::abs(wp.y - w.y) - (dx + dy)});
    const WallSpeeds s = wall_speeds(k, w);
    const WallSpeeds sp = wall_speeds(k, wp);
    const double bound = 1.5 * dx + dy;
    speeds = std::max({speeds, std::abs(sp.xi - s.xi) - bound, std::abs(sp.eta - s.eta) - bound});
  }
  const std::string how = fmt::format("{} random pairs of velocities of one zone", kCases);
  return {
      statement_item("Lemma 6.2 i", "components of the new velocities differ by |δx| + |δy| at most (largest excess)",
                     components, 1e-15, how),
      statement_item("Lemma 6.2 ii", "their wall speeds differ by (3/2)|δx| + |δy| at most (largest excess)", speeds,
                     1e-15, how)};
}

/// What an algorithm does with a velocity of a zone, in the words of Table 1.
std::string words(std::string_view algorithm, Zone zone) {
  if (zone == Zone::z0) return fmt::format("{} stops", algorithm);
  return fmt::format("{} in {}", algorithm, corner::zone_name(zone));
}

/// Table 1 for one velocity: zones of TA and NA; where NA stops, how much TA still changes.
std::string behaviour(double alpha, double e, Velocity v) {
  const double k = std::tan(alpha);
  const Zone ta = zone_of(alpha, v);
  const Zone na = corner::solve(disk_problem(alpha, e, v, absolute(kWideS, v, 0))).zone;
  if (ta == na) {
    if (ta == Zone::z0) return "TA and NA stop";
    return fmt::format("TA and NA in {}", corner::zone_name(ta));
  }
  if (na != Zone::z0) return words("TA", ta) + ", " + words("NA", na);
  if (ta == Zone::z12) return norm(v) <= kWideS / k ? "TA disk almost at rest, NA stops" : "TA moves on, NA stops";
  const Velocity after = one_step(alpha, e, v);
  const bool small = std::abs(after.x - v.x) <= 2.0 * kWideS && std::abs(after.y - v.y) <= 2.0 * kWideS;
  return small ? "TA small changes, NA stops" : "TA large changes, NA stops";
}

/// A wall speed of column or row 0, 1, 2 of Table 1: not positive, below S, from S on.
double speed_of(Cases& cases, int cell) {
  if (cell == 0) return -cases.uniform(0.1, 1.0);
  return cell == 1 ? kWideS * cases.uniform(0.05, 0.95) : cases.uniform(0.1, 1.0);
}

std::vector<Item> table_one() {
  constexpr std::array<std::array<std::string_view, 3>, 3> kPrinted{
      {{"TA and NA stop", "TA small changes, NA stops", "TA and NA in Z2"},
       {"TA small changes, NA stops", "TA disk almost at rest, NA stops", "TA in Z12, NA in Z2"},
       {"TA and NA in Z1", "TA in Z12, NA in Z1", "TA and NA in Z12"}}};
  constexpr std::array<std::string_view, 3> kClasses{"≤ 0", "in (0, S)", "≥ S"};
  constexpr int kCellCases = 300;
  std::vector<Item> items;
  Cases cases(403);
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) {
      std::string found;
      for (int i = 0; i < kCellCases; ++i) {
        const double alpha = cases.alpha(0.05, pi / 4);
        const WallSpeeds s{speed_of(cases, column), speed_of(cases, row)};
        const std::string here = behaviour(alpha, cases.restitution(), velocity_of(std::tan(alpha), s));
        if (found.empty()) found = here;
        if (found != here && found.find("; ") == std::string::npos) found += "; " + here;
      }
      Item item;
      const auto r = static_cast<std::size_t>(row);
      const auto c = static_cast<std::size_t>(column);
      item.where = fmt::format("Table 1, η̇ {}, ξ̇ {}", kClasses[r], kClasses[c]);
      item.claim = fmt::format("what TA and NA do next ({} random velocities)", kCellCases);
      item.paper = kPrinted[r][c];
      item.ours = found;
      item.verdict = item.paper == item.ours ? Verdict::reproduced : Verdict::differs;
      items.push_back(std::move(item));
    }
  }
  items.front().note = "All nine cells with S = 2⁻²⁰, so that wall speeds between 0 and S can be told from round-off.";
  return items;
}

/// The terms of Theorem 6.1, item 3, for wall speeds ξ̇ ≤ η̇.
struct ItemThree {
  double k, e, xi, eta;

  [[nodiscard]] double squares() const { return xi * xi + eta * eta; }
  [[nodiscard]] double four_d() const { return squares() * (1.0 + k * k) + 2.0 * xi * eta * (k * k - 1.0); }
  [[nodiscard]] double first_term() const { return -e * squares() * (eta * (1.0 + k * k) - xi * (1.0 - k * k)); }
  [[nodiscard]] double printed_eta() const { return (first_term() - xi * (1.0 - k * k) * squares()) / four_d(); }
  [[nodiscard]] double corrected_eta() const {
    return (first_term() + xi * (1.0 - k * k) * (xi * xi - eta * eta)) / four_d();
  }
  [[nodiscard]] Velocity printed_velocity() const {
    const double b = 1.0 - k * k;
    return {(xi + eta) * ((b - 2.0 * e * k * k) * squares() - 2.0 * b * xi * eta) / (2.0 * k * four_d()),
            (eta - xi) * ((b + 2.0 * e) * squares() + 2.0 * b * xi * eta) / (2.0 * four_d())};
  }
};

std::vector<Item> theorem_item_three() {
  Cases cases(404);
  double printed = 0.0;
  double corrected = 0.0;
  double velocity = 0.0;
  for (int i = 0; i < kCases; ++i) {
    const double alpha = cases.uniform(0.2, pi / 4);
    const double eta = cases.uniform(0.1, 1.0);
    const ItemThree terms{std::tan(alpha), cases.restitution(), eta * cases.uniform(0.01, 0.99), eta};
    const Velocity after = one_step(alpha, terms.e, velocity_of(terms.k, {terms.xi, terms.eta}));
    const double eta_after = wall_speeds(terms.k, after).eta;
    printed = std::max(printed, std::abs(terms.printed_eta() - eta_after));
    corrected = std::max(corrected, std::abs(terms.corrected_eta() - eta_after));
    velocity = std::max(velocity, distance(terms.printed_velocity(), after));
  }
  const std::string how = fmt::format("{} random multiple impacts", kCases);
  return {statement_item("Theorem 6.1, item 3", "ẋ⁽¹²⁾ and ẏ⁽¹²⁾ in (ξ̇, η̇)", velocity, 1e-12, how),
          misprint_item(
              "Theorem 6.1, item 3", "η̇⁽¹²⁾ in (ξ̇, η̇)",
              {"second term −ξ̇(1−k²)(ξ̇²+η̇²)", "second term +ξ̇(1−k²)(ξ̇²−η̇²)", printed, corrected}, 1e-12,
              "Follows from kẋ⁽¹²⁾ − ẏ⁽¹²⁾ with the components printed just above it. The conclusion η̇⁽¹²⁾ < 0 for η̇ > "
              "ξ̇ stands.")};
}

/// NA strikes one wall where TA strikes both: 0 < ξ̇ ≤ S, η̇ > S.
Item single_beside_multiple() {
  Cases cases(405);
  double worst = 0.0;
  for (int i = 0; i < kCases; ++i) {
    const double alpha = cases.alpha(0.05, pi / 4);
    const double xi = kWideS * cases.uniform(0.05, 0.95);
    const double e = cases.uniform(0.0, 0.99);
    const Velocity v = velocity_of(std::tan(alpha), {xi, cases.uniform(0.1, 1.0)});
    const Velocity na = corner::solve(disk_problem(alpha, e, v, absolute(kWideS, v, 1))).velocity;
    const Velocity ta = one_step(alpha, e, v);
    worst = std::max({worst, std::abs(na.x - ta.x) / xi, std::abs(na.y - ta.y) / xi});
  }
  Item item = statement_item(
      "Theorem 6.1, item 3", "|ẋ⁽¹⁾−ẋ⁽¹²⁾| and |ẏ⁽¹⁾−ẏ⁽¹²⁾| stay below 2ξ̇ (largest multiple of ξ̇)",
      std::max(worst - 2.0, 0.0), 0.0,
      fmt::format("{} random velocities with 0 < ξ̇ < S = 2⁻²⁰. The difference is by how much the bound is "
                  "exceeded.",
                  kCases));
  item.paper = "< 2";
  item.ours = fmt::format("at most {:.4f}", worst);
  return item;
}

/// Final velocities and steps of both algorithms.
struct Comparison {
  double exits = 0.0;  ///< largest distance where both leave the corner
  double rests = 0.0;  ///< where one does not
  int same_steps = 0;
  int cases = 0;

  void add(const CornerProblem& problem) {
    const CornerOutcome na = corner::solve(problem);
    CornerProblem theoretical = problem;
    theoretical.thresholds = Thresholds::theoretical();
    const CornerOutcome ta = corner::solve(theoretical);
    const bool both = na.stop == corner::Stop::z0 && ta.stop == corner::Stop::z0;
    double& worst = both ? exits : rests;
    worst = std::max(worst, distance(na.velocity, ta.velocity));
    same_steps += static_cast<int>(na.steps == ta.steps);
    ++cases;
  }
};

std::vector<Item> same_output() {
  Comparison rows;
  for (const corner::TableRow& row : corner::published_table()) {
    rows.add(disk_problem(pi / row.alpha_denominator, row.restitution, row.velocity_before));
  }
  Comparison random;
  Cases cases(406);
  for (int i = 0; i < kCases; ++i) {
    const double alpha = cases.alpha(0.05, 1.5);
    const double e = i % 4 == 0 ? 1.0 : cases.restitution();
    // Half of them within a few roundings of a wall, where TA and NA take different zones.
    const double off_wall = cases.uniform(-4.0, 4.0) * 1e-16;
    random.add(disk_problem(alpha, e, i % 2 == 0 ? cases.any_direction() : direction(alpha + off_wall)));
  }
  std::vector<Item> items;
  const auto add = [&items](const Comparison& c, std::string_view of) {
    const std::string how = fmt::format("{} {}; the same number of steps in {}", c.cases, of, c.same_steps);
    items.push_back(statement_item("Theorem 6.1", fmt::format("TA and NA leave with the same velocity, {}", of),
                                   c.exits, 1e-13, how));
    items.push_back(statement_item("Theorem 6.1", fmt::format("one is at rest and the other nearly so, {}", of),
                                   c.rests, 2e-12, "NA rests below 1e-12, and TA only slows down further"));
  };
  add(rows, "published rows");
  add(random, "random cases");
  return items;
}

std::vector<Item> sensitivity_example() {
  CornerProblem problem = disk_problem(pi / 4, 1.0, direction(pi / 4));
  // The two components of (1/√2, 1/√2) in double arithmetic, as cos π/4 and sin π/4 give them.
  problem.velocity = {0x1.6a09e667f3bcdp-1, 0x1.6a09e667f3bccp-1};
  problem.trace = true;
  const CornerOutcome na = corner::solve(problem);
  problem.thresholds = Thresholds::theoretical();
  const CornerOutcome ta = corner::solve(problem);
  // The stop tests "less than S" are the tests of NA with the next smaller double for S.
  problem.thresholds = {std::nextafter(0x1p-51, 0.0), 1e-12, 10'000};
  const CornerOutcome strict = corner::solve(problem);
  const Velocity v1 = na.trace.at(1).velocity;
  const WallSpeeds s = wall_speeds(std::tan(pi / 4), v1);
  const std::string where = "Example of section 6.1";
  const auto printed = [](double value) { return fmt::format("{:.15f}", value); };
  const auto digits = [&](std::string claim, std::string paper, double ours) {
    Item item;
    item.where = where;
    item.claim = std::move(claim);
    item.paper = std::move(paper);
    item.ours = printed(ours);
    item.verdict = item.paper == item.ours ? Verdict::reproduced : Verdict::differs;
    return item;
  };
  std::vector<Item> items{digits("ẋ₁, 15 decimals", "-0.707106781186547", v1.x),
                          digits("ẏ₁, 15 decimals", "-0.707106781186548", v1.y)};
  items.push_back(misprint_item(
      where, "ξ̇₁ = kẋ₁ + ẏ₁",
      {"-0.707106781186547", printed(s.xi), std::abs(-0.707106781186547 - s.xi), std::abs(-1.414213562373095 - s.xi)},
      1e-15, "The sum of the two components just printed; the value of ẋ₁ stands in its place."));
  items.push_back(number_item(where, "η̇₁ = kẋ₁ − ẏ₁", 4.440892098500626e-16, s.eta, 0.0));
  items.back().note =
      "To the last bit with v₀ = (cos π/4, sin π/4) in double arithmetic, whose components differ in the last place; "
      "it equals S = 2·2⁻⁵².";
  items.push_back(number_item(where, "steps of NA, as in exact arithmetic", 1.0, static_cast<double>(na.steps), 0.0));
  Item goes_on = statement_item(where, "TA takes v₁ for a velocity of Z1 and goes on",
                                ta.trace.at(1).zone == Zone::z1 && ta.steps > 1 ? 0.0 : 1.0, 0.0,
                                fmt::format("TA makes {} steps", ta.steps));
  items.push_back(std::move(goes_on));
  items.push_back(misprint_item("Section 6.1", "the tests that stop NA (steps too many in the example)",
                                {"less than S, less than S_v", "not above S, not above S_v",
                                 static_cast<double>(strict.steps - 1), static_cast<double>(na.steps - 1)},
                                0.0,
                                "The loop of NA runs while ξ̇ > S or η̇ > S and ‖v‖ > S_v; the text below it and Table 1 "
                                "say \"less than\". In the example η̇₁ equals S, and the paper has NA stop there."));
  return items;
}

Item range_of_angles() {
  int right = 0;
  for (const std::string_view row : paper_rows())
    right += static_cast<int>(row.find(",4,") != std::string_view::npos && row.substr(1, 3) == ".1.");
  return misprint_item("Section 6.1", "the angles that NA is used for (published rows outside the range)",
                       {"α ∈ (0, π/4)", "α ∈ (0, π/4]", static_cast<double>(right), 0.0}, 0.0,
                       "The cases *.1.* of section 6.3 have α = π/4. The rule itself holds for all α < π/2.");
}

}  // namespace

Section theoretical_and_numerical() {
  Section section;
  section.heading = "The theoretical algorithm TA and the numerical algorithm NA";
  section.text =
      "NA takes wall speeds up to S and velocities up to S_v for zero; TA is NA with S = S_v = 0. The paper's values S "
      "= 2·2⁻⁵², S_v = 1e-12 and N_max = 10⁴ are used unless said otherwise.";
  section.items = {change_of_one_impact()};
  append(section.items, change_of_two_velocities());
  append(section.items, table_one());
  append(section.items, same_output());
  append(section.items, theorem_item_three());
  section.items.push_back(single_beside_multiple());
  append(section.items, sensitivity_example());
  section.items.push_back(range_of_angles());
  return section;
}

}  // namespace carom::reproduce::disk
