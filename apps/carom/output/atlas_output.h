#pragma once
/// An atlas as a table for people, as JSON, and as comma-separated values.

#include <string>

#include "carom/analysis/atlas/atlas.h"
#include "carom/base/json.h"

namespace carom::app {

/// Least and greatest value of each map, or the share of each class.
std::string atlas_text(const atlas::Family& family, const atlas::Atlas& atlas);

Json atlas_json(const atlas::Family& family, const atlas::Atlas& atlas);

/// A row for each cell: the two parameters of its centre (angles in degrees), then the value of each map; `nan` where
/// there is none, the name of the class where there are classes. Numbers read back to the same double.
std::string atlas_csv(const atlas::Family& family, const atlas::Atlas& atlas);

}  // namespace carom::app
