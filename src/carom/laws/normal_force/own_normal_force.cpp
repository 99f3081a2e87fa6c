/// What a normal force that a program brings is asked for besides its value.

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/laws/normal_force/normal_force.h"

namespace carom {

NormalValue NormalForce::evaluate_own(double depth, double rate) const {
  const double elastic = std::max(share() * own->force(depth, 0.0, own_contact), 0.0);
  const double sum = rate == 0.0 ? elastic : share() * own->force(depth, rate, own_contact);
  return sum < 0.0 ? NormalValue{0.0, elastic, true} : NormalValue{sum, elastic, false};
}

/// By Gauss's formula in s with depth = δs², in which powers of the depth by halves are polynomials.
double NormalForce::stored_by_own(double depth) const {
  if (!(depth > 0.0)) return 0.0;
  constexpr std::array<double, 4> kNodes{0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                         0.9602898564975363};
  constexpr std::array<double, 4> kWeights{0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                           0.1012285362903763};
  double sum = 0.0;
  for (std::size_t i = 0; i < kNodes.size(); ++i) {
    for (const double sign : {-1.0, 1.0}) {
      const double s = 0.5 * (1.0 + sign * kNodes[i]);
      sum += 0.5 * kWeights[i] * evaluate_own(depth * s * s, 0.0).elastic * 2.0 * depth * s;
    }
  }
  return sum;
}

double NormalForce::static_depth_of_own(double load, double about) const {
  double low = 0.0, high = about;
  for (int i = 0; i < 60 && evaluate_own(high, 0.0).elastic < load; ++i) high *= 2.0;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (evaluate_own(middle, 0.0).elastic < load ? low : high) = middle;
  }
  return high;
}

double NormalForce::damping_of_own(double depth, double rate) const {
  const double part = 1e-6 * std::max(std::abs(rate), own_contact.approach_speed) + 1e-12;
  return std::max((evaluate_own(depth, rate + part).force - evaluate_own(depth, rate).force) / part, 0.0);
}

}  // namespace carom
