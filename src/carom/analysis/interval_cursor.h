#pragma once
/// Goes along a record: the interval between two samples that holds a time. Fast where times grow.

#include <optional>
#include <vector>

#include "carom/analysis/sample_interval.h"

namespace carom {

class IntervalCursor {
 public:
  /// The record and the model live longer. The model is needed for energies and for blows of compliant contacts.
  IntervalCursor(RecordReader& record, const Model* model);
  IntervalCursor(const IntervalCursor&) = delete;
  IntervalCursor& operator=(const IntervalCursor&) = delete;

  /// Whether samples lie on both sides of the time, or on it.
  [[nodiscard]] bool covers(double time) const;
  /// For a time that samples cover. At a sample: before it the interval that ends there, after it the one that begins.
  const SampleInterval& at(double time, Side side);
  [[nodiscard]] const Model* model() const { return model_; }

 private:
  void open(std::size_t index);
  [[nodiscard]] std::vector<Instant> take(std::size_t index);

  RecordReader& record_;
  const Model* model_;
  std::vector<double> times_;
  std::optional<InstantReader> instants_;
  BlowReader blows_;
  std::optional<SampleBlock> block_;
  std::size_t block_first_ = 0, block_end_ = 0;  ///< samples of the block
  std::optional<SampleInterval> interval_;
  std::size_t index_ = 0;  ///< of the interval
};

}  // namespace carom
