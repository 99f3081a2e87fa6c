/// Which impulses answer the problem of an impact: those of the law, and where it comes to no end, those of laws that
/// do.

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "carom/engine/event/impacts.h"

namespace carom::event {

namespace {

/// In clusters of this many contacts, and of bodies that rattle or move as crowds, laws need not be exact: their cone
/// problems are solved to this accuracy, which takes a small part of the time that exact impulses of least norm take,
/// and springs are let go with this part of the energy.
constexpr std::size_t kManyStruck = 9;
constexpr double kManyStruckAccuracy = 1e-9, kManyStruckEnergy = 1e-2;
/// Among bodies that move as crowds their steps are no more accurate than this; and where contacts all but depend on
/// each other, and no impulses are found, than that (kRatesEnough of island_sweeps.cpp).
constexpr double kCrowdAccuracy = 1e-7, kCrowdEnough = 1e-5;
/// Slip in such clusters that is none, as a part of the fastest approach, among bodies that move as crowds, and where
/// laws have to be exact.
constexpr double kNoSlip = 1e-9, kNoSlipInCrowd = 1e-5, kNoSlipExactly = 1e-13;
/// Accuracy of what is answered without slip: cheap without friction, and what is symmetric stays so.
constexpr double kNoSlipAccuracy = 1e-10;
/// Part of the energy of an impact by which what impulses do and what velocities have may differ.
constexpr double kUnaccounted = 1e-9;
/// Energy that a law may create where it does not promise to create none, as a part of that of the bodies before.
constexpr double kCreatedAtMost = 1.0;
/// Residual that counts as a solution where redundant contacts let none be found that is smaller, as a part of the
/// reference speed.
constexpr double kGoodResidual = 1e-6;
/// Accuracy of impulses that end what no law could end: what is left of an approach is asked for again.
constexpr double kClosingAccuracy = 1e-2;

double fastest_approach(const ImpactProblem& problem) {
  double fastest = 0.0;
  for (const Contact& contact : problem.contacts)
    fastest = std::max(fastest, -contact.normal.dot(problem.velocity) - contact.offset);
  return fastest;
}

/// Whether a contact that resists slip has more of it than is allowed, at these velocities.
bool any_slips(const ImpactProblem& problem, std::span<const double> velocities, double allowed) {
  const Eigen::Map<const Vector> velocity(velocities.data(), static_cast<Eigen::Index>(velocities.size()));
  return std::any_of(problem.contacts.begin(), problem.contacts.end(), [&](const Contact& contact) {
    if (!contact.resists_slip()) return false;
    Vector slip = contact.tangents * velocity;
    if (contact.tangent_offsets.size() > 0) slip += contact.tangent_offsets;
    return slip.norm() > allowed;
  });
}

}  // namespace

void take_rebound(Contact& contact) {
  contact.restitution = 0.0;
  if (contact.tangential_restitution) contact.tangential_restitution = 0.0;
}

bool all_lose(const std::vector<ContactPoint>& contacts) {
  return std::all_of(contacts.begin(), contacts.end(),
                     [](const ContactPoint& contact) { return contact.rule.restitution.at_rest() < 1.0; });
}

/// Impulses that press rough bodies between walls may balance each other and be as large as they like: where round-off
/// of theirs is energy they are no answer. (Posed in moving frames, impulses alone do not tell the change.)
bool Impacts::is_accounted_for() const {
  if (builder_.moves_with_planes()) return true;
  const ImpactEnergy& energy = outcome_.energy;
  return std::abs(energy.change - energy.change_from_impulses) <= kUnaccounted * std::max(energy.before, energy.after);
}

/// Where rough contacts all but depend on each other, restitutions of Newton's kind ask for speeds that only impulses
/// without bound can give: 0.007 J became 5e5 J in a jammed heap. That is no end either.
bool Impacts::creates_much() const {
  if (builder_.moves_with_planes()) return false;
  const ImpactEnergy& energy = outcome_.energy;
  return energy.contact_work > kCreatedAtMost * std::max(energy.before, std::abs(energy.wall_work));
}

/// Approach that the answer has left where it was asked for an accuracy only, up to what it may leave: that part of the
/// reference speed at the contact that is moved most, or the residual where redundant contacts cost more digits. To ask
/// again for that has no end, since the next answer leaves as much; so twice of it is none.
double Impacts::approach_left() const {
  const ImpactProblem& problem = builder_.problem();
  if (!(problem.options.accuracy > 0.0)) return 0.0;
  const double left = -*std::min_element(outcome_.rate_after.begin(), outcome_.rate_after.end());
  if (!(left > 0.0)) return 0.0;
  double inertance = 0.0;
  for (const Contact& contact : problem.contacts) {
    double own = 0.0;
    contact.visit_known(static_cast<int>(contact.normal.size()), [&](int first, int count) {
      for (int k = first; k < first + count; ++k) own += contact.normal[k] * contact.normal[k] / problem.metric(k, k);
    });
    inertance = std::max(inertance, own);
  }
  const double speed = outcome_.reference_speed;
  const double residual = std::min(outcome_.audit.complementarity_residual.value_or(0.0), kGoodResidual * speed);
  const double allowed = std::max(problem.options.accuracy * speed, residual) * std::sqrt(inertance);
  return std::min(2.0 * left, allowed);
}

bool Impacts::is_finished(const ImpactLaw& law) const {
  const bool finite =
      std::all_of(outcome_.velocity.begin(), outcome_.velocity.end(), [](double v) { return std::isfinite(v); });
  const bool keeps_promise = law.promises.no_energy_created != Promise::always || builder_.moves_with_planes() ||
                             !outcome_.audit.flags.has(Flag::energy_created);
  return finished(outcome_.stop) && finite && keeps_promise && is_accounted_for() && !creates_much();
}

/// Whether one of these laws answers, the first that does.
bool Impacts::answered_by(std::initializer_list<const ImpactLaw*> laws) {
  return std::any_of(laws.begin(), laws.end(), [&](const ImpactLaw* law) {
    solver_.solve(builder_.problem(), *law, outcome_);
    return is_finished(*law);
  });
}

/// Where nothing slips, and nothing would without friction either, friction has nothing to do: boxes that fall flat
/// onto each other. What keeps a problem symmetric, and is quickly found, is taken then.
bool Impacts::answered_without_slip(const ImpactLaw& law) {
  ImpactProblem& problem = builder_.problem();
  const double none = problem.options.accuracy == 0.0 ? kNoSlipExactly : builder_.crowded() ? kNoSlipInCrowd : kNoSlip;
  const double allowed = none * fastest_approach(problem);
  const Vector& before = problem.velocity;
  if (any_slips(problem, {before.data(), static_cast<std::size_t>(before.size())}, allowed)) return false;
  std::vector<std::pair<double, bool>> friction;
  for (Contact& contact : problem.contacts)
    friction.emplace_back(std::exchange(contact.friction, 0.0), std::exchange(contact.rough, false));
  const double accuracy = std::exchange(problem.options.accuracy, std::min(problem.options.accuracy, kNoSlipAccuracy));
  const bool answered = answered_by({&law});
  problem.options.accuracy = accuracy;
  for (std::size_t i = 0; i < friction.size(); ++i)
    std::tie(problem.contacts[i].friction, problem.contacts[i].rough) = friction[i];
  return answered && !any_slips(problem, outcome_.velocity, allowed);
}

/// The law answers. Where it does not come to an end, impulses end what is left: first with the restitutions of the
/// contacts, all at once or one after the other. Where these stand in each other's way: without friction where one is
/// full, since nothing else keeps its energy; and where none is, or where only what other impulses have left is to end,
/// without rebound, since bounces that are infinitely many end at once. Without rebound there is always an answer that
/// loses energy: to a coarse accuracy sweeps find it, and at last without friction, where it is the point of a convex
/// set that is nearest.
void Impacts::answer(const ImpactLaw& law, Flags& remarks) {
  ImpactProblem& problem = builder_.problem();
  const bool ends_rounds = remarks.has(Flag::closed_by_impulses);
  const bool busy = selected_.size() > 1 && (builder_.crowded() || builder_.rattles());
  const bool many = busy || selected_.size() >= kManyStruck;
  const double accuracy = builder_.crowded() ? kCrowdAccuracy : kManyStruckAccuracy;
  problem.options.accuracy = many ? accuracy : 0.0;
  problem.options.closing_energy = many ? kManyStruckEnergy : 0.0;
  if (selected_.size() > 1 && law.needs.friction && answered_without_slip(law)) return;
  if (answered_by({&law})) return;
  if (many && builder_.crowded()) {
    problem.options.accuracy = kCrowdEnough;
    if (answered_by({&law})) return;
  }
  remarks.set(Flag::closed_by_impulses);
  const bool coupled = &law == &kNewtonLaw || &law == &kPoissonLaw;
  if (!coupled && answered_by({&kPoissonLaw})) return;
  if (answered_by({&kSequentialLaw})) return;
  const auto take_friction = [&] {
    for (Contact& contact : problem.contacts) {
      contact.friction = 0.0;
      contact.rough = false;
    }
  };
  if (!all_lose(selected_)) {
    take_friction();
    // Energy is kept as exactly as the problem is solved.
    problem.options.accuracy = 0.0;
    if (answered_by({&kPoissonLaw, &kSequentialLaw, &law}) || !ends_rounds) return;
  }
  for (Contact& contact : problem.contacts) take_rebound(contact);
  const auto ends = [&] {
    return answered_by({&kNewtonLaw}) &&
           (builder_.moves_with_planes() || !outcome_.audit.flags.has(Flag::energy_created));
  };
  if (ends()) return;
  problem.options.accuracy = kClosingAccuracy;
  if (ends()) return;
  take_friction();
  solver_.solve(problem, kNewtonLaw, outcome_);
}

}  // namespace carom::event
