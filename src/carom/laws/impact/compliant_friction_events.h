#pragma once
/// What ends a friction mode on the way through a step:
///   slip           s passes zero (one tangent), or comes so near to zero that what is left is round-off (two)
///   stick          |f| comes to μF: the contact starts to slip along −f; or redundant contacts to their common limit
///   spring         |f| comes to μF; at the limit: the slider would move backwards
/// All of these are roots of polynomials, which are positive while a mode lasts.

#include "carom/laws/impact/compliant_friction_modes.h"
#include "carom/laws/impact/compliant_polynomial.h"

namespace carom {

template <int W, int B>
class FrictionEvents : protected FrictionModes<W, B> {
 protected:
  using Base = FrictionModes<W, B>;
  using Base::at, Base::lane, Base::stride, Base::kOrder, Base::contacts_, Base::closed_, Base::opening_, Base::clock_;
  using Base::compression_, Base::rate_, Base::impulse_, Base::pace_, Base::stiffness_, Base::planes_, Base::slip_;
  using Base::kNoSlip, Base::kAcross, Base::kNearlyStill, Base::kDragging;
  using Base::pull_, Base::stretch_, Base::slider_, Base::grip_, Base::friction_of, Base::tangents_of, Base::has_spring;
  using Base::spring_of, Base::slip, Base::slip_speed, Base::springs_, Base::drags;

  explicit FrictionEvents(CompliantMemory& memory) : Base(memory), events_(memory.events) {}

  void look_for_friction_events(double h) {
    // The clock of an opening stands still at its end, where all forces over it vanish.
    const double before = opening_ >= 0 && !events_.empty() ? h * (1.0 - 1e-3) : h;
    for (int i = 0; i < closed_; ++i) {
      switch (contacts_[i].grip) {
        case Grip::none:
        case Grip::part: break;
        case Grip::stick:
          if (!std::isinf(friction_of(i)) && !(grip_.near_common_limit() && grip_.limit_weight(i) > 0.0))
            look_for_limit(i, before);
          break;
        case Grip::spring: look_for_limit(i, h); break;
        case Grip::slip:
          if (has_spring(i)) {
            look_for_slider(i, h);
          } else {
            look_for_reversal(i, h);
          }
          break;
        case Grip::slide: look_for_passage(i, h); break;
        case Grip::drag: look_for_slider(i, h); break;
      }
    }
    if (grip_.near_common_limit()) look_for_common_limit(before);
  }

  /// A step must not carry a spring at its limit far beyond the compression from which it has a direction of its own.
  [[nodiscard]] double longest_step(double h) const {
    for (int i = 0; i < closed_; ++i)
      if (contacts_[i].grip == Grip::slip && tangents_of(i) == 2 && has_spring(i) && !drags(i))
        h = std::min(h, 1.1 * kDragging / (std::abs(at(rate_, 0, i)) + kDragging));
    return h;
  }

 private:
  /// Forces beyond their limit by less than this are at it.
  static constexpr double kOverLimit = 1e-13;

  void note(int i, CompliantCause cause, double h) { events_.push_back({.contact = i, .cause = cause, .at = h}); }

  /// Where a polynomial that is positive while a mode lasts falls below zero, be it to rise again before the step ends.
  /// One that starts at zero is looked at a little later.
  void note_fall(int i, CompliantCause cause, const double* coefficients, double h, double slack) {
    const PolynomialView view{coefficients, 1, kOrder};
    double last = view.value(h);
    if (!(last < -slack)) {
      h = view.lowest(h);
      last = view.value(h);
      if (!(last < -slack)) return;
    }
    const bool begun = coefficients[0] > -1e-12 * last;
    const double low = begun ? 0.0 : 1e-3 * h;
    const double first = begun ? coefficients[0] : view.value(low);
    note(i, cause, first > 0.0 ? view.root(0.0, {low, h, first, last}) : 0.0);
  }

  /// Order k of the slip along the contact's fixed direction.
  [[nodiscard]] double along_direction(int i, int k) const {
    double sum = 0.0;
    for (int a = 0; a < planes_; ++a) sum += contacts_[i].direction[a] * at(slip_[a], k, i);
    return sum;
  }

