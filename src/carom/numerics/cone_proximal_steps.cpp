/// The steps of ConeProximal: projection on the cones, and Newton's method with the slips given and with the slips
/// followed.

#include <algorithm>
#include <cmath>

#include "carom/numerics/cone_proximal.h"
#include "carom/numerics/dense.h"

namespace carom {

using dense::dot;
using dense::ensure;

namespace {

constexpr int kMostNewtonSteps = 60;
constexpr int kMostHalvings = 30;
/// Newton's method has ended when its step is below this part of the impulses.
constexpr double kSettledStep = 1e-9;
constexpr int kMostFollowingSteps = 30;
constexpr double kShortestStep = 0.02;

/// Where a point was taken to: its pressure is more than the least one, its friction is at the limit.
struct Nearest {
  bool presses = false;
  bool slips = false;
};

/// The nearest (p, π) to y with |π| ≤ μp, p ≥ p₀; may overwrite y.
Nearest nearest_in_cone(const ConeContact& contact, const double* y, double* q) {
  const int t = contact.tangents;
  const double mu = t > 0 ? contact.friction : 0.0;
  const double length = mu > 0.0 ? tangential_length(y + 1, t) : 0.0;
  const bool inside = length <= mu * y[0];
  const double along = inside || mu == 0.0 ? y[0] : (y[0] + mu * length) / (1.0 + mu * mu);
  const bool presses = along > contact.least;
  const double p = presses ? along : contact.least;
  const bool slips = mu > 0.0 && (presses ? !inside : length > mu * p);
  const double factor = mu == 0.0 ? 0.0 : slips ? mu * p / length : 1.0;
  for (int k = 1; k <= t; ++k) q[k] = factor * y[k];
  q[0] = p;
  return {presses, slips};
}

}  // namespace

void ConeProximal::multiply(const double* x, double* product) const {
  const ConeSystem& system = *system_;
  for (int i = 0; i < system.contacts(); ++i)
    for (int a = system.first_row(i); a <= system.first_row(i) + system.contact(i).tangents; ++a) {
      const double* row = system.matrix() + static_cast<std::ptrdiff_t>(a) * rows_;
      double sum = 0.0;
      for (int k = first_neighbour_[i]; k < first_neighbour_[i + 1]; ++k) {
        const int j = neighbour_[k];
        const int f = system.first_row(j);
        for (int b = f; b <= f + system.contact(j).tangents; ++b) sum += row[b] * x[b];
      }
      product[a] = sum;
    }
}

/// y from x and its image Sx, the projection of y on the cones, and what the contacts can change there.
void ConeProximal::project() {
  const ConeSystem& system = *system_;
  for (int i = 0; i < system.contacts(); ++i) {
    const ConeContact& contact = system.contact(i);
    const int f = system.first_row(i);
    const int t = contact.tangents;
    const double r = regularisation_ * weight_[i];
    double* y = y_.data() + f;
    double* p = projected_.data() + f;
    for (int k = 0; k <= t; ++k) y[k] = centre_[f + k] - (image_[f + k] + system.offset()[f + k]) / r;
    y[0] -= shift_[i] / r;
    Freedom& freedom = freedom_[i];
    freedom = Freedom{};
    const auto add_column = [&](double first, double second, double third) {
      double* column = freedom.column[freedom.count++];
      column[0] = first;
      column[1] = second;
      column[2] = third;
    };
    const Nearest nearest = nearest_in_cone(contact, y, p);
    if (nearest.presses && !nearest.slips) add_column(1.0, 0.0, 0.0);
    if (!(p[0] > 0.0) || t == 0 || contact.friction == 0.0) continue;
    if (!nearest.slips) {
      for (int k = 0; k < t; ++k) add_column(0.0, k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0);
      continue;
    }
    const double length = tangential_length(y + 1, t);
    const double direction[2] = {y[1] / length, t == 2 ? y[2] / length : 0.0};
    const double mu = contact.friction;
    const double unit = 1.0 / std::sqrt(1.0 + mu * mu);
    if (nearest.presses) add_column(unit, unit * mu * direction[0], unit * mu * direction[1]);
    const double turn = std::sqrt(mu * p[0] / length);  // the direction follows y
    if (t == 2) add_column(0.0, -turn * direction[1], turn * direction[0]);
  }
}

/// The nearest impulses that the contacts can have.
void ConeProximal::put_into_cones(double* q) const {
  for (int i = 0; i < system_->contacts(); ++i)
    nearest_in_cone(system_->contact(i), q + system_->first_row(i), q + system_->first_row(i));
}

/// ½ xᵀSx + Σ R(½|y|² − ½|y − P(y)|²), whose gradient is S(x − P(y)).
double ConeProximal::merit() const {
  const ConeSystem& system = *system_;
  double sum = 0.5 * dot(x_.data(), image_.data(), rows_);
  for (int i = 0; i < system.contacts(); ++i) {
    const int f = system.first_row(i);
    double part = 0.0;
    for (int a = f; a <= f + system.contact(i).tangents; ++a) part += projected_[a] * (y_[a] - 0.5 * projected_[a]);
    sum += regularisation_ * weight_[i] * part;
  }
  return sum;
}

/// The proximal point about the centre, from x_; leaves it in x_ with its image. Returns whether it was reached.
bool ConeProximal::minimise() {
  const ConeSystem& system = *system_;
  project();
  double value = merit();
  for (int turn = 0; turn < kMostNewtonSteps; ++turn) {
    // r = P(y) − x;  (R + EᵀSE) h = EᵀSr;  Δ = r − E h
    for (int a = 0; a < rows_; ++a) step_[a] = projected_[a] - x_[a];
    if (!factorise(1.0, 0.0)) return false;
    multiply(step_.data(), step_image_.data());
    ensure(right_, columns_);
    for (int r = 0; r < columns_; ++r) {
      const int i = contact_of_column_[r];
      const double* column = freedom_[i].column[r - freedom_[i].first];
      right_[r] = dot(column, step_image_.data() + system.first_row(i), 1 + system.contact(i).tangents);
    }
    solve_factor(right_.data());
    for (int r = 0; r < columns_; ++r) {
      const int i = contact_of_column_[r];
      const double* column = freedom_[i].column[r - freedom_[i].first];
      dense::add_scaled(-right_[r], column, step_.data() + system.first_row(i), 1 + system.contact(i).tangents);
    }
    multiply(step_.data(), step_image_.data());
    double slope = 0.0;  // of the merit along the step: (x − P)ᵀSΔ
    double most = 0.0, size = 0.0;
    for (int a = 0; a < rows_; ++a) {
      slope += (x_[a] - projected_[a]) * step_image_[a];
      most = std::max(most, std::abs(step_[a]));
      size = std::max(size, std::abs(x_[a]));
    }
    if (most <= kSettledStep * size) {  // P(y) has lost more digits than x: the step is as good as it gets
      for (int a = 0; a < rows_; ++a) {
        x_[a] += step_[a];
        image_[a] += step_image_[a];
      }
      return true;
    }
    std::copy_n(x_.data(), rows_, trial_.data());
    std::copy_n(image_.data(), rows_, trial_.data() + rows_);
    double length = 1.0;
    bool lower = false;
    for (int halving = 0; halving < kMostHalvings && !lower; ++halving, length *= 0.5) {
      for (int a = 0; a < rows_; ++a) {
        x_[a] = trial_[a] + length * step_[a];
        image_[a] = trial_[rows_ + a] + length * step_image_[a];
      }
      project();
      const double reached = merit();
      lower = reached <= value + 1e-4 * length * slope || -slope <= 1e-12 * std::abs(value);
      if (lower) value = reached;
    }
    if (lower) continue;
    std::copy_n(trial_.data(), rows_, x_.data());  // no better within round-off
    std::copy_n(trial_.data() + rows_, rows_, image_.data());
    project();
    return true;
  }
  return false;
}

/// Newton's method on x = P(y) with the shifts that belong to x, from x_; leaves the answer there and returns true, or
/// returns false and leaves x_ and the shifts as they were. Its matrix is R + EᵀZSE, where Z adds the part of the
/// normal row that follows the slip.
bool ConeProximal::follow_shifts() {
  const ConeSystem& system = *system_;
  std::copy_n(x_.data(), rows_, kept_.data());
  std::copy_n(image_.data(), rows_, kept_.data() + rows_);
  std::copy_n(shift_.begin(), shift_.size(), kept_shift_.begin());
  const auto give_up = [&] {
    std::copy_n(kept_.data(), rows_, x_.data());
    std::copy_n(kept_.data() + rows_, rows_, image_.data());
    std::copy_n(kept_shift_.begin(), shift_.size(), shift_.begin());
    return false;
  };
  shift_normals();
  project();
  for (int turn = 0; turn < kMostFollowingSteps; ++turn) {
    double defect = 0.0;
    for (int a = 0; a < rows_; ++a) {
      step_[a] = projected_[a] - x_[a];
      defect += step_[a] * step_[a];
    }
    if (!factorise_following()) return give_up();
    multiply(step_.data(), step_image_.data());
    ensure(right_, columns_);
    for (int r = 0; r < columns_; ++r) {
      const int i = contact_of_column_[r];
      double row[3];
      following_row(i, r - freedom_[i].first, row);
      right_[r] = dot(row, step_image_.data() + system.first_row(i), 1 + system.contact(i).tangents);
    }
    solve_following(right_.data());
    for (int r = 0; r < columns_; ++r) {
      const int i = contact_of_column_[r];
      const double* column = freedom_[i].column[r - freedom_[i].first];
      dense::add_scaled(-right_[r], column, step_.data() + system.first_row(i), 1 + system.contact(i).tangents);
    }
    multiply(step_.data(), step_image_.data());
    double most = 0.0, size = 0.0;
    for (int a = 0; a < rows_; ++a) {
      most = std::max(most, std::abs(step_[a]));
      size = std::max(size, std::abs(x_[a]));
    }
    std::copy_n(x_.data(), rows_, trial_.data());
    std::copy_n(image_.data(), rows_, trial_.data() + rows_);
    const bool ends = most <= kSettledStep * size;
    double length = 1.0;
    bool lower = false;
    for (; length > kShortestStep && !lower; length *= 0.5) {
      for (int a = 0; a < rows_; ++a) {
        x_[a] = trial_[a] + length * step_[a];
        image_[a] = trial_[rows_ + a] + length * step_image_[a];
      }
      if (ends) return true;
      shift_normals();
      project();
      double left = 0.0;
      for (int a = 0; a < rows_; ++a) left += (x_[a] - projected_[a]) * (x_[a] - projected_[a]);
      lower = left <= (1.0 - 0.2 * length) * defect;
    }
    if (!lower) return give_up();
  }
  return give_up();
}

}  // namespace carom
