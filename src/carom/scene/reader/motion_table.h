#pragma once
/// Tables of driven motion in files of their own: CSV, one row per time.
///
/// The first row may name its columns, `time` and `position`, `angle` [rad] or `angle_deg`, in any order; without names
/// they are time, position and, where there are three, angle. Blank lines and lines that begin with # are skipped.

#include <vector>

#include "carom/scene/document/fields.h"

namespace carom::scene {

struct MotionTable {
  std::vector<double> time;      ///< ascending [s]
  std::vector<double> position;  ///< as many, or none [m]
  std::vector<double> angle;     ///< likewise [rad]
};

/// Reads the file that the entry names, beside the file that the entry stands in. Throws InputError that points into
/// the table: `file`, `syntax`, `not_finite`, `unknown_name`, `size_mismatch`, `out_of_range` where times do not
/// ascend, `limit` beyond kMostTableRows.
MotionTable read_motion_table(const Entry& file);

}  // namespace carom::scene
