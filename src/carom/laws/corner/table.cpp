#include "carom/laws/corner/table.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <ostream>

namespace carom::corner {
namespace {

constexpr std::array kRestitutions{1.0, 0.95, 0.75, 0.5, 0.25, 0.05, 0.0};
constexpr std::array kDenominators{4, 6, 8, 12, 16, 32, 64};

Velocity direction(int index, double k) {
  switch (index) {
    case 1: return {1.0, 0.0};
    case 2: return {1.0, k / 3.0};
    case 3: return {1.0, 2.0 * k / 3.0};
    case 4: return {1.0, k};
    case 5: return {1.0, 1.0 / k};
    case 6: return {0.0, 1.0};
    default: return {-1.0, k};
  }
}

std::string printed(const char* format, double value) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

}  // namespace

std::vector<TableRow> published_table() {
  std::vector<TableRow> rows;
  rows.reserve(kRestitutions.size() * kDenominators.size() * 7);
  for (std::size_t i = 0; i < kRestitutions.size(); ++i) {
    for (std::size_t j = 0; j < kDenominators.size(); ++j) {
      const double alpha = std::numbers::pi / kDenominators[j];
      for (int l = 1; l <= 7; ++l) {
        const Velocity raw = direction(l, std::tan(alpha));
        const double norm = std::hypot(raw.x, raw.y);
        TableRow row;
        row.id = std::to_string(i + 1) + "." + std::to_string(j + 1) + "." + std::to_string(l);
        row.restitution = kRestitutions[i];
        row.alpha_denominator = kDenominators[j];
        row.velocity_index = l;
        row.velocity_before = {raw.x / norm, raw.y / norm};
        CornerProblem problem;
        problem.alpha = alpha;
        problem.restitution = row.restitution;
        problem.velocity = row.velocity_before;
        row.outcome = solve(problem);
        rows.push_back(std::move(row));
      }
    }
  }
  return rows;
}

std::string table_header() {
  return "id,eps,alpha_den,v0_index,x0,y0,xf,yf,norm_f,zone0,steps,stop";
}

std::string format_row(const TableRow& row) {
  const CornerOutcome& out = row.outcome;
  std::string line = row.id + "," + printed("%g", row.restitution) + "," + std::to_string(row.alpha_denominator) + "," +
                     std::to_string(row.velocity_index);
  line += printed(",%.3f", row.velocity_before.x) + printed(",%.3f", row.velocity_before.y);
  line += printed(",%.2e", out.velocity.x) + printed(",%.2e", out.velocity.y) + ",";
  line += row.restitution == 1.0 ? "1" : printed("%.2e", out.norm);
  line += ',';
  line += zone_name(out.zone).substr(1);
  line += ',';
  line += std::to_string(out.steps);
  line += ',';
  line += stop_name(out.stop);
  return line;
}

void write_table(std::ostream& out) {
  out << table_header() << "\r\n";
  for (const TableRow& row : published_table()) out << format_row(row) << "\r\n";
}

}  // namespace carom::corner
