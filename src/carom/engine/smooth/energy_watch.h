#pragma once
/// Keeps the book of energy closed. The errors of steps are small but of one sign: a thousand elastic bounces at rtol =
/// 1e-6 gain 1e-4 of the energy. So the book is looked at now and then, and where it has come open by some rtol the
/// steps from there on are made with a part of their tolerance.

#include "carom/base/archive.h"
#include "carom/mechanics/model.h"
#include "carom/record/observer.h"

namespace carom::smooth {

class EnergyWatch {
 public:
  explicit EnergyWatch(const Model& model);

  /// Part of the tolerance to give to each step from now on; never more than before.
  double share(const EnergyBook& book, double rtol);

  /// What a run goes on from, into an archive or back (smooth_checkpoint.cpp).
  void transfer(Archive& archive);

 private:
  double scale_;                ///< the largest energy so far, at least that of a fall through a body's size [J]
  double first_gravity_ = 0.0;  ///< potential when it was looked at first [J]
  bool looked_ = false;
  double share_ = 1.0;
};

}  // namespace carom::smooth
