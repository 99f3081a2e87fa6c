#include "support/random_problem.h"
#include "reproduce/decompositions.h"

namespace carom::test {

Vector random_vector(Random& random, int n) {
  Vector v(n);
  for (int i = 0; i < n; ++i) v[i] = random.uniform(-1.0, 1.0);
  return v;
}

Matrix random_matrix(Random& random, int rows, int columns) {
  Matrix m(rows, columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) m(i, j) = random.uniform(-1.0, 1.0);
  return m;
}

namespace {

Vector random_normal(Random& random, const ImpactProblem& problem, const Taste& taste) {
  const int n = static_cast<int>(problem.velocity.size());
  const auto known = static_cast<int>(problem.contacts.size());
  const double choice = random.uniform();
  if (taste.dependent_rows && known > 0 && choice < 0.25) {
    const Vector& first = problem.contacts[random.integer(0, known - 1)].normal;
    const Vector& second = problem.contacts[random.integer(0, known - 1)].normal;
    if (choice < 0.06) return first * random.uniform(0.1, 5.0);
    if (taste.traps && choice < 0.09) return -first;
    const Vector sum = first * random.uniform(0.2, 2.0) + second * random.uniform(0.2, 2.0);
    if (sum.norm() > 1e-3) return sum;
  }
  if (taste.traps && choice > 0.85) {  // sparse rows, as contacts of bodies have
    Vector sparse = Vector::Zero(n);
    sparse[random.integer(0, n - 1)] = -1.0;
    sparse[random.integer(0, n - 1)] = 1.0;
    return sparse;
  }
  if (!taste.traps) {  // within a cone about one axis: every such set of rows leaves a way out
    Vector row = 0.8 * random_vector(random, n) / std::sqrt(static_cast<double>(n));
    row[0] += 1.0;
    return row;
  }
  Vector row = random_vector(random, n);
  while (row.norm() < 1e-3) row = random_vector(random, n);
  return row * std::pow(10.0, random.uniform(-taste.row_decades, taste.row_decades));
}

}  // namespace

ImpactProblem random_problem(std::uint64_t seed, const Taste& taste) {
  Random random(seed * 0x9e3779b97f4a7c15u + 1);
  ImpactProblem problem;
  const int n = random.integer(1, taste.max_dof);
  const int m = random.integer(1, taste.max_contacts);
  const Matrix root = random_matrix(random, n, n);
  problem.metric = root * root.transpose() + random.uniform(0.05, 2.0) * Matrix::Identity(n, n);
  problem.metric = (0.5 * (problem.metric + problem.metric.transpose())).eval();
  problem.velocity = random_vector(random, n);
  if (random.uniform() < 0.1)
    for (int i = 1; i < n; ++i) problem.velocity[i] = 0.0;
  if (taste.constraints && n > 2 && random.uniform() < 0.4) {
    const int count = random.integer(1, n - 2);
    problem.persistent = random_matrix(random, count, n);
    if (count > 1 && random.uniform() < 0.2) problem.persistent.row(1) = 2.0 * problem.persistent.row(0);
    problem.velocity -= solve_least_squares(problem.persistent, problem.persistent * problem.velocity);
  }
  problem.restitution = random.uniform() < 0.3 ? static_cast<double>(random.integer(0, 1)) : random.uniform();
  for (int i = 0; i < m; ++i) {
    Contact contact;
    contact.name = "contact " + std::to_string(i);
    contact.normal = random_normal(random, problem, taste);
    if (taste.all_approach && contact.normal.dot(problem.velocity) > 0.0) contact.normal = -contact.normal;
    if (taste.moving_walls && random.uniform() < 0.2) contact.offset = random.uniform(-0.5, 0.5);
    if (!taste.equal_restitution && random.uniform() < 0.7)
      contact.restitution = random.uniform() < 0.2 ? static_cast<double>(random.integer(0, 1)) : random.uniform();
    if (random.uniform() < 0.3) contact.stiffness = std::pow(10.0, random.uniform(-1.0, 1.0));
    if (taste.tangents && random.uniform() < 0.6) contact.tangents = random_matrix(random, random.integer(1, 2), n);
    if (taste.friction) {
      contact.tangents = random_matrix(random, random.integer(1, 2), n) * contact.normal.norm();
      if (random.uniform() < 0.2)
        contact.tangent_offsets = random_vector(random, static_cast<int>(contact.tangents.rows()));
      contact.friction = random.uniform() < 0.2 ? 0.0 : random.uniform(0.0, 1.5);
      contact.rough = random.uniform() < 0.1;
    }
    problem.contacts.push_back(contact);
  }
  return problem;
}

}  // namespace carom::test
