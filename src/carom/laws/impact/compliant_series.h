#pragma once
/// Taylor series of contact springs over one step: the arithmetic of the law `compliant`.
///
/// Contact i has the compression x, the gap rate v, the impulse p and the spring F = K x^η:
///   dp/dt = F,  v = v⁻ + ρp,  dx/dt = −κv   with κ = 1 (compressing, open) or 1/e² (expanding).
/// Coefficients follow from each other at the price of one matrix product an order, x^η by the recursion for powers.
/// Since x^(3/2) is not analytic at x = 0, a step has its own clock s with dt = c(s) ds, on which everything is:
///   plain           c = 1
///   just closed     t = t₀ + s², c = 2s: x = s²w and F = K s³w^(3/2) with w analytic; kept until an opening is near
///   about to open   c = y = √x of that contact: dy/ds = −κv/2, dp/ds = Kx²; y passes zero with a slope
/// For other exponents than 1 and 3/2 the clock is plain, and a contact that is compressed so little that its force is
/// a round-off of the others' (below `touching_`) carries none.
///
/// Several contacts are computed at once, in lanes of a vector. Closed contacts come first in all arrays: open ones
/// cost no series of a force and no column of the matrix. An array of series holds the coefficients of order 0 for all
/// contacts, then those of order 1, and so on.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "carom/laws/impact/compliant_memory.h"
#include "carom/laws/impact/compliant_polynomial.h"
#include "carom/numerics/dense.h"

namespace carom {

/// W contacts share a vector; B vectors hold all contacts, 0: known at run time only.
template <int W, int B>
class CompliantSeries {
 protected:
  using Lanes = typename LanesOf<W>::Type;
  static constexpr int kOrder = 16;

  explicit CompliantSeries(CompliantMemory& memory) : contacts_(memory.contacts), memory_(memory) {}

  [[nodiscard]] int blocks() const { return B > 0 ? B : (count_ + W - 1) / W; }
  [[nodiscard]] int closed_blocks() const { return B == 1 ? 1 : (closed_ + W - 1) / W; }
  /// From one order of a contact's series to the next.
  [[nodiscard]] int stride() const { return blocks() * W; }
  [[nodiscard]] double& at(Lanes* series, int order, int i) const {
    return reinterpret_cast<double*>(series + order * blocks())[i];
  }
  [[nodiscard]] static const double* lane(const Lanes* series, int i) {
    return reinterpret_cast<const double*>(series) + i;
  }

  void set_up(const CompliantSprings& springs) {
    count_ = springs.contacts;
    closed_ = 0;
    linear_ = springs.exponent == 1.0;
    hertzian_ = springs.exponent == 1.5;
    exponent_ = springs.exponent;
    root_clock_ = false;
    // Below this force a contact adds less than 1e-15 to any speed.
    touching_ = std::pow(1e-15, 1.0 / exponent_);
    if (!linear_ && !hertzian_) own_power_ = PowerWeights<kOrder>(exponent_);
    power_ = hertzian_ ? &kHertzPower : &own_power_;
    take_memory();
    contacts_.clear();
    for (int i = 0; i < count_; ++i) {
      contacts_.push_back({.index = i});
      for (int j = 0; j < count_; ++j) at(matrix_, j, i) = springs.matrix[j * count_ + i];
      at(stiffness_, 0, i) = springs.stiffness[i];
      at(restitution_squared_, 0, i) = springs.restitution[i] * springs.restitution[i];
      at(pace_, 0, i) = 1.0;
      at(rate_, 0, i) = springs.rate[i];
    }
  }

  [[nodiscard]] double spring_force(int i) const {
    const double x = std::max(at(compression_, 0, i), 0.0);
    const double power = linear_ ? x : hertzian_ ? x * std::sqrt(x) : std::pow(x, exponent_);
    return at(stiffness_, 0, i) * power;
  }

  /// Round-off must not make a contact slack again that has just been compressed so far, nor the reverse.
  [[nodiscard]] bool is_slack(int i) const {
    const double margin = at(rate_, 0, i) < 0.0 ? -1e-9 : 1e-9;
    return !linear_ && !hertzian_ && at(compression_, 0, i) < touching_ * (1.0 + margin);
  }

  void exchange(int a, int b) {
    if (a == b) return;
    for (int j = 0; j < count_; ++j) std::swap(at(matrix_, j, a), at(matrix_, j, b));
    for (int j = 0; j < count_; ++j) std::swap(at(matrix_, a, j), at(matrix_, b, j));
    for (Lanes* numbers : {compression_, rate_, impulse_, stiffness_, restitution_squared_, pace_})
      std::swap(at(numbers, 0, a), at(numbers, 0, b));
    std::swap(contacts_[a], contacts_[b]);
  }

