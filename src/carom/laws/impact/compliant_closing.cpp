#include "carom/laws/impact/compliant_closing.h"

#include <algorithm>
#include <cmath>

#include "carom/laws/impact/coupled.h"
#include "carom/laws/impact/coupled_friction.h"

namespace carom {

namespace {

/// Trials of λ; each is less by a tenth than what would be right if the energy went with its square.
constexpr int kMostTrials = 40;
constexpr double kLessEachTime = 0.9;
/// Impulses and approaches that count, as parts of the reference speed.
constexpr double kEndlessImpulse = 1e6;
constexpr double kLeftApproach = 1e-10;
/// Round-off of a velocity, as a part of what single impulses do to it.
constexpr double kRoundOff = 1e-15;

/// The rows of a cluster, contact by contact: normals, and tangents where contacts resist slip.
class Rows {
 public:
  Rows(LawRun& run, std::span<const int> members) : run_(run), members_(members) {
    first_.push_back(0);
    for (const int r : members) first_.push_back(first_.back() + 1 + tangents(r));
    velocity_.resize(static_cast<std::size_t>(count()));
  }

  [[nodiscard]] int count() const { return first_.back(); }
  [[nodiscard]] int first(std::size_t i) const { return first_[i]; }
  [[nodiscard]] int tangents(int r) const { return run_.friction != nullptr ? run_.friction->tangents(r) : 0; }
  [[nodiscard]] std::vector<double>& velocity() { return velocity_; }

  [[nodiscard]] double entry(std::size_t i, int a, std::size_t j, int b) const {
    if (run_.friction == nullptr) return run_.space.cosine_row(members_[i])[members_[j]];
    const FrictionSpace& space = *run_.friction;
    return space.matrix()[static_cast<std::ptrdiff_t>(space.first_row(members_[i]) + a) * space.rows() +
                          space.first_row(members_[j]) + b];
  }
  [[nodiscard]] double rate_before(std::size_t i, int a) const {
    return a == 0 ? run_.space.rate_before()[members_[i]]
                  : run_.friction->rate_before()[run_.friction->first_row(members_[i]) + a];
  }

  /// velocity += S q
  void push(const std::vector<double>& q, std::vector<double>& velocity) const {
    spread(q, [&](std::size_t row, double change) { velocity[row] += change; });
  }

  /// By how much round-off may change the work of these impulses: those that press bodies between walls may be large
  /// and all but balance each other.
  [[nodiscard]] double uncertain_work(const std::vector<double>& q) const {
    std::vector<double> sizes(q.size(), 0.0);
    spread(q, [&](std::size_t row, double change) { sizes[row] += std::abs(change); });
    double sum = 0.0;
    for (std::size_t k = 0; k < q.size(); ++k) sum += std::abs(q[k]) * sizes[k];
    return kRoundOff * sum;
  }

  /// The impulses p ≥ least that leave no approach; false where there are none.
  bool solve(const std::vector<double>& velocity, const std::vector<double>& least, std::vector<double>& q) {
    q.assign(static_cast<std::size_t>(count()), 0.0);
    if (run_.friction != nullptr)
      return solve_cones(run_, {.contacts = members_, .offset = velocity.data(), .least = least.data()}, q.data());
    const int m = count();
    block_.resize(static_cast<std::size_t>(m) * static_cast<std::size_t>(m));
    std::vector<double> offset = velocity;
    push(least, offset);
    for (std::size_t i = 0; i < members_.size(); ++i)
      for (std::size_t j = 0; j < members_.size(); ++j) block_[i * members_.size() + j] = entry(i, 0, j, 0);
    if (!solve_coupled(run_, {block_.data(), offset.data(), m, run_.space.reference_speed()}, members_.data(),
                       q.data()))
      return false;
    for (int i = 0; i < m; ++i) q[static_cast<std::size_t>(i)] += least[static_cast<std::size_t>(i)];
    return true;
  }

 private:
  /// `add(row, change)` for what each of these impulses does to each row.
  template <class Add>
  void spread(const std::vector<double>& q, const Add& add) const {
    for (std::size_t j = 0; j < members_.size(); ++j)
      for (int b = 0; b <= tangents(members_[j]); ++b) {
        const double impulse = q[static_cast<std::size_t>(first_[j] + b)];
        if (impulse == 0.0) continue;
        for (std::size_t i = 0; i < members_.size(); ++i)
          for (int a = 0; a <= tangents(members_[i]); ++a)
            add(static_cast<std::size_t>(first_[i] + a), impulse * entry(i, a, j, b));
      }
  }

