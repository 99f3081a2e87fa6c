#pragma once
/// Whether nothing moves any more: looked at now and then.

#include "carom/engine/smooth/contact_laws.h"
#include "carom/engine/smooth/motions.h"

namespace carom::smooth {

class RestWatch {
 public:
  explicit RestWatch(const Environment& environment, const ContactLaws& laws);

  /// Whether every body in play is slow at that time, and has been for long enough. False without a look where the last
  /// one was a moment ago.
  bool rests_at(const Motions& motions, double time);

  /// What a run goes on from, into an archive or back (smooth_checkpoint.cpp).
  void transfer(Archive& archive);

 private:
  double speed_;         ///< below which a body is slow [m/s]
  double since_ = -1.0;  ///< everything has been slow; negative: something was not at the last look
  double next_look_ = 0.0;
};

}  // namespace carom::smooth
