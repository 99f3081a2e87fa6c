#pragma once
/// Time integration of one cluster of coupled contacts for the law `compliant`.
///
/// Each contact is in one of three phases: open (no force), compressing, expanding (x runs e⁻² as fast). Within a phase
/// the right-hand side is smooth; phases change only at located instants, found by taking the step again:
///   open → compressing             x rises through 0
///   compressing → expanding        γ rises through 0 (only where e < 1; with e = 0 the contact opens at once)
///   expanding → compressing        γ falls through 0
///   closed → open                  x falls through 0
/// While no contact carries a force the motion is uniform and the next closing is known in closed form.
/// Units: speeds in reference speeds, stiffness in the largest of the cluster, time to match.

#include <span>

#include "carom/laws/impact/law_run.h"

namespace carom {

class CompliantCluster {
 public:
  /// Smaller cosines are round-off: such contacts do not feel each other.
  static constexpr double kUncoupled = 1e-14;

  /// `members` are movable contacts of the run, at least two.
  CompliantCluster(LawRun& run, std::span<const int> members, double exponent);

  /// Integrates to the end, adds the impulses to the run, updates its rates and counts its steps.
  Stop integrate();

 private:
  enum Phase : char { open, compressing, expanding };

  [[nodiscard]] double force(int i, double x) const;
  /// Slopes of the state (x, then p).
  void slopes(const double* state, double* slope) const;
  [[nodiscard]] double rate(int i, const double* state) const;
  [[nodiscard]] bool carries_force() const;
  /// Without force: on to the next closing. Returns false, with the reason, where nothing closes any more.
  bool fly(Stop& stop);
  /// One accepted step, up to the first change of phase in it. Returns false where the step size collapses.
  bool advance();

  /// What changes sign when contact i leaves its phase: positive while in it.
  [[nodiscard]] double compression_event(int i, const double* state) const;
  [[nodiscard]] double rate_event(int i, const double* state) const;
  using EventValue = double (CompliantCluster::*)(int, const double*) const;

  struct Event {
    int contact;   ///< −1: none
    bool by_rate;  ///< the rate changed its sign, otherwise the compression did
    double step;   ///< when, from the start of the step
  };

  /// Whether an open contact closed and opened again within the step from state_ to next_.
  [[nodiscard]] bool touched_in_between(int i) const;
  /// The first change of phase on the way to next_.
  Event first_event(double step);
  /// Its slope in time.
  double event_slope(EventValue value_of, int i, const double* state);
  /// About when an event value changes its sign on the way from state_ to next_.
  double estimate(EventValue value_of, int i, double step);
  /// When it does, not later than `step`, to kLocated.
  double locate(EventValue value_of, int i, double step, double guess);
  void change_phase(const Event& event);
  bool may_go_on(Stop& stop);
  void finish();

  LawRun& run_;
  std::span<const int> members_;
  int m_;
  double exponent_;
  double speed_;      // unit of speed
  double threshold_;  // of approach, in units of speed
  double step_;       // proposed step size
  long steps_ = 0;
  char* phase_;
  // ρ of coupled contacts, row by row: a chain or a rack has few neighbours per contact
  double* cosine_;
  int* neighbour_;
  int* row_end_;
  double* stiffness_;
  double* rate_before_;
  double* state_;  // x, p
  double* next_;
  double* trial_;
  double* slope_;
};

}  // namespace carom
