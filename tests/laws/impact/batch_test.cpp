/// Batches of impact problems against ImpactSolver, problem by problem: random shapes, layouts, what varies, and laws.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "carom/laws/impact/impact_batch.h"
#include "carom/laws/impact/impact_solver.h"
#include "support/counted_allocations.h"
#include "support/laws_of_several_contacts.h"
#include "support/property_cases.h"
#include "support/random_problem.h"

namespace carom {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

/// Arrays of a batch: what varies is one number after the other, or one problem after the other.
struct Arrays {
  std::vector<double> metric, velocity, normals, offsets, restitution;
};

struct Choice {
  bool metric = false, normals = false, offsets = false, restitution = false;
  bool by_problem = true;  ///< the numbers of a problem stand together
};

BatchInput input(const std::vector<double>& data, std::size_t size, bool by_problem) {
  const auto entries = static_cast<std::ptrdiff_t>(data.size() / size);
  const auto problems = static_cast<std::ptrdiff_t>(size);
  return by_problem ? BatchInput{data.data(), entries, 1} : BatchInput{data.data(), 1, problems};
}

/// `size` problems like the first: each takes its numbers from a random problem of its own.
class RandomBatch {
 public:
  RandomBatch(const ImpactProblem& first, std::size_t size, const Choice& choice, std::uint64_t seed)
      : problems(size, first) {
    Random random(seed);
    const int n = static_cast<int>(first.velocity.size());
    for (ImpactProblem& problem : problems) {
      problem.velocity = test::random_vector(random, n);
      if (choice.metric)
        for (int i = 0; i < n; ++i) problem.metric(i, i) *= std::exp(test::random_vector(random, 1)[0]);
      for (Contact& contact : problem.contacts) {
        if (choice.normals) contact.normal = test::random_vector(random, n);
        if (choice.offsets) contact.offset = 0.1 * test::random_vector(random, 1)[0];
        if (choice.restitution) contact.restitution = std::abs(std::sin(3.0 * test::random_vector(random, 1)[0]));
      }
    }
    batch.size = size;
    batch.problem = first;
    put(choice);
  }

  std::vector<ImpactProblem> problems;
  ImpactBatch batch;
  Arrays arrays;

 private:
  void put(const Choice& choice) {
    const std::size_t size = problems.size();
    const auto fill = [&](std::vector<double>& data, const auto& numbers_of) {
      const std::size_t entries = numbers_of(problems[0]).size();
      data.resize(size * entries);
      for (std::size_t i = 0; i < size; ++i) {
        const std::vector<double> numbers = numbers_of(problems[i]);
        for (std::size_t k = 0; k < entries; ++k) data[choice.by_problem ? i * entries + k : k * size + i] = numbers[k];
      }
      return input(data, size, choice.by_problem);
    };
    batch.velocity = fill(arrays.velocity, [](const ImpactProblem& p) {
      return std::vector<double>(p.velocity.begin(), p.velocity.end());
    });
    if (choice.metric)
      batch.metric = fill(arrays.metric, [](const ImpactProblem& p) {
        return std::vector<double>(p.metric.data(), p.metric.data() + p.metric.size());
      });
    if (choice.normals)
      batch.normals = fill(arrays.normals, [](const ImpactProblem& p) {
        std::vector<double> all;
        for (const Contact& contact : p.contacts) all.insert(all.end(), contact.normal.begin(), contact.normal.end());
        return all;
      });
    if (choice.offsets)
      batch.offsets = fill(arrays.offsets, [](const ImpactProblem& p) {
        std::vector<double> all;
        for (const Contact& contact : p.contacts) all.push_back(contact.offset);
        return all;
      });
    if (choice.restitution)
      batch.restitution = fill(arrays.restitution, [](const ImpactProblem& p) {
        std::vector<double> all;
        for (const Contact& contact : p.contacts) all.push_back(p.restitution_of(contact));
        return all;
      });
  }
};

struct Answers {
  explicit Answers(const ImpactBatch& batch)
      : n(static_cast<std::ptrdiff_t>(batch.problem.velocity.size())),
        m(static_cast<std::ptrdiff_t>(batch.problem.contacts.size())),
        velocity(batch.size * static_cast<std::size_t>(n)),
        impulses(batch.size * static_cast<std::size_t>(m)),
        rates(batch.size * static_cast<std::size_t>(m)),
        energy_before(batch.size),
        energy_after(batch.size),
        steps(batch.size),
        stop(batch.size) {}
  ImpactBatchResults results() {
    return {{velocity.data(), n, 1},
            {impulses.data(), m, 1},
            {rates.data(), m, 1},
            steps,
            stop,
            energy_before,
            energy_after,
            {},
            {}};
  }

