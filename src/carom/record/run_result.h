#pragma once
/// How a run ended: what `carom run` prints, whatever the engine.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carom/record/observer.h"

namespace carom {

enum class RunStop {
  duration,     ///< the time that was asked for is over
  at_rest,      ///< nothing moves any more
  apart,        ///< contacts have been closed and all have opened again
  event_limit,  ///< as many impacts as were allowed
  interrupted,  ///< somebody asked to stop
  failed,       ///< the mathematics did not work out
  scripted,     ///< the scene asked for it
};
/// `duration`, `at-rest`, `apart`, `event-limit`, `interrupted`, `failed`, `scripted`.
std::string_view run_stop_name(RunStop stop);

/// How sure it is that no contact was missed.
enum class Guarantee {
  proven,   ///< closed-form motion and proven bounds on every pair
  bounded,  ///< the same bounds on a motion that was integrated numerically
  sampled,  ///< gaps of a user's system were looked at between steps only
};
std::string_view guarantee_name(Guarantee guarantee);

/// Why the mathematics did not finish.
struct Failure {
  std::string reason;  ///< one sentence
  double time = 0.0;
  std::vector<BodyIndex> bodies;  ///< that were involved
};

/// What a compliant run says besides.
struct CompliantReport {
  std::string integrator;
  std::int64_t contacts_started = 0;
  std::int64_t attractions_clamped = 0;  ///< contacts whose law would have pulled at some time; it was cut to zero
  std::optional<double> least_approach;  ///< smallest v₀ that a law which needs one was given [m/s]
  double deepest = 0.0;                  ///< largest penetration, relative to the smaller body's bounding radius
  double constraint_drift = 0.0;         ///< largest relative error of a rod's length, or m of a body off its plane
  Eigen::Vector3d momentum_before = Eigen::Vector3d::Zero();  ///< of all bodies at the start [N s]
  Eigen::Vector3d momentum_after = Eigen::Vector3d::Zero();   ///< at the end, those that left play without
  int settled = 0;  ///< bodies that were let down to their static depth at the start
  struct Swallowed {
    BodyIndex body;
    PocketIndex pocket;
  };
  std::vector<Swallowed> swallowed;  ///< in their order
  struct LawWork {
    std::string law;          ///< name of the law
    double dissipated = 0.0;  ///< [J]
  };
  std::vector<LawWork> works;         ///< of each normal and friction law
  std::vector<std::string> warnings;  ///< each reported once
};

/// Infinitely many bounces in a finite time.
struct Collapse {
  ObjectIndex a, b;          ///< that bounced
  double time = 0.0;         ///< when the bounces end [s]
  std::int64_t impacts = 0;  ///< of the whole run up to the one after which the rest are not resolved one by one
};

struct RunResult {
  RunStop stop = RunStop::duration;
  std::optional<Failure> failure;  ///< where stop is `failed`
  Guarantee guarantee = Guarantee::proven;
  std::int64_t impacts = 0;     ///< rounds count once each
  std::int64_t multiple = 0;    ///< impacts in which two or more contacts took an impulse
  std::int64_t of_several = 0;  ///< impacts with two or more closed contacts, whether they took one or not
  std::int64_t collapses = 0;   ///< contacts that came to rest after infinitely many bounces
  std::optional<Collapse> first_collapse{};
  std::int64_t contacts_opened = 0;                                      ///< persistent contacts that opened
  std::int64_t steps_accepted = 0, steps_rejected = 0, evaluations = 0;  ///< of numerical integration
  Flags flags;                               ///< remarks about the whole run: joint-forces-not-unique
  std::optional<CompliantReport> compliant;  ///< of compliant engines
  EnergyBook energy;
  State final_state;  ///< at the time reached
};

}  // namespace carom
