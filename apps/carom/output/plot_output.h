#pragma once
/// Quantities of one or several records as a picture; as numbers: plot_numbers.h.

#include <string>
#include <vector>

#include "carom/analysis/picture.h"
#include "carom/analysis/quantity_reader.h"

namespace carom::app {

/// One quantity of one record.
struct PlottedSeries {
  std::size_t record = 0;  ///< index
  Quantity quantity;
  Series series;  ///< at the samples and the jumps
  Series drawn;   ///< with points between them where it bends (analysis/refinement.h)
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

}  // namespace carom::app