  void look_for_reversal(int i, double h) {
    double along[kOrder + 1];
    for (int k = 0; k <= kOrder; ++k) along[k] = along_direction(i, k);
    note_fall(i, CompliantCause::slip, along, h, 0.1 * kNoSlip);
    if (tangents_of(i) < 2) return;
    // The step ends where slip across the fixed direction would matter.
    const double* d = contacts_[i].direction;
    for (const double side : {1.0, -1.0}) {
      for (int k = 0; k <= kOrder; ++k) along[k] = side * (d[1] * at(slip_[0], k, i) - d[0] * at(slip_[1], k, i));
      along[0] += kAcross;
      note_fall(i, CompliantCause::slack, along, h, 0.0);
    }
  }

  void look_for_slider(int i, double h) {
    double speed[kOrder + 1];
    const double ratio = friction_of(i) / springs_.spring[contacts_[i].index];
    for (int k = 0; k < kOrder; ++k)
      speed[k] = contacts_[i].grip == Grip::drag ? at(slider_, k, i)
                                                 : along_direction(i, k) + ratio * at(pace_, 0, i) * at(rate_, k, i);
    speed[kOrder] = 0.0;
    note_fall(i, CompliantCause::grip, speed, h, kNoSlip);
  }

  /// Slip in a plane that runs straight through zero; nothing in the series shows it.
  void look_for_passage(int i, double h) {
    const double speed = slip_speed(i);
    double along[kOrder + 1];
    for (int k = 0; k <= kOrder; ++k)
      along[k] = (slip(0, i) * at(slip_[0], k, i) + slip(1, i) * at(slip_[1], k, i)) / speed;
    const PolynomialView view{along, 1, kOrder};
    const double last = view.value(h);
    if (!(last < 0.0)) return;
    const double at_zero = view.root(0.0, {0.0, h, along[0], last});
    const PolynomialView first{lane(slip_[0], i), stride(), kOrder}, second{lane(slip_[1], i), stride(), kOrder};
    if (std::hypot(first.value(at_zero), second.value(at_zero)) < kNearlyStill) note(i, CompliantCause::slip, at_zero);
  }

  /// μF − |f| falls below zero; forces as derivatives of impulses, freed of the powers of s that a start has in common.
  void look_for_limit(int i, double h) {
    double limit[kOrder + 1] = {}, pulls[2][kOrder + 1] = {};
    const bool spring = contacts_[i].grip == Grip::spring;
    const int common = spring ? 0 : contacts_[i].just_closed ? 4 : clock_[0] == 0.0 ? 1 : 0;
    const int last = spring ? kOrder - 1 : kOrder - 1 - common;
    for (int k = 0; k <= last; ++k) {
      const int order = k + common + 1;
      if (spring) {
        limit[k] = friction_of(i) * at(stiffness_, 0, i) * at(compression_, k, i);
        for (int a = 0; a < planes_; ++a) pulls[a][k] = spring_of(i) * at(stretch_[a], k, i);
        continue;
      }
      limit[k] = friction_of(i) * order * at(impulse_, order, i);
      for (int a = 0; a < tangents_of(i); ++a) pulls[a][k] = order * grip_.pull(a, i, Base::source(order));
    }
    double margin[kOrder + 1];
    if (tangents_of(i) == 1) {
      for (const double side : {1.0, -1.0}) {
        for (int k = 0; k <= kOrder; ++k) margin[k] = limit[k] + side * pulls[0][k];
        note_fall(i, CompliantCause::limit, margin, h, kOverLimit);
      }
      return;
    }
    {
      for (int k = 0; k <= kOrder; ++k) {
        margin[k] = 0.0;
        for (int j = 0; j <= k; ++j)
          margin[k] += limit[j] * limit[k - j] - pulls[0][j] * pulls[0][k - j] - pulls[1][j] * pulls[1][k - j];
      }
    }
    note_fall(i, CompliantCause::limit, margin, h, kOverLimit * limit[0]);
  }

  void look_for_common_limit(double h) {
    double margin[kOrder + 1] = {};
    int place = -1;
    for (int i = 0; i < closed_; ++i) {
      if (contacts_[i].grip != Grip::stick || grip_.limit_weight(i) == 0.0) continue;
      place = i;
      for (int k = 0; k < kOrder; ++k) {
        double sum = friction_of(i) * at(impulse_, k + 1, i);
        for (int a = 0; a < tangents_of(i); ++a)
          sum += grip_.limit_direction(a, i) * grip_.pull(a, i, Base::source(k + 1));
        margin[k] += grip_.limit_weight(i) * (k + 1) * sum;
      }
    }
    if (place >= 0) note_fall(place, CompliantCause::common_limit, margin, h, kOverLimit);
  }

  std::vector<CompliantEvent>& events_;
};

}  // namespace carom
