#pragma once
/// Friction modes of a cluster during its integration: when they change, and what is kept of them.
///
/// At every change of phase or mode the modes of all contacts are settled anew (compliant_grip.h). Between, these end a
/// mode:
///   slip           s passes zero (one tangent), or comes so near to zero that what is left is round-off (two)
///   stick          |f| comes to μF: the contact starts to slip along −f
///   spring         |f| comes to μF; at the limit: the slider would move backwards
/// A contact with two tangents that lets go starts along a fixed direction, since s grows as t² and has none at first.
/// Contacts that do not slip (μ = ∞) have their slip taken away the moment they close, with the push on other rows that
/// this costs; one that this would drive apart is let go on the way, when its rate has come to −eγ⁻.

#include <limits>

#include "carom/laws/impact/compliant_friction_series.h"
#include "carom/laws/impact/compliant_polynomial.h"

namespace carom {

template <int W, int B>
class FrictionContacts : protected FrictionSeries<W, B> {
 protected:
  using Base = FrictionSeries<W, B>;
  using Lanes = typename Base::Lanes;
  using Base::at, Base::blocks, Base::lane, Base::stride, Base::kOrder, Base::evaluate, Base::contacts_, Base::count_;
  using Base::closed_, Base::opening_, Base::starting_, Base::clock_, Base::compression_, Base::rate_, Base::impulse_;
  using Base::grip_, Base::friction_of, Base::tangents_of, Base::has_spring, Base::spring_of, Base::slip;
  using Base::pace_, Base::stiffness_, Base::linear_, Base::hertzian_, Base::touching_, Base::spring_force;
  using Base::restitution_squared_, Base::planes_, Base::slip_, Base::slip_end_, Base::pull_, Base::work_, Base::stretch_,
      Base::slider_;
  using Base::slip_speed, Base::free_, Base::springs_, Base::answer_, Base::friction_force, Base::exponent_;

  /// Slip below this is none: where a contact closes, and where it sticks.
  static constexpr double kNoSlip = 1e-12;
  /// A sliding contact with less slip sticks if it can: the error of taking that slip away now is its square.
  static constexpr double kNearlyStill = 1e-8;
  /// Slip with which a contact starts to slide in a plane: it has a direction, and is round-off.
  static constexpr double kFirstSlip = 1e-13;
  /// A contact that has let go has a direction of its own from this slip on, or from this much slip across.
  static constexpr double kParted = 1e-3;
  static constexpr double kAcross = 1e-10;
  /// A spring at its limit has a direction of its own from this compression on.
  static constexpr double kDragging = 1e-5;
  /// Forces beyond their limit by less than this are at it.
  static constexpr double kOverLimit = 1e-13;

  explicit FrictionContacts(CompliantMemory& memory)
      : Base(memory), events_(memory.events), stretches_(memory.stretches), state_(memory.friction_state) {}

  void set_up(const CompliantSprings& springs) {
    Base::set_up(springs);
    double* next = dense::ensure(state_, 16, count_);
    const auto take = [&](int planes) {
      double* numbers = next;
      next += planes * count_;
      return numbers;
    };
    total_ = take(2);
    works_ = take(1);
    forces_ = take(1);
    friction_ = take(2);
    velocity_ = take(3);
    trial_ = take(3);
    trial_impulse_ = take(2);
    std::fill_n(state_.begin(), 16 * static_cast<std::size_t>(count_), 0.0);
    stretches_.clear();
    not_unique_ = false;
  }

  /// Contact i has closed.
  void begin_grip(int i) {
    CompliantContact& contact = contacts_[i];
    contact.still = false;
    contact.begins = true;
    contact.grip = Grip::none;
    if (tangents_of(i) == 0) return;
    for (int a = 0; a < planes_; ++a) at(stretch_[a], 0, i) = 0.0;
    const double speed = slip_speed(i);
    const bool moves = speed > kNoSlip && !std::isinf(friction_of(i));
    if (moves) set_direction(i, 1.0);
    if (has_spring(i)) {
      const double ratio = springs_.spring[contact.index];
      const bool holds = ratio * speed < friction_of(i) * -at(rate_, 0, i);
      contact.grip = holds ? Grip::spring : limit_grip(i);
    } else if (moves) {
      contact.grip = tangents_of(i) == 2 ? Grip::slide : Grip::slip;
    } else {
      contact.still = true;
      contact.grip = Grip::stick;
    }
  }

