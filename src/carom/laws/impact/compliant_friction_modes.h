#pragma once
/// Friction modes of a cluster during its integration: how they begin and change.
///
/// At every change of phase or mode the modes of all contacts are settled anew (compliant_grip.h); what ends a mode
/// stands in compliant_friction_events.h. Contacts that do not slip (μ = ∞) have their slip taken away the moment they
/// close, with the push on other rows that this costs; one that this would drive apart is let go on the way, when its
/// rate has come to −eγ⁻.

#include <limits>

#include "carom/laws/impact/compliant_friction_books.h"

namespace carom {

template <int W, int B>
class FrictionModes : protected FrictionBooks<W, B> {
 protected:
  using Base = FrictionBooks<W, B>;
  using Lanes = typename Base::Lanes;
  using Base::at, Base::blocks, Base::lane, Base::stride, Base::kOrder, Base::evaluate, Base::contacts_, Base::count_;
  using Base::closed_, Base::opening_, Base::starting_, Base::clock_, Base::compression_, Base::rate_, Base::impulse_;
  using Base::grip_, Base::friction_of, Base::tangents_of, Base::has_spring, Base::spring_of, Base::slip;
  using Base::pace_, Base::stiffness_, Base::linear_, Base::hertzian_, Base::touching_, Base::spring_force;
  using Base::restitution_squared_, Base::planes_, Base::slip_, Base::slip_end_, Base::pull_, Base::work_,
      Base::stretch_, Base::slider_;
  using Base::slip_speed, Base::total_, Base::works_, Base::springs_, Base::friction_force, Base::exponent_;

  /// Slip below this is none: where a contact closes, and where it sticks.
  static constexpr double kNoSlip = 1e-12;
  /// A sliding contact with less slip sticks if it can: the error of taking that slip away now is its square.
  static constexpr double kNearlyStill = 1e-8;
  /// Slip with which a contact starts to slide in a plane: it has a direction, and is round-off.
  static constexpr double kFirstSlip = 1e-13;
  /// A contact that has let go has a direction of its own from this slip on, or from this much slip across.
  static constexpr double kParted = 1e-3;
  static constexpr double kAcross = 1e-11;
  /// A spring at its limit has a direction of its own from this compression on.
  static constexpr double kDragging = 1e-5;

  explicit FrictionModes(CompliantMemory& memory) : Base(memory), state_(memory.mode_state) {}

  void set_up(const CompliantSprings& springs) {
    Base::set_up(springs);
    double* next = dense::ensure(state_, 11, count_);
    const auto take = [&](int planes) {
      double* numbers = next;
      next += planes * count_;
      return numbers;
    };
    forces_ = take(1);
    friction_ = take(2);
    velocity_ = take(3);
    trial_ = take(3);
    trial_impulse_ = take(2);
    not_unique_ = false;
  }

  /// With next to no force the direction of a spring at its limit follows the slip at once.
  [[nodiscard]] bool drags(int i) const { return tangents_of(i) == 2 && at(compression_, 0, i) > kDragging; }

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
    const bool responded = grip_.decide(contacts_, closed_, forces_, friction_);
    for (int i = 0; i < closed_; ++i) {
      if (trial_[i] != 0.0 && contacts_[i].grip == Grip::slip) contacts_[i].grip = Grip::slide;
      if ((contacts_[i].grip == Grip::slip || contacts_[i].grip == Grip::part) && contacts_[i].begins &&
          slip_speed(i) <= kNearlyStill && !has_spring(i))
        for (int a = 0; a < planes_; ++a) at(slip_[a], 0, i) = 0.0;
      if (contacts_[i].grip != Grip::slide) continue;
      if (trial_[i] != 0.0) contacts_[i].begins = contacts_[i].stretch < 0;
      if (slip_speed(i) < kFirstSlip)
        for (int a = 0; a < planes_; ++a) at(slip_[a], 0, i) = kFirstSlip * contacts_[i].direction[a];
    }
    pack(velocity_);
    grip_.remove_slip(contacts_, closed_, velocity_, total_);
    unpack(velocity_);
    if (!responded) grip_.respond(contacts_, closed_, forces_, friction_);
    not_unique_ = not_unique_ || grip_.redundant();
    Base::take_modes();
    Base::note_modes();
  }

  /// Contacts that part slip along the direction in which they let go.
  void keep_directions() {
    for (int i = 0; i < closed_; ++i)
      if (contacts_[i].grip == Grip::part) contacts_[i].grip = Grip::slip;
    settle_modes();
  }

  /// Whether contacts at rest hold each other: nothing moves and nothing will.
  [[nodiscard]] bool is_wedged() {
    constexpr double kRest = 1e-12, kBalanced = 1e-11;
    for (int i = 0; i < closed_; ++i)
      if (std::abs(at(rate_, 0, i)) > kRest) return false;
    for (int i = 0; i < closed_; ++i) {
      const Grip grip = contacts_[i].grip;
      if (grip == Grip::slip || grip == Grip::slide || grip == Grip::drag || contacts_[i].just_closed) return false;
      if (slip_speed(i) > kRest && grip != Grip::none) return false;
    }
    Base::find_forces();
    for (int row = 0; row <= planes_; ++row)
      for (int i = 0; i < closed_; ++i)
        if (row <= tangents_of(i) && std::abs(Base::acceleration(row, i)) > kBalanced) return false;
    return true;
  }

  void change_mode(int i, CompliantCause cause) {
    CompliantContact& contact = contacts_[i];
    if (cause == CompliantCause::slip) {
      contact.still = true;
    } else if (cause == CompliantCause::common_limit) {
      for (int j = 0; j < closed_; ++j)
        if (contacts_[j].grip == Grip::stick && grip_.near_common_limit() && grip_.limit_weight(j) > 0.0)
          start_slip(j, grip_.limit_direction(0, j), grip_.limit_direction(1, j));
    } else if (cause == CompliantCause::grip) {
      if (contact.grip == Grip::slip) stretch_to_limit(i);
      contact.grip = Grip::spring;
    } else if (contact.grip == Grip::spring) {
      set_direction_from_stretch(i);
      contact.grip = limit_grip(i);
    } else if (!grip_.redundant() || grip_.lone_limit() == i) {
      let_go(i);
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
        if (slip_speed(i) < kParted && across < 0.99 * kAcross) continue;
        contact.grip = Grip::slide;
        changed = true;
      }
    }
    return changed;
  }

  bool not_unique_ = false;

 private:
  [[nodiscard]] bool is_rough(int i) const { return std::isinf(friction_of(i)) && tangents_of(i) > 0; }
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
    const double* force = Base::find_forces();
    for (int a = 0; a < tangents_of(i); ++a) f[a] = grip_.pull(a, i, force);
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

  std::vector<double>& state_;
  double *forces_ = nullptr, *friction_ = nullptr;
  double *velocity_ = nullptr, *trial_ = nullptr, *trial_impulse_ = nullptr;
};

}  // namespace carom
