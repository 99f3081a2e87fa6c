/// Fassino, Pasquero, section 6.3: the 343 published rows, with the law `newton` and the closed-form prediction beside.

#include <fmt/format.h>

#include <array>
#include <set>

#include "carom/base/number.h"
#include "carom/laws/corner/prediction.h"
#include "carom/laws/impact/impact_solver.h"
#include "reproduce/chapters/disk_in_a_corner/sections.h"

namespace carom::reproduce::disk {
namespace {

using std::numbers::pi;

/// One row: as published, by NA, by the closed form and by the law `newton`.
struct ComparedRow {
  std::string_view paper;
  corner::TableRow ours;
  bool same = false;  ///< to every printed digit
  corner::Prediction prediction;
  bool predicted = false;
  Velocity newton;
  double newton_distance = 0.0;  ///< ‖v_newton − v_NA‖
  bool newton_gains = false;     ///< given both walls at once, `newton` creates energy
};

/// Velocities nearer than this are the same: a disk at rest is slower than 1e-12 under NA and stands still under
/// newton.
constexpr double kSameVelocity = 1e-11;

/// The law `newton` as the event engine applies it: to the contacts that do not separate, again while a wall is
/// approached.
Velocity newton_velocity(ImpactSolver& solver, CornerProblem problem) {
  constexpr double kStill = 1e-13;
  for (int repetition = 0; repetition < 100'000; ++repetition) {
    const WallSpeeds s = wall_speeds(std::tan(problem.alpha), problem.velocity);
    if (std::max(s.xi, s.eta) <= kStill) break;
    ImpactProblem impact = impact_problem(problem, 1.0, 0.5, 0.0);
    if (s.xi < -kStill) impact.contacts.pop_back();
    if (s.eta < -kStill) impact.contacts.erase(impact.contacts.begin());
    const ImpactOutcome outcome = solver.solve(impact, kNewtonLaw);
    problem.velocity = {outcome.velocity[0], outcome.velocity[1]};
  }
  return problem.velocity;
}

std::vector<ComparedRow> compared_rows() {
  std::vector<ComparedRow> rows;
  ImpactSolver solver;
  std::size_t n = 0;
  for (corner::TableRow& ours : corner::published_table()) {
    ComparedRow row;
    row.paper = paper_rows()[n++];
    row.same = corner::format_row(ours) == row.paper;
    const CornerProblem problem = disk_problem(pi / ours.alpha_denominator, ours.restitution, ours.velocity_before);
    row.prediction = corner::predict(problem);
    row.predicted = row.prediction.steps == ours.outcome.steps && row.prediction.stop == ours.outcome.stop;
    row.newton = newton_velocity(solver, problem);
    const ImpactOutcome coupled = solver.solve(impact_problem(problem, 1.0, 0.5, 0.0), kNewtonLaw);
    row.newton_gains = coupled.audit.flags.has(Flag::energy_created);
    row.newton_distance = distance(row.newton, ours.outcome.velocity);
    row.ours = std::move(ours);
    rows.push_back(std::move(row));
  }
  return rows;
}

/// How many rows have a property.
template <class Property>
int count(std::span<const ComparedRow> rows, Property property) {
  return static_cast<int>(std::count_if(rows.begin(), rows.end(), property));
}

Item block_item(std::span<const ComparedRow> block) {
  const corner::TableRow& first = block.front().ours;
  const int same = count(block, [](const ComparedRow& row) { return row.same; });
  const int predicted = count(block, [](const ComparedRow& row) { return row.predicted; });
  const int newton = count(block, [](const ComparedRow& row) { return row.newton_distance <= kSameVelocity; });
  double farthest = 0.0;
  std::string steps;
  for (const ComparedRow& row : block) {
    farthest = std::max(farthest, row.newton_distance);
    steps += fmt::format("{}{}", steps.empty() ? "" : ", ", row.ours.outcome.steps);
  }
  Item item;
  item.where = fmt::format("Rows {}.*, ε = {}, α = π/{}", first.id.substr(0, 3), format_number(first.restitution),
                           first.alpha_denominator);
  item.claim = "velocities, norm, zone, N and stop to every printed digit (rows that differ)";
  item.paper = "7 rows";
  item.ours = fmt::format("{} of 7", same);
  item.difference = 7 - same;
  item.verdict = same == 7 ? Verdict::reproduced : Verdict::differs;
  item.note = fmt::format("N = {}; {} of 7 predicted in closed form. `newton` has the same velocity in {} of 7", steps,
                          predicted, newton);
  item.note += newton == 7 ? "." : fmt::format(", else up to {:.3g} away.", farthest);
  return item;
}

/// A whole number of rows against another.
Item count_item(std::string where, std::string claim, int paper, int ours, std::string note) {
  Item item = number_item(std::move(where), std::move(claim), paper, ours, 0.0);
  item.note = std::move(note);
  return item;
}

const ComparedRow& row_of(std::span<const ComparedRow> rows, std::string_view id) {
  return *std::find_if(rows.begin(), rows.end(), [id](const ComparedRow& row) { return row.ours.id == id; });
}

std::vector<Item> whole_table(std::span<const ComparedRow> rows) {
  const int all = static_cast<int>(rows.size());
  const int newton = count(rows, [](const ComparedRow& row) { return row.newton_distance <= kSameVelocity; });
  const int multiple = count(rows, [](const ComparedRow& row) {
    return row.ours.outcome.zone == Zone::z12 && row.newton_distance > kSameVelocity;
  });
  const int gains = count(rows, [](const ComparedRow& row) { return row.newton_gains; });
  std::vector<Item> items{
      count_item("Section 6.3", "rows reproduced to every printed digit", all,
                 count(rows, [](const ComparedRow& row) { return row.same; }), ""),
      count_item("Section 6.3", "rows whose N and stop follow from the closed form, without iteration", all,
                 count(rows, [](const ComparedRow& row) { return row.predicted; }),
                 "Two impacts are linear, so that N is known from the roots of r² − cr + ε, c = (1+ε)cos 2α.")};
  const ComparedRow& row = row_of(rows, "1.2.3");
  Item example;
  example.where = "Row 1.2.3";
  example.claim = "final velocity, and that of the law `newton`";
  example.paper = "(-0.955, 0.295)";
  example.ours = fmt::format("({:.3f}, {:.3f})", row.ours.outcome.velocity.x, row.ours.outcome.velocity.y);
  example.verdict = example.paper == example.ours ? Verdict::reproduced : Verdict::differs;
  example.note = fmt::format(
      "The paper calls its rule a Newtonian impact with global dissipation index. The law usually called so, `newton` "
      "(all contacts coupled in one complementarity problem), gives ({:.3f}, {:.3f}) here. The two agree in {} of the "
      "{} rows; {} of the others begin with a multiple impact. Walls that the disk separates from are left out, as the "
      "event engine does; given both walls always, `newton` would create energy in {} rows, and its audit says so.",
      row.newton.x, row.newton.y, newton, all, multiple, gains);
  items.push_back(std::move(example));
  return items;
}

/// α and k as printed above each block.
Item printed_angles() {
  constexpr std::array kDenominators{4, 6, 8, 12, 16, 32, 64};
  constexpr std::array kAngles{0.78540, 0.52360, 0.39270, 0.26180, 0.19635, 0.09817, 0.04909};
  constexpr std::array kSlopes{1.0, 0.57735, 0.41421, 0.26795, 0.19891, 0.09849, 0.04913};
  double worst = 0.0;
  for (std::size_t i = 0; i < kAngles.size(); ++i) {
    const double alpha = pi / kDenominators[i];
    worst = std::max({worst, std::abs(alpha - kAngles[i]), std::abs(std::tan(alpha) - kSlopes[i])});
  }
  return statement_item("Section 6.3, headings", "α and k = tan α as printed, five decimals", worst, 5e-6,
                        "seven angles");
}

/// What section 6.3 says about the columns of its table.
std::vector<Item> kinds_of_velocities(std::span<const ComparedRow> rows) {
  double bisector = 0.0;
  double leaving = 0.0;
  double right = 0.0;
  std::set<int> multiple;
  for (const ComparedRow& row : rows) {
    const corner::TableRow& r = row.ours;
    const Velocity before = r.velocity_before;
    const Velocity reversed{-r.restitution * before.x, -r.restitution * before.y};
    if (r.velocity_index == 1) bisector = std::max(bisector, distance(r.outcome.velocity, reversed));
    if (r.velocity_index == 7) {
      leaving = std::max(leaving, distance(r.outcome.velocity, before) + static_cast<double>(r.outcome.steps));
    }
    if (r.alpha_denominator == 4 && r.velocity_index <= 5) {
      right = std::max(right, distance(r.outcome.velocity, reversed));
    }
    if (r.outcome.zone == Zone::z12) multiple.insert(r.velocity_index);
  }
  const bool found_three = multiple == std::set<int>{1, 2, 3};
  return {statement_item("Section 6.3, cases *.*.1", "along the bisector v_f = −εv₀", bisector, 1e-15, "49 rows"),
          statement_item("Section 6.3, cases *.*.7", "v₀ in Z0 is the output, without a step", leaving, 0.0,
                         "49 rows, bit by bit"),
          statement_item("Section 6.3, cases *.1.*", "a right corner turns v₀ into −εv₀ (first five velocities)", right,
                         1e-15, "35 rows"),
          misprint_item("Section 6.3", "the cases with a multiple impact (kinds of velocities left out)",
                        {"*.*.2 and *.*.3 are the only ones", "*.*.1, *.*.2 and *.*.3",
                         static_cast<double>(multiple.size()) - 2.0, found_three ? 0.0 : 1.0},
                        0.0, "The table itself puts the cases *.*.1, along the bisector, into Z12.")};
}

std::vector<Item> remark_ten(std::span<const ComparedRow> rows) {
  const auto first = std::find_if(rows.begin(), rows.end(),
                                  [](const ComparedRow& row) { return row.ours.outcome.stop == corner::Stop::rest; });
  Item rest;
  rest.where = "Remark 10";
  rest.claim = "the first case that stops at rest";
  rest.paper = "3.7.*";
  rest.ours = first == rows.end() ? "none" : first->ours.id.substr(0, 4) + "*";
  rest.verdict = rest.paper == rest.ours ? Verdict::reproduced : Verdict::differs;
  rest.note = first == rows.end() ? "" : "the row " + first->ours.id;
  int falls = 0;
  for (const std::string_view restitution : {"3", "4", "5", "6", "7"}) {
    for (const std::string_view velocity : {"2", "3", "4"}) {
      std::int64_t before = 0;
      for (int angle = 1; angle <= 7; ++angle) {
        const auto steps = row_of(rows, fmt::format("{}.{}.{}", restitution, angle, velocity)).ours.outcome.steps;
        falls += static_cast<int>(steps < before);
        before = steps;
      }
    }
  }
  return {std::move(rest),
          statement_item("Remark 10", "from ε = 0.75 on N rises as the angle falls (times it falls instead)", falls,
                         0.0, "v₀ of kinds 2, 3 and 4; seven angles each")};
}

std::vector<Item> rest_side_of_boundary(std::span<const ComparedRow> rows) {
  int at_rest = 0;
  int wrong = 0;
  for (const ComparedRow& row : rows) {
    if (row.paper.substr(row.paper.size() - 4) != "REST") continue;
    ++at_rest;
    wrong += static_cast<int>(corner::always_exits(pi / row.ours.alpha_denominator, row.ours.restitution));
  }
  return {
      statement_item("Section 6.3, column Stop",
                     "published rows at rest have sin 2α ≤ (1−ε)/(1+ε), where not every velocity leaves (exceptions)",
                     wrong, 0.0, fmt::format("{} rows at rest", at_rest))};
}

std::string rows_file(std::span<const ComparedRow> rows) {
  std::string text = corner::table_header() +
                     ",reproduced,predicted_steps,predicted_stop,newton_x,newton_y,newton_norm,newton_distance,"
                     "newton_gains_with_both_walls\r\n";
  for (const ComparedRow& row : rows) {
    text += fmt::format("{},{},{},{},{:.6g},{:.6g},{:.6g},{:.3g},{}\r\n", row.paper, row.same ? "yes" : "no",
                        row.prediction.steps, corner::stop_name(row.prediction.stop), row.newton.x, row.newton.y,
                        norm(row.newton), row.newton_distance, row.newton_gains ? "yes" : "no");
  }
  return text;
}

/// Rows i.*.* fill the axis from i to i + 1.
double published_place(std::size_t row) {
  return static_cast<double>(row) / 49.0 + 1.0;
}

Figure rows_figure(std::span<const ComparedRow> rows) {
  Curve published{"N, published and by NA", {}, {}, 0, 0, 3.0};
  Curve predicted{"N, closed form", {}, {}, 1, 1, 1.4};
  Curve away{"distance of `newton`", {}, {}, 2, 0, 1.4};
  for (std::size_t n = 0; n < rows.size(); ++n) {
    const double place = published_place(n);
    for (Curve* curve : {&published, &predicted, &away}) curve->x.push_back(place);
    published.y.push_back(static_cast<double>(rows[n].ours.outcome.steps));
    predicted.y.push_back(static_cast<double>(rows[n].prediction.steps));
    away.y.push_back(std::max(rows[n].newton_distance, 1e-16));
  }
  Figure figure;
  figure.name = "corner-published-rows";
  figure.caption =
      "The 343 rows in the paper's order (49 rows to each restitution: 1, 0.95, 0.75, 0.5, 0.25, 0.05, 0). Above, the "
      "steps N and their closed-form prediction, which lie on each other; rows without a step are not shown. Below, "
      "how far the final velocity of `newton` is from the paper's rule.";
  figure.picture.title = "The published rows";
  figure.picture.x_label = "row, 1.*.* to 7.*.*";
  figure.picture.x_range = {1.0, 8.0};
  Panel steps;
  steps.y_label = "steps N";
  steps.logarithmic = true;
  steps.curves = {std::move(published), std::move(predicted)};
  steps.lines.emplace_back();
  for (std::size_t n = 49; n < rows.size(); n += 49) steps.lines.back().x.push_back(published_place(n));
  Panel distance_panel;
  distance_panel.y_label = "‖v_newton − v‖";
  distance_panel.logarithmic = true;
  distance_panel.log_floor = 1e-17;
  distance_panel.legend = false;
  distance_panel.lines = steps.lines;
  distance_panel.curves = {std::move(away)};
  figure.picture.panels = {std::move(steps), std::move(distance_panel)};
  return figure;
}

}  // namespace

Section published_rows() {
  const std::vector<ComparedRow> rows = compared_rows();
  Section section;
  section.heading = "The 343 published rows";
  section.text =
      "Seven restitutions, seven angles and seven velocities through NA, compared with the printed rows as text: "
      "initial velocity, final velocity and norm, zone, N and the reason to stop. Beside each row, in the attached "
      "file, stand the closed-form prediction of N and the final velocity under `newton`, applied to the walls that "
      "the disk does not separate from.";
  section.items = whole_table(rows);
  append(section.items, remark_ten(rows));
  append(section.items, rest_side_of_boundary(rows));
  append(section.items, kinds_of_velocities(rows));
  section.items.push_back(printed_angles());
  for (std::size_t n = 0; n < rows.size(); n += 7) {
    section.items.push_back(block_item(std::span(rows).subspan(n, 7)));
  }
  section.figures = {rows_figure(rows)};
  section.attachments = {{"corner-rows.csv",
                          "The 343 rows: as published, whether reproduced, predicted N and stop, and the law newton.",
                          rows_file(rows)}};
  return section;
}

}  // namespace carom::reproduce::disk