  void end_grip(int i) {
    contacts_[i].grip = Grip::none;
    contacts_[i].still = false;
    finish_stretch(i);
  }

  /// Contacts that do not slip, touch and slip although nothing approaches there: they take part where that drives them
  /// in.
  template <class Close>
  void begin_rough(const Close& close) {
    for (int i = 0; i < count_; ++i)
      if (contacts_[i].phase == ContactPhase::open && std::isinf(friction_of(i)) && tangents_of(i) > 0 &&
          slip_speed(i) > kNoSlip && std::abs(at(rate_, 0, i)) <= springs_.threshold && at(compression_, 0, i) >= 0.0)
        close(i);
  }

  /// Takes the slip of closed contacts away that do not slip. Returns a contact that opened on the way, or −1 in the
  /// end.
  int catch_slip() {
    bool slips = false;
    for (int i = 0; i < closed_; ++i) slips = slips || (is_rough(i) && slip_speed(i) > kNoSlip);
    if (!slips) return -1;
    for (int i = 0; i < closed_; ++i)  // only these can push without limit
      if (!is_rough(i) && contacts_[i].grip == Grip::stick) contacts_[i].grip = Grip::none;
    pack(velocity_);
    std::copy_n(velocity_, 3 * count_, trial_);
    std::fill_n(trial_impulse_, 2 * count_, 0.0);
    grip_.remove_slip(contacts_, closed_, trial_, trial_impulse_);
    int opened = -1;
    double part = 1.0;
    for (int i = 0; i < closed_; ++i) {
      if (!is_rough(i) || slip_speed(i) <= kNoSlip) continue;
      const double before = velocity_[i], after = trial_[i];
      const bool approached = before < -springs_.threshold;
      if (approached ? after <= 0.0 : after < -springs_.threshold) continue;
      const double wanted = std::min(-std::sqrt(at(restitution_squared_, 0, i)) * std::min(before, 0.0), after);
      const double own_part = approached ? (wanted - before) / (after - before) : 0.0;
      if (opened >= 0 && own_part >= part) continue;
      opened = i;
      part = own_part;
    }
    for (int r = 0; r < 3 * count_; ++r) velocity_[r] += part * (trial_[r] - velocity_[r]);
    for (int r = 0; r < 2 * count_; ++r) {
      total_[r] += part * trial_impulse_[r];
      // The slip fell evenly from its first value, so the work is half of that times the impulse.
    }
    for (int i = 0; i < closed_; ++i)
      for (int a = 0; a < planes_; ++a)
        works_[contacts_[i].index] += part * trial_impulse_[a * count_ + contacts_[i].index] * 0.5 *
                                     (slip(a, i) + velocity_[(a + 1) * count_ + i]);
    unpack(velocity_);
    for (int i = 0; i < closed_; ++i)
      if (!is_rough(i) && contacts_[i].still) contacts_[i].still = slip_speed(i) <= kNearlyStill;
    for (int i = 0; i < closed_; ++i) {  // the slip of the others has changed at once
      CompliantContact& contact = contacts_[i];
      const bool loose = contact.grip == Grip::slip || contact.grip == Grip::part || contact.grip == Grip::none;
      if (is_rough(i) || tangents_of(i) == 0 || contact.still || !loose) continue;
      if (slip_speed(i) > kNoSlip) set_direction(i, 1.0);
      contact.still = slip_speed(i) <= kNoSlip && !has_spring(i);
      if (!has_spring(i)) contact.grip = tangents_of(i) == 2 ? Grip::slide : Grip::slip;
    }
    return opened;
  }

