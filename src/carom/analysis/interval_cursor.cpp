#include "carom/analysis/interval_cursor.h"

#include <algorithm>

#include "carom/base/assert.h"

namespace carom {

IntervalCursor::IntervalCursor(RecordReader& record, const Model* model)
    : record_(record), model_(model), times_(record.series("/time", 0, record.sample_count())), blows_(record) {}

bool IntervalCursor::covers(double time) const {
  return times_.size() >= 2 && times_.front() <= time && time <= times_.back();
}

const SampleInterval& IntervalCursor::at(double time, Side side) {
  CAROM_ASSERT(covers(time));
  const auto behind = std::upper_bound(times_.begin(), times_.end() - 1, time);
  auto index = static_cast<std::size_t>(std::max<std::ptrdiff_t>(behind - times_.begin() - 1, 0));
  if (side == Side::before && index > 0 && times_[index] == time) --index;
  if (!interval_ || index_ != index) open(index);
  return *interval_;
}

std::vector<Instant> IntervalCursor::take(std::size_t index) {
  return take_instants(*instants_, *block_, index - block_first_, index + 2 == times_.size());
}

void IntervalCursor::open(std::size_t index) {
  const bool follows = interval_ && index == index_ + 1;
  const bool is_ahead = interval_ && index > index_;
  interval_.reset();
  // The interval before says to whom instants at the very time of a sample belong.
  const std::size_t first = index > 0 && !follows ? index - 1 : index;
  if (!block_ || first < block_first_ || index + 2 > block_end_) {
    block_first_ = first;
    block_end_ = std::min(first + SampleBlock::usual_size(record_.info().bodies) + 2, times_.size());
    block_.emplace(record_, block_first_, block_end_);
  }
  if (!is_ahead) instants_.emplace(record_, times_[first]);
  if (first != index) {
    while (instants_->next() != nullptr && instants_->next()->time < times_[first]) instants_->advance();
    (void)take(first);
  }
  std::vector<ContactBlow> blows;
  if (model_ != nullptr) blows = blows_.between(times_[index], times_[index + 1]);
  interval_.emplace(*block_, index - block_first_, take(index), model_, std::move(blows));
  index_ = index;
}

}  // namespace carom
