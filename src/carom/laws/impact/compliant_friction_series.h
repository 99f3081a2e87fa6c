#pragma once
/// The series of compliant_series.h with tangents: slip, and tangential forces that are not a fixed part of normal
/// ones.
///
/// With the modes of all contacts known (compliant_grip.h) every velocity is a fixed matrix times the free impulses:
/// normal ones p, and tangential ones π of contacts that slide in a plane of two tangents or have a tangential spring.
///   sliding         dπ/ds = −μ (dp/ds) ŝ with ŝ = s (s·s)^(−1/2), again by the recursion for powers
///   parting         slip has no direction at first: s = t²ωd, with the series of ω and d found order by order
///   spring          π' = f = −κKξ, ξ' = s; at the limit (`drag`) ξ = ρd with ρ = μx/κ and ρd' = s − (s·d)d
/// As slip goes to zero its direction turns ever faster, in time ~ |s|. A step near there has the clock c = |s| of that
/// contact, on which slip decays as an exponential function and its direction is analytic.

#include "carom/laws/impact/compliant_series.h"

namespace carom {

template <int W, int B>
class FrictionSeries : protected CompliantSeries<W, B> {
 protected:
  using Series = CompliantSeries<W, B>;
  using Lanes = typename Series::Lanes;
  using Series::at, Series::blocks, Series::closed_blocks, Series::lane, Series::stride, Series::kOrder;
  using Series::clock_length_, Series::root_clock_, Series::last_, Series::linear_;
  using Series::compression_, Series::rate_, Series::impulse_, Series::pace_, Series::stiffness_, Series::matrix_;
  using Series::contacts_, Series::count_, Series::closed_, Series::opening_, Series::starting_, Series::clock_;

  explicit FrictionSeries(CompliantMemory& memory)
      : Series(memory), grip_(memory.grip), sparse_(memory.answer), friction_memory_(memory) {}

  void set_up(const CompliantSprings& springs) {
    Series::set_up(springs);
    springs_ = springs;
    grip_.start(springs);
    planes_ = 0;
    for (int i = 0; i < count_; ++i) planes_ = std::max(planes_, springs.tangents[i]);
    take_memory();
    for (int a = 0; a < planes_; ++a)
      for (int i = 0; i < count_; ++i) at(slip_[a], 0, i) = springs.slip[a * count_ + i];
    free_ = sliding_ = false;
  }

  [[nodiscard]] double friction_of(int i) const { return springs_.friction[contacts_[i].index]; }
  [[nodiscard]] int tangents_of(int i) const { return springs_.tangents[contacts_[i].index]; }
  /// K_t of the tangential spring.
  [[nodiscard]] double spring_of(int i) const { return springs_.spring[contacts_[i].index] * at(stiffness_, 0, i); }
  [[nodiscard]] bool has_spring(int i) const { return std::isfinite(springs_.spring[contacts_[i].index]); }
  [[nodiscard]] double slip(int a, int i) const { return a < planes_ ? at(slip_[a], 0, i) : 0.0; }
  [[nodiscard]] double slip_speed(int i) const { return std::sqrt(slip(0, i) * slip(0, i) + slip(1, i) * slip(1, i)); }

  void exchange(int a, int b) {
    if (a == b) return;
    Series::exchange(a, b);
    for (int plane = 0; plane < planes_; ++plane) {
      std::swap(at(slip_[plane], 0, a), at(slip_[plane], 0, b));
      std::swap(at(stretch_[plane], 0, a), at(stretch_[plane], 0, b));
    }
  }

  /// The answer of all rows, and what is needed of contacts that slide.
  void take_modes() {
    const int nb = blocks();
    free_ = sliding_ = false;
    parting_ = -1;
    for (int i = 0; i < closed_; ++i) {
      if (contacts_[i].grip == Grip::part) parting_ = i;
      free_ = free_ || is_free(contacts_[i].grip);
      sliding_ = sliding_ || contacts_[i].grip == Grip::slide;
    }
    if constexpr (B == 0) sparse_.take(grip_, contacts_, closed_, planes_);
    if (!is_sparse()) take_full_answer();
    for (int a = 0; a < planes_; ++a) {
      std::fill_n(pull_[a], nb * (kOrder + 1), Lanes{});
      for (int i = 0; i < count_; ++i)
        at(work_factor_[a], 0, i) =
            i < closed_ && contacts_[i].grip == Grip::slip ? -friction_of(i) * contacts_[i].direction[a] : 0.0;
    }
  }

