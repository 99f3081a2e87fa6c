#include "carom/laws/impact/compliant_grip.h"

#include <algorithm>
#include <cmath>

#include "carom/laws/impact/compliant_disk.h"

namespace carom {

namespace {

/// Sweeps of the block descent; it ends where nothing moves any more, which a few contacts reach in a dozen. Redundant
/// contacts at their common limit come there slowly, but what they do is plain before that.
constexpr int kMostSweeps = 500;
constexpr double kSettled = 1e-15;
/// An acceleration of slip below this part of what makes it up is none.
constexpr double kNoAcceleration = 1e-11;
/// A force this near to its limit, relative, is at it.
constexpr double kAtLimit = 1e-9;
/// Rows with less than this of them outside the span of the others are redundant.
constexpr double kDependent = 1e-11;
/// How often the weights of redundant contacts are changed before they are taken to be near their common limit, by this
/// part of it.
constexpr int kMostWeightings = 30;
constexpr double kNearLimit = 1e-5;
/// A contact whose slip would be less than this part of another's takes no part in a common limit.
constexpr double kTakesPart = 1e-6;

}  // namespace

void CompliantGrip::start(const CompliantSprings& springs) {
  springs_ = springs;
  count_ = springs.contacts;
  closed_ = 0;
  redundant_ = false;
  tangents_ = 0;
  for (int i = 0; i < count_; ++i) tangents_ = std::max(tangents_, springs.tangents[i]);
  const int rows = kPlanes * count_;
  dense::ensure(load_, 2 * count_);
  dense::ensure(scale_, count_);
  dense::ensure(weight_, count_);
  dense::ensure(free_place_, count_);
  dense::ensure(free_force_, rows);
  dense::ensure(response_, rows, rows);
  dense::ensure(share_, 2 * count_, rows);
  first_felt_.assign(1, 0);
  felt_.clear();
  for (int i = 0; i < count_; ++i) {
    for (int j = 0; j < count_; ++j)
      if (feels(i, j)) felt_.push_back(j);
    first_felt_.push_back(static_cast<int>(felt_.size()));
  }
}

bool CompliantGrip::feels(int i, int j) const {
  for (int a = 0; a < kPlanes; ++a)
    for (int b = 0; b < kPlanes; ++b)
      if (matrix(a * count_ + i, b * count_ + j) != 0.0) return true;
  return false;
}

bool CompliantGrip::decide(std::span<CompliantContact> contacts, int closed, const double* force, double* friction) {
  still_.clear();
  for (int i = 0; i < closed; ++i)
    if (contacts[i].still && tangents_of(contacts[i]) > 0) still_.push_back(i);
  if (still_.empty()) return false;
  const auto radius = [&](int i) {
    const double mu = friction_of(contacts[i]);
    return std::isinf(mu) ? mu : mu * force[i];
  };
  for (const int i : still_) {
    friction[i] = friction[count_ + i] = 0.0;
    contacts[i].grip = Grip::stick;
  }
  // Mostly all of them stick. Where forces are not unique this asks whether some forces hold.
  respond(contacts, closed, force, friction);
  if (use_ < 1.0 - kAtLimit || (redundant_ && use_ < 1.0 + kNearLimit)) return true;
  for (const int i : still_) {
    double scale = 0.0;
    for (int a = 0; a < 2; ++a) {
      const int row = row_of(contacts[i], a + 1);
      double sum = 0.0;
      for (int j = 0; j < closed; ++j) {
        const double parts[3] = {matrix(row, row_of(contacts[j], 0)) * force[j],
                                 matrix(row, row_of(contacts[j], 1)) * friction[j],
                                 matrix(row, row_of(contacts[j], 2)) * friction[count_ + j]};
        for (const double part : parts) {
          sum += part;
          scale += std::abs(part);
        }
      }
      load_[a * count_ + i] = sum;
    }
    scale_[i] = scale;
    // A push of round-off would choose a direction for a contact that carries nothing yet.
    if (std::hypot(load_[i], load_[count_ + i]) <= 1e-13 * scale) load_[i] = load_[count_ + i] = 0.0;
  }
  // load_ is kept as the acceleration of slip with the forces so far.
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    double moved = 0.0;
    for (const int i : still_) {
      const int r1 = row_of(contacts[i], 1), r2 = row_of(contacts[i], 2);
      const TangentBlock block{matrix(r1, r1), matrix(r1, r2), matrix(r2, r2)};
      const double before[2] = {friction[i], friction[count_ + i]};
      const double h[2] = {load_[i] - block.c11 * before[0] - block.c12 * before[1],
                           load_[count_ + i] - block.c12 * before[0] - block.c22 * before[1]};
      double after[2];
      least_over_disk(block, h, radius(i), after);
      const double change[2] = {after[0] - before[0], after[1] - before[1]};
      if (change[0] == 0.0 && change[1] == 0.0) continue;
      friction[i] = after[0];
      friction[count_ + i] = after[1];
      for (const int j : still_)
        for (int a = 0; a < 2; ++a) {
          const int row = row_of(contacts[j], a + 1);
          const double push = matrix(row, r1) * change[0] + matrix(row, r2) * change[1];
          load_[a * count_ + j] += push;
          moved = std::max(moved, std::abs(push) / (scale_[j] + 1e-300));
        }
    }
    if (still_.size() == 1 || moved <= kSettled) break;
  }
  for (const int i : still_) {
    const double length = std::hypot(friction[i], friction[count_ + i]);
    const double acceleration = std::hypot(load_[i], load_[count_ + i]);
    if (!(length > radius(i) * (1.0 - kAtLimit)) || acceleration <= kNoAcceleration * scale_[i]) continue;
    contacts[i].still = false;
    contacts[i].begins = true;
    contacts[i].direction[0] = length > 0.0 ? -friction[i] / length : load_[i] / acceleration;
    contacts[i].direction[1] = length > 0.0 ? -friction[count_ + i] / length : load_[count_ + i] / acceleration;
    contacts[i].grip = Grip::slip;
  }
  return false;
}

