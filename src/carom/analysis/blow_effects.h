#pragma once
/// What a blow does to the velocities of its bodies: Δv = P/m and Δω = J⁻¹(r × P), at a rod and in a plane as far as
/// these let it.

#include <span>
#include <vector>

#include "carom/analysis/body_way.h"
#include "carom/mechanics/model.h"

namespace carom {

class BlowEffects {
 public:
  /// The model lives longer.
  explicit BlowEffects(const Model& model) : model_(model) {}

  /// Whether its effects are known: none of its bodies is in a joint or rolls by constraint.
  [[nodiscard]] bool knows(const ContactBlow& blow) const;
  /// On one body; where it is at the end of each blow tells its way, without which it does not turn. The blows live
  /// longer.
  [[nodiscard]] std::vector<BlowOnBody> on(int body, std::span<const ContactBlow> blows, const BodyWay* way) const;

 private:
  [[nodiscard]] bool is_free(ObjectIndex object) const;

  const Model& model_;
};

}  // namespace carom