  void choose_clock() {
    Series::choose_clock();
    slip_clock_ = -1;
    if (parting_ >= 0) {  // its series is one in time
      opening_ = -1;
      root_clock_ = false;
      clock_length_ = 1;
      clock_[0] = 1.0;
      return;
    }
    if (!sliding_ || starting_) return;
    find_forces();
    double soonest =
        opening_ >= 0 ? at(compression_, 0, opening_) / (at(pace_, 0, opening_) * at(rate_, 0, opening_)) : 0.5 * last_;
    for (int i = 0; i < closed_; ++i) {
      if (contacts_[i].grip != Grip::slide) continue;
      const double first = acceleration(1, i), second = planes_ > 1 ? acceleration(2, i) : 0.0;
      const double time = slip_speed(i) / (std::sqrt(first * first + second * second) + 1e-300);
      if (time >= (slip_speed(i) < kTinySlip ? std::max(soonest, kQuickTurn) : soonest)) continue;
      soonest = time;
      slip_clock_ = i;
    }
    if (slip_clock_ < 0) return;
    opening_ = -1;
    root_clock_ = false;
    clock_length_ = kOrder;
    clock_[0] = slip_speed(slip_clock_);
  }

  void expand() {
    Series::begin_expansion();
    begin_sliding();
    for (int k = 0; k < kOrder; ++k) {
      if (sliding_) expand_directions(k);
      Series::expand_impulses(k);
      if (sliding_) expand_sliding(k);
      if (parting_ >= 0) begin_parting(k);
      for (int i = 0; free_ && i < closed_; ++i)
        if (contacts_[i].grip == Grip::spring || contacts_[i].grip == Grip::drag) expand_spring(k, i);
      Series::expand_compressions(k);
      find_velocities(k + 1);
      if (parting_ >= 0) finish_parting(k);
    }
  }

  /// Friction force of a contact now, along tangent a; contacts that stick have none of their own.
  [[nodiscard]] double friction_force(int a, int i, double force) const {
    switch (contacts_[i].grip) {
      case Grip::slip:
      case Grip::part: return -friction_of(i) * force * contacts_[i].direction[a];
      case Grip::slide: {
        const double speed = slip_speed(i);
        return speed > 0.0 ? -friction_of(i) * force * slip(a, i) / speed : 0.0;
      }
      case Grip::spring:
      case Grip::drag: return a < planes_ ? -spring_of(i) * at(stretch_[a], 0, i) : 0.0;
      case Grip::none:
      case Grip::stick: break;
    }
    return 0.0;
  }

  /// The free forces as they are now, by column, for acceleration().
  const double* find_forces() {
    for (int j = 0; j < closed_; ++j) force_now_[j] = Series::spring_force(j);
    for (const int j : grip_.free_contacts())
      for (int a = 0; a < planes_; ++a)
        force_now_[grip_.column(a + 1, j)] = is_free(contacts_[j].grip) ? friction_force(a, j, force_now_[j]) : 0.0;
    return force_now_;
  }
  /// Of contact i along its normal (row 0) or a tangent.
  [[nodiscard]] double acceleration(int row, int i) const {
    if (is_sparse()) return sparse_.product(row, i, force_now_);
    double sum = 0.0;
    for (int c = 0; c < grip_.columns(); ++c) sum += at(answer_[row], c, i) * force_now_[c];
    return sum;
  }
  /// Free impulses of order k ≥ 1, by column.
  [[nodiscard]] const double* source(int k) const {
    return sources_ + static_cast<std::ptrdiff_t>(k) * kColumns * count_;
  }
  /// What they grow by up to s = h.
  const double* grown_sources(double h) {
    const int columns = grip_.columns();
    std::copy_n(source(kOrder), columns, grown_);
    for (int k = kOrder - 1; k >= 1; --k)
      for (int c = 0; c < columns; ++c) grown_[c] = grown_[c] * h + source(k)[c];
    for (int c = 0; c < columns; ++c) grown_[c] *= h;
    return grown_;
  }

