#pragma once
/// Bodies held by rows (joint_rows.h): what changes accelerations, velocities or places the least, in the kinetic
/// metric, so that all rows hold.
///
///   u ← u + G⁻¹Aᵀλ,   A G⁻¹Aᵀ λ = −(A u + c),
///
/// c the biases for accelerations, the drives for velocities, the residuals for places. The matrix has a block for each
/// joint and is eliminated from the leaves of trees of joints on (numerics/block_elimination.h), in a time linear in
/// the number of joints. Rows that depend on others (closed loops of
/// hinges have some) are left out, which changes the forces but not the motion. Which ones is decided once for a
/// layout, so that those that are kept are as independent as can be (numerics/independent_rows.h), and again where they
/// have become much less so. Of all forces that move the bodies alike take_least_forces() finds those of least Σκ², κ
/// the forces of rows as joint_rows.h has them, in newtons: forces along lines, couples divided by the size of the
/// joint.

#include <Eigen/Core>
#include <array>
#include <span>
#include <vector>

#include "carom/base/archive.h"
#include "carom/mechanics/joint_rows.h"
#include "carom/numerics/block_elimination.h"
#include "carom/numerics/independent_rows.h"

namespace carom {

/// What a body opposes to forces.
struct HeldInertia {
  double inverse_mass = 0.0;
  Eigen::Vector3d inverse_moments = Eigen::Vector3d::Zero();  ///< principal
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();         ///< principal frame to world
};

/// Velocity and angular velocity of a body, their rates, or by how much it is moved and turned. The angular part is in
/// the principal frame, where slender bodies lose no digits.
struct Twist {
  Eigen::Vector3d linear = Eigen::Vector3d::Zero();
  Eigen::Vector3d angular = Eigen::Vector3d::Zero();

  Twist& operator+=(const Twist& more) {
    linear += more.linear;
    angular += more.angular;
    return *this;
  }
};

class JointSystem {
 public:
  static constexpr int kMostRows = BlockElimination::kMost;
  using Slots = std::array<int, 4>;  ///< of bodies; −1: the ground, or none

  /// No rows, over so many bodies.
  void clear(int bodies);
  /// A block of so many rows, at most kMostRows, over these bodies; analyse() follows the last one.
  void add_block(const Slots& slots, int rows);
  void analyse();
  /// The rows of a block give way: A u + c + compliance·λ = 0.
  void set_compliance(int block, double compliance) { compliance_[static_cast<std::size_t>(block)] = compliance; }
  [[nodiscard]] bool empty() const { return blocks_.empty(); }

  /// What rows ask for beside their entries.
  struct Offset {
    double residual = 0.0, bias = 0.0, drive = 0.0;
    bool motor = false;
  };
  /// To be filled in: the bodies, and then the rows of every block.
  std::vector<HeldInertia> bodies;
  void set_rows(int block, std::span<const JointRow> rows);
  /// Of all rows, block by block.
  [[nodiscard]] const std::vector<Offset>& offsets() const { return offsets_; }

  void factor();
  /// Whether it was decided before rows had been put right, or far from the last factor(), which rows depend on others.
  [[nodiscard]] bool is_doubtful() const;
  /// Decides it anew, with rows of a place where all of them hold, and factors them.
  void review();
  /// What was decided for a layout: everything else is computed anew from rows.
  struct Decision {
    std::vector<char> left_out;  ///< rows that depend on others, one entry each
    bool made = false;           ///< for this layout,
    bool on_rows = false;        ///< at a place where the rows hold
    double pivot_then = 1.0;     ///< least_pivot() there
    double pivot_now = 1.0;      ///< at the last factor()

    void transfer(Archive& archive) { archive(left_out, made, on_rows, pivot_then, pivot_now); }
  };
  [[nodiscard]] const Decision& decision() const { return decision_; }
  /// As it was decided before for this layout; follows analyse().
  void set_decision(const Decision& decision) { decision_ = decision; }
  /// Rows that do not depend on others at the last factor(), and how much is left of the least of these beside the
  /// others, squared.
  [[nodiscard]] int rank() const { return elimination_.rank(); }
  [[nodiscard]] double least_pivot() const { return elimination_.least_pivot(); }
  /// The logarithm of the volume, squared, that rows span, each of unit length, which goes to −∞ in a singular
  /// position: that of the rows which are kept, at the last factor(). Of rows as they are set now, that of all of them
  /// (the product of as many of the largest eigenvalues of their products as are independent), which is a smooth
  /// function of them.
  [[nodiscard]] double log_volume_of_kept() const { return elimination_.log_volume(); }
  [[nodiscard]] double log_volume();
  /// Whether one of these rows is within 3e-5 of the span of the others at the last factor().
  [[nodiscard]] bool is_singular();

  /// Changes `twists`, one of each body, so that A u + c = 0, without c so that A u = 0. The rows may have been set
  /// anew since factor(), where they have changed a little only.
  void correct(std::vector<Twist>& twists, double Offset::*c);
  /// The latter, and leaves forces() as they are.
  void project(std::vector<Twist>& twists) { balance(twists, nullptr); }
  void clear_forces();
  /// Makes the forces of the last corrections those of least Σκ² among all that do the same to the bodies. With rows
  /// that are as they were at factor().
  void take_least_forces();
  /// Whether the forces of a block are the only ones, at the last take_least_forces().
  [[nodiscard]] bool is_unique(int block) const { return shared_[static_cast<std::size_t>(block)] == 0; }
  /// What the rows of a block do to the body on their first side, at its centre: force and torque, world frame.
  [[nodiscard]] Twist load_on_first(int block) const;
  /// The force of each row: of all corrections since its rows were set.
  [[nodiscard]] const std::vector<double>& forces() const { return forces_; }

 private:
  using Matrix = BlockElimination::Block;
  void balance(std::vector<Twist>& twists, double Offset::*c);
  void assemble();
  void factor_rows();
  void decide();
  void write_unit_rows();
  struct Side {
    int slot;
    int from, also;  ///< the side of a row that it is, and another one on the same body, −1: none
    int rows;
    Matrix entry;  ///< [component][row], components as in a Twist
  };
  struct Block {
    int first_row, rows;
    int first_side, sides;
  };
  /// Two sides on one body.
  struct Coupling {
    int first, second;  ///< sides: entries are those of [row of first][row of second]
    int place;
  };

  std::vector<Block> blocks_;
  std::vector<Side> sides_;
  std::vector<Coupling> couplings_;
  std::vector<std::array<double, 6>> inverse_;  ///< G⁻¹ of the bodies, by component
  std::vector<double> forces_;
  std::vector<double> compliance_;  ///< of the blocks
  std::vector<char> shared_;        ///< of the blocks: others could bear a part of their forces
  std::vector<Offset> offsets_;
  std::vector<BlockElimination::Vector> unknown_;
  BlockElimination elimination_;
  Decision decision_;
  std::vector<double> unit_rows_;  ///< scratch: rows times G^−½, of unit length
  IndependentRows independent_;
  int body_count_ = 0;
  int row_count_ = 0;
};

}  // namespace carom
