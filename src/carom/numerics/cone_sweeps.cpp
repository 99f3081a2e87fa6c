#include "carom/numerics/cone_sweeps.h"

#include <algorithm>
#include <cmath>

#include "carom/numerics/cone_system.h"

namespace carom {

namespace {

/// κ of contacts without slip: about what most of them need at once.
constexpr double kNoSlipGain = 3.0;
/// Entries below this part of the diagonal do not couple.
constexpr double kUncoupledEntry = 1e-15;
/// Tangential inertances below these parts count as none: of the normal one, of the larger tangential one.
constexpr double kNoTangentialInertance = 1e-14, kFlatInertance = 1e-8;
/// By how much the residual may rise for that.
constexpr double kMoreResidual = 100.0;
/// What may be left of an approach, as a part of the scale.
constexpr double kNoApproach = 1e-13;

double step_of(const double* q, const double* u, double inertance, int k) {
  return q[k] - u[k] / inertance;
}

}  // namespace

void ConeSweeps::prepare(const ConeData& problem) {
  blocks_.clear();
  pairs_.clear();
  first_pair_.assign(1, 0);
  int n = 0;
  for (const ConeContact& contact : problem.contacts) {
    blocks_.push_back({.contact = contact, .first = n});
    n += 1 + contact.tangents;
  }
  for (Block& block : blocks_) {
    const double normal = problem.matrix[static_cast<std::ptrdiff_t>(block.first) * (n + 1)];
    block.unit = normal > 0.0 ? 1.0 / std::sqrt(normal) : 1.0;
    block.contact.least /= block.unit;
  }
  scale_ = 0.0;
  const auto count = static_cast<int>(blocks_.size());
  for (int i = 0; i < count; ++i) {
    Block& block = blocks_[i];
    for (int a = 0; a <= block.contact.tangents; ++a) {
      block.offset[a] = problem.offset[block.first + a] * block.unit;
      scale_ = std::max({scale_, std::abs(block.offset[a]), problem.scale * block.unit});
    }
    for (int j = 0; j < count; ++j) {
      const Block& other = blocks_[j];
      Pair pair{.other = j, .entry = {}};
      bool coupled = i == j;
      for (int a = 0; a <= block.contact.tangents; ++a) {
        const double* row = problem.matrix + static_cast<std::ptrdiff_t>(block.first + a) * n + other.first;
        for (int b = 0; b <= other.contact.tangents; ++b) {
          pair.entry[3 * a + b] = row[b] * block.unit * other.unit;
          coupled = coupled || std::abs(pair.entry[3 * a + b]) > kUncoupledEntry;
        }
      }
      if (!coupled) continue;
      if (i == j) block.own = static_cast<int>(pairs_.size());
      pairs_.push_back(pair);
    }
    first_pair_.push_back(static_cast<int>(pairs_.size()));
    const double* own = pairs_[block.own].entry;
    const double xx = own[4], xy = own[5], yy = own[8];
    const double largest = block.contact.tangents == 0 ? 0.0 : 0.5 * (xx + yy) + std::hypot(0.5 * (xx - yy), xy);
    block.inertance = largest > kNoTangentialInertance ? largest : 1.0;
    const double determinant = xx * yy - xy * xy;
    const bool solvable = block.contact.tangents == 2 && determinant > kFlatInertance * largest * largest;
    block.inverse[0] = solvable ? yy / determinant : 1.0 / block.inertance;
    block.inverse[1] = solvable ? -xy / determinant : 0.0;
    block.inverse[2] = solvable ? xx / determinant : 1.0 / block.inertance;
  }
  q_.assign(blocks_.size() * kStride, 0.0);
  for (int i = 0; i < count; ++i) q_[kStride * i] = blocks_[i].contact.least;
}

void ConeSweeps::read(const double* q) {
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const Block& block = blocks_[i];
    double* x = q_.data() + kStride * i;
    for (int k = 0; k <= block.contact.tangents; ++k) x[k] = q[block.first + k] / block.unit;
    x[0] = std::max(x[0], block.contact.least);
    x[3] = std::max(0.0, std::hypot(x[1], x[2]) - kNoSlipGain * x[0]);
  }
}

void ConeSweeps::write(double* q) const {
  for (std::size_t i = 0; i < blocks_.size(); ++i)
    for (int k = 0; k <= blocks_[i].contact.tangents; ++k)
      q[blocks_[i].first + k] = q_[kStride * i + static_cast<std::size_t>(k)] * blocks_[i].unit;
}

void ConeSweeps::write_velocities(double* u) const {
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    double rates[3];
    rate(q_.data(), static_cast<int>(i), rates);
    for (int k = 0; k <= blocks_[i].contact.tangents; ++k) u[blocks_[i].first + k] = rates[k] / blocks_[i].unit;
  }
}

void ConeSweeps::rate(const double* q, int i, double* u) const {
  std::copy_n(blocks_[i].offset, 3, u);
  for (int k = first_pair_[i]; k < first_pair_[i + 1]; ++k) {
    const double* s = pairs_[k].entry;
    const double* x = q + static_cast<std::ptrdiff_t>(kStride) * pairs_[k].other;
    for (int a = 0; a < 3; ++a) u[a] += s[3 * a] * x[0] + s[3 * a + 1] * x[1] + s[3 * a + 2] * x[2];
  }
}

