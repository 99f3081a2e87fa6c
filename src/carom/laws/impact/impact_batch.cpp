#include "carom/laws/impact/impact_batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "carom/laws/impact/impact_solver.h"
#include "carom/laws/impact/lanes/lane_job.h"
#include "carom/numerics/dense.h"

namespace carom {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

double entry(const BatchInput& input, std::size_t i, Eigen::Index k) {
  return input.data[static_cast<std::ptrdiff_t>(i) * input.stride + k * input.step];
}

double& entry(const BatchOutput& output, std::size_t i, Eigen::Index k) {
  return output.data[static_cast<std::ptrdiff_t>(i) * output.stride + k * output.step];
}

template <class Array>
Array moved(const Array& array, std::size_t first) {
  Array part = array;
  if (part.data != nullptr) part.data += static_cast<std::ptrdiff_t>(first) * part.stride;
  return part;
}

void check_sizes(const ImpactBatch& batch, const ImpactBatchResults& results) {
  const auto check = [&batch](std::size_t size, const char* name) {
    if (size == 0 || size == batch.size) return;
    throw InputError(Kind::size_mismatch, name,
                     fmt::format("{} has {} entries, expected {}, one for each problem", name, size, batch.size));
  };
  check(results.steps.size(), "steps");
  check(results.stop.size(), "stop");
  check(results.energy_before.size(), "energy_before");
  check(results.energy_after.size(), "energy_after");
  check(results.flags.size(), "flags");
}

using Kernel = void (*)(const lanes::Job& job);

Kernel best_kernel() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
      __builtin_cpu_supports("avx512vl") != 0) {
    return &lanes::solve_geometric_avx512;
  }
  if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0) return &lanes::solve_geometric_avx2;
#endif
  return &lanes::solve_geometric_portable;
}

/// Whether lanes can answer: the law, the shape, and what is asked for.
bool fits_lanes(const ImpactBatch& batch, const ImpactLaw& law, const ImpactBatchResults& results) {
  const ImpactProblem& problem = batch.problem;
  const auto n = problem.velocity.size();
  const auto m = problem.contacts.size();
  const bool asks_audit = !results.flags.empty() || results.outcome != nullptr;
  if (&law != &kGeometricLaw || asks_audit || results.velocity.data == nullptr) return false;
  if (n < 1 || n > lanes::kMostCoordinates || m < 1 || m > std::size_t{lanes::kMostContacts}) return false;
  if (problem.persistent.rows() > 0 || problem.options.max_steps <= lanes::kMostSteps) return false;
  if (batch.friction.data != nullptr || batch.stiffness.data != nullptr) return false;
  return std::all_of(problem.contacts.begin(), problem.contacts.end(),
                     [n](const Contact& contact) { return contact.friction == 0.0 && contact.normal.size() == n; });
}

}  // namespace

ImpactBatch ImpactBatch::part(std::size_t first, std::size_t count) const {
  ImpactBatch made = *this;
  made.size = count;
  for (BatchInput* const array : {&made.metric, &made.velocity, &made.normals, &made.offsets, &made.restitution,
                                  &made.friction, &made.stiffness}) {
    *array = moved(*array, first);
  }
  return made;
}

ImpactBatchResults ImpactBatchResults::part(std::size_t first, std::size_t count) const {
  const auto cut = [first, count](auto span) { return span.empty() ? span : span.subspan(first, count); };
  ImpactBatchResults made{moved(velocity, first),
                          moved(impulses, first),
                          moved(rates_after, first),
                          cut(steps),
                          cut(stop),
                          cut(energy_before),
                          cut(energy_after),
                          cut(flags),
                          {}};
  if (outcome) made.outcome = [of = outcome, first](std::size_t i, const ImpactOutcome& o) { of(first + i, o); };
  return made;
}

class ImpactBatchSolver::Content {
 public:
  std::vector<ImpactBatchError> solve(const ImpactBatch& batch, const ImpactLaw& law,
                                      const ImpactBatchResults& results);

 private:
  void begin(const ImpactBatch& batch, const ImpactLaw& law, const ImpactBatchResults& results);
  void solve_one(std::size_t i);
  void write_outcome(std::size_t i);
  void write_nothing(std::size_t i);
  bool solve_by_lanes();
  bool prepare_metric(lanes::Job& job);
  void share_inertances(lanes::Job& job);
  void read_problem(std::size_t i);