void CompliantGrip::collect_sticking(std::span<const CompliantContact> contacts, int closed) {
  closed_ = closed;
  sticking_.clear();
  free_.clear();
  for (int i = 0; i < closed; ++i) {
    const Grip grip = contacts[i].grip;
    free_place_[i] = static_cast<int>(free_.size());
    if (is_free(grip)) free_.push_back(i);
    for (int plane = 1; grip == Grip::stick && plane <= tangents_of(contacts[i]); ++plane)
      sticking_.push_back({.place = i, .plane = plane});
  }
  columns_ = closed_ + tangents_ * static_cast<int>(free_.size());
}

void CompliantGrip::direct_response(std::span<const CompliantContact> contacts) {
  int* place = dense::ensure(place_, count_);
  for (int i = 0; i < count_; ++i) place[contacts[i].index] = i;
  for (int plane = 0; plane < kPlanes; ++plane)
    for (int i = 0; i < count_; ++i) {
      const int row = row_of(contacts[i], plane);
      double* out = response_.data() + index(plane * count_ + i, 0);
      std::fill_n(out, columns_, 0.0);
      for (const int felt : felt_by(contacts[i])) {
        const int j = place[felt];
        if (j >= closed_) continue;
        const CompliantContact& other = contacts[j];
        double sum = matrix(row, row_of(other, 0));
        if (other.grip == Grip::slip)
          sum -= friction_of(other) * (matrix(row, row_of(other, 1)) * other.direction[0] +
                                       matrix(row, row_of(other, 2)) * other.direction[1]);
        out[j] = sum;
        for (int a = 1; a <= tangents_ && is_free(other.grip); ++a) out[column(a, j)] = matrix(row, row_of(other, a));
      }
    }
}

