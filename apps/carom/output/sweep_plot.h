#pragma once
/// Pictures of sweeps: what suits a table is chosen by what was varied.
///
///   one path, or one and some words     curves, one for each combination of the others
///   two paths on a grid                 heat maps; words are classes
///   several rows for each point         bifurcation diagram: how many rows fall into each cell of the picture
///   else                                scatter matrix of the columns, each pair as such a picture

#include <optional>
#include <string>
#include <vector>

#include "carom/analysis/map.h"
#include "carom/analysis/picture.h"
#include "output/sweep_columns.h"

namespace carom::app {

enum class SweepPictureKind { curves, heat_maps, density, scatter_matrix };

struct SweepPictureRequest {
  std::vector<std::string> measures;   ///< columns to draw; empty: all measures that are numbers, up to some
  std::optional<std::string> against;  ///< the column on the x axis
  std::string title;
  bool logarithmic = false;
};

/// Curves, or else maps side by side.
struct SweepPicture {
  SweepPictureKind kind = SweepPictureKind::curves;
  Picture curves{};
  std::vector<Map> maps{};
  std::size_t columns = 0;  ///< of maps beside each other; 0: chosen
};

/// Throws InputError: a column that does not exist, or nothing to draw.
SweepPicture sweep_picture(const SweepColumns& table, const SweepPictureRequest& request);

/// `curves`, `heat maps`, `density`, `scatter matrix`.
std::string_view picture_kind_name(SweepPictureKind kind);

}  // namespace carom::app
