#pragma once
/// The first event in a step of known motion: a gap closes, or persistent contacts let go.
///
/// Every gap is followed along the dense output (contact/gap_search.h). The forces of persistent contacts are looked at
/// in a few places of the step, and where one pulls the instant is found by bisection.

#include <limits>

#include "carom/contact/gap_search.h"
#include "carom/engine/lagrangian/lagrangian_motion.h"

namespace carom::lagrangian {

struct NextEvent {
  double after = std::numeric_limits<double>::infinity();  ///< since the start of the step [s]; infinite: there is none
  ContactIndex closing = kNone;                            ///< the contact that closes
  ContactList opening;                                     ///< otherwise: those that open,
  ContactList ending;  ///< or those that cease to slide or to stick as they did: slip at its end, friction at its limit
  bool proven = true;  ///< it followed from bounds on the gap accelerations that nothing closed before
};

/// For one search; the references outlive it.
class EventSearch {
 public:
  /// `closed`: a gap up to this is closed.
  EventSearch(LagrangianDynamics& dynamics, const SystemState& start, const LagrangianMotion& motion, double closed)
      : dynamics_(dynamics), start_(start), motion_(motion), closed_(closed) {}

  NextEvent first();

 private:
  void find_closings(NextEvent& next);
  void find_release(double until, NextEvent& next);
  /// g and ġ of a contact.
  contact::GapSample gap_after(ContactIndex contact, double after);
  /// The persistent contacts that pull.
  ContactList pulling_after(double after);
  /// Those whose slip has come to its end, or whose friction has come to its limit.
  ContactList ending_after(double after);

  LagrangianDynamics& dynamics_;
  const SystemState& start_;
  const LagrangianMotion& motion_;
  double closed_;
  Vector q_, v_;
};

}  // namespace carom::lagrangian
