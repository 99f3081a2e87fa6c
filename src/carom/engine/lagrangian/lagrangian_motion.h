#pragma once
/// The motion of a user's system between two instants: one step of Gauss collocation (numerics/gauss_collocation.h)
/// with its dense output.
///
/// The integrated vector is q, v, what friction dissipates and the work of forces without potential. The ends of a
/// collocation step are far better than its dense output, so a step that an event cuts short is taken again up to there
/// (end_at); the dense output stays that of the whole step.

#include <vector>

#include "carom/engine/lagrangian/system_state.h"
#include "carom/numerics/gauss_collocation.h"

namespace carom::lagrangian {

class LagrangianMotion {
 public:
  LagrangianMotion(const LagrangianDynamics& dynamics, const LagrangianState& initial, double tolerance);

  struct Attempt {
    bool accepted = false;
    double factor = 1.0;  ///< that the next step should be longer by
  };
  /// A step from `from`; where it is accepted the functions below tell its motion.
  Attempt try_step(LagrangianDynamics& dynamics, const SystemState& from, double length);
  /// Moves the end of the step to another time after its start. False, and the end stays where it was: the iteration
  /// did not converge.
  bool end_at(LagrangianDynamics& dynamics, const SystemState& from, double after);
  /// The same by the dense output.
  void end_on_dense_output(double after);

  /// q, v and work at the end of the step.
  void read_end(Vector& q, Vector& v) const { unpack(end_.data(), q, v); }
  [[nodiscard]] double work_at_end() const { return end_.back(); }
  [[nodiscard]] double friction_at_end() const { return end_[end_.size() - 2]; }
  /// The same within the step.
  void read_after(double after, Vector& q, Vector& v) const;
  [[nodiscard]] double work_at(double time) const { return integral_at(time, 1); }
  [[nodiscard]] double friction_at(double time) const { return integral_at(time, 2); }
  /// Of the whole step.
  [[nodiscard]] double length() const { return step_; }
  /// A bound on how far any coordinate moves in the step.
  [[nodiscard]] double farthest_travel() const;

  /// Evaluations of the forces so far.
  [[nodiscard]] long evaluations() const { return collocation_.evaluations(); }

  /// The step under way, into an archive or back (system_checkpoint.cpp).
  void transfer(Archive& archive);

 private:
  [[nodiscard]] double integral_at(double time, int from_end) const;
  void pack(const SystemState& state);
  void unpack(const double* y, Vector& q, Vector& v) const;
  CollocationResult integrate(LagrangianDynamics& dynamics, const SystemState& from, double length);
  void slopes(LagrangianDynamics& dynamics, std::span<const ContactIndex> held, double time, double* slope);
  [[nodiscard]] DensePolynomial dense() const {
    return {coefficients_.data(), coordinates_ + speeds_ + 2, start_, step_};
  }

  int coordinates_, speeds_;
  GaussCollocation collocation_;
  std::vector<double> begin_, end_, next_;  // of the step: q, v and work
  std::vector<double> coefficients_;        // of the dense output of the whole step
  double start_ = 0.0, step_ = 0.0;
  Vector q_, v_;
};

}  // namespace carom::lagrangian
