#pragma once
/// Checks in a row, of which the first failure is thrown, or all are collected.

#include <vector>

#include "carom/base/error.h"

namespace carom {

/// Collects up to `most` complaints; null: the first one is thrown.
class CheckList {
 public:
  explicit CheckList(std::vector<InputError>* complaints, std::size_t most = 100)
      : complaints_(complaints), most_(most) {}

  /// Does some work that throws InputError where something is wrong.
  template <class Work>
  void attempt(const Work& work) const {
    if (complaints_ == nullptr) {
      work();
      return;
    }
    if (complaints_->size() >= most_) return;
    try {
      work();
    } catch (const InputError& error) {
      complaints_->push_back(error);
    }
  }

 private:
  std::vector<InputError>* complaints_;
  std::size_t most_;
};

}  // namespace carom
