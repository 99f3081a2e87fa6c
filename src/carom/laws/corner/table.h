#pragma once
/// The 343 cases of the paper's tables (Fassino, Pasquero 2019, section 6.3): seven restitutions, seven angles, seven
/// initial velocities, computed with algorithm NA and printed as published. Every printed digit is the paper's.

#include <iosfwd>
#include <string>
#include <vector>

#include "carom/laws/corner/disk_in_corner.h"

namespace carom::corner {

/// One published case i.j.l.
struct TableRow {
  std::string id;             ///< "i.j.l", each from 1 to 7: restitution, angle, initial velocity
  double restitution = 0.0;   ///< 1, .95, .75, .5, .25, .05, 0
  int alpha_denominator = 0;  ///< α = π / 4, 6, 8, 12, 16, 32, 64
  int velocity_index = 0;  ///< l: v̂₀ = (1,0), (1,k/3), (1,2k/3), (1,k), (1,1/k), (0,1), (−1,k), then normalised
  Velocity velocity_before;
  CornerOutcome outcome;
};

/// All rows in the paper's order.
std::vector<TableRow> published_table();

/// The row as a line of the table file, without the end of line: velocities before the impact with three decimals,
/// after it with three digits, the norm as `1` where ε = 1.
std::string format_row(const TableRow& row);

/// The column names of the table file.
std::string table_header();

/// Header and rows as comma-separated values; lines end with CR LF, as RFC 4180 has it.
void write_table(std::ostream& out);

}  // namespace carom::corner