  const ImpactBatch* batch_ = nullptr;
  const ImpactLaw* law_ = nullptr;
  const ImpactBatchResults* results_ = nullptr;
  std::vector<ImpactBatchError> errors_;
  ImpactProblem problem_;
  ImpactSolver solver_;
  ImpactOutcome outcome_;
  std::vector<std::size_t> alone_;  ///< problems that lanes have left to the solver
  std::vector<double> metric_, inverse_, normals_, offsets_, restitution_, inertance_;
};

void ImpactBatchSolver::Content::begin(const ImpactBatch& batch, const ImpactLaw& law,
                                       const ImpactBatchResults& results) {
  check_sizes(batch, results);
  batch_ = &batch;
  law_ = &law;
  results_ = &results;
  errors_.clear();
  problem_ = batch.problem;
}

std::vector<ImpactBatchError> ImpactBatchSolver::Content::solve(const ImpactBatch& batch, const ImpactLaw& law,
                                                                const ImpactBatchResults& results) {
  begin(batch, law, results);
  if (!fits_lanes(batch, law, results) || !solve_by_lanes()) {
    for (std::size_t i = 0; i < batch.size; ++i) solve_one(i);
  }
  std::sort(errors_.begin(), errors_.end(),
            [](const ImpactBatchError& a, const ImpactBatchError& b) { return a.problem < b.problem; });
  const auto same = [](const ImpactBatchError& a, const ImpactBatchError& b) { return a.problem == b.problem; };
  errors_.erase(std::unique(errors_.begin(), errors_.end(), same), errors_.end());
  return std::move(errors_);
}

/// Puts what arrays say into the problem.
void ImpactBatchSolver::Content::read_problem(std::size_t i) {
  const ImpactBatch& batch = *batch_;
  const Eigen::Index n = problem_.velocity.size();
  if (batch.metric.data != nullptr) {
    for (Eigen::Index r = 0; r < n; ++r)
      for (Eigen::Index c = 0; c < n; ++c) problem_.metric(r, c) = entry(batch.metric, i, r * n + c);
    problem_.diagonal = false;
  }
  for (Eigen::Index k = 0; batch.velocity.data != nullptr && k < n; ++k)
    problem_.velocity[k] = entry(batch.velocity, i, k);
  for (std::size_t c = 0; c < problem_.contacts.size(); ++c) {
    Contact& contact = problem_.contacts[c];
    const auto at = static_cast<Eigen::Index>(c);
    for (Eigen::Index k = 0; batch.normals.data != nullptr && k < n; ++k)
      contact.normal[k] = entry(batch.normals, i, at * n + k);
    if (batch.offsets.data != nullptr) contact.offset = entry(batch.offsets, i, at);
    if (batch.restitution.data != nullptr) contact.restitution = entry(batch.restitution, i, at);
    if (batch.friction.data != nullptr) contact.friction = entry(batch.friction, i, at);
    if (batch.stiffness.data != nullptr) contact.stiffness = entry(batch.stiffness, i, at);
  }
}

void ImpactBatchSolver::Content::solve_one(std::size_t i) {
  try {
    read_problem(i);
    solver_.solve(problem_, *law_, outcome_);
    write_outcome(i);
  } catch (const InputError& error) {
    write_nothing(i);
    errors_.push_back({i, error});
  }
}

void ImpactBatchSolver::Content::write_outcome(std::size_t i) {
  const ImpactBatchResults& results = *results_;
  for (std::size_t k = 0; results.velocity.data != nullptr && k < outcome_.velocity.size(); ++k)
    entry(results.velocity, i, static_cast<Eigen::Index>(k)) = outcome_.velocity[k];
  for (std::size_t k = 0; results.impulses.data != nullptr && k < outcome_.impulses.size(); ++k)
    entry(results.impulses, i, static_cast<Eigen::Index>(k)) = outcome_.impulses[k];
  for (std::size_t k = 0; results.rates_after.data != nullptr && k < outcome_.rate_after.size(); ++k)
    entry(results.rates_after, i, static_cast<Eigen::Index>(k)) = outcome_.rate_after[k];
  if (!results.steps.empty()) results.steps[i] = static_cast<std::int32_t>(outcome_.steps);
  if (!results.stop.empty()) results.stop[i] = outcome_.stop;
  if (!results.energy_before.empty()) results.energy_before[i] = outcome_.energy.before;
  if (!results.energy_after.empty()) results.energy_after[i] = outcome_.energy.after;
  if (!results.flags.empty()) results.flags[i] = outcome_.audit.flags;
  if (results.outcome) results.outcome(i, outcome_);
}