void CompliantGrip::factorise_sticking(std::span<const CompliantContact> contacts) {
  const int k = static_cast<int>(sticking_.size());
  dense::ensure(matrix_, k, k);
  for (int r = 0; r < k; ++r)
    for (int q = 0; q < k; ++q)
      matrix_[static_cast<std::size_t>(r * k + q)] = weight_[sticking_[r].place] * weight_[sticking_[q].place] *
                                                     matrix(row_of(contacts[sticking_[r].place], sticking_[r].plane),
                                                            row_of(contacts[sticking_[q].place], sticking_[q].plane));
  factor_.compute(matrix_.data(), k, kDependent);
  // A = L Lᵀ of low rank has the inverse of least norm L(LᵀL)⁻²Lᵀ.
  const int rank = factor_.rank;
  dense::ensure(gram_, rank, rank);
  dense::ensure(inverse_, k);
  dense::ensure(column_, k);
  if (rank == k) {
    for (int r = 0; r < k; ++r) inverse_[r] = 1.0 / factor_.factor[static_cast<std::size_t>(r * k + r)];
    return;
  }
  for (int a = 0; a < rank; ++a)
    for (int b = 0; b < rank; ++b) {
      double sum = 0.0;
      for (int r = std::max(a, b); r < k; ++r)
        sum +=
            factor_.factor[static_cast<std::size_t>(r * k + a)] * factor_.factor[static_cast<std::size_t>(r * k + b)];
      gram_[static_cast<std::size_t>(a * rank + b)] = sum;
    }
  if (rank > 0) dense::cholesky(gram_.data(), inverse_.data(), rank, 0.0);
}

void CompliantGrip::solve_sticking(double* right) {
  const int k = static_cast<int>(sticking_.size());
  const int rank = factor_.rank;
  double* small = column_.data();
  if (rank == k) {
    for (int r = 0; r < k; ++r) {
      const int original = factor_.permutation[static_cast<std::size_t>(r)];
      small[r] = weight_[sticking_[original].place] * right[original];
    }
    dense::solve_lower(factor_.factor.data(), inverse_.data(), small, k);
    dense::solve_lower_transposed(factor_.factor.data(), inverse_.data(), small, k);
    for (int r = 0; r < k; ++r) {
      const int original = factor_.permutation[static_cast<std::size_t>(r)];
      right[original] = -weight_[sticking_[original].place] * small[r];
    }
    return;
  }
  for (int a = 0; a < rank; ++a) {
    double sum = 0.0;
    for (int r = a; r < k; ++r) {
      const int original = factor_.permutation[static_cast<std::size_t>(r)];
      sum += factor_.factor[static_cast<std::size_t>(r * k + a)] * weight_[sticking_[original].place] * right[original];
    }
    small[a] = sum;
  }
  for (int turn = 0; turn < 2 && rank > 0; ++turn) {
    dense::solve_lower(gram_.data(), inverse_.data(), small, rank);
    dense::solve_lower_transposed(gram_.data(), inverse_.data(), small, rank);
  }
  for (int r = 0; r < k; ++r) {
    double sum = 0.0;
    for (int a = 0; a < std::min(rank, r + 1); ++a)
      sum += factor_.factor[static_cast<std::size_t>(r * k + a)] * small[a];
    const int original = factor_.permutation[static_cast<std::size_t>(r)];
    right[original] = -weight_[sticking_[original].place] * sum;
  }
}