  /// Modes of all contacts for the forces as they are.
  void settle_modes() {
    for (int i = 0; i < closed_; ++i) {
      forces_[i] = settling_force(i);
      for (int a = 0; a < 2; ++a) friction_[a * count_ + i] = friction_force(a, i, forces_[i]);
    }
    for (int i = 0; i < closed_; ++i)  // whether it only looked as if it might stick
      trial_[i] = contacts_[i].grip == Grip::slide && slip_speed(i) >= kFirstSlip ? 1.0 : 0.0;
    grip_.decide(contacts_, closed_, forces_, friction_);
    for (int i = 0; i < closed_; ++i) {
      if ((contacts_[i].grip == Grip::slip || contacts_[i].grip == Grip::part) && contacts_[i].begins && slip_speed(i) <= kNearlyStill && !has_spring(i))
        for (int a = 0; a < planes_; ++a) at(slip_[a], 0, i) = 0.0;
      if (contacts_[i].grip != Grip::slide) continue;
      if (trial_[i] != 0.0) contacts_[i].begins = contacts_[i].stretch < 0;
      if (slip_speed(i) < kFirstSlip)
        for (int a = 0; a < planes_; ++a) at(slip_[a], 0, i) = kFirstSlip * contacts_[i].direction[a];
    }
    pack(velocity_);
    grip_.remove_slip(contacts_, closed_, velocity_, total_);
    unpack(velocity_);
    grip_.respond(contacts_, closed_, forces_, friction_);
    not_unique_ = not_unique_ || grip_.redundant();
    Base::take_modes();
    for (int i = 0; i < closed_; ++i) note_mode(i);
  }

  /// Whether contacts at rest hold each other: nothing moves and nothing will.
  [[nodiscard]] bool is_wedged() const {
    constexpr double kRest = 1e-12, kBalanced = 1e-11;
    for (int i = 0; i < closed_; ++i)
      if (std::abs(at(rate_, 0, i)) > kRest) return false;
    for (int i = 0; i < closed_; ++i) {
      const Grip grip = contacts_[i].grip;
      if (grip == Grip::slip || grip == Grip::slide || grip == Grip::drag || contacts_[i].just_closed) return false;
      if (slip_speed(i) > kRest && grip != Grip::none) return false;
    }
    for (int row = 0; row <= planes_; ++row)
      for (int i = 0; i < closed_; ++i) {
        if (row > tangents_of(i)) continue;
        double sum = 0.0;
        for (int j = 0; j < closed_; ++j) {
          const double force = spring_force(j);
          sum += at(answer_[row][0], j, i) * force;
          for (int b = 0; b < planes_ && is_free(contacts_[j].grip); ++b)
            sum += at(answer_[row][b + 1], j, i) * friction_force(b, j, force);
        }
        if (std::abs(sum) > kBalanced) return false;
      }
    return true;
  }

