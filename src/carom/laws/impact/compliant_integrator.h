#pragma once
/// Integrates a cluster of contact springs to the end: steps, events and phases over the series of compliant_series.h.
///
/// Phases change only at located instants, which are roots of the step's polynomials; no step is taken twice:
///   open → compressing             x rises through 0
///   compressing → expanding        γ rises through 0 (only where e < 1; with e = 0 the contact opens at once)
///   expanding → compressing        γ falls through 0
///   closed → open                  x falls through 0
/// While no contact carries a force the motion is uniform and the next closing is known in closed form.

#include <type_traits>

#include "carom/base/activity.h"
#include "carom/laws/impact/compliant_friction_events.h"
#include "carom/mechanics/impact_outcome.h"

namespace carom {

/// WithFriction: some contact of the cluster resists slip.
template <int W, int B, bool WithFriction>
class CompliantIntegrator : private std::conditional_t<WithFriction, FrictionEvents<W, B>, CompliantSeries<W, B>> {
  using Series = std::conditional_t<WithFriction, FrictionEvents<W, B>, CompliantSeries<W, B>>;
  using Lanes = typename Series::Lanes;
  using Series::at, Series::blocks, Series::lane, Series::stride, Series::evaluate, Series::kOrder;
  using Series::compression_, Series::rate_, Series::impulse_, Series::pace_, Series::stiffness_;
  using Series::compression_end_, Series::rate_end_, Series::rate_slope_end_, Series::restitution_squared_;
  using Series::contacts_, Series::count_, Series::closed_, Series::opening_, Series::starting_, Series::clock_;
  using Series::root_clock_, Series::root_, Series::last_, Series::linear_, Series::hertzian_, Series::exponent_;
  using Series::touching_, Series::spring_force, Series::exchange;

 public:
  explicit CompliantIntegrator(CompliantMemory& memory) : Series(memory), events_(memory.events) {}

  void start(const CompliantSprings& springs) {
    this->set_up(springs);
    threshold_ = springs.threshold;
    log_tolerance_ = std::log2(springs.tolerance);
    rest_ = springs.rest;
    steps_ = 0;
    elapsed_ = 0.0;
    changed_ = broken_ = false;
    if constexpr (WithFriction) {
      this->begin_rough([&](int i) { close(i); });
      settle();
    }
  }

  /// Goes on until `steps` steps have been taken in all. Returns whether it has come to an end; stop() says which.
  bool run(long steps) {
    for (;;) {
      if (changed_ && !carries_force())
        while (closed_ > 0) open(closed_ - 1);
      changed_ = false;
      if constexpr (WithFriction) {
        if (closed_ > 0 && this->is_wedged()) {
          stop_ = Stop::wedged;
          return true;
        }
      }
      if (closed_ == 0 && !fly()) return true;
      if (steps_ >= steps) return false;
      ++steps_;
      Activity::tick();
      this->choose_clock();
      this->expand();
      if (!series_are_finite() && !expand_without_parting()) {
        broken_ = true;
        return false;
      }
      advance();
    }
  }