  /// The clock of the next step. `last_` is the time that the step before took.
  void choose_clock() {
    opening_ = -1;
    starting_ = false;
    double soonest = 0.0;
    for (int i = 0; i < closed_; ++i) {
      contacts_[i].slack = is_slack(i);
      starting_ = starting_ || contacts_[i].just_closed;
      const double falling = at(pace_, 0, i) * at(rate_, 0, i);
      const double time = at(compression_, 0, i) / falling;
      if (falling > 0.0 && (opening_ < 0 || time < soonest)) {
        opening_ = i;
        soonest = time;
      }
    }
    if (starting_ || !hertzian_ || soonest > 2.5 * last_) opening_ = -1;
    root_clock_ = root_clock_ && opening_ < 0;
    clock_length_ = opening_ >= 0 ? kOrder : root_clock_ ? 2 : 1;
    clock_[0] = opening_ >= 0 ? std::sqrt(at(compression_, 0, opening_)) : root_clock_ ? 2.0 * root_ : 1.0;
    clock_[1] = 2.0;
  }

  /// All coefficients of the step from those of order 0.
  void expand() {
    begin_expansion();
    for (int k = 0; k < kOrder; ++k) {
      expand_impulses(k);
      expand_compressions(k);
      const int next = (k + 1) * blocks();
      multiply_matrix(matrix_, lane(impulse_ + next, 0), B > 0 ? closed_blocks() * W : closed_, rate_ + next);
    }
  }

  void begin_expansion() {
    const int closed_nb = closed_blocks();
    std::fill_n(inverse_, closed_nb, Lanes{});
    std::fill_n(force_, closed_nb, Lanes{});
    for (int i = 0; i < closed_; ++i)
      if (!contacts_[i].just_closed && !contacts_[i].slack && i != opening_ && at(compression_, 0, i) > 0.0) {
        at(inverse_, 0, i) = linear_ ? 1.0 : 1.0 / at(compression_, 0, i);
        at(force_, 0, i) = spring_force(i);
      }
  }

  /// Forces of order k, and the impulses of order k + 1 that follow.
  void expand_impulses(int k) {
    const int nb = blocks();
    expand_forces(k);
    const double part = 1.0 / (k + 1);
    const int length = std::min(clock_length_, k + 1);
    for (int b = 0; b < closed_blocks(); ++b) {
      Lanes product;
      multiply(clock_, length, force_ + b, k, product);
      impulse_[(k + 1) * nb + b] = part * product;
    }
    if (opening_ >= 0) at(impulse_, k + 1, opening_) = impulse_while_opening(k);
  }

  /// Compressions of order k + 1 from the rates of order k, and the clock where it is a compression's root.
  void expand_compressions(int k) {
    const int nb = blocks();
    const double part = 1.0 / (k + 1);
    const int length = std::min(clock_length_, k + 1);
    for (int b = 0; b < nb; ++b) {
      Lanes product;
      multiply(clock_, length, rate_ + b, k, product);
      compression_[(k + 1) * nb + b] = -part * pace_[b] * product;
    }
    if (opening_ >= 0) clock_[k + 1] = -0.5 * part * at(pace_, 0, opening_) * at(rate_, k, opening_);
  }

  /// The sum of `count` columns of a matrix, each times its number.
  void multiply_matrix(const Lanes* matrix, const double* numbers, int count, Lanes* result) const {
    const int nb = blocks();
    for (int b = 0; b < nb; ++b) {
      Lanes even{}, odd{};
      int j = 0;
      for (; j + 1 < count; j += 2) {
        even += matrix[j * nb + b] * numbers[j];
        odd += matrix[(j + 1) * nb + b] * numbers[j + 1];
      }
      if (j < count) even += matrix[j * nb + b] * numbers[j];
      result[b] = even + odd;
    }
  }

  /// Values of the first `count` blocks of a series at s = h, and slopes where wanted.
  void evaluate(const Lanes* series, double h, Lanes* end, int count, Lanes* slope_end = nullptr) const {
    const int nb = blocks();
    for (int b = 0; b < count; ++b) {
      Lanes sum = series[kOrder * nb + b];
      Lanes slope{};
      for (int k = kOrder - 1; k >= 0; --k) {
        slope = slope * h + sum;
        sum = sum * h + series[k * nb + b];
      }
      end[b] = sum;
      if (slope_end != nullptr) slope_end[b] = slope;
    }
  }

  /// `count` vectors of zeros.
  static Lanes* aligned(std::vector<double>& storage, std::size_t count) {
    double* start = dense::ensure(storage, (count + 1) * W);
    const auto misaligned = reinterpret_cast<std::uintptr_t>(start) % sizeof(Lanes);
    if (misaligned > 0) start += (sizeof(Lanes) - misaligned) / sizeof(double);
    auto* lanes = reinterpret_cast<Lanes*>(start);
    std::fill_n(lanes, count, Lanes{});
    return lanes;
  }