  /// ∫s dπ over the step up to h along all tangents, for contacts that slip along a fixed direction or have a free
  /// force.
  void friction_work(double h, Lanes* work) const {
    const int nb = blocks();
    for (int b = 0; b < closed_blocks(); ++b) {
      work[b] = Lanes{};
      for (int a = 0; a < planes_; ++a) {
        // Contacts whose force is a fixed part of the normal one have no pull of their own, and the reverse.
        Lanes rate_of_impulse[kOrder + 1];
        for (int k = 1; k <= kOrder; ++k) {
          rate_of_impulse[k] = work_factor_[a][b] * impulse_[k * nb + b];
          if (free_) rate_of_impulse[k] += pull_[a][k * nb + b];
          rate_of_impulse[k] *= static_cast<double>(k);
        }
        const Lanes* s = slip_[a] + b;
        Lanes sum{};
        for (int k = kOrder; k >= 1; --k) {
          Lanes even{}, odd{};
          int j = 1;
          for (; j < k; j += 2) {
            even += rate_of_impulse[j] * s[(k - j) * nb];
            odd += rate_of_impulse[j + 1] * s[(k - j - 1) * nb];
          }
          if (j == k) even += rate_of_impulse[k] * s[0];
          sum = h * (sum + (even + odd) * (1.0 / k));
        }
        work[b] += sum;
      }
    }
  }

  CompliantGrip& grip_;
  CompliantSprings springs_;
  /// Tiny slip that can turn in less time than this has the clock, however short the last step was: after a start from
  /// zero slip every step is short.
  static constexpr double kTinySlip = 1e-8;
  static constexpr double kQuickTurn = 0.02;

  int planes_ = 0;                                          // of tangents
  int parting_ = -1;                                        // the contact that parts
  int slip_clock_ = -1;                                     // the contact whose slip is the clock
  bool free_ = false;                                       // some tangential force has a series of its own
  bool sliding_ = false;                                    // one of them because its contact slides
  Lanes *slip_[2] = {}, *pull_[2] = {}, *stretch_[2] = {};  // s, π, ξ: series
  Lanes *drag_[2] = {}, *slider_ = nullptr;                 // d and the speed of the slider: series
  Lanes* pressure_ = nullptr;                               // dp/ds: series
  Lanes* slip_end_[2] = {};
  Lanes* work_factor_[2] = {};  // −μ and the direction of contacts that slip along a fixed one
  Lanes* work_ = nullptr;       // of friction in one step

 private:
  static constexpr int kColumns = CompliantGrip::kPlanes;  // at the most, for each contact
  [[nodiscard]] double* source_of(int k) { return sources_ + static_cast<std::ptrdiff_t>(k) * kColumns * count_; }
  [[nodiscard]] bool is_sparse() const { return B == 0 && sparse_.few(); }

  void take_memory() {
    const auto nb = static_cast<std::size_t>(blocks());
    const std::size_t series = nb * (kOrder + 1);
    const auto planes = static_cast<std::size_t>(planes_);
    const std::size_t all = (4 * planes + 5) * series + (2 * planes + 3) * nb;
    auto* next = Series::aligned(friction_memory_.friction_numbers, all);
    const auto take = [&](Lanes*& numbers, std::size_t size) {
      numbers = next;
      next += size;
    };
    for (std::size_t a = 0; a < planes; ++a) {
      take(slip_[a], series);
      take(pull_[a], series);
      take(stretch_[a], series);
      take(drag_[a], series);
      take(slip_end_[a], nb);
      take(work_factor_[a], nb);
    }
    for (Lanes** numbers : {&slider_, &pressure_, &pressing_, &square_, &reciprocal_}) take(*numbers, series);
    take(slide_friction_, nb);
    take(inverse_square_, nb);
    take(work_, nb);
    sources_ = dense::ensure(friction_memory_.sources, kOrder + 3, kColumns * count_);
    grown_ = sources_ + static_cast<std::ptrdiff_t>(kOrder + 1) * kColumns * count_;
    force_now_ = grown_ + kColumns * count_;
  }

  void take_full_answer() {
    const auto size = static_cast<std::size_t>(grip_.columns() * blocks());
    auto* next = Series::aligned(friction_memory_.answer_numbers, static_cast<std::size_t>(planes_ + 1) * size);
    for (int row = 0; row <= planes_; ++row, next += size) {
      answer_[row] = next;
      for (int i = 0; i < count_; ++i) {
        const double* response = grip_.response(row, i);
        for (int c = 0; c < grip_.columns(); ++c) at(next, c, i) = response[c];
      }
    }
  }

  void begin_sliding() {
    if (!sliding_) return;
    const int nb = closed_blocks();
    std::fill_n(slide_friction_, nb, Lanes{});
    std::fill_n(inverse_square_, nb, Lanes{});
    std::fill_n(reciprocal_, nb, Lanes{});
    for (int i = 0; i < closed_; ++i) {
      if (contacts_[i].grip != Grip::slide) continue;
      const double speed = slip_speed(i);
      at(slide_friction_, 0, i) = friction_of(i);
      at(inverse_square_, 0, i) = 1.0 / (speed * speed);
      at(reciprocal_, 0, i) = 1.0 / speed;
    }
  }