void ImpactBatchSolver::Content::write_nothing(std::size_t i) {
  const ImpactBatchResults& results = *results_;
  for (Eigen::Index k = 0; results.velocity.data != nullptr && k < problem_.velocity.size(); ++k)
    entry(results.velocity, i, k) = kNone;
  for (std::size_t k = 0; results.impulses.data != nullptr && k < problem_.contacts.size(); ++k)
    entry(results.impulses, i, static_cast<Eigen::Index>(k)) = kNone;
  for (std::size_t k = 0; results.rates_after.data != nullptr && k < problem_.contacts.size(); ++k)
    entry(results.rates_after, i, static_cast<Eigen::Index>(k)) = kNone;
  if (!results.steps.empty()) results.steps[i] = 0;
  if (!results.stop.empty()) results.stop[i] = Stop::infeasible;
  if (!results.energy_before.empty()) results.energy_before[i] = kNone;
  if (!results.energy_after.empty()) results.energy_after[i] = kNone;
  if (!results.flags.empty()) results.flags[i].clear();
}

/// The metric, and its inverse where all problems share it. False where it, or an option, is not well posed.
bool ImpactBatchSolver::Content::prepare_metric(lanes::Job& job) {
  job.metric_varies = batch_->metric.data != nullptr && batch_->metric.stride != 0;
  read_problem(0);
  ImpactProblem at_rest = problem_;
  at_rest.velocity.setZero();
  at_rest.contacts.clear();
  if (job.metric_varies) at_rest.metric.setIdentity();  // each problem's own is looked at in its lane
  try {
    (void)solver_.solve(at_rest, *law_);
  } catch (const InputError&) {
    return false;
  }
  if (job.metric_varies) {
    job.diagonal = true;
    job.metric = {batch_->metric.data, batch_->metric.stride, batch_->metric.step};
    return true;
  }
  const int n = static_cast<int>(at_rest.velocity.size());
  const auto entries = static_cast<std::size_t>(n * n);
  metric_.assign(entries, 0.0);
  for (int i = 0; i < n; ++i)
    for (int k = at_rest.diagonal ? i : 0; k < (at_rest.diagonal ? i + 1 : n); ++k)
      metric_[i * n + k] = 0.5 * (at_rest.metric(i, k) + at_rest.metric(k, i));
  job.diagonal = dense::is_diagonal(metric_.data(), n);
  inverse_.assign(entries, 0.0);
  if (job.diagonal) {
    for (int i = 0; i < n; ++i) inverse_[i * (n + 1)] = 1.0 / metric_[i * (n + 1)];
  } else {
    std::vector<double> factor = metric_, inverse_diagonal(static_cast<std::size_t>(n));
    if (dense::cholesky(factor.data(), inverse_diagonal.data(), n, 0.0) >= 0) return false;
    for (int i = 0; i < n; ++i) {
      double* const column = inverse_.data() + i * n;  // also row i: it is symmetric
      column[i] = 1.0;
      dense::solve_lower(factor.data(), inverse_diagonal.data(), column, n);
      dense::solve_lower_transposed(factor.data(), inverse_diagonal.data(), column, n);
    }
  }
  job.metric = {metric_.data(), 0, 1};
  job.inverse = inverse_.data();
  return true;
}

/// D, where all problems have the same normals.
void ImpactBatchSolver::Content::share_inertances(lanes::Job& job) {
  const Eigen::Index n = problem_.velocity.size();
  const std::size_t m = problem_.contacts.size();
  inertance_.resize(m * m);
  std::vector<double> push(static_cast<std::size_t>(n));
  for (std::size_t a = 0; a < m; ++a) {
    for (Eigen::Index i = 0; i < n; ++i) {
      double sum = 0.0;
      for (Eigen::Index k = 0; k < n; ++k) sum += inverse_[i * n + k] * problem_.contacts[a].normal[k];
      push[static_cast<std::size_t>(i)] = sum;
    }
    for (std::size_t b = 0; b < m; ++b) {
      double sum = 0.0;
      for (Eigen::Index i = 0; i < n; ++i) sum += problem_.contacts[b].normal[i] * push[static_cast<std::size_t>(i)];
      inertance_[a * m + b] = sum;
    }
  }
  job.inertance = inertance_.data();
}