  [[nodiscard]] long steps() const { return steps_; }
  [[nodiscard]] Stop stop() const { return stop_; }
  /// Whether it cannot go on: the series of the next step leave the range of numbers.
  [[nodiscard]] bool broken() const { return broken_; }
  /// Time since the start.
  [[nodiscard]] double elapsed() const { return elapsed_; }
  [[nodiscard]] double fastest_approach() const {
    double fastest = 0.0;
    for (int i = 0; i < count_; ++i) fastest = std::max(fastest, -at(rate_, 0, i));
    return fastest;
  }
  /// How often the contact has been compressed that has been so most often.
  [[nodiscard]] int most_compressions() const {
    int most = 0;
    for (int i = 0; i < count_; ++i) most = std::max(most, contacts_[i].compressions);
    return most;
  }
  /// Energy in the spring of each contact.
  void write_energies(double* energy) const {
    std::fill_n(energy, count_, 0.0);
    for (int i = 0; i < closed_; ++i)
      energy[contacts_[i].index] = spring_force(i) * at(compression_, 0, i) / (exponent_ + 1.0);
  }
  void write_impulses(double* impulse) const {
    for (int i = 0; i < count_; ++i) impulse[contacts_[i].index] = at(impulse_, 0, i);
  }
  /// Where it has come to, with friction.
  void write_motion(CompliantMotion& motion) const {
    const auto m = static_cast<std::size_t>(count_);
    motion.compression.assign(m, 0.0);
    motion.velocity.assign(3 * m, 0.0);
    motion.impulse.assign(3 * m, 0.0);
    motion.work.assign(this->works_, this->works_ + m);
    std::copy_n(this->total_, 2 * m, motion.impulse.begin() + count_);
    write_impulses(motion.impulse.data());
    for (int i = 0; i < count_; ++i) {
      const int contact = contacts_[i].index;
      motion.compression[contact] = at(compression_, 0, i);
      motion.velocity[contact] = at(rate_, 0, i);
      for (int a = 0; a < this->planes_; ++a) motion.velocity[(a + 1) * count_ + contact] = this->slip(a, i);
    }
  }
  [[nodiscard]] bool impulses_not_unique() const { return this->not_unique_; }
  /// The history of the friction modes, complete.
  std::vector<CompliantStretch>& stretches() {
    for (int i = 0; i < closed_; ++i) this->end_grip(i);
    return this->stretches_;
  }

 private:
  /// A contact that stores less could only add a speed of 1e-13, and round-off may keep it from ever opening.
  static constexpr double kNegligibleEnergy = 1e-26;
  /// A slower contact is closed from touching_ on: its own clock would have to run too long.
  static constexpr double kSlowClosing = 1e-6;
  /// Events of a symmetric problem that are nearer to each other than this part of a step happen together.
  static constexpr double kTogether = 1e-11;
  /// A contact that approaches faster than this after it has separated is compressed anew.
  static constexpr double kTurned = 1e-6;
  /// A rate of round-off: where a phase has just begun.
  static constexpr double kNoRate = 1e-15;
  /// An expanding contact with less compression than this is open.
  static constexpr double kOpened = 1e-13;

  [[nodiscard]] bool elastic(int i) const { return at(restitution_squared_, 0, i) == 1.0; }

  void close(int i) {
    CompliantContact& contact = contacts_[i];
    contact.phase = ContactPhase::compressing;
    ++contact.compressions;
    take_first_clock(i);
    const double least = linear_ || (hertzian_ && !contact.just_closed) ? touching_ : 0.0;
    at(compression_, 0, i) = contact.just_closed ? 0.0 : std::max(at(compression_, 0, i), least);
    if constexpr (WithFriction) this->begin_grip(i);
    exchange(i, closed_++);
  }

  void open(int i) {
    contacts_[i].phase = ContactPhase::open;
    contacts_[i].just_closed = false;
    at(pace_, 0, i) = 1.0;
    at(compression_, 0, i) = 0.0;
    if constexpr (WithFriction) this->end_grip(i);
    exchange(i, --closed_);
  }

  /// Friction modes for the contacts that are closed now.
  void settle() {
    for (int opened = this->catch_slip(); opened >= 0; opened = this->catch_slip()) open(opened);
    for (int i = closed_ - 1; i >= 0; --i)  // rates may have changed
      if (at(compression_, 0, i) <= touching_ && at(rate_, 0, i) >= 0.0) {
        open(i);
      } else if (at(compression_, 0, i) == 0.0) {
        take_first_clock(i);
      }
    this->settle_modes();
  }

  void take_first_clock(int i) {
    contacts_[i].just_closed = hertzian_ && at(rate_, 0, i) < -kSlowClosing;
    if (contacts_[i].just_closed) {
      root_clock_ = true;
      root_ = 0.0;
    }
  }

