#pragma once
/// Quantities of one or several records as a picture, as numbers, and as a table of their values.

#include <optional>
#include <string>
#include <vector>

#include "carom/analysis/picture.h"
#include "carom/analysis/quantity_reader.h"
#include "carom/base/json.h"

namespace carom::app {

/// One quantity of one record.
struct PlottedSeries {
  std::size_t record = 0;  ///< index
  Quantity quantity;
  Series series;
};

/// What `carom plot` has read.
struct PlotData {
  std::vector<std::string> records;          ///< what distinguishes them; one where there is nothing to compare
  std::vector<PlottedSeries> series;         ///< record by record, the quantities of each in the same order
  std::vector<PlottedSeries> against;        ///< per record, where the other axis is not the time
  std::vector<std::vector<double>> impacts;  ///< times to mark, of each record; empty: none are
  std::string title;
  bool logarithmic = false;
};

/// What distinguishes records: of the same scene engine, law, settings; of others the values in which they differ,
/// where these are few; the names of the files where that is nothing.
std::vector<std::string> distinctions(const std::vector<const RecordInfo*>& records,
                                      const std::vector<std::string>& files);

/// Quantities of one unit share a panel; where records are compared and there are few quantities, each has its own.
/// Long series are thinned (analysis/thinning.h). A potential energy whose zero lies far off is drawn from its least
/// value on; the legend says so.
Picture plot_picture(const PlotData& data);

/// {"file", "quantities": [{"name", "unit", "minimum", "maximum", "first", "last"}], "points"}; where records are
/// compared each quantity has a "record".
Json plot_json(const PlotData& data, const std::optional<std::string>& file);
std::string plot_text(const PlotData& data, const std::optional<std::string>& file);

/// A row per value: [record,] quantity, unit, time, value. Nothing is thinned.
std::string plot_csv(const PlotData& data);

}  // namespace carom::app