  std::vector<CompliantContact>& contacts_;
  int count_ = 0;
  int closed_ = 0;
  int opening_ = -1;  // the contact whose √x is the clock
  int clock_length_ = 1;
  bool linear_ = false, hertzian_ = false;
  bool starting_ = false;    // a contact has just closed
  bool root_clock_ = false;  // t = t₀ + s²
  double root_ = 0.0;        // s on that clock
  double last_ = 0.0;
  double exponent_ = 1.5;
  double touching_ = 0.0;  // contacts at rest are closed from this compression on
  double clock_[kOrder + 1] = {};
  Lanes *compression_ = nullptr, *rate_ = nullptr, *impulse_ = nullptr, *force_ = nullptr;  // series
  Lanes* matrix_ = nullptr;                                                                 // column by column
  Lanes *stiffness_ = nullptr, *restitution_squared_ = nullptr, *pace_ = nullptr;           // K, e², κ
  Lanes *compression_end_ = nullptr, *rate_end_ = nullptr, *rate_slope_end_ = nullptr;

 private:
  void take_memory() {
    const auto nb = static_cast<std::size_t>(blocks());
    const std::size_t series = nb * (kOrder + 1);
    const std::size_t all = 4 * series + nb * nb * W + 7 * nb;
    Lanes* next = aligned(memory_.numbers, all);
    for (Lanes** numbers : {&compression_, &rate_, &impulse_, &force_}) {
      *numbers = next;
      next += series;
    }
    matrix_ = next;
    next += nb * nb * W;
    for (Lanes** numbers :
         {&stiffness_, &restitution_squared_, &pace_, &inverse_, &compression_end_, &rate_end_, &rate_slope_end_}) {
      *numbers = next;
      next += nb;
    }
  }

  /// Order k of the product of a scalar series and one of lanes. By reference: vectors of this size have no agreed way
  /// of being returned.
  void multiply(const double* scalar, int length, const Lanes* series, int k, Lanes& product) const {
    const int nb = blocks();
    Lanes even = scalar[0] * series[k * nb];
    Lanes odd{};
    int l = 1;
    for (; l + 1 < length; l += 2) {
      odd += scalar[l] * series[(k - l) * nb];
      even += scalar[l + 1] * series[(k - l - 1) * nb];
    }
    if (l < length) odd += scalar[l] * series[(k - l) * nb];
    product = even + odd;
  }

  void expand_forces(int k) {
    const int nb = blocks();
    const int closed_nb = closed_blocks();
    for (int b = 0; linear_ && b < closed_nb; ++b)
      force_[k * nb + b] = stiffness_[b] * compression_[k * nb + b] * inverse_[b];
    if (linear_) return;
    for (int b = 0; k > 0 && b < closed_nb; ++b) {
      const double* weight = (*power_)[k];
      Lanes even{}, odd{};
      int j = 1;
      for (; j < k; j += 2) {
        odd += weight[j] * compression_[j * nb + b] * force_[(k - j) * nb + b];
        even += weight[j + 1] * compression_[(j + 1) * nb + b] * force_[(k - j - 1) * nb + b];
      }
      if (j == k) odd += weight[k] * compression_[k * nb + b] * force_[b];
      force_[k * nb + b] = (even + odd) * inverse_[b];
    }
    for (int i = 0; starting_ && i < closed_; ++i)
      if (contacts_[i].just_closed) at(force_, k, i) = force_of_just_closed(k, i);
  }

  /// F = K s³ w^(3/2) with x = s²w.
  [[nodiscard]] double force_of_just_closed(int k, int i) const {
    const int order = k - 3;
    if (order < 0) return 0.0;
    const double w = at(compression_, 2, i);
    if (order == 0) return at(stiffness_, 0, i) * w * std::sqrt(w);
    double sum = 0.0;
    for (int j = 1; j <= order; ++j)
      sum += (*power_)[order][j] * at(compression_, j + 2, i) * at(force_, order - j + 3, i);
    return sum / w;
  }

  /// dp/ds = yF = Kx².
  [[nodiscard]] double impulse_while_opening(int k) const {
    const int n = stride();
    const int half = (k + 1) / 2;
    const double* x = lane(compression_, opening_);
    double even = k % 2 == 1 ? 0.0 : 0.5 * x[k / 2 * n] * x[k / 2 * n];
    double odd = 0.0;
    int j = 0;
    for (; j + 1 < half; j += 2) {
      even += x[j * n] * x[(k - j) * n];
      odd += x[(j + 1) * n] * x[(k - j - 1) * n];
    }
    if (j < half) even += x[j * n] * x[(k - j) * n];
    return 2.0 * (even + odd) * at(stiffness_, 0, opening_) / (k + 1);
  }

  CompliantMemory& memory_;
  Lanes* inverse_ = nullptr;  // 1/x where the force has a series of its own, else 0
  static constexpr PowerWeights<kOrder> kHertzPower{1.5};
  PowerWeights<kOrder> own_power_{};
  const PowerWeights<kOrder>* power_ = nullptr;  // of x^η
};

}  // namespace carom