  [[nodiscard]] bool carries_force() const {
    for (int i = 0; i < closed_; ++i)
      if (at(rate_, 0, i) < -threshold_ || spring_force(i) * at(compression_, 0, i) > kNegligibleEnergy) return true;
    return closed_ == 0;
  }

  /// Nothing is closed: on to the next closing. Returns false, with the reason, where nothing closes any more.
  bool fly() {
    double soonest = -1.0;
    double fastest = 0.0;
    const auto approach = [&](int i) { return -at(rate_, 0, i); };
    for (int i = 0; i < count_; ++i) {
      fastest = std::max(fastest, approach(i));
      if (!(approach(i) > threshold_)) continue;
      const double time = std::max(0.0, -at(compression_, 0, i) / approach(i));
      if (soonest < 0.0 || time < soonest) soonest = time;
    }
    if (soonest < 0.0 || fastest <= rest_) {
      stop_ = soonest < 0.0 ? Stop::separated : Stop::at_rest;
      return false;
    }
    for (int i = 0; i < count_; ++i) {
      double& x = at(compression_, 0, i);
      const double before = x;
      x += approach(i) * soonest;
      if (approach(i) > threshold_ && x > -1e-14 * (1.0 + std::abs(before))) close(i);
    }
    last_ = 0.3;
    elapsed_ += soonest;
    if constexpr (WithFriction) settle();
    return true;
  }

  [[nodiscard]] bool series_are_finite() const {
    double sum = 0.0;
    for (int k = kOrder - 1; k <= kOrder; ++k)
      for (int i = 0; i < count_; ++i) {
        sum += 0.0 * at(rate_, k, i) + 0.0 * at(compression_, k, i);
        if constexpr (WithFriction)
          for (int a = 0; a < this->planes_; ++a) sum += 0.0 * at(this->slip_[a], k, i);
      }
    return sum == 0.0;  // NaN where one is not finite
  }

  /// A contact that parts with next to no force left, about to open, keeps the direction in which it began.
  bool expand_without_parting() {
    if constexpr (WithFriction) {
      this->keep_directions();
      this->choose_clock();
      this->expand();
      return series_are_finite();
    }
    return false;
  }

  [[nodiscard]] double step_size() const {
    double h = 5.0;                                                        // in binary logarithms
    for (int k = starting_ ? kOrder - 4 : kOrder - 1; k <= kOrder; ++k) {  // a start may have every fifth one only
      double most = opening_ >= 0 ? std::abs(clock_[k]) : 0.0;
      for (int i = 0; i < count_; ++i)
        most = std::max({most, std::abs(at(rate_, k, i)), std::abs(at(compression_, k, i))});
      if constexpr (WithFriction)
        for (int a = 0; a < this->planes_; ++a)
          for (int i = 0; i < count_; ++i) most = std::max(most, std::abs(at(this->slip_[a], k, i)));
      h = std::min(h, (log_tolerance_ - std::log2(most + 1e-300)) / k);
    }
    if (!linear_) return std::exp2(h);
    // Linear springs have series that converge everywhere, yet a step must not reach over several events.
    double stiffest = 0.0;
    for (int i = 0; i < count_; ++i) {
      double sum = 0.0;
      for (int j = 0; j < closed_; ++j)
        sum += at(pace_, 0, i) * std::abs(at(this->matrix_, j, i)) * at(stiffness_, 0, j);
      stiffest = std::max(stiffest, sum);
    }
    return std::exp2(std::min(h, -0.5 - 0.5 * std::log2(stiffest + 1e-300)));
  }

  void note(int i, CompliantCause cause, double h) { events_.push_back({.contact = i, .cause = cause, .at = h}); }