double ConeSweeps::relax_no_slip(const Block& block, double* x, double* u) const {
  double& more = x[3];  // R
  more = std::max(more, 0.0);
  if (x[0] <= 0.0) more = std::max(0.0, std::min(more, std::hypot(x[1], x[2])) - kNoSlipGain * u[0]);
  const double radius = kNoSlipGain * x[0] + more;
  double z[2] = {x[1] - (block.inverse[0] * u[1] + block.inverse[1] * u[2]),
                 x[2] - (block.inverse[1] * u[1] + block.inverse[2] * u[2])};
  double size = std::hypot(z[0], z[1]);
  if (size > radius) {
    for (int k = 0; k < 2; ++k) z[k] = step_of(x, u, block.inertance, 1 + k);
    size = std::hypot(z[0], z[1]);
  }
  if (size > radius) {
    for (double& part : z) part *= radius / size;
    more += kNoSlipGain * x[0];
  } else {
    more = std::max(0.0, size - kNoSlipGain * x[0]);
  }
  const double change = block.inertance * std::max(std::abs(z[0] - x[1]), std::abs(z[1] - x[2]));
  std::copy_n(z, 2, x + 1);
  return change;
}

/// Gives contact i what it needs; returns how much its rates change by that.
double ConeSweeps::relax(double* q, int i) const {
  const Block& block = blocks_[i];
  const ConeContact& contact = block.contact;
  const double* own = pairs_[block.own].entry;
  double* x = q + static_cast<std::ptrdiff_t>(kStride) * i;
  double u[3];
  rate(q, i, u);
  if (contact.direction != nullptr && contact.tangents > 0) {
    // The rate follows p with the inertance of sliding; where friction drives the contact in there is no such answer.
    double sliding = own[0];
    for (int k = 0; k < contact.tangents; ++k) sliding -= contact.friction * contact.direction[k] * own[1 + k];
    if (!(sliding > 0.0)) sliding = 1.0;
    const double pressure = std::max(contact.least, x[0] - u[0] / sliding);
    const double change = std::abs(pressure - x[0]);
    x[0] = pressure;
    for (int k = 0; k < contact.tangents; ++k) x[1 + k] = -contact.friction * pressure * contact.direction[k];
    return change;
  }
  const double pressure = std::max(contact.least, x[0] - u[0]);
  const double more = pressure - x[0];
  x[0] = pressure;
  double change = std::abs(more);
  if (contact.tangents == 0) return change;
  for (int a = 0; a < 3; ++a) u[a] += own[3 * a] * more;
  if (contact.friction == kNoSlip) return std::max(change, relax_no_slip(block, x, u));
  const double radius = contact.friction * pressure;
  double z[2] = {0.0, 0.0};
  if (radius > 0.0) {
    z[0] = x[1] - (block.inverse[0] * u[1] + block.inverse[1] * u[2]);
    z[1] = x[2] - (block.inverse[1] * u[1] + block.inverse[2] * u[2]);
    if (z[0] * z[0] + z[1] * z[1] > radius * radius) {
      for (int k = 0; k < 2; ++k) z[k] = step_of(x, u, block.inertance, 1 + k);
      const double size = std::sqrt(z[0] * z[0] + z[1] * z[1]);
      for (int k = 0; size > radius && k < 2; ++k) z[k] *= radius / size;
    }
  }
  change = std::max(change, block.inertance * std::max(std::abs(z[0] - x[1]), std::abs(z[1] - x[2])));
  std::copy_n(z, 2, x + 1);
  return change;
}

/// Takes an approach away by pressure alone; R holds the least one here.
double ConeSweeps::press(double* q, int i) const {
  double* x = q + static_cast<std::ptrdiff_t>(kStride) * i;
  double u[3];
  rate(q, i, u);
  const double pressure = std::max(x[3], x[0] - u[0]);
  const double change = std::abs(pressure - x[0]);
  x[0] = pressure;
  return change;
}

double ConeSweeps::residual_of(const double* q) const {
  double worst = 0.0;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    double u[3];
    rate(q, static_cast<int>(i), u);
    const double value = contact_residual(blocks_[i].contact, 1.0, blocks_[i].inertance, q + kStride * i, u);
    if (!(value <= worst)) worst = value;  // NaN counts as the worst
  }
  return worst;
}

double ConeSweeps::worst_approach(const double* q) const {
  double worst = 0.0;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    double u[3];
    rate(q, static_cast<int>(i), u);
    if (!(-u[0] <= worst)) worst = -u[0];
  }
  return worst;
}

double ConeSweeps::residual() const {
  return residual_of(q_.data()) / scale_;
}

bool ConeSweeps::solve(double accuracy, int most_sweeps, int patience) {
  const auto sweep = [this](double* q) {
    double change = 0.0;
    for (int i = 0; i < static_cast<int>(blocks_.size()); ++i) change = std::max(change, relax(q, i));
    return change;
  };
  const auto residual = [this](const double* q) { return residual_of(q); };
  return iteration_.run(sweep, residual, accuracy * scale_, most_sweeps, q_, patience) <= accuracy * scale_;
}

void ConeSweeps::end_approaches(double accuracy, int most_sweeps) {
  if (worst_approach(q_.data()) <= kNoApproach * scale_) return;
  const double before = residual_of(q_.data());
  kept_ = q_;
  for (std::size_t i = 0; i < blocks_.size(); ++i) q_[kStride * i + 3] = q_[kStride * i];
  const auto sweep = [this](double* q) {
    double change = 0.0;
    for (int i = 0; i < static_cast<int>(blocks_.size()); ++i) change = std::max(change, press(q, i));
    return change;
  };
  const auto residual = [this](const double* q) { return worst_approach(q); };
  iteration_.run(sweep, residual, kNoApproach * scale_, most_sweeps, q_);
  if (!(residual_of(q_.data()) <= std::max(kMoreResidual * before, accuracy * scale_))) q_ = kept_;
}

}  // namespace carom
