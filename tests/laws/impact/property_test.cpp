/// What must hold for every problem, not only for those with closed forms.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "carom/laws/impact/impact_solver.h"
#include "reproduce/decompositions.h"
#include "support/laws_of_several_contacts.h"
#include "support/random_problem.h"

namespace carom {
namespace {

using test::property_cases;
using test::random_problem;
using test::Taste;

/// ‖a − b‖ in the metric, relative to the reference speed of the outcome.
double distance(const ImpactProblem& problem, const ImpactOutcome& a, const ImpactOutcome& b) {
  const Eigen::Index n = problem.velocity.size();
  const Vector d = Eigen::Map<const Vector>(a.velocity.data(), n) - Eigen::Map<const Vector>(b.velocity.data(), n);
  return std::sqrt(std::max(0.0, d.dot(problem.metric * d))) / std::max(a.reference_speed, 1e-300);
}

bool all_approach(const ImpactOutcome& outcome) {
  return std::all_of(outcome.rate_before.begin(), outcome.rate_before.end(), [](double rate) { return rate < 0.0; });
}

bool restitutions_equal(const ImpactProblem& problem) {
  const double e = problem.restitution_of(problem.contacts[0]);
  return std::all_of(problem.contacts.begin(), problem.contacts.end(), [&](const Contact& contact) {
    return problem.restitution_of(contact) == e && problem.tangential_restitution_of(contact) == e;
  });
}

bool promised(Promise promise, const ImpactProblem& problem, const ImpactOutcome& outcome) {
  switch (promise) {
    case Promise::none: return false;
    case Promise::when_all_approach: return all_approach(outcome);
    case Promise::when_restitutions_equal: return restitutions_equal(problem);
    case Promise::with_default_options: return problem.options.by_law.empty();
    case Promise::always: return true;
  }
  return false;
}

/// The random family of a law. For `compliant` the scale of a row is a stiffness (K̂ ~ scale^2.5), so rows stay near
/// one, and bodies caught between walls are left to the test of traps: both are honest problems, but each takes a
/// second.
Taste taste_of(const ImpactLaw& law, Taste taste = {}) {
  taste.tangents = true;
  if (&law == &kCompliantLaw) {
    taste.row_decades = 0.2;
    taste.traps = false;
  }
  return taste;
}

int cases_of(const ImpactLaw& law, int usual) {
  return property_cases(&law == &kCompliantLaw ? usual / 2 : usual);
}

/// Laws whose outcome jumps at ties or whose iteration may be cut are compared only where they finished.
class EveryLaw : public testing::TestWithParam<const ImpactLaw*> {};

TEST_P(EveryLaw, KeepsItsPromisesOnRandomProblems) {
  ImpactSolver solver;
  ImpactOutcome outcome;
  int finished_cases = 0;
  const int cases = cases_of(*GetParam(), 10000);
  for (int seed = 0; seed < cases; ++seed) {
    ImpactProblem problem = random_problem(seed, taste_of(*GetParam()));
    problem.options.max_steps = 20000;
    if (seed % 4 == 0)
      for (Contact& contact : problem.contacts) contact.restitution.reset();
    solver.solve(problem, *GetParam(), outcome);
    const auto where = testing::Message() << GetParam()->name << ", case " << seed;
    for (const double v : outcome.velocity) ASSERT_TRUE(std::isfinite(v)) << where;
    for (const double p : outcome.impulses) ASSERT_TRUE(std::isfinite(p)) << where;
    // Both energy formulas agree whatever the law did; the persistent constraints do no work.
    const double energy = 0.5 * outcome.reference_speed * outcome.reference_speed;
    double magnitude = energy;
    for (std::size_t i = 0; i < outcome.impulses.size(); ++i)
      magnitude += std::abs(outcome.impulses[i]) * (std::abs(outcome.rate_before[i]) + std::abs(outcome.rate_after[i]));
    ASSERT_NEAR(outcome.energy.change, outcome.energy.change_from_impulses, 1e-9 * magnitude) << where;
    ASSERT_NEAR(outcome.energy.after - outcome.energy.before, outcome.energy.change, 1e-10 * magnitude) << where;
    ASSERT_LE(outcome.audit.constraint_residual, 1e-7 * (1.0 + std::sqrt(magnitude))) << where;

    if (!finished(outcome.stop)) continue;
    ++finished_cases;
    const Promises& promises = GetParam()->promises;
    if (promised(promises.no_energy_created, problem, outcome)) {
      ASSERT_FALSE(outcome.audit.flags.has(Flag::energy_created)) << where << " work " << outcome.energy.contact_work;
    }
    if (promised(promises.pushes_only, problem, outcome)) {
      ASSERT_FALSE(outcome.audit.flags.has(Flag::negative_impulse)) << where << ' ' << outcome.audit.min_impulse;
    }
    if (promised(promises.separates, problem, outcome)) {
      ASSERT_FALSE(outcome.audit.flags.has(Flag::still_approaching))
          << where << ' ' << outcome.audit.min_gap_rate_after;
    }
  }
  EXPECT_GT(finished_cases, cases / 2);
}

TEST_P(EveryLaw, GivesTheSameBitsEveryTime) {
  ImpactSolver reused;
  ImpactOutcome first;
  ImpactOutcome second;
  for (int seed = 0; seed < cases_of(*GetParam(), 300); ++seed) {
    const ImpactProblem problem = random_problem(seed, taste_of(*GetParam()));
    reused.solve(problem, *GetParam(), first);
    ImpactSolver fresh;
    fresh.solve(problem, *GetParam(), second);
    ASSERT_EQ(first.velocity, second.velocity) << GetParam()->name << ", case " << seed;
    ASSERT_EQ(first.impulses, second.impulses) << GetParam()->name << ", case " << seed;
    ASSERT_EQ(first.steps, second.steps);
  }
}

/// Outcomes of a problem and a transformed one, both finished; compared only where the problem is not near a decision
/// that round-off can flip (then the comparison with a second perturbed solve differs as well).
struct Comparison {
  int compared = 0;
  int sensitive = 0;
};

template <class Transform, class Compare>
Comparison compare_outcomes(const ImpactLaw& law, const Taste& taste, int cases, const Transform& transform,
                            const Compare& compare) {
  ImpactSolver solver;
  Comparison count;
  for (int seed = 0; seed < cases; ++seed) {
    const ImpactProblem problem = random_problem(seed, taste);
    const ImpactOutcome outcome = solver.solve(problem, law);
    const ImpactProblem other_problem = transform(problem, seed);
    const ImpactOutcome other = solver.solve(other_problem, law);
    if (!finished(outcome.stop) && !finished(other.stop)) continue;
    ++count.compared;
    const double difference = compare(problem, outcome, other_problem, other);
    if (finished(outcome.stop) == finished(other.stop) && difference < 1e-8) continue;
    // Different: only excusable if a change of a few ulp makes as large a difference by itself.
    double own_spread = 0.0;
    Random random(seed + 77);
    for (int k = 0; k < 40; ++k) {
      ImpactProblem moved = problem;
      for (Contact& contact : moved.contacts) {
        const double unit = 0x1p-51 * contact.normal.cwiseAbs().maxCoeff();
        for (double& entry : contact.normal) entry *= 1.0 + 0x1p-52 * random.integer(-64, 64);
        contact.offset += unit * random.integer(-4, 4);
      }
      own_spread = std::max(own_spread, distance(problem, outcome, solver.solve(moved, law)));
    }
    EXPECT_GE(own_spread * 100.0, std::min(difference, 1.0))
        << law.name << ", case " << seed << ": " << stop_name(outcome.stop) << " / " << stop_name(other.stop)
        << " differ by " << difference;
    ++count.sensitive;
  }
  return count;
}

TEST_P(EveryLaw, DoesNotCareHowContactsAreNumbered) {
  const auto reverse = [](ImpactProblem problem, int seed) {
    std::rotate(problem.contacts.begin(), problem.contacts.begin() + seed % static_cast<int>(problem.contacts.size()),
                problem.contacts.end());
    std::reverse(problem.contacts.begin(), problem.contacts.end());
    return problem;
  };
  const Comparison count =
      compare_outcomes(*GetParam(), taste_of(*GetParam()), cases_of(*GetParam(), 3000), reverse,
                       [](const ImpactProblem& problem, const ImpactOutcome& a, const ImpactProblem&,
                          const ImpactOutcome& b) { return distance(problem, a, b); });
  EXPECT_LT(count.sensitive, count.compared / 50);
}

TEST_P(EveryLaw, DoesNotCareForCoordinates) {
  // v = S w: metric SᵀGS, rows nS, velocity S⁻¹v; the outcomes must be images of each other.
  const auto coordinates = [](int seed, int n) {
    Random random(seed + 5);
    // Turned axes and other units, well-conditioned: the change itself must not cost digits.
    Matrix s = orthogonal_factor(test::random_matrix(random, n, n));
    for (int i = 0; i < n; ++i) s.col(i) *= random.uniform(0.5, 2.0);
    return s;
  };
  const auto change = [&](ImpactProblem problem, int seed) {
    const Matrix s = coordinates(seed, static_cast<int>(problem.velocity.size()));
    problem.metric = (s.transpose() * problem.metric * s).eval();
    problem.metric = (0.5 * (problem.metric + problem.metric.transpose())).eval();
    problem.velocity = solve_regular(s, problem.velocity);
    if (problem.persistent.rows() > 0) problem.persistent = (problem.persistent * s).eval();
    for (Contact& contact : problem.contacts) {
      contact.normal = (s.transpose() * contact.normal).eval();
      if (contact.tangents.rows() > 0) contact.tangents = (contact.tangents * s).eval();
    }
    return problem;
  };
  int seed_of_comparison = 0;
  const Comparison count = compare_outcomes(
      *GetParam(), taste_of(*GetParam()), cases_of(*GetParam(), 3000),
      [&](const ImpactProblem& problem, int seed) {
        seed_of_comparison = seed;
        return change(problem, seed);
      },
      [&](const ImpactProblem& problem, const ImpactOutcome& a, const ImpactProblem&, const ImpactOutcome& b) {
        const auto n = static_cast<int>(problem.velocity.size());
        ImpactOutcome back = b;
        Eigen::Map<Vector>(back.velocity.data(), n) =
            coordinates(seed_of_comparison, n) * Eigen::Map<const Vector>(b.velocity.data(), n);
        return distance(problem, a, back);
      });
  EXPECT_LT(count.sensitive, count.compared / 50);
}

TEST_P(EveryLaw, DoesNotCareHowRowsAreScaled) {
  // A spring F = K xᵑ is tied to the unit of its row: law `compliant` needs K scaled by c^−(1+η) when n is scaled by c.
  const bool physical = GetParam() == &kCompliantLaw;
  const auto scale = [physical](ImpactProblem problem, int seed) {
    Random random(seed + 9);
    for (Contact& contact : problem.contacts) {
      const double c = std::pow(10.0, random.uniform(-3.0, 3.0));
      contact.normal *= c;
      contact.offset *= c;
      if (physical) contact.stiffness *= std::pow(c, -2.5);
      if (contact.tangents.rows() > 0) contact.tangents *= std::pow(10.0, random.uniform(-3.0, 3.0));
    }
    for (Eigen::Index k = 0; k < problem.persistent.rows(); ++k)
      problem.persistent.row(k) *= std::pow(10.0, random.uniform(-3.0, 3.0));
    return problem;
  };
  const Comparison count =
      compare_outcomes(*GetParam(), taste_of(*GetParam()), cases_of(*GetParam(), 3000), scale,
                       [](const ImpactProblem& problem, const ImpactOutcome& a, const ImpactProblem&,
                          const ImpactOutcome& b) { return distance(problem, a, b); });
  EXPECT_LT(count.sensitive, count.compared / 50);
}

TEST_P(EveryLaw, DoesNotCareForAUniformlyMovingFrame) {
  // v → v + u, w → w − n·u: the same outcome, moved by u.
  const auto frame = [](int seed, int n) {
    Random random(seed + 31);
    return test::random_vector(random, n);
  };
  const auto move = [&](ImpactProblem problem, int seed) {
    const Vector u = frame(seed, static_cast<int>(problem.velocity.size()));
    problem.velocity += u;
    for (Contact& contact : problem.contacts) {
      contact.offset -= contact.normal.dot(u);
      if (contact.tangents.rows() > 0) contact.tangent_offsets = -contact.tangents * u;
    }
    return problem;
  };
  int seed_of_comparison = 0;
  const Comparison count = compare_outcomes(
      *GetParam(), taste_of(*GetParam(), {.constraints = false}), cases_of(*GetParam(), 3000),
      [&](const ImpactProblem& problem, int seed) {
        seed_of_comparison = seed;
        return move(problem, seed);
      },
      [&](const ImpactProblem& problem, const ImpactOutcome& a, const ImpactProblem&, const ImpactOutcome& b) {
        const auto n = static_cast<int>(problem.velocity.size());
        ImpactOutcome back = b;
        Eigen::Map<Vector>(back.velocity.data(), n) -= frame(seed_of_comparison, n);
        const double work = std::abs(a.energy.contact_work - b.energy.contact_work) /
                            (0.5 * a.reference_speed * a.reference_speed + 1e-300);
        return std::max(distance(problem, a, back), 1e-2 * work);
      });
  EXPECT_LT(count.sensitive, count.compared / 50);
}

TEST_P(EveryLaw, ReflectsASingleContactByItsRestitution) {
  ImpactSolver solver;
  for (int seed = 0; seed < property_cases(500); ++seed) {
    const ImpactProblem problem = random_problem(seed, {.max_contacts = 1});
    const ImpactOutcome outcome = solver.solve(problem, *GetParam());
    if (outcome.audit.flags.has(Flag::contact_fixed_by_constraint)) continue;
    const double e = problem.restitution_of(problem.contacts[0]);
    const double before = outcome.rate_before[0];
    const double expected = before < 0.0 ? -e * before : before;
    ASSERT_NEAR(outcome.rate_after[0], expected, 1e-10 * (1.0 + std::abs(before))) << "case " << seed;
  }
}

std::string law_name(const testing::TestParamInfo<const ImpactLaw*>& info) {
  return std::string(info.param->name);
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryLaw, testing::ValuesIn(test::laws_of_several_contacts()), law_name);

TEST(Compliant, StaysFiniteAndDissipatesInTraps) {
  // Bodies caught between walls: long ringing, cut by the step limit or recognised as having no exit.
  ImpactSolver solver;
  ImpactOutcome outcome;
  for (int seed = 0; seed < property_cases(400); ++seed) {
    ImpactProblem problem = random_problem(seed, {.row_decades = 0.2});
    problem.options.max_steps = 3000;
    solver.solve(problem, kCompliantLaw, outcome);
    for (const double v : outcome.velocity) ASSERT_TRUE(std::isfinite(v)) << "case " << seed;
    ASSERT_FALSE(outcome.audit.flags.has(Flag::energy_created)) << "case " << seed;
    ASSERT_FALSE(outcome.audit.flags.has(Flag::negative_impulse)) << "case " << seed;
  }
}

TEST(Rough, IsReversibleAtRestitutionOne) {
  // v⁻ → v⁺; then −v⁺ as the velocity before must come back as −v⁻.
  ImpactSolver solver;
  int tried = 0;
  for (int seed = 0; seed < property_cases(5000); ++seed) {
    ImpactProblem problem = random_problem(seed, {.moving_walls = false, .tangents = true, .equal_restitution = true});
    problem.restitution = 1.0;
    // Only contacts that approach take part, so that the way back meets the same rows.
    const ImpactOutcome probe = solver.solve(problem, kRoughLaw);
    std::vector<Contact> approaching;
    for (std::size_t i = 0; i < problem.contacts.size(); ++i)
      if (probe.rate_before[i] < -1e-6 && probe.rate_after[i] > 1e-6) approaching.push_back(problem.contacts[i]);
    if (approaching.empty()) continue;
    problem.contacts = approaching;
    const ImpactOutcome there = solver.solve(problem, kRoughLaw);
    if (*std::min_element(there.rate_after.begin(), there.rate_after.end()) < 1e-6) continue;
    if (there.audit.flags.has(Flag::rank_ambiguous)) continue;
    ASSERT_NEAR(there.energy.change, 0.0, 1e-9 * there.energy.before) << "case " << seed;
    ImpactProblem back = problem;
    back.velocity = -Eigen::Map<const Vector>(there.velocity.data(), problem.velocity.size());
    const ImpactOutcome home = solver.solve(back, kRoughLaw);
    for (Eigen::Index i = 0; i < problem.velocity.size(); ++i)
      ASSERT_NEAR(home.velocity[i], -problem.velocity[i], 1e-8) << "case " << seed;
    ++tried;
  }
  EXPECT_GT(tried, property_cases(5000) / 10);
}

}  // namespace
}  // namespace carom