  std::ptrdiff_t n, m;
  std::vector<double> velocity, impulses, rates, energy_before, energy_after;
  std::vector<std::int32_t> steps;
  std::vector<Stop> stop;
};

/// A small problem without constraints; a diagonal metric where that is asked for.
ImpactProblem small_problem(std::uint64_t seed, int contacts, bool diagonal) {
  ImpactProblem problem;
  for (std::uint64_t shift = 0;; ++shift) {
    problem = test::random_problem(seed + 1000 * shift, {.max_dof = 12,
                                                         .max_contacts = 3,
                                                         .dependent_rows = false,
                                                         .traps = false,
                                                         .constraints = false,
                                                         .moving_walls = false,
                                                         .row_decades = 0.5});
    if (static_cast<int>(problem.contacts.size()) == contacts && problem.velocity.size() >= contacts) break;
  }
  if (diagonal) problem.metric = Matrix(problem.metric.diagonal().asDiagonal());
  problem.diagonal = false;
  return problem;
}

/// Energies ½ vᵀG v and gap rates of a problem's velocities, to the round-off of sums of at most 150 products.
void expect_books(const ImpactProblem& problem, const Answers& answers, std::size_t i) {
  constexpr double kSum = 150 * 2.3e-16;
  const Eigen::Map<const Vector> after(answers.velocity.data() + i * answers.n, answers.n);
  const auto energy = [&problem](const Vector& v) { return 0.5 * v.dot(problem.metric * v); };
  const auto sizes = [&problem](const Vector& v) {
    return 0.5 * v.cwiseAbs().dot(problem.metric.cwiseAbs() * v.cwiseAbs());
  };
  ASSERT_NEAR(answers.energy_before[i], energy(problem.velocity), kSum * sizes(problem.velocity));
  ASSERT_NEAR(answers.energy_after[i], energy(after), kSum * sizes(after));
  for (std::ptrdiff_t k = 0; k < answers.m; ++k) {
    const Contact& contact = problem.contacts[static_cast<std::size_t>(k)];
    const double size = contact.normal.cwiseAbs().dot(after.cwiseAbs()) + std::abs(contact.offset);
    ASSERT_NEAR(answers.rates[i * answers.m + k], contact.normal.dot(after) + contact.offset, kSum * size);
  }
}

/// Steps of a few problems may differ by round-off of a rate against its threshold; velocities then still agree.
void expect_agreement(RandomBatch& random, Answers& answers, double tolerance) {
  ImpactSolver solver;
  for (std::size_t i = 0; i < random.problems.size(); ++i) {
    const ImpactOutcome outcome = solver.solve(random.problems[i], impact_law("geometric"));
    ASSERT_EQ(answers.stop[i], outcome.stop) << "problem " << i;
    ASSERT_EQ(answers.steps[i], outcome.steps) << "problem " << i;
    const double speed = outcome.reference_speed;
    Vector difference = Vector::Zero(answers.n);
    for (std::ptrdiff_t k = 0; k < answers.n; ++k)
      difference[k] = answers.velocity[i * answers.n + k] - outcome.velocity[k];
    const double error = std::sqrt(difference.dot(random.problems[i].metric * difference));
    ASSERT_LE(error, tolerance * speed) << "problem " << i << " after " << outcome.steps << " steps";
    ASSERT_NO_FATAL_FAILURE(expect_books(random.problems[i], answers, i)) << "problem " << i;
  }
}

TEST(ImpactBatch, OfTheGeometricLawAgreesWithTheSolver) {
  const int cases = test::property_cases(60);
  for (int seed = 0; seed < cases; ++seed) {
    const bool diagonal = seed % 2 == 0;
    const ImpactProblem first = small_problem(static_cast<std::uint64_t>(seed), 1 + seed % 3, diagonal);
    const Choice choice{.metric = diagonal && seed % 4 == 0,
                        .normals = seed % 5 < 3,
                        .offsets = seed % 7 == 0,
                        .restitution = seed % 3 != 0,
                        .by_problem = seed % 8 < 4};
    RandomBatch random(first, 101, choice, static_cast<std::uint64_t>(seed));
    Answers answers(random.batch);
    ImpactBatchSolver solver;
    ASSERT_TRUE(solver.solve(random.batch, impact_law("geometric"), answers.results()).empty());
    // A step adds a few units of round-off, and an iteration of many steps in a narrow cone magnifies them.
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    ASSERT_NO_FATAL_FAILURE(expect_agreement(random, answers, 1e-10));
  }
}

TEST(ImpactBatch, HasTheSameBitsHoweverItIsCut) {
  // Parts begin anywhere in memory, and the small ones are too few for vectors.
  for (const bool by_problem : {true, false}) {
    const Choice choice{.normals = true, .restitution = true, .by_problem = by_problem};
    RandomBatch random(small_problem(2, 2, true), 203, choice, 5);
    Answers whole(random.batch), parts(random.batch);
    ImpactBatchSolver solver;
    solver.solve(random.batch, impact_law("geometric"), whole.results());
    const ImpactBatchResults results = parts.results();
    for (std::size_t first = 0, count = 1; first < random.batch.size; first += count, count = count * 2 + 1) {
      count = std::min(count, random.batch.size - first);
      solver.solve(random.batch.part(first, count), impact_law("geometric"), results.part(first, count));
    }
    EXPECT_EQ(whole.velocity, parts.velocity);
    EXPECT_EQ(whole.impulses, parts.impulses);
    EXPECT_EQ(whole.rates, parts.rates);
    EXPECT_EQ(whole.energy_before, parts.energy_before);
    EXPECT_EQ(whole.energy_after, parts.energy_after);
    EXPECT_EQ(whole.steps, parts.steps);
  }
}

class EveryLawInBatches : public testing::TestWithParam<const ImpactLaw*> {};

TEST_P(EveryLawInBatches, HasTheBitsOfTheSolverWhereTheAuditIsAskedFor) {
  RandomBatch random(small_problem(7, 3, false), 40, {.restitution = true}, 3);
  Answers answers(random.batch);
  std::vector<Flags> flags(random.batch.size);
  ImpactBatchResults results = answers.results();
  results.flags = flags;
  ImpactBatchSolver().solve(random.batch, *GetParam(), results);
  ImpactSolver solver;
  for (std::size_t i = 0; i < random.batch.size; ++i) {
    const ImpactOutcome outcome = solver.solve(random.problems[i], *GetParam());
    for (std::ptrdiff_t k = 0; k < answers.n; ++k) EXPECT_EQ(answers.velocity[i * answers.n + k], outcome.velocity[k]);
    for (std::ptrdiff_t k = 0; k < answers.m; ++k) EXPECT_EQ(answers.impulses[i * answers.m + k], outcome.impulses[k]);
    EXPECT_EQ(answers.stop[i], outcome.stop);
    EXPECT_EQ(flags[i].bits(), outcome.audit.flags.bits());
    EXPECT_EQ(answers.energy_after[i], outcome.energy.after);
  }
}

std::string law_name(const testing::TestParamInfo<const ImpactLaw*>& info) {
  return std::string(info.param->name);
}
INSTANTIATE_TEST_SUITE_P(Registry, EveryLawInBatches, testing::ValuesIn(test::laws_of_several_contacts()), law_name);

TEST(ImpactBatch, NamesTheProblemsThatAreNotWellPosed) {
  RandomBatch random(small_problem(4, 2, true), 50, {.normals = true, .restitution = true, .by_problem = false}, 9);
  random.arrays.velocity[17] = kNoNumber;                       // velocity.0 of problem 17
  random.arrays.restitution[33] = 1.5;                          // of contact 0 of problem 33
  for (int k = 0; k < random.problems[0].velocity.size(); ++k)  // normal of contact 0 of problem 41
    random.arrays.normals[static_cast<std::size_t>(k) * 50 + 41] = 0.0;
  Answers answers(random.batch);
  const auto errors = ImpactBatchSolver().solve(random.batch, impact_law("geometric"), answers.results());
  ASSERT_EQ(errors.size(), 3u);
  EXPECT_EQ(errors[0].problem, 17u);
  EXPECT_EQ(errors[0].error.kind(), Kind::not_finite);
  EXPECT_EQ(errors[1].problem, 33u);
  EXPECT_EQ(errors[1].error.kind(), Kind::out_of_range);
  EXPECT_EQ(errors[2].problem, 41u);
  EXPECT_EQ(errors[2].error.kind(), Kind::zero_normal);
  EXPECT_TRUE(std::isnan(answers.velocity[17 * static_cast<std::size_t>(answers.n)]));
  EXPECT_FALSE(std::isnan(answers.velocity[18 * static_cast<std::size_t>(answers.n)]));
}

TEST(ImpactBatch, LeavesWhatLanesCannotDoToTheLaw) {
  // Speeds of extreme size, parallel contacts, two walls that press a body from both sides.
  ImpactProblem problem = small_problem(12, 2, true);
  Choice choice{.normals = true, .offsets = true};
  RandomBatch random(problem, 40, choice, 1);
  const auto n = static_cast<std::size_t>(problem.velocity.size());
  const auto set = [&](std::size_t i, std::size_t k, double value, std::vector<double>& data, std::size_t entries) {
    data[i * entries + k] = value;
  };
  for (std::size_t k = 0; k < n; ++k) {
    random.problems[3].velocity[static_cast<Eigen::Index>(k)] *= 1e120;
    set(3, k, random.problems[3].velocity[static_cast<Eigen::Index>(k)], random.arrays.velocity, n);
    random.problems[5].contacts[1].normal = random.problems[5].contacts[0].normal;
    set(5, n + k, random.problems[5].contacts[0].normal[static_cast<Eigen::Index>(k)], random.arrays.normals, 2 * n);
    random.problems[9].contacts[1].normal = -random.problems[9].contacts[0].normal;
    set(9, n + k, random.problems[9].contacts[1].normal[static_cast<Eigen::Index>(k)], random.arrays.normals, 2 * n);
  }
  for (std::size_t r = 0; r < 2; ++r) {
    random.problems[5].contacts[r].offset = 0.0;
    set(5, r, 0.0, random.arrays.offsets, 2);
    random.problems[9].contacts[r].offset = -10.0;
    set(9, r, -10.0, random.arrays.offsets, 2);
  }
  Answers answers(random.batch);
  ASSERT_TRUE(ImpactBatchSolver().solve(random.batch, impact_law("geometric"), answers.results()).empty());
  expect_agreement(random, answers, 1e-10);
  EXPECT_FALSE(finished(answers.stop[9]));
}

TEST(ImpactBatch, BooksOfAMetricThatLanesCannotTakeAreThoseOfTheLaw) {
  RandomBatch random(small_problem(4, 2, true), 20, {.metric = true}, 6);
  const auto n = static_cast<std::size_t>(random.batch.problem.velocity.size());
  Matrix& metric = random.problems[13].metric;
  metric(0, 1) = metric(1, 0) = 0.3 * std::sqrt(metric(0, 0) * metric(1, 1));
  random.arrays.metric[13 * n * n + 1] = random.arrays.metric[13 * n * n + n] = metric(0, 1);
  Answers answers(random.batch);
  ASSERT_TRUE(ImpactBatchSolver().solve(random.batch, impact_law("geometric"), answers.results()).empty());
  expect_agreement(random, answers, 1e-10);
  const ImpactOutcome outcome = ImpactSolver().solve(random.problems[13], impact_law("geometric"));
  EXPECT_EQ(answers.energy_before[13], outcome.energy.before);
  EXPECT_EQ(answers.energy_after[13], outcome.energy.after);
}

TEST(ImpactBatch, TheUnitMatrixAsAMetricOfAllHasTheBitsOfOneForEach) {
  // Disks in corners of their own: nothing is multiplied by the metric in one case, and divided by it in the other.
  ImpactProblem corner;
  corner.metric = Matrix::Identity(2, 2);
  corner.velocity = Vector::Zero(2);
  corner.contacts.resize(2);
  for (Contact& wall : corner.contacts) wall.normal = Vector::Ones(2);
  for (const int layout : {0, 1, 2, 3}) {
    const bool by_problem = layout % 2 == 0;
    corner.restitution = 0.9;
    RandomBatch random(corner, 1003, {.normals = true, .restitution = layout < 2, .by_problem = by_problem}, 8);
    Answers shared(random.batch), own(random.batch);
    ImpactBatchSolver solver;
    ASSERT_TRUE(solver.solve(random.batch, impact_law("geometric"), shared.results()).empty());
    expect_agreement(random, shared, 1e-10);
    std::vector<double> metrics;
    for (std::size_t i = 0; i < random.batch.size; ++i) metrics.insert(metrics.end(), {1.0, 0.0, 0.0, 1.0});
    random.batch.metric = {metrics.data(), 4, 1};
    ASSERT_TRUE(solver.solve(random.batch, impact_law("geometric"), own.results()).empty());
    EXPECT_EQ(shared.velocity, own.velocity);
    EXPECT_EQ(shared.impulses, own.impulses);
    EXPECT_EQ(shared.steps, own.steps);
    EXPECT_EQ(shared.rates, own.rates);
    EXPECT_EQ(shared.energy_after, own.energy_after);
  }
}

TEST(ImpactBatch, DoesNotAllocateForEachProblem) {
  for (const char* const law : {"geometric", "newton"}) {
    RandomBatch few(small_problem(3, 2, true), 64, {.restitution = true}, 2);
    RandomBatch many(small_problem(3, 2, true), 6400, {.restitution = true}, 2);
    Answers few_answers(few.batch), many_answers(many.batch);
    ImpactBatchSolver solver;
    solver.solve(few.batch, impact_law(law), few_answers.results());
    const long start = test::allocations;
    solver.solve(few.batch, impact_law(law), few_answers.results());
    const long of_few = test::allocations - start;
    solver.solve(many.batch, impact_law(law), many_answers.results());
    EXPECT_EQ(test::allocations - start - of_few, of_few) << law;
  }
}

}  // namespace
}  // namespace carom
