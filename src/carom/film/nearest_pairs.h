#pragma once
/// The pairs whose gaps a film shows: those that are nearest at the start.

#include <cstddef>
#include <vector>

#include "carom/mechanics/model.h"
#include "carom/mechanics/state.h"

namespace carom {

/// Two objects, numbered as in Model; a is a body.
struct ObjectPair {
  int a = kNone;
  int b = kNone;
};

/// The `most` pairs with the smallest signed distance among all that can meet and whose distance is known, in the order
/// of their numbers. Bodies are sorted along x and a pair is looked at only where its bounding balls are nearer than
/// the farthest pair found so far, so that ten thousand bodies take next to no time.
std::vector<ObjectPair> nearest_pairs(const Model& model, const State& state, std::size_t most);

/// Their signed distance in this state [m]; NaN where one of them is nowhere.
double gap(const Model& model, const State& state, const ObjectPair& pair);

}  // namespace carom
