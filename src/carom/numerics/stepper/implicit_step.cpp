#include "carom/numerics/stepper/implicit_step.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "carom/numerics/dense.h"
#include "carom/numerics/stepper/relative_error.h"

namespace carom {
namespace {

constexpr int kStages = 7;
using Row = std::array<double, kStages>;

constexpr double kGamma = 23.0 / 125;
constexpr Row kC{0.0,         46.0 / 125, 7121331996143.0 / 11335814405378, 49.0 / 353, 3706679970760.0 / 5295570149437,
                 347.0 / 382, 1.0};

/// A row of the stages: the first weight follows from the others, whose sum with it is c.
constexpr Row row(double c, double a1, double a2, double a3, double a4, double a5, double a6) {
  return {c - a1 - a2 - a3 - a4 - a5 - a6, a1, a2, a3, a4, a5, a6};
}

constexpr Row kWeights =
    row(1.0, -188593204321.0 / 4778616380481, 2809310203510.0 / 10304234040467, 1021729336898.0 / 2364210264653,
        870612361811.0 / 2470410392208, -1307970675534.0 / 8059683598661, kGamma);
constexpr Row kLowerWeights =
    row(1.0, -582099335757.0 / 7214068459310, 615023338567.0 / 3362626566945, 3192122436311.0 / 6174152374399,
        6156034052041.0 / 14430468657929, -1011318518279.0 / 9693750372484, 1914490192573.0 / 13754262428401);
constexpr std::array<Row, kStages> kA{
    Row{},
    row(kC[1], kGamma, 0.0, 0.0, 0.0, 0.0, 0.0),
    row(kC[2], 791020047304.0 / 3561426431547, kGamma, 0.0, 0.0, 0.0, 0.0),
    row(kC[3], -158159076358.0 / 11257294102345, -85517644447.0 / 5003708988389, kGamma, 0.0, 0.0, 0.0),
    row(kC[4], -1653327111580.0 / 4048416487981, 1514767744496.0 / 9099671765375, 14283835447591.0 / 12247432691556,
        kGamma, 0.0, 0.0),
    row(kC[5], -4540011970825.0 / 8418487046959, -1790937573418.0 / 7393406387169, 10819093665085.0 / 7266595846747,
        4109463131231.0 / 7386972500302, kGamma, 0.0),
    kWeights};

/// The polynomial through the slopes of the stages before one, at that one: Lagrange's weights.
constexpr std::array<Row, kStages> guesses() {
  std::array<Row, kStages> weights{};
  for (int stage = 1; stage < kStages; ++stage)
    for (int i = 0; i < stage; ++i) {
      double weight = 1.0;
      for (int j = 0; j < stage; ++j)
        if (j != i) weight *= (kC[stage] - kC[j]) / (kC[i] - kC[j]);
      weights[stage][i] = weight;
    }
  return weights;
}
constexpr std::array<Row, kStages> kGuesses = guesses();

/// Part of a step's tolerance up to which a stage is found, the most attempts, and how much each has to shrink.
constexpr double kFound = 0.01;
constexpr int kMostAttempts = 10;
constexpr double kTooSlow = 0.7;

}  // namespace

void ImplicitStep::reserve(int n) {
  n_ = static_cast<std::size_t>(n);
  dense::ensure(storage_, (kStages + 3) * n_);
}

void ImplicitStep::guess(const Start& start, int stage) {
  double* const k = slope_of(stage);
  const Row& weights = kGuesses[stage];
  for (int i = 0; i < start.n; ++i) k[i] = weights[0] * start.slope[i];
  for (int j = 1; j < stage; ++j) {
    const double* const other = slope_of(j);
    for (int i = 0; i < start.n; ++i) k[i] += weights[j] * other[i];
  }
}

bool ImplicitStep::find_stage(const Start& start, double h, int stage) {
  const int n = start.n;
  const double c = h * kGamma;
  double* const base = slope_of(kStages);
  double* const argument = base + n_;
  double* const change = argument + n_;
  double* const k = slope_of(stage);
  const Row& a = kA[stage];
  for (int i = 0; i < n; ++i) base[i] = start.y[i] + h * a[0] * start.slope[i];
  for (int j = 1; j < stage; ++j) {
    const double* const other = slope_of(j);
    for (int i = 0; i < n; ++i) base[i] += h * a[j] * other[i];
  }
  guess(start, stage);
  double before = 0.0;
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    for (int i = 0; i < n; ++i) argument[i] = base[i] + c * k[i];
    ++evaluations_;
    start.system.slope(start.time + kC[stage] * h, argument, change);
    for (int i = 0; i < n; ++i) change[i] -= k[i];
    if (!all_finite(change, n)) return false;
    start.system.stiff_part()->solve(change);
    for (int i = 0; i < n; ++i) k[i] += change[i];
    const double size = std::abs(c) * relative_error([=](int i) { return change[i]; }, start.inverse_scale, n);
    if (attempt > 0) {
      rate_ = std::max(size / before, 1e-3);
      if (!(rate_ < kTooSlow)) return false;
    }
    if (size * std::min(rate_ / (1.0 - rate_), 1.0) <= kFound) return true;
    before = size;
  }
  return false;
}

double ImplicitStep::take(const Start& start, double h, double* result, double* result_slope) {
  constexpr double kNotFound = std::numeric_limits<double>::infinity();
  const int n = start.n;
  evaluations_ = 0;
  rate_ = 0.5;
  start.system.stiff_part()->factor(start.time, start.y, h * kGamma);
  for (int stage = 1; stage < kStages; ++stage)
    if (!find_stage(start, h, stage)) return kNotFound;
  const double* const last = slope_of(kStages - 1);
  const double* const base = slope_of(kStages);
  for (int i = 0; i < n; ++i) {
    result[i] = base[i] + h * kGamma * last[i];
    result_slope[i] = last[i];
  }
  double* const error = slope_of(kStages) + n_;
  for (int i = 0; i < n; ++i) error[i] = (kWeights[0] - kLowerWeights[0]) * start.slope[i];
  for (int j = 1; j < kStages; ++j) {
    const double* const k = slope_of(j);
    for (int i = 0; i < n; ++i) error[i] += (kWeights[j] - kLowerWeights[j]) * k[i];
  }
  return std::abs(h) * relative_error([=](int i) { return error[i]; }, start.inverse_scale, n);
}

}  // namespace carom
