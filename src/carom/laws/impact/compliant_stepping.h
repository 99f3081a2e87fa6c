#pragma once
/// How contact springs with friction go on where their series hold every step back: by implicit steps.
///
/// Contacts that let go begin to slip as s ∝ t², and while their slip is small its direction settles at the rate μF/s.
/// A series follows that with steps ∝ s alone, so t from such a start on costs a number of steps ∝ 1/t₀, t₀ being the
/// time at which the direction is more than round-off; redundant contacts, which stick and let go together again and
/// again, spend all their steps there. What is not unique about them, the forces of single contacts, is not asked for
/// here: over a step of the time h the normal impulses P and the tangential ones π are those for which
///   P    = h ΔU/Δx, the work that the spring stores over the way Δx = −κhγ at the mean rate γ = ½(γ₀ + γ₁)
///   π    minimises the kinetic energy of the slip s₁ at the end over the disks |πᵢ| ≤ μᵢPᵢ
/// Both have one answer for the velocities, found by sweeps over the contacts. With U = Kx^(η+1)/(η+1), and U = 0 for
/// x < 0, nothing has to be located: a step that closes, turns or opens a contact stores or returns exactly the energy
/// of what it crosses, e² of that where it expands. Errors of velocities fall as h and are about 1e-3 of the approach
/// (impact-laws.md); energy does not rise beyond that, which whoever asks has to look at.

#include <vector>

#include "carom/laws/impact/compliant_contact.h"
#include "carom/mechanics/impact_outcome.h"

namespace carom {

/// Where a cluster has come to, in its own units; by contact, not by place.
struct CompliantMotion {
  std::vector<double> compression;  ///< x; negative: a gap
  std::vector<double> velocity;     ///< of all rows: normals, first tangents, second tangents
  std::vector<double> impulse;      ///< likewise, so far
  std::vector<double> work;         ///< of friction, so far
};

class CompliantStepping {
 public:
  /// Whether these springs can be followed so: friction of finite μ, no tangential springs.
  [[nodiscard]] static bool can_follow(const CompliantSprings& springs);

  /// Of the shortest period of the springs, by 2π: a step.
  static constexpr double kPart = 0.1;
  /// Goes on until nothing touches and nothing approaches. False: not within the steps that it may take.
  bool run(const CompliantSprings& springs, CompliantMotion& motion, double part = kPart);

  [[nodiscard]] long steps() const { return steps_; }
  /// What a contact did when it last carried a force.
  [[nodiscard]] FrictionMode mode(int i) const { return mode_[static_cast<std::size_t>(i)]; }
  /// Normal impulse with which it came into that mode.
  [[nodiscard]] double since(int i) const { return since_[static_cast<std::size_t>(i)]; }

 private:
  [[nodiscard]] double entry(int row, int column) const { return springs_.rows[row * 3 * count_ + column]; }
  [[nodiscard]] bool has_ended() const;
  [[nodiscard]] double step_size() const;
  [[nodiscard]] double spring_energy(int i, double compression) const;
  struct Push {
    double impulse, compression;  ///< over the step, and at its end
  };
  [[nodiscard]] Push push_of(int i, double mean_rate, double h) const;
  void add(int row, double impulse);
  double sweep(double h);
  [[nodiscard]] FrictionMode mode_of(int i, double friction) const;
  void take(double h);

  CompliantSprings springs_;
  CompliantMotion* motion_ = nullptr;
  int count_ = 0;
  double part_ = kPart;
  long steps_ = 0;
  std::vector<double> end_, push_, since_;  ///< velocities at the end of the step, its impulses
  std::vector<FrictionMode> mode_;
};

}  // namespace carom
