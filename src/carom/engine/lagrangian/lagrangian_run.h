#pragma once
/// One run of LagrangianEngine: the loop and its state. lagrangian_run.cpp moves, lagrangian_instant.cpp does what
/// happens at an instant (impacts, rest, release).

#include <limits>
#include <vector>

#include "carom/contact/gap_search.h"
#include "carom/engine/lagrangian/lagrangian_dynamics.h"
#include "carom/engine/lagrangian/lagrangian_engine.h"
#include "carom/laws/impact/impact_solver.h"
#include "carom/numerics/gauss_collocation.h"

namespace carom::lagrangian {

class LagrangianRun {
 public:
  LagrangianRun(const LagrangianSystem& system, const LagrangianState& initial, const LagrangianOptions& options);
  LagrangianResult run(Observer* observer, const std::atomic<bool>* interrupt);

 private:
  // --- lagrangian_run.cpp: motion ---
  /// One step, or the part of it up to its first event, which is then handled.
  void advance();
  void slopes(double time, const double* y, double* slope);
  /// Copies q and v out of the integrator's vector, and back.
  void unpack(const double* y, Vector& q, Vector& v) const;
  void pack();
  /// g and ġ of a contact, or the whole state, within the last step.
  GapSample gap_within(int contact, double after);
  void state_within(double after, Vector& q, Vector& v) const;
  struct NextEvent {
    double after = std::numeric_limits<double>::infinity();  ///< time since the start of the step
    int contact = kNone;                                     ///< that closes; kNone: a release
  };
  NextEvent first_event(double step);
  /// A bound on how far any coordinate moves in the last step.
  [[nodiscard]] double farthest_travel() const;
  void find_closings(double step, NextEvent& next);
  void find_release(double step, NextEvent& next);
  /// Takes the step again so that it ends at the event.
  void go_to(const NextEvent& next);
  void take_samples(double until);
  void sample(const LagrangianState& state, double work);
  void keep_on_constraints();
  [[nodiscard]] bool at_rest();
  void fail(std::string reason);
  void stop(RunStop why);

  // --- lagrangian_instant.cpp: what happens at one instant ---
  void instant();
  bool resolve(int round);
  void gather_problem();
  void record_impact(int round);
  /// Gap rates of all contacts and what they are compared with; whether a closed contact approaches.
  void measure_rates();
  [[nodiscard]] bool approaches(int contact) const;
  bool something_approaches();
  /// Decides which contacts persist from here on, and sets them on their constraints.
  void settle();
  bool set_down();
  bool drop_opening();
  /// Fills chosen_, pull_ and the like; false where the accelerations could not be found.
  bool choose_candidates();
  void release();
  [[nodiscard]] bool wants_release(double after);
  void emit(EventKind kind, double time, std::span<const int> contacts);
  void emit_rests(double until);
  /// Projects onto what is held and books the energy that this takes.
  void put_on_constraints(std::span<const int> held);
  [[nodiscard]] double total_energy();

  const LagrangianSystem& system_;
  const LagrangianOptions& options_;
  LagrangianDynamics dynamics_;
  GaussCollocation collocation_;
  ImpactSolver solver_;
  ImpactProblem problem_;
  ImpactOutcome outcome_;
  Observer* observer_ = nullptr;
  LagrangianResult result_;
  LagrangianState state_;
  bool running_ = true;
  double end_ = 0.0;
  double step_ = 0.0;        // the next step to try
  double gap_closed_ = 0.0;  // a gap up to this is closed
  double gap_noise_ = 0.0;   // gaps are known up to this
  double idle_since_ = -std::numeric_limits<double>::infinity();
  int idle_instants_ = 0;  // events since then; time did not move on
  std::int64_t next_sample_ = 1;
  double start_ = 0.0;
  std::vector<double> y_, y_new_;  // q, v and the work of forces without potential
  std::vector<double> dense_;      // coefficients of the step that an event cuts short
  std::vector<int> held_;          // persistent contacts, ascending
  std::vector<int> closed_;        // at the instant
  std::vector<int> taking_part_;   // in the impact
  std::vector<int> chosen_;        // to persist from here on
  std::vector<int> releasing_;     // what the last wants_release() that was true found
  std::vector<ContactRecord> records_;
  struct PendingRest {
    double time;
    std::vector<int> contacts;
  };
  std::vector<PendingRest> pending_rests_;  // ascending in time
  Vector work_q_, work_v_;
  // Of all contacts, at the instant: gap rates, −g̈, row lengths, and the rates below which they rest; and
  // the greatest √(2T) of the instant.
  Vector rates_, pull_, lengths_, rest_rate_;
  double speed_ = 0.0;
};

}  // namespace carom::lagrangian
