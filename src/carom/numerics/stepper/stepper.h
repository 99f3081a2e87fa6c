#pragma once
/// One interface for the methods that integrate ẏ = f(t, y) step by step, for engines that locate events in between.
///
/// The one who steps decides: attempt() tries a step and changes nothing, accept() takes it. A step in which something
/// happens is tried again up to the event, with the full order of the method; after the event, start() begins anew, for
/// a method must not carry its history across a change of the right-hand side.
///
///     stepper->start(system, t, y, scale);
///     double h = stepper->proposed_step();
///     for (;;) {
///       const bool good = stepper->attempt(h) <= 1.0;
///       if (good) stepper->accept();  // or attempt(less) first, where an event lies inside
///       h = stepper->proposed_step();
///     }
///
/// Errors are absolute, one scale for each component, in the maximum norm: a penetration of micrometres matters however
/// far from the origin it happens. No memory is taken after a start with a system of the same size or a smaller one.

#include <memory>
#include <span>
#include <vector>

#include "carom/base/archive.h"
#include "carom/base/prefetch.h"

namespace carom {

/// What a system tells of the parts of it that are quick, so that steps can be longer than these: a linear map S near
/// ∂f/∂y. How near decides how quickly an implicit step is found, not how exact it is.
class StiffPart {
 public:
  virtual ~StiffPart() = default;

  /// The quickest rate of S at this state [1/s], about: explicit steps may be as long as 2.5 of its inverse. What rings
  /// without damping counts 2.5 times its rate, as explicit steps of more than its inverse make it grow.
  virtual double quickest_rate(double time, const double* y) = 0;

  /// Takes S at this state, and makes ready to solve with 1 − cS.
  virtual void factor(double time, const double* y, double c) = 0;

  /// (1 − cS)⁻¹ r in place.
  virtual void solve(double* r) = 0;
};

/// ẏ = f(t, y) with y = [x (m) | v (m) | rest]; the derivative of x is v. The rest are attitudes, spins, quadratures.
class OdeSystem {
 public:
  virtual ~OdeSystem() = default;

  [[nodiscard]] virtual int size() const = 0;

  /// m, the number of positions and of velocities; 2m ≤ size. 0: a system of first order with nothing known of it.
  [[nodiscard]] virtual int position_count() const = 0;

  /// Writes f(t, y). The same t and y give the same slope until the next start.
  virtual void slope(double time, const double* y, double* slope) = 0;

  /// Null where nothing is known of what is quick. The same until the next start.
  virtual StiffPart* stiff_part() { return nullptr; }
};

class Stepper {
 public:
  virtual ~Stepper() = default;

  /// An independent stepper at the same point, with the same history and the same trial. `system` takes the place of
  /// the system that this one was started with, and has to be a copy of it.
  [[nodiscard]] std::unique_ptr<Stepper> clone(OdeSystem& system) const;

  /// Begins at a point and forgets all history. Evaluates the slope once. `scale`: the error that one step may make in
  /// each component, > 0; infinite: not controlled. The system is kept by reference, the numbers are copied.
  void start(OdeSystem& system, double time, std::span<const double> y, std::span<const double> scale);

  /// Tries a step of size h ≠ 0 from the current point. Returns the estimated error relative to the scale: at most 1
  /// where the step may be accepted, infinite where the right-hand side is not finite. Nothing is kept of a step that
  /// is not accepted: any number of attempts before the last leave no trace.
  double attempt(double h);

  /// Size to try next. After start(): a guess from x, v, a and the scale, where these tell (infinite where they do
  /// not, as in free flight); who knows better should not ask. After attempt(h): as its error suggests, whether it is
  /// accepted or not; accept() does not change it.
  [[nodiscard]] virtual double proposed_step() const = 0;

  /// Makes the tried point the current one.
  void accept();

  /// Replaces the tried point, which is then accepted (a projection onto constraints); evaluates the slope there.
  void replace_trial(std::span<const double> y);
  /// The same by less than a step may err: the slope stays that of the tried point.
  void nudge_trial(std::span<const double> y);

  [[nodiscard]] double time() const { return time_; }
  [[nodiscard]] std::span<const double> y() const { return {y_.data(), size()}; }
  [[nodiscard]] std::span<const double> slope() const { return {slope_.data(), size()}; }

  [[nodiscard]] double trial_time() const { return trial_time_; }
  [[nodiscard]] std::span<const double> trial_y() const { return {trial_y_.data(), size()}; }
  [[nodiscard]] std::span<const double> trial_slope() const { return {trial_slope_.data(), size()}; }

  /// The order of the next step; of a method with one order, that.
  [[nodiscard]] virtual int order() const = 0;

  /// Whether the tried step passed over what is quicker than itself. What is left of that in the slopes at its ends
  /// says nothing of what lies between, so that polynomials through them may be far off there.
  [[nodiscard]] virtual bool passed_over() const { return false; }

  /// How often the right-hand side was evaluated since this stepper was made.
  [[nodiscard]] long evaluations() const { return evaluations_; }

  /// Asks for the memory that a step reads.
  void prefetch() const {
    for (const auto* const numbers : {&y_, &slope_, &trial_y_, &trial_slope_, &inverse_scale_})
      prefetch_elements(*numbers);
    prefetch_more();
  }

  /// Point, history and trial, into an archive or back into a stepper of the same kind; `system` is that which it was
  /// started with, or a copy of it.
  void transfer(Archive& archive, OdeSystem& system);

 protected:
  Stepper() = default;
  Stepper(const Stepper&) = default;
  Stepper& operator=(const Stepper&) = default;

  /// A copy, still with the system of this one.
  [[nodiscard]] virtual std::unique_ptr<Stepper> copy() const = 0;

  /// The same of what a method keeps besides.
  virtual void prefetch_more() const {}

  /// What a method keeps besides.
  virtual void transfer_history(Archive& archive) = 0;

  /// Makes room for n_ components, and begins: y_, slope_ and inverse_scale_ stand.
  virtual void begin() = 0;

  /// Writes trial_y_ and trial_slope_ (at trial_time_) for a step of size h from y_ and slope_; returns the error.
  virtual double try_step(double h) = 0;

  /// Takes over what is to be kept of the tried step, before the current point changes.
  virtual void keep() {}

  void evaluate(double time, const double* y, double* slope) {
    ++evaluations_;
    system_->slope(time, y, slope);
  }

  [[nodiscard]] OdeSystem& system() { return *system_; }
  void count_evaluations(long count) { evaluations_ += count; }

  /// The first step of a method of order p where the motion is known by x, v and a alone. Each position suggests the
  /// amplitude A = v²/|a| and the time T = |v|/|a|; a step of size h then makes an error near A (h/T)^(p+1), which is
  /// the scale s for h = (|v|^(p−1) s/|a|^p)^(1/(p+1)). Where the velocity vanishes, √(2s/|a|) is the least it can be:
  /// there even a step of first order stays within the scale.
  [[nodiscard]] double first_step(int order) const;

  int n_ = 0;
  int positions_ = 0;
  double time_ = 0.0;
  double trial_time_ = 0.0;
  std::vector<double> y_;
  std::vector<double> slope_;
  std::vector<double> trial_y_;
  std::vector<double> trial_slope_;
  std::vector<double> inverse_scale_;  ///< 0 where not controlled

 private:
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(n_); }

  OdeSystem* system_ = nullptr;
  bool tried_ = false;
  long evaluations_ = 0;
};

}  // namespace carom