  void look_for_events(double h) {
    for (int i = 0; i < count_; ++i) {
      const bool compresses = contacts_[i].phase == ContactPhase::compressing && !elastic(i);
      const PolynomialView x{lane(compression_, i), stride(), kOrder};
      const PolynomialView v{lane(rate_, i), stride(), kOrder};
      const double v0 = at(rate_, 0, i), v1 = at(rate_end_, 0, i);
      const double x0 = at(compression_, 0, i), x1 = at(compression_end_, 0, i);
      // Where v changes its sign on the way, x has an extremum there.
      const bool turned = v0 * v1 < 0.0 && !compresses;
      const double turn = turned ? v.root(0.0, {0.0, h, v0, v1}) : 0.0;
      const double x_turn = turned ? x.value(turn) : x0;
      const double half = turned ? turn : h;
      const double x_half = turned ? x_turn : x1;
      if (contacts_[i].phase == ContactPhase::open) {
        const double level = x0 < 0.0 || v0 > 0.0 ? 0.0 : touching_;
        if (v0 < 0.0 && x_half > level) {
          note(i, CompliantCause::compression, x.root(level, {0.0, half, x0, x_half}));
        } else if (x1 > level) {
          note(i, CompliantCause::compression, x.root(level, {turn, h, x_turn, x1}));
        }
        continue;
      }
      if (i != opening_ && !compresses && v0 >= 0.0 && x_half < 0.0) {
        note(i, CompliantCause::compression, x.root(0.0, {0.0, half, x0, x_half}));
      } else if (i != opening_ && elastic(i) && x1 < 0.0) {
        note(i, CompliantCause::compression, x.root(0.0, {turn, h, x_turn, x1}));
      }
      if (!elastic(i)) look_for_turn(i, h, v);
      const bool tightens = contacts_[i].slack && x1 > touching_ && x_turn < touching_;
      const bool slackens = !contacts_[i].slack && !hertzian_ && !linear_ && x1 < touching_;
      if (tightens || slackens) note(i, CompliantCause::slack, x.root(touching_, {turn, h, x_turn, x1}));
    }
  }

  /// The end of a compression or an expansion: v passes zero, or does so and comes back on the way.
  void look_for_turn(int i, double h, const PolynomialView& v) {
    const double sign = contacts_[i].phase == ContactPhase::compressing ? 1.0 : -1.0;
    const double v0 = at(rate_, 0, i), v1 = at(rate_end_, 0, i);
    if (sign * v1 > 0.0) {
      // One that starts at zero, but for round-off, is looked at a little later.
      const bool begun = sign * v0 < -kNoRate;
      const double low = begun ? 0.0 : 1e-3 * h;
      const double first = begun ? v0 : v.value(low);
      note(i, CompliantCause::rate, sign * first < 0.0 ? v.root(0.0, {low, h, first, v1}) : 0.0);
      return;
    }
    if (!(sign * at(rate_, 1, i) > 0.0 && sign * at(rate_slope_end_, 0, i) < 0.0)) return;
    double slopes[kOrder];
    for (int k = 1; k <= kOrder; ++k) slopes[k - 1] = k * at(rate_, k, i);
    const PolynomialView slope{slopes, 1, kOrder - 1};
    const double top = slope.root(0.0, {0.0, h, slopes[0], at(rate_slope_end_, 0, i)});
    const double v_top = v.value(top);
    if (sign * v_top > 0.0)
      note(i, CompliantCause::rate, sign * v0 < -kNoRate ? v.root(0.0, {0.0, top, v0, v_top}) : 0.0);
  }