  LawRun& run_;
  std::span<const int> members_;
  std::vector<int> first_;
  std::vector<double> velocity_, block_;
};

/// The impulses so far, and in `rows` the velocities that they lead to.
std::vector<double> gather(const LawRun& run, const CompliantState& state, Rows& rows) {
  std::vector<double> total(static_cast<std::size_t>(rows.count()));
  for (std::size_t i = 0; i < state.members.size(); ++i) {
    const auto f = static_cast<std::size_t>(rows.first(i));
    total[f] = state.impulse[i];
    for (int a = 0; a <= rows.tangents(state.members[i]); ++a) {
      const std::size_t k = f + static_cast<std::size_t>(a);
      if (a > 0) total[k] = run.local_impulse[run.friction->first_row(state.members[i]) + a];
      rows.velocity()[k] = rows.rate_before(i, a);
    }
  }
  rows.push(total, rows.velocity());
  return total;
}

/// q·½(u + u⁺)
double work(const std::vector<double>& q, const std::vector<double>& before, const std::vector<double>& after) {
  double sum = 0.0;
  for (std::size_t k = 0; k < q.size(); ++k) sum += 0.5 * q[k] * (before[k] + after[k]);
  return sum;
}

}  // namespace

bool leaves_approach(const LawRun& run, const CompliantState& state) {
  const FrictionSpace& space = *run.friction;
  const double least = std::max(kLeftApproach, run.problem.options.rest) * run.space.reference_speed();
  for (const int r : state.members) {
    const double* row = space.matrix() + static_cast<std::ptrdiff_t>(space.first_row(r)) * space.rows();
    double rate = run.space.rate_before()[r];
    for (std::size_t j = 0; j < state.members.size(); ++j) {
      const int f = space.first_row(state.members[j]);
      rate += row[f] * state.impulse[j];
      for (int a = 1; a <= space.tangents(state.members[j]); ++a) rate += row[f + a] * run.local_impulse[f + a];
    }
    if (rate < -least) return true;
  }
  return false;
}

Stop close_by_impulses(LawRun& run, const CompliantState& state) {
  Rows rows(run, state.members);
  const std::size_t m = state.members.size();
  const auto count = static_cast<std::size_t>(rows.count());
  std::vector<double> compression, expansion, least(m, 0.0), wanted(m);
  const std::vector<double> reached = gather(run, state, rows);
  // Where impulses have grown so much that velocities are lost in their round-off, walls press from all sides.
  double largest = 0.0;
  for (const double impulse : reached) largest = std::max(largest, std::abs(impulse));
  if (!(largest < kEndlessImpulse * run.space.reference_speed())) return Stop::no_exit_direction;
  const Stop stop_before = run.stop;
  const std::vector<double> before = rows.velocity();
  if (!rows.solve(before, least, compression)) {
    run.stop = stop_before;
    return Stop::no_exit_direction;
  }
  std::vector<double> compressed = before;
  rows.push(compression, compressed);

  // Compression may push a contact that opens already, which costs the others more than they have stored by it.
  double allowed = 0.0, at_most = -work(compression, before, compressed) - rows.uncertain_work(compression);
  for (std::size_t i = 0; i < m; ++i) {
    const auto f = static_cast<std::size_t>(rows.first(i));
    const double e = run.space.restitution()[state.members[i]];
    const double taken = -0.5 * compression[f] * (before[f] + compressed[f]);
    allowed += e * e * (state.stored[i] + std::max(taken, 0.0));
    wanted[i] = e * (std::sqrt(2.0 * state.stored[i]) + compression[f]);
    at_most += state.stored[i];
  }
  allowed = std::min(allowed, at_most);
  std::vector<double> after = compressed;
  expansion.assign(count, 0.0);
  double part = 1.0;
  for (int trial = 0; trial < kMostTrials && allowed > 0.0; ++trial) {
    for (std::size_t i = 0; i < m; ++i) least[i] = part * wanted[i];
    if (!rows.solve(compressed, least, expansion)) {  // what has been compressed can stay so
      run.stop = stop_before;
      expansion.assign(count, 0.0);
      break;
    }
    after = compressed;
    rows.push(expansion, after);
    const double given = work(expansion, compressed, after) + rows.uncertain_work(expansion);
    if (given <= allowed) break;
    part *= kLessEachTime * std::min(1.0, std::sqrt(allowed / given));
    expansion.assign(count, 0.0);
    after = compressed;
  }
  for (std::size_t i = 0; i < m; ++i) {
    const int r = state.members[i];
    const auto f = static_cast<std::size_t>(rows.first(i));
    state.impulse[i] = reached[f] + compression[f] + expansion[f];
    for (int a = 1; a <= rows.tangents(r); ++a) {
      const std::size_t k = f + static_cast<std::size_t>(a);
      run.local_impulse[run.friction->first_row(r) + a] = reached[k] + compression[k] + expansion[k];
      run.friction_work[r] +=
          0.5 * (compression[k] * (before[k] + compressed[k]) + expansion[k] * (compressed[k] + after[k]));
    }
  }
  run.flags.set(Flag::closed_by_impulses);
  return Stop::separated;
}

}  // namespace carom