  void look_for_friction_events(double h) {
    // The clock of an opening stands still at its end, where all forces over it vanish.
    const double before = opening_ >= 0 && !events_.empty() ? h * (1.0 - 1e-6) : h;
    for (int i = 0; i < closed_; ++i) {
      switch (contacts_[i].grip) {
        case Grip::none:
        case Grip::part: break;
        case Grip::stick:
          if (!std::isinf(friction_of(i)) && !grip_.near_common_limit()) look_for_limit(i, before);
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

  void change_mode(int i, CompliantCause cause) {
    CompliantContact& contact = contacts_[i];
    if (cause == CompliantCause::slip) {
      contact.still = true;
    } else if (cause == CompliantCause::common_limit) {
      for (int j = 0; j < closed_; ++j)
        if (contacts_[j].grip == Grip::stick && grip_.near_common_limit())
          start_slip(j, grip_.limit_direction(0, j), grip_.limit_direction(1, j));
    } else if (cause == CompliantCause::grip) {
      if (contact.grip == Grip::slip) stretch_to_limit(i);
      contact.grip = Grip::spring;
    } else if (contact.grip == Grip::spring) {
      set_direction_from_stretch(i);
      contact.grip = limit_grip(i);
    } else if (!grip_.redundant()) {
      let_go(i);
    }
  }

  /// What the step up to s = h adds to impulses and friction work; `impulse_before` are the impulses at its start.
  void keep_books(double h) {
    const int nb = blocks();
    for (int i = 0; i < closed_; ++i) {
      CompliantContact& contact = contacts_[i];
      if (contact.grip == Grip::none) continue;
      contact.slip_before = slip_speed(i);
      for (int a = 0; a < tangents_of(i); ++a) {
        double gained = 0.0;
        if (contact.grip == Grip::slip) {
          gained = -friction_of(i) * contact.direction[a] * grown(impulse_, i, h);
        } else if (is_free(contact.grip)) {
          gained = grown(pull_[a], i, h);
        } else {
          for (int j = 0; j < closed_; ++j) {
            gained += grip_.share(a, i, 0, j) * grown(impulse_, j, h);
            for (int b = 0; b < planes_ && is_free(contacts_[j].grip); ++b)
              gained += grip_.share(a, i, b + 1, j) * grown(pull_[b], j, h);
          }
        }
        total_[a * count_ + contact.index] += gained;
      }
    }
    Base::friction_work(h, work_);
    for (int i = 0; i < closed_; ++i) works_[contacts_[i].index] += at(work_, 0, i);
    for (int a = 0; a < planes_; ++a) {
      evaluate(slip_[a], h, slip_end_[a], nb);
      if (linear_) evaluate(stretch_[a], h, stretch_[a], nb);
      std::copy_n(slip_end_[a], nb, slip_[a]);
    }
  }

  /// Sliding contacts whose slip is as good as zero, and contacts that have parted. Returns whether modes have to be
  /// settled.
  bool slip_has_changed() {
    bool changed = false;
    for (int i = 0; i < closed_; ++i) {
      CompliantContact& contact = contacts_[i];
      if (contact.grip == Grip::slide && slip_speed(i) < kNearlyStill && slip_speed(i) < contact.slip_before) {
        contact.still = changed = true;
      } else if (has_spring(i) && (contact.grip == Grip::slip || contact.grip == Grip::drag) &&
                 contact.grip != limit_grip(i)) {
        if (contact.grip == Grip::slip) {
          set_direction(i, 1.0);
          stretch_to_limit(i);
        } else {
          set_direction_from_stretch(i);
        }
        contact.grip = limit_grip(i);
        changed = true;
      } else if (contact.grip == Grip::part && !contact.begins) {
        contact.grip = Grip::slide;
        changed = true;
      } else if (contact.grip == Grip::slip && tangents_of(i) == 2 && !has_spring(i)) {
        const double across = std::abs(contact.direction[0] * slip(1, i) - contact.direction[1] * slip(0, i));
        if (slip_speed(i) < kParted && across < kAcross) continue;
        contact.grip = Grip::slide;
        changed = true;
      }
    }
    return changed;
  }

  std::vector<CompliantEvent>& events_;
  std::vector<CompliantStretch>& stretches_;
  double* total_ = nullptr;  // tangential impulses, by contact
  double* works_ = nullptr;  // of friction, by contact
  bool not_unique_ = false;

 private:
  [[nodiscard]] bool is_rough(int i) const { return std::isinf(friction_of(i)) && tangents_of(i) > 0; }
  /// With next to no force the direction of a spring at its limit follows the slip at once.
  [[nodiscard]] bool drags(int i) const { return tangents_of(i) == 2 && at(compression_, 0, i) > kDragging; }
  [[nodiscard]] Grip limit_grip(int i) const { return drags(i) ? Grip::drag : Grip::slip; }

  /// Forces vanish where contacts close; what counts then is how they begin to grow.
  [[nodiscard]] double settling_force(int i) const {
    const double rate = at(rate_, 0, i);
    if (at(compression_, 0, i) > 2.0 * touching_ || !(rate < 0.0)) return spring_force(i);
    return at(stiffness_, 0, i) * std::pow(-rate * 1e-20, exponent_);
  }

  void set_direction(int i, double sign) {
    const double speed = slip_speed(i);
    for (int a = 0; a < 2; ++a) contacts_[i].direction[a] = sign * slip(a, i) / speed;
  }
  void set_direction_from_stretch(int i) {
    const double first = at(stretch_[0], 0, i), second = planes_ > 1 ? at(stretch_[1], 0, i) : 0.0;
    const double length = std::hypot(first, second);
    contacts_[i].direction[0] = first / length;
    contacts_[i].direction[1] = second / length;
  }
  void stretch_to_limit(int i) {
    const double length = friction_of(i) / springs_.spring[contacts_[i].index] * at(compression_, 0, i);
    for (int a = 0; a < planes_; ++a) at(stretch_[a], 0, i) = length * contacts_[i].direction[a];
  }

  void let_go(int i) {
    double f[2] = {0.0, 0.0};
    for (int a = 0; a < tangents_of(i); ++a)
      for (int j = 0; j < closed_; ++j) {
        const double force = spring_force(j);
        f[a] += grip_.share(a, i, 0, j) * force;
        for (int b = 0; b < planes_ && is_free(contacts_[j].grip); ++b)
          f[a] += grip_.share(a, i, b + 1, j) * friction_force(b, j, force);
      }
    const double length = std::hypot(f[0], f[1]);
    start_slip(i, -f[0] / length, -f[1] / length);
    // One at a time; others that let go at the same instant are held to the direction for as long as that is right.
    bool alone = tangents_of(i) == 2;
    for (int j = 0; j < closed_; ++j) alone = alone && contacts_[j].grip != Grip::part && !contacts_[j].just_closed;
    if (alone) contacts_[i].grip = Grip::part;
  }
  void start_slip(int i, double first, double second) {
    CompliantContact& contact = contacts_[i];
    contact.direction[0] = first;
    contact.direction[1] = second;
    contact.still = false;
    contact.begins = true;
    contact.grip = Grip::slip;
  }

  void pack(double* velocity) const {
    std::fill_n(velocity, 3 * count_, 0.0);
    for (int i = 0; i < count_; ++i) {
      velocity[i] = at(rate_, 0, i);
      for (int a = 0; a < planes_; ++a) velocity[(a + 1) * count_ + i] = at(slip_[a], 0, i);
    }
  }
  void unpack(const double* velocity) {
    for (int i = 0; i < count_; ++i) {
      at(rate_, 0, i) = velocity[i];
      for (int a = 0; a < planes_; ++a) at(slip_[a], 0, i) = velocity[(a + 1) * count_ + i];
    }
  }

  // ---- history
  [[nodiscard]] FrictionMode mode_of(int i) const {
    const CompliantContact& contact = contacts_[i];
    if (contact.grip == Grip::none) return FrictionMode::none;
    if (contact.grip == Grip::stick || contact.grip == Grip::spring) return FrictionMode::stick;
    if (tangents_of(i) == 2) return FrictionMode::slip;
    return contact.direction[0] > 0.0 ? FrictionMode::slip_positive : FrictionMode::slip_negative;
  }
  void finish_stretch(int i) {
    if (contacts_[i].stretch < 0) return;
    stretches_[static_cast<std::size_t>(contacts_[i].stretch)].last = at(impulse_, 0, i);
    contacts_[i].stretch = -1;
  }
  void note_mode(int i) {
    CompliantContact& contact = contacts_[i];
    const FrictionMode mode = mode_of(i);
    if (mode == FrictionMode::none) return;
    const bool same = contact.stretch >= 0 && stretches_[static_cast<std::size_t>(contact.stretch)].mode == mode;
    if (same && !contact.begins) return;
    finish_stretch(i);
    contact.begins = false;
    contact.stretch = static_cast<int>(stretches_.size());
    const double impulse = at(impulse_, 0, i);
    stretches_.push_back({.contact = contact.index, .mode = mode, .first = impulse, .last = impulse, .anew = same});
  }

  // ---- books
  [[nodiscard]] double grown(const Lanes* series, int i, double h) const {
    const double* a = lane(series, i);
    double sum = a[kOrder * stride()];
    for (int k = kOrder - 1; k >= 1; --k) sum = sum * h + a[k * stride()];
    return sum * h;
  }
  // ---- events
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
  }

  void look_for_slider(int i, double h) {
    double speed[kOrder + 1];
    const double ratio = friction_of(i) / springs_.spring[contacts_[i].index];
    for (int k = 0; k < kOrder; ++k)
      speed[k] = contacts_[i].grip == Grip::drag
                     ? at(slider_, k, i)
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
      for (int a = 0; a < tangents_of(i); ++a)
        for (int j = 0; j < closed_; ++j) {
          pulls[a][k] += grip_.share(a, i, 0, j) * order * at(impulse_, order, j);
          for (int b = 0; b < planes_ && is_free(contacts_[j].grip); ++b)
            pulls[a][k] += grip_.share(a, i, b + 1, j) * order * at(pull_[b], order, j);
        }
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
          for (int j = 0; j < closed_; ++j) {
            sum += grip_.limit_direction(a, i) * grip_.share(a, i, 0, j) * at(impulse_, k + 1, j);
            for (int b = 0; b < planes_ && is_free(contacts_[j].grip); ++b)
              sum += grip_.limit_direction(a, i) * grip_.share(a, i, b + 1, j) * at(pull_[b], k + 1, j);
          }
        margin[k] += grip_.limit_weight(i) * (k + 1) * sum;
      }
    }
    if (place >= 0) note_fall(place, CompliantCause::common_limit, margin, h, kOverLimit);
  }

  std::vector<double>& state_;
  double *forces_ = nullptr, *friction_ = nullptr;
  double *velocity_ = nullptr, *trial_ = nullptr, *trial_impulse_ = nullptr;
};

}  // namespace carom