void CompliantGrip::find_common_limit(std::span<const CompliantContact> contacts, int worst) {
  // Slip would start along −f, by amounts w for which it is a motion that the bodies can make: w is the null vector of
  // (I − P)D, P the projector onto the slips that they can have and D the directions. Inverse iteration finds the one
  // nearest to slip of the contact that is at its limit alone.
  const int k = static_cast<int>(sticking_.size());
  const int rank = factor_.rank;
  limit_direction_.assign(2 * static_cast<std::size_t>(count_), 0.0);
  limit_weight_.assign(static_cast<std::size_t>(count_), 0.0);
  for (const Row& row : sticking_) {
    if (std::isinf(friction_of(contacts[row.place]))) return;
    const double f[2] = {pull(0, row.place, free_force_.data()), pull(1, row.place, free_force_.data())};
    const double length = std::hypot(f[0], f[1]);
    if (!(length > 0.0)) return;
    limit_direction_[row.place] = -f[0] / length;
    limit_direction_[count_ + row.place] = -f[1] / length;
  }
  limit_weight_[worst] = 1.0;
  // The factor is that of weighted rows: P acts on what is multiplied by the weights.
  std::vector<double>& system = common_;
  dense::ensure(system, closed_, closed_);
  dense::ensure(column_, k + rank);
  const auto directed = [&](int r, int i) {
    const Row& row = sticking_[factor_.permutation[static_cast<std::size_t>(r)]];
    return row.place == i ? weight_[i] * limit_direction_[(row.plane - 1) * count_ + i] : 0.0;
  };
  for (int i = 0; i < closed_; ++i)
    for (int j = 0; j <= i; ++j) {
      // Dᵢ·(I − P)Dⱼ
      double* small = column_.data();
      for (int a = 0; a < rank; ++a) {
        small[a] = 0.0;
        for (int r = a; r < k; ++r) small[a] += factor_.factor[static_cast<std::size_t>(r * k + a)] * directed(r, j);
      }
      dense::solve_lower(gram_.data(), inverse_.data(), small, rank);
      dense::solve_lower_transposed(gram_.data(), inverse_.data(), small, rank);
      double sum = 0.0;
      for (int r = 0; r < k; ++r) {
        double projected = 0.0;
        for (int a = 0; a < std::min(rank, r + 1); ++a)
          projected += factor_.factor[static_cast<std::size_t>(r * k + a)] * small[a];
        sum += directed(r, i) * (directed(r, j) - projected);
      }
      system[static_cast<std::size_t>(i * closed_ + j)] = sum;
    }
  double* diagonal = dense::ensure(inverse_common_, closed_);
  for (int i = 0; i < closed_; ++i)
    system[static_cast<std::size_t>(i * closed_ + i)] += contacts[i].grip == Grip::stick ? 1e-12 : 1.0;
  if (dense::cholesky(system.data(), diagonal, closed_, 0.0) >= 0) return;
  for (int turn = 0; turn < 3; ++turn) {
    dense::solve_lower(system.data(), diagonal, limit_weight_.data(), closed_);
    dense::solve_lower_transposed(system.data(), diagonal, limit_weight_.data(), closed_);
    double most = 0.0;
    for (int i = 0; i < closed_; ++i) most = std::max(most, std::abs(limit_weight_[i]));
    for (int i = 0; i < closed_; ++i) limit_weight_[i] /= most;
  }
  int taking_part = 0;
  for (int i = 0; i < closed_; ++i) {
    if (limit_weight_[i] < kTakesPart) limit_weight_[i] = 0.0;
    taking_part += limit_weight_[i] > 0.0 ? 1 : 0;
  }
  common_limit_ = taking_part > 1;
  if (!common_limit_) lone_limit_ = worst;
}

double CompliantGrip::worst_use(std::span<const CompliantContact> contacts, const double* force, int& worst) const {
  double most = 0.0;
  worst = -1;
  for (int i = 0; i < closed_; ++i) {
    if (contacts[i].grip != Grip::stick || std::isinf(friction_of(contacts[i]))) continue;
    const double use = std::hypot(pull(0, i, free_force_.data()), pull(1, i, free_force_.data())) /
                       (friction_of(contacts[i]) * force[i] + 1e-300);
    if (use > most) {
      most = use;
      worst = i;
    }
  }
  return most;
}