  /// One step, up to the first event in it.
  void advance() {
    const int nb = blocks();
    const PolynomialView clock{clock_, 1, kOrder};
    double h = step_size();
    if constexpr (WithFriction) h = this->longest_step(h);
    events_.clear();
    if (opening_ >= 0) {  // beyond its opening this clock runs backwards
      const double y = clock.value(h);
      if (y < 0.0) {
        h = clock.root(0.0, {0.0, h, clock_[0], y});
        note(opening_, CompliantCause::compression, h);
      }
    }
    evaluate(rate_, h, rate_end_, nb, rate_slope_end_);
    evaluate(compression_, h, compression_end_, nb);
    look_for_events(h);
    if constexpr (WithFriction) this->look_for_friction_events(h);
    double first = h;
    for (const CompliantEvent& event : events_) first = std::min(first, event.at);
    if (first < h) {
      evaluate(rate_, first, rate_end_, nb);
      evaluate(compression_, first, compression_end_, nb);
    }
    if constexpr (WithFriction) this->keep_books(first);
    evaluate(impulse_, first, impulse_, this->closed_blocks());
    last_ = first;
    if (opening_ >= 0) {
      const double y = clock.value(first);
      at(compression_end_, 0, opening_) = y * y;
      last_ = first * (clock_[0] + y) / 2.0;
    } else if (this->clock_length_ == kOrder) {  // the clock is a slip
      last_ = 0.0;
      for (int k = kOrder - 1; k >= 0; --k) last_ = first * (clock_[k] / (k + 1) + last_);
    } else if (root_clock_) {
      last_ = first * (2.0 * root_ + first);
    }
    root_ += first;
    elapsed_ += last_;
    for (int i = 0; i < closed_; ++i)
      if (at(rate_, 0, i) >= 0.0 && at(rate_end_, 0, i) < -kTurned) ++contacts_[i].compressions;
    std::copy_n(rate_end_, nb, rate_);
    std::copy_n(compression_end_, nb, compression_);
    for (int i = 0; i < closed_; ++i) contacts_[i].just_closed = false;
    if (!events_.empty()) change_phases(first + kTogether * h);
    if constexpr (WithFriction) {
      const bool slip_changed = this->slip_has_changed();
      if (slip_changed || !events_.empty()) settle();
    }
  }

  /// Contacts that open or close change what the others can hold; limits are then a question for the forces after that.
  void change_modes(double latest) {
    bool settles = false;
    for (const CompliantEvent& event : events_)
      settles = settles || (event.at <= latest && event.cause == CompliantCause::compression);
    for (const CompliantEvent& event : events_) {
      const bool limit = event.cause == CompliantCause::limit || event.cause == CompliantCause::common_limit;
      if (event.at > latest || event.cause <= CompliantCause::slack || (settles && limit)) continue;
      this->change_mode(event.contact, event.cause);
    }
  }

  void change_phases(double latest) {
    changed_ = true;
    if constexpr (WithFriction) change_modes(latest);
    for (CompliantEvent& event : events_) event.contact = contacts_[event.contact].index;  // places change now
    for (const CompliantEvent& event : events_) {
      if (event.at > latest || event.cause >= CompliantCause::slack) continue;
      int i = 0;
      while (contacts_[i].index != event.contact) ++i;
      CompliantContact& contact = contacts_[i];
      if (contact.phase == ContactPhase::open) {
        close(i);
      } else if (event.cause == CompliantCause::compression || at(restitution_squared_, 0, i) == 0.0) {
        open(i);
      } else {
        const bool compressed = contact.phase == ContactPhase::compressing;
        contact.phase = compressed ? ContactPhase::expanding : ContactPhase::compressing;
        at(pace_, 0, i) = compressed ? 1.0 / at(restitution_squared_, 0, i) : 1.0;
        at(rate_, 0, i) = 0.0;
      }
    }
    for (int i = closed_ - 1; i >= 0; --i)  // the mirror image of one that has just opened
      if (!contacts_[i].just_closed && at(rate_, 0, i) > 0.0 && at(compression_, 0, i) < kOpened) open(i);
  }

  std::vector<CompliantEvent>& events_;
  double threshold_ = 0.0;
  double log_tolerance_ = 0.0;
  double rest_ = 0.0;
  long steps_ = 0;
  double elapsed_ = 0.0;
  bool broken_ = false;
  bool changed_ = false;  // phases have, since it was last seen whether anything carries a force
  Stop stop_ = Stop::separated;
};

}  // namespace carom
