#include "carom/export/export_folder.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "carom/base/error.h"
#include "carom/base/utf8.h"

namespace carom {

void make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error && !std::filesystem::is_directory(folder)) error = std::make_error_code(std::errc::not_a_directory);
  if (!error) return;
  Place place;
  place.file = folder;
  throw InputError(Kind::file, place,
                   fmt::format("cannot make the folder '{}': {}", printable(folder, 200), error.message()));
}

std::vector<std::size_t> chosen_samples(const RecordReader& record, const SampleChoice& choice) {
  if (choice.every == 0) throw InputError(Kind::out_of_range, "every", "every is 0, expected a whole number from 1");
  const std::vector<double> time = record.series("/time", 0, record.sample_count());
  std::vector<std::size_t> chosen;
  std::size_t inside = 0;
  for (std::size_t i = 0; i < time.size(); ++i) {
    if (choice.span.holds(time[i]) && inside++ % choice.every == 0) chosen.push_back(i);
  }
  if (!chosen.empty()) return chosen;
  if (time.empty()) throw InputError(Kind::out_of_range, "samples", "the record has no samples");
  throw InputError(Kind::out_of_range, "span",
                   fmt::format("the record has no samples from {} s to {} s; it reaches from {} s to {} s",
                               choice.span.from, choice.span.to, time.front(), time.back()));
}

}  // namespace carom
