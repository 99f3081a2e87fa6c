/// The parts of record_reader.h that deal with what contacts do.

#include <algorithm>

#include "carom/base/utf8.h"
#include "carom/record/record_reader.h"
#include "carom/record/row_reader.h"

namespace carom {
namespace {

SlipMode slip_mode_of(const std::string& name, const std::string& path) {
  for (int i = 0; i <= static_cast<int>(kLastSlipMode); ++i)
    if (slip_mode_name(static_cast<SlipMode>(i)) == name) return static_cast<SlipMode>(i);
  refuse_record(path, "it holds the unknown word '" + printable(name) + "'", Kind::unsupported);
}

}  // namespace

/// By halves: rows are in the order of their samples.
std::size_t RecordReader::first_contact_load(std::size_t sample) const {
  std::size_t low = 0, high = row_counts().back();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    std::int64_t of = 0;
    file_.read_rows(forces_[0], middle, std::span(&of, 1));
    if (of < static_cast<std::int64_t>(sample)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

ContactLoadBlock RecordReader::contact_loads(std::size_t first, std::size_t count) const {
  ContactLoadBlock block;
  if (!has_contact_loads()) {
    block.begin.assign(count + 1, 0);
    return block;
  }
  const std::size_t begin = first_contact_load(first), end = first_contact_load(first + count);
  if (end < begin) refuse_record(file_.path(), "its contact forces are not in the order of the samples");
  RowReader rows(file_, forces_, begin, end - begin);
  const auto sample = rows.integers();
  const auto a = rows.integers();
  const auto b = rows.integers();
  const auto point = rows.vectors();
  const auto normal = rows.vectors();
  const auto force = rows.reals();
  const auto friction = rows.vectors();
  const auto couple = rows.vectors();
  const auto mode = rows.texts();
  const auto objects = static_cast<std::int64_t>(info_.objects.size());
  block.loads.reserve(sample.size());
  for (std::size_t i = 0; i < sample.size(); ++i) {
    if (a[i] < 0 || a[i] >= objects || b[i] < 0 || b[i] >= objects)
      refuse_record(file_.path(), "a contact force names an object that there is not");
    if (sample[i] < static_cast<std::int64_t>(first + std::max<std::size_t>(block.begin.size(), 1) - 1) ||
        sample[i] >= static_cast<std::int64_t>(first + count))
      refuse_record(file_.path(), "its contact forces are not in the order of the samples");
    block.begin.resize(static_cast<std::size_t>(sample[i]) - first + 1, i);
    block.loads.push_back({static_cast<int>(a[i]), static_cast<int>(b[i]), point[i], normal[i], force[i], friction[i],
                           couple[i], slip_mode_of(mode[i], file_.path())});
  }
  block.begin.resize(count + 1, sample.size());
  return block;
}

}  // namespace carom
