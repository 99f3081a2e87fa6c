#pragma once
/// What is inside a record, in about ten lines or as one JSON object.

#include <optional>
#include <string>

#include "carom/base/json.h"
#include "carom/record/record_reader.h"

namespace carom::app {

// The JSON library's values are moved without exceptions, which the check cannot see.
// NOLINTNEXTLINE(bugprone-exception-escape)
struct RecordDescription {
  std::string file;  ///< as the user named it
  std::size_t bytes = 0;
  RecordInfo info;
  std::string title;                        ///< of the scene
  Json options;                             ///< of the run
  std::optional<std::string> not_repeated;  ///< why this version cannot run it again
  std::size_t samples = 0, contacts = 0, jumps = 0;
  double first_time = 0.0, last_time = 0.0;  ///< of the samples [s]
  std::optional<double> last_event;          ///< its time [s]
  std::optional<EnergyBook> energy;          ///< at the last sample
  std::optional<double> balance_error;       ///< relative, as the summary of the run has it
  EventCounts events;
};

/// Reads all events once. Throws InputError (file) where the record is damaged.
RecordDescription describe(const RecordReader& record);

Json description_json(const RecordDescription& description);
std::string description_text(const RecordDescription& description);

}  // namespace carom::app