void CompliantGrip::respond(std::span<const CompliantContact> contacts, int closed, const double* force,
                            const double* friction) {
  collect_sticking(contacts, closed);
  common_limit_ = false;
  lone_limit_ = -1;
  use_ = 0.0;
  redundant_ = false;
  std::fill_n(share_.begin(), 2 * static_cast<std::size_t>(closed_) * static_cast<std::size_t>(columns_), 0.0);
  const int k = static_cast<int>(sticking_.size());
  double heaviest = 0.0;
  for (int i = 0; i < closed_; ++i) {
    const double mu = friction_of(contacts[i]);
    weight_[i] = (std::isinf(mu) ? 1.0 : mu) * force[i];
    heaviest = std::max(heaviest, contacts[i].grip == Grip::stick ? weight_[i] : 0.0);
  }
  for (int i = 0; i < closed_; ++i)
    weight_[i] = heaviest > 0.0 ? std::sqrt(std::max(weight_[i] / heaviest, 1e-6)) : 1.0;
  direct_response(contacts);
  if (k == 0) return;
  std::copy_n(force, closed_, free_force_.begin());
  for (const int i : free_)
    for (int a = 1; a <= tangents_; ++a) free_force_[column(a, i)] = friction[(a - 1) * count_ + i];
  int worst = share_forces(contacts, force);
  double* best_weight = dense::ensure(best_weight_, closed_);
  std::copy_n(weight_.begin(), closed_, best_weight);
  double best = use_;
  for (int turn = 0; redundant_ && use_ >= 1.0 - kNearLimit; ++turn) {
    if (turn == kMostWeightings) {
      std::copy_n(best_weight, closed_, weight_.begin());
      worst = share_forces(contacts, force);
      find_common_limit(contacts, worst);
      break;
    }
    weight_[worst] *= 0.8;
    worst = share_forces(contacts, force);
    if (use_ >= best) continue;
    best = use_;
    std::copy_n(weight_.begin(), closed_, best_weight);
  }
  for (int row = 0; row < kPlanes * count_; ++row) {
    const int own = row_of(contacts[row % count_], row / count_);
    for (int r = 0; r < k; ++r) {
      const double link = matrix(own, row_of(contacts[sticking_[r].place], sticking_[r].plane));
      if (link == 0.0) continue;
      const double* share_row = share_.data() + index((sticking_[r].plane - 1) * closed_ + sticking_[r].place, 0);
      dense::add_scaled(link, share_row, response_.data() + index(row, 0), columns_);
    }
  }
}

int CompliantGrip::share_forces(std::span<const CompliantContact> contacts, const double* force) {
  const int k = static_cast<int>(sticking_.size());
  factorise_sticking(contacts);
  redundant_ = factor_.rank < k;
  dense::ensure(load_, std::max(k, 2 * count_));
  for (int c = 0; c < columns_; ++c) {
    bool pushed = false;
    for (int r = 0; r < k; ++r) {
      load_[r] = response_[index(sticking_[r].plane * count_ + sticking_[r].place, c)];
      pushed = pushed || load_[r] != 0.0;
    }
    if (!pushed) continue;  // the share is zero, as respond() has left it
    solve_sticking(load_.data());
    for (int r = 0; r < k; ++r) share_[index((sticking_[r].plane - 1) * closed_ + sticking_[r].place, c)] = load_[r];
  }
  int worst = -1;
  use_ = worst_use(contacts, force, worst);
  return worst;
}

void CompliantGrip::remove_slip(std::span<const CompliantContact> contacts, int closed, double* velocity,
                                double* impulse) {
  collect_sticking(contacts, closed);
  const int k = static_cast<int>(sticking_.size());
  if (k == 0) return;
  double largest = 0.0;
  dense::ensure(load_, std::max(k, 2 * count_));
  for (int r = 0; r < k; ++r) {
    load_[r] = velocity[sticking_[r].plane * count_ + sticking_[r].place];
    largest = std::max(largest, std::abs(load_[r]));
  }
  if (largest == 0.0) return;
  std::fill_n(weight_.begin(), count_, 1.0);
  factorise_sticking(contacts);
  solve_sticking(load_.data());
  for (int row = 0; row < kPlanes * count_; ++row) {
    const int own = row_of(contacts[row % count_], row / count_);
    for (int r = 0; r < k; ++r)
      velocity[row] += matrix(own, row_of(contacts[sticking_[r].place], sticking_[r].plane)) * load_[r];
  }
  for (int r = 0; r < k; ++r) {
    const Row& row = sticking_[r];
    impulse[(row.plane - 1) * count_ + contacts[row.place].index] += load_[r];
    velocity[row.plane * count_ + row.place] = 0.0;
  }
}

}  // namespace carom