  /// s·s and (s·s)^(−1/2) of order k, and the clock where it is the slip of a contact.
  void expand_directions(int k) {
    const int nb = blocks();
    for (int b = 0; b < closed_blocks(); ++b) {
      Lanes sum{};
      for (int a = 0; a < planes_; ++a) {
        const Lanes* s = slip_[a] + b;
        for (int j = 0; 2 * j < k; ++j) sum += s[j * nb] * s[(k - j) * nb];
      }
      sum += sum;
      for (int a = 0; k % 2 == 0 && a < planes_; ++a) sum += slip_[a][k / 2 * nb + b] * slip_[a][k / 2 * nb + b];
      square_[k * nb + b] = sum;
      if (k == 0) continue;
      Lanes even{}, odd{};
      const double* weight = kReciprocalPower[k];
      int j = 1;
      for (; j < k; j += 2) {
        odd += weight[j] * square_[j * nb + b] * reciprocal_[(k - j) * nb + b];
        even += weight[j + 1] * square_[(j + 1) * nb + b] * reciprocal_[(k - j - 1) * nb + b];
      }
      if (j == k) odd += weight[k] * square_[k * nb + b] * reciprocal_[b];
      reciprocal_[k * nb + b] = (even + odd) * inverse_square_[b];
    }
    if (slip_clock_ < 0 || k == 0) return;
    double sum = 0.0;
    for (int j = 1; j <= k; ++j) sum += kRootPower[k][j] * at(square_, j, slip_clock_) * clock_[k - j];
    clock_[k] = sum * at(inverse_square_, 0, slip_clock_);
  }

  /// Velocities of order k by all free impulses of order k.
  void find_velocities(int k) {
    const int nb = blocks();
    double* to = source_of(k);
    std::copy_n(lane(impulse_ + k * nb, 0), closed_, to);
    for (const int j : grip_.free_contacts())
      for (int a = 0; a < planes_; ++a) to[grip_.column(a + 1, j)] = at(pull_[a], k, j);
    if (is_sparse()) {
      double* velocities[3] = {&at(rate_, k, 0)};
      for (int a = 0; a < planes_; ++a) velocities[a + 1] = &at(slip_[a], k, 0);
      sparse_.multiply(to, velocities);
      return;
    }
    for (int row = 0; row <= planes_; ++row)
      Series::multiply_matrix(answer_[row], to, grip_.columns(), (row == 0 ? rate_ : slip_[row - 1]) + k * nb);
  }

  void expand_sliding(int k) {
    const int nb = blocks();
    const double part = 1.0 / (k + 1);
    for (int b = 0; b < closed_blocks(); ++b) {
      pressure_[k * nb + b] = (k + 1.0) * impulse_[(k + 1) * nb + b];
      Lanes even{}, odd{};
      int j = 0;
      for (; j < k; j += 2) {
        even += pressure_[j * nb + b] * reciprocal_[(k - j) * nb + b];
        odd += pressure_[(j + 1) * nb + b] * reciprocal_[(k - j - 1) * nb + b];
      }
      if (j == k) even += pressure_[k * nb + b] * reciprocal_[b];
      pressing_[k * nb + b] = slide_friction_[b] * (even + odd);
      for (int a = 0; a < planes_; ++a) {
        const Lanes* s = slip_[a] + b;
        even = Lanes{};
        odd = Lanes{};
        for (j = 0; j < k; j += 2) {
          even += pressing_[j * nb + b] * s[(k - j) * nb];
          odd += pressing_[(j + 1) * nb + b] * s[(k - j - 1) * nb];
        }
        if (j == k) even += pressing_[k * nb + b] * s[0];
        pull_[a][(k + 1) * nb + b] = -part * (even + odd);
      }
    }
  }

  /// Order k of f = −μFd with d = dₖ⁰ + θₖn, n ⟂ d₀: the part that |d| = 1 and lower orders give.
  void begin_parting(int k) {
    const int i = parting_;
    const double mu = friction_of(i);
    double(&d)[2][kOrder + 1] = part_direction_;
    double along = k == 0 ? 1.0 : 0.0;
    for (int j = 1; j < k; ++j) along -= 0.5 * (d[0][j] * d[0][k - j] + d[1][j] * d[1][k - j]);
    for (int a = 0; a < 2; ++a) {
      d[a][k] = along * contacts_[i].direction[a];
      double sum = 0.0;
      for (int j = 0; j <= k; ++j) sum += (j + 1.0) * at(impulse_, j + 1, i) * d[a][k - j];
      at(pull_[a], k + 1, i) = -mu * sum / (k + 1);
    }
  }

