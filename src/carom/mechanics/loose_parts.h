#pragma once
/// Which bodies and obstacles are made of parts that do not all hang together. That is allowed (a rod between two balls
/// may be left out) and worth a word, as it may be a mistake.

#include <vector>

#include "carom/mechanics/model.h"

namespace carom {

struct LooseParts {
  ObjectIndex object;
  /// Parts of the same number hang together, directly or through others; numbers from 0 in the order of the parts.
  std::vector<int> piece;
  int pieces = 0;  ///< two or more
};

/// Parts touch where they are apart by no more than 1e-9 of the size of the whole.
std::vector<LooseParts> loose_parts(const Model& model);

/// "body 'dumbbell' has 2 parts in 2 pieces that do not touch each other".
std::string loose_parts_text(const Model& model, const LooseParts& loose);

}  // namespace carom
