#include "carom/laws/impact/contact_path.h"

namespace carom {

void push_rows(LawRun& run, int r, const double* q, double* rates) {
  const FrictionSpace& space = *run.friction;
  const int n = space.rows();
  for (int t = 0; t <= space.tangents(r); ++t) {
    const int row = space.first_row(r) + t;
    run.local_impulse[row] += q[t];
    dense::add_scaled(q[t], space.matrix() + static_cast<std::ptrdiff_t>(row) * n, rates, n);
  }
  for (int i = 0; i < run.contacts(); ++i) run.rate[i] = rates[space.first_row(i)];
}

bool strike_contact(LawRun& run, int r, RestitutionRule rule, double* rates) {
  const FrictionSpace& space = *run.friction;
  const int n = space.rows();
  const int f = space.first_row(r);
  const double e = run.space.restitution()[r];
  double q[3] = {0.0, 0.0, 0.0};
  if (space.tangents(r) == 0) {
    q[0] = -(1.0 + e) * rates[f];
    push_rows(run, r, q, rates);
    return true;
  }
  const double* block = space.matrix() + static_cast<std::ptrdiff_t>(f) * n + f;
  SingleContactData data{.tangents = space.tangents(r),
                         .inertance = block[0],
                         .friction = space.friction(r),
                         .restitution = e,
                         .rate = rates[f],
                         .speed = space.reference_speed()};
  data.coupling[0] = block[1];
  data.tangential[0] = block[n + 1];
  data.slip[0] = rates[f + 1];
  if (data.tangents == 2) {
    data.coupling[1] = block[2];
    data.tangential[1] = block[n + 2];
    data.tangential[2] = block[2 * n + 2];
    data.slip[1] = rates[f + 2];
  }
  SingleContact& contact = run.scratch.single_contact;
  contact.follow(data, rule);
  q[0] = contact.impulse();
  for (int t = 0; t < data.tangents; ++t) q[1 + t] = contact.tangential_impulse(t);
  push_rows(run, r, q, rates);
  run.friction_work[r] += contact.friction_work();
  for (const FrictionMode mode : contact.phases()) run.phases->push_back({r, mode});
  run.modes[r] = contact.mode_at_the_end();
  if (contact.stop() == Stop::wedged) run.flags.set(Flag::wedged);
  if (contact.stop() != Stop::infeasible) return true;
  run.stop = Stop::infeasible;
  return false;
}

}  // namespace carom