  /// θₖ and ωₖ₋₁ from sₖ₊₁ = Σ ωⱼ dₖ₋₁₋ⱼ: the slip that the forces give is t²ωd.
  void finish_parting(int k) {
    const int i = parting_;
    double(&d)[2][kOrder + 1] = part_direction_;
    if (k == 0) {  // no slip and no acceleration of slip at first
      for (Lanes* const slip : slip_) at(slip, 1, i) = 0.0;
      return;
    }
    double rest[2] = {at(slip_[0], k + 1, i), at(slip_[1], k + 1, i)};
    for (int j = 1; j < k; ++j)
      for (int a = 0; a < 2; ++a) rest[a] -= part_growth_[k - 1 - j] * d[a][j];
    const double n[2] = {-d[1][0], d[0][0]};
    double push[2] = {0.0, 0.0};  // slip by a unit of force along n
    for (int a = 0; a < 2; ++a)
      for (int b = 0; b < 2; ++b) push[a] += grip_.response(a + 1, i)[grip_.column(b + 1, i)] * n[b];
    const double give = n[0] * push[0] + n[1] * push[1];
    // Others that stick may hold it to its line.
    const double across = give > 1e-12 ? (n[0] * rest[0] + n[1] * rest[1]) / give : 0.0;
    part_growth_[k - 1] = d[0][0] * (rest[0] - across * push[0]) + d[1][0] * (rest[1] - across * push[1]);
    const double turn = across * (k + 1) / (friction_of(i) * at(impulse_, 1, i));
    for (int b = 0; b < 2; ++b) {
      d[b][k] += turn * n[b];
      const double change = -across * n[b];
      const int column = grip_.column(b + 1, i);
      at(pull_[b], k + 1, i) += change;
      source_of(k + 1)[column] += change;
      for (int row = 0; row <= planes_; ++row) {
        Lanes* velocity = row == 0 ? rate_ : slip_[row - 1];
        for (int j = 0; j < count_; ++j) at(velocity, k + 1, j) += grip_.response(row, j)[column] * change;
      }
    }
  }

  void expand_spring(int k, int i) {
    const double part = 1.0 / (k + 1);
    const bool drags = contacts_[i].grip == Grip::drag;
    for (int a = 0; a < planes_; ++a) {
      at(pull_[a], k + 1, i) = -part * spring_of(i) * at(stretch_[a], k, i);
      if (!drags) at(stretch_[a], k + 1, i) = part * at(slip_[a], k, i);
    }
    if (!drags) return;
    const double ratio = friction_of(i) / springs_.spring[contacts_[i].index];  // ρ = (μ/κ)x
    double slider = ratio * at(pace_, 0, i) * at(rate_, k, i);
    for (int a = 0; a < planes_; ++a) {
      double sum = at(stretch_[a], k, i);
      for (int j = 1; j <= k; ++j) sum -= ratio * at(compression_, j, i) * at(drag_[a], k - j, i);
      at(drag_[a], k, i) = sum / (ratio * at(compression_, 0, i));
      for (int j = 0; j <= k; ++j) slider += at(slip_[a], j, i) * at(drag_[a], k - j, i);
    }
    at(slider_, k, i) = slider;
    for (int a = 0; a < planes_; ++a) {
      double sum = at(slip_[a], k, i);
      for (int j = 0; j <= k; ++j) sum -= at(slider_, j, i) * at(drag_[a], k - j, i);
      at(stretch_[a], k + 1, i) = part * sum;
    }
  }

  CompliantAnswer& sparse_;                         // to free impulses, where contacts feel few others
  Lanes* answer_[3] = {};                           // else: by row, column by column
  double* sources_ = nullptr;                       // free impulses by order, columns of each
  double *grown_ = nullptr, *force_now_ = nullptr;  // by column
  CompliantMemory& friction_memory_;
  Lanes *pressing_ = nullptr, *square_ = nullptr, *reciprocal_ = nullptr;  // μ(dp/ds)/|s|, s·s, 1/|s|: series
  Lanes *slide_friction_ = nullptr, *inverse_square_ = nullptr;
  double part_direction_[2][kOrder + 1] = {};  // d
  double part_growth_[kOrder + 1] = {};        // ω
  static constexpr PowerWeights<kOrder> kRootPower{0.5}, kReciprocalPower{-0.5};
};

}  // namespace carom