bool ImpactBatchSolver::Content::solve_by_lanes() {
  const ImpactBatch& batch = *batch_;
  if (batch.size == 0) return true;
  lanes::Job job{};
  if (!prepare_metric(job)) return false;
  job.size = batch.size;
  job.coordinates = static_cast<int>(problem_.velocity.size());
  job.contacts = static_cast<int>(problem_.contacts.size());
  job.tolerance = problem_.options.tolerance;
  job.rest = problem_.options.rest;

  normals_.clear();
  offsets_.clear();
  restitution_.clear();
  for (const Contact& contact : problem_.contacts) {
    normals_.insert(normals_.end(), contact.normal.begin(), contact.normal.end());
    offsets_.push_back(contact.offset);
    restitution_.push_back(problem_.restitution_of(contact));
    job.has_offsets = job.has_offsets || contact.offset != 0.0;
  }
  job.has_offsets = job.has_offsets || batch.offsets.data != nullptr;
  const auto input = [](const BatchInput& given, const double* shared) {
    return given.data != nullptr ? lanes::Input{given.data, given.stride, given.step} : lanes::Input{shared, 0, 1};
  };
  job.velocity = input(batch.velocity, problem_.velocity.data());
  job.normals = input(batch.normals, normals_.data());
  job.offsets = input(batch.offsets, offsets_.data());
  job.restitution = input(batch.restitution, restitution_.data());
  if (job.normals.stride == 0 && !job.metric_varies) share_inertances(job);
  const ImpactBatchResults& results = *results_;
  static_assert(sizeof(Stop) == sizeof(std::int32_t));
  job.velocity_after = {results.velocity.data, results.velocity.stride, results.velocity.step};
  job.impulses = {results.impulses.data, results.impulses.stride, results.impulses.step};
  job.steps = results.steps.empty() ? nullptr : results.steps.data();
  job.stop = results.stop.empty() ? nullptr : reinterpret_cast<std::int32_t*>(results.stop.data());
  job.rates_after = {results.rates_after.data, results.rates_after.stride, results.rates_after.step};
  job.energy_before = results.energy_before.empty() ? nullptr : results.energy_before.data();
  job.energy_after = results.energy_after.empty() ? nullptr : results.energy_after.data();
  job.has_books = job.rates_after.data != nullptr || job.energy_before != nullptr || job.energy_after != nullptr;
  job.solver = this;
  job.solve_one = [](void* solver, std::size_t i) {
    auto* const self = static_cast<Content*>(solver);
    self->solve_one(i);
    self->alone_.push_back(i);
  };
  alone_.clear();
  static const Kernel kKernel = best_kernel();
  kKernel(job);
  // Lanes have written rates and energies over theirs, by a metric that may not be their own.
  for (const std::size_t i : alone_)
    if (job.has_books) solve_one(i);
  return true;
}

ImpactBatchSolver::ImpactBatchSolver() : content_(std::make_unique<Content>()) {}
ImpactBatchSolver::ImpactBatchSolver(const ImpactBatchSolver& /*other*/) : ImpactBatchSolver() {}
ImpactBatchSolver& ImpactBatchSolver::operator=(const ImpactBatchSolver& /*other*/) {
  return *this;
}
ImpactBatchSolver::ImpactBatchSolver(ImpactBatchSolver&&) noexcept = default;
ImpactBatchSolver& ImpactBatchSolver::operator=(ImpactBatchSolver&&) noexcept = default;
ImpactBatchSolver::~ImpactBatchSolver() = default;

std::vector<ImpactBatchError> ImpactBatchSolver::solve(const ImpactBatch& batch, const ImpactLaw& law,
                                                       const ImpactBatchResults& results) {
  return content_->solve(batch, law, results);
}

}  // namespace carom
